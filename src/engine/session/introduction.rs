//! The handshake: what an engine says between `uci` and `uciok`, kept within bounds however much that is.

use std::time::Instant;

use tracing::warn;
use vampirc_uci::{UciMessage, parse_one};

use super::Engine;
use crate::engine::command::plain;
use crate::engine::fault::Fault;
use crate::engine::launch::LaunchFailure;
use crate::engine::message::{excerpt, starts_with_word};
use crate::engine::option::DeclaredOption;
use crate::engine::process::Program;

/// Options that are kept of one engine, so that an endless list can't fill the memory.
const OPTION_LIMIT: usize = 10_000;
/// Bytes of the lines that declare them.
const OPTION_BYTES: usize = 4 << 20;

/// Bytes of an `id` line that are read.
const ID_LENGTH: usize = 1000;

/// How much an engine has declared, and what of it could not be taken.
#[derive(Default)]
struct Tally {
    bytes: usize,
    unreadable: usize,
    dropped: usize,
}

impl Engine {
    /// Sends `uci` and reads up to `uciok`.
    pub(super) async fn introduce(&mut self, program: &Program) -> Result<(), Fault> {
        let limit = self.timeouts.start;
        let deadline = Instant::now() + limit;
        let mut tally = Tally::default();
        self.link_send(&plain(&UciMessage::Uci)).await;
        self.receive_or_stall(deadline, "uciok", limit).await?;
        if let Some(failure) = LaunchFailure::read(self.link.line()) {
            return Err(Fault::NotStarted(failure.words(program)));
        }
        while !self.read_introduction(&mut tally) {
            self.receive_or_stall(deadline, "uciok", limit).await?;
        }
        if tally.unreadable > 1 {
            warn!("{}: {} unreadable option lines were ignored", self.name, tally.unreadable);
        }
        if tally.dropped > 0 {
            warn!("{} declares too many options: {} of them were ignored", self.name, tally.dropped);
        }
        Ok(())
    }

    /// Reads a line of the handshake; true at `uciok`.
    fn read_introduction(&mut self, tally: &mut Tally) -> bool {
        let line = self.link.line();
        if starts_with_word(line, b"uciok") {
            return true;
        }
        if starts_with_word(line, b"option") {
            tally.bytes += line.len();
            if self.declared.len() >= OPTION_LIMIT || tally.bytes > OPTION_BYTES {
                tally.dropped += 1;
                return false;
            }
            match DeclaredOption::read(&String::from_utf8_lossy(line)) {
                Some(option) => self.declared.push(option),
                None => {
                    // One of a kind is enough: an engine can print them by the thousand.
                    if tally.unreadable == 0 {
                        warn!("{}: unreadable option line `{}` ignored", self.name, excerpt(line));
                    }
                    tally.unreadable += 1;
                }
            }
        } else if starts_with_word(line, b"id") {
            if let UciMessage::Id { name, author } =
                parse_one(&String::from_utf8_lossy(&line[..line.len().min(ID_LENGTH)]))
            {
                self.id_name = name.or(self.id_name.take());
                self.id_author = author.or(self.id_author.take());
            }
        } else if !line.is_empty() {
            self.last_line = excerpt(line);
        }
        false
    }
}

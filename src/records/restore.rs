//! Brings PGN and event log to what the database holds, before a run goes on: torn tails are cut off, what is missing is
//! written from the database, what is not in it goes.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::Deserialize;

use super::database::{Database, DatabaseError, Order};
use super::events::{EventClock, EventLog};
use super::pgn::{self, MatchTags};
use crate::game::game_id::GameId;
use crate::game::observer::GameEvent;
use crate::game::record::GameRecord;
use crate::tournament::event::Event;

/// What had to be done to a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Bytes at its end that the database knows nothing of, or knows otherwise.
    pub cut: u64,
    /// Games that were written from the database.
    pub written: u32,
}

/// Why a file can't be brought to what the database holds.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The database can't be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The file can't be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// Makes the PGN hold exactly the games of the database, in the order in which they ended. What agrees is left as it is.
///
/// # Errors
/// [`RestoreError`].
pub fn restore_pgn(database: &Database, path: &Path, tags: &MatchTags) -> Result<Restored, RestoreError> {
    let mut file = open(path)?;
    let length = file.metadata()?.len();
    let mut reader = BufReader::new(&mut file);
    let mut agreed: u64 = 0;
    let mut same = true;
    let mut read = Vec::new();
    let mut missing = Missing { file: None, written: 0 };
    database.each_game::<RestoreError>(Order::Ended, |game| {
        let text = pgn::render(&game, tags);
        if same {
            read.resize(text.len(), 0);
            same = whole(&mut reader, &mut read)? && read == text.as_bytes();
        }
        if same {
            agreed += text.len() as u64;
            return Ok(());
        }
        missing.write(path, agreed, text.as_bytes())
    })?;
    drop(reader);
    let written = missing.end()?;
    if same && length > agreed {
        file.set_len(agreed)?;
        file.sync_data()?;
    }
    Ok(Restored { cut: length - agreed, written })
}

/// Games that are written after those that agreed.
struct Missing {
    file: Option<BufWriter<File>>,
    written: u32,
}

impl Missing {
    fn write(&mut self, path: &Path, agreed: u64, text: &[u8]) -> Result<(), RestoreError> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let mut file = open(path)?;
                file.set_len(agreed)?;
                file.seek(SeekFrom::End(0))?;
                self.file.insert(BufWriter::new(file))
            }
        };
        file.write_all(text)?;
        self.written += 1;
        Ok(())
    }

    fn end(self) -> io::Result<u32> {
        if let Some(file) = self.file {
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()?;
        }
        Ok(self.written)
    }
}

/// Whether there was enough to fill the whole buffer.
fn whole(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// What is read of an event.
#[derive(Deserialize)]
struct Line {
    game: u32,
    round: String,
}

/// What an event log says of its games.
#[derive(Default)]
struct Told {
    /// Bytes up to the last line end.
    whole: u64,
    /// Games that have ended and were not annulled since.
    ended: BTreeMap<u32, GameId>,
    /// Games that have begun, and neither ended nor were annulled.
    begun: BTreeMap<u32, GameId>,
}

/// Cuts off what was not written whole. Games whose end is missing are told again from the database, without the lines
/// that engines expected; what the database does not hold, because the run was killed or its machine lost its power,
/// is annulled.
///
/// # Errors
/// [`RestoreError`].
pub fn restore_events(database: &Database, path: &Path) -> Result<Restored, RestoreError> {
    let mut file = open(path)?;
    let length = file.metadata()?.len();
    let Told { whole, mut ended, mut begun } = read_events(BufReader::new(&mut file))?;
    if whole < length {
        file.set_len(whole)?;
    }
    file.seek(SeekFrom::End(0))?;
    let mut log = EventLog::new(BufWriter::new(file), EventClock::since(database.header().started));
    let mut written = 0;
    database.each_game::<RestoreError>(Order::Ended, |game| {
        let half_told = begun.remove(&game.id.number).is_some();
        if ended.remove(&game.id.number).is_some() {
            return Ok(());
        }
        if half_told {
            log.write(&Event::GameAnnulled { game: game.id, reason: RUN_KILLED, annulment: None })?;
        }
        written += 1;
        tell_again(&mut log, &game)?;
        Ok(())
    })?;
    for game in ended.into_values().chain(begun.into_values()) {
        log.write(&Event::GameAnnulled { game, reason: RUN_KILLED, annulment: None })?;
    }
    let file = log.into_inner().into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_data()?;
    Ok(Restored { cut: length - whole, written })
}

/// Why a game is annulled that was under way when the run came to its end without a word.
const RUN_KILLED: &str = "run_killed";

fn read_events(mut reader: impl BufRead) -> io::Result<Told> {
    let mut told = Told::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return Ok(told);
        }
        told.whole += read as u64;
        // The type stands right behind the time.
        let head = &line[..line.len().min(60)];
        let is = |kind: &str| memchr::memmem::find(head, kind.as_bytes()).is_some();
        if !is("\"type\":\"game_") {
            continue;
        }
        let Some(id) = serde_json::from_slice(&line).ok().and_then(|line: Line| line.id()) else { continue };
        if is("\"type\":\"game_started\"") {
            told.begun.insert(id.number, id);
        } else {
            told.begun.remove(&id.number);
        }
        if is("\"type\":\"game_ended\"") {
            told.ended.insert(id.number, id);
        } else if is("\"type\":\"game_annulled\"") {
            told.ended.remove(&id.number);
        }
    }
}

impl Line {
    fn id(&self) -> Option<GameId> {
        let (round, game) = self.round.split_once('.')?;
        Some(GameId { number: self.game, round: round.parse().ok()?, game: game.parse().ok()? })
    }
}

fn tell_again<W: Write>(log: &mut EventLog<W>, game: &GameRecord) -> io::Result<()> {
    let started = GameEvent::Started {
        white: &game.names.white,
        black: &game.names.black,
        fen: game.opening.fen.as_deref(),
    };
    log.write(&Event::Game(game.id, started))?;
    let mut by = shakmaty::Position::turn(&game.opening.start);
    for (record, ply) in game.plies.iter().zip(1..) {
        log.write(&Event::Game(game.id, GameEvent::Ply { ply, by, record }))?;
        by = !by;
    }
    log.write(&Event::GameEnded(game))
}

#[cfg(test)]
#[path = "restore_tests.rs"]
mod tests;

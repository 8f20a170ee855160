//! The file of the event log: games only append to memory, and whole lines come to the file a moment later, many in one
//! write. No game waits for the disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::background::{Background, Work};
use super::event_lanes::{Lanes, Taken};
use super::events::EventClock;
use crate::tournament::event::Event;

/// So much of a game is kept for a disk that doesn't take it, in bytes; then it waits.
const MOST_WAITING: usize = 4 * 1024 * 1024;

/// An event log that is written in the background.
pub(super) struct EventFile(Background<Log>);

struct Log {
    path: PathBuf,
    lanes: Lanes,
    destination: Mutex<Destination>,
    /// What the disk said first.
    failure: OnceLock<String>,
}

struct Destination {
    file: File,
    taken: Taken,
    /// Empty between two writes; kept because large pieces of memory are dear to get.
    lines: Vec<u8>,
}

impl EventFile {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn start(path: &Path, file: File, clock: EventClock) -> io::Result<EventFile> {
        let log = Log {
            path: path.to_owned(),
            lanes: Lanes::new(clock),
            destination: Mutex::new(Destination { file, taken: Taken::default(), lines: Vec::new() }),
            failure: OnceLock::new(),
        };
        Background::start("events", log).map(EventFile)
    }

    /// Takes an event in.
    ///
    /// # Errors
    /// An earlier one could not be written, in words.
    pub fn write(&self, event: &Event<'_>) -> Result<(), String> {
        let log = &self.0.work;
        let filling = log.lanes.append(event).map_err(|error| log.words(&error.into()))?;
        if filling.before == 0 && filling.after > 0 {
            self.0.ask();
        }
        if filling.after > MOST_WAITING {
            log.bring();
        }
        log.checked()
    }

    /// Whether the last line of the file is the end of a run.
    ///
    /// # Errors
    /// The file can't be read, in words.
    pub fn tells_the_end(&self) -> Result<bool, String> {
        // Longer than the line is for any number of engines that a run may have.
        const TAIL: u64 = 1024 * 1024;
        let read = || -> io::Result<Vec<u8>> {
            let mut file = File::open(&self.0.work.path)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
            let mut tail = Vec::new();
            file.read_to_end(&mut tail)?;
            Ok(tail)
        };
        let tail = read().map_err(|error| format!("can't read {}: {error}", self.0.work.path.display()))?;
        let last = tail.split_inclusive(|byte| *byte == b'\n').next_back().unwrap_or_default();
        Ok(memchr::memmem::find(last, b"\"type\":\"match_ended\"").is_some())
    }

    /// Returns once everything is in the file.
    ///
    /// # Errors
    /// What the disk says, in words.
    pub fn flush(&self) -> Result<(), String> {
        self.0.work.bring();
        self.0.work.checked()
    }
}

impl Log {
    fn words(&self, error: &io::Error) -> String {
        format!("can't write to {}: {error}", self.path.display())
    }

    fn checked(&self) -> Result<(), String> {
        self.failure.get().cloned().map_or(Ok(()), Err)
    }
}

impl Work for Log {
    /// One write of whole lines; what could only be written in part is cut off again. True if lines have come meanwhile.
    fn bring(&self) -> bool {
        let mut destination = self.destination.lock().unwrap_or_else(PoisonError::into_inner);
        let Destination { file, taken, lines } = &mut *destination;
        let more = self.lanes.take(taken, lines);
        if lines.is_empty() {
            return more;
        }
        let length = file.metadata().map(|data| data.len());
        let written = file.write_all(lines);
        lines.clear();
        if let Err(error) = written {
            if let Ok(length) = length {
                let _ = file.set_len(length);
            }
            // Only the first one is told.
            let _ = self.failure.set(self.words(&error));
        }
        more
    }
}

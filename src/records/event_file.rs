//! The file of the event log: games only append to memory, and a thread of its own brings whole lines to the file a
//! moment later, many in one write. No game waits for the disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::event_lanes::{Lanes, Taken};
use super::events::EventClock;
use crate::tournament::event::Event;

/// How long an event may stay in memory.
const DELAY: Duration = Duration::from_millis(20);
/// So much of a game is kept for a disk that doesn't take it, in bytes; then it waits.
const MOST_WAITING: usize = 4 * 1024 * 1024;

/// An event log that is written in the background.
pub(super) struct EventFile {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    path: PathBuf,
    lanes: Lanes,
    destination: Mutex<Destination>,
    wanted: Mutex<Wanted>,
    something: Condvar,
    /// What the disk said first.
    failure: OnceLock<String>,
}

struct Destination {
    file: File,
    taken: Taken,
    /// Empty between two writes; kept because large pieces of memory are dear to get.
    lines: Vec<u8>,
}

/// What the thread is to do.
#[derive(Default)]
struct Wanted {
    write: bool,
    end: bool,
}

impl EventFile {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn start(path: &Path, file: File, clock: EventClock) -> io::Result<EventFile> {
        let shared = Arc::new(Shared {
            path: path.to_owned(),
            lanes: Lanes::new(clock),
            destination: Mutex::new(Destination { file, taken: Taken::default(), lines: Vec::new() }),
            wanted: Mutex::default(),
            something: Condvar::new(),
            failure: OnceLock::new(),
        });
        let for_thread = Arc::clone(&shared);
        let thread =
            std::thread::Builder::new().name("events".to_owned()).spawn(move || for_thread.serve())?;
        Ok(EventFile { shared, thread: Some(thread) })
    }

    /// Takes an event in.
    ///
    /// # Errors
    /// An earlier one could not be written, in words.
    pub fn write(&self, event: &Event<'_>) -> Result<(), String> {
        let filling = self.shared.lanes.append(event).map_err(|error| self.shared.words(&error.into()))?;
        if filling.before == 0 && filling.after > 0 {
            self.shared.want(|wanted| wanted.write = true);
        }
        if filling.after > MOST_WAITING {
            self.shared.flush();
        }
        self.shared.checked()
    }

    /// Whether the last line of the file is the end of a run.
    ///
    /// # Errors
    /// The file can't be read, in words.
    pub fn tells_the_end(&self) -> Result<bool, String> {
        // Longer than the line is for any number of engines that a run may have.
        const TAIL: u64 = 1024 * 1024;
        let read = || -> io::Result<Vec<u8>> {
            let mut file = File::open(&self.shared.path)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
            let mut tail = Vec::new();
            file.read_to_end(&mut tail)?;
            Ok(tail)
        };
        let tail = read().map_err(|error| format!("can't read {}: {error}", self.shared.path.display()))?;
        let last = tail.split_inclusive(|byte| *byte == b'\n').next_back().unwrap_or_default();
        Ok(memchr::memmem::find(last, b"\"type\":\"match_ended\"").is_some())
    }

    /// Returns once everything is in the file.
    ///
    /// # Errors
    /// What the disk says, in words.
    pub fn flush(&self) -> Result<(), String> {
        self.shared.flush();
        self.shared.checked()
    }
}

impl Drop for EventFile {
    fn drop(&mut self) {
        self.shared.want(|wanted| wanted.end = true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn want(&self, ask: impl FnOnce(&mut Wanted)) {
        ask(&mut self.wanted());
        self.something.notify_one();
    }

    fn words(&self, error: &io::Error) -> String {
        format!("can't write to {}: {error}", self.path.display())
    }

    fn checked(&self) -> Result<(), String> {
        self.failure.get().cloned().map_or(Ok(()), Err)
    }

    fn serve(&self) {
        loop {
            let waiting = self.something.wait_while(self.wanted(), |wanted| !wanted.write && !wanted.end);
            let wanted = waiting.unwrap_or_else(PoisonError::into_inner);
            // More comes soon, and is written along; the end is not waited for.
            let more = self.something.wait_timeout_while(wanted, DELAY, |wanted| !wanted.end);
            let (mut wanted, _) = more.unwrap_or_else(PoisonError::into_inner);
            wanted.write = false;
            let end = wanted.end;
            drop(wanted);
            if self.flush() {
                self.wanted().write = true;
            } else if end {
                return;
            }
        }
    }

    /// One write of whole lines; what could only be written in part is cut off again. True if lines have come meanwhile.
    fn flush(&self) -> bool {
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

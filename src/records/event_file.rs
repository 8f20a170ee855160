//! The file of the event log: games only append to memory, and a thread of its own brings whole lines to the file a
//! moment later, many in one write. No game waits for the disk.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::events::EventLog;
use crate::tournament::event::Event;

/// How long an event may stay in memory.
const DELAY: Duration = Duration::from_millis(20);
/// So much is kept for a disk that doesn't take it; then whoever has more waits.
const MOST_WAITING: usize = 16 * 1024 * 1024;

/// An event log that is written in the background.
pub(super) struct EventFile {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    path: PathBuf,
    /// Never held while the file is written to.
    log: Mutex<Pending>,
    file: Mutex<File>,
    something: Condvar,
}

struct Pending {
    log: EventLog<Vec<u8>>,
    ending: Ending,
    /// What the disk said to an earlier write.
    failure: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    NotYet,
    Wanted,
}

impl EventFile {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn start(path: &Path, file: File, log: EventLog<Vec<u8>>) -> io::Result<EventFile> {
        let shared = Arc::new(Shared {
            path: path.to_owned(),
            log: Mutex::new(Pending { log, ending: Ending::NotYet, failure: None }),
            file: Mutex::new(file),
            something: Condvar::new(),
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
        let mut pending = self.shared.pending();
        let before = pending.log.inner().len();
        // Writing to memory can't fail; what can't be told in JSON is a fault of this program.
        pending.log.write(event).map_err(|error| self.shared.words(&error))?;
        let now = pending.log.inner().len();
        let failure = pending.failure.clone();
        drop(pending);
        if before == 0 && now > 0 {
            self.shared.something.notify_one();
        }
        match failure {
            Some(words) => Err(words),
            None if now > MOST_WAITING => self.flush(),
            None => Ok(()),
        }
    }

    /// Returns once everything is in the file.
    ///
    /// # Errors
    /// What the disk says, in words.
    pub fn flush(&self) -> Result<(), String> {
        self.shared.flush();
        self.shared.pending().failure.clone().map_or(Ok(()), Err)
    }
}

impl Drop for EventFile {
    fn drop(&mut self) {
        self.shared.pending().ending = Ending::Wanted;
        self.shared.something.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn words(&self, error: &io::Error) -> String {
        format!("can't write to {}: {error}", self.path.display())
    }

    fn serve(&self) {
        loop {
            let waiting = self.something.wait_while(self.pending(), |pending| {
                pending.log.inner().is_empty() && pending.ending == Ending::NotYet
            });
            let pending = waiting.unwrap_or_else(PoisonError::into_inner);
            // More comes soon, and is written along; the end is not waited for.
            let more =
                self.something.wait_timeout_while(pending, DELAY, |pending| pending.ending == Ending::NotYet);
            let (pending, _) = more.unwrap_or_else(PoisonError::into_inner);
            let ending = pending.ending;
            drop(pending);
            self.flush();
            if ending == Ending::Wanted {
                return;
            }
        }
    }

    /// One write of whole lines; what could only be written in part is cut off again.
    fn flush(&self) {
        // Taken in this order by everybody, so that lines keep theirs.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = self.pending().log.take();
        if lines.is_empty() {
            return;
        }
        let length = file.metadata().map(|data| data.len());
        if let Err(error) = file.write_all(&lines) {
            if let Ok(length) = length {
                let _ = file.set_len(length);
            }
            self.pending().failure = Some(self.words(&error));
        }
    }
}

//! Takes a run's events in and keeps them: each game whole and synced when it ends, each event as it happens.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::events::EventLog;
use super::pgn::{self, MatchTags};
use crate::game::record::GameRecord;
use crate::tournament::event::{Event, Sink};

/// The records of one run.
pub struct Recorder {
    tags: MatchTags,
    pgn: Option<Kept<File>>,
    events: Option<Kept<EventLog<File>>>,
}

struct Kept<T> {
    path: PathBuf,
    file: Mutex<T>,
}

impl Recorder {
    /// Opens the files; `None`: not written.
    ///
    /// # Errors
    /// A file can't be opened, in words.
    pub fn open(tags: MatchTags, pgn: Option<&Path>, events: Option<&Path>) -> Result<Recorder, String> {
        let pgn = pgn.map(|path| append(path).map(|file| kept(path, file))).transpose()?;
        let events =
            events.map(|path| append(path).map(|file| kept(path, EventLog::new(file)))).transpose()?;
        Ok(Recorder { tags, pgn, events })
    }

    fn keep_game(&self, record: &GameRecord) -> Result<(), String> {
        let Some(pgn) = &self.pgn else { return Ok(()) };
        let text = pgn::render(record, &self.tags);
        pgn.write(|file| {
            let length = file.metadata()?.len();
            // One write; what could only be written in part is cut off again, so that the file ends between games.
            let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
            written.inspect_err(|_| drop(file.set_len(length)))
        })
    }
}

impl Sink for Recorder {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        if let Event::GameEnded(record) = event {
            self.keep_game(record)?;
        }
        self.events.as_ref().map_or(Ok(()), |events| events.write(|log| log.write(event)))
    }
}

impl<T> Kept<T> {
    fn write(&self, act: impl FnOnce(&mut T) -> io::Result<()>) -> Result<(), String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut file).map_err(|error| format!("can't write to {}: {error}", self.path.display()))
    }
}

fn kept<T>(path: &Path, file: T) -> Kept<T> {
    Kept { path: path.to_owned(), file: Mutex::new(file) }
}

fn append(path: &Path) -> Result<File, String> {
    let words = |error: io::Error| format!("can't write to {}: {error}", path.display());
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(words)?;
    }
    OpenOptions::new().create(true).append(true).open(path).map_err(words)
}

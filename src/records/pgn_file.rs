//! The file of the PGN. Each game is in it when it ends, and soon after on the disk, unless a database holds it already. No
//! game waits for the disk.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::background::{Background, Work};

/// A PGN that games are appended to.
pub(super) struct PgnFile {
    texts: Texts,
    /// `None`: a database holds the games, from which the PGN can be made again.
    sync: Option<Background<Sync>>,
}

struct Texts {
    path: PathBuf,
    waiting: Mutex<String>,
    file: Mutex<File>,
}

/// Brings what was written to the disk.
struct Sync {
    file: File,
    /// What the disk said first.
    failure: OnceLock<String>,
}

impl PgnFile {
    /// `alone`: no database holds the games.
    ///
    /// # Errors
    /// The system has no thread for what is to be on the disk soon.
    pub fn new(path: &Path, file: File, alone: bool) -> io::Result<PgnFile> {
        let sync = || -> io::Result<Background<Sync>> {
            Background::start("pgn", Sync { file: file.try_clone()?, failure: OnceLock::new() })
        };
        let sync = alone.then(sync).transpose()?;
        let texts = Texts { path: path.to_owned(), waiting: Mutex::default(), file: Mutex::new(file) };
        Ok(PgnFile { texts, sync })
    }

    /// Takes the text of a game in, which is in the file after the next [`PgnFile::write`].
    pub fn append(&self, text: &str) {
        self.texts.waiting().push_str(text);
    }

    /// Writes the games that wait; whoever comes first writes those of the others too.
    ///
    /// # Errors
    /// They can't be written, or earlier ones did not come to the disk, in words.
    pub fn write(&self) -> Result<(), String> {
        self.texts.write().map_err(|error| self.words(&error))?;
        let Some(sync) = &self.sync else { return Ok(()) };
        sync.ask();
        sync.work.failure.get().map_or(Ok(()), |failure| Err(self.words(failure)))
    }

    /// Returns once everything is in its place.
    ///
    /// # Errors
    /// Likewise.
    pub fn settle(&self) -> Result<(), String> {
        self.texts.write().map_err(|error| self.words(&error))?;
        let Some(sync) = &self.sync else { return Ok(()) };
        sync.work.bring();
        sync.work.failure.get().map_or(Ok(()), |failure| Err(self.words(failure)))
    }

    fn words(&self, why: &dyn Display) -> String {
        format!("can't write to {}: {why}", self.texts.path.display())
    }
}

impl Texts {
    fn waiting(&self) -> MutexGuard<'_, String> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One write; what could only be written in part is cut off again, so that the file ends between games.
    fn write(&self) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = std::mem::take(&mut *self.waiting());
        if texts.is_empty() {
            return Ok(());
        }
        let length = file.metadata()?.len();
        file.write_all(texts.as_bytes()).inspect_err(|_| drop(file.set_len(length)))
    }
}

impl Work for Sync {
    fn bring(&self) -> bool {
        if let Err(error) = self.file.sync_data() {
            // Only the first one is told.
            let _ = self.failure.set(error.to_string());
        }
        false
    }
}

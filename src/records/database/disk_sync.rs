//! Brings what was committed to the disk, on a thread of its own, many times a second, and from the write-ahead log to
//! the database: no game waits for it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

/// How long a commit may wait to be brought to the disk.
const PAUSE: Duration = Duration::from_millis(50);
/// How many pages come into the log before it is brought to the database and begun anew.
const LONG_LOG: u32 = 1000;
/// How long whoever reads the log is waited for before it begins anew another time.
const SHORT_PATIENCE: Duration = Duration::from_millis(20);

/// The handle of the thread; dropping it waits for the last commit to be on the disk.
pub(super) struct DiskSync {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    log: LogLength,
    wanted: Mutex<Wanted>,
    changed: Condvar,
    /// The disk's first refusal, in words.
    failure: OnceLock<String>,
}

/// What the thread is to do, and has done.
#[derive(Default)]
struct Wanted {
    /// Commits that have been announced.
    committed: u64,
    /// Those of them that are on the disk.
    settled: u64,
    /// Somebody waits for that.
    at_once: bool,
    end: bool,
}

impl DiskSync {
    /// For the write-ahead log of this database. Where the system has no thread to spare, commits reach the disk when
    /// the system sees fit.
    pub(super) fn start(database: &Path) -> DiskSync {
        let shared = Arc::new(Shared::default());
        let log = log_of(database);
        let disk = Disk {
            database: database.to_owned(),
            log_file: File::open(&log).ok(),
            log,
            length: shared.log.clone(),
            connection: None,
        };
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("disk".to_owned()).spawn(move || {
            let _farewell = Farewell(&for_thread);
            for_thread.serve(disk);
        });
        let thread = thread.inspect_err(|error| {
            tracing::warn!("no thread that brings games to the disk at once: {error}");
        });
        DiskSync { shared, thread: thread.ok() }
    }

    /// Where whoever writes to the log says how long it is; `None`: nobody shortens it here.
    pub(super) fn log_length(&self) -> Option<LogLength> {
        self.thread.as_ref().map(|_| self.shared.log.clone())
    }

    /// Something was committed.
    ///
    /// # Errors
    /// The disk refused an earlier commit, in words.
    pub(super) fn ask(&self) -> Result<(), String> {
        let mut wanted = self.shared.wanted();
        let idle = wanted.committed == wanted.settled;
        wanted.committed += 1;
        drop(wanted);
        if idle {
            self.shared.changed.notify_all();
        }
        self.shared.checked()
    }

    /// Waits until everything that was committed is on the disk.
    ///
    /// # Errors
    /// The disk refused it, in words.
    pub(super) fn settle(&self) -> Result<(), String> {
        if self.thread.is_some() {
            let mut wanted = self.shared.wanted();
            let until = wanted.committed;
            wanted.at_once = true;
            self.shared.changed.notify_all();
            let settled = self.shared.changed.wait_while(wanted, |wanted| wanted.settled < until);
            drop(settled.unwrap_or_else(PoisonError::into_inner));
        }
        self.shared.checked()
    }
}

impl Drop for DiskSync {
    fn drop(&mut self) {
        self.shared.wanted().end = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Whoever waits for a thread that has ended waits no more.
struct Farewell<'a>(&'a Shared);

impl Drop for Farewell<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.failure.set("a fault of this program ended the thread of the disk".to_owned());
        }
        self.0.wanted().settled = u64::MAX;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn checked(&self) -> Result<(), String> {
        self.failure.get().cloned().map_or(Ok(()), Err)
    }

    /// All commits that have come meanwhile are brought in one go, and some time passes between two, unless somebody
    /// waits: a disk that is kept busy without a pause takes processors from the games.
    fn serve(&self, mut disk: Disk) {
        loop {
            let idle = |wanted: &mut Wanted| wanted.committed == wanted.settled && !wanted.end;
            let wanted = self.changed.wait_while(self.wanted(), idle).unwrap_or_else(PoisonError::into_inner);
            let patient = |wanted: &mut Wanted| !wanted.at_once && !wanted.end;
            let more = self.changed.wait_timeout_while(wanted, PAUSE, patient);
            let (mut wanted, _) = more.unwrap_or_else(PoisonError::into_inner);
            wanted.at_once = false;
            let (committed, end) = (wanted.committed, wanted.end);
            drop(wanted);
            if let Err(words) = disk.bring() {
                // Only the first one is told.
                let _ = self.failure.set(words);
            }
            self.wanted().settled = committed;
            self.changed.notify_all();
            if end {
                return;
            }
        }
    }
}

/// SQLite's write-ahead log.
fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// How many pages stand in the write-ahead log.
#[derive(Clone, Debug, Default)]
pub(super) struct LogLength(Arc<AtomicU32>);

impl LogLength {
    pub(super) fn set(&self, pages: u32) {
        self.0.store(pages, Ordering::Relaxed);
    }

    fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What the thread works on.
struct Disk {
    database: PathBuf,
    log: PathBuf,
    /// Nearly always there from the beginning, else opened later.
    log_file: Option<File>,
    length: LogLength,
    /// Made when it is needed first.
    connection: Option<Connection>,
}

impl Disk {
    /// Without a log everything is in the database itself, which SQLite has brought to the disk.
    fn sync(&mut self) -> std::io::Result<()> {
        if let Some(file) = &self.log_file {
            return file.sync_data();
        }
        match File::open(&self.log) {
            Ok(file) => self.log_file.insert(file).sync_data(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Everything that was committed; the error in words.
    fn bring(&mut self) -> Result<(), String> {
        self.sync().map_err(|error| error.to_string())?;
        self.shorten_log().map_err(|error| error.to_string())
    }

    /// Brings what stands in a long log to the database, and has it begin anew: a log that goes on is dearer to write to.
    fn shorten_log(&mut self) -> rusqlite::Result<()> {
        if self.length.get() < LONG_LOG {
            return Ok(());
        }
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => {
                let connection = super::connect(&self.database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
                // Games wait while it waits for readers.
                connection.busy_timeout(SHORT_PATIENCE)?;
                none.insert(connection)
            }
        };
        // Most of it while games go on, and only what has come meanwhile while they are held up. Where somebody reads
        // the log, it goes on for now, which is told in the answer and no error.
        for mode in ["PASSIVE", "RESTART"] {
            connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(()))?;
        }
        // Until the next commit says how long it is.
        self.length.set(0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_waits_for_a_thread_that_has_ended_by_a_fault() {
        let shared = Arc::new(Shared::default());
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            let _farewell = Farewell(&for_thread);
            panic!("a fault");
        });
        let sync = DiskSync { shared, thread: Some(thread) };
        let _ = sync.ask();
        assert!(sync.settle().unwrap_err().contains("fault of this program"));
    }
}

//! Brings what was committed to the disk, on a thread of its own, many times a second: no game waits for it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a commit may wait to be brought to the disk.
const PAUSE: Duration = Duration::from_millis(50);

/// A request to the thread.
enum Request {
    /// Something was committed.
    Sync,
    /// The same, and somebody waits for it.
    Settle(Sender<()>),
}

/// The handle of the thread; dropping it waits for the last commit to be on the disk.
pub(super) struct DiskSync {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
    /// The disk's last refusal, in words.
    failure: Arc<Mutex<Option<String>>>,
}

impl DiskSync {
    /// For the write-ahead log of this database. Where the system has no thread to spare, commits reach the disk when
    /// the system sees fit.
    pub(super) fn start(database: &Path) -> DiskSync {
        let failure = Arc::new(Mutex::new(None));
        let (requests, asked) = mpsc::channel();
        let log = log_of(database);
        let told = Arc::clone(&failure);
        let thread =
            std::thread::Builder::new().name("disk".to_owned()).spawn(move || serve(&log, &asked, &told));
        match thread {
            Ok(thread) => DiskSync { requests: Some(requests), thread: Some(thread), failure },
            Err(error) => {
                tracing::warn!("no thread that brings games to the disk at once: {error}");
                DiskSync { requests: None, thread: None, failure }
            }
        }
    }

    /// Something was committed.
    ///
    /// # Errors
    /// The disk refused an earlier commit, in words.
    pub(super) fn ask(&self) -> Result<(), String> {
        if let Some(requests) = &self.requests {
            // A thread that has ended has left a failure.
            let _ = requests.send(Request::Sync);
        }
        self.checked()
    }

    /// Waits until everything that was committed is on the disk.
    ///
    /// # Errors
    /// The disk refused it, in words.
    pub(super) fn settle(&self) -> Result<(), String> {
        let (settled, wait) = mpsc::channel();
        if let Some(requests) = &self.requests
            && requests.send(Request::Settle(settled)).is_ok()
        {
            // The thread answers each request, and an ended one closes the channel.
            let _ = wait.recv();
        }
        self.checked()
    }

    fn checked(&self) -> Result<(), String> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.clone().map_or(Ok(()), Err)
    }
}

impl Drop for DiskSync {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// SQLite's write-ahead log.
fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// All requests that have come meanwhile are served by one call, and some time passes between two calls, unless somebody
/// waits: a disk that is kept busy without a pause takes processors from the games.
fn serve(log: &Path, asked: &Receiver<Request>, failure: &Mutex<Option<String>>) {
    let mut open = true;
    while open {
        let Ok(first) = asked.recv() else { return };
        let mut waiting = Vec::new();
        let mut next = Some(first);
        let until = Instant::now() + PAUSE;
        while let Some(request) = next {
            if let Request::Settle(settled) = request {
                waiting.push(settled);
            }
            let left = if waiting.is_empty() {
                until.saturating_duration_since(Instant::now())
            } else {
                Duration::ZERO
            };
            next = match asked.recv_timeout(left) {
                Ok(request) => Some(request),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => {
                    open = false;
                    None
                }
            };
        }
        if let Err(error) = sync(log) {
            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        }
        for settled in waiting {
            let _ = settled.send(());
        }
    }
}

/// Without a log everything is in the database itself, which SQLite has brought to the disk.
fn sync(log: &Path) -> std::io::Result<()> {
    match File::open(log) {
        Ok(file) => file.sync_data(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

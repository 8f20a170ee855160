//! An engine's stderr: always drained by a thread of its own, so that it can neither block the engine nor delay the
//! referee; its tail is kept for the report of a crash.

use std::io::{PipeReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

const TAIL_CAP: usize = 4096;
/// Bytes on the stderr of one process that are reported as a flood, once.
pub const FLOOD: u64 = 1 << 20;

/// What has been read of an engine's stderr.
#[derive(Clone, Debug, Default)]
pub struct StandardError {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    total: AtomicU64,
    tail: Mutex<Vec<u8>>,
    closed: Notify,
}

impl StandardError {
    /// Starts to drain the pipe, until every writer has closed it.
    ///
    /// # Errors
    /// The system refuses another thread.
    pub fn drain(engine: &str, pipe: PipeReader) -> std::io::Result<StandardError> {
        let stderr = StandardError::default();
        let reader = stderr.clone();
        let engine = engine.to_owned();
        std::thread::Builder::new()
            .name("stderr".to_owned())
            .spawn(move || reader.read_all(&engine, pipe))?;
        Ok(stderr)
    }

    /// Bytes read so far.
    pub fn total(&self) -> u64 {
        self.shared.total.load(Ordering::Relaxed)
    }

    /// Waits until every writer has closed it and all is read, at most so long: an engine's last words may come after
    /// the news of its end.
    pub async fn closed_within(&self, limit: Duration) {
        if tokio::time::timeout(limit, self.shared.closed.notified()).await.is_ok() {
            // For whoever asks next.
            self.shared.closed.notify_one();
        }
    }

    /// The last lines, for a message; empty if nothing came.
    pub fn tail(&self) -> String {
        let tail = self.shared.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail);
        let lines: Vec<&str> = text.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join(" | ")
    }

    fn read_all(&self, engine: &str, mut pipe: PipeReader) {
        let mut chunk = [0; 1 << 16];
        while let Ok(length @ 1..) = pipe.read(&mut chunk) {
            let bytes = &chunk[..length];
            let before = self.shared.total.fetch_add(length as u64, Ordering::Relaxed);
            // A flood would fill the log's disk as well.
            if before < FLOOD {
                for line in String::from_utf8_lossy(bytes).lines() {
                    tracing::debug!(target: "uci", "{engine} ! {line}");
                }
            }
            let mut tail = self.shared.tail.lock().unwrap_or_else(PoisonError::into_inner);
            tail.extend_from_slice(bytes);
            let surplus = tail.len().saturating_sub(TAIL_CAP);
            tail.drain(..surplus);
        }
        self.shared.closed.notify_one();
    }
}

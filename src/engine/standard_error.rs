//! An engine's stderr: always drained by a thread of its own, so that it can neither block the engine nor delay the
//! referee; its tail is kept for the report of a crash.

use std::collections::VecDeque;
use std::io::{PipeReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    tail: Mutex<Tail>,
    closed: Notify,
}

/// The last bytes, and when they were read.
#[derive(Debug, Default)]
struct Tail {
    bytes: Vec<u8>,
    /// Bytes up to the end of the tail, of all that was read.
    end: u64,
    /// Up to which byte of all had been read when.
    reads: VecDeque<(u64, Instant)>,
}

impl Tail {
    fn add(&mut self, bytes: &[u8], at: Instant) {
        self.end += bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        let surplus = self.bytes.len().saturating_sub(TAIL_CAP);
        self.bytes.drain(..surplus);
        self.reads.push_back((self.end, at));
        let start = self.start();
        let gone = self.reads.iter().take_while(|(end, _)| *end <= start).count();
        self.reads.drain(..gone);
    }

    fn start(&self) -> u64 {
        self.end - self.bytes.len() as u64
    }

    /// When this byte of all was read.
    fn read_at(&self, byte: u64) -> Option<Instant> {
        let read = self.reads.partition_point(|(end, _)| *end <= byte);
        self.reads.get(read).map(|(_, at)| *at)
    }
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
        let tail = self.tail_of_all();
        let text = String::from_utf8_lossy(&tail.bytes);
        let lines: Vec<&str> = text.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join(" | ")
    }

    /// The last lines after so many bytes of all, each with the time at which its end was read; empty ones are left out.
    pub fn lines_since(&self, before: u64, most: usize) -> Vec<(Instant, Vec<u8>)> {
        if self.total() <= before {
            return Vec::new();
        }
        let tail = self.tail_of_all();
        let skipped = usize::try_from(before.saturating_sub(tail.start())).unwrap_or(usize::MAX);
        let bytes = tail.bytes.get(skipped..).unwrap_or_default();
        let mut end = tail.end;
        let mut lines = Vec::new();
        for line in bytes.rsplit(|byte| *byte == b'\n') {
            let last_byte = end.saturating_sub(1);
            end = end.saturating_sub(line.len() as u64 + 1);
            let text = line.trim_ascii();
            if lines.len() < most
                && !text.is_empty()
                && let Some(at) = tail.read_at(last_byte)
            {
                lines.push((at, text.to_vec()));
            }
        }
        lines.reverse();
        lines
    }

    fn tail_of_all(&self) -> MutexGuard<'_, Tail> {
        self.shared.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_all(&self, engine: &str, mut pipe: PipeReader) {
        let mut chunk = [0; 1 << 16];
        while let Ok(length @ 1..) = pipe.read(&mut chunk) {
            let at = Instant::now();
            let bytes = &chunk[..length];
            let before = self.shared.total.fetch_add(length as u64, Ordering::Relaxed);
            // A flood would fill the log's disk as well.
            if before < FLOOD {
                for line in String::from_utf8_lossy(bytes).lines() {
                    tracing::debug!(target: "uci", "{engine} ! {line}");
                }
            }
            self.tail_of_all().add(bytes, at);
        }
        self.shared.closed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(stderr: &StandardError, before: u64, most: usize) -> Vec<(Instant, String)> {
        let told = stderr.lines_since(before, most).into_iter();
        told.map(|(at, line)| (at, String::from_utf8(line).unwrap())).collect()
    }

    /// With these reads, one a second.
    fn read(chunks: &[&str]) -> (StandardError, Instant) {
        let stderr = StandardError::default();
        let zero = Instant::now();
        for (second, chunk) in (0_u32..).zip(chunks) {
            stderr.shared.total.fetch_add(chunk.len() as u64, Ordering::Relaxed);
            stderr.tail_of_all().add(chunk.as_bytes(), zero + Duration::from_secs(1) * second);
        }
        (stderr, zero)
    }

    #[test]
    fn each_line_has_the_time_at_which_its_end_was_read() {
        let (stderr, zero) = read(&["one\ntw", "o\n\nthree\n", "open"]);
        let at = |second| zero + Duration::from_secs(second);
        let told = |lines: &[(u64, &str)]| -> Vec<(Instant, String)> {
            lines.iter().map(|(second, line)| (at(*second), (*line).to_owned())).collect()
        };
        assert_eq!(lines(&stderr, 0, 9), told(&[(0, "one"), (1, "two"), (1, "three"), (2, "open")]));
        assert_eq!(lines(&stderr, 0, 2), told(&[(1, "three"), (2, "open")]));
        assert_eq!(lines(&stderr, 8, 9), told(&[(1, "three"), (2, "open")]), "what came before is left out");
        assert_eq!(lines(&stderr, stderr.total(), 9), []);
    }

    #[test]
    fn a_flood_leaves_the_last_bytes_and_their_times() {
        let chunks: Vec<String> = (0..10_000).map(|line| format!("{line:07}\n")).collect();
        let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
        let (stderr, zero) = read(&chunks);
        assert_eq!(lines(&stderr, 0, 1), [(zero + Duration::from_secs(9999), "0009999".to_owned())]);
        assert_eq!(lines(&stderr, 0, usize::MAX).len(), TAIL_CAP / 8);
        let tail = stderr.tail_of_all();
        assert!(tail.bytes.len() <= TAIL_CAP && tail.reads.len() <= TAIL_CAP / 8);
    }
}

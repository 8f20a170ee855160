//! The thread that writes for a run. Whoever has something to say leaves it here and goes on: a terminal that is stopped
//! (Ctrl-S), or a pipe that nobody reads, holds up this thread alone.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::live::columns::{Lines, harmless};
use super::painter::Painter;

/// How often the live lines are drawn anew, at most.
const FRAME: Duration = Duration::from_millis(100);

/// Of the log so much may wait to be written; more of it is left out.
const LOG_WAITING: usize = 1 << 20;

/// Written at once: less than a terminal takes.
const PIECE: usize = 1024;

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Results: never left out, and nothing in them steers a terminal.
    Stdout,
    /// Everything else.
    Stderr,
}

/// What stands behind stdout or stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// A person looks at it.
    Terminal,
    /// Somebody reads it, at his own pace, who may write to the terminal himself, as `tee` does.
    Pipe,
    /// A file.
    Other,
}

/// A terminal that takes nothing for so long holds up the program's end no longer.
const PATIENCE: Duration = Duration::from_secs(5);

enum Message {
    Text(Stream, String),
    /// Everything before this is written once this is dropped.
    Written(Sender<()>),
    End,
}

/// The thread's handle. Dropping it ends the thread.
pub struct Screen {
    messages: Sender<Message>,
    waiting: Arc<Waiting>,
    thread: Receiver<()>,
    /// It was waited for in vain.
    stuck: AtomicBool,
}

/// What is known of the writing from outside.
#[derive(Debug, Default)]
struct Waiting {
    /// Bytes for stderr.
    log: AtomicUsize,
    /// Texts for stderr that were left out.
    left_out: AtomicU64,
    /// Pieces written.
    taken: AtomicU64,
    /// Results are being written to a file or a pipe, which may take as long as it takes.
    unhurried: AtomicBool,
}

/// A way to the thread.
#[derive(Clone)]
pub struct Outlet {
    stream: Stream,
    messages: Sender<Message>,
    waiting: Arc<Waiting>,
}

impl Screen {
    /// Starts the thread, with what stands behind stdout; with a painter it draws live lines too.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start(stdout: Device, painter: Option<Painter>) -> io::Result<Screen> {
        let (messages, inbox) = mpsc::channel();
        let (ended, thread) = mpsc::channel();
        let waiting = Arc::new(Waiting::default());
        let writer = Writer { inbox, waiting: Arc::clone(&waiting), texts: Vec::new(), stdout };
        std::thread::Builder::new().name("screen".to_owned()).spawn(move || {
            match painter {
                Some(painter) => writer.write_and_paint(painter),
                None => writer.write(),
            }
            drop(ended);
        })?;
        Ok(Screen { messages, waiting, thread, stuck: AtomicBool::new(false) })
    }

    /// A way to the thread.
    pub fn outlet(&self, stream: Stream) -> Outlet {
        Outlet { stream, messages: self.messages.clone(), waiting: Arc::clone(&self.waiting) }
    }

    /// Waits until everything is written that was sent before, but not for a terminal that takes nothing.
    pub fn settle(&self) {
        let (written, everything) = mpsc::channel();
        let _ = self.messages.send(Message::Written(written));
        self.wait_for(&everything);
    }

    /// Waits until the other end is dropped.
    fn wait_for(&self, dropped: &Receiver<()>) {
        let taken = || self.waiting.taken.load(Ordering::Relaxed);
        // A thread that is stuck ends with the process.
        while !self.stuck.load(Ordering::Relaxed) {
            let before = taken();
            match dropped.recv_timeout(PATIENCE) {
                Err(RecvTimeoutError::Timeout) => {
                    let stuck = taken() == before && !self.waiting.unhurried.load(Ordering::Relaxed);
                    self.stuck.store(stuck, Ordering::Relaxed);
                }
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A thread that is gone has nothing left to write.
        let _ = self.messages.send(Message::End);
        self.wait_for(&self.thread);
    }
}

impl Outlet {
    /// Leaves a text to be written; never waits.
    pub fn send(&self, text: String) {
        if self.stream == Stream::Stderr {
            if self.waiting.log.load(Ordering::Relaxed).saturating_add(text.len()) > LOG_WAITING {
                self.waiting.left_out.fetch_add(1, Ordering::Relaxed);
                return;
            }
            self.waiting.log.fetch_add(text.len(), Ordering::Relaxed);
        }
        // Without the thread there is nobody left to read it.
        let _ = self.messages.send(Message::Text(self.stream, text));
    }
}

/// For log lines, each of which is written whole.
impl Write for Outlet {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.send(String::from_utf8_lossy(text).into_owned());
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What may be written next to a terminal that somebody else writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// Texts.
    Text,
    /// The live lines.
    Lines,
}

/// The thread's own part.
struct Writer {
    inbox: Receiver<Message>,
    waiting: Arc<Waiting>,
    texts: Vec<(Stream, String)>,
    stdout: Device,
}

impl Writer {
    fn write(mut self) {
        loop {
            match self.inbox.recv() {
                Ok(Message::Text(stream, text)) => {
                    self.texts.push((stream, text));
                    self.write_texts();
                }
                Ok(Message::Written(written)) => drop(written),
                Ok(Message::End) | Err(_) => return,
            }
        }
    }

    fn write_and_paint(mut self, mut painter: Painter) {
        let mut next = Instant::now() + FRAME;
        let mut awaited = Vec::new();
        let mut turn = Turn::Text;
        loop {
            match self.inbox.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(Message::Text(stream, text)) => self.texts.push((stream, text)),
                Ok(Message::Written(written)) => awaited.push(written),
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    turn = match self.stdout {
                        Device::Pipe => self.write_or_paint(&mut painter, turn),
                        Device::Terminal | Device::Other => self.write_above(&mut painter),
                    };
                    if self.texts.is_empty() {
                        awaited.clear();
                    }
                    next = Instant::now() + FRAME;
                }
            }
        }
        painter.clear();
        self.write_texts();
    }

    fn write_above(&mut self, painter: &mut Painter) -> Turn {
        let texts = !self.texts.is_empty();
        painter.paint(Instant::now(), texts.then_some(|| self.write_texts()));
        Turn::Text
    }

    /// What a reader of stdout writes to the terminal has a moment without live lines to do so.
    fn write_or_paint(&mut self, painter: &mut Painter, turn: Turn) -> Turn {
        if turn == Turn::Text && !self.texts.is_empty() {
            painter.clear();
            self.write_texts();
            return Turn::Lines;
        }
        painter.paint(Instant::now(), None::<fn()>);
        Turn::Text
    }

    /// Writes what has come so far. A stream that is closed loses the text, not the match.
    fn write_texts(&mut self) {
        for (stream, text) in std::mem::take(&mut self.texts) {
            match stream {
                Stream::Stdout => {
                    let unhurried = self.stdout != Device::Terminal;
                    self.waiting.unhurried.store(unhurried, Ordering::Relaxed);
                    self.write_pieces(&mut io::stdout().lock(), &harmless(&text, Lines::Kept));
                    self.waiting.unhurried.store(false, Ordering::Relaxed);
                }
                Stream::Stderr => {
                    self.waiting.log.fetch_sub(text.len(), Ordering::Relaxed);
                    self.write_pieces(&mut io::stderr(), &text);
                }
            }
        }
        let left_out = self.waiting.left_out.swap(0, Ordering::Relaxed);
        if left_out > 0 {
            let words =
                format!("{left_out} lines of the log were left out: they came faster than they were taken\n");
            self.write_pieces(&mut io::stderr(), &words);
        }
    }

    fn write_pieces(&self, stream: &mut dyn Write, text: &str) {
        for piece in text.as_bytes().chunks(PIECE) {
            if stream.write_all(piece).and_then(|()| stream.flush()).is_err() {
                return;
            }
            self.waiting.taken.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_nobody_takes_is_cut_short_and_results_are_not() {
        let (messages, inbox) = mpsc::channel();
        let waiting = Arc::new(Waiting::default());
        let outlet = |stream| Outlet { stream, messages: messages.clone(), waiting: Arc::clone(&waiting) };
        let (log, results) = (outlet(Stream::Stderr), outlet(Stream::Stdout));
        for _ in 0..LOG_WAITING / 1000 + 10 {
            log.send("l".repeat(1000));
            results.send("r".repeat(1000));
        }
        let sent: Vec<Message> = inbox.try_iter().collect();
        let number = |wanted| {
            sent.iter()
                .filter(|message| matches!(message, Message::Text(stream, _) if *stream == wanted))
                .count()
        };
        assert_eq!(number(Stream::Stderr), LOG_WAITING / 1000);
        assert_eq!(number(Stream::Stdout), LOG_WAITING / 1000 + 10);
        assert_eq!(waiting.left_out.load(Ordering::Relaxed), 10);
    }
}

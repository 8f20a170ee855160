//! The pipes to one engine: lines in, stamped when they are read; commands out, never blocking.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWrite};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::coop::has_budget_remaining;

use super::alarm::Alarm;
use super::fault::{Closed, Fault};
use super::line_buffer::LineBuffer;
use super::process::EngineProcess;
use crate::platform::footing;

/// What came from the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line, held by [`Link::line`].
    Line,
    /// Nothing until the deadline.
    Nothing,
}

/// Lines in, commands out. One deadline at a time.
#[derive(Debug)]
pub struct Link {
    process: EngineProcess,
    stdin: ChildStdin,
    stdout: ChildStdout,
    lines: LineBuffer,
    outgoing: Vec<u8>,
    read_at: Instant,
    /// When the pipe had taken all that was sent since [`Link::mark`].
    written_at: Option<Instant>,
    /// The first read since then.
    first_read_at: Option<Instant>,
    exited: Option<Closed>,
    closed: Option<Closed>,
    /// So many waits are asleep from the beginning.
    asleep_for: u32,
    alarm: Alarm,
}

/// How long the exit status of a process whose pipes are closed is waited for.
const EXIT_STATUS_PATIENCE: Duration = Duration::from_millis(200);

/// Whoever has the processor for so long keeps it: another program that never rests, or the engine that thinks. The
/// system's time slices are longer, and what this program does beside is shorter.
const KEPT: Duration = Duration::from_millis(2);
/// How many lines are waited for asleep after that.
const WAITS_ASLEEP: u32 = 1000;

impl Link {
    /// Joins a process and its pipes.
    pub fn new(process: EngineProcess, stdin: ChildStdin, stdout: ChildStdout) -> Link {
        Link {
            process,
            stdin,
            stdout,
            lines: LineBuffer::default(),
            outgoing: Vec::new(),
            read_at: Instant::now(),
            written_at: None,
            first_read_at: None,
            exited: None,
            closed: None,
            asleep_for: 0,
            alarm: Alarm::new(),
        }
    }

    /// The process behind the pipes.
    pub fn process(&self) -> &EngineProcess {
        &self.process
    }

    /// Gives up the pipes; stdin closes, which ends most engines.
    pub fn into_process(self) -> EngineProcess {
        self.process
    }

    /// The line received last, without white space around it.
    pub fn line(&self) -> &[u8] {
        self.lines.line()
    }

    /// When the read returned that completed the line received last.
    pub fn read_at(&self) -> Instant {
        self.read_at
    }

    /// From now on the first complete write and the first read are looked for.
    pub fn mark(&mut self) {
        self.written_at = None;
        self.first_read_at = None;
    }

    /// When the pipe had taken all that was sent first after the mark.
    pub fn written_at(&self) -> Option<Instant> {
        self.written_at
    }

    /// When the first read after the mark returned.
    pub fn first_read_at(&self) -> Option<Instant> {
        self.first_read_at
    }

    /// Writes commands, as far as the pipe takes them now; the rest follows while lines are awaited.
    pub async fn send(&mut self, commands: &[u8]) {
        self.outgoing.extend_from_slice(commands);
        poll_fn(|context| {
            self.poll_flush(context);
            Poll::Ready(())
        })
        .await;
    }

    /// As [`Link::receive`], but awake at first: what comes within this time is read without the delay of waking up.
    /// Whoever else wants the processor has it meanwhile: an engine that answers at once on the same one is waited for
    /// without being put to sleep and woken. Where somebody comes in who keeps it, the next waits are asleep.
    ///
    /// # Errors
    /// As [`Link::receive`].
    pub async fn receive_awake(&mut self, awake: Duration, deadline: Instant) -> Result<Received, Fault> {
        if self.asleep_for > 0 {
            self.asleep_for -= 1;
            return self.receive(deadline).await;
        }
        let mut now = Instant::now();
        let until = deadline.min(now + awake);
        loop {
            if let Some(received) = self.receive_waiting().await? {
                return Ok(received);
            }
            if now >= until {
                return self.receive_late(now, deadline).await;
            }
            let offered = now;
            std::thread::yield_now();
            tokio::task::yield_now().await;
            now = Instant::now();
            if now - offered > KEPT {
                self.asleep_for = WAITS_ASLEEP;
                footing::leave();
            }
        }
    }

    /// What does not come at once for once comes soon; an engine that thinks is waited for wherever the system likes.
    async fn receive_late(&mut self, now: Instant, deadline: Instant) -> Result<Received, Fault> {
        if footing::is_kept() && self.receive(deadline.min(now + KEPT)).await? == Received::Line {
            return Ok(Received::Line);
        }
        footing::leave();
        self.receive(deadline).await
    }

    /// The next line, or nothing when the deadline passes first.
    ///
    /// A line that is complete in the pipe is received even from a process that has ended since.
    ///
    /// # Errors
    /// [`Fault::Disconnected`] and [`Fault::LineTooLong`].
    pub async fn receive(&mut self, deadline: Instant) -> Result<Received, Fault> {
        poll_fn(|context| self.poll_receive(deadline, context)).await
    }

    /// The next line, however long it takes. Dropping the future loses nothing.
    ///
    /// # Errors
    /// As [`Link::receive`].
    pub async fn receive_next(&mut self) -> Result<Received, Fault> {
        poll_fn(|context| self.poll_line(context)).await
    }

    /// Takes what the engine has printed already, without waiting: `None` once the pipe is empty.
    ///
    /// # Errors
    /// As [`Link::receive`].
    pub async fn receive_waiting(&mut self) -> Result<Option<Received>, Fault> {
        poll_fn(|context| match self.poll_line(context) {
            Poll::Ready(received) => Poll::Ready(received.map(Some)),
            Poll::Pending => Poll::Ready(Ok(None)),
        })
        .await
    }

    /// The exit status, if the process ends within a moment; else how the link was closed.
    pub async fn closing_words(&mut self, closed: Closed) -> Closed {
        if matches!(closed, Closed::Exited(_)) {
            return closed;
        }
        self.process.exit_within(EXIT_STATUS_PATIENCE).await.map_or(closed, Closed::Exited)
    }

    fn poll_receive(
        &mut self,
        deadline: Instant,
        context: &mut Context<'_>,
    ) -> Poll<Result<Received, Fault>> {
        match self.poll_line(context) {
            Poll::Ready(received) => Poll::Ready(received),
            Poll::Pending => self.alarm.poll(deadline, context).map(|()| Ok(Received::Nothing)),
        }
    }

    fn poll_line(&mut self, context: &mut Context<'_>) -> Poll<Result<Received, Fault>> {
        loop {
            let complete = self.lines.next_line();
            if self.lines.overlong() {
                return Poll::Ready(Err(Fault::LineTooLong));
            }
            if complete {
                return Poll::Ready(Ok(Received::Line));
            }
            if let Some(closed) = self.closed {
                return Poll::Ready(Err(Fault::Disconnected(closed)));
            }
            self.poll_flush(context);
            match self.poll_read(context) {
                Poll::Ready(Ok(0)) => self.closed = self.exited.or(Some(Closed::StdoutClosed)),
                Poll::Ready(Ok(_)) => {
                    self.read_at = Instant::now();
                    self.first_read_at.get_or_insert(self.read_at);
                }
                Poll::Ready(Err(_)) => self.closed = Some(Closed::StdoutClosed),
                // The runtime asks for a pause; the pipe may well hold more.
                Poll::Pending if !has_budget_remaining() => return Poll::Pending,
                Poll::Pending if self.exited.is_some() => self.closed = self.exited,
                // What an ended process has printed is in the pipe by now: it is read once more before the link
                // counts as closed, since a child of the engine may hold the pipe open.
                Poll::Pending => match self.process.poll_exit(context) {
                    Poll::Ready(Ok(status)) => self.exited = Some(Closed::Exited(status)),
                    Poll::Ready(Err(_)) => self.exited = Some(Closed::StdoutClosed),
                    Poll::Pending => return Poll::Pending,
                },
            }
        }
    }

    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<std::io::Result<usize>> {
        let read = std::pin::pin!(self.stdout.read_buf(self.lines.spare()));
        read.poll(context)
    }

    fn poll_flush(&mut self, context: &mut Context<'_>) {
        while !self.outgoing.is_empty() {
            match Pin::new(&mut self.stdin).poll_write(context, &self.outgoing) {
                Poll::Ready(Ok(written)) => {
                    self.outgoing.drain(..written);
                    if self.outgoing.is_empty() {
                        self.written_at.get_or_insert_with(Instant::now);
                    }
                }
                Poll::Ready(Err(error)) => {
                    tracing::debug!("an engine's stdin can't be written to: {error}");
                    self.outgoing.clear();
                    self.exited = self.exited.or(Some(Closed::StdinClosed));
                }
                Poll::Pending => return,
            }
        }
    }
}

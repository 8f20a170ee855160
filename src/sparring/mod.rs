//! The sparring engine: a small, honest UCI engine, so that a match runs where no engine is installed.
//!
//! One thread reads and parses lines and stamps them with the time; the other, which called [`run`], searches
//! and writes. A search looks into the inbox now and then, so `stop`, `isready` and `quit` are heard while it
//! runs; whatever else arrives meanwhile waits for its end.
//!
//! Equal commands give equal moves as long as no clock is involved: limits by depth or nodes, and any seed.

pub mod evaluation;
pub mod game_line;
pub mod move_ordering;
pub mod options;
pub mod search;
pub mod time_use;
pub mod transposition;
pub mod tree;
pub mod uci_face;

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::Instant;

use shakmaty::CastlingMode;

use game_line::{GameLine, PositionFault};
use options::{Change, MOST_SEED, Options};
use search::{MOST_DEPTH, Progress, SearchHost, Searcher, Signal, Task};
use time_use::SearchLimits;
use uci_face::Command;

/// The engine as the command line starts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SparringSettings {
    /// Never search deeper than this, from 1 to 64. With 1 it answers at once.
    pub depth: Option<u32>,
    /// Zero always plays the same; other seeds vary a little among moves of nearly equal worth.
    pub seed: u64,
}

/// Runs the engine on standard input and output until `quit` or the end of the input.
///
/// # Errors
///
/// If the settings are out of range, or the output can't be written.
pub fn run(settings: SparringSettings) -> io::Result<()> {
    serve(settings, io::stdin(), io::stdout().lock())
}

/// Runs the engine on any pair of streams.
///
/// # Errors
///
/// As for [`run`].
pub fn serve<R, W>(settings: SparringSettings, input: R, output: W) -> io::Result<()>
where
    R: Read + Send + 'static,
    W: Write,
{
    if settings.depth.is_some_and(|depth| !(1..=MOST_DEPTH).contains(&depth)) {
        return Err(invalid_input(format!("the depth must be from 1 to {MOST_DEPTH}")));
    }
    if settings.seed > MOST_SEED {
        return Err(invalid_input(format!("the seed must be at most {MOST_SEED}")));
    }
    let console = Console {
        inbox: spawn_reader(input)?,
        waiting: VecDeque::new(),
        output,
        failure: None,
        quitting: false,
        castling_mode: CastlingMode::Standard,
    };
    let options = Options::new(settings.depth, settings.seed);
    let engine = Engine { console, searcher: Searcher::new(options.hash), game: GameLine::new(), options };
    engine.run()
}

fn invalid_input(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

/// A command and when its line was read.
struct Received {
    at: Instant,
    command: Command,
}

/// Reads until `quit` or the end of the input, which counts as `quit`.
fn spawn_reader(input: impl Read + Send + 'static) -> io::Result<Receiver<Received>> {
    let (sender, inbox) = mpsc::channel();
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut input = BufReader::new(input);
        let mut line = Vec::new();
        loop {
            line.clear();
            let end_of_input = !matches!(input.read_until(b'\n', &mut line), Ok(1..));
            let at = Instant::now();
            let command =
                if end_of_input { Command::Quit } else { Command::parse(&String::from_utf8_lossy(&line)) };
            let last = command == Command::Quit;
            if sender.send(Received { at, command }).is_err() || last {
                return;
            }
        }
    })?;
    Ok(inbox)
}

/// Both ends of the conversation.
struct Console<W> {
    inbox: Receiver<Received>,
    /// Commands that arrived during a search and are none of its business.
    waiting: VecDeque<Received>,
    output: W,
    /// The first line that couldn't be written; the engine ends with it.
    failure: Option<io::Error>,
    quitting: bool,
    castling_mode: CastlingMode,
}

impl<W: Write> Console<W> {
    fn write_line(&mut self, line: &str) {
        if self.failure.is_none()
            && let Err(error) = self.try_write_line(line)
        {
            self.failure = Some(error);
            self.quitting = true;
        }
    }

    fn try_write_line(&mut self, line: &str) -> io::Result<()> {
        let mut whole = Vec::with_capacity(line.len() + 1);
        whole.extend_from_slice(line.as_bytes());
        whole.push(b'\n');
        self.output.write_all(&whole)?;
        self.output.flush()
    }

    /// The next command, those that waited first.
    fn next(&mut self) -> Received {
        self.waiting
            .pop_front()
            .or_else(|| self.inbox.recv().ok())
            .unwrap_or_else(|| Received { at: Instant::now(), command: Command::Quit })
    }

    /// What a command means to a search in progress.
    fn sort_out(&mut self, received: Received) -> Signal {
        match received.command {
            Command::Stop => Signal::Stop,
            Command::PonderHit => Signal::PonderHit(received.at),
            Command::IsReady => {
                self.write_line("readyok");
                Signal::Nothing
            }
            Command::Quit => {
                self.quitting = true;
                Signal::Stop
            }
            _ => {
                self.waiting.push_back(received);
                Signal::Nothing
            }
        }
    }
}

impl<W: Write> SearchHost for Console<W> {
    fn poll(&mut self) -> Signal {
        while !self.quitting {
            let signal = match self.inbox.try_recv() {
                Ok(received) => self.sort_out(received),
                Err(TryRecvError::Empty) => return Signal::Nothing,
                Err(TryRecvError::Disconnected) => return Signal::Stop,
            };
            if signal != Signal::Nothing {
                return signal;
            }
        }
        Signal::Stop
    }

    fn wait(&mut self) -> Signal {
        match self.inbox.recv() {
            Ok(received) if !self.quitting => self.sort_out(received),
            _ => Signal::Stop,
        }
    }

    fn report(&mut self, progress: &Progress<'_>) {
        let line = uci_face::info_line(progress, self.castling_mode);
        self.write_line(&line);
    }
}

struct Engine<W> {
    console: Console<W>,
    searcher: Searcher,
    game: GameLine,
    options: Options,
}

impl<W: Write> Engine<W> {
    fn run(mut self) -> io::Result<()> {
        while !self.console.quitting {
            let received = self.console.next();
            self.obey(received);
        }
        self.console.failure.map_or(Ok(()), Err)
    }

    fn obey(&mut self, Received { at, command }: Received) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.console.write_line("readyok"),
            Command::NewGame => self.searcher.clear(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position { base, moves } => {
                let outcome = self.game.set(base, &moves);
                self.tell_fault(outcome);
            }
            Command::Go(limits) => self.go(at, &limits),
            Command::PonderHit | Command::Stop | Command::WithoutEffect => {}
            Command::Quit => self.console.quitting = true,
            Command::Unknown(line) => self.tell(&format!("unknown command {line}")),
        }
    }

    fn introduce(&mut self) {
        self.console.write_line(concat!("id name Arbiter Sparring ", env!("CARGO_PKG_VERSION")));
        self.console.write_line("id author the Arbiter developers");
        for line in self.options.declarations() {
            self.console.write_line(&line);
        }
        self.console.write_line("uciok");
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(name, value) {
            Ok(Change::None) => {}
            Ok(Change::ResizeTable) => self.searcher.resize_table(self.options.hash),
            Ok(Change::ClearTable) => self.searcher.clear(),
            Ok(Change::CastlingMode) => {
                let outcome = self.game.set_chess960(self.options.chess960);
                self.console.castling_mode = self.game.castling_mode();
                self.tell_fault(outcome);
            }
            Err(reason) => self.tell(&reason),
        }
    }

    fn go(&mut self, started: Instant, limits: &SearchLimits) {
        let is_legal = |&written| game_line::find_legal_move(self.game.position(), written).is_some();
        if !limits.search_moves.is_empty() && !limits.search_moves.iter().any(is_legal) {
            self.tell("no legal move among searchmoves, considering all");
        }
        let task = Task {
            limits,
            started,
            time_policy: self.options.time_policy(),
            max_depth: self.options.max_depth,
            seed: self.options.seed,
        };
        let choice = self.searcher.search(&self.game, task, &mut self.console);
        let line = uci_face::best_move_line(choice, self.console.castling_mode);
        self.console.write_line(&line);
    }

    fn tell(&mut self, text: &str) {
        self.console.write_line(&format!("info string {text}"));
    }

    fn tell_fault(&mut self, outcome: Result<(), PositionFault>) {
        if let Err(fault) = outcome {
            self.tell(&fault.to_string());
        }
    }
}

#[cfg(test)]
#[path = "dialogue_tests.rs"]
mod tests;

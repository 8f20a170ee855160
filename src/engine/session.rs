//! One engine from its handshake to its end: which question is open, and whose answer a line is.

mod introduction;
mod last_lines;
mod options;
pub mod pondering;

use std::time::{Duration, Instant};

use tracing::warn;
use vampirc_uci::UciMessage;

use super::command::plain;
use super::dialogue::Dialogue;
use super::dialogue_tail::Extent;
use super::fault::{Closed, Fault, StartFailure};
use super::guard::Guard;
use super::launch;
use super::link::{Link, Received};
use super::message::{self, OutOfTurn, excerpt, starts_with_word};
use super::misbehaviour::Misbehaviour;
use super::open_search::OpenSearch;
use super::option::DeclaredOption;
use super::process::{EngineProcess, Program};
use super::search_report::{BestMoveWords, SearchReport};
use super::search_watch::{SearchTimes, SearchWatch};
use super::standard_error::FLOOD;
use crate::platform::footing;

/// How an engine is started and what it is told before its first game.
#[derive(Clone, Debug)]
pub struct EngineSetup {
    /// What every record calls it.
    pub name: String,
    /// What is started.
    pub program: Program,
    /// UCI options by name, in the order in which they are sent.
    pub options: Vec<(String, String)>,
    /// It will be asked to think on its opponent's time.
    pub ponder: bool,
    /// How long it may take.
    pub timeouts: Timeouts,
    /// What keeps it from outliving this program.
    pub guard: Guard,
}

/// How long an engine may take where no chess clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// From the start of the process to `uciok`.
    pub start: Duration,
    /// For `readyok` after the options and in between, and for `bestmove` after the `stop` of a ponder miss.
    pub ready: Duration,
    /// For `readyok` after `ucinewgame`.
    pub new_game: Duration,
    /// From `quit` to the end of the process, and from `stop` to `bestmove` once a game is over.
    pub quit: Duration,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A complete `bestmove` line; its words are in [`Engine::best_move`].
    BestMove {
        /// When the read returned that completed it.
        read_at: Instant,
    },
    /// None until the deadline.
    TimeUp {
        /// When that was found: later than the deadline by as much as the referee itself was late.
        noticed_at: Instant,
    },
}

/// A running engine.
#[derive(Debug)]
pub struct Engine {
    name: String,
    pub(super) timeouts: Timeouts,
    link: Link,
    dialogue: Dialogue,
    /// What it calls itself.
    pub id_name: Option<String>,
    /// Whom it names as its author.
    pub id_author: Option<String>,
    /// The options that it declared.
    pub declared: Vec<DeclaredOption>,
    /// What it told of its search.
    pub report: SearchReport,
    /// The words of its last `bestmove`.
    pub best_move: BestMoveWords,
    /// What it was last told, by an option, of an offer of its opponent's; that outlives the game.
    pub told_of_offer: bool,
    watch: SearchWatch,
    search: OpenSearch,
    /// It has answered without being asked: each search is preceded by a round trip from now on.
    unruly: bool,
    misbehaviour: Vec<Misbehaviour>,
    /// What it said last that is no answer and no report of a search (an `info string` is none), since the last
    /// `readyok` or `go`.
    last_line: String,
    stderr_flood_told: bool,
    /// Bytes of its stderr before the game.
    stderr_before: u64,
    /// It has made a move: what it prints before its first one is no more than a banner.
    has_moved: bool,
}

/// How long the last words of an engine that has ended are waited for.
const LAST_WORDS_PATIENCE: Duration = Duration::from_millis(200);
/// Lines that are taken from an engine before a search without a round trip.
const DRAIN_LIMIT: usize = 1000;

/// How long a line of a search is waited for awake: putting the referee to sleep and waking it takes about as long.
const AWAKE: Duration = Duration::from_micros(100);

impl Engine {
    /// Starts the process and takes it through `uci`, its options and `isready`.
    ///
    /// # Errors
    /// Any [`Fault`], with the engine's last words; the process is gone then.
    pub async fn start(setup: &EngineSetup) -> Result<Engine, StartFailure> {
        let mut engine = Engine::handshake(setup).await?;
        let fault = match engine.option_commands(&setup.options) {
            Ok(mut commands) => {
                commands.extend(engine.ponder_command(setup.ponder).unwrap_or_default());
                engine.link_send(&commands).await;
                match engine.wait_ready(setup.timeouts.ready).await {
                    Ok(()) => return Ok(engine),
                    Err(fault) => fault,
                }
            }
            Err(faults) => {
                let fault = Fault::OptionsRefused(faults);
                let last_lines = engine.last_lines(Instant::now(), Extent::Whole);
                engine.quit().await;
                return Err(StartFailure { words: fault.to_string(), fault, last_lines });
            }
        };
        Err(engine.give_up(fault).await)
    }

    /// Starts the process and reads what it says between `uci` and `uciok`; no option is set yet.
    ///
    /// # Errors
    /// [`Fault::NotStarted`], [`Fault::Stalled`], [`Fault::Disconnected`], [`Fault::LineTooLong`].
    pub async fn handshake(setup: &EngineSetup) -> Result<Engine, StartFailure> {
        let (process, stdin, stdout) = EngineProcess::start(&setup.name, &setup.program, &setup.guard)
            .map_err(|error| {
                let fault = Fault::NotStarted(launch::refusal_words(&setup.program, &error));
                StartFailure { words: fault.to_string(), fault, last_lines: Vec::new() }
            })?;
        let mut engine = Engine {
            name: setup.name.clone(),
            timeouts: setup.timeouts,
            dialogue: Dialogue::new(&setup.name, process.id()),
            link: Link::new(process, stdin, stdout),
            id_name: None,
            id_author: None,
            declared: Vec::new(),
            report: SearchReport::default(),
            best_move: BestMoveWords::default(),
            told_of_offer: false,
            watch: SearchWatch::new(),
            search: OpenSearch::None,
            unruly: false,
            misbehaviour: Vec::new(),
            last_line: String::new(),
            stderr_flood_told: false,
            stderr_before: 0,
            has_moved: false,
        };
        match engine.introduce(&setup.program).await {
            Ok(()) => Ok(engine),
            Err(fault) => Err(engine.give_up(fault).await),
        }
    }

    /// Ends an engine that can't be used, by a fault between its start and a game.
    pub async fn give_up(mut self, fault: Fault) -> StartFailure {
        let words = self.fault_words(&fault).await;
        let last_lines = self.last_lines(Instant::now(), Extent::Whole);
        self.kill().await;
        StartFailure { fault, words, last_lines }
    }

    /// Kills what can't be used, and waits until it is gone.
    pub async fn kill(self) {
        self.link.into_process().end(Duration::ZERO).await;
    }

    /// Prepares for the game with this number: afterwards nothing of the last one is left in the pipe.
    ///
    /// # Errors
    /// [`Fault::Stalled`] without `readyok`, [`Fault::Disconnected`], [`Fault::LineTooLong`].
    pub async fn new_game(&mut self, number: u32) -> Result<(), Fault> {
        debug_assert!(self.search == OpenSearch::None, "a search of the last game is still open");
        self.drain().await?;
        self.dialogue.begin_game(number);
        self.stderr_before = self.link.process().stderr.total();
        self.link_send(&plain(&UciMessage::UciNewGame)).await;
        self.wait_ready(self.timeouts.new_game).await
    }

    /// Sends `position` and `go`, or `go` alone after [`Engine::get_ready`], and returns the stamp taken right before
    /// they are written.
    ///
    /// # Errors
    /// The engine is gone already, or doesn't answer `isready` after it had spoken out of turn.
    pub async fn start_search(&mut self, commands: &[u8]) -> Result<Instant, Fault> {
        if let OpenSearch::Broken(fault) = &self.search {
            return Err(fault.clone());
        }
        self.drain().await?;
        if self.unruly {
            self.wait_ready(self.timeouts.ready).await?;
            // What came with the `readyok` is no answer either.
            self.drain().await?;
        }
        Ok(self.send_search(commands, OpenSearch::Asked).await)
    }

    /// Opens a search and returns the stamp taken right before its commands are written.
    async fn send_search(&mut self, commands: &[u8], search: OpenSearch) -> Instant {
        self.last_line.clear();
        self.report.clear();
        self.search = search;
        self.dialogue.sent(commands);
        let sent_at = self.begin_stamps();
        self.link.send(commands).await;
        sent_at
    }

    /// The stamp taken right before an engine is told to search; what it prints from now on is stamped from there.
    fn begin_stamps(&mut self) -> Instant {
        self.link.mark();
        let sent_at = Instant::now();
        self.watch.start(sent_at);
        sent_at
    }

    /// Reads until `bestmove` or the deadline; what the engine prints on meanwhile does not move the deadline.
    ///
    /// # Errors
    /// [`Fault::Disconnected`], [`Fault::LineTooLong`].
    pub async fn await_best_move(&mut self, deadline: Instant) -> Result<Answer, Fault> {
        self.watch.limit(deadline);
        let answer = self.read_to_best_move(deadline).await;
        if let Ok(Answer::BestMove { read_at: at } | Answer::TimeUp { noticed_at: at }) = answer {
            self.watch.end(at, self.link.process().id());
        }
        answer
    }

    async fn read_to_best_move(&mut self, deadline: Instant) -> Result<Answer, Fault> {
        loop {
            let alarm = self.watch.next_alarm(deadline);
            let silent = self.receive_awake(alarm).await? == Received::Nothing;
            let read_at = if silent { Instant::now() } else { self.link.read_at() };
            self.watch.look_if_due(read_at, self.link.process().id());
            if silent && read_at < deadline {
                continue;
            }
            if silent {
                return Ok(Answer::TimeUp { noticed_at: read_at });
            }
            if self.read_best_move() {
                footing::keep();
                return Ok(Answer::BestMove { read_at });
            }
            if read_at >= deadline {
                return Ok(Answer::TimeUp { noticed_at: Instant::now() });
            }
            self.read_search_line();
        }
    }

    /// The stamps of the last search.
    pub fn search_times(&self) -> SearchTimes {
        SearchTimes {
            written: self.link.written_at().map(|at| self.watch.offset(at)),
            first_byte: self.link.first_read_at().map(|at| self.watch.offset(at)),
            engine: self.report.time_ms.map(Duration::from_millis),
            waited: self.watch.waited().map(Box::new),
        }
    }

    /// Whether the last search had its `bestmove`.
    pub fn has_answered(&self) -> bool {
        !self.search.is_open()
    }

    /// Asks the engine to end, waits, and kills what is left of it. Returns what it did wrong on the way.
    pub async fn quit(mut self) -> Vec<Misbehaviour> {
        self.note_stderr_flood();
        self.link_send(&plain(&UciMessage::Quit)).await;
        let deadline = Instant::now() + self.timeouts.quit;
        // Its output is read to the end, or an engine that prints on its way out would be stopped by a full pipe.
        while Instant::now() < deadline && matches!(self.receive(deadline).await, Ok(Received::Line)) {}
        let patience = deadline.saturating_duration_since(Instant::now());
        let ending = self.link.into_process().end(patience.max(Duration::from_millis(20))).await;
        // One that printed on until its pipe was closed did not heed `quit` either, if it had time to.
        let printed_on = patience.is_zero() && !self.timeouts.quit.is_zero();
        if !ending.by_itself || printed_on {
            self.misbehaviour.push(Misbehaviour::IgnoresQuit);
        }
        if ending.left_children {
            self.misbehaviour.push(Misbehaviour::LeavesChildren);
        }
        self.misbehaviour
    }

    /// What it did wrong since this was last asked, each kind once.
    pub fn take_misbehaviour(&mut self) -> Vec<Misbehaviour> {
        self.note_stderr_flood();
        std::mem::take(&mut self.misbehaviour)
    }

    /// Records misbehaviour that only the referee can see.
    pub fn note(&mut self, misbehaviour: Misbehaviour) {
        if !self.misbehaviour.contains(&misbehaviour) {
            warn!("{} {}", self.name, misbehaviour.words());
            self.misbehaviour.push(misbehaviour);
        }
    }

    /// A fault in words, with the exit status where the process has ended, and its last words.
    pub async fn fault_words(&mut self, fault: &Fault) -> String {
        let text = match fault {
            Fault::Disconnected(closed) => {
                let closed: Closed = self.link.closing_words(*closed).await;
                self.link.process().stderr.closed_within(LAST_WORDS_PATIENCE).await;
                Fault::Disconnected(closed).to_string()
            }
            other => other.to_string(),
        };
        text + &self.last_words()
    }

    /// What it said last, to be added to the report of a fault; empty if it was nothing.
    pub fn last_words(&self) -> String {
        let mut text = String::new();
        if !self.last_line.is_empty() {
            text.push_str(&format!("; its last line was `{}`", self.last_line));
        }
        let stderr = self.link.process().stderr.tail();
        if !stderr.is_empty() {
            text.push_str(&format!("; on stderr: {stderr}"));
        }
        text
    }

    fn note_stderr_flood(&mut self) {
        if !self.stderr_flood_told && self.link.process().stderr.total() > FLOOD {
            self.stderr_flood_told = true;
            self.note(Misbehaviour::FloodsStderr);
        }
    }

    pub(super) async fn wait_ready(&mut self, limit: Duration) -> Result<(), Fault> {
        self.link_send(&plain(&UciMessage::IsReady)).await;
        let deadline = Instant::now() + limit;
        loop {
            self.receive_or_stall(deadline, "readyok", limit).await?;
            let line = self.link.line();
            if starts_with_word(line, b"readyok") {
                self.last_line.clear();
                return Ok(());
            }
            if !line.is_empty() {
                self.last_line = excerpt(line);
            }
            self.note_out_of_turn();
        }
    }

    /// Takes what was printed since the last answer, so that it can't be taken for the next one.
    pub(super) async fn drain(&mut self) -> Result<(), Fault> {
        for _ in 0..DRAIN_LIMIT {
            let Some(_) = self.receive_waiting().await? else { return Ok(()) };
            self.unruly |= starts_with_word(self.link.line(), b"bestmove");
            if !self.note_out_of_turn() && self.has_moved && !self.link.line().is_empty() {
                self.note(Misbehaviour::PrintsAfterBestMove);
            }
        }
        self.unruly = true;
        Ok(())
    }

    async fn receive_or_stall(
        &mut self,
        deadline: Instant,
        awaited: &'static str,
        limit: Duration,
    ) -> Result<(), Fault> {
        let nothing = self.receive(deadline).await? == Received::Nothing;
        if nothing || self.link.read_at() >= deadline {
            return Err(Fault::Stalled { awaited, limit });
        }
        Ok(())
    }

    async fn receive(&mut self, deadline: Instant) -> Result<Received, Fault> {
        let received = self.link.receive(deadline).await?;
        if received == Received::Line {
            self.heard();
        }
        Ok(received)
    }

    async fn receive_awake(&mut self, deadline: Instant) -> Result<Received, Fault> {
        let received = self.link.receive_awake(AWAKE, deadline).await?;
        if received == Received::Line {
            self.heard();
        }
        Ok(received)
    }

    async fn receive_waiting(&mut self) -> Result<Option<Received>, Fault> {
        let received = self.link.receive_waiting().await?;
        if received.is_some() {
            self.heard();
        }
        Ok(received)
    }

    pub(super) async fn link_send(&mut self, commands: &[u8]) {
        self.dialogue.sent(commands);
        self.link.send(commands).await;
    }

    fn heard(&mut self) {
        self.dialogue.heard(self.link.line(), self.link.read_at());
    }

    /// Takes the words of a `bestmove` line; false if it is another.
    fn read_best_move(&mut self) -> bool {
        let Some(best_move) = message::best_move(self.link.line()) else { return false };
        self.best_move.token.clear();
        self.best_move.token.extend_from_slice(best_move.token.unwrap_or_default());
        self.best_move.ponder.clear();
        self.best_move.ponder.extend_from_slice(best_move.ponder.unwrap_or_default());
        self.search.best_move();
        self.has_moved = true;
        true
    }

    /// Records an answer to a question that is not open; false if the line is none.
    fn note_out_of_turn(&mut self) -> bool {
        match message::out_of_turn(self.link.line()) {
            Some(OutOfTurn::BestMove) => self.note(Misbehaviour::UnaskedBestMove),
            Some(OutOfTurn::Ready) => self.note(Misbehaviour::UnaskedReady),
            None => return false,
        }
        true
    }

    fn read_search_line(&mut self) {
        let line = self.link.line();
        if !self.report.read(line) && !line.is_empty() {
            let uci = starts_with_word(line, b"info") || message::is_notice(line);
            self.last_line = excerpt(line);
            if !self.note_out_of_turn() && !uci {
                self.note(Misbehaviour::Nonsense);
            }
        }
    }
}

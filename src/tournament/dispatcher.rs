//! Brings whatever happens in a run, and whatever is asked of it, to its [`Progress`], and has its workers carry out what
//! that decides.

mod workers;

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use self::workers::Workers;
use super::crash_budget::CrashBudgets;
use super::earlier::EarlierGames;
use super::game_slot::SlotSupply;
use super::progress::{Input, Progress};
use super::schedule::Schedule;
use super::scoreboard::Scoreboard;
use super::status::Status;
use super::timekeeping::Timekeeping;
use super::withdrawal::Withdrawal;
use super::worker::{Report, WorkerContext};
use crate::engine::fault::OptionFault;
use crate::openings::{Opening, OpeningsSpec};
use crate::statistics::sprt::SprtSettings;

/// A request from outside to end a run before all its games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// No new game; the running ones are played to their ends, however long that takes.
    Finish,
    /// No new game; the running ones have the grace period to end.
    FinishSoon,
    /// At once.
    Now,
}

/// A request from outside to a run.
#[derive(Debug)]
pub enum Request {
    /// It is to end.
    Interrupt(Interrupt),
    /// No new game, the running ones are played to their ends; how it stands then.
    Finish(oneshot::Sender<Status>),
    /// So many games at once from now on.
    Concurrency(NonZeroU32, oneshot::Sender<Resized>),
    /// How it stands.
    Status(oneshot::Sender<Status>),
}

/// What came of the request for another number of games at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resized {
    /// It is seen to.
    Accepted {
        /// How the run stands now.
        status: Box<Status>,
        /// What is surely not meant, in words.
        warning: Option<String>,
    },
    /// Nothing changes.
    Refused(String),
}

/// What has to be seen to before so many games are played at once: what is surely not meant, in words, or why it can't
/// be.
pub type MakeRoom = Box<dyn Fn(u32) -> Result<Option<String>, String>>;

/// Gives each opening of the schedule.
pub trait OpeningSupply {
    /// The opening of this index, from 0.
    ///
    /// # Errors
    /// The book can't be read, in words.
    fn opening(&mut self, index: u64) -> Result<Opening, String>;

    /// Where they come from, for the records; `None`: from nothing that could be named.
    fn spec(&self) -> Option<&OpeningsSpec> {
        None
    }
}

/// What is played.
pub struct RunPlan {
    /// PGN `Event`.
    pub event: String,
    /// Which games.
    pub schedule: Schedule,
    /// Their openings.
    pub openings: Box<dyn OpeningSupply>,
    /// What decides the match before all its games are played; only of two engines.
    pub sprt: Option<SprtSettings>,
    /// What an earlier run of this schedule has played.
    pub earlier: Option<Arc<dyn EarlierGames>>,
    /// How many games are played at once at first.
    pub concurrency: usize,
    /// Where they are played.
    pub slots: SlotSupply,
    /// Asked before there are more of them.
    pub make_room: MakeRoom,
    /// How long running games may go on after [`Interrupt::FinishSoon`].
    pub interrupt_grace: Duration,
}

/// How a run came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Every game has its verdict.
    Finished,
    /// The sequential test is decided: what was not played counts for nothing.
    Decided,
    /// Somebody stopped it.
    Interrupted,
    /// The match file asks of an engine what it doesn't offer.
    Misconfigured {
        /// The engine's place in the match file.
        engine: usize,
        /// What.
        faults: Vec<OptionFault>,
    },
    /// It could not be played or not be finished.
    Failed(String),
}

/// What a run brought.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// How it ended.
    pub end: RunEnd,
    /// The results.
    pub scoreboard: Scoreboard,
    /// How the engines kept their time.
    pub timekeeping: Timekeeping,
    /// What has become of the schedule.
    pub schedule: Schedule,
    /// Engines that did not play all their games.
    pub withdrawn: Vec<Withdrawal>,
}

impl RunEnd {
    /// Which of two ends of one run is told: the graver one, else the earlier one.
    pub(super) fn gravity(&self) -> u8 {
        match self {
            RunEnd::Finished => 0,
            RunEnd::Decided | RunEnd::Interrupted => 1,
            RunEnd::Misconfigured { .. } | RunEnd::Failed(_) => 2,
        }
    }
}

/// Plays the games of a plan.
pub async fn run(
    plan: RunPlan,
    context: WorkerContext,
    mut requests: mpsc::UnboundedReceiver<Request>,
) -> RunResult {
    let names: Vec<String> = context.entrants.iter().map(|entrant| entrant.rules.name.clone()).collect();
    let budgets = CrashBudgets::new(&context.entrants);
    let sink = Arc::clone(&context.sink);
    let (concurrency, slots, earlier) = (plan.concurrency, plan.slots.clone(), plan.earlier.clone());
    let mut progress = Progress::new(plan, names, budgets, sink, concurrency);
    if let Some(earlier) = earlier {
        if let Err(words) = progress.take_up_all(&*earlier) {
            progress.give_up(words);
        }
        if progress.is_settled() {
            return progress.conclude();
        }
    }
    let (workers, failure) = Workers::start(concurrency, slots, context);
    progress.keep_workers(workers.number());
    let mut run = Run { progress, workers };
    if let Some(failure) = failure {
        run.take(Input::NoThread(failure));
    }
    while !run.progress.is_over() {
        let drop_at = run.progress.drop_at();
        tokio::select! {
            biased;
            Some(request) = requests.recv() => run.answer(request),
            // The dispatcher holds a sender: the reports never end by themselves.
            Some((worker, report)) = run.workers.reports.recv() => run.take(Input::Report(worker, report)),
            () = sleep_until(drop_at), if drop_at.is_some() => run.take(Input::Tick),
        };
    }
    run.workers.join();
    run.progress.conclude()
}

/// A run under way: what is decided, and who carries it out.
struct Run {
    progress: Progress,
    workers: Workers,
}

impl Run {
    /// Takes in what happened, and has done what follows from it.
    fn take(&mut self, input: Input) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            if let Input::Report(worker, Report::Ended { .. }) = &input {
                self.workers.ended(*worker);
            }
            for order in self.progress.handle(input, std::time::Instant::now()) {
                inputs.extend(self.workers.carry_out(order).err());
            }
        }
    }

    fn answer(&mut self, request: Request) {
        // Whoever asked may have gone meanwhile.
        match request {
            Request::Interrupt(interrupt) => self.take(Input::Interrupt(interrupt)),
            Request::Finish(reply) => {
                self.take(Input::Interrupt(Interrupt::Finish));
                drop(reply.send(self.status()));
            }
            Request::Status(reply) => drop(reply.send(self.status())),
            Request::Concurrency(games, reply) => drop(reply.send(self.resize(games))),
        }
    }

    fn status(&self) -> Status {
        self.progress.status(|worker| self.workers.ply(worker))
    }

    fn resize(&mut self, games: NonZeroU32) -> Resized {
        if !self.progress.can_resize() {
            return Resized::Refused("the run is coming to its end: no new game begins".to_owned());
        }
        let warning = match self.progress.make_room(games) {
            Ok(warning) => warning,
            Err(refusal) => return Resized::Refused(refusal),
        };
        self.take(Input::Concurrency(games.get() as usize));
        Resized::Accepted { status: Box::new(self.status()), warning }
    }
}

async fn sleep_until(instant: Option<std::time::Instant>) {
    tokio::time::sleep_until(instant.map_or_else(Instant::now, Instant::from_std)).await;
}

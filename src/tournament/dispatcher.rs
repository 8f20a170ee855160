//! Starts the workers of a run, brings whatever happens to its [`Progress`], and carries out what that decides.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::Instant;

use super::crash_budget::CrashBudgets;
use super::earlier::EarlierGames;
use super::game_slot::GameSlot;
use super::progress::{Input, Order, Progress};
use super::schedule::Schedule;
use super::scoreboard::Scoreboard;
use super::timekeeping::Timekeeping;
use super::withdrawal::Withdrawal;
use super::worker::{self, Dropping, Links, Report, WorkerContext, WorkerHandle, WorkerId};
use crate::engine::fault::OptionFault;
use crate::openings::{Opening, OpeningsSpec};
use crate::statistics::sprt::SprtSettings;

/// A request from outside to end a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// No new game; the running ones have the grace period to end.
    Finish,
    /// At once.
    Now,
}

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
    /// Where games are played, as many as at once.
    pub slots: Vec<GameSlot>,
    /// How long running games may go on after [`Interrupt::Finish`].
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
    mut interrupts: mpsc::UnboundedReceiver<Interrupt>,
) -> RunResult {
    let names: Vec<String> = context.entrants.iter().map(|entrant| entrant.rules.name.clone()).collect();
    let sink = Arc::clone(&context.sink);
    let (slots, earlier) = (plan.slots.clone(), plan.earlier.clone());
    let mut progress = Progress::new(plan, names, CrashBudgets::new(&context.entrants), sink, slots.len());
    if let Some(earlier) = earlier {
        if let Err(words) = progress.take_up_all(&*earlier) {
            progress.give_up(words);
        }
        if progress.is_settled() {
            return progress.conclude();
        }
    }
    let (mut workers, failure) = Workers::start(&slots, &context);
    progress.keep_workers(workers.handles.len());
    let mut input = failure.map(Input::NoThread);
    loop {
        if let Some(input) = input.take() {
            for order in progress.handle(input, std::time::Instant::now()) {
                workers.carry_out(order);
            }
        }
        if progress.is_over() {
            break;
        }
        let drop_at = progress.drop_at();
        input = tokio::select! {
            biased;
            Some(interrupt) = interrupts.recv() => Some(Input::Interrupt(interrupt)),
            // The dispatcher holds a sender: the reports never end by themselves.
            Some((worker, report)) = workers.reports.recv() => Some(Input::Report(worker, report)),
            () = sleep_until(drop_at), if drop_at.is_some() => Some(Input::Tick),
        };
    }
    workers.join();
    progress.conclude()
}

/// The ends of the workers' channels.
struct Workers {
    handles: Vec<WorkerHandle>,
    reports: mpsc::UnboundedReceiver<(WorkerId, Report)>,
    dropping: watch::Sender<Dropping>,
    links: Links,
}

impl Workers {
    /// As many workers as the system has threads for, and what it said to the first one too many.
    fn start(slots: &[GameSlot], context: &WorkerContext) -> (Workers, Option<String>) {
        let (reporter, reports) = mpsc::unbounded_channel();
        let (dropping, asked) = watch::channel(Dropping::Nothing);
        let at_once = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let starting = Arc::new(Semaphore::new(at_once));
        let links = Links { reporter, dropping: asked, starting, workers: slots.len() };
        let mut workers = Workers { handles: Vec::new(), reports, dropping, links };
        for (id, slot) in slots.iter().enumerate() {
            match worker::start(WorkerId(id), slot.clone(), context.clone(), workers.links.clone()) {
                Ok(handle) => workers.handles.push(handle),
                Err(error) => return (workers, Some(error.to_string())),
            }
        }
        (workers, None)
    }

    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Play(WorkerId(id), assignment) => {
                if let Some(worker) = self.handles.get(id) {
                    // A worker that has ended meanwhile has said so.
                    let _ = worker.assignments.as_ref().map(|games| games.send(assignment));
                }
            }
            Order::Drop(what) => {
                self.dropping.send_modify(|asked| *asked = what.max(*asked));
            }
            Order::Dismiss => self.handles.iter_mut().for_each(|worker| worker.assignments = None),
        }
    }

    /// Every thread has said that it ends.
    fn join(self) {
        for worker in self.handles {
            // A panic has been reported.
            let _ = worker.thread.join();
        }
    }
}

async fn sleep_until(instant: Option<std::time::Instant>) {
    tokio::time::sleep_until(instant.map_or_else(Instant::now, Instant::from_std)).await;
}

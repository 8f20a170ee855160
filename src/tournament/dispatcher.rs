//! Hands out games, takes results in, and decides when a run is over. The only place that knows how far a run is.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::crash_budget::CrashBudgets;
use super::event::{Event, Sink};
use super::schedule::{MatchSchedule, ScheduledGame};
use super::standings::Standings;
use super::worker::{self, Assignment, Report, WorkerContext, WorkerHandle};
use crate::engine::fault::{Fault, OptionFault};
use crate::openings::Opening;

/// A request from outside to end a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// No new game; the running one has the grace period to end.
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
}

/// What is played.
pub struct RunPlan {
    /// PGN `Event`.
    pub event: String,
    /// Which games.
    pub schedule: MatchSchedule,
    /// Their openings.
    pub openings: Box<dyn OpeningSupply>,
    /// How long a running game may go on after [`Interrupt::Finish`].
    pub interrupt_grace: Duration,
}

/// How a run came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Every game has its verdict.
    Finished,
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
    pub standings: Standings,
    /// Games with a verdict.
    pub finished: u32,
}

struct Dispatcher {
    plan: RunPlan,
    sink: Arc<dyn Sink>,
    names: Vec<String>,
    crash_budgets: CrashBudgets,
    standings: Standings,
    next: u32,
    finished: u32,
    started: bool,
    running: Option<ScheduledGame>,
    /// Set once no new game may begin.
    ending: Option<RunEnd>,
    /// When the running game is dropped.
    drop_at: Option<Instant>,
}

/// Plays the games of a plan one after the other.
pub async fn run(
    plan: RunPlan,
    context: WorkerContext,
    mut interrupts: mpsc::UnboundedReceiver<Interrupt>,
) -> RunResult {
    let names: Vec<String> = context.entrants.iter().map(|entrant| entrant.rules.name.clone()).collect();
    let mut dispatcher = Dispatcher {
        standings: Standings::new(names.iter().cloned()),
        sink: Arc::clone(&context.sink),
        plan,
        names,
        crash_budgets: CrashBudgets::new(&context.entrants),
        next: 0,
        finished: 0,
        started: false,
        running: None,
        ending: None,
        drop_at: None,
    };
    let mut worker = match worker::start(context) {
        Ok(worker) => worker,
        Err(error) => return dispatcher.result(RunEnd::Failed(format!("no thread for the games: {error}"))),
    };
    let end = dispatcher.serve(&mut worker, &mut interrupts).await;
    dispatcher.leave(worker, &mut interrupts).await;
    if !dispatcher.started {
        return dispatcher.result(end);
    }
    let ended = Event::MatchEnded { finished: dispatcher.finished, games: dispatcher.plan.schedule.len() };
    match dispatcher.sink.receive(&ended) {
        Ok(()) => dispatcher.result(end),
        Err(failure) => dispatcher.result(RunEnd::Failed(failure)),
    }
}

impl Dispatcher {
    fn result(self, end: RunEnd) -> RunResult {
        RunResult { end, standings: self.standings, finished: self.finished }
    }

    async fn serve(
        &mut self,
        worker: &mut WorkerHandle,
        interrupts: &mut mpsc::UnboundedReceiver<Interrupt>,
    ) -> RunEnd {
        loop {
            let drop_at = self.drop_at;
            let report = tokio::select! {
                biased;
                Some(interrupt) = interrupts.recv() => {
                    self.interrupt(interrupt);
                    None
                }
                report = worker.reports.recv() => match report {
                    Some(report) => Some(report),
                    // Asked to drop everything, it ends without a word of the game that had not begun.
                    None => return self.ending.take().unwrap_or_else(game_thread_gone),
                },
                () = sleep_until(drop_at), if drop_at.is_some() => {
                    self.drop_at = None;
                    worker.drop_game.send_replace(true);
                    None
                }
            };
            if let Some(report) = report
                && let Err(end) = self.take(report, worker)
            {
                return end;
            }
            if self.running.is_none()
                && let Some(end) = self.ending.take()
            {
                return end;
            }
        }
    }

    fn interrupt(&mut self, interrupt: Interrupt) {
        let grace = match interrupt {
            Interrupt::Finish if self.running.is_some() => self.plan.interrupt_grace,
            Interrupt::Finish | Interrupt::Now => Duration::ZERO,
        };
        self.drop_at = Some(Instant::now() + grace);
        self.ending = Some(RunEnd::Interrupted);
    }

    /// Takes a worker's report; an error is the end of the run.
    fn take(&mut self, report: Report, worker: &WorkerHandle) -> Result<(), RunEnd> {
        match report {
            Report::Ready => {
                let games = self.plan.schedule.len();
                let started = Event::MatchStarted { name: &self.plan.event, engines: &self.names, games };
                self.started = true;
                self.sink.receive(&started).map_err(RunEnd::Failed)?;
                self.hand_out(worker)
            }
            Report::NotStarted { engine, fault, words } => Err(match fault {
                Fault::OptionsRefused(faults) => RunEnd::Misconfigured { engine, faults },
                _ => RunEnd::Failed(format!("{}: {words}; no game was played", self.names[engine])),
            }),
            Report::Played(record) => {
                self.running = None;
                // A game that could not be recorded is not counted.
                self.sink.receive(&Event::GameEnded(&record)).map_err(RunEnd::Failed)?;
                self.standings.add(&record);
                self.crash_budgets.charge(&record);
                self.finished += 1;
                self.hand_out(worker)
            }
            Report::Dropped(game) => {
                self.running = None;
                let annulled = Event::GameAnnulled { game, reason: "interrupted" };
                self.sink.receive(&annulled).map_err(RunEnd::Failed)
            }
            Report::EngineGone { game, engine } => Err(RunEnd::Failed(format!(
                "{} is gone and may not be started anew (`restart: never`): game {game} and those after it are not played",
                self.names[engine]
            ))),
            Report::RecordFailed(failure) => Err(RunEnd::Failed(failure)),
        }
    }

    fn hand_out(&mut self, worker: &WorkerHandle) -> Result<(), RunEnd> {
        if self.ending.is_some() {
            return Ok(());
        }
        let Some(game) = self.plan.schedule.game(self.next) else {
            self.ending = Some(RunEnd::Finished);
            return Ok(());
        };
        if let Some(overdrawn) = self.crash_budgets.overdrawn(game.engines) {
            return Err(RunEnd::Failed(format!(
                "{overdrawn}: game {} and those after it are not played",
                game.id
            )));
        }
        let opening = self.plan.openings.opening(game.opening).map_err(RunEnd::Failed)?;
        self.next += 1;
        self.running = Some(game);
        let sent = worker.assignments.send(Assignment { game, opening });
        sent.map_err(|_| game_thread_gone())
    }

    /// Lets the worker end its engines; a further interrupt, or the end of the grace period, kills them.
    async fn leave(&self, worker: WorkerHandle, interrupts: &mut mpsc::UnboundedReceiver<Interrupt>) {
        let drop_game = worker.drop_game.clone();
        let mut drop_at = self.drop_at;
        let mut ended = std::pin::pin!(worker.ended());
        loop {
            tokio::select! {
                biased;
                () = &mut ended => return,
                Some(_) = interrupts.recv() => {
                    drop_game.send_replace(true);
                }
                () = sleep_until(drop_at), if drop_at.is_some() => {
                    drop_at = None;
                    drop_game.send_replace(true);
                }
            }
        }
    }
}

fn game_thread_gone() -> RunEnd {
    RunEnd::Failed("the game thread ended by a fault of this program".to_owned())
}

async fn sleep_until(instant: Option<Instant>) {
    tokio::time::sleep_until(instant.unwrap_or_else(Instant::now)).await;
}

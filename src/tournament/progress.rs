//! How far a run is, and what follows from whatever happens to it: a synchronous handler, which knows no threads, no
//! channels and no runtime.

mod decision;
mod overview;
mod resizing;
mod resumption;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::crash_budget::CrashBudgets;
use super::dispatcher::{Interrupt, RunEnd, RunPlan, RunResult};
use super::event::{Event, Sink};
use super::finished_game::FinishedGame;
use super::schedule::{ScheduledGame, Upcoming};
use super::scoreboard::Scoreboard;
use super::timekeeping::Timekeeping;
use super::withdrawal::{self, Withdrawals};
use super::worker::{Assignment, Dropping, Report, WorkerId};
use crate::engine::fault::Fault;
use crate::game::annulment::Annulment;
use crate::game::game_id::GameId;
use crate::game::record::GameRecord;

/// Something that happens to a run.
#[derive(Debug)]
pub enum Input {
    /// A worker says something.
    Report(WorkerId, Report),
    /// The system has no thread for a worker that the run begins with, in words.
    NoThread(String),
    /// It has none, or nothing else that is needed, for a worker that was to join, in words.
    NotJoined(WorkerId, String),
    /// Somebody wants the run to end.
    Interrupt(Interrupt),
    /// Somebody wants so many games at once.
    Concurrency(usize),
    /// The time of [`Progress::drop_at`] has come.
    Tick,
}

/// What the workers are to be told.
#[derive(Debug, PartialEq, Eq)]
pub enum Order {
    /// This one plays a game.
    Play(WorkerId, Assignment),
    /// This one is started, beside those that are there.
    Start(WorkerId),
    /// This one, which has no game, ends its engines and itself.
    Retire(WorkerId),
    /// All of them drop what they do.
    Drop(Dropping),
    /// All of them end their engines and themselves: there are no games any more.
    Dismiss,
}

/// What a worker is at, as far as its reports tell.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Slot {
    /// It starts its engines; the first game waits for it.
    Starting,
    /// It starts its engines while others play.
    Joining,
    /// It waits for a game.
    Free,
    /// It plays this game, or prepares its engines for it.
    Playing(Assignment),
    /// Its game is over; it sees to its engines.
    ClearingUp,
    /// It plays no more.
    Leaving,
    /// Its thread has ended.
    Gone,
}

/// How long engines may take to end after an interrupt, once no game is running.
const FAREWELL: Duration = Duration::from_secs(2);

/// How far a run is.
pub struct Progress {
    plan: RunPlan,
    sink: Arc<dyn Sink>,
    names: Vec<String>,
    scoreboard: Scoreboard,
    timekeeping: Timekeeping,
    crash_budgets: CrashBudgets,
    slots: Vec<Slot>,
    /// How many games at once are wanted.
    concurrency: usize,
    /// Why there are fewer than were asked for last.
    held_back: Option<String>,
    /// Games to be played again, by their numbers.
    again: BTreeMap<u32, Assignment>,
    /// How often games were annulled by an earlier run, by their numbers.
    replays: BTreeMap<u32, u32>,
    withdrawals: Withdrawals,
    /// The start of the match has been told.
    begun: bool,
    /// A worker has ended by a fault of this program.
    worker_lost: bool,
    /// Set once no new game may begin.
    ending: Option<RunEnd>,
    drop_at: Option<Instant>,
    dismissed: bool,
    orders: Vec<Order>,
}

impl Progress {
    /// Nothing played yet; each of these workers is starting its engines.
    pub fn new(
        plan: RunPlan,
        names: Vec<String>,
        crash_budgets: CrashBudgets,
        sink: Arc<dyn Sink>,
        workers: usize,
    ) -> Progress {
        Progress {
            scoreboard: Scoreboard::new(names.iter().cloned(), plan.schedule.pairs(), plan.sprt),
            timekeeping: Timekeeping::new(names.iter().cloned()),
            crash_budgets,
            plan,
            sink,
            names,
            slots: vec![Slot::Starting; workers],
            concurrency: workers,
            held_back: None,
            again: BTreeMap::new(),
            replays: BTreeMap::new(),
            withdrawals: Withdrawals::default(),
            begun: false,
            worker_lost: false,
            ending: None,
            drop_at: None,
            dismissed: false,
            orders: Vec::new(),
        }
    }

    /// When [`Input::Tick`] is wanted.
    pub fn drop_at(&self) -> Option<Instant> {
        self.drop_at
    }

    /// Every worker's thread has ended.
    pub fn is_over(&self) -> bool {
        self.slots.iter().all(|slot| *slot == Slot::Gone)
    }

    /// Tells the end of the match, and says how it came to it.
    pub fn conclude(mut self) -> RunResult {
        if self.begun {
            let ended = Event::MatchEnded {
                scoreboard: &self.scoreboard,
                games: self.plan.schedule.games(),
                timekeeping: &self.timekeeping,
            };
            if let Err(failure) = self.sink.receive(&ended) {
                self.end(RunEnd::Failed(failure));
            }
        }
        let end = self.ending.unwrap_or_else(|| RunEnd::Failed("no game was played".to_owned()));
        let withdrawn = self.withdrawals.told(&self.plan.schedule, &self.names);
        let Progress { scoreboard, timekeeping, plan, .. } = self;
        RunResult { end, scoreboard, timekeeping, schedule: plan.schedule, withdrawn }
    }

    /// Takes in what happened; the answer is what the workers are to be told now, in this order.
    #[must_use]
    pub fn handle(&mut self, input: Input, now: Instant) -> Vec<Order> {
        match input {
            Input::Report(worker, report) => self.take(worker, report),
            Input::NoThread(error) => self.fail_at_once(format!("no thread for the games: {error}")),
            Input::NotJoined(worker, words) => {
                if let Some(slot) = self.slots.get_mut(worker.0) {
                    *slot = Slot::Gone;
                }
                self.not_joined(words);
            }
            Input::Interrupt(interrupt) => self.interrupt(interrupt, now),
            Input::Concurrency(games) => self.resize(games),
            Input::Tick => self.drop_everything(),
        }
        self.hand_out();
        self.dismiss(now);
        std::mem::take(&mut self.orders)
    }

    fn take(&mut self, worker: WorkerId, report: Report) {
        let Some(slot) = self.slots.get_mut(worker.0) else { return };
        match report {
            // Sent home before it knew of that.
            Report::Ready | Report::NotStarted { .. } if *slot == Slot::Leaving => {}
            Report::Ready => {
                *slot = Slot::Free;
                self.begin();
            }
            Report::NotStarted { engine, fault, words } => match std::mem::replace(slot, Slot::Leaving) {
                Slot::Joining => self.engine_not_joined(engine, &words),
                _ => self.not_started(engine, fault, &words),
            },
            Report::Played(record) => {
                if let Slot::Playing(assignment) = std::mem::replace(slot, Slot::ClearingUp) {
                    self.score(&record, &assignment.game);
                }
            }
            Report::Annulled { game, annulment } => {
                if let Slot::Playing(mut assignment) = std::mem::replace(slot, Slot::ClearingUp) {
                    assignment.replays += 1;
                    self.play_again(assignment);
                }
                self.timekeeping.add_annulled(annulment.cause);
                self.tell_annulled(game, annulment.cause.name(), Some(&annulment));
            }
            Report::Dropped { game, begun } => {
                *slot = Slot::Leaving;
                if begun {
                    let reason = self.reason_to_drop();
                    self.tell_annulled(game, reason, None);
                }
            }
            Report::EngineGone { engine, .. } => {
                let last = std::mem::replace(slot, Slot::ClearingUp);
                self.withdraw(engine, withdrawal::Cause::Gone);
                if let Slot::Playing(assignment) = last {
                    self.plan.schedule.cancel(&assignment.game, engine);
                }
            }
            Report::RecordFailed(failure) => {
                if matches!(slot, Slot::Playing(_)) {
                    *slot = Slot::ClearingUp;
                }
                self.fail_at_once(failure);
            }
            Report::Free => *slot = Slot::Free,
            Report::Ended { panicked } => {
                let last = std::mem::replace(slot, Slot::Gone);
                self.worker_ended(last, panicked);
            }
        }
    }

    /// Tells the start of the match once every worker is ready that it began with.
    fn begin(&mut self) {
        if self.begun || self.ending.is_some() || self.slots.contains(&Slot::Starting) {
            return;
        }
        self.begun = true;
        let started = Event::MatchStarted {
            name: &self.plan.event,
            engines: &self.names,
            games: self.plan.schedule.games(),
            scoreboard: &self.scoreboard,
            openings: self.plan.openings.spec(),
        };
        if let Err(failure) = self.sink.receive(&started) {
            self.fail_at_once(failure);
        }
    }

    fn not_started(&mut self, engine: usize, fault: Fault, words: &str) {
        self.end(match fault {
            Fault::OptionsRefused(faults) => RunEnd::Misconfigured { engine, faults },
            _ => RunEnd::Failed(format!("{}: {words}; no game was played", self.names[engine])),
        });
        self.orders.push(Order::Drop(Dropping::Unstarted));
    }

    /// The game stands in the records already.
    fn score(&mut self, record: &GameRecord, game: &ScheduledGame) {
        if let Err(failure) = self.count(&FinishedGame::of(record, game.engines)) {
            return self.fail_at_once(failure);
        }
        self.timekeeping.add(record);
        if let Err(failure) = self.sink.receive(&Event::Scored { game: record, scoreboard: &self.scoreboard })
        {
            self.fail_at_once(failure);
        }
        if let Some((engine, overdrawn)) = self.crash_budgets.charge(record) {
            self.withdraw(engine, withdrawal::Cause::CrashBudget(overdrawn));
        }
    }

    /// From now on this engine plays no more; games that it is playing on other workers go on.
    fn withdraw(&mut self, engine: usize, cause: withdrawal::Cause) {
        if self.withdrawals.of(engine) {
            return;
        }
        let fault = Event::EngineFault { engine: &self.names[engine], fault: cause.fault() };
        let told = self.sink.receive(&fault);
        self.withdrawals.add(engine, cause);
        self.plan.schedule.withdraw(engine);
        for assignment in std::mem::take(&mut self.again).into_values() {
            self.play_again(assignment);
        }
        if let Err(failure) = told {
            self.fail_at_once(failure);
        }
    }

    /// The game is to be played again, unless an engine of it plays no more.
    fn play_again(&mut self, assignment: Assignment) {
        match assignment.game.engines.into_iter().find(|engine| self.withdrawals.of(*engine)) {
            Some(engine) => self.plan.schedule.cancel(&assignment.game, engine),
            None => drop(self.again.insert(assignment.game.id.number, assignment)),
        }
    }

    fn tell_annulled(&mut self, game: GameId, reason: &str, annulment: Option<&Annulment>) {
        if let Err(failure) = self.sink.receive(&Event::GameAnnulled { game, reason, annulment }) {
            self.fail_at_once(failure);
        }
    }

    /// One worker that ends by a fault of ours may be an accident, and others play its game; two are a reason to stop.
    fn worker_ended(&mut self, last: Slot, panicked: bool) {
        let sent_home = last == Slot::Leaving && !panicked;
        if let Slot::Playing(assignment) = last {
            let game = assignment.game.id;
            tracing::error!("a fault of this program ended the thread of game {game}");
            self.play_again(assignment);
            self.tell_annulled(game, "internal_error", None);
        } else if panicked {
            tracing::error!("a fault of this program ended the thread of a game");
        }
        // Asked to, it ends by itself.
        if self.ending.is_some() || sent_home {
            return;
        }
        let nobody_left = self.slots.iter().all(|slot| matches!(slot, Slot::Leaving | Slot::Gone));
        if self.worker_lost || !self.begun || nobody_left {
            self.end(RunEnd::Failed("the games' threads ended by a fault of this program".to_owned()));
        }
        self.worker_lost = true;
    }

    fn interrupt(&mut self, interrupt: Interrupt, now: Instant) {
        // How the run ended is settled then; only the engines' ends are cut short.
        let settled = self.dismissed || self.ending == Some(RunEnd::Decided);
        if !settled {
            self.end(RunEnd::Interrupted);
        }
        match interrupt {
            Interrupt::Finish if settled => {}
            Interrupt::Finish => self.orders.push(Order::Drop(Dropping::Unstarted)),
            Interrupt::FinishSoon if !settled => {
                self.drop_at = Some(now + self.plan.interrupt_grace);
                self.orders.push(Order::Drop(Dropping::Unstarted));
            }
            Interrupt::FinishSoon | Interrupt::Now => self.drop_everything(),
        }
    }

    fn drop_everything(&mut self) {
        self.drop_at = None;
        self.orders.push(Order::Drop(Dropping::Everything));
    }

    /// Without its records a run has no point.
    fn fail_at_once(&mut self, words: String) {
        self.end(RunEnd::Failed(words));
        self.drop_everything();
    }

    /// No new game from now on. A graver reason replaces a lesser one.
    fn end(&mut self, end: RunEnd) {
        if self.ending.as_ref().is_none_or(|earlier| earlier.gravity() < end.gravity()) {
            self.ending = Some(end);
        }
    }

    /// Gives every free worker a game, as long as there are any.
    fn hand_out(&mut self) {
        if self.begun && self.ending.is_none() {
            self.retire();
        }
        for worker in 0..self.slots.len() {
            if !self.begun || self.ending.is_some() {
                return;
            }
            if self.slots[worker] == Slot::Free
                && let Some(assignment) = self.next_assignment()
            {
                self.slots[worker] = Slot::Playing(assignment.clone());
                self.orders.push(Order::Play(WorkerId(worker), assignment));
            }
        }
        if self.begun && self.again.is_empty() && !self.is_playing() {
            self.end_if_over();
        }
    }

    fn end_if_over(&mut self) {
        match self.plan.schedule.upcoming() {
            Upcoming::Over => {
                let unplayed = self.withdrawals.told(&self.plan.schedule, &self.names);
                self.end(
                    withdrawal::failure(&unplayed, self.names.len()).map_or(RunEnd::Finished, RunEnd::Failed),
                );
            }
            Upcoming::Later if self.slots.iter().all(|slot| matches!(slot, Slot::Free | Slot::Gone)) => {
                self.end(RunEnd::Failed(
                    "a fault of this program: a round waits for games that nobody plays".to_owned(),
                ));
            }
            Upcoming::Later | Upcoming::Game(_) => {}
        }
    }

    /// A game to be played again goes before the next one of the schedule.
    fn next_assignment(&mut self) -> Option<Assignment> {
        if let Some((_, assignment)) = self.again.pop_first() {
            return Some(assignment);
        }
        let Upcoming::Game(game) = self.plan.schedule.upcoming() else { return None };
        match self.plan.openings.opening(game.opening) {
            Ok(opening) => {
                self.plan.schedule.hand_out(&game);
                let replays = self.replays.remove(&game.id.number).unwrap_or(0);
                Some(Assignment { game, opening: Arc::new(opening), replays })
            }
            Err(words) => {
                self.end(RunEnd::Failed(words));
                None
            }
        }
    }

    fn is_playing(&self) -> bool {
        self.slots.iter().any(|slot| matches!(slot, Slot::Playing(_)))
    }

    /// Sends the workers home once the run is to end and no game is left that may go on.
    fn dismiss(&mut self, now: Instant) {
        let Some(end) = &self.ending else { return };
        if self.dismissed || self.is_playing() || self.slots.contains(&Slot::Starting) {
            return;
        }
        self.dismissed = true;
        if *end == RunEnd::Interrupted {
            self.drop_at = self.drop_at.map(|drop_at| drop_at.min(now + FAREWELL));
            // Nothing was left to be interrupted.
            if self.begun && self.plan.schedule.games() == Some(self.scoreboard.finished()) {
                self.ending = Some(RunEnd::Finished);
            }
        }
        self.orders.push(Order::Dismiss);
    }
}

#[cfg(test)]
#[path = "progress_tests.rs"]
pub(super) mod tests;

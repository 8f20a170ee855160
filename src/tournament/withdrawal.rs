//! Engines that play no more before the run is over, and what of the schedule is not played therefore.

use super::crash_budget::Overdrawn;
use super::schedule::{Schedule, Unplayed};

/// Why an engine plays no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is gone, and its restart policy is `never`.
    Gone,
    /// It has crashed or stalled once too often.
    CrashBudget(Overdrawn),
}

impl Cause {
    /// What the records say of the engine.
    pub(super) fn fault(&self) -> &'static str {
        match self {
            Cause::Gone => "plays no more: it is gone, and may not be started anew (`restart: never`)",
            Cause::CrashBudget(_) => "plays no more: its `crash_budget` is spent",
        }
    }

    fn words(&self, name: &str) -> String {
        match self {
            Cause::Gone => format!("{name} is gone and may not be started anew (`restart: never`)"),
            Cause::CrashBudget(overdrawn) => overdrawn.to_string(),
        }
    }
}

/// An engine that did not play all its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// Its place in the match file.
    pub engine: usize,
    /// Its name, and why.
    pub words: String,
    /// What it did not play.
    pub unplayed: Unplayed,
}

/// The engines that have withdrawn so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Withdrawals(Vec<(usize, Cause)>);

impl Withdrawals {
    /// Whether this engine has.
    pub fn of(&self, engine: usize) -> bool {
        self.0.iter().any(|(earlier, _)| *earlier == engine)
    }

    pub fn add(&mut self, engine: usize, cause: Cause) {
        self.0.push((engine, cause));
    }

    /// Those that have left games unplayed.
    pub fn told(&self, schedule: &Schedule, names: &[String]) -> Vec<Withdrawal> {
        let told = self.0.iter().map(|(engine, cause)| Withdrawal {
            engine: *engine,
            words: cause.words(&names[*engine]),
            unplayed: schedule.unplayed(*engine),
        });
        told.filter(|withdrawal| withdrawal.unplayed.games > 0).collect()
    }
}

/// Why a run with these withdrawals, by so many engines, is not finished; `None` without any.
pub(super) fn failure(withdrawn: &[Withdrawal], engines: usize) -> Option<String> {
    let words: Vec<String> = withdrawn.iter().map(|withdrawal| withdrawal.sentence(engines)).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

impl Withdrawal {
    /// What is told of it, where so many engines take part.
    pub fn sentence(&self, engines: usize) -> String {
        let Withdrawal { words, unplayed: Unplayed { games, first }, .. } = self;
        match first {
            Some(first) if engines <= 2 => format!("{words}: game {first} and those after it are not played"),
            _ if *games == 1 => format!("{words}: 1 of its games is not played"),
            _ => format!("{words}: {games} of its games are not played"),
        }
    }
}

//! How often each engine may crash or stall before its further games are not played.

use super::entrant::Entrant;
use crate::game::record::GameRecord;
use crate::law::verdict::Reason;

/// The budgets of all engines, and what each has used.
#[derive(Clone, Debug)]
pub struct CrashBudgets(Vec<Budget>);

#[derive(Clone, Debug)]
struct Budget {
    engine: String,
    allowed: Option<u32>,
    used: u32,
}

/// An engine that has crashed or stalled more often than it may.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{engine} has crashed or stalled in {used} games, and `crash_budget` allows {allowed}")]
pub struct Overdrawn {
    /// Its name.
    pub engine: String,
    /// In how many games.
    pub used: u32,
    /// How many were allowed.
    pub allowed: u32,
}

impl CrashBudgets {
    /// Of these engines, with nothing used.
    pub fn new(entrants: &[Entrant]) -> CrashBudgets {
        CrashBudgets(
            entrants.iter().map(|entrant| Budget::new(&entrant.rules.name, entrant.crash_budget)).collect(),
        )
    }

    /// Takes a finished game in: one that ended by a fault of an engine's process is charged to it, lost or drawn.
    /// Returns the engine's place if it may not play on.
    pub fn charge(&mut self, record: &GameRecord) -> Option<(usize, Overdrawn)> {
        let fault = matches!(record.verdict.reason(), Reason::Disconnect | Reason::Stall);
        let name = record.names.get(record.verdict.by().filter(|_| fault)?);
        let (place, budget) = self.0.iter_mut().enumerate().find(|(_, budget)| budget.engine == *name)?;
        budget.used += 1;
        Some((place, budget.overdrawn()?))
    }
}

impl Budget {
    fn new(engine: &str, allowed: Option<u32>) -> Budget {
        Budget { engine: engine.to_owned(), allowed, used: 0 }
    }

    fn overdrawn(&self) -> Option<Overdrawn> {
        let allowed = self.allowed.filter(|allowed| self.used > *allowed)?;
        Some(Overdrawn { engine: self.engine.clone(), used: self.used, allowed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_overdrawn_by_one_more_than_it_allows() {
        for (allowed, used, overdrawn) in [
            (None, 1_000_000, false),
            (Some(0), 0, false),
            (Some(0), 1, true),
            (Some(3), 3, false),
            (Some(3), 4, true),
        ] {
            let budget = Budget { used, ..Budget::new("A", allowed) };
            assert_eq!(budget.overdrawn().is_some(), overdrawn, "{budget:?}");
        }
    }
}

//! Which game of the schedule.

use std::fmt;

/// A game's place in the schedule: `round.game`, and its number from 1 over all rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId {
    /// From 1, over the whole schedule.
    pub number: u32,
    /// From 1.
    pub round: u32,
    /// From 1 within the round.
    pub game: u32,
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.round, self.game)
    }
}

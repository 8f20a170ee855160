//! What is counted of a finished game.

use shakmaty::ByColor;

use crate::game::game_id::GameId;
use crate::game::record::GameRecord;
use crate::law::verdict::{GameResult, Verdict};

/// A finished game as far as it is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// Its place in the schedule.
    pub id: GameId,
    /// The engines' places in the match file.
    pub engines: ByColor<usize>,
    /// How it ended.
    pub verdict: Verdict,
}

impl FinishedGame {
    /// Of the game of a record, which these engines played.
    pub fn of(record: &GameRecord, engines: ByColor<usize>) -> FinishedGame {
        FinishedGame { id: record.id, engines, verdict: record.verdict.clone() }
    }

    /// Who won.
    pub fn result(&self) -> GameResult {
        self.verdict.result()
    }
}

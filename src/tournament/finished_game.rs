//! What is counted of a finished game.

use std::borrow::Cow;

use shakmaty::ByColor;

use crate::game::game_id::GameId;
use crate::game::record::GameRecord;
use crate::law::verdict::GameResult;

/// A finished game as far as it is counted: what a stored result holds too, from which a run is taken up again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// Its place in the schedule.
    pub id: GameId,
    /// The engines' places in the match file.
    pub engines: ByColor<usize>,
    /// Who won.
    pub result: GameResult,
    /// The machine name of the reason.
    pub reason: Cow<'static, str>,
    /// The article; `None` for tournament rules.
    pub article: Option<Cow<'static, str>>,
}

impl FinishedGame {
    /// Of the game of a record, which these engines played.
    pub fn of(record: &GameRecord, engines: ByColor<usize>) -> FinishedGame {
        FinishedGame {
            id: record.id,
            engines,
            result: record.verdict.result(),
            reason: record.verdict.reason().name().into(),
            article: record.verdict.article().map(Cow::Borrowed),
        }
    }
}

//! Who leads, and how sure that is: figures of the scoreboard, as they are shown while a run goes on.

use crate::statistics::summary::MatchSummary;
use crate::tournament::head_to_head::TestStanding;
use crate::tournament::scoreboard::Scoreboard;

/// The results so far.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// Of two engines.
    Match {
        /// In the order of the match file.
        engines: [Points; 2],
        /// Of the first one against the second one.
        summary: Box<MatchSummary>,
        /// The sequential test, if there is one.
        test: Option<Box<TestStanding>>,
    },
    /// Of more engines, the best score first.
    Field(Vec<Points>),
}

/// An engine's points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// Its name.
    pub name: String,
    /// Twice its points.
    pub half_points: u32,
    /// The games that it has played.
    pub games: u32,
}

impl Standing {
    /// What a scoreboard says.
    pub fn of(scoreboard: &Scoreboard) -> Standing {
        let standings = scoreboard.standings();
        let points = |tally: &crate::tournament::standings::Tally| Points {
            name: tally.name.clone(),
            half_points: tally.half_points(),
            games: tally.games(),
        };
        match (standings.tallies(), scoreboard.summary()) {
            ([first, second], Some(summary)) => Standing::Match {
                engines: [points(first), points(second)],
                summary: Box::new(summary),
                test: scoreboard.test().map(Box::new),
            },
            _ => Standing::Field(standings.ranking().into_iter().map(points).collect()),
        }
    }
}

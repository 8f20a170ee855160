//! The sequential test in the events.

use serde::Serialize;

use crate::statistics::counts::Counts;
use crate::tournament::head_to_head::TestStanding;

/// Where a sequential test stands: settings, log-likelihood ratio, and what it comes from.
#[derive(Serialize)]
pub(super) struct SprtStanding {
    elo0: f64,
    elo1: f64,
    model: &'static str,
    lower: f64,
    upper: f64,
    llr: Option<f64>,
    state: &'static str,
    /// Counted in the order of the schedule, up to the decision; of the first engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    penta: Option<[u64; 5]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u64; 3]>,
}

impl SprtStanding {
    pub fn of(test: TestStanding) -> SprtStanding {
        let TestStanding { settings, llr, counts, .. } = test;
        let (games, pairs) = match counts {
            Counts::Games(games) => (Some(games), None),
            Counts::Pairs(pairs) => (None, Some(pairs)),
        };
        SprtStanding {
            elo0: settings.elo0(),
            elo1: settings.elo1(),
            model: settings.model().name(),
            lower: settings.lower(),
            upper: settings.upper(),
            llr,
            state: test.state().name(),
            pairs: pairs.map(|pairs| pairs.pairs()),
            penta: pairs.map(|pairs| pairs.cells()),
            games: games.map(|games| games.games()),
            wdl: games.map(|games| [games.wins(), games.draws(), games.losses()]),
        }
    }
}

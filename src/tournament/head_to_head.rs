//! The results of a match between two engines, from the side of the one that stands first in the match file.

use std::collections::BTreeMap;

use shakmaty::Color;

use super::finished_game::FinishedGame;
use crate::statistics::counts::{Counts, GameOutcome, PairOutcome, Pentanomial, Trinomial};
use crate::statistics::sequence::{Decision, SequentialTest};
use crate::statistics::sprt::{SprtSettings, SprtState};

/// Games, pairs, and the test of them.
#[derive(Clone, Debug)]
pub(super) struct HeadToHead {
    games: Trinomial,
    /// `None`: games are not paired.
    pairs: Option<Pairs>,
    test: Option<Test>,
}

/// Pairs of the schedule, counted from 0.
#[derive(Clone, Debug, Default)]
struct Pairs {
    complete: Pentanomial,
    /// The result of the one finished game of a pair.
    halves: BTreeMap<u32, GameOutcome>,
}

#[derive(Clone, Debug)]
enum Test {
    /// Of game pairs.
    Pentanomial(SequentialTest<PairOutcome>),
    /// Of single games.
    Trinomial(SequentialTest<GameOutcome>),
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestStanding {
    /// What is tested.
    pub settings: SprtSettings,
    /// The log-likelihood ratio: the one that decided, or that of what is counted so far. `None` where there is none,
    /// which decides nothing.
    pub llr: Option<f64>,
    /// The games or pairs from which it comes: the longest complete run of the schedule, up to the decision.
    pub counts: Counts,
    /// The decision, once there is one; nothing changes it any more.
    pub decision: Option<Decision>,
}

impl TestStanding {
    /// What is decided.
    pub fn state(&self) -> SprtState {
        self.decision.map_or(SprtState::Continue, |decision| decision.accepted.into())
    }
}

impl HeadToHead {
    pub fn new(pairs: bool, sprt: Option<SprtSettings>) -> HeadToHead {
        let test = sprt.map(|settings| {
            if pairs && settings.pentanomial() {
                Test::Pentanomial(SequentialTest::new(settings))
            } else {
                Test::Trinomial(SequentialTest::new(settings))
            }
        });
        HeadToHead { games: Trinomial::default(), pairs: pairs.then(Pairs::default), test }
    }

    /// Counts a game in that has not been counted before.
    pub fn add(&mut self, game: &FinishedGame) {
        let outcome = first_engines_outcome(game);
        let index = game.id.number.saturating_sub(1);
        self.games.add(outcome);
        let pair = self.pairs.as_mut().and_then(|pairs| pairs.add(index / 2, outcome));
        // Every number comes once, so no result is refused for having come before.
        match (&mut self.test, pair) {
            (Some(Test::Trinomial(test)), _) => {
                let _ = test.record(index as usize, outcome);
            }
            (Some(Test::Pentanomial(test)), Some(pair)) => {
                let _ = test.record((index / 2) as usize, pair);
            }
            (Some(Test::Pentanomial(_)), None) | (None, _) => {}
        }
    }

    pub fn counts(&self) -> Counts {
        match &self.pairs {
            Some(pairs) if pairs.complete.pairs() > 0 => Counts::Pairs(pairs.complete),
            _ => Counts::Games(self.games),
        }
    }

    pub fn test(&self) -> Option<TestStanding> {
        let (settings, llr, counts, decision) = match self.test.as_ref()? {
            Test::Pentanomial(test) => (*test.settings(), test.llr(), test.counts(), test.decision()),
            Test::Trinomial(test) => (*test.settings(), test.llr(), test.counts(), test.decision()),
        };
        Some(match decision {
            Some(decision) => TestStanding {
                settings,
                llr: Some(decision.llr),
                counts: decision.counts,
                decision: Some(*decision),
            },
            None => TestStanding { settings, llr, counts, decision: None },
        })
    }
}

impl Pairs {
    /// Takes a game of this pair in; the result of the pair if that completes it.
    fn add(&mut self, pair: u32, outcome: GameOutcome) -> Option<PairOutcome> {
        let Some(other) = self.halves.remove(&pair) else {
            self.halves.insert(pair, outcome);
            return None;
        };
        let pair = PairOutcome::of(other, outcome);
        self.complete.add(pair);
        Some(pair)
    }
}

fn first_engines_outcome(game: &FinishedGame) -> GameOutcome {
    let first = if game.engines.white == 0 { Color::White } else { Color::Black };
    match game.result().winner() {
        None => GameOutcome::Draw,
        Some(winner) if winner == first => GameOutcome::Win,
        Some(_) => GameOutcome::Loss,
    }
}

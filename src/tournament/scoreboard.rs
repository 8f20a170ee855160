//! The one count of a run's results: standings, and for two engines pairs, match figures and the sequential test.

use std::collections::BTreeSet;

use super::finished_game::FinishedGame;
use super::head_to_head::{HeadToHead, TestStanding};
use super::standings::Standings;
use crate::statistics::counts::Counts;
use crate::statistics::sprt::SprtSettings;
use crate::statistics::summary::MatchSummary;

/// Counts finished games. They come in any order; what depends on an order depends on that of the schedule.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    standings: Standings,
    counted: Numbers,
    head_to_head: Option<HeadToHead>,
}

/// A game that came twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game number {0} has been counted already")]
pub struct CountedTwice(pub u32);

impl Scoreboard {
    /// Nothing played yet. `pairs`: games 1 and 2, 3 and 4 … of the schedule are game pairs. A test is of two engines:
    /// with more of them there is none, whatever `sprt` says.
    pub fn new(
        names: impl IntoIterator<Item = String>,
        pairs: bool,
        sprt: Option<SprtSettings>,
    ) -> Scoreboard {
        let standings = Standings::new(names);
        let head_to_head = (standings.tallies().len() == 2).then(|| HeadToHead::new(pairs, sprt));
        Scoreboard { standings, counted: Numbers::default(), head_to_head }
    }

    /// Counts a game in.
    ///
    /// # Errors
    /// This game has been counted already; nothing is changed then.
    pub fn add(&mut self, game: &FinishedGame) -> Result<(), CountedTwice> {
        if !self.counted.insert(game.id.number) {
            return Err(CountedTwice(game.id.number));
        }
        self.standings.add(game);
        if let Some(head_to_head) = &mut self.head_to_head {
            head_to_head.add(game);
        }
        Ok(())
    }

    /// Who leads, and how the games ended.
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Games counted.
    pub fn finished(&self) -> u32 {
        self.counted.len()
    }

    /// Whether this game, by its number in the schedule, has been counted.
    pub fn contains(&self, number: u32) -> bool {
        self.counted.contains(number)
    }

    /// The results of two engines, from the first one's side: complete pairs; single games where games are not paired
    /// or no pair is complete. `None` for other numbers of engines.
    pub fn counts(&self) -> Option<Counts> {
        self.head_to_head.as_ref().map(HeadToHead::counts)
    }

    /// The figures of [`counts`](Self::counts).
    pub fn summary(&self) -> Option<MatchSummary> {
        self.counts().map(|counts| MatchSummary::of(&counts))
    }

    /// Where the sequential test stands; `None` without one.
    pub fn test(&self) -> Option<TestStanding> {
        self.head_to_head.as_ref()?.test()
    }
}

/// Numbers from 1 that have been seen: a run from the beginning, and those beyond its end.
#[derive(Clone, Debug, Default)]
struct Numbers {
    run: u32,
    beyond: BTreeSet<u32>,
}

impl Numbers {
    /// False if it was there already; 0 is no number.
    fn insert(&mut self, number: u32) -> bool {
        if number <= self.run || !self.beyond.insert(number) {
            return false;
        }
        while self.beyond.first().is_some_and(|first| *first == self.run + 1) {
            self.beyond.pop_first();
            self.run += 1;
        }
        true
    }

    fn contains(&self, number: u32) -> bool {
        number <= self.run || self.beyond.contains(&number)
    }

    fn len(&self) -> u32 {
        // No more than there are numbers.
        self.run + self.beyond.len() as u32
    }
}

#[cfg(test)]
#[path = "scoreboard_tests.rs"]
mod tests;

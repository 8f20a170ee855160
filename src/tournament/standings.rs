//! Who leads, and how the games ended.

use std::collections::BTreeMap;

use shakmaty::Color;

use super::finished_game::FinishedGame;
use super::outcome::Outcome;
use crate::law::verdict::GameResult;
use crate::statistics::counts::GameOutcome;
use crate::statistics::crosstable::Crosstable;
use crate::statistics::ratings::{NotConverged, Ratings};

/// One engine's results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The engine's name.
    pub name: String,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// How its games ended for it; together they are its games.
    pub outcomes: BTreeMap<Outcome, u32>,
}

impl Tally {
    /// Games played.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Twice the points, a whole number: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> u32 {
        2 * self.won + self.drawn
    }
}

/// How many games ended in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonCount {
    /// The machine name.
    pub reason: &'static str,
    /// The article; `None` for tournament rules.
    pub article: Option<&'static str>,
    /// Games.
    pub games: u32,
}

/// The results of all games so far. Games are only counted, so that the order in which they come makes no difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    tallies: Vec<Tally>,
    crosstable: Crosstable,
    /// Games by reason and article.
    reasons: BTreeMap<(&'static str, Option<&'static str>), u32>,
}

impl Standings {
    /// Nothing played yet.
    pub fn new(names: impl IntoIterator<Item = String>) -> Standings {
        let tallies = names.into_iter().map(|name| Tally { name, ..Tally::default() }).collect();
        Standings { tallies, ..Standings::default() }
    }

    /// Counts a game in. Places that no engine has are not counted.
    pub fn add(&mut self, game: &FinishedGame) {
        for color in Color::ALL {
            let Some(tally) = self.tallies.get_mut(*game.engines.get(color)) else { continue };
            match game.result() {
                GameResult::Draw => tally.drawn += 1,
                _ if game.result().winner() == Some(color) => tally.won += 1,
                _ => tally.lost += 1,
            }
            *tally.outcomes.entry(Outcome::of(&game.verdict, color)).or_default() += 1;
        }
        let outcome = match game.result() {
            GameResult::WhiteWins => GameOutcome::Win,
            GameResult::Draw => GameOutcome::Draw,
            GameResult::BlackWins => GameOutcome::Loss,
        };
        self.crosstable.add([game.engines.white, game.engines.black], outcome);
        let reason = (game.verdict.reason().name(), game.verdict.article());
        *self.reasons.entry(reason).or_default() += 1;
    }

    /// In the order of the match file.
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// What each engine has scored against each other one.
    pub fn crosstable(&self) -> &Crosstable {
        &self.crosstable
    }

    /// The ratings of all engines, from the games between them; what was given without a game does not count.
    ///
    /// # Errors
    /// [`NotConverged`].
    pub fn ratings(&self) -> Result<Ratings, NotConverged> {
        Ratings::of(&self.crosstable, self.tallies.len())
    }

    /// Best score first; engines with equal scores in the order of the match file.
    pub fn ranking(&self) -> Vec<&Tally> {
        let mut ranking: Vec<&Tally> = self.tallies.iter().collect();
        ranking.sort_by_key(|tally| std::cmp::Reverse(tally.half_points()));
        ranking
    }

    /// The most frequent end first, equally frequent ones by name.
    pub fn reasons(&self) -> Vec<ReasonCount> {
        let counts = self.reasons.iter();
        let mut reasons: Vec<ReasonCount> = counts
            .map(|((reason, article), games)| ReasonCount { reason, article: *article, games: *games })
            .collect();
        reasons.sort_by_key(|count| std::cmp::Reverse(count.games));
        reasons
    }
}

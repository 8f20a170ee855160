//! Who leads, and how the games ended.

use std::borrow::Cow;
use std::cmp::Reverse;

use shakmaty::Color;

use super::crosstable::Crosstable;
use super::finished_game::FinishedGame;
use crate::law::verdict::GameResult;

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
    pub reason: Cow<'static, str>,
    /// The article; `None` for tournament rules.
    pub article: Option<Cow<'static, str>>,
    /// Games.
    pub games: u32,
}

/// The results of all games so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    tallies: Vec<Tally>,
    crosstable: Crosstable,
    reasons: Vec<ReasonCount>,
}

impl Standings {
    /// Nothing played yet.
    pub fn new(names: impl IntoIterator<Item = String>) -> Standings {
        let tallies = names.into_iter().map(|name| Tally { name, ..Tally::default() }).collect();
        Standings { tallies, crosstable: Crosstable::default(), reasons: Vec::new() }
    }

    /// Counts a game in. Places that no engine has are not counted.
    pub fn add(&mut self, game: &FinishedGame) {
        for color in Color::ALL {
            let Some(tally) = self.tallies.get_mut(*game.engines.get(color)) else { continue };
            match game.result {
                GameResult::Draw => tally.drawn += 1,
                _ if game.result.winner() == Some(color) => tally.won += 1,
                _ => tally.lost += 1,
            }
        }
        let half_points = match game.result {
            GameResult::WhiteWins => 2,
            GameResult::Draw => 1,
            GameResult::BlackWins => 0,
        };
        self.crosstable.add([game.engines.white, game.engines.black], half_points);
        let same = |count: &&mut ReasonCount| count.reason == game.reason && count.article == game.article;
        match self.reasons.iter_mut().find(same) {
            Some(count) => count.games += 1,
            None => self.reasons.push(ReasonCount {
                reason: game.reason.clone(),
                article: game.article.clone(),
                games: 1,
            }),
        }
    }

    /// In the order of the match file.
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// What each engine has scored against each other one.
    pub fn crosstable(&self) -> &Crosstable {
        &self.crosstable
    }

    /// Best score first; engines with equal scores in the order of the match file.
    pub fn ranking(&self) -> Vec<&Tally> {
        let mut ranking: Vec<&Tally> = self.tallies.iter().collect();
        ranking.sort_by_key(|tally| Reverse(tally.half_points()));
        ranking
    }

    /// The most frequent end first, equally frequent ones by name: games end in any order.
    pub fn reasons(&self) -> Vec<&ReasonCount> {
        let mut reasons: Vec<&ReasonCount> = self.reasons.iter().collect();
        reasons
            .sort_by_cached_key(|count| (Reverse(count.games), count.reason.clone(), count.article.clone()));
        reasons
    }
}

//! Who leads, and how the games ended.

use shakmaty::Color;

use super::crosstable::Crosstable;
use crate::game::record::GameRecord;
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
    pub reason: &'static str,
    /// The article; `None` for tournament rules.
    pub article: Option<&'static str>,
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

    /// Counts a game in.
    pub fn add(&mut self, game: &GameRecord) {
        let result = game.verdict.result();
        for color in Color::ALL {
            let name = game.names.get(color);
            let Some(tally) = self.tallies.iter_mut().find(|tally| tally.name == *name) else { continue };
            match result {
                GameResult::Draw => tally.drawn += 1,
                _ if result.winner() == Some(color) => tally.won += 1,
                _ => tally.lost += 1,
            }
        }
        let place = |name: &String| self.tallies.iter().position(|tally| tally.name == *name);
        if let (Some(white), Some(black)) = (place(&game.names.white), place(&game.names.black)) {
            let half_points = match result {
                GameResult::WhiteWins => 2,
                GameResult::Draw => 1,
                GameResult::BlackWins => 0,
            };
            self.crosstable.add([white, black], half_points);
        }
        let (reason, article) = (game.verdict.reason().name(), game.verdict.article());
        match self.reasons.iter_mut().find(|count| count.reason == reason && count.article == article) {
            Some(count) => count.games += 1,
            None => self.reasons.push(ReasonCount { reason, article, games: 1 }),
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
        ranking.sort_by_key(|tally| std::cmp::Reverse(tally.half_points()));
        ranking
    }

    /// The most frequent end first, equally frequent ones by name: games end in any order.
    pub fn reasons(&self) -> Vec<&ReasonCount> {
        let mut reasons: Vec<&ReasonCount> = self.reasons.iter().collect();
        reasons.sort_by_key(|count| (std::cmp::Reverse(count.games), count.reason, count.article));
        reasons
    }
}

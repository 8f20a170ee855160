//! Two engines meet for a number of games: which come next, and how it stands.

use std::collections::BTreeSet;

use shakmaty::{ByColor, Color};

use crate::law::verdict::GameResult;

/// The games of two engines in one round of a knockout or a Swiss tournament. Games count from 0 here; the first
/// engine has White in the even ones.
#[derive(Clone, Debug)]
pub struct Encounter {
    players: [usize; 2],
    /// Games that are to be played if nobody withdraws.
    games: u32,
    /// The next game that may come.
    next: u32,
    /// Later games that have their results from an earlier run.
    ahead: BTreeSet<u32>,
    /// Games that will have results.
    due: u32,
    finished: u32,
    half_points: [u64; 2],
    /// Half-points for games that the opponent does not play.
    awarded: [u64; 2],
    closed: bool,
}

impl Encounter {
    /// Of so many games.
    pub(super) fn new(players: [usize; 2], games: u32) -> Encounter {
        Encounter {
            players,
            games,
            next: 0,
            ahead: BTreeSet::new(),
            due: games,
            finished: 0,
            half_points: [0; 2],
            awarded: [0; 2],
            closed: false,
        }
    }

    /// The engines' places; the first one has White in the first game.
    pub fn players(&self) -> [usize; 2] {
        self.players
    }

    /// What both have scored over the board, in half-points.
    pub fn half_points(&self) -> [u64; 2] {
        self.half_points
    }

    /// What both have been given for games that their opponent did not play, in half-points.
    pub fn awarded(&self) -> [u64; 2] {
        self.awarded
    }

    /// Games with a result.
    pub fn finished(&self) -> u32 {
        self.finished
    }

    /// Games that are to be played, as far as results tell.
    pub(super) fn games(&self) -> u32 {
        self.games
    }

    /// This engine is one of the two.
    pub(super) fn has(&self, engine: usize) -> bool {
        self.players.contains(&engine)
    }

    /// The next game that has not been handed out.
    pub(super) fn upcoming(&self) -> Option<u32> {
        let mut left = (self.next..self.games).filter(|game| !self.ahead.contains(game));
        left.next().filter(|_| !self.closed)
    }

    /// Who has which colour.
    pub(super) fn colours(&self, game: u32) -> ByColor<usize> {
        let [first, second] = self.players;
        if game.is_multiple_of(2) {
            ByColor { white: first, black: second }
        } else {
            ByColor { white: second, black: first }
        }
    }

    pub(super) fn hand_out(&mut self, game: u32) {
        self.next = game + 1;
        self.ahead = self.ahead.split_off(&self.next);
    }

    /// Takes in a result.
    pub(super) fn finish(&mut self, game: u32, result: GameResult) {
        if game >= self.next && !self.ahead.insert(game) {
            return;
        }
        while self.ahead.remove(&self.next) {
            self.next += 1;
        }
        self.finished += 1;
        let colours = self.colours(game);
        for (side, player) in self.players.into_iter().enumerate() {
            let color = if colours.white == player { Color::White } else { Color::Black };
            self.half_points[side] += match result.winner() {
                None => 1,
                Some(winner) if winner == color => 2,
                Some(_) => 0,
            };
        }
    }

    /// Nothing is to be played any more, as things stand.
    pub(super) fn is_complete(&self) -> bool {
        self.finished >= self.due
    }

    /// More games are to be played.
    pub(super) fn extend(&mut self, games: u32) {
        self.games += games;
        self.due += games;
    }

    /// No more games begin. Returns how many of them are left; they are awarded to this side.
    pub(super) fn close(&mut self, to: Option<usize>) -> u32 {
        if std::mem::replace(&mut self.closed, true) {
            return 0;
        }
        // Games are counted by a `u32`.
        self.due = self.next + self.ahead.len() as u32;
        let left = self.games.saturating_sub(self.due);
        self.award(left, to);
        left
    }

    /// A game that was handed out is not played.
    pub(super) fn cancel(&mut self, to: Option<usize>) {
        self.due = self.due.saturating_sub(1);
        self.award(1, to);
    }

    fn award(&mut self, games: u32, to: Option<usize>) {
        if let Some(side) = self.players.iter().position(|player| Some(*player) == to) {
            self.awarded[side] += 2 * u64::from(games);
        }
    }

    /// Who has scored more over the board.
    pub(super) fn leader(&self) -> Option<usize> {
        let [first, second] = self.half_points;
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(self.players[0]),
            std::cmp::Ordering::Less => Some(self.players[1]),
            std::cmp::Ordering::Equal => None,
        }
    }
}

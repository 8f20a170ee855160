//! Adjudication: what the match's own rules make of the engines' scores, the number of moves and the tables.
//!
//! Looked at after each completed move of an engine, when no rule of the Laws and no claim has ended the game. In this
//! order; the first that holds is the reason: tablebase (what is known goes before what is thought), resign, draw, move
//! limit.

use std::num::NonZeroU32;
use std::sync::Arc;

use shakmaty::{ByColor, Color, Position};

use super::tablebase::Tables;
use crate::engine::message::Score;
use crate::law::adjudication::{Adjudication, DrawRule, ResignRule, TableAnswer};
use crate::law::game_state::GameState;
use crate::law::verdict::Verdict;

/// The rules of a match; each is off where there is none.
#[derive(Clone, Debug, Default)]
pub struct AdjudicationRules {
    /// By scores near 0.
    pub draw: Option<DrawRule>,
    /// By the bad scores of a side.
    pub resign: Option<ResignRule>,
    /// By so many moves of each engine, book moves not counted.
    pub max_moves: Option<NonZeroU32>,
    /// By endgame tables.
    pub tables: Option<Arc<Tables>>,
}

/// How many of a side's last moves in a row had a score of this kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Streaks {
    level: u32,
    lost: u32,
    won: u32,
}

/// What adjudication knows of a game: the engines' scores and how many moves they have made.
#[derive(Debug)]
pub struct Adjudicator<'a> {
    rules: &'a AdjudicationRules,
    streaks: ByColor<Streaks>,
    /// Moves that came from engines.
    plies: u32,
}

impl<'a> Adjudicator<'a> {
    /// No engine has made a move.
    pub fn new(rules: &'a AdjudicationRules) -> Adjudicator<'a> {
        Adjudicator { rules, streaks: ByColor::default(), plies: 0 }
    }

    /// Takes in a move of an engine, with the last exact score of its first variation; not for book moves. A missing
    /// score ends every streak of its side, a mate score that of level ones.
    pub fn note_move(&mut self, mover: Color, score: Option<Score>, zeroing: bool) {
        self.plies = self.plies.saturating_add(1);
        if zeroing && self.rules.draw.is_some_and(|rule| rule.reset_on_zeroing) {
            self.streaks.iter_mut().for_each(|side| side.level = 0);
        }
        let is_level = |rule: DrawRule| match score {
            Some(Score::Centipawns(score)) => score.unsigned_abs() <= rule.centipawns,
            Some(Score::MateIn(_)) | None => false,
        };
        // `mate 0` is a mate against the side that says so.
        let says = |rule: ResignRule, lost: bool| match score {
            Some(Score::Centipawns(score)) => {
                (score < 0) == lost && score.unsigned_abs() >= rule.centipawns.get()
            }
            Some(Score::MateIn(moves)) => (moves <= 0) == lost,
            None => false,
        };
        let side = self.streaks.get_mut(mover);
        extend(&mut side.level, self.rules.draw.is_some_and(is_level));
        extend(&mut side.lost, self.rules.resign.is_some_and(|rule| says(rule, true)));
        extend(&mut side.won, self.rules.resign.is_some_and(|rule| says(rule, false)));
    }

    /// The verdict on the position after an engine's move; what ends the game by the Laws goes before.
    pub fn ruling(&self, state: &GameState) -> Option<Verdict> {
        if self.plies == 0 {
            return None;
        }
        let chess = state.chess();
        let table = self.rules.tables.as_ref().and_then(|tables| tables.answer(chess));
        let adjudication = self.decide(table, chess.fullmoves())?;
        Some(state.rule_adjudication(adjudication))
    }

    /// `move_number` is that of the next move, as the position counts them.
    fn decide(&self, table: Option<TableAnswer>, move_number: NonZeroU32) -> Option<Adjudication> {
        let resign = || {
            let rule = self.rules.resign?;
            let loser = Color::ALL.into_iter().find(|side| self.is_lost(*side, rule))?;
            Some(Adjudication::Resign { loser, rule })
        };
        let draw = || {
            let rule = self.rules.draw?;
            let level = self.streaks.iter().all(|side| side.level >= rule.count.get());
            (level && move_number > rule.from_move).then_some(Adjudication::Draw(rule))
        };
        let move_limit = || {
            let limit = self.rules.max_moves?;
            (self.plies / 2 >= limit.get()).then_some(Adjudication::MoveLimit(limit))
        };
        table.map(Adjudication::Tablebase).or_else(resign).or_else(draw).or_else(move_limit)
    }

    fn is_lost(&self, side: Color, rule: ResignRule) -> bool {
        let (own, opponent) = (self.streaks.get(side), self.streaks.get(!side));
        own.lost >= rule.count.get() && (!rule.two_sided || opponent.won >= rule.count.get())
    }
}

/// One more, or none.
fn extend(streak: &mut u32, holds: bool) {
    *streak = if holds { streak.saturating_add(1) } else { 0 };
}

#[cfg(test)]
#[path = "adjudication_tests.rs"]
mod tests;

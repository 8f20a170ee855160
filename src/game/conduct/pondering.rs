//! Pondering in a game: the move on which an engine thinks while its opponent does, and what becomes of that.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color, Move};

use super::{Begun, Conduct};
use crate::engine::command::write_go_ponder;
use crate::engine::fault::Fault;
use crate::engine::misbehaviour::Misbehaviour;
use crate::engine::session::Answer;
use crate::engine::session::pondering::Hit;
use crate::game::limits::search_limits;
use crate::game::record::PonderOutcome;
use crate::law::notation::uci_move;
use crate::law::verdict::ClaimRule;

/// On what each side ponders.
#[derive(Debug, Default)]
pub(super) struct Pondering {
    plans: ByColor<Plan>,
    /// What became of it before the search under way.
    outcome: Option<PonderOutcome>,
}

/// What a side does on its opponent's time. Moves are in UCI notation.
#[derive(Debug, Default)]
enum Plan {
    /// Nothing.
    #[default]
    Nothing,
    /// It has named a move, and is told to ponder on it when its opponent has been told to search.
    Named(String),
    /// It was told to ponder on this move.
    Told {
        /// The move.
        expected: String,
        /// What it was told of its own clock.
        clock: Option<Duration>,
    },
}

impl Pondering {
    /// Of the search that is under way or was answered last.
    pub(super) fn outcome(&self) -> Option<PonderOutcome> {
        self.outcome
    }
}

impl Conduct<'_, '_> {
    /// After a side's move: whether it ponders, and on what. A ponder move that is not legal shows a fault of its own.
    pub(super) fn plan_pondering(&mut self, side: Color) {
        let player = self.players.get_mut(side);
        let token = &player.engine.best_move.ponder;
        if token.is_empty() || self.state.end().is_some() {
            return;
        }
        match self.state.legal_move(token, player.rules.king_takes_rook) {
            None => player.engine.note(Misbehaviour::BadPonderMove),
            Some(expected) if player.rules.ponder && self.goes_on_after(expected) => {
                let expected = uci_move::write(expected, self.state.castling_mode()).to_string();
                *self.pondering.plans.get_mut(side) = Plan::Named(expected);
            }
            Some(_) => {}
        }
    }

    /// Whether the game will go on when the side to move makes this move: neither the move nor a claim that would be
    /// made for either side ends it.
    fn goes_on_after(&self, expected: Move) -> bool {
        let mover = self.state.turn();
        let successor = self.state.successor(expected);
        let claimed = |rule: ClaimRule| {
            let with_it = self.players.get(mover).rules.claims.claims_with_move(rule, None, false)
                && self.state.may_claim_with(rule, &successor);
            let after_it =
                self.players.get(!mover).rules.claims.claims_before_search(rule) && successor.may_claim(rule);
            with_it || after_it
        };
        successor.end().is_none() && ![ClaimRule::Threefold, ClaimRule::FiftyMove].into_iter().any(claimed)
    }

    /// Tells a side to ponder, once its opponent has been told to search: with the clocks as they will be for its next
    /// move, and no offer of a draw.
    pub(super) async fn start_pondering(&mut self, side: Color) {
        let Plan::Named(expected) = self.pondering.plans.get_mut(side) else { return };
        let expected = std::mem::take(expected);
        let player = self.players.get_mut(side);
        if !player.engine.clear_to_ponder().await {
            *self.pondering.plans.get_mut(side) = Plan::Nothing;
            return;
        }
        let rules = player.rules;
        self.commands.clear();
        self.tell_of_offer(side, false);
        self.commands.extend_from_slice(self.positions.get(side).as_bytes());
        // The side has moved: the line has moves already.
        self.commands.push(b' ');
        self.commands.extend_from_slice(expected.as_bytes());
        self.commands.push(b'\n');
        write_go_ponder(&mut self.commands, &search_limits(side, &self.clocks, &rules.time_control));
        self.players.get_mut(side).engine.start_pondering(&self.commands).await;
        *self.pondering.plans.get_mut(side) = Plan::Told { expected, clock: self.clocks.get(side).left() };
    }

    /// Awaits a side's `bestmove`, and reads its opponent meanwhile if that ponders.
    pub(super) async fn await_best_move(&mut self, side: Color, deadline: Instant) -> Result<Answer, Fault> {
        let ByColor { white, black } = self.players.as_mut();
        let (mover, opponent) = if side.is_white() { (white, black) } else { (black, white) };
        if !opponent.engine.is_pondering() {
            return mover.engine.await_best_move(deadline).await;
        }
        tokio::select! {
            biased;
            answer = mover.engine.await_best_move(deadline) => answer,
            never = opponent.engine.ponder_on() => match never {},
        }
    }

    /// When a side's turn has come: what becomes of its pondering. `None`: it has to be asked.
    pub(super) async fn end_pondering(&mut self, side: Color) -> Result<Option<Begun>, Fault> {
        self.pondering.outcome = None;
        let Plan::Told { expected, clock } = std::mem::take(self.pondering.plans.get_mut(side)) else {
            return Ok(None);
        };
        if !self.came_true(side, &expected, clock) {
            let dropped = self.players.get_mut(side).engine.ponder_miss().await?;
            self.pondering.outcome = dropped.then_some(PonderOutcome::Miss);
            return Ok(None);
        }
        let begun = match self.players.get_mut(side).engine.ponder_hit().await? {
            Hit::Searching { sent_at } => Begun::Searching { sent_at },
            Hit::Answered => Begun::Answered,
            Hit::NotPondering => return Ok(None),
        };
        self.pondering.outcome = Some(PonderOutcome::Hit);
        Ok(Some(begun))
    }

    /// Whether the position is the one on which a side ponders, and all that it was told of it still holds:
    /// `ponderhit` can't tell of time gained by a penalty, or of an offer.
    fn came_true(&self, side: Color, expected: &str, clock: Option<Duration>) -> bool {
        let made = self.plies.last().is_some_and(|ply| ply.uci == expected);
        made && self.clocks.get(side).left() == clock && !self.offer_is_news(side, self.draw_offered)
    }
}

//! A game to be played, and what the match's laws leave to settings.

use std::time::Duration;

use super::adjudication::AdjudicationRules;
use super::annulment::MachineRules;
use super::game_id::GameId;
use crate::law::game_state::{FULL_SEARCH_NODES, GameState};
use crate::law::policy::{DeadPositionRule, IllegalMovePolicy};
use crate::openings::Opening;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct GamePlan {
    /// Its place in the schedule.
    pub id: GameId,
    /// Where it starts.
    pub opening: Opening,
    /// What the match's laws leave to settings.
    pub laws: GameLaws,
    /// What the match settles without the Laws.
    pub adjudication: AdjudicationRules,
    /// When its machine makes it void.
    pub machine: MachineRules,
    /// How often it was annulled already.
    pub replays: u32,
}

/// What the match's laws leave to settings, the same for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLaws {
    /// How dead positions are recognised.
    pub dead_position: DeadPositionRule,
    /// Nodes that a full search for a mate may spend on one question.
    pub full_search_nodes: u64,
    /// What an illegal move costs.
    pub illegal_move: IllegalMovePolicy,
    /// What the opponent's clock gains by a wrong claim or an illegal move; `None`: see
    /// [`chess_clock::penalty`](crate::clock::chess_clock::penalty).
    pub penalty: Option<Duration>,
}

impl GameLaws {
    /// A game under these laws.
    pub fn state(&self, opening: &Opening) -> GameState {
        GameState::with_search_budget(
            opening.start.clone(),
            opening.mode,
            self.dead_position,
            self.full_search_nodes,
        )
    }
}

impl Default for GameLaws {
    fn default() -> GameLaws {
        GameLaws {
            dead_position: DeadPositionRule::default(),
            full_search_nodes: FULL_SEARCH_NODES,
            illegal_move: IllegalMovePolicy::default(),
            penalty: None,
        }
    }
}

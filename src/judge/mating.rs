//! Who can still mate in the last position that was judged.

use shakmaty::{ByColor, Color};

use super::review::JudgeOptions;
use crate::law::game_state::GameState;
use crate::law::material;
use crate::law::policy::DeadPositionRule;
use crate::law::verdict::Reason;

/// Whether a side can mate by some series of legal moves, both sides helping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanMate {
    /// It can.
    Yes,
    /// It can't, for certain.
    No,
    /// The node budget was spent before an answer was found.
    Unknown,
}

impl CanMate {
    /// `yes`, `no` or `unknown`.
    pub fn as_str(self) -> &'static str {
        match self {
            CanMate::Yes => "yes",
            CanMate::No => "no",
            CanMate::Unknown => "unknown",
        }
    }
}

/// Both sides' chances, with what was found on the way.
#[derive(Clone, Debug)]
pub struct MatingChances {
    /// The answers.
    pub can_mate: ByColor<CanMate>,
    /// A line that ends with the side's mate, in UCI notation, where one was found: empty after a mate.
    pub helpmate: ByColor<Option<Vec<String>>>,
    /// Positions searched for both answers.
    pub nodes: u64,
}

impl MatingChances {
    /// Asks for both sides: by search under [`DeadPositionRule::Exact`], else by material.
    pub fn of(state: &GameState, options: &JudgeOptions) -> MatingChances {
        match options.dead_position {
            // The search for helpmates takes the arm of `Exact`, with `options.max_nodes` a side. After a mate it
            // says yes with an empty line for the winner and no for the loser, after a stalemate twice no.
            DeadPositionRule::Exact | DeadPositionRule::Material | DeadPositionRule::Off => {
                MatingChances::by_material(state)
            }
        }
    }

    /// What material says, and it looks at nothing else: the side that has been mated may have plenty. A side that
    /// has mated could.
    fn by_material(state: &GameState) -> MatingChances {
        let mate = state.end().filter(|verdict| *verdict.reason() == Reason::Checkmate);
        let winner = mate.and_then(|verdict| verdict.result().winner());
        let answer = |side| {
            let can = winner == Some(side) || material::has_mating_material(state.chess(), side);
            if can { CanMate::Yes } else { CanMate::No }
        };
        MatingChances {
            can_mate: ByColor { white: answer(Color::White), black: answer(Color::Black) },
            helpmate: ByColor::new_with(|side| (winner == Some(side)).then(Vec::new)),
            nodes: 0,
        }
    }

    /// Whether neither side can mate, for certain (Article 5.2.2).
    pub fn none(&self) -> bool {
        self.can_mate.white == CanMate::No && self.can_mate.black == CanMate::No
    }
}

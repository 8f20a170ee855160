//! Who can still mate in the last position that was judged.

use shakmaty::{ByColor, CastlingMode, Color, Move};

use super::review::JudgeOptions;
use crate::law::dead_position::{self, Proof};
use crate::law::game_state::GameState;
use crate::law::material;
use crate::law::notation::uci_move;
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
    /// Why a side can't mate, where a search showed it.
    pub proof: ByColor<Option<Proof>>,
    /// Positions searched for both answers.
    pub nodes: u64,
}

impl MatingChances {
    /// Asks for both sides: by search under [`DeadPositionRule::Exact`], else by material.
    pub fn of(state: &GameState, options: &JudgeOptions) -> MatingChances {
        match options.dead_position {
            DeadPositionRule::Exact => MatingChances::by_search(state, options.max_nodes),
            DeadPositionRule::Material | DeadPositionRule::Off => MatingChances::by_material(state),
        }
    }

    /// After a mate it is yes with an empty line for the winner and no for the loser, after a stalemate twice no.
    fn by_search(state: &GameState, max_nodes: u64) -> MatingChances {
        let answers = ByColor::new_with(|side| dead_position::can_mate(state.chess(), side, max_nodes));
        MatingChances {
            nodes: answers.white.nodes + answers.black.nodes,
            can_mate: answers.as_ref().map(|answer| match answer.can_mate {
                dead_position::CanMate::Yes(_) => CanMate::Yes,
                dead_position::CanMate::No(_) => CanMate::No,
                dead_position::CanMate::Unknown => CanMate::Unknown,
            }),
            helpmate: answers.as_ref().map(|answer| match &answer.can_mate {
                dead_position::CanMate::Yes(line) => Some(in_uci(line, state.castling_mode())),
                _ => None,
            }),
            proof: answers.map(|answer| match answer.can_mate {
                dead_position::CanMate::No(proof) => Some(proof),
                _ => None,
            }),
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
            proof: ByColor { white: None, black: None },
            nodes: 0,
        }
    }

    /// Whether neither side can mate, for certain (Article 5.2.2).
    pub fn none(&self) -> bool {
        self.can_mate.white == CanMate::No && self.can_mate.black == CanMate::No
    }
}

fn in_uci(line: &[Move], mode: CastlingMode) -> Vec<String> {
    line.iter().map(|played| uci_move::write(*played, mode).to_string()).collect()
}

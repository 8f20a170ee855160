//! What a game knows of who can still mate, ply by ply: the cheap look always, the full search seldom.

use shakmaty::{Bitboard, ByColor, ByRole, Chess, Color, Move, Position};

use super::dead_position::{CanMate, can_mate, quick_look_among};
use super::material;
use super::policy::DeadPositionRule;
use super::verdict::MatingChance;

/// Knowledge that is handed from position to position: who can never mate again stays so after every legal move.
#[derive(Clone, Debug)]
pub(super) struct MatingKnowledge {
    rule: DeadPositionRule,
    full_search_nodes: u64,
    never: ByColor<bool>,
    /// The pawn structure, with its material, that was searched in full last. None comes back once it is left.
    searched: Option<Structure>,
}

/// Where the pawns stand and what else there is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Structure {
    pawns: ByColor<Bitboard>,
    men: ByColor<ByRole<u8>>,
}

impl MatingKnowledge {
    /// Nothing known yet. A full search may spend so many nodes on one question.
    pub fn new(rule: DeadPositionRule, full_search_nodes: u64) -> MatingKnowledge {
        MatingKnowledge {
            rule,
            full_search_nodes,
            never: ByColor { white: false, black: false },
            searched: None,
        }
    }

    /// Whether neither side can mate (Article 5.2.2). `legal` is all the legal moves, and there is one.
    ///
    /// Under [`DeadPositionRule::Exact`] the cheap look is taken at every position; the full search follows where it
    /// leaves a blocked or forced position open, once for each pawn structure with its material.
    pub fn is_dead(&mut self, chess: &Chess, legal: &[Move]) -> bool {
        match self.rule {
            DeadPositionRule::Off => false,
            DeadPositionRule::Material => material::is_dead(chess),
            DeadPositionRule::Exact => self.is_dead_exactly(chess, legal),
        }
    }

    /// Whether `side` can still mate; searches in full where it has to.
    pub fn chance(&self, chess: &Chess, side: Color) -> MatingChance {
        let answer = match self.rule {
            DeadPositionRule::Exact if *self.never.get(side) => return MatingChance::Impossible,
            DeadPositionRule::Exact => can_mate(chess, side, self.full_search_nodes).can_mate,
            DeadPositionRule::Material | DeadPositionRule::Off => {
                let possible = material::has_mating_material(chess, side);
                return if possible { MatingChance::Possible } else { MatingChance::Impossible };
            }
        };
        match answer {
            CanMate::Yes(_) => MatingChance::Possible,
            CanMate::No(_) => MatingChance::Impossible,
            CanMate::Unknown => MatingChance::Unsettled,
        }
    }

    /// Whether a full search of this very position shows that neither side can mate; never so under another rule than
    /// [`DeadPositionRule::Exact`], which look at all that they go by at every ply.
    pub fn is_dead_in_full(&self, chess: &Chess) -> bool {
        self.rule == DeadPositionRule::Exact
            && Color::ALL.iter().all(|side| self.chance(chess, *side) == MatingChance::Impossible)
    }

    fn is_dead_exactly(&mut self, chess: &Chess, legal: &[Move]) -> bool {
        let structure = Structure::of(chess);
        let searched = self.searched.as_ref() == Some(&structure);
        let look = quick_look_among(chess, legal, searched);
        for side in Color::ALL {
            *self.never.get_mut(side) |= look.cannot_mate.get(side).is_some();
        }
        if look.worth_a_search && !searched && !self.nobody_can_mate() {
            self.searched = Some(structure);
            self.search(chess);
        }
        self.nobody_can_mate()
    }

    /// A side that can mate settles that the position is not dead, so the other one is not asked for. The stronger side
    /// comes first: it mates sooner, which most searches end with.
    fn search(&mut self, chess: &Chess) {
        let stronger = Color::from_white(strength(chess, Color::White) >= strength(chess, Color::Black));
        for side in [stronger, !stronger] {
            if !*self.never.get(side) {
                *self.never.get_mut(side) = can_mate(chess, side, self.full_search_nodes).can_mate.is_no();
            }
            if !*self.never.get(side) {
                return;
            }
        }
    }

    fn nobody_can_mate(&self) -> bool {
        self.never.white && self.never.black
    }
}

/// Material in pawns, as a hint only.
fn strength(chess: &Chess, side: Color) -> u32 {
    let men = chess.board().material_side(side);
    let count = |number: u8, worth| u32::from(number) * worth;
    count(men.queen, 9) + count(men.rook, 5) + count(men.bishop + men.knight, 3) + count(men.pawn, 1)
}

impl Structure {
    fn of(chess: &Chess) -> Structure {
        let board = chess.board();
        Structure {
            pawns: ByColor { white: board.white() & board.pawns(), black: board.black() & board.pawns() },
            men: board.material(),
        }
    }
}

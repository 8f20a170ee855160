//! Why a side can never mate: evidence that anyone can check.

use shakmaty::{Chess, Color, Position};

use super::projection::Closed;
use super::position_set::Key;
use super::regions::Regions;
use super::tempo::Race;

/// Why no series of legal moves ends with the side's mate.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Proof {
    /// There is no legal move, and no mate by the side on the board.
    NoMoves,
    /// The material rule.
    Material,
    /// Regions that the men never leave.
    Regions(()),
    /// A closed set of abstract positions.
    Projection(()),
    /// The tempo count.
    Tempo(()),
    /// Every position that can be reached.
    ClosedSet(ClosedSet),
}

/// All reachable positions, none of them mate.
#[derive(Clone, Debug)]
pub struct ClosedSet {
    /// The positions.
    pub positions: Vec<(Chess, Option<Leaf>)>,
}

/// The rule that ends a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The material rule.
    Material,
    /// The fixpoint.
    Regions,
    /// The tempo count.
    Tempo,
}

impl Proof {
    pub(super) fn of_regions(_: &Regions) -> Proof { Proof::Regions(()) }
    pub(super) fn of_projection(_: &Regions, _: Closed) -> Proof { Proof::Projection(()) }
    pub(super) fn of_tempo(_: &Chess, _: Color) -> Option<Proof> { Some(Proof::Tempo(())) }
}

//! Why a side can never mate: evidence that the [checker](super::checker) can verify.

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Piece, Square};

use super::projection::{Closed, NOWHERE, State};
use super::regions::{Promotion, Regions};
use super::search::{CanMate, can_mate};
use super::squares::DARK;
use super::tempo::Race;

/// Why no series of legal moves ends with the side giving mate.
#[derive(Clone, Debug)]
pub enum Proof {
    /// There is no legal move, and no mate by the side stands on the board.
    NoMoves,
    /// The men do not suffice wherever they stand.
    Material(MaterialProof),
    /// Regions that the men never leave, in which no square is fit for the mate.
    Regions(RegionProof),
    /// A closed set of abstract positions, none of which may stand for a mate.
    Projection(ProjectionProof),
    /// One side runs out of moves before the other can promote, and without promotion there is no mate.
    Tempo(TempoProof),
    /// All positions that can be reached, up to those proved otherwise, none of which is a mate.
    ClosedSet(ClosedSet),
}

/// The case of the material rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialProof {
    /// The side has only its king.
    KingOnly(Color),
    /// The side has one knight, and the other side nothing but queens.
    LoneKnight(Color),
    /// The side has bishops of one square colour, and the other side neither a knight nor a bishop of the other.
    Bishops(Color),
}

impl MaterialProof {
    /// The case that applies to the side's men.
    pub(super) fn of(board: &Board, side: Color) -> MaterialProof {
        let own = board.by_color(side);
        if (own & !board.kings()).is_empty() {
            MaterialProof::KingOnly(side)
        } else if (own & board.knights()).any() {
            MaterialProof::LoneKnight(side)
        } else {
            MaterialProof::Bishops(side)
        }
    }
}

/// A man and the squares on which it may ever stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManRegion {
    /// Where it stands now.
    pub square: Square,
    /// What it is.
    pub piece: Piece,
    /// Where it may ever stand (as a pawn, if it is one).
    pub region: Bitboard,
    /// Whether it may promote; then it may be any piece on any square.
    pub promotes: bool,
}

/// A region for every man: no series of moves leads a man out of its region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionProof {
    /// The side that cannot mate.
    pub side: Color,
    /// All men on the board.
    pub men: Vec<ManRegion>,
}

/// A closed set of abstract positions: pawns, kings and some men exact, all others anywhere in their regions.
#[derive(Clone, Debug)]
pub struct ProjectionProof {
    /// The regions.
    pub regions: RegionProof,
    /// Where the exact men other than pawns and kings stand in the position.
    pub exact: Vec<Square>,
    /// The set.
    pub states: Vec<AbstractPosition>,
}

/// What is exact of a position in a projection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AbstractPosition {
    /// The pawns.
    pub pawns: ByColor<Bitboard>,
    /// The kings.
    pub kings: ByColor<Square>,
    /// The side to move.
    pub turn: Color,
    /// The square that a pawn passed with the last move, if an enemy pawn stands beside it.
    pub passed: Option<Square>,
    /// Whether the colour may have a promoted piece.
    pub promoted: ByColor<bool>,
    /// Where each exact man stands, in the order of the proof's list; `None` when it has been taken.
    pub exact: Vec<Option<Square>>,
}

/// A count of moves: the waiter is stalemated before the runner can promote.
#[derive(Clone, Debug)]
pub struct TempoProof {
    /// The regions as long as nobody has promoted.
    pub regions: RegionProof,
    /// The colour that has only a few pawn moves left.
    pub waiter: Color,
    /// Moves that the other colour can make at most.
    pub available: u32,
    /// Moves that it needs at least for its first promotion; `None` when it can never promote.
    pub needed: Option<u32>,
}

/// All positions that can be reached.
#[derive(Clone, Debug)]
pub struct ClosedSet {
    pub(super) side: Color,
    pub(super) positions: Vec<(Chess, Option<Leaf>)>,
}

/// The rule that proves a position of a [`ClosedSet`], so that its moves need not be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The material rule.
    Material,
    /// The regions of the fixpoint.
    Regions,
    /// The tempo count.
    Tempo,
}

impl ClosedSet {
    /// The side that cannot mate.
    #[must_use]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The positions, and the rule for those that end a branch.
    pub fn positions(&self) -> impl Iterator<Item = (&Chess, Option<Leaf>)> {
        self.positions.iter().map(|(position, leaf)| (position, *leaf))
    }

    /// The proof of a position that ends a branch.
    #[must_use]
    pub fn prove_leaf(&self, position: &Chess, leaf: Leaf) -> Option<Proof> {
        match leaf {
            Leaf::Material => Some(Proof::of_material(position, self.side)),
            Leaf::Regions => Some(Proof::of_regions(&Regions::of(position, Promotion::Allowed), self.side)),
            Leaf::Tempo => Proof::of_tempo(position, self.side),
        }
    }
}

impl Proof {
    /// The proof that `side` can never mate, if the full search finds one within `max_nodes`.
    #[must_use]
    pub fn find(position: &Chess, side: Color, max_nodes: u64) -> Option<Proof> {
        match can_mate(position, side, max_nodes).can_mate {
            CanMate::No(proof) => Some(proof),
            CanMate::Yes(_) | CanMate::Unknown => None,
        }
    }

    pub(super) fn of_material(position: &Chess, side: Color) -> Proof {
        Proof::Material(MaterialProof::of(shakmaty::Position::board(position), side))
    }

    pub(super) fn of_regions(regions: &Regions, side: Color) -> Proof {
        Proof::Regions(RegionProof::of(regions, side))
    }

    pub(super) fn of_projection(regions: &Regions, side: Color, closed: Closed) -> Proof {
        let men = closed.exact.len();
        Proof::Projection(ProjectionProof {
            regions: RegionProof::of(regions, side),
            exact: closed.exact.into_iter().map(square).collect(),
            states: closed.states.into_iter().map(|key| AbstractPosition::of(&State::of(key), men)).collect(),
        })
    }

    pub(super) fn of_tempo(position: &Chess, side: Color) -> Option<Proof> {
        let race = Race::deciding(position, side)?;
        let turn = shakmaty::Position::turn(position);
        let needed = race.needed(race.regions.king(!race.waiter).square);
        Some(Proof::Tempo(TempoProof {
            regions: RegionProof::of(&race.regions, side),
            waiter: race.waiter,
            available: race.available(turn),
            needed: (needed != u32::MAX).then_some(needed),
        }))
    }
}

impl RegionProof {
    fn of(regions: &Regions, side: Color) -> RegionProof {
        let men = regions.men().iter().map(|man| ManRegion {
            square: square(man.square),
            piece: man.role.of(man.color),
            region: Bitboard(man.region),
            promotes: man.promotes,
        });
        RegionProof { side, men: men.collect() }
    }
}

impl AbstractPosition {
    fn of(state: &State, men: usize) -> AbstractPosition {
        let place = |at: u8| (at != NOWHERE).then(|| square(at));
        AbstractPosition {
            pawns: ByColor { white: Bitboard(state.pawns[0]), black: Bitboard(state.pawns[1]) },
            kings: ByColor { white: square(state.kings[0]), black: square(state.kings[1]) },
            turn: state.turn,
            passed: place(state.passed),
            promoted: ByColor { white: state.promoted[0], black: state.promoted[1] },
            exact: state.exact[..men].iter().map(|&at| place(at)).collect(),
        }
    }
}

fn square(index: u8) -> Square {
    Square::new(u32::from(index) & 63)
}

/// Whether all squares of a set have one colour.
pub(super) fn one_coloured(squares: Bitboard) -> Option<&'static str> {
    if squares.is_subset(Bitboard(DARK)) {
        Some("dark")
    } else if squares.is_disjoint(Bitboard(DARK)) {
        Some("light")
    } else {
        None
    }
}

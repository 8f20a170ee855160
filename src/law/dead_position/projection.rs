//! The projection: exact search over the pawns, the kings and a few exact men, all other men being *relaxed*, that is
//! anywhere in their fixpoint regions or absent. Every real game maps to a path of it; if no state that it reaches
//! admits a mate, there is none.

use shakmaty::{Chess, Color, Position, Role};

use super::position_set::{ExactSet, Key};
use super::projection_moves::Successors;
use super::regions::{Man, Promotion, Regions, index};
use super::squares::{DARK, bit, pawn_captures};

/// Exact men besides pawns and kings, at most.
pub(super) const EXACT: usize = 6;
/// No square.
pub(super) const NOWHERE: u8 = 64;

/// A state: everything exact of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub pawns: [u64; 2],
    pub kings: [u8; 2],
    pub turn: Color,
    /// The square that a pawn has just passed, if an enemy pawn stands beside.
    pub passed: u8,
    /// Whether the colour has had a promotion: then a relaxed man of it may be anywhere.
    pub promoted: [bool; 2],
    /// Squares of the exact men.
    pub exact: [u8; EXACT],
}

impl State {
    /// The state as a key: pawns, and everything else packed into one word.
    pub fn key(&self) -> Key<3> {
        let mut rest = 0;
        for square in self.exact.iter().chain(&self.kings).chain([&self.passed]) {
            rest = rest << 7 | u64::from(*square);
        }
        rest = rest << 1 | u64::from(self.turn == Color::White);
        Key([
            self.pawns[0],
            self.pawns[1] | u64::from(self.promoted[0]) | u64::from(self.promoted[1]) << 63,
            rest,
        ])
    }

    /// The state of a key.
    pub fn of(key: Key<3>) -> State {
        let [white, black, rest] = key.0;
        let square = |place: u32| (rest >> (1 + 7 * place) & 127) as u8;
        State {
            pawns: [white, black & !(1 | 1 << 63)],
            kings: [square(2), square(1)],
            turn: Color::from_white(rest & 1 == 1),
            passed: square(0),
            promoted: [black & 1 != 0, black >> 63 != 0],
            exact: [square(8), square(7), square(6), square(5), square(4), square(3)],
        }
    }
}

/// What the relaxed men of one colour can do.
#[derive(Clone, Debug, Default)]
pub(super) struct Relaxed {
    /// Squares where one may stand.
    pub region: u64,
    /// Squares that one may attack.
    pub attacks: u64,
    /// Squares of those that move diagonally, and along ranks and files.
    pub diagonal: u64,
    pub straight: u64,
    /// Whether one of them may move without anything exact changing.
    pub mobile: bool,
    /// The region of each.
    pub regions: Vec<u64>,
}

impl Relaxed {
    fn anything() -> Relaxed {
        Relaxed { region: !0, attacks: !0, diagonal: !0, straight: !0, mobile: true, regions: Vec::new() }
    }
}

/// One projection of a position.
#[derive(Clone, Debug)]
pub(super) struct Projection {
    pub side: Color,
    /// The exact men.
    pub exact: Vec<Man>,
    /// Men that never move and are never taken; neither pawns nor kings.
    pub fixed: Vec<Man>,
    pub relaxed: [Relaxed; 2],
    pub anything: Relaxed,
    pub king_region: [u64; 2],
    pub pawn_region: [u64; 2],
}

/// What a projection came to.
pub(super) enum Outcome {
    /// No reachable state admits a mate: all of them.
    Closed(Vec<Key<3>>),
    /// A state may be mate, or there are too many.
    Open,
}

/// A closed projection: why `side` never mates.
#[derive(Clone, Debug)]
pub(super) struct Closed {
    pub exact: Vec<u8>,
    pub states: Vec<Key<3>>,
}

/// Whether some projection with at most `cap` states shows that `side` never mates.
///
/// The position must not be one on which mate already stands.
#[must_use]
pub fn projection_cannot_mate(position: &Chess, side: Color, cap: usize) -> bool {
    let regions = Regions::of(position, Promotion::Allowed);
    ladder(position, &regions, side, cap, &mut 0).is_some()
}

/// Tries one set of exact men after the other. Adds half the states made to `nodes`.
pub(super) fn ladder(
    position: &Chess,
    regions: &Regions,
    side: Color,
    cap: usize,
    nodes: &mut u64,
) -> Option<Closed> {
    if position.castles().any() {
        return None;
    }
    let men = |wanted: &dyn Fn(&Man) -> bool| {
        let chosen =
            regions.men().iter().filter(|man| is_piece(man) && !regions.is_frozen(man) && wanted(man));
        chosen.fold(0, |all, man| all | bit(man.square))
    };
    let non_bishops = men(&|man| man.color == side && man.role != Role::Bishop);
    let (theirs, ours) = (men(&|man| man.color != side), men(&|man| man.color == side));
    let sets = [
        0,
        theirs,
        non_bishops,
        theirs | non_bishops,
        ours,
        theirs & DARK,
        ours & DARK,
        theirs & !DARK,
        ours & !DARK,
    ];
    for (i, &set) in sets.iter().enumerate() {
        if set.count_ones() as usize > EXACT || sets[..i].contains(&set) {
            continue;
        }
        let projection = Projection::new(regions, side, set);
        if let Outcome::Closed(states) = projection.explore(position, cap, nodes) {
            let exact = projection.exact.iter().map(|man| man.square).collect();
            return Some(Closed { exact, states });
        }
    }
    None
}

fn is_piece(man: &Man) -> bool {
    !matches!(man.role, Role::Pawn | Role::King)
}

impl Projection {
    /// The projection that keeps the men on the squares of `exact`.
    pub fn new(regions: &Regions, side: Color, exact: u64) -> Projection {
        let mut projection = Projection {
            side,
            exact: Vec::new(),
            fixed: Vec::new(),
            relaxed: [Relaxed::default(), Relaxed::default()],
            anything: Relaxed::anything(),
            king_region: [regions.king(Color::White).region, regions.king(Color::Black).region],
            pawn_region: [0; 2],
        };
        for man in regions.men() {
            let relaxed = &mut projection.relaxed[index(man.color)];
            match man.role {
                Role::King => {}
                Role::Pawn => projection.pawn_region[index(man.color)] |= man.region,
                _ if exact & bit(man.square) != 0 => projection.exact.push(*man),
                _ if regions.is_frozen(man) => projection.fixed.push(*man),
                role => {
                    relaxed.region |= man.region;
                    relaxed.attacks |= regions.attacks_of(man);
                    relaxed.mobile |= man.region & (man.region - 1) != 0;
                    relaxed.regions.push(man.region);
                    if matches!(role, Role::Bishop | Role::Queen) {
                        relaxed.diagonal |= man.region;
                    }
                    if matches!(role, Role::Rook | Role::Queen) {
                        relaxed.straight |= man.region;
                    }
                }
            }
        }
        projection
    }

    /// The relaxed men of a colour in a state.
    pub fn relaxed(&self, state: &State, color: Color) -> &Relaxed {
        if state.promoted[index(color)] { &self.anything } else { &self.relaxed[index(color)] }
    }

    /// The state of the real position.
    pub fn start(&self, position: &Chess) -> State {
        let board = position.board();
        let king = |color| board.king_of(color).map_or(NOWHERE, |king| king as u8);
        let passed = position.maybe_ep_square().map_or(NOWHERE, |square| {
            let beside = pawn_captures(!position.turn(), bit(square as u8));
            let capturers = u64::from(board.pawns() & position.us());
            if beside & capturers == 0 { NOWHERE } else { square as u8 }
        });
        let mut exact = [NOWHERE; EXACT];
        for (place, man) in exact.iter_mut().zip(&self.exact) {
            *place = man.square;
        }
        State {
            pawns: [u64::from(board.pawns() & board.white()), u64::from(board.pawns() & board.black())],
            kings: [king(Color::White), king(Color::Black)],
            turn: position.turn(),
            passed,
            promoted: [false; 2],
            exact,
        }
    }

    /// Depth-first over all states, up to the first that may be mate.
    pub fn explore(&self, position: &Chess, cap: usize, nodes: &mut u64) -> Outcome {
        let start = self.start(position);
        let mut seen = ExactSet::new();
        seen.insert(start.key());
        let mut stack = vec![start];
        let mut successors = Successors::default();
        let mut made = 0;
        let outcome = loop {
            let Some(state) = stack.pop() else { break Outcome::Closed(seen.into_keys()) };
            let open = successors.fill(self, &state);
            made += successors.states.len() as u64 + 1;
            if open || seen.len() + successors.states.len() > cap {
                break Outcome::Open;
            }
            stack.extend(successors.states.iter().filter(|next| seen.insert(next.key())));
        };
        *nodes += made.div_ceil(2);
        outcome
    }
}

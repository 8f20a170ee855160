//! The every-ply look: cheap proofs for both sides in one call.

use shakmaty::{Bitboard, ByColor, Chess, Color, Move, Position};

use super::material::material_cannot_mate;
use super::mating::can_be_mated;
use super::position_set::{ExactSet, PositionKey};
use super::regions::{Promotion, Regions};
use super::squares::{
    diagonal_steps, file_fill, king_steps, knight_steps, pawn_captures, pawn_pushes, straight_steps,
};
use super::tempo::tempo_cannot_mate;

/// Legal moves up to which the fixpoint is computed though some pawn is free to run.
const FIXPOINT_MOVES: usize = 15;
/// Free pushes, of both sides, up to which it is computed when every pawn has an enemy pawn in front of it.
const BLOCKED_PUSHES: u32 = 6;
/// Legal moves up to which a position counts as forced.
const FORCED_MOVES: usize = 8;
/// Legal moves up to which the walk goes on at a position.
const WIDE: usize = 8;
/// Moves that one walk makes at most; a fixpoint on the way counts as several.
const WALK_MOVES: u32 = 2_000;
const FIXPOINT_WEIGHT: u32 = 3;

/// By what the look proved that a side cannot mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuickProof {
    /// There is no legal move, and no mate by the side on the board.
    NoMoves,
    /// The material rule.
    Material,
    /// The regions of the fixpoint.
    Regions,
    /// The tempo count.
    Tempo,
    /// All forced lines end in positions of the kinds above, or in repetition.
    ForcedLines,
}

/// What the look saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct QuickLook {
    /// Per colour, the proof that it can never mate; `None` where nothing is proved.
    pub cannot_mate: ByColor<Option<QuickProof>>,
    /// Whether something is left open in a position of a kind that is often dead: blocked pawns or few moves. Then
    /// a full search is worth its while, once for each pawn structure with its material.
    pub worth_a_search: bool,
}

impl QuickLook {
    /// Whether it is proved that neither side can ever mate.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.cannot_mate.iter().all(Option::is_some)
    }
}

/// Looks for cheap proofs that a side can never mate, for both sides at once.
///
/// ```
/// use arbiter::law::dead_position::quick_look;
/// use shakmaty::{CastlingMode, Chess, fen::Fen};
///
/// let fen: Fen = "7k/8/8/p1p1p1p1/P1P1P1P1/8/8/4bB1K b - - 0 1".parse()?;
/// let walled: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert!(quick_look(&walled).is_dead());
/// assert!(!quick_look(&Chess::default()).is_dead());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn quick_look(position: &Chess) -> QuickLook {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return finished(position);
    }
    let board = position.board();
    let mut cannot_mate =
        ByColor::new_with(|color| material_cannot_mate(board, color).then_some(QuickProof::Material));
    let settled = |found: &ByColor<Option<QuickProof>>| found.iter().all(Option::is_some);
    if settled(&cannot_mate) {
        return QuickLook { cannot_mate, worth_a_search: false };
    }
    let blocked = board.pawns().any() && !has_free_pawn(position);
    let mut walled = false;
    if moves.len() <= FIXPOINT_MOVES || (blocked && pawn_moves(position) <= BLOCKED_PUSHES) {
        walled = look_at_regions(position, blocked, &mut cannot_mate);
    }
    for color in Color::ALL {
        let found = cannot_mate.get_mut(color);
        if found.is_none() && tempo_cannot_mate(position, color) {
            *found = Some(QuickProof::Tempo);
        }
    }
    if moves.len() <= FORCED_MOVES && !settled(&cannot_mate) {
        walk_forced_lines(position, &moves, &mut cannot_mate);
    }
    let few = moves.len() <= FORCED_MOVES || is_boxed_in(position, !position.turn());
    let worth_a_search = !settled(&cannot_mate) && (walled || few);
    QuickLook { cannot_mate, worth_a_search }
}

/// The pawns of both sides that could be pushed.
fn pawn_moves(position: &Chess) -> u32 {
    let board = position.board();
    let of = |color: Color| {
        let pawns = u64::from(board.pawns() & board.by_color(color));
        (pawn_pushes(color, pawns) & !u64::from(board.occupied())).count_ones()
    };
    of(Color::White) + of(Color::Black)
}

/// Proves what the fixpoint proves. Whether it leaves a side open that has no way to promote from blocked pawns.
fn look_at_regions(position: &Chess, blocked: bool, cannot_mate: &mut ByColor<Option<QuickProof>>) -> bool {
    let mut open = Color::ALL.map(|color| cannot_mate.get(color).is_none());
    let regions = Regions::grown_while(position, Promotion::Allowed, |regions| {
        for (open, color) in open.iter_mut().zip(Color::ALL) {
            *open &= !can_be_mated(regions, color);
        }
        let stays = |color| blocked && !regions.side(color).promotes;
        open.contains(&true) || Color::ALL.into_iter().any(stays)
    });
    let mut walled = false;
    for (open, color) in open.into_iter().zip(Color::ALL) {
        let found = cannot_mate.get_mut(color);
        if open && !can_be_mated(&regions, color) {
            *found = Some(QuickProof::Regions);
        }
        walled |= found.is_none() && blocked && !regions.side(color).promotes;
    }
    walled
}

/// Proves what the forced lines prove. The first position that a walk comes to is looked at for both sides at once:
/// in ordinary games it is where every walk ends.
fn walk_forced_lines(position: &Chess, moves: &[Move], cannot_mate: &mut ByColor<Option<QuickProof>>) {
    let mut hopeless = [false; 2];
    if let Some(m) = moves.last() {
        let mut next = position.clone();
        next.play_unchecked(*m);
        if next.legal_moves().len() > WIDE {
            hopeless = left_open(&next, *m);
        }
    }
    for (color, hopeless) in Color::ALL.into_iter().zip(hopeless) {
        let found = cannot_mate.get_mut(color);
        if found.is_none() && !hopeless && Walk::new(color).is_closed(position, moves) {
            *found = Some(QuickProof::ForcedLines);
        }
    }
}

/// For both colours, whether neither material nor, without a free pawn, the fixpoint denies them the mate.
fn left_open(position: &Chess, by: Move) -> [bool; 2] {
    let regions = (!has_free_pawn(position)).then(|| Regions::of(position, Promotion::Allowed));
    Color::ALL.map(|color| {
        let material =
            (by.is_capture() || by.is_promotion()) && material_cannot_mate(position.board(), color);
        !material && regions.as_ref().is_none_or(|regions| can_be_mated(regions, color))
    })
}

/// Whether a side has so few squares to go to that play may be forced.
fn is_boxed_in(position: &Chess, color: Color) -> bool {
    let board = position.board();
    let (own, other) = (u64::from(board.by_color(color)), u64::from(board.by_color(!color)));
    let of = |kind: Bitboard, side: u64| u64::from(kind) & side;
    let pawns = of(board.pawns(), own);
    let denied = king_steps(of(board.kings(), other)) | pawn_captures(!color, of(board.pawns(), other));
    let squares = [
        knight_steps(of(board.knights(), own)) & !own,
        diagonal_steps(of(board.bishops_and_queens(), own)) & !own,
        straight_steps(of(board.rooks_and_queens(), own)) & !own,
        king_steps(of(board.kings(), own)) & !own & !denied,
        pawn_pushes(color, pawns) & !(own | other),
        pawn_captures(color, pawns) & other,
    ];
    squares.into_iter().map(|set| set.count_ones() as usize).sum::<usize>() <= FORCED_MOVES
}

fn finished(position: &Chess) -> QuickLook {
    let mated = position.is_check();
    let cannot_mate = ByColor::new_with(|color| {
        let mates = mated && color != position.turn();
        (!mates).then_some(QuickProof::NoMoves)
    });
    QuickLook { cannot_mate, worth_a_search: false }
}

/// Whether some pawn has no enemy pawn in front of it on its file.
fn has_free_pawn(position: &Chess) -> bool {
    let board = position.board();
    let white = u64::from(board.pawns() & board.white());
    let black = u64::from(board.pawns() & board.black());
    white & !file_fill(Color::Black, black) != 0 || black & !file_fill(Color::White, white) != 0
}

/// A position with the moves still to be tried.
struct Frame {
    position: Chess,
    moves: [Move; WIDE],
    left: usize,
}

/// An exact walk through forced lines: depth-first over all positions as long as there are few moves.
struct Walk {
    side: Color,
    made: u32,
    seen: Seen,
}

impl Walk {
    fn new(side: Color) -> Walk {
        Walk { side, made: 0, seen: Seen { few: [PositionKey::NONE; FEW], count: 0, many: None } }
    }

    /// Whether every reachable position was looked at, or proved, and none is a mate by the side.
    fn is_closed(&mut self, root: &Chess, moves: &[Move]) -> bool {
        let Some(frame) = Frame::new(root.clone(), moves) else { return false };
        self.seen.insert(PositionKey::of(root));
        let mut stack = vec![frame];
        while let Some(frame) = stack.last_mut() {
            if frame.left == 0 {
                stack.pop();
                continue;
            }
            frame.left -= 1;
            let m = frame.moves[frame.left];
            let mut next = frame.position.clone();
            next.play_unchecked(m);
            self.made += 1;
            if self.made > WALK_MOVES {
                return false;
            }
            if !self.seen.insert(PositionKey::of(&next)) {
                continue;
            }
            match self.enter(next, m) {
                Entered::Proved => {}
                Entered::Open(frame) => stack.push(frame),
                Entered::TooWide => return false,
            }
        }
        true
    }

    fn enter(&mut self, position: Chess, by: Move) -> Entered {
        let changes = by.is_capture() || by.is_promotion();
        let moves = position.legal_moves();
        if moves.is_empty() {
            let mate = position.turn() != self.side && position.is_check();
            return if mate { Entered::TooWide } else { Entered::Proved };
        }
        if changes && material_cannot_mate(position.board(), self.side) {
            return Entered::Proved;
        }
        let wide = moves.len() > WIDE;
        if (by.is_zeroing() || wide) && (!wide || !has_free_pawn(&position)) {
            self.made += FIXPOINT_WEIGHT;
            if !can_be_mated(&Regions::of(&position, Promotion::Allowed), self.side) {
                return Entered::Proved;
            }
        }
        Frame::new(position, &moves).map_or(Entered::TooWide, Entered::Open)
    }
}

enum Entered {
    /// No mate comes after this position.
    Proved,
    /// Its moves are to be tried.
    Open(Frame),
    /// A mate, or more moves than the walk goes into.
    TooWide,
}

impl Frame {
    fn new(position: Chess, moves: &[Move]) -> Option<Frame> {
        let first = *moves.first()?;
        let mut own = [first; WIDE];
        own.get_mut(..moves.len())?.copy_from_slice(moves);
        Some(Frame { position, moves: own, left: moves.len() })
    }
}

const FEW: usize = 24;

/// The positions seen: a short list, and a hashed set when it overflows.
struct Seen {
    few: [PositionKey; FEW],
    count: usize,
    many: Option<ExactSet<4>>,
}

impl Seen {
    fn insert(&mut self, key: PositionKey) -> bool {
        if let Some(many) = &mut self.many {
            return many.insert(key);
        }
        if self.few[..self.count].contains(&key) {
            return false;
        }
        if self.count < FEW {
            self.few[self.count] = key;
            self.count += 1;
            return true;
        }
        let many = self.many.insert(ExactSet::new());
        for key in self.few {
            many.insert(key);
        }
        many.insert(key)
    }
}

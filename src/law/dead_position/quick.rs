//! The every-ply look: cheap proofs for both sides in one call.

use shakmaty::{Bitboard, ByColor, Chess, Color, Move, Position};

use super::material::material_cannot_mate;
use super::mating::can_be_mated;
use super::regions::{Promotion, Regions};
use super::squares::{diagonal_steps, king_steps, knight_steps, pawn_captures, pawn_pushes, straight_steps};
use super::tempo::decided_by_tempo;
use super::walk::{WALK_MOVES, WALK_MOVES_AGAIN, closed_walks};
use super::wide::{has_free_pawn, pawn_moves, surely_more_than, surely_open};

/// Legal moves up to which the fixpoint is computed though some pawn is free to run.
const FIXPOINT_MOVES: usize = 15;
/// Free pushes, of both sides, up to which it is computed when every pawn has an enemy pawn in front of it.
const BLOCKED_PUSHES: u32 = 6;
/// Legal moves up to which a position counts as forced.
const FORCED_MOVES: usize = 8;

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
    if surely_more_than(position, FIXPOINT_MOVES as u32) {
        return look(position, None, WALK_MOVES);
    }
    quick_look_among(position, &position.legal_moves(), false)
}

/// As [`quick_look`], for who has the legal moves of the position already: `legal` is all of them.
///
/// `searched` says that an earlier position with the same pawns and the same material was searched in full: then less
/// is spent on forced lines, which are short where they have come up since.
pub fn quick_look_among(position: &Chess, legal: &[Move], searched: bool) -> QuickLook {
    if legal.is_empty() {
        return finished(position);
    }
    let walk_moves = if searched { WALK_MOVES_AGAIN } else { WALK_MOVES };
    look(position, (legal.len() <= FIXPOINT_MOVES).then_some(legal), walk_moves)
}

/// The look at a position with legal moves: all of them, unless there are many.
fn look(position: &Chess, few: Option<&[Move]>, walk_moves: u32) -> QuickLook {
    let board = position.board();
    let mut cannot_mate =
        ByColor::new_with(|color| material_cannot_mate(board, color).then_some(QuickProof::Material));
    let settled = |found: &ByColor<Option<QuickProof>>| found.iter().all(Option::is_some);
    if settled(&cannot_mate) {
        return QuickLook { cannot_mate, worth_a_search: false };
    }
    let blocked = board.pawns().any() && !has_free_pawn(position);
    let mut walled = false;
    if few.is_some() || (blocked && pawn_moves(position) <= BLOCKED_PUSHES) {
        walled = look_at_regions(position, blocked, &mut cannot_mate);
    }
    if !settled(&cannot_mate) {
        for (color, decided) in Color::ALL.into_iter().zip(decided_by_tempo(position)) {
            let found = cannot_mate.get_mut(color);
            if found.is_none() && decided {
                *found = Some(QuickProof::Tempo);
            }
        }
    }
    let forced = few.filter(|moves| moves.len() <= FORCED_MOVES);
    if let Some(moves) = forced
        && !settled(&cannot_mate)
    {
        let open = Color::ALL.map(|color| cannot_mate.get(color).is_none());
        for (color, closed) in Color::ALL.into_iter().zip(closed_walks(position, moves, walk_moves, open)) {
            if closed {
                *cannot_mate.get_mut(color) = Some(QuickProof::ForcedLines);
            }
        }
    }
    let worth_a_search =
        !settled(&cannot_mate) && (walled || forced.is_some() || is_boxed_in(position, !position.turn()));
    QuickLook { cannot_mate, worth_a_search }
}

/// Proves what the fixpoint proves. Whether it leaves a side open that has no way to promote from blocked pawns.
fn look_at_regions(position: &Chess, blocked: bool, cannot_mate: &mut ByColor<Option<QuickProof>>) -> bool {
    let mut open = Color::ALL.map(|color| cannot_mate.get(color).is_none() && !surely_open(position, color));
    if !blocked && open == [false; 2] {
        return false;
    }
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

//! Exact walks through forced lines, where there are few moves at every turn.

use shakmaty::{Chess, Color, Move, Position};

use super::material::material_cannot_mate;
use super::mating::can_be_mated;
use super::position_set::{ExactSet, PositionKey};
use super::regions::{Promotion, Regions};
use super::wide::{has_free_pawn, surely_more_than, surely_open};

/// Legal moves up to which the walk goes on at a position.
const WIDE: usize = 8;
/// Moves that one walk makes at most; a fixpoint on the way counts as several.
pub(super) const WALK_MOVES: u32 = 2_000;
/// The same where a walk through this structure and a full search of it have failed before: lines that have become
/// shorter since are still found, at a cost that many plies can bear.
pub(super) const WALK_MOVES_AGAIN: u32 = 100;
const FIXPOINT_WEIGHT: u32 = 3;
/// Moves after which a walk is long: then few positions are wide, and it does not pay to look for signs of it first.
const SHORT: u32 = 24;

/// For both colours, whether it is `open` and the forced lines from a position prove that it never mates. `moves` are
/// all its legal moves. A walk makes no more than `most` moves.
///
/// The positions one ply on are looked at for both sides at once: in ordinary games one of them ends every walk.
pub(super) fn closed_walks(position: &Chess, moves: &[Move], most: u32, mut open: [bool; 2]) -> [bool; 2] {
    for m in moves.iter().rev() {
        let mut next = position.clone();
        next.play_unchecked(*m);
        if surely_more_than(&next, WIDE as u32) {
            for (open, color) in open.iter_mut().zip(Color::ALL) {
                *open = *open && is_proved_wide(&next, *m, color);
            }
            if open == [false; 2] {
                return open;
            }
        }
    }
    for (open, color) in open.iter_mut().zip(Color::ALL) {
        *open = *open && Walk::new(color, most).is_closed(position, moves);
    }
    open
}

/// Whether material or, without a free pawn, the fixpoint denies a side the mate after a move to a position that
/// the walk does not go into.
fn is_proved_wide(position: &Chess, by: Move, side: Color) -> bool {
    let changes = by.is_capture() || by.is_promotion();
    (changes && material_cannot_mate(position.board(), side))
        || (!has_free_pawn(position) && is_proved_by_regions(position, side))
}

fn is_proved_by_regions(position: &Chess, side: Color) -> bool {
    !surely_open(position, side) && !can_be_mated(&Regions::of(position, Promotion::Allowed), side)
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
    most: u32,
    seen: Seen,
}

impl Walk {
    fn new(side: Color, most: u32) -> Walk {
        Walk { side, made: 0, most, seen: Seen { few: [PositionKey::NONE; FEW], count: 0, many: None } }
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
            if self.made > self.most {
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
        if self.made <= SHORT && surely_more_than(&position, WIDE as u32) {
            self.made += FIXPOINT_WEIGHT;
            let proved = is_proved_wide(&position, by, self.side);
            return if proved { Entered::Proved } else { Entered::TooWide };
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            let mate = position.turn() != self.side && position.is_check();
            return if mate { Entered::TooWide } else { Entered::Proved };
        }
        let changes = by.is_capture() || by.is_promotion();
        if changes && material_cannot_mate(position.board(), self.side) {
            return Entered::Proved;
        }
        let wide = moves.len() > WIDE;
        if (by.is_zeroing() || wide) && (!wide || !has_free_pawn(&position)) {
            self.made += FIXPOINT_WEIGHT;
            if is_proved_by_regions(&position, self.side) {
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

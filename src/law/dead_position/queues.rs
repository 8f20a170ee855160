//! The order in which the search looks at positions: four queues, each with its own idea of what is promising.
//! Nothing here decides an answer.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::force::Force;
use super::squares::{CORNERS, DARK, bit, distance, king_steps, pawn_captures};
use super::tally::Counts;

/// A hasher for values that are mixed already.
#[derive(Clone, Copy, Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0, u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 ^= value;
    }
}

/// A set of mixed values.
pub(super) type MixedSet = HashSet<u64, BuildHasherDefault<Mixed>>;

/// Mixes one more value into a hash.
pub(super) const fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash.rotate_left(29) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

/// A priority queue of small integers, last in first out among equals.
#[derive(Debug, Default)]
struct Buckets {
    buckets: Vec<Vec<u32>>,
    lowest: usize,
}

impl Buckets {
    fn push(&mut self, priority: u32, id: u32) {
        let priority = priority as usize;
        if priority >= self.buckets.len() {
            self.buckets.resize_with(priority + 1, Vec::new);
        }
        self.buckets[priority].push(id);
        self.lowest = self.lowest.min(priority);
    }

    fn pop(&mut self) -> Option<u32> {
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some(id) = bucket.pop() {
                return Some(id);
            }
            self.lowest += 1;
        }
        None
    }
}

/// The pattern value where there is no square to mate on.
const NO_PATTERN: u32 = 200;
/// The corners as a set.
const CORNER_SQUARES: u64 = 0x8100_0000_0000_0081;

/// The priorities of a position in the three ordered queues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Priorities {
    pub corner: u32,
    pub novelty: u32,
    pub pattern: u32,
    pub corner_pattern: u32,
}

/// The four queues. Each position is put into all of them.
#[derive(Debug, Default)]
pub(super) struct Queues {
    corner: Buckets,
    novelty: Buckets,
    pattern: Buckets,
    corner_pattern: Buckets,
    oldest: VecDeque<u32>,
    turn: usize,
}

impl Queues {
    /// Adds a position.
    pub fn push(&mut self, id: u32, priorities: Priorities) {
        self.corner.push(priorities.corner, id);
        self.novelty.push(priorities.novelty, id);
        self.pattern.push(priorities.pattern, id);
        if priorities.corner_pattern < NO_PATTERN {
            self.corner_pattern.push(priorities.corner_pattern, id);
        }
        self.oldest.push_back(id);
    }

    /// The next position, perhaps one that another queue gave before. None when all are empty.
    pub fn pop(&mut self, young: bool) -> Option<u32> {
        let plan: &[u8] = if young { &[0, 1, 3, 4] } else { &[0, 1, 3, 4, 0, 1, 3, 0, 2] };
        self.turn = (self.turn + 1) % plan.len();
        match plan[self.turn] {
            0 => self.corner.pop(),
            1 => self.novelty.pop(),
            2 => self.oldest.pop_front(),
            4 => self.corner_pattern.pop(),
            _ => self.pattern.pop(),
        }
        .or_else(|| self.oldest.pop_front())
    }
}

/// The signature of a position: pawns and the numbers of all pieces, bishops by the colour of their squares.
pub(super) fn signature(board: &Board) -> u64 {
    let pawns = board.pawns();
    let mut hash = mix(u64::from(pawns & board.white()), u64::from(pawns & board.black()));
    for color in Color::ALL {
        let own = board.by_color(color);
        let count = |set: Bitboard| (set & own).count() as u64;
        let dark = Bitboard(DARK);
        let counts = count(board.knights())
            | count(board.bishops() & dark) << 8
            | count(board.bishops() & !dark) << 16
            | count(board.rooks()) << 24
            | count(board.queens()) << 32;
        hash = mix(hash, counts);
    }
    hash
}

/// The heuristics of one question.
#[derive(Debug)]
pub(super) struct Heuristics {
    side: Color,
    mating: u64,
    signatures: MixedSet,
    arrivals: MixedSet,
}

impl Heuristics {
    /// For `side`, which may mate on the squares of `mating`.
    pub fn new(side: Color, mating: u64) -> Heuristics {
        Heuristics { side, mating, signatures: MixedSet::default(), arrivals: MixedSet::default() }
    }

    /// The priorities of a position reached by moving a man of `role` to `to`.
    pub fn rate(&mut self, board: &Board, turn: Color, signature: u64, role: Role, to: Square) -> Priorities {
        let force = Force::of(board, self.side);
        let corner = corner_value(board, &force);
        let arrival = mix(signature, u64::from(to.to_u32()) << 8 | (role as u64) << 1 | turn as u64);
        let novelty =
            2 * u32::from(self.signatures.insert(signature)) + u32::from(self.arrivals.insert(arrival));
        let (pattern, corner_pattern) = self.pattern_values(board, &force);
        Priorities { corner, novelty: 64 * (2 - novelty.min(2)) + corner.min(63), pattern, corner_pattern }
    }

    /// How nearly a mate stands round the best of the squares on which one may come about, and of the corners.
    fn pattern_values(&self, board: &Board, force: &Force) -> (u32, u32) {
        let king = force.other_king;
        let attacked = attacks_of(board, self.side, bit(king));
        let own = attacked | king_steps(bit(force.own_king));
        let helped = attacks_of(board, !self.side, 0);
        let open = !(own | (force.other & !bit(king)));
        let lacks = Counts::of_neighbours(open).plus(Counts::of_neighbours(open & !helped));
        let checked = 4 * u32::from(attacked & bit(king) != 0);
        let best_of = |squares: u64| {
            let mut best = NO_PATTERN;
            let (mut away, mut near) = (0, bit(king));
            let mut left = squares;
            while left != 0 && away < best {
                if let Some(least) = lacks.least(left & near) {
                    let value = 4 + away + 4 * least;
                    best = best.min(if away == 0 { value - checked } else { value });
                }
                left &= !near;
                near |= king_steps(near);
                away += 3;
            }
            best
        };
        let corners = best_of(self.mating & CORNER_SQUARES);
        (best_of(self.mating & !CORNER_SQUARES).min(corners), corners)
    }
}

/// How far the kings are from a mate in a corner, and the side from having the men for it.
fn corner_value(board: &Board, force: &Force) -> u32 {
    let near = |corner: u8| {
        3 * distance(force.other_king, corner) + 2 * distance(force.own_king, corner).abs_diff(2)
    };
    let any = CORNERS.into_iter().map(near).min().unwrap_or(0);
    let pawns = (force.other & force.pawns).count_ones();
    let pieces = force.other.count_ones() - pawns;
    if force.own_heavy {
        return any + 3 * pieces + pawns;
    }
    let allowed = force.corners(board);
    let fit = CORNERS.into_iter().zip(allowed).filter(|(_, fit)| *fit).map(|(corner, _)| near(corner)).min();
    let by_minors = fit.unwrap_or(any) + 4 * force.minor_stage(board);
    match force.pawn_stage() {
        Some(stage) => by_minors.min(any + 4 * stage) + 3 * pieces + pawns,
        None => by_minors,
    }
}

/// The squares that the men of `color` other than its king attack; `through` does not block.
fn attacks_of(board: &Board, color: Color, through: u64) -> u64 {
    let own = u64::from(board.by_color(color));
    let occupied = Bitboard(u64::from(board.occupied()) & !through);
    let mut seen = pawn_captures(color, own & u64::from(board.pawns()));
    let pieces = Bitboard(own) & !board.pawns() & !board.kings();
    for square in pieces {
        if let Some(role) = board.role_at(square) {
            seen |= u64::from(attacks::attacks(square, role.of(color), occupied));
        }
    }
    seen
}

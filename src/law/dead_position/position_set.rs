//! Sets with exact keys: two positions have one key only if they are the same position.

use shakmaty::{CastlingSide, Chess, Color, Position};

use super::squares::{bit, pawn_captures};

/// A key of so many words.
///
/// That of a position has four bits a square. Pieces are 1 to 6, plus 8 for Black. The white king is 7 when White is to move; a rook with
/// a castling right is 15 (its rank tells whose); 8 on an empty square is a pawn's passed square, while some enemy
/// pawn stands beside the pawn that passed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key<const N: usize>(pub [u64; N]);

/// The key of a real position.
pub(super) type PositionKey = Key<4>;

impl PositionKey {
    /// The key of no position.
    pub const NONE: PositionKey = Key([0; 4]);

    /// The key of a position. Counters are no part of it.
    pub fn of(position: &Chess) -> PositionKey {
        let board = position.board();
        let [pawns, knights, bishops, rooks, queens, kings]: [u64; 6] = [
            board.pawns().into(),
            board.knights().into(),
            board.bishops().into(),
            board.rooks().into(),
            board.queens().into(),
            board.kings().into(),
        ];
        let to_move = if position.turn() == Color::White { kings & u64::from(board.white()) } else { 0 };
        let rights = castling_rooks(position);
        let passed = position.maybe_ep_square().map_or(0, |square| {
            let passed = bit(square as u8);
            let beside = pawn_captures(!position.turn(), passed) & pawns & u64::from(position.us());
            if beside == 0 { 0 } else { passed }
        });
        Key([
            pawns | bishops | queens | to_move | rights,
            knights | bishops | kings | rights,
            rooks | queens | kings | rights,
            u64::from(board.black()) | passed | rights,
        ])
    }
}

impl<const N: usize> Key<N> {
    fn slot(&self, mask: usize) -> usize {
        let mut hash = 0_u64;
        for plane in self.0 {
            hash = (hash.rotate_left(23) ^ plane).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 32;
        }
        hash as usize & mask
    }
}

fn castling_rooks(position: &Chess) -> u64 {
    let castles = position.castles();
    if castles.is_empty() {
        return 0;
    }
    let mut rooks = 0;
    for color in Color::ALL {
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            rooks |= castles.rook(color, side).map_or(0, |rook| bit(rook as u8));
        }
    }
    rooks
}

/// Keys in the order in which they were first seen, found again by open addressing.
#[derive(Debug)]
pub(super) struct ExactSet<const N: usize> {
    keys: Vec<Key<N>>,
    slots: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl<const N: usize> ExactSet<N> {
    /// An empty set.
    pub fn new() -> ExactSet<N> {
        ExactSet { keys: Vec::new(), slots: vec![EMPTY; 256] }
    }

    /// Adds a key; whether it is new.
    pub fn insert(&mut self, key: Key<N>) -> bool {
        if self.keys.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = key.slot(mask);
        while self.slots[slot] != EMPTY {
            if self.keys[self.slots[slot] as usize] == key {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = self.keys.len() as u32;
        self.keys.push(key);
        true
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The keys in the order in which they were added.
    pub fn into_keys(self) -> Vec<Key<N>> {
        self.keys
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 4;
        let mut slots = vec![EMPTY; size];
        for (id, key) in self.keys.iter().enumerate() {
            let mut slot = key.slot(size - 1);
            while slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = id as u32;
        }
        self.slots = slots;
    }
}

//! The transposition table: what an earlier visit to a position found out.

use shakmaty::{Move, Square, zobrist::Zobrist64};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// A move in sixteen bits, unique among the legal moves of a position. Zero is no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedMove(u16);

impl PackedMove {
    /// A number that tells the moves of a position apart.
    pub fn bits(self) -> u64 {
        u64::from(self.0)
    }
}

impl From<Move> for PackedMove {
    fn from(chess_move: Move) -> PackedMove {
        let from = chess_move.from().map_or(0, Square::to_u32);
        let promotion = chess_move.promotion().map_or(0, |role| role as u32);
        PackedMove((from | chess_move.to().to_u32() << 6 | promotion << 12) as u16)
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The move that was best or refuted the position.
    pub best: PackedMove,
    /// The score, mates counted from this position.
    pub score: i32,
    /// How deep the position was searched.
    pub depth: i32,
    /// What the score means.
    pub bound: Bound,
}

/// A hash table of fixed size, one entry a slot.
///
/// A slot is the position's key and the packed entry. Plain integers, so that the system hands out zeroed
/// memory lazily: a table that is never written to costs nothing, and clearing it means asking anew.
pub struct TranspositionTable {
    slots: Vec<[u64; 2]>,
    generation: u8,
    written_to: bool,
}

const SLOTS_PER_MEBIBYTE: usize = 1024 * 1024 / size_of::<[u64; 2]>();

impl TranspositionTable {
    /// An empty table of that many mebibytes.
    pub fn new(mebibytes: usize) -> TranspositionTable {
        let slots = vec![[0; 2]; mebibytes.max(1) * SLOTS_PER_MEBIBYTE];
        TranspositionTable { slots, generation: 0, written_to: false }
    }

    /// Forgets everything. Free if nothing was written.
    pub fn clear(&mut self) {
        if self.written_to {
            let size = self.slots.len();
            self.slots = Vec::new(); // give the old memory back before asking for new
            self.slots = vec![[0; 2]; size];
        }
        self.generation = 0;
        self.written_to = false;
    }

    /// Marks the entries of earlier searches as old, so that new ones may replace them.
    pub fn start_search(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// What is known of the position with that key.
    pub fn probe(&self, key: Zobrist64) -> Option<Entry> {
        let [stored_key, data] = self.slots[self.index(key)];
        (stored_key == key.0 && data != 0).then(|| unpack(data))
    }

    /// Remembers the entry, unless the slot holds a deeper one of this search about another position.
    pub fn store(&mut self, key: Zobrist64, entry: Entry) {
        let index = self.index(key);
        let [stored_key, data] = self.slots[index];
        let keep_old = data != 0
            && stored_key != key.0
            && generation_of(data) == self.generation
            && unpack(data).depth > entry.depth;
        if !keep_old {
            self.slots[index] = [key.0, pack(entry, self.generation)];
            self.written_to = true;
        }
    }

    /// How full the table is with entries of this search, in permill.
    pub fn permill_full(&self) -> usize {
        if !self.written_to {
            return 0;
        }
        let recent = |slot: &&[u64; 2]| slot[1] != 0 && generation_of(slot[1]) == self.generation;
        self.slots.iter().take(1000).filter(recent).count()
    }

    fn index(&self, key: Zobrist64) -> usize {
        ((u128::from(key.0) * self.slots.len() as u128) >> 64) as usize
    }
}

/// Bits: move 0–15, score 16–31, depth 32–39, bound 40–41 (never zero), generation 48–55.
fn pack(entry: Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.best.0)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.depth.clamp(0, 255) as u8) << 32
        | bound << 40
        | u64::from(generation) << 48
}

fn unpack(data: u64) -> Entry {
    let bound = match data >> 40 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        _ => Bound::Upper,
    };
    Entry {
        best: PackedMove(data as u16),
        score: i32::from((data >> 16) as u16 as i16),
        depth: i32::from((data >> 32) as u8),
        bound,
    }
}

fn generation_of(data: u64) -> u8 {
    (data >> 48) as u8
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;

    const ENTRY: Entry = Entry { best: PackedMove(4711), score: -29_990, depth: 12, bound: Bound::Lower };

    #[test]
    fn entry_survives_packing() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            let entry = Entry { bound, ..ENTRY };
            assert_eq!(unpack(pack(entry, 200)), entry);
            assert_eq!(generation_of(pack(entry, 200)), 200);
        }
    }

    #[test]
    fn deeper_entry_of_the_same_search_stays() {
        let mut table = TranspositionTable::new(1);
        let (key, neighbour) = (Zobrist64(42), Zobrist64(43));
        table.store(key, ENTRY);
        table.store(neighbour, Entry { depth: 3, ..ENTRY });
        assert_eq!(table.probe(key), Some(ENTRY));
        table.start_search();
        table.store(neighbour, Entry { depth: 3, ..ENTRY });
        assert_eq!(table.probe(key), None);
        table.clear();
        assert_eq!(table.probe(neighbour), None);
        assert_eq!(table.permill_full(), 0);
    }

    #[test]
    fn packed_moves_are_unique_and_never_zero() {
        let moves = Chess::default().legal_moves();
        let mut packed: Vec<u16> = moves.iter().map(|&m| PackedMove::from(m).0).collect();
        packed.sort_unstable();
        packed.dedup();
        assert_eq!(packed.len(), moves.len());
        assert!(!packed.contains(&0));
    }
}

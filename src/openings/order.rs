//! PURE: in which order the entries of a book are used.
//!
//! The shuffle is written out here so that a seed means the same order on every machine, in every version and for
//! whoever wants to compute it again: a Fisher-Yates shuffle of `0..len`, from the last place down to the second.
//! For place `i` a number `j` in `0..=i` is drawn and the entries at `i` and `j` change places. `j` is the next
//! 32-bit word of the ChaCha8 keystream (key: the seed as eight little-endian bytes, then 24 zeros; nonce and
//! counter 0) modulo `i + 1`, where words from the largest multiple of `i + 1` up to 2^32 on are left out, so that
//! every `j` is equally likely.

use std::num::{NonZeroU32, NonZeroU64};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::spec::Sequence;

/// Which entry comes at which place. Places count from 0; after the last the order begins again.
#[derive(Clone, Debug)]
pub struct Order {
    len: NonZeroU32,
    first: u64,
    permutation: Option<Vec<u32>>,
}

impl Order {
    /// The order of `len` entries, begun at its `start`th place; a start beyond the end wraps around.
    pub fn new(sequence: Sequence, len: NonZeroU32, start: NonZeroU64) -> Order {
        let first = (start.get() - 1) % u64::from(len.get());
        let permutation = match sequence {
            Sequence::AsInFile => None,
            Sequence::Shuffled(seed) => Some(shuffled(len.get(), seed)),
        };
        Order { len, first, permutation }
    }

    /// The entries there are.
    pub fn len(&self) -> NonZeroU32 {
        self.len
    }

    /// The entry, counted from 0, that comes at a place, counted from 0.
    pub fn index(&self, place: u64) -> usize {
        let len = u64::from(self.len.get());
        // Both terms are below 2^32, and so is the sum's remainder.
        let place = ((self.first + place % len) % len) as usize;
        self.permutation.as_ref().map_or(place, |permutation| permutation[place] as usize)
    }
}

fn shuffled(len: u32, seed: u64) -> Vec<u32> {
    let mut words = keystream(seed);
    let mut entries: Vec<u32> = (0..len).collect();
    let mut place = entries.len();
    for count in (2..=len).rev() {
        place -= 1;
        entries.swap(place, draw_below(count, &mut words) as usize);
    }
    entries
}

/// The words of a seed.
pub(super) fn keystream(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// A number below `count`, which is not 0.
pub(super) fn draw_below(count: u32, words: &mut ChaCha8Rng) -> u32 {
    let whole = (1 << 32) / u64::from(count) * u64::from(count);
    loop {
        let word = words.next_u32();
        if u64::from(word) < whole {
            return word % count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(sequence: Sequence, len: u32, start: u64) -> Order {
        Order::new(sequence, NonZeroU32::new(len).unwrap(), NonZeroU64::new(start).unwrap())
    }

    fn first(order: &Order, count: u64) -> Vec<usize> {
        (0..count).map(|pair| order.index(pair)).collect()
    }

    /// Computed by a ChaCha8 written from the description above in another language.
    #[test]
    fn the_shuffle_is_the_documented_one() {
        for (seed, expected) in [
            (0, [5, 2, 8, 10, 3, 7, 1, 4, 11, 9, 0, 6]),
            (1, [4, 5, 6, 8, 1, 11, 3, 9, 0, 10, 2, 7]),
            (u64::MAX, [10, 1, 3, 11, 5, 6, 9, 0, 8, 2, 4, 7]),
        ] {
            assert_eq!(first(&order(Sequence::Shuffled(seed), 12, 1), 12), expected, "seed {seed}");
        }
    }

    #[test]
    fn o_03_random_order_uses_every_entry_once_and_then_begins_again() {
        for len in [1, 2, 3, 100] {
            let shuffled = order(Sequence::Shuffled(7), len, 1);
            let mut round = first(&shuffled, len.into());
            assert!(len < 100 || !round.is_sorted(), "not shuffled");
            for pair in [u64::from(len) - 1, len.into(), u64::from(len) + 1, u64::MAX] {
                assert_eq!(shuffled.index(pair), round[usize::try_from(pair % u64::from(len)).unwrap()]);
            }
            round.sort_unstable();
            assert_eq!(round, (0..len as usize).collect::<Vec<_>>());
        }
    }

    #[test]
    fn o_04_a_start_beyond_the_end_wraps_around() {
        assert_eq!(first(&order(Sequence::AsInFile, 5, 4), 7), [3, 4, 0, 1, 2, 3, 4]);
        assert_eq!(first(&order(Sequence::AsInFile, 5, 5), 2), [4, 0]);
        assert_eq!(first(&order(Sequence::AsInFile, 5, 6), 2), [0, 1]);
        assert_eq!(first(&order(Sequence::AsInFile, 5, u64::MAX), 1), [4]);
    }

    #[test]
    fn o_05_batches_of_one_seed_continue_each_other() {
        let whole = first(&order(Sequence::Shuffled(3), 50, 1), 50);
        assert_eq!(first(&order(Sequence::Shuffled(3), 50, 21), 20), whole[20..40]);
        assert_ne!(first(&order(Sequence::Shuffled(4), 50, 1), 50), whole);
    }
}

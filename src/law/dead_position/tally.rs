//! Small numbers on all squares at once, one bit of them a plane.

use super::squares::{NOT_A, NOT_H};

/// A number below 32 for each square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts([u64; 5]);

impl Counts {
    /// How many neighbours of each square are in a set.
    pub fn of_neighbours(set: u64) -> Counts {
        let (left, right) = ((set & NOT_A) >> 1, (set & NOT_H) << 1);
        let beside = left ^ right;
        let (row, row_carry) = (beside ^ set, (left & right) | (beside & set));
        // one row above, one below, the two neighbours on the own row
        let (above, below) = (row << 8, row >> 8);
        let ends = above ^ below;
        let (ones, carry) = (ends ^ beside, (above & below) | (ends & beside));
        let (first, first_both) = ((row_carry << 8) ^ (row_carry >> 8), (row_carry << 8) & (row_carry >> 8));
        let (second, second_both) = ((left & right) ^ carry, left & right & carry);
        let fours = first_both ^ second_both ^ (first & second);
        Counts([ones, first ^ second, fours, first_both & second_both, 0])
    }

    /// The sum of two numbers, on each square. It must be below 32.
    pub fn plus(self, other: Counts) -> Counts {
        let mut carry = 0;
        let mut sum = [0; 5];
        for (sum, (a, b)) in sum.iter_mut().zip(self.0.into_iter().zip(other.0)) {
            *sum = a ^ b ^ carry;
            carry = (a & b) | (carry & (a ^ b));
        }
        Counts(sum)
    }

    /// The least number on the squares of a set; none if it is empty.
    pub fn least(&self, mut set: u64) -> Option<u32> {
        if set == 0 {
            return None;
        }
        let mut least = 0;
        for plane in self.0.into_iter().rev() {
            let low = set & !plane;
            least = 2 * least + u32::from(low == 0);
            set = if low == 0 { set } else { low };
        }
        Some(least)
    }
}

#[cfg(test)]
mod tests {
    use super::super::squares::{bit, king_steps};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_those_of_the_squares_one_by_one(a: u64, b: u64, set: u64) {
            let both = Counts::of_neighbours(a).plus(Counts::of_neighbours(b));
            let on = |square: u8| {
                let ring = king_steps(bit(square));
                (ring & a).count_ones() + (ring & b).count_ones()
            };
            for square in 0..64 {
                prop_assert_eq!(both.least(bit(square)), Some(on(square)));
            }
            let least = (0..64).filter(|square| set & bit(*square) != 0).map(on).min();
            prop_assert_eq!(both.least(set), least);
            prop_assert_eq!(both.least(0), None);
        }
    }

    #[test]
    fn all_neighbours_are_counted_on_a_full_board() {
        let full = Counts::of_neighbours(!0).plus(Counts::of_neighbours(!0));
        assert_eq!(full.least(bit(27)), Some(16));
        assert_eq!(full.least(bit(0)), Some(6));
        assert_eq!(full.least(bit(31)), Some(10));
    }
}

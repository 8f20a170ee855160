//! PURE: which games share an opening.

/// Which games of a tournament share an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PerOpening {
    /// The two games of a pair: every pair of games has its own opening.
    #[default]
    Pair,
    /// All games of a round: every pairing of the round plays the same opening (field report O-08).
    Round,
}

impl PerOpening {
    /// The opening, counted from 0, of a pair of games: the `pairing`th of the `pairings` in its round (of the match
    /// file: in a round robin all meet in it), both counted from 0. A match between two engines has one pairing, and both ways give the same.
    pub fn index(self, round: u64, pairing: u64, pairings: u64) -> u64 {
        match self {
            PerOpening::Pair => round.saturating_mul(pairings).saturating_add(pairing),
            PerOpening::Round => round,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(per: PerOpening, pairings: u64) -> Vec<u64> {
        let places = (0..3).flat_map(|round| (0..pairings).map(move |pairing| (round, pairing)));
        places.map(|(round, pairing)| per.index(round, pairing, pairings)).collect()
    }

    #[test]
    fn o_08_whether_all_pairings_of_a_round_share_an_opening_is_a_setting() {
        assert_eq!(all(PerOpening::Pair, 3), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(all(PerOpening::Round, 3), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
        assert_eq!(PerOpening::default(), PerOpening::Pair);
    }

    #[test]
    fn a_match_between_two_engines_knows_no_difference() {
        assert_eq!(all(PerOpening::Pair, 1), [0, 1, 2]);
        assert_eq!(all(PerOpening::Round, 1), [0, 1, 2]);
    }
}

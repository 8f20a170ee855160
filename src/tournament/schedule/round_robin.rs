//! Who meets whom in a round robin: the Berger tables of the FIDE Handbook (C.05, annex 1).

/// How the pairings of one cycle, in which each engine meets each other one once, are laid out in rounds. With an odd
/// number of engines one of them has a bye in each round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRobin {
    engines: u64,
}

impl RoundRobin {
    /// Of so many engines.
    pub fn new(engines: usize) -> RoundRobin {
        RoundRobin { engines: engines as u64 }
    }

    /// Rounds of a cycle.
    pub fn rounds(self) -> u64 {
        (self.engines + self.engines % 2).saturating_sub(1)
    }

    /// Pairings of a round.
    pub fn pairings(self) -> u64 {
        self.engines / 2
    }

    /// The places of White and Black in the first game of a pairing; round and pairing count from 0.
    ///
    /// The last number of an even table stays where it is, the others move on by half of them from round to round.
    /// Whoever would meet the number that an odd table lacks has the bye.
    pub fn pairing(self, round: u64, pairing: u64) -> (usize, usize) {
        let moving = self.rounds();
        let head = round * moving.div_ceil(2) % moving;
        let has_bye = self.engines % 2 == 1;
        let (white, black) = match pairing + u64::from(has_bye) {
            0 if round.is_multiple_of(2) => (head, moving),
            0 => (moving, head),
            step => ((head + step) % moving, (head + moving - step) % moving),
        };
        // Places of engines, which were counted by a `usize`.
        (white as usize, black as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(engines: usize) -> Vec<String> {
        let robin = RoundRobin::new(engines);
        let shown = |round| {
            let pairings = (0..robin.pairings()).map(|pairing| robin.pairing(round, pairing));
            pairings
                .map(|(white, black)| format!("{}-{}", white + 1, black + 1))
                .collect::<Vec<_>>()
                .join(" ")
        };
        (0..robin.rounds()).map(shown).collect()
    }

    #[test]
    fn the_tables_are_those_of_the_fide_handbook() {
        assert_eq!(table(2), ["1-2"]);
        assert_eq!(table(4), ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        assert_eq!(table(6), ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]);
        assert_eq!(table(8)[1], "8-5 6-4 7-3 1-2");
    }

    #[test]
    fn an_odd_number_has_the_next_table_without_its_last_number() {
        assert_eq!(table(3), ["2-3", "1-2", "3-1"]);
        assert_eq!(table(5), ["2-5 3-4", "5-3 1-2", "3-1 4-5", "1-4 2-3", "4-2 5-1"]);
    }
}

//! Who meets whom in a gauntlet: each of the first engines, the seeds, meets all the others; seeds don't meet.

/// How the pairings of one cycle, in which each seed meets each other engine once, are laid out in rounds: nobody has
/// two pairings in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gauntlet {
    seeds: u64,
    others: u64,
}

impl Gauntlet {
    /// Of so many engines, the first of which are seeds.
    pub fn new(engines: usize, seeds: usize) -> Gauntlet {
        Gauntlet { seeds: seeds as u64, others: engines.saturating_sub(seeds) as u64 }
    }

    /// The first so many engines.
    pub fn seeds(self) -> usize {
        // It was counted by a `usize`.
        self.seeds as usize
    }

    /// Rounds of a cycle.
    pub fn rounds(self) -> u64 {
        self.seeds.max(self.others)
    }

    /// Pairings of a round.
    pub fn pairings(self) -> u64 {
        self.seeds.min(self.others)
    }

    /// The places of White and Black in the first game of a pairing; round and pairing count from 0. The seeds have
    /// White in every second round.
    pub fn pairing(self, round: u64, pairing: u64) -> (usize, usize) {
        let (seed, other) = if self.seeds <= self.others {
            (pairing, (pairing + round) % self.others)
        } else {
            ((pairing + round) % self.seeds, pairing)
        };
        // Places of engines, which were counted by a `usize`.
        let (seed, other) = (seed as usize, (self.seeds + other) as usize);
        if round.is_multiple_of(2) { (seed, other) } else { (other, seed) }
    }
}

//! What is counted: games by result and game pairs by points, always from the first engine's side.

/// The most games or pairs that are counted: sums of doubled counts stay within 64 bits.
pub const MOST: u64 = 1 << 60;

/// The result of one game for the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameOutcome {
    /// 1 point.
    Win,
    /// ½ point.
    Draw,
    /// No point.
    Loss,
}

impl GameOutcome {
    /// The same for the other engine.
    #[must_use]
    pub fn reversed(self) -> GameOutcome {
        match self {
            GameOutcome::Win => GameOutcome::Loss,
            GameOutcome::Draw => GameOutcome::Draw,
            GameOutcome::Loss => GameOutcome::Win,
        }
    }
}

/// The result of a game pair (same opening, colours reversed) for the first engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairOutcome {
    /// Both lost: 0 points.
    TwoLosses,
    /// One lost, one drawn: ½ point.
    LossAndDraw,
    /// One won, one lost: 1 point.
    WinAndLoss,
    /// Both drawn: 1 point.
    TwoDraws,
    /// One won, one drawn: 1½ points.
    WinAndDraw,
    /// Both won: 2 points.
    TwoWins,
}

impl PairOutcome {
    /// The pair of these two games, in either order.
    pub fn of(first: GameOutcome, second: GameOutcome) -> PairOutcome {
        use GameOutcome::{Draw, Loss, Win};
        match (first, second) {
            (Loss, Loss) => PairOutcome::TwoLosses,
            (Loss, Draw) | (Draw, Loss) => PairOutcome::LossAndDraw,
            (Win, Loss) | (Loss, Win) => PairOutcome::WinAndLoss,
            (Draw, Draw) => PairOutcome::TwoDraws,
            (Win, Draw) | (Draw, Win) => PairOutcome::WinAndDraw,
            (Win, Win) => PairOutcome::TwoWins,
        }
    }
}

/// Why counts are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountsError {
    /// More than [`MOST`].
    #[error("the counts add up to more than 2^60; check them for a slip")]
    TooMany,
    /// More pairs won and lost than pairs of one point.
    #[error("{0} pairs won and lost are more than the {1} pairs of one point; they are a part of these")]
    SplitTooLarge(u64, u64),
}

/// Games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trinomial {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Trinomial {
    /// Games that the first engine won, drew and lost.
    ///
    /// # Errors
    /// More than [`MOST`] games.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Result<Trinomial, CountsError> {
        if within_limit(&[wins, draws, losses]) {
            Ok(Trinomial { wins, draws, losses })
        } else {
            Err(CountsError::TooMany)
        }
    }

    /// Games won.
    pub fn wins(&self) -> u64 {
        self.wins
    }

    /// Games drawn.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Games lost.
    pub fn losses(&self) -> u64 {
        self.losses
    }

    /// Games in all.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Twice the points, a whole number.
    pub fn half_points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// These games and those.
    ///
    /// # Errors
    /// More than [`MOST`] games.
    pub fn plus(&self, other: &Trinomial) -> Result<Trinomial, CountsError> {
        // No count is more than 2^60.
        Trinomial::new(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)
    }

    /// Counts by points, the fewest first: losses, draws, wins.
    pub fn cells(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// Counts a game in.
    pub fn add(&mut self, outcome: GameOutcome) {
        match outcome {
            GameOutcome::Win => self.wins += 1,
            GameOutcome::Draw => self.draws += 1,
            GameOutcome::Loss => self.losses += 1,
        }
    }

    /// The same games from the other engine's side.
    #[must_use]
    pub fn mirrored(&self) -> Trinomial {
        Trinomial { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

/// Game pairs by the first engine's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pentanomial {
    cells: [u64; 5],
    won_and_lost: Option<u64>,
}

impl Default for Pentanomial {
    fn default() -> Pentanomial {
        Pentanomial { cells: [0; 5], won_and_lost: Some(0) }
    }
}

impl Pentanomial {
    /// Pairs of 0, ½, 1, 1½ and 2 points (`[LL, LD, WL+DD, WD, WW]`), where nobody knows how many of the pairs of one
    /// point were won and lost, and how many drawn twice.
    ///
    /// # Errors
    /// More than [`MOST`] pairs.
    pub fn new(cells: [u64; 5]) -> Result<Pentanomial, CountsError> {
        if within_limit(&cells) {
            let won_and_lost = if cells[2] == 0 { Some(0) } else { None };
            Ok(Pentanomial { cells, won_and_lost })
        } else {
            Err(CountsError::TooMany)
        }
    }

    /// The same where `won_and_lost` of the pairs of one point were won and lost.
    ///
    /// # Errors
    /// More than [`MOST`] pairs, or a part that is greater than the whole.
    pub fn with_split(cells: [u64; 5], won_and_lost: u64) -> Result<Pentanomial, CountsError> {
        if won_and_lost > cells[2] {
            return Err(CountsError::SplitTooLarge(won_and_lost, cells[2]));
        }
        Ok(Pentanomial { won_and_lost: Some(won_and_lost), ..Pentanomial::new(cells)? })
    }

    /// Counts by points, the fewest first.
    pub fn cells(&self) -> [u64; 5] {
        self.cells
    }

    /// Pairs in all.
    pub fn pairs(&self) -> u64 {
        self.cells.iter().sum()
    }

    /// The pairs of one point that were won and lost (the rest were drawn twice), where that is known.
    pub fn won_and_lost(&self) -> Option<u64> {
        self.won_and_lost
    }

    /// The single games, where the pairs of one point can be told apart.
    pub fn games(&self) -> Option<Trinomial> {
        let [two_losses, loss_and_draw, one_point, win_and_draw, two_wins] = self.cells;
        let won_and_lost = self.won_and_lost?;
        Some(Trinomial {
            wins: 2 * two_wins + win_and_draw + won_and_lost,
            draws: loss_and_draw + win_and_draw + 2 * (one_point - won_and_lost),
            losses: 2 * two_losses + loss_and_draw + won_and_lost,
        })
    }

    /// Counts a pair in.
    pub fn add(&mut self, outcome: PairOutcome) {
        let cell = match outcome {
            PairOutcome::TwoLosses => 0,
            PairOutcome::LossAndDraw => 1,
            PairOutcome::WinAndLoss | PairOutcome::TwoDraws => 2,
            PairOutcome::WinAndDraw => 3,
            PairOutcome::TwoWins => 4,
        };
        self.cells[cell] += 1;
        if outcome == PairOutcome::WinAndLoss {
            self.won_and_lost = self.won_and_lost.map(|pairs| pairs + 1);
        }
    }

    /// The same pairs from the other engine's side.
    #[must_use]
    pub fn mirrored(&self) -> Pentanomial {
        let mut cells = self.cells;
        cells.reverse();
        Pentanomial { cells, won_and_lost: self.won_and_lost }
    }
}

/// The results of a match between two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Single games.
    Games(Trinomial),
    /// Finished game pairs; an unfinished one counts nowhere.
    Pairs(Pentanomial),
}

impl Counts {
    /// How many there are of what is counted, games or pairs.
    pub fn samples(&self) -> u64 {
        match self {
            Counts::Games(games) => games.games(),
            Counts::Pairs(pairs) => pairs.pairs(),
        }
    }

    /// The single games; `None` for pairs of one point that can't be told apart.
    pub fn games(&self) -> Option<Trinomial> {
        match self {
            Counts::Games(games) => Some(*games),
            Counts::Pairs(pairs) => pairs.games(),
        }
    }

    /// The same results from the other engine's side.
    #[must_use]
    pub fn mirrored(&self) -> Counts {
        match self {
            Counts::Games(games) => Counts::Games(games.mirrored()),
            Counts::Pairs(pairs) => Counts::Pairs(pairs.mirrored()),
        }
    }
}

fn within_limit(counts: &[u64]) -> bool {
    let total = counts.iter().try_fold(0u64, |sum, count| sum.checked_add(*count));
    total.is_some_and(|total| total <= MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_become_games() {
        use GameOutcome::{Draw, Loss, Win};
        let mut pairs = Pentanomial::default();
        let mut games = Trinomial::default();
        for first in [Win, Draw, Loss] {
            for second in [Win, Draw, Loss] {
                pairs.add(PairOutcome::of(first, second));
                games.add(first);
                games.add(second);
            }
        }
        assert_eq!(pairs.cells(), [1, 2, 3, 2, 1]);
        assert_eq!(pairs.won_and_lost(), Some(2));
        assert_eq!(pairs.games(), Some(games));
        assert_eq!(games.cells(), [6, 6, 6]);
    }

    #[test]
    fn the_split_of_the_middle_is_known_or_not() {
        assert_eq!(Pentanomial::new([1, 2, 3, 4, 5]).unwrap().games(), None);
        assert_eq!(
            Pentanomial::new([1, 2, 0, 4, 5]).unwrap().games(),
            Some(Trinomial::new(14, 6, 4).unwrap())
        );
        assert_eq!(Pentanomial::with_split([0, 0, 3, 0, 0], 4), Err(CountsError::SplitTooLarge(4, 3)));
    }

    #[test]
    fn counts_that_would_overflow_are_refused() {
        assert_eq!(Trinomial::new(u64::MAX, 1, 0), Err(CountsError::TooMany));
        assert_eq!(Pentanomial::new([MOST, 1, 0, 0, 0]), Err(CountsError::TooMany));
        let most = Pentanomial::with_split([0, 0, 0, 0, MOST], 0).unwrap();
        assert_eq!(most.games().map(|games| games.games()), Some(2 * MOST));
    }
}

//! The moments of what was counted: number, mean, variance.

use super::counts::{Counts, Pentanomial, Trinomial};

/// Scores of a game, the fewest points first.
pub(super) const GAME_SCORES: [f64; 3] = [0.0, 0.5, 1.0];
/// Scores of a pair: the mean of its two games.
pub(super) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Cells of a sample by score; at least one sample was counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// How many samples.
    pub size: f64,
    /// Mean score, 0 to 1.
    pub score: f64,
    /// 1 less the mean score, without the rounding of the subtraction.
    pub complement: f64,
    /// Mean score less ½, without the rounding of the subtraction.
    pub edge: f64,
    /// Variance of one sample, divisor n: what was seen, not what it estimates.
    pub variance: f64,
    /// Games in a sample: 1 or 2.
    pub games_each: f64,
}

impl Sample {
    /// `None` where nothing was counted.
    pub fn of(counts: &Counts) -> Option<Sample> {
        match counts {
            Counts::Games(games) => Sample::of_games(games),
            Counts::Pairs(pairs) => Sample::of_pairs(pairs),
        }
    }

    fn of_games(games: &Trinomial) -> Option<Sample> {
        Sample::weighted(games.cells().map(|count| count as f64), GAME_SCORES, 1.0)
    }

    fn of_pairs(pairs: &Pentanomial) -> Option<Sample> {
        Sample::weighted(pairs.cells().map(|count| count as f64), PAIR_SCORES, 2.0)
    }

    /// The same after regularisation, so that the variance is never 0.
    pub fn regularised(counts: &Counts) -> Option<Sample> {
        match counts {
            Counts::Games(games) => Sample::weighted(regularise(games.cells()), GAME_SCORES, 1.0),
            Counts::Pairs(pairs) => Sample::weighted(regularise(pairs.cells()), PAIR_SCORES, 2.0),
        }
    }

    fn weighted<const N: usize>(cells: [f64; N], scores: [f64; N], games_each: f64) -> Option<Sample> {
        let size: f64 = cells.iter().sum();
        if size <= 0.0 {
            return None;
        }
        let total = |value: &dyn Fn(usize) -> f64| (0..N).map(|cell| cells[cell] * value(cell)).sum::<f64>();
        let score = total(&|cell| scores[cell]) / size;
        let complement = total(&|cell| 1.0 - scores[cell]) / size;
        let edge = total(&|cell| scores[cell] - 0.5) / size;
        let variance = total(&|cell| (scores[cell] - 0.5 - edge).powi(2)) / size;
        Some(Sample { size, score, complement, edge, variance, games_each })
    }

    /// Standard error of the mean score.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.size).sqrt()
    }

    /// Standard deviation of a game's score: a pair's score is the mean of two games.
    pub fn game_deviation(&self) -> f64 {
        (self.variance * self.games_each).sqrt()
    }
}

/// Counts for the likelihood: every cell that is 0 becomes 0.001, as in fishtest and fastchess, so that no result
/// is held to be impossible.
pub(super) fn regularise<const N: usize>(cells: [u64; N]) -> [f64; N] {
    cells.map(|count| if count == 0 { 0.001 } else { count as f64 })
}

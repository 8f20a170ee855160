//! The figures of a match between two engines.

use super::counts::{Counts, Trinomial};
use super::elo::{NORMALIZED_UNIT, Z95, elo_of_shares, normal_cdf};
use super::sample::Sample;

/// The figures of a match. A figure that doesn't exist for the counts, or is infinite, is `None`; none is ever NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchSummary {
    /// What was counted.
    pub counts: Counts,
    /// Mean score of the first engine, 0 to 1.
    pub score: Option<f64>,
    /// Logistic Elo difference, −400·log₁₀(1/s − 1) (Elo 1978).
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of [`elo`](Self::elo), (E(s + z·se) − E(s − z·se))/2. The interval is not
    /// symmetric. 0 where all samples are equal, which proves nothing: no variance was seen.
    pub elo_error: Option<f64>,
    /// The 95 % interval itself, E(s − z·se) to E(s + z·se).
    pub elo_interval: Option<EloInterval>,
    /// Where all samples were won or all lost: the 95 % limit that holds nonetheless.
    pub one_sided: Option<OneSided>,
    /// Normalized Elo, (800/ln 10)·(s − ½)/σ with σ of one game (Van den Bergh, "Comments on normalized Elo").
    pub nelo: Option<f64>,
    /// Its 95 % error where σ is held to be known, as fastchess gives it: (800/ln 10)·z/√games.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority, Φ((s − ½)/se), 0 to 1.
    pub los: Option<f64>,
    /// The same from regularised counts, which have a variance: it exists as soon as one sample was counted.
    pub regularised_los: Option<f64>,
    /// Drawn games among all games, 0 to 1.
    pub draw_ratio: Option<f64>,
    /// Pairs of one point among all pairs, 0 to 1: what fastchess calls the draw ratio of pairs.
    pub even_pairs_ratio: Option<f64>,
    /// Pairs with more than one point over pairs with less.
    pub pairs_ratio: Option<f64>,
    /// Pairs won and lost over pairs drawn twice.
    pub wl_dd_ratio: Option<f64>,
    /// Whether the samples differ: without that, errors say nothing.
    pub has_variance: bool,
}

/// An interval of Elo differences; a limit that is `None` is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloInterval {
    /// The lower limit.
    pub low: Option<f64>,
    /// The upper limit.
    pub high: Option<f64>,
}

/// What can be said of the Elo difference, with 95 %, where every sample had the same extreme result: S(x)ⁿ = 0.05 over
/// n samples (Clopper and Pearson 1934).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OneSided {
    /// All won: the difference is greater than this.
    Above(f64),
    /// All lost: it is less than this.
    Below(f64),
}

impl MatchSummary {
    /// The figures of these counts.
    pub fn of(counts: &Counts) -> MatchSummary {
        let sample = Sample::of(counts);
        let (even_pairs_ratio, pairs_ratio, wl_dd_ratio) = pair_ratios(counts);
        let interval = sample.map(|sample| interval(&sample));
        MatchSummary {
            counts: *counts,
            score: sample.map(|sample| sample.score),
            elo: sample.and_then(|sample| finite(elo_of_shares(sample.score, sample.complement))),
            elo_error: interval.and_then(|interval| Some((interval.high? - interval.low?) / 2.0)),
            elo_interval: interval,
            one_sided: sample.and_then(|sample| one_sided(&sample)),
            nelo: sample.and_then(|sample| finite(NORMALIZED_UNIT * sample.edge / sample.game_deviation())),
            nelo_error: sample
                .filter(|sample| sample.variance > 0.0)
                .map(|sample| NORMALIZED_UNIT * Z95 / (sample.size * sample.games_each).sqrt()),
            los: sample.and_then(|sample| los(&sample)),
            regularised_los: sample.and(Sample::regularised(counts)).and_then(|sample| los(&sample)),
            draw_ratio: counts.games().and_then(draw_ratio),
            even_pairs_ratio,
            pairs_ratio,
            wl_dd_ratio,
            has_variance: sample.is_some_and(|sample| sample.variance > 0.0),
        }
    }

    /// Points of the first engine, in half points.
    pub fn half_points(&self) -> u64 {
        match self.counts {
            Counts::Games(games) => 2 * games.wins() + games.draws(),
            Counts::Pairs(pairs) => (0u64..).zip(pairs.cells()).map(|(points, count)| points * count).sum(),
        }
    }

    /// Games that were counted.
    pub fn games(&self) -> u64 {
        match self.counts {
            Counts::Games(games) => games.games(),
            Counts::Pairs(pairs) => 2 * pairs.pairs(),
        }
    }
}

fn interval(sample: &Sample) -> EloInterval {
    let reach = Z95 * sample.standard_error();
    let (score, complement) = (sample.score, sample.complement);
    EloInterval {
        low: finite(elo_of_shares(score - reach, complement + reach)),
        high: finite(elo_of_shares(score + reach, complement - reach)),
    }
}

fn one_sided(sample: &Sample) -> Option<OneSided> {
    // E(0.05^(1/n)), without the loss of the digits in which the score differs from 1.
    let limit = -400.0 * (20f64.ln() / sample.size).exp_m1().log10();
    if sample.score == 0.0 {
        Some(OneSided::Below(-limit))
    } else if sample.complement == 0.0 {
        Some(OneSided::Above(limit))
    } else {
        None
    }
}

fn los(sample: &Sample) -> Option<f64> {
    finite(normal_cdf(sample.edge / sample.standard_error()))
}

fn draw_ratio(games: Trinomial) -> Option<f64> {
    ratio(games.draws(), games.games())
}

fn pair_ratios(counts: &Counts) -> (Option<f64>, Option<f64>, Option<f64>) {
    let Counts::Pairs(pairs) = counts else { return (None, None, None) };
    let [two_losses, loss_and_draw, one_point, win_and_draw, two_wins] = pairs.cells();
    (
        ratio(one_point, pairs.pairs()),
        ratio(two_wins + win_and_draw, two_losses + loss_and_draw),
        pairs.won_and_lost().and_then(|won_and_lost| ratio(won_and_lost, one_point - won_and_lost)),
    )
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    finite(part as f64 / whole as f64)
}

fn finite(figure: f64) -> Option<f64> {
    figure.is_finite().then_some(figure)
}

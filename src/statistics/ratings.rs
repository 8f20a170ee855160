//! Ratings of many engines from all games between them.
//!
//! The model is that of Bradley and Terry (1952) on the logistic Elo scale, a draw counted as half a win and half a loss,
//! as Ordo does: the expected score is 1/(1 + 10^(−d/400)), and at the maximum of the likelihood each engine's expected
//! points are the points that it made.

use nalgebra::{DMatrix, DVector};

use super::connected::{Side, largest_group};
use super::crosstable::Crosstable;
use super::elo::{NORMALIZED_UNIT, Z95};

/// Elo of one unit of the natural logarithm of the odds, 400/ln 10.
const ELO_OF_LOG_ODDS: f64 = NORMALIZED_UNIT / 2.0;
/// Newton's method needs some ten; damped, from far away, one for each unit of the logarithm of the odds.
const MOST_STEPS: usize = 500;
/// The last step of a fit, in units of the logarithm of the odds, is no greater: Elo are exact to two thousandths. A
/// smaller one can't be asked for where an engine has one game beside millions: their points end before its digits.
const CONVERGED: f64 = 1e-5;

/// What is known of an engine's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rating {
    /// Elo, 0 being the mean of those that are estimated.
    Estimated {
        /// The rating.
        elo: f64,
        /// Half the width of its 95 % interval, from the information matrix; `None` where the results show no variance.
        error: Option<f64>,
    },
    /// It took points off estimated engines, and they took none off it: no finite rating is the likeliest.
    Above {
        /// With 95 % it is stronger than this: a weaker one would win all its games against estimated engines, these
        /// being as strong as estimated, with a chance of less than 5 %. `None` where it has played no such game.
        limit: Option<f64>,
    },
    /// The reverse.
    Below {
        /// With 95 % it is weaker than this.
        limit: Option<f64>,
    },
    /// The results don't tell: no games connect it with the estimated engines, or none in which points went both ways.
    Unknown,
}

impl Rating {
    /// The rating, where it is finite.
    pub fn elo(&self) -> Option<f64> {
        match self {
            Rating::Estimated { elo, .. } => Some(*elo),
            _ => None,
        }
    }
}

/// The search for the likeliest ratings ended before it had found them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the likeliest ratings could not be computed: the results are too one-sided for the precision of numbers"
)]
pub struct NotConverged;

/// The ratings of all engines of a crosstable.
///
/// Ratings of engines that no games connect, directly or by way of others, can't be compared. So they are those of the
/// greatest set of connected engines, and of no engine where two such sets are equally great.
#[derive(Clone, Debug)]
pub struct Ratings {
    ratings: Vec<Rating>,
    fit: Option<Fit>,
}

impl Ratings {
    /// The ratings of greatest likelihood of so many engines.
    ///
    /// # Errors
    /// [`NotConverged`].
    pub fn of(table: &Crosstable, engines: usize) -> Result<Ratings, NotConverged> {
        let mut ratings = vec![Rating::Unknown; engines];
        let Some(group) = largest_group(table, engines).filter(|group| !group.core.is_empty()) else {
            return Ok(Ratings { ratings, fit: None });
        };
        let fit = Fit::of(table, group.core)?;
        for (place, engine) in fit.engines.iter().enumerate() {
            ratings[*engine] = fit.rating(place);
        }
        for (engine, side) in group.outside {
            ratings[engine] = match side {
                Side::Above => Rating::Above { limit: limit(table, engine, &ratings) },
                Side::Below => Rating::Below { limit: limit(table, engine, &ratings).map(|limit| -limit) },
                Side::Apart => Rating::Unknown,
            };
        }
        Ok(Ratings { ratings, fit: Some(fit) })
    }

    /// In the order of the engines.
    pub fn all(&self) -> &[Rating] {
        &self.ratings
    }

    /// How much stronger one engine is than another, and the 95 % error of that, which is not the sum of their errors;
    /// `None` if the results don't tell.
    pub fn difference(&self, engine: usize, other: usize) -> Option<(f64, Option<f64>)> {
        let elo = self.ratings.get(engine)?.elo()? - self.ratings.get(other)?.elo()?;
        let fit = self.fit.as_ref()?;
        let place = |wanted| fit.engines.iter().position(|engine| *engine == wanted);
        Some((elo, fit.difference_error(place(engine)?, place(other)?)))
    }
}

/// The limit of an engine that won all its games against estimated ones: of its chances to win them the product is
/// 5 % there (Clopper and Pearson 1934, for opponents of different strengths). Of one that lost them all, the limit with
/// all signs reversed.
fn limit(table: &Crosstable, engine: usize, ratings: &[Rating]) -> Option<f64> {
    let opponents: Vec<(f64, f64)> = table
        .opponents(engine)
        .filter_map(|(opponent, games)| {
            let elo = ratings.get(opponent)?.elo()?;
            Some((if games.wins() > 0 { elo } else { -elo }, games.games() as f64))
        })
        .collect();
    let (weakest, strongest) = opponents
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (elo, _)| (low.min(*elo), high.max(*elo)));
    let games: f64 = opponents.iter().map(|(_, games)| games).sum();
    // As if all opponents were the weakest one, and as if they were the strongest one.
    let alike = -400.0 * (20f64.ln() / games).exp_m1().log10();
    let (mut low, mut high) = (weakest + alike, strongest + alike);
    if !(low.is_finite() && high.is_finite()) {
        return None;
    }
    // More than enough for all digits.
    for _ in 0..200 {
        let middle = low.midpoint(high);
        let chance: f64 = opponents
            .iter()
            .map(|(elo, games)| -games * ((elo - middle) / ELO_OF_LOG_ODDS).exp().ln_1p())
            .sum();
        if chance < -(20f64.ln()) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low.midpoint(high))
}

/// The maximum of the likelihood for engines that can all be compared.
#[derive(Clone, Debug)]
struct Fit {
    engines: Vec<usize>,
    /// In units of the natural logarithm of the odds; their sum is 0.
    strengths: DVector<f64>,
    /// Covariance of the strengths; `None` where it can't be told.
    covariance: Option<DMatrix<f64>>,
}

impl Fit {
    fn of(table: &Crosstable, engines: Vec<usize>) -> Result<Fit, NotConverged> {
        let results = Results::new(table, &engines);
        let strengths = results.likeliest()?;
        let covariance = results.covariance(&strengths, results.dispersion(table, &engines, &strengths));
        Ok(Fit { engines, strengths, covariance })
    }

    fn rating(&self, place: usize) -> Rating {
        let variance = self.covariance.as_ref().map(|covariance| covariance[(place, place)]);
        Rating::Estimated { elo: ELO_OF_LOG_ODDS * self.strengths[place] + 0.0, error: error_of(variance) }
    }

    fn difference_error(&self, one: usize, other: usize) -> Option<f64> {
        let covariance = self.covariance.as_ref()?;
        let variance = covariance[(one, one)] + covariance[(other, other)] - 2.0 * covariance[(one, other)];
        error_of(Some(variance))
    }
}

fn error_of(variance: Option<f64>) -> Option<f64> {
    let error = Z95 * ELO_OF_LOG_ODDS * variance?.max(0.0).sqrt();
    error.is_finite().then_some(error)
}

/// Games and points between the engines of a fit.
struct Results {
    games: DMatrix<f64>,
    points: DMatrix<f64>,
}

impl Results {
    fn new(table: &Crosstable, engines: &[usize]) -> Results {
        let size = engines.len();
        let record = |one: usize, other: usize| table.record(engines[one], engines[other]);
        Results {
            games: DMatrix::from_fn(size, size, |one, other| record(one, other).games() as f64),
            points: DMatrix::from_fn(size, size, |one, other| record(one, other).half_points() as f64 / 2.0),
        }
    }

    fn size(&self) -> usize {
        self.games.nrows()
    }

    /// Newton's method, its steps shortened to ln(1 + d)/d where d is the greatest change of a difference between two that
    /// met: so the likelihood, concave and generalised self-concordant, rises with each step (Sun and Tran-Dinh 2019,
    /// "Generalized self-concordant functions"). The likelihood itself is never compared: its digits end before those of
    /// an engine that has one game among millions.
    fn likeliest(&self) -> Result<DVector<f64>, NotConverged> {
        let mut strengths = DVector::zeros(self.size());
        let mut change = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let root = self.information(&strengths).cholesky().ok_or(NotConverged)?;
            let step = root.solve(&self.gradient(&strengths));
            if !step.iter().all(|part| part.is_finite()) {
                return Err(NotConverged);
            }
            change = self.greatest_change(&step);
            let length = if change > 1e-6 { change.ln_1p() / change } else { 1.0 };
            strengths += step * length;
            if change <= 1e-13 {
                break;
            }
        }
        if change > CONVERGED {
            return Err(NotConverged);
        }
        let mean = strengths.sum() / self.size().max(1) as f64;
        Ok(strengths.add_scalar(-mean))
    }

    fn greatest_change(&self, step: &DVector<f64>) -> f64 {
        let pairs = (0..self.size()).flat_map(|one| (0..one).map(move |other| (one, other)));
        let met = pairs.filter(|pair| self.games[*pair] > 0.0);
        met.map(|(one, other)| (step[one] - step[other]).abs()).fold(0.0, f64::max)
    }

    /// Points made less points expected.
    fn gradient(&self, strengths: &DVector<f64>) -> DVector<f64> {
        DVector::from_fn(self.size(), |one, _| {
            (0..self.size())
                .map(|other| {
                    let expected = expected_score(strengths[one] - strengths[other]);
                    let lost = expected_score(strengths[other] - strengths[one]);
                    self.points[(one, other)] * lost - self.points[(other, one)] * expected
                })
                .sum()
        })
    }

    /// The information matrix, and one more direction so that it can be inverted: raising all strengths alike.
    fn information(&self, strengths: &DVector<f64>) -> DMatrix<f64> {
        let size = self.size();
        let weight = |one: usize, other: usize| {
            let difference = strengths[one] - strengths[other];
            self.games[(one, other)] * expected_score(difference) * expected_score(-difference)
        };
        let mut information = DMatrix::from_fn(size, size, |one, other| {
            if one == other { (0..size).map(|third| weight(one, third)).sum() } else { -weight(one, other) }
        });
        let scale = information.trace() / size.max(1) as f64;
        information.add_scalar_mut(scale / size.max(1) as f64);
        information
    }

    /// The inverse of the information matrix on strengths whose sum is 0, times the dispersion.
    fn covariance(&self, strengths: &DVector<f64>, dispersion: Option<f64>) -> Option<DMatrix<f64>> {
        let information = self.information(strengths);
        let along_all = information.row(0).sum();
        let inverse = information.cholesky()?.inverse();
        Some(inverse.add_scalar(-1.0 / (along_all * self.size() as f64)) * dispersion?)
    }

    /// How far the scores of games vary, over how far they would vary if no game were drawn (Wedderburn 1974,
    /// quasi-likelihood): draws make results more certain than the model takes them to be. For two engines this gives the
    /// error of their own match. `None` if nothing varies.
    fn dispersion(&self, table: &Crosstable, engines: &[usize], strengths: &DVector<f64>) -> Option<f64> {
        let (mut seen, mut binomial) = (0.0, 0.0);
        for one in 0..self.size() {
            for other in 0..one {
                let games = table.record(engines[one], engines[other]);
                let score = expected_score(strengths[one] - strengths[other]);
                let complement = expected_score(strengths[other] - strengths[one]);
                seen += games.wins() as f64 * complement.powi(2)
                    + games.draws() as f64 * (0.5 - score).powi(2)
                    + games.losses() as f64 * score.powi(2);
                binomial += games.games() as f64 * score * complement;
            }
        }
        let dispersion = seen / binomial;
        (dispersion > 1e-12 && dispersion.is_finite()).then_some(dispersion)
    }
}

fn expected_score(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
#[path = "ratings_tests.rs"]
mod tests;

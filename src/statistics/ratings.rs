//! Ratings of many engines from all games between them.
//!
//! The model is that of Bradley and Terry (1952) on the logistic Elo scale, a draw counted as half a win and half a loss,
//! as Ordo does: the expected score is 1/(1 + 10^(−d/400)), and at the maximum of the likelihood each engine's expected
//! points are the points that it made.

use nalgebra::{DMatrix, DVector};

use super::connected::{Side, groups};
use super::crosstable::{Crosstable, EngineIndex, points_of};
use super::elo::{NORMALIZED_UNIT, Z95};

/// Elo of one unit of the natural logarithm of the odds, 400/ln 10.
const ELO_OF_LOG_ODDS: f64 = NORMALIZED_UNIT / 2.0;
/// Newton's method needs some ten; damped, from far away, one for each unit of the logarithm of the odds.
const MOST_STEPS: usize = 500;

/// What is assumed before the first game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Prior {
    /// Nothing: plain maximum likelihood. An engine that won or lost everything has no finite rating.
    #[default]
    None,
    /// So many drawn games for each engine, spread over its opponents by games played (as in Coulom's BayesElo, which
    /// takes 2). Makes every rating finite, and draws ratings together. Not less than 0.
    VirtualDraws(f64),
}

impl Prior {
    fn draws(self) -> f64 {
        match self {
            Prior::None => 0.0,
            Prior::VirtualDraws(draws) => {
                if draws.is_finite() {
                    draws.max(0.0)
                } else {
                    0.0
                }
            }
        }
    }
}

/// What is known of an engine's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rating {
    /// Elo, 0 being the mean of those engines of its group that have one, and its 95 % error; no error where the results
    /// show no variance.
    Estimated {
        /// The rating.
        elo: f64,
        /// Half the width of its 95 % interval, from the information matrix.
        error: Option<f64>,
    },
    /// Infinitely far above the rated engines of its group: it took points off them, and they took none off it.
    Above,
    /// Infinitely far below them.
    Below,
    /// Neither above nor below: it shares no results with them that could tell.
    Apart,
    /// It has not played.
    Unplayed,
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

/// The ratings of all engines of a crosstable.
#[derive(Clone, Debug)]
pub struct Ratings {
    ratings: Vec<Rating>,
    groups: Vec<usize>,
    fits: Vec<Fit>,
}

impl Ratings {
    /// The ratings of greatest likelihood.
    pub fn of(table: &Crosstable, prior: Prior) -> Ratings {
        let mut ratings = vec![Rating::Unplayed; table.engines()];
        let mut group_of = vec![0; table.engines()];
        let mut fits = Vec::new();
        for (number, group) in groups(table).into_iter().enumerate() {
            let mut rated = group.core;
            if prior.draws() > 0.0 {
                rated.extend(group.outside.iter().map(|(engine, _)| *engine));
                rated.sort_unstable();
            } else {
                for (engine, side) in &group.outside {
                    group_of[*engine] = number;
                    ratings[*engine] = match side {
                        Side::Above => Rating::Above,
                        Side::Below => Rating::Below,
                        Side::Apart => Rating::Apart,
                    };
                }
            }
            let fit = Fit::of(table, rated, prior);
            for (place, engine) in fit.engines.iter().enumerate() {
                group_of[*engine] = number;
                let played = table.opponents(*engine).next().is_some();
                if played {
                    ratings[*engine] = fit.rating(place);
                }
            }
            fits.push(fit);
        }
        Ratings { ratings, groups: group_of, fits }
    }

    /// In the order of the crosstable.
    pub fn all(&self) -> &[Rating] {
        &self.ratings
    }

    /// The number of an engine's group: engines that have met, directly or by way of others. Ratings of different groups
    /// can't be compared.
    pub fn group(&self, engine: EngineIndex) -> Option<usize> {
        self.groups.get(engine).copied()
    }

    /// How much stronger one engine is than another, and the 95 % error of that, which is not the sum of their errors;
    /// `None` if the results don't tell.
    pub fn difference(&self, engine: EngineIndex, other: EngineIndex) -> Option<(f64, Option<f64>)> {
        let elo = self.ratings.get(engine)?.elo()? - self.ratings.get(other)?.elo()?;
        if self.group(engine) != self.group(other) {
            return None;
        }
        let fit = self.fits.get(self.group(engine)?)?;
        let place = |wanted| fit.engines.iter().position(|engine| *engine == wanted);
        Some((elo, fit.difference_error(place(engine)?, place(other)?)))
    }
}

/// The maximum of the likelihood for engines that can all be compared.
#[derive(Clone, Debug)]
struct Fit {
    engines: Vec<EngineIndex>,
    /// In units of the natural logarithm of the odds; their sum is 0.
    strengths: DVector<f64>,
    /// Covariance of the strengths; `None` where it can't be told.
    covariance: Option<DMatrix<f64>>,
}

impl Fit {
    fn of(table: &Crosstable, engines: Vec<EngineIndex>, prior: Prior) -> Fit {
        let results = Results::new(table, &engines, prior);
        let strengths = results.likeliest();
        let covariance = results.covariance(&strengths, results.dispersion(table, &engines, &strengths));
        Fit { engines, strengths, covariance }
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

/// Games and points between the engines of a fit, virtual draws among them.
struct Results {
    games: DMatrix<f64>,
    points: DMatrix<f64>,
}

impl Results {
    fn new(table: &Crosstable, engines: &[EngineIndex], prior: Prior) -> Results {
        let size = engines.len();
        let real = DMatrix::from_fn(size, size, |one, other| {
            table.record(engines[one], engines[other]).games() as f64
        });
        let totals: Vec<f64> = (0..size).map(|engine| real.row(engine).sum()).collect();
        let virtual_draws = DMatrix::from_fn(size, size, |one, other| {
            if real[(one, other)] == 0.0 {
                return 0.0;
            }
            let share = real[(one, other)] / totals[one] + real[(one, other)] / totals[other];
            prior.draws() * share / 2.0
        });
        let points = DMatrix::from_fn(size, size, |one, other| {
            points_of(&table.record(engines[one], engines[other])) + virtual_draws[(one, other)] / 2.0
        });
        Results { games: real + virtual_draws, points }
    }

    fn size(&self) -> usize {
        self.games.nrows()
    }

    /// Newton's method, its steps shortened to ln(1 + d)/d where d is the greatest change of a difference between two that
    /// met: so the likelihood, concave and generalised self-concordant, rises with each step (Sun and Tran-Dinh 2019,
    /// "Generalized self-concordant functions"). The likelihood itself is never compared: its digits end before those of
    /// an engine that has one game among millions.
    fn likeliest(&self) -> DVector<f64> {
        let mut strengths = DVector::zeros(self.size());
        for _ in 0..MOST_STEPS {
            let gradient = self.gradient(&strengths);
            let Some(root) = self.information(&strengths).cholesky() else { break };
            let step = root.solve(&gradient);
            let change = self.greatest_change(&step);
            let length = if change > 1e-6 { change.ln_1p() / change } else { 1.0 };
            strengths += step * length;
            if change <= 1e-13 {
                break;
            }
        }
        let mean = strengths.sum() / self.size().max(1) as f64;
        strengths.add_scalar(-mean)
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
    fn dispersion(
        &self,
        table: &Crosstable,
        engines: &[EngineIndex],
        strengths: &DVector<f64>,
    ) -> Option<f64> {
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

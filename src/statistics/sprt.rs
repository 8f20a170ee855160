//! The sequential probability ratio test: settings, log-likelihood ratio, state.

use super::constrained::{Factors, Seen};
use super::counts::{Counts, Trinomial};
use super::elo::{NORMALIZED_UNIT, score_of_elo};
use super::sample::{GAME_SCORES, PAIR_SCORES, regularise};

/// The Elo scale of the two hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Normalized Elo (Van den Bergh, "Comments on normalized Elo").
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
    /// BayesElo (Coulom, "Bayesian Elo rating").
    Bayesian,
}

impl Model {
    /// All of them, by name.
    pub const ALL: [Model; 3] = [Model::Normalized, Model::Logistic, Model::Bayesian];

    /// The name in match files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
            Model::Bayesian => "bayesian",
        }
    }
}

impl std::str::FromStr for Model {
    type Err = SettingsError;

    fn from_str(name: &str) -> Result<Model, SettingsError> {
        let known = Model::ALL.into_iter().find(|model| model.name() == name);
        known.ok_or_else(|| SettingsError::Model(name.chars().take(40).collect()))
    }
}

/// Bounds beyond this, in Elo, are refused: nothing that plays chess differs so much.
pub const GREATEST_BOUND: f64 = 10_000.0;

/// Why settings are refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// `elo0` or `elo1` is no number of a sensible size.
    #[error("`{name}` must be a number from -10000 to 10000, not {value}")]
    Bound {
        /// Which of the two.
        name: &'static str,
        /// What it was.
        value: f64,
    },
    /// The hypotheses are equal or swapped.
    #[error("`elo0` must be less than `elo1`, but {elo0} is not less than {elo1}")]
    Order {
        /// Elo under H0.
        elo0: f64,
        /// Elo under H1.
        elo1: f64,
    },
    /// `alpha` or `beta` is no probability of a sensible size.
    #[error("`{name}` is a chance of error: it must be greater than 0 and less than 0.5, not {value}")]
    ErrorRate {
        /// Which of the two.
        name: &'static str,
        /// What it was.
        value: f64,
    },
    /// No such model.
    #[error("`{0}` is no model; it must be normalized, logistic or bayesian")]
    Model(String),
}

/// Settings of a test of H0 (the difference is `elo0`) against H1 (it is `elo1`), checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtSettings {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
    pentanomial: bool,
}

impl SprtSettings {
    /// `alpha` is the chance to accept H1 where H0 is true, `beta` that to accept H0 where H1 is true. `pentanomial`
    /// takes game pairs as the samples, where there are pairs: games of one opening are not independent.
    ///
    /// # Errors
    /// A value that makes no sense.
    pub fn new(
        (elo0, elo1): (f64, f64),
        alpha: f64,
        beta: f64,
        model: Model,
        pentanomial: bool,
    ) -> Result<SprtSettings, SettingsError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if value.is_nan() || value.abs() > GREATEST_BOUND {
                return Err(SettingsError::Bound { name, value });
            }
        }
        if elo0 >= elo1 {
            return Err(SettingsError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SettingsError::ErrorRate { name, value });
            }
        }
        Ok(SprtSettings { elo0, elo1, alpha, beta, model, pentanomial })
    }

    /// Elo under H0.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// Elo under H1.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Chance to accept H1 where H0 is true.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Chance to accept H0 where H1 is true.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The Elo scale.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Whether game pairs are the samples.
    pub fn pentanomial(&self) -> bool {
        self.pentanomial
    }

    /// H0 is accepted at or below this LLR: ln(β/(1 − α)) (Wald 1945).
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// H1 is accepted at or above this LLR: ln((1 − β)/α) (Wald 1945).
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// What an LLR decides.
    pub fn state(&self, llr: f64) -> SprtState {
        if llr >= self.upper() {
            SprtState::H1
        } else if llr <= self.lower() {
            SprtState::H0
        } else {
            SprtState::Continue
        }
    }

    /// The generalised log-likelihood ratio of H1 to H0 (Li, Liu and Ying 2014): N·Σ p̂ᵢ ln(p1ᵢ/p0ᵢ), where p0 and p1
    /// are the likeliest laws under the hypotheses and every cell that is 0 counts as 0.001.
    ///
    /// # Errors
    /// The counts don't hold the games that this test looks at, or no law fits.
    pub fn llr(&self, counts: &Counts) -> Result<f64, NoLlr> {
        let counts = match counts {
            Counts::Pairs(pairs) if !self.pentanomial => {
                Counts::Games(pairs.games().ok_or(NoLlr::SplitUnknown)?)
            }
            counts => *counts,
        };
        let hypotheses = self.hypotheses(&counts)?;
        let llr = match counts {
            Counts::Games(games) => llr_of_cells(games.cells(), GAME_SCORES, hypotheses),
            Counts::Pairs(pairs) => llr_of_cells(pairs.cells(), PAIR_SCORES, hypotheses),
        };
        llr.filter(|llr| llr.is_finite()).ok_or(NoLlr::NotFound)
    }

    fn hypotheses(&self, counts: &Counts) -> Result<[Hypothesis; 2], NoLlr> {
        let bounds = [self.elo0, self.elo1];
        Ok(match self.model {
            Model::Logistic => bounds
                .map(|elo| Hypothesis::Mean { score: score_of_elo(elo), complement: score_of_elo(-elo) }),
            Model::Normalized => {
                let games_each: f64 = match counts {
                    Counts::Games(_) => 1.0,
                    Counts::Pairs(_) => 2.0,
                };
                bounds.map(|elo| Hypothesis::T(games_each.sqrt() * elo / NORMALIZED_UNIT))
            }
            Model::Bayesian => {
                let draw_elo = draw_elo(counts.games().ok_or(NoLlr::SplitUnknown)?);
                bounds.map(|elo| bayesian_hypothesis(elo, draw_elo))
            }
        })
    }
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtState {
    /// Neither is accepted.
    Continue,
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
}

impl SprtState {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            SprtState::Continue => "continue",
            SprtState::H0 => "H0",
            SprtState::H1 => "H1",
        }
    }
}

/// Why there is no log-likelihood ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLlr {
    /// The single games are needed, and pairs won and lost can't be told from pairs drawn twice.
    #[error(
        "this test looks at single games, and it is not known how many of the pairs of one point were won and lost"
    )]
    SplitUnknown,
    /// No law under a hypothesis was found. No counts are known for which this happens.
    #[error("no law that fits a hypothesis was found")]
    NotFound,
}

/// A hypothesis about the law of a sample.
#[derive(Clone, Copy)]
enum Hypothesis {
    /// Its mean score, and what that lacks of 1.
    Mean { score: f64, complement: f64 },
    /// (mean − ½)/standard deviation.
    T(f64),
}

fn llr_of_cells<const N: usize>(
    cells: [u64; N],
    scores: [f64; N],
    hypotheses: [Hypothesis; 2],
) -> Option<f64> {
    let cells = regularise(cells);
    let size: f64 = cells.iter().sum();
    let seen = Seen {
        frequencies: cells.map(|count| count / size),
        centred_scores: scores.map(|score| score - 0.5),
    };
    let law = |hypothesis: Hypothesis| -> Option<Factors<N>> {
        match hypothesis {
            Hypothesis::Mean { score, complement } => seen.with_mean(score, complement),
            Hypothesis::T(t) => seen.with_t(t),
        }
    };
    let (h0, h1) = (law(hypotheses[0])?, law(hypotheses[1])?);
    // One sum of small terms, not the difference of two large ones.
    Some((0..N).map(|cell| cells[cell] * (h0[cell] / h1[cell]).ln()).sum())
}

/// BayesElo's draw parameter from regularised frequencies (Coulom): 200·log₁₀((1 − l)/l·(1 − w)/w).
fn draw_elo(games: Trinomial) -> f64 {
    let [losses, draws, wins] = regularise(games.cells());
    200.0 * ((draws + wins) / losses * ((draws + losses) / wins)).log10()
}

/// The mean score of a BayesElo difference; kept from 0 and 1 by 0.001, as in fishtest, whose definition this is.
fn bayesian_hypothesis(elo: f64, draw_elo: f64) -> Hypothesis {
    let win = 1.0 / (1.0 + 10f64.powf((draw_elo - elo) / 400.0));
    let loss = 1.0 / (1.0 + 10f64.powf((draw_elo + elo) / 400.0));
    let score = ((1.0 + win - loss) / 2.0).clamp(0.001, 0.999);
    let complement = ((1.0 + loss - win) / 2.0).clamp(0.001, 0.999);
    Hypothesis::Mean { score, complement }
}

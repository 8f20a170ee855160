//! The arguments of `stats`, and what they ask.

use clap::Args;

use crate::statistics::counts::{Counts, Pentanomial, Trinomial};
use crate::statistics::sprt::{Model, SprtSettings};

/// Calculate match statistics from counts, without engines
///
/// Elo, normalized Elo, likelihood of superiority, and the sequential test (SPRT), all for the first engine.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("input").required(true).args(["penta", "wdl", "jsonl"])), after_help = EXIT_CODES)]
pub struct StatsArgs {
    /// Game pairs by points, 0 to 2: lost both, lost and drew, one point, won and drew, won both
    #[arg(long, value_name = "LL,LD,DD,WD,WW", allow_hyphen_values = true, value_parser = pairs)]
    penta: Option<[u64; 5]>,
    /// How many of the pairs of one point were won and lost (the others were drawn twice)
    #[arg(long, value_name = "PAIRS", requires = "penta")]
    wl: Option<u64>,
    /// Single games: won, drawn, lost
    #[arg(long, value_name = "W,D,L", allow_hyphen_values = true, value_parser = games)]
    wdl: Option<[u64; 3]>,
    /// Test H0 (the difference is ELO0) against H1 (it is ELO1)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = bounds)]
    sprt: Option<[f64; 2]>,
    /// Chance to accept H1 where H0 is true [default: 0.05]
    #[arg(long, value_name = "CHANCE", requires = "sprt", allow_hyphen_values = true)]
    alpha: Option<f64>,
    /// Chance to accept H0 where H1 is true [default: 0.05]
    #[arg(long, value_name = "CHANCE", requires = "sprt", allow_hyphen_values = true)]
    beta: Option<f64>,
    /// Elo scale of ELO0 and ELO1: normalized, logistic or bayesian [default: normalized]
    #[arg(long, requires = "sprt", value_parser = model)]
    model: Option<Model>,
    /// Test on the single games of the pairs
    #[arg(long, requires_all = ["sprt", "penta"])]
    trinomial: bool,
    /// Read questions from stdin, one JSON object a line, and answer each with one
    #[arg(long, conflicts_with_all = ["sprt", "json"])]
    jsonl: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

const EXIT_CODES: &str = "JSON lines: {\"id\": …, \"penta\": [LL, LD, DD+WL, WD, WW] or \"wdl\": [W, D, L], and for a test \
    \"elo0\": …, \"elo1\": …, \"alpha\": 0.05, \"beta\": 0.05, \"model\": \"normalized\"}; `wl` and `pentanomial: false` may \
    stand beside `penta`. A figure that doesn't exist for the counts is null.\n\n\
    Exit codes: 0 done; 1 some line of --jsonl was bad; 2 bad usage.";

/// The chances of error where nothing else is said.
pub(super) const DEFAULT_ERROR_RATE: f64 = 0.05;

/// What is asked.
pub(super) enum Question {
    /// Each line of stdin.
    Lines,
    /// These counts.
    One { counts: Counts, settings: Option<SprtSettings> },
}

impl StatsArgs {
    pub(super) fn question(&self) -> Result<Question, String> {
        let counts = match (self.penta, self.wdl) {
            (Some(cells), _) => counts_of_pairs(cells, self.wl)?,
            (None, Some(games)) => counts_of_games(games)?,
            (None, None) => return Ok(Question::Lines),
        };
        let settings = self.sprt.map(|[elo0, elo1]| {
            let alpha = self.alpha.unwrap_or(DEFAULT_ERROR_RATE);
            let beta = self.beta.unwrap_or(DEFAULT_ERROR_RATE);
            SprtSettings::new((elo0, elo1), alpha, beta, self.model.unwrap_or_default(), !self.trinomial)
        });
        let settings = settings.transpose().map_err(|error| error.to_string())?;
        Ok(Question::One { counts, settings })
    }
}

pub(super) fn counts_of_pairs(cells: [u64; 5], won_and_lost: Option<u64>) -> Result<Counts, String> {
    let pairs = match won_and_lost {
        Some(won_and_lost) => Pentanomial::with_split(cells, won_and_lost),
        None => Pentanomial::new(cells),
    };
    pairs.map(Counts::Pairs).map_err(|error| error.to_string())
}

pub(super) fn counts_of_games([wins, draws, losses]: [u64; 3]) -> Result<Counts, String> {
    Trinomial::new(wins, draws, losses).map(Counts::Games).map_err(|error| error.to_string())
}

fn pairs(text: &str) -> Result<[u64; 5], String> {
    numbers(text, "five whole numbers of pairs, from the fewest points to the most: LL,LD,DD,WD,WW")
}

fn games(text: &str) -> Result<[u64; 3], String> {
    numbers(text, "three whole numbers of games: W,D,L")
}

fn bounds(text: &str) -> Result<[f64; 2], String> {
    numbers(text, "two numbers of Elo: ELO0,ELO1")
}

fn numbers<T: std::str::FromStr, const N: usize>(text: &str, expected: &str) -> Result<[T; N], String> {
    let numbers: Option<Vec<T>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| format!("must be {expected}"))
}

fn model(name: &str) -> Result<Model, String> {
    name.parse().map_err(|error: crate::statistics::sprt::SettingsError| error.to_string())
}

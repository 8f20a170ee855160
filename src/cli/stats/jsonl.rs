//! `arbiter stats --jsonl`: counts and settings a line in, figures a line out.

use std::io::{self, BufRead, Write};

use serde_json::value::RawValue;

use super::args::{DEFAULT_ERROR_RATE, counts_of_games, counts_of_pairs};
use super::{Answer, object};
use crate::judge::json_lines::{self, Answered, Fields, field};
use crate::statistics::counts::Counts;
use crate::statistics::sprt::{Model, SprtSettings};

const KNOWN_FIELDS: [&str; 10] =
    ["id", "model", "penta", "wl", "wdl", "elo0", "elo1", "alpha", "beta", "pentanomial"];

/// Answers line by line, as [`json_lines::run`] says. Returns how many lines were bad.
///
/// # Errors
/// Those of reading and writing.
pub(super) fn run(input: impl BufRead, stdout: &mut dyn Write, stderr: &mut dyn Write) -> io::Result<u64> {
    json_lines::run(input, stdout, stderr, &KNOWN_FIELDS, answer)
}

fn answer(id: Option<&RawValue>, fields: &Fields<'_>) -> Result<Answered, String> {
    let answer = Answer::to(&read_counts(fields)?, read_settings(fields)?);
    let line = object::line(id, &answer).map_err(|fault| fault.to_string())?;
    Ok(Answered { line, warning: answer.missing_llr("say it in the field `wl`") })
}

fn read_counts(fields: &Fields<'_>) -> Result<Counts, String> {
    const PENTA: &str = "five whole numbers of pairs, [LL, LD, DD+WL, WD, WW]";
    const WDL: &str = "three whole numbers of games, [W, D, L]";
    let won_and_lost = field(fields, "wl", "a whole number of pairs won and lost")?;
    let (penta, wdl) = (field(fields, "penta", PENTA)?, field(fields, "wdl", WDL)?);
    let counts = match (penta, wdl) {
        (Some(penta), None) => counts_of_pairs(penta, won_and_lost).map_err(|error| ("penta", error)),
        (None, Some(_)) if won_and_lost.is_some() => {
            Err(("wl", "belongs to `penta`, and this line has `wdl`".to_owned()))
        }
        (None, Some(wdl)) => counts_of_games(wdl).map_err(|error| ("wdl", error)),
        (Some(_), Some(_)) => return Err("`penta` and `wdl` can't both be given".to_owned()),
        (None, None) => return Err(format!("one of `penta` ({PENTA}) and `wdl` ({WDL}) is needed")),
    };
    counts.map_err(|(field, error)| format!("field `{field}`: {error}"))
}

fn read_settings(fields: &Fields<'_>) -> Result<Option<SprtSettings>, String> {
    let number = |name| field::<f64>(fields, name, "a number");
    let (elo0, elo1) = (number("elo0")?, number("elo1")?);
    let alpha = number("alpha")?.unwrap_or(DEFAULT_ERROR_RATE);
    let beta = number("beta")?.unwrap_or(DEFAULT_ERROR_RATE);
    let model: Option<String> = field(fields, "model", "\"normalized\", \"logistic\" or \"bayesian\"")?;
    let model = model.map_or(Ok(Model::default()), |name| name.parse());
    let model = model.map_err(|error| format!("field `model`: {error}"))?;
    let pentanomial = field(fields, "pentanomial", "true or false")?.unwrap_or(true);
    match (elo0, elo1) {
        (None, None) => Ok(None),
        (Some(elo0), Some(elo1)) => {
            let settings = SprtSettings::new((elo0, elo1), alpha, beta, model, pentanomial);
            settings.map(Some).map_err(|error| error.to_string())
        }
        _ => Err("a test needs both `elo0` and `elo1`".to_owned()),
    }
}

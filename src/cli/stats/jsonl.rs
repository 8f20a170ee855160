//! `arbiter stats --jsonl`: counts and settings a line in, figures a line out.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

use serde_json::value::RawValue;

use super::args::{DEFAULT_ERROR_RATE, counts_of_games, counts_of_pairs};
use super::{Answer, Test, object};
use crate::judge::case::excerpt;
use crate::judge::ignored_fields::IgnoredFields;
use crate::judge::json::{NoExtra, error_line};
use crate::judge::line_input::{LONGEST_LINE, LineInput, NextLine};
use crate::statistics::counts::Counts;
use crate::statistics::sprt::{Model, SprtSettings};

type Fields<'a> = HashMap<String, &'a RawValue>;

const KNOWN_FIELDS: [&str; 10] =
    ["id", "model", "penta", "wl", "wdl", "elo0", "elo1", "alpha", "beta", "pentanomial"];

/// Answers line by line, in constant memory: each answer is written and flushed before the next line is read. A bad line
/// gives an object with `error`, and the rest goes on. Returns how many lines were bad.
///
/// # Errors
/// Those of reading and writing.
pub(super) fn run(input: impl BufRead, stdout: &mut dyn Write, stderr: &mut dyn Write) -> io::Result<u64> {
    let mut input = LineInput::new(input);
    let mut ignored = IgnoredFields::new(&KNOWN_FIELDS);
    let mut bad_lines = 0;
    loop {
        let line = match input.advance()? {
            NextLine::End => return Ok(bad_lines),
            NextLine::TooLong => {
                bad_lines += 1;
                let error = format!("the line is longer than {LONGEST_LINE} bytes");
                error_line((), &error, NoExtra {})?
            }
            NextLine::Read if input.line().trim_ascii().is_empty() => continue,
            NextLine::Read => match read_fields(input.line()) {
                Ok(fields) => {
                    let id = fields.get("id").copied();
                    ignored.note(fields.keys());
                    ignored.say_new_ones(input.number(), stderr)?;
                    match answer(&fields) {
                        Ok(answer) => {
                            say_missing_llr(&answer, input.number(), stderr)?;
                            object::line(id, &answer)?
                        }
                        Err(error) => {
                            bad_lines += 1;
                            error_line(id, &error, NoExtra {})?
                        }
                    }
                }
                Err(error) => {
                    bad_lines += 1;
                    error_line((), &error, NoExtra {})?
                }
            },
        };
        stdout.write_all(&line)?;
        stdout.flush()?;
    }
}

fn say_missing_llr(answer: &Answer, line: u64, stderr: &mut dyn Write) -> io::Result<()> {
    match &answer.test {
        Some(Test { llr: Err(why), .. }) => {
            writeln!(stderr, "warning: line {line}: there is no LLR: {why}; say it in the field `wl`")
        }
        _ => Ok(()),
    }
}

fn read_fields(line: &[u8]) -> Result<Fields<'_>, String> {
    let text = std::str::from_utf8(line)
        .map_err(|fault| format!("the line is not UTF-8: byte {} is wrong", fault.valid_up_to() + 1))?;
    serde_json::from_str(text).map_err(|fault| format!("the line is not a JSON object: {fault}"))
}

fn answer(fields: &Fields<'_>) -> Result<Answer, String> {
    let counts = read_counts(fields)?;
    Ok(Answer::to(&counts, read_settings(fields)?))
}

fn read_counts(fields: &Fields<'_>) -> Result<Counts, String> {
    const PENTA: &str = "five whole numbers of pairs, [LL, LD, DD+WL, WD, WW]";
    const WDL: &str = "three whole numbers of games, [W, D, L]";
    let won_and_lost = read(fields, "wl", "a whole number of pairs won and lost")?;
    let (penta, wdl) = (read(fields, "penta", PENTA)?, read(fields, "wdl", WDL)?);
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
    let number = |name| read::<f64>(fields, name, "a number");
    let (elo0, elo1) = (number("elo0")?, number("elo1")?);
    let alpha = number("alpha")?.unwrap_or(DEFAULT_ERROR_RATE);
    let beta = number("beta")?.unwrap_or(DEFAULT_ERROR_RATE);
    let model: Option<String> = read(fields, "model", "\"normalized\", \"logistic\" or \"bayesian\"")?;
    let model = model.map_or(Ok(Model::default()), |name| name.parse());
    let model = model.map_err(|error| format!("field `model`: {error}"))?;
    let pentanomial = read(fields, "pentanomial", "true or false")?.unwrap_or(true);
    match (elo0, elo1) {
        (None, None) => Ok(None),
        (Some(elo0), Some(elo1)) => {
            let settings = SprtSettings::new((elo0, elo1), alpha, beta, model, pentanomial);
            settings.map(Some).map_err(|error| error.to_string())
        }
        _ => Err("a test needs both `elo0` and `elo1`".to_owned()),
    }
}

/// A field; null is as good as absent.
fn read<'a, T: serde::Deserialize<'a>>(
    fields: &Fields<'a>,
    name: &str,
    expected: &str,
) -> Result<Option<T>, String> {
    let Some(raw) = fields.get(name) else { return Ok(None) };
    serde_json::from_str(raw.get())
        .map_err(|_| format!("field `{name}`: must be {expected}, not `{}`", excerpt(raw.get())))
}

//! `arbiter judge --jsonl`: one case a line in, one judgement a line out.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

use serde_json::value::RawValue;
use shakmaty::Color;

use super::case::{Case, excerpt, judge};
use super::ignored_fields::IgnoredFields;
use super::json::{NoExtra, error_line, judged_line};
use super::line_input::{LONGEST_LINE, LineInput, NextLine};
use super::review::{Event, JudgeOptions};
use crate::law::verdict::Forfeit;

/// Judges line by line, in constant memory: each line is written and flushed as soon as it is judged. A bad line
/// gives an object with `error`, and the rest goes on. Fields that mean nothing here are ignored and said once on
/// `stderr`. Returns how many lines were bad.
///
/// # Errors
/// Those of reading and writing.
pub fn run(
    input: impl BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
    options: &JudgeOptions,
) -> io::Result<u64> {
    let mut input = LineInput::new(input);
    let mut ignored = IgnoredFields::new(&KNOWN_FIELDS);
    let mut bad_lines = 0;
    loop {
        let answer = match input.advance()? {
            NextLine::End => return Ok(bad_lines),
            NextLine::TooLong => {
                Err(Refusal::without_id(format!("the line is longer than {LONGEST_LINE} bytes")))
            }
            NextLine::Read if input.line().trim_ascii().is_empty() => continue,
            NextLine::Read => answer(input.line(), options, &mut ignored),
        };
        let line = match answer {
            Ok(line) => line,
            Err(refusal) => {
                bad_lines += 1;
                error_line(refusal.id, &refusal.error, NoExtra {})?
            }
        };
        ignored.say_new_ones(input.number(), stderr)?;
        stdout.write_all(&line)?;
        stdout.flush()?;
    }
}

/// Why a line can't be judged, and whose it was as far as that can be told.
struct Refusal<'a> {
    id: Option<&'a RawValue>,
    error: String,
}

impl Refusal<'_> {
    fn without_id(error: String) -> Refusal<'static> {
        Refusal { id: None, error }
    }
}

fn answer<'a>(
    line: &'a [u8],
    options: &JudgeOptions,
    ignored: &mut IgnoredFields,
) -> Result<Vec<u8>, Refusal<'a>> {
    let text = std::str::from_utf8(line).map_err(|fault| {
        Refusal::without_id(format!("the line is not UTF-8: byte {} is wrong", fault.valid_up_to() + 1))
    })?;
    let fields: Fields<'a> = serde_json::from_str(text)
        .map_err(|fault| Refusal::without_id(format!("the line is not a JSON object: {fault}")))?;
    let id = fields.get("id").copied();
    ignored.note(fields.keys());
    let judgement =
        read_case(&fields).and_then(|case| judge(&case, options).map_err(|fault| fault.to_string()));
    judgement
        .and_then(|judgement| judged_line(id, &judgement, NoExtra {}).map_err(|fault| fault.to_string()))
        .map_err(|error| Refusal { id, error })
}

type Fields<'a> = HashMap<String, &'a RawValue>;

const KNOWN_FIELDS: [&str; 5] = ["id", "fen", "moves", "chess960", "event"];

fn read_case(fields: &Fields<'_>) -> Result<Case, String> {
    Ok(Case {
        fen: read(fields, "fen", "a string, or null for the initial position")?,
        chess960: read(fields, "chess960", "true or false")?.unwrap_or(false),
        moves: read_moves(fields)?,
        event: read_event(fields)?,
    })
}

fn read<'a, T: serde::Deserialize<'a>>(
    fields: &Fields<'a>,
    name: &str,
    expected: &str,
) -> Result<Option<T>, String> {
    let Some(raw) = fields.get(name) else { return Ok(None) };
    serde_json::from_str(raw.get())
        .map_err(|_| format!("field `{name}`: must be {expected}, not `{}`", excerpt(raw.get())))
}

fn read_moves(fields: &Fields<'_>) -> Result<Vec<String>, String> {
    let tokens: Option<Vec<&RawValue>> = read(fields, "moves", "an array of moves in UCI notation")?;
    let mut moves = Vec::new();
    for (index, token) in tokens.unwrap_or_default().into_iter().enumerate() {
        moves.push(serde_json::from_str(token.get()).map_err(|_| {
            let shown = excerpt(token.get());
            format!("field `moves`: `{shown}` at ply {} must be a string, a move in UCI notation", index + 1)
        })?);
    }
    Ok(moves)
}

fn read_event(fields: &Fields<'_>) -> Result<Option<Event>, String> {
    const EXPECTED: &str =
        "{\"flag_fall\" | \"resignation\" | \"illegal_move\" | \"disconnect\": \"white\" | \"black\"}";
    let event: Option<HashMap<String, String>> = read(fields, "event", EXPECTED)?;
    let Some(event) = event else { return Ok(None) };
    let mut entries = event.iter();
    let (Some((name, side)), None) = (entries.next(), entries.next()) else {
        return Err(format!("field `event`: must hold exactly one of {EXPECTED}"));
    };
    let forfeit = match name.as_str() {
        "flag_fall" => Forfeit::FlagFall,
        "resignation" => Forfeit::Resignation,
        "illegal_move" => Forfeit::IllegalMove,
        "disconnect" => Forfeit::Disconnect,
        _ => return Err(format!("field `event`: `{}` is unknown; it must be {EXPECTED}", excerpt(name))),
    };
    let side = match side.as_str() {
        "white" => Color::White,
        "black" => Color::Black,
        _ => {
            return Err(format!(
                "field `event`: `{name}` must be \"white\" or \"black\", not `{}`",
                excerpt(side)
            ));
        }
    };
    Ok(Some(Event { forfeit, side }))
}

#[cfg(test)]
#[path = "jsonl_tests.rs"]
mod tests;

//! `arbiter judge --jsonl`: one case a line in, one judgement a line out.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

use serde_json::value::RawValue;
use shakmaty::Color;

use super::case::{Case, excerpt, judge};
use super::json::{NoExtra, judged_line};
use super::json_lines::{self, Answered, Fields, field};
use super::review::{Event, JudgeOptions};
use crate::law::verdict::Forfeit;

/// Judges line by line, as [`json_lines::run`] says. Returns how many lines were bad.
///
/// # Errors
/// Those of reading and writing.
pub fn run(
    input: impl BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
    options: &JudgeOptions,
) -> io::Result<u64> {
    json_lines::run(input, stdout, stderr, &KNOWN_FIELDS, |id, fields| answer(id, fields, options))
}

fn answer(id: Option<&RawValue>, fields: &Fields<'_>, options: &JudgeOptions) -> Result<Answered, String> {
    let judgement = judge(&read_case(fields)?, options).map_err(|fault| fault.to_string())?;
    let line = judged_line(id, &judgement, NoExtra {}).map_err(|fault| fault.to_string())?;
    Ok(Answered { line, warning: None })
}

const KNOWN_FIELDS: [&str; 5] = ["id", "fen", "moves", "chess960", "event"];

fn read_case(fields: &Fields<'_>) -> Result<Case, String> {
    Ok(Case {
        fen: field(fields, "fen", "a string, or null for the initial position")?,
        chess960: field(fields, "chess960", "true or false")?.unwrap_or(false),
        moves: read_moves(fields)?,
        event: read_event(fields)?,
    })
}

fn read_moves(fields: &Fields<'_>) -> Result<Vec<String>, String> {
    let tokens: Option<Vec<&RawValue>> = field(fields, "moves", "an array of moves in UCI notation")?;
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
    let event: Option<HashMap<String, String>> = field(fields, "event", EXPECTED)?;
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

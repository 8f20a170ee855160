//! Questions as JSON lines, an answer for each, whatever they are about.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

use serde_json::value::RawValue;

use super::case::excerpt;
use super::ignored_fields::IgnoredFields;
use super::json::{NoExtra, error_line};
use super::line_input::{LONGEST_LINE, LineInput, NextLine};

/// The fields of a question, by name, as they were written.
pub type Fields<'a> = HashMap<String, &'a RawValue>;

/// What a question is answered by.
#[derive(Debug)]
pub struct Answered {
    /// The answer, with its line end.
    pub line: Vec<u8>,
    /// What is to be said of it on stderr.
    pub warning: Option<String>,
}

/// Answers line by line, in constant memory: each answer is written and flushed before the next line is read. `answer`
/// is given the field `id` and all fields. A bad line gives an object with `error`, and the rest goes on. Fields that
/// are not among `known` are ignored and said once on `stderr`. Returns how many lines were bad.
///
/// # Errors
/// Those of reading and writing.
pub fn run(
    input: impl BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
    known: &'static [&'static str],
    answer: impl Fn(Option<&RawValue>, &Fields<'_>) -> Result<Answered, String>,
) -> io::Result<u64> {
    let mut input = LineInput::new(input);
    let mut ignored = IgnoredFields::new(known);
    let mut bad_lines = 0;
    loop {
        let question = match input.advance()? {
            NextLine::End => return Ok(bad_lines),
            NextLine::TooLong => Err(format!("the line is longer than {LONGEST_LINE} bytes")),
            NextLine::Read if input.line().trim_ascii().is_empty() => continue,
            NextLine::Read => fields(input.line()),
        };
        let mut id = None;
        let answered = question.and_then(|fields| {
            id = fields.get("id").copied();
            ignored.note(fields.keys());
            answer(id, &fields)
        });
        ignored.say_new_ones(input.number(), stderr)?;
        let line = match answered {
            Ok(Answered { line, warning }) => {
                if let Some(warning) = warning {
                    writeln!(stderr, "warning: line {}: {warning}", input.number())?;
                }
                line
            }
            Err(error) => {
                bad_lines += 1;
                error_line(id, &error, NoExtra {})?
            }
        };
        stdout.write_all(&line)?;
        stdout.flush()?;
    }
}

fn fields(line: &[u8]) -> Result<Fields<'_>, String> {
    let text = std::str::from_utf8(line)
        .map_err(|fault| format!("the line is not UTF-8: byte {} is wrong", fault.valid_up_to() + 1))?;
    serde_json::from_str(text).map_err(|fault| format!("the line is not a JSON object: {fault}"))
}

/// A field; null is as good as absent.
///
/// # Errors
/// It is not what is expected, which is said in words.
pub fn field<'a, T: serde::Deserialize<'a>>(
    fields: &Fields<'a>,
    name: &str,
    expected: &str,
) -> Result<Option<T>, String> {
    let Some(raw) = fields.get(name) else { return Ok(None) };
    serde_json::from_str(raw.get())
        .map_err(|_| format!("field `{name}`: must be {expected}, not `{}`", excerpt(raw.get())))
}

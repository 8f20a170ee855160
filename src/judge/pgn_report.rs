//! `arbiter judge --pgn FILE`: the audit of a whole file, for readers or as JSON lines.

use std::io::{self, BufRead, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use super::json::{error_line, judged_line};
use super::pgn_audit::{Agreement, Audited, audit, file_result};
use super::pgn_game::{FileResult, PgnFault, PgnGame};
use super::pgn_reader::PgnReader;
use super::review::JudgeOptions;

/// How many games of a file came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games read.
    pub games: u64,
    /// Their result is one that the Laws allow.
    pub agree: u64,
    /// It is not.
    pub broken: u64,
    /// They have no result.
    pub open: u64,
    /// They can't be read or have an illegal move.
    pub faulty: u64,
    /// Play went on after the game was over.
    pub played_on: u64,
}

impl Tally {
    /// Whether every game could be read and no result breaks the Laws.
    pub fn is_clean(&self) -> bool {
        self.broken == 0 && self.faulty == 0
    }

    fn add(&mut self, audited: &Result<Audited, PgnFault>) {
        self.games += 1;
        match audited {
            Err(_) => self.faulty += 1,
            Ok(audited) => {
                match audited.agreement {
                    Agreement::Agrees => self.agree += 1,
                    Agreement::Breaks(_) => self.broken += 1,
                    Agreement::NoOpinion => self.open += 1,
                }
                self.played_on += u64::from(audited.plies_after_end > 0);
            }
        }
    }

    fn sentence(&self) -> String {
        if self.games == 0 {
            return "No games.".to_owned();
        }
        let mut parts = vec![format!("{} with a result that agrees with the Laws", self.agree)];
        let others = [
            (self.broken, "with a result that breaks the Laws"),
            (self.open, "without a result"),
            (self.faulty, "that can't be judged"),
        ];
        parts.extend(
            others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")),
        );
        let played_on = match self.played_on {
            0 => String::new(),
            count => format!(" In {} play went on after the game was over.", counted(count, "game", "games")),
        };
        format!("{}: {}.{played_on}", counted(self.games, "game", "games"), parts.join(", "))
    }
}

/// Audits every game. As JSON, one object a game; for readers, the games whose result breaks the Laws, in which play
/// went on after the end or which can't be judged, and a summary.
///
/// # Errors
/// Those of reading and writing.
pub fn run(
    input: impl BufRead,
    as_json: bool,
    stdout: &mut dyn Write,
    options: &JudgeOptions,
) -> io::Result<Tally> {
    let mut reader = PgnReader::new(input);
    let mut output = io::BufWriter::new(stdout);
    let mut tally = Tally::default();
    while let Some(game) = reader.next_game()? {
        let audited = audit(&game, options);
        tally.add(&audited);
        if as_json {
            output.write_all(&object(&game, &audited)?)?;
        } else {
            output.write_all(paragraph(&game, &audited).as_bytes())?;
        }
    }
    if !as_json {
        writeln!(output, "{}", tally.sentence())?;
    }
    output.flush()?;
    Ok(tally)
}

#[derive(Serialize)]
struct FileFields {
    tags: Map<String, Value>,
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<Option<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_after_end: Option<usize>,
}

fn object(game: &PgnGame, audited: &Result<Audited, PgnFault>) -> io::Result<Vec<u8>> {
    let mut tags = Map::new();
    for (name, value) in &game.tags {
        tags.entry(name.as_str()).or_insert_with(|| Value::String(value.clone()));
    }
    let result = file_result(game).map(FileResult::as_str);
    match audited {
        Ok(audited) => {
            let agrees = Some(audited.agreement.as_bool());
            let plies_after_end = Some(audited.plies_after_end).filter(|plies| *plies > 0);
            let fields = FileFields { tags, result, agrees, plies_after_end };
            judged_line(game.number, &audited.judgement, fields)
        }
        Err(fault) => {
            let fields = FileFields { tags, result, agrees: None, plies_after_end: None };
            error_line(game.number, &fault.to_string(), fields)
        }
    }
}

/// What there is to say of a game; nothing if all is well.
fn paragraph(game: &PgnGame, audited: &Result<Audited, PgnFault>) -> String {
    let mut sentences = Vec::new();
    match audited {
        Err(fault) => sentences.push(format!("Can't be judged: {fault}")),
        Ok(audited) => {
            if let Agreement::Breaks(why) = &audited.agreement {
                sentences.push(format!("Breaks the Laws: {why}"));
            }
            if let (Some(end), plies @ 1..) = (audited.judgement.end(), audited.plies_after_end) {
                let plies = counted(plies as u64, "ply", "plies");
                sentences
                    .push(format!("Went on for {plies} after the end at ply {}: {}", end.ply, end.verdict));
            }
            if !sentences.is_empty() {
                sentences.extend(audited.judgement.notes().iter().map(|note| format!("Note: {note}")));
            }
        }
    }
    if sentences.is_empty() {
        return String::new();
    }
    format!("{}\n  {}\n", title(game), sentences.join("\n  "))
}

/// `Game 3 (line 41): Alpha - Beta, round 2.1, 1-0`
fn title(game: &PgnGame) -> String {
    let known = |name: &str| game.tag(name).filter(|value| !value.is_empty() && *value != "?").map(printable);
    let mut title = format!("Game {} (line {})", game.number, game.line);
    if let (Some(white), Some(black)) = (known("White"), known("Black")) {
        title.push_str(&format!(": {white} - {black}"));
    }
    if let Some(round) = known("Round") {
        title.push_str(&format!(", round {round}"));
    }
    if let Some(result) = file_result(game) {
        title.push_str(&format!(", {result}"));
    }
    title
}

/// Nothing from a file steers the terminal.
fn printable(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).collect()
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
#[path = "pgn_report_tests.rs"]
mod tests;

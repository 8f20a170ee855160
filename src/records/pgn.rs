//! Games as PGN text that any reader takes without a warning.

use std::fmt::Write;
use std::time::Duration;

use shakmaty::{ByColor, Color, Position};

use super::time_control_tags;
use crate::engine::message::Score;
use crate::game::record::{GameRecord, PlyRecord, SearchRecord};

/// What every game of a match has in common.
#[derive(Clone, Debug)]
pub struct MatchTags {
    /// `Event`.
    pub event: String,
    /// `Site`.
    pub site: String,
}

const LINE_WIDTH: usize = 80;
const HALF_A_MILLISECOND: Duration = Duration::from_micros(500);
/// How long the tags and the closing comment of most games are, in bytes.
const USUAL_TAGS: usize = 768;
/// How long most moves are with their comments, in bytes.
const USUAL_MOVE: usize = 36;

/// A whole game: tags, movetext, result, and an empty line after it.
pub fn render(game: &GameRecord, tags: &MatchTags) -> String {
    let mut text = String::with_capacity(USUAL_TAGS + USUAL_MOVE * game.plies.len());
    write_tags(&mut text, game, tags);
    text.push('\n');
    write_movetext(&mut text, game);
    text.push_str("\n\n");
    text
}

fn write_tags(text: &mut String, game: &GameRecord, tags: &MatchTags) {
    let verdict = &game.verdict;
    let mut tag = |name: &str, value: &str| {
        // Writing to a string can't fail.
        let _ = writeln!(text, "[{name} \"{}\"]", escaped(value));
    };
    tag("Event", &tags.event);
    tag("Site", &tags.site);
    tag("Date", &game.started.strftime("%Y.%m.%d").to_string());
    tag("Round", &game.id.to_string());
    tag("White", &game.names.white);
    tag("Black", &game.names.black);
    tag("Result", verdict.result().as_str());
    if game.opening.mode.is_chess960() {
        tag("Variant", "Chess960");
    }
    if let Some(fen) = &game.opening.fen {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    for (name, value) in time_control_tags::tags(&game.time_controls) {
        tag(&name, &value);
    }
    let ByColor { white, black } = &game.claims;
    if white == black {
        tag("Claims", white);
    } else {
        tag("WhiteClaims", white);
        tag("BlackClaims", black);
    }
    tag("GameStartTime", &game.started.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string());
    tag("PlyCount", &game.plies.len().to_string());
    tag("Termination", verdict.reason().pgn_termination());
    tag("Reason", verdict.reason().name());
    if let Some(article) = verdict.article() {
        tag("Article", article);
    }
}

/// A tag's value: quotes and backslashes escaped, nothing that would end the line.
fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A comment's text: PGN has no way to write a brace inside one.
fn comment(text: &str) -> String {
    let inside: String = text
        .chars()
        .map(|character| match character {
            '{' => '(',
            '}' => ')',
            control if control.is_control() => ' ',
            other => other,
        })
        .collect();
    format!("{{{}}}", inside.trim())
}

fn write_movetext(text: &mut String, game: &GameRecord) {
    let mut line = Line::new(text);
    let start = &game.opening.start;
    let mut number = start.fullmoves().get();
    let mut turn = start.turn();
    let mut word = String::new();
    for ply in &game.plies {
        word.clear();
        // There is a comment before every move of Black, so its number stands again.
        word.push_str(itoa::Buffer::new().format(number));
        word.push_str(turn.fold_wb(".", "..."));
        line.word(&word);
        line.word(&ply.san);
        word.clear();
        write_move_comment(&mut word, ply);
        // Kept on one line: some readers look for `move {comment}`.
        line.word(&word);
        let offer = ply.offers_draw.then_some("offers a draw");
        for remark in ply.remark.as_deref().into_iter().chain(offer) {
            line.words(&comment(remark));
        }
        if turn == Color::Black {
            number += 1;
        }
        turn = !turn;
    }
    line.words(&comment(&game.sentence()));
    line.word(game.verdict.result().as_str());
}

fn write_move_comment(text: &mut String, ply: &PlyRecord) {
    let Some(SearchRecord { time, score, depth, .. }) = &ply.search else { return text.push_str("{book}") };
    text.push('{');
    if let Some(score) = score {
        write_score(text, *score);
        if let Some(depth) = depth {
            text.push('/');
            text.push_str(itoa::Buffer::new().format(*depth));
        }
        text.push(' ');
    }
    let milliseconds = time.saturating_add(HALF_A_MILLISECOND);
    text.push_str(itoa::Buffer::new().format(milliseconds.as_secs()));
    // A leading 1 keeps the zeros behind the point.
    let mut thousandths = itoa::Buffer::new();
    text.push('.');
    text.push_str(&thousandths.format(1000 + milliseconds.subsec_millis())[1..]);
    text.push_str("s}");
}

/// As [`Score`] is displayed, in a third of the time.
fn write_score(text: &mut String, score: Score) {
    let Score::Centipawns(centipawns) = score else {
        // Writing to a string can't fail.
        let _ = write!(text, "{score}");
        return;
    };
    let size = centipawns.unsigned_abs();
    text.push(if centipawns < 0 { '-' } else { '+' });
    text.push_str(itoa::Buffer::new().format(size / 100));
    // A leading 1 keeps the zeros behind the point.
    text.push('.');
    text.push_str(&itoa::Buffer::new().format(100 + size % 100)[1..]);
}

/// Words put on lines of at most [`LINE_WIDTH`] characters.
struct Line<'a> {
    text: &'a mut String,
    width: usize,
}

impl Line<'_> {
    fn new(text: &mut String) -> Line<'_> {
        Line { text, width: 0 }
    }

    fn words(&mut self, text: &str) {
        text.split(' ').for_each(|word| self.word(word));
    }

    fn word(&mut self, word: &str) {
        let length = if word.is_ascii() { word.len() } else { word.chars().count() };
        if self.width == 0 {
            self.width = length;
        } else if self.width + 1 + length > LINE_WIDTH && !word.starts_with('%') {
            // A line that begins with `%` is no part of the game to many readers.
            self.text.push('\n');
            self.width = length;
        } else {
            self.text.push(' ');
            self.width += 1 + length;
        }
        self.text.push_str(word);
    }
}

#[cfg(test)]
#[path = "pgn_tests.rs"]
mod tests;

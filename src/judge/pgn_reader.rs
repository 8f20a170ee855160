//! A streaming reader of PGN files that passes over nothing in silence.
//!
//! Readers made for speed skip what they can't read, so a game with a broken move comes out as another game. Here
//! every token of the main line is a move, a result or a fault with its line; a fault costs its own game, and reading
//! goes on with the next one. Tolerated: missing tags or blank lines, move numbers of any kind, escaped lines (`%`),
//! Latin-1, annotation glyphs, any line ends.

use std::io::{self, BufRead};

use super::case::excerpt;
use super::line_input::{LineInput, NextLine};
use super::pgn_game::{FileResult, MoveToken, PgnGame};

/// More moves than any game can have: the seventy-five-move rule ends every game before.
const MOST_PLIES: usize = 20_000;
const MOST_TAGS: usize = 1_000;

/// Reads game by game, in the memory of one game.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: LineInput<R>,
    /// The current line, and where in it reading goes on; at its end a new one is needed.
    text: String,
    at: usize,
    games: u64,
    /// The line on which an open comment began.
    comment: Option<u64>,
    variations: u32,
}

/// Whether the game that is being read has come to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    GoesOn,
    Ended,
}

impl<R: BufRead> PgnReader<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> PgnReader<R> {
        let input = LineInput::new(input);
        PgnReader { input, text: String::new(), at: 0, games: 0, comment: None, variations: 0 }
    }

    /// The next game; `None` at the end of the file.
    ///
    /// # Errors
    /// Those of the input. What is wrong with a game stands in its `fault`.
    pub fn next_game(&mut self) -> io::Result<Option<PgnGame>> {
        let mut game = PgnGame::default();
        loop {
            if self.at >= self.text.len() {
                match self.input.advance()? {
                    NextLine::Read => self.take_line(),
                    NextLine::TooLong => self.too_long(&mut game),
                    NextLine::End => break,
                }
            }
            if self.read_line(&mut game) == Progress::Ended {
                return Ok(Some(game));
            }
        }
        self.close(&mut game);
        Ok((game.number > 0).then_some(game))
    }

    /// PGN was Latin-1 by its standard and is UTF-8 by use.
    fn take_line(&mut self) {
        self.at = 0;
        self.text.clear();
        match std::str::from_utf8(self.input.line()) {
            Ok(text) => self.text.push_str(text),
            Err(_) => self.text.extend(self.input.line().iter().copied().map(char::from)),
        }
    }

    fn too_long(&mut self, game: &mut PgnGame) {
        self.begin(game);
        game.set_fault(self.input.number(), "the line is too long to be read");
    }

    /// Reads on in the current line.
    fn read_line(&mut self, game: &mut PgnGame) -> Progress {
        if self.at == 0 && self.text.starts_with('%') {
            self.at = self.text.len();
            return Progress::GoesOn;
        }
        if self.at == 0 && self.line_starts_another(game) {
            self.begin(game);
            self.close(game);
            return Progress::Ended;
        }
        let text = std::mem::take(&mut self.text);
        let mut scanner = Scanner { text: &text, at: self.at };
        let progress = self.scan(&mut scanner, game);
        self.at = scanner.at;
        self.text = text;
        progress
    }

    /// A game without a result ends where the tags of another one begin. A comment or variation that is still open
    /// there must have lost its end.
    fn line_starts_another(&self, game: &PgnGame) -> bool {
        let event = self.text.starts_with("[Event \"");
        let in_text = self.comment.is_some() || self.variations > 0;
        let in_moves = !in_text && !game.moves.is_empty() && self.text.trim_start().starts_with('[');
        in_moves || (event && (in_text || game.tag("Event").is_some()))
    }

    fn scan(&mut self, scanner: &mut Scanner<'_>, game: &mut PgnGame) -> Progress {
        let line = self.input.number();
        loop {
            if self.comment.is_some() {
                if !scanner.skip_past('}') {
                    return Progress::GoesOn;
                }
                self.comment = None;
            }
            let Some(next) = scanner.skip_space() else { return Progress::GoesOn };
            match next {
                ';' => scanner.skip_line(),
                '{' => {
                    scanner.bump();
                    self.comment = Some(line);
                }
                '(' | ')' => {
                    scanner.bump();
                    self.variation(next, game);
                }
                '[' if self.variations == 0 && game.moves.is_empty() => {
                    self.begin(game);
                    self.tag(scanner, game);
                }
                '}' => {
                    scanner.bump();
                    self.begin(game);
                    game.set_fault(line, "`}` closes no comment");
                }
                _ => {
                    let token = scanner.token();
                    if self.variations == 0 && self.token(token, game) == Progress::Ended {
                        return Progress::Ended;
                    }
                }
            }
        }
    }

    fn variation(&mut self, bracket: char, game: &mut PgnGame) {
        self.begin(game);
        match (bracket, self.variations) {
            ('(', _) => self.variations += 1,
            (_, 0) => game.set_fault(self.input.number(), "`)` closes no variation"),
            (_, _) => self.variations -= 1,
        }
    }

    fn tag(&mut self, scanner: &mut Scanner<'_>, game: &mut PgnGame) {
        let line = self.input.number();
        match scanner.tag() {
            Some(tag) if game.tags.len() < MOST_TAGS => game.tags.push(tag),
            Some(_) => game.set_fault(line, "more tags than a game can have"),
            None => {
                let text = scanner.rest();
                let what = format!("the tag `{}` can't be read", excerpt(text));
                let judged_by = ["[FEN", "[Result", "[SetUp", "[Variant"];
                if judged_by.iter().any(|name| text.starts_with(name)) {
                    game.set_fault(line, what);
                } else {
                    game.notes.push(format!("line {line}: {what}"));
                }
                scanner.skip_line();
            }
        }
    }

    /// A token of the main line.
    fn token(&mut self, token: &str, game: &mut PgnGame) -> Progress {
        let line = self.input.number();
        let token = if FileResult::parse(token).is_some() { token } else { without_number(token) };
        if token.is_empty() || token.starts_with('$') || token == "e.p." || is_glyph(token) {
            return Progress::GoesOn;
        }
        self.begin(game);
        if let Some(result) = FileResult::parse(token) {
            game.terminator = Some(result);
            return Progress::Ended;
        }
        if game.moves.len() < MOST_PLIES {
            game.moves.push(MoveToken { text: token.to_owned(), line });
        } else {
            game.set_fault(line, format!("more than {MOST_PLIES} plies"));
        }
        Progress::GoesOn
    }

    fn begin(&mut self, game: &mut PgnGame) {
        if game.number == 0 {
            self.games += 1;
            game.number = self.games;
            game.line = self.input.number();
        }
    }

    /// Ends a game that has no result, with what is still open in it.
    fn close(&mut self, game: &mut PgnGame) {
        if let Some(line) = self.comment.take() {
            game.set_fault(line, "the comment that begins here is never closed");
        }
        if std::mem::take(&mut self.variations) > 0 {
            game.set_fault(self.input.number(), "a variation is never closed");
        }
    }
}

/// `12.`, `3...` and `1.e4` without their numbers. `0-0` has none.
fn without_number(token: &str) -> &str {
    if token == "0000" {
        return token; // a null move
    }
    let bare = token.trim_start_matches(|digit: char| digit.is_ascii_digit());
    match bare.chars().next() {
        None => "",
        Some('.' | '…') => bare.trim_start_matches(['.', '…']),
        _ => token,
    }
}

/// `!?`, `+-`, `±`, `=` and the like, which say something of a move; `--` is a null move.
fn is_glyph(token: &str) -> bool {
    !token.chars().any(|character| character.is_alphanumeric()) && !matches!(token, "--" | "*")
}

/// A place in a line.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn bump(&mut self) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    fn skip_line(&mut self) {
        self.at = self.text.len();
    }

    fn skip_space(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn skip_past(&mut self, end: char) -> bool {
        let found = self.rest().find(end);
        self.at = found.map_or(self.text.len(), |place| self.at + place + end.len_utf8());
        found.is_some()
    }

    fn token(&mut self) -> &'a str {
        let rest = self.rest();
        let ends = |(index, character): &(usize, char)| {
            character.is_whitespace() || "{}();".contains(*character) || (*index > 0 && *character == '$')
        };
        let length = rest.char_indices().find(ends).map_or(rest.len(), |(index, _)| index);
        self.at += length;
        &rest[..length]
    }

    /// `[Name "value"]`; nothing is taken if it isn't one.
    fn tag(&mut self) -> Option<(String, String)> {
        let (name, value) = self.rest().strip_prefix('[')?.split_once('"')?;
        let name = name.trim();
        if name.is_empty()
            || !name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
        {
            return None;
        }
        let (value, rest) = quoted(value)?;
        self.at = self.text.len() - rest.len();
        Some((name.to_owned(), value))
    }
}

/// The value up to its closing quote, and what follows `]`. Quotes that should have been escaped are kept.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' if text[index + 1..].starts_with(['\\', '"']) => {
                value.extend(characters.next().map(|(_, escaped)| escaped))
            }
            '"' => match text[index + 1..].trim_start().strip_prefix(']') {
                Some(rest) => return Some((value, rest)),
                None => value.push('"'),
            },
            _ => value.push(character),
        }
    }
    None
}

#[cfg(test)]
#[path = "pgn_reader_tests.rs"]
mod tests;

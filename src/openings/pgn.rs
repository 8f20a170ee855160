//! A game of a PGN book: where it starts, and the moves of its main line.

use std::ops::ControlFlow;

use shakmaty::san::{San, SanError};
use shakmaty::{CastlingMode, Move};

use super::book::{Entry, EntryRules};
use super::index::without_end;
use super::opening::Opening;
use super::problem::{BadEntry, Fault, excerpt};
use super::scan::{Item, Scanner, is_result};
use crate::law::game_state::GameState;
use crate::law::notation::fen::{self, FenError, ParsedFen, Repair};
use crate::law::notation::uci_move;

/// Reads one game; `text` begins on line `line` of the book. `cut` says that it does not reach to the game's end.
pub(super) fn parse(text: &[u8], line: u64, cut: bool, rules: &EntryRules) -> Result<Entry, BadEntry> {
    let mut reader = GameReader { rules, set_up: None, start: None, moves: None };
    let mut scanner = Scanner::default();
    let mut is_complete = false;
    for (number, part) in (line..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
        let part = without_end(part);
        let mut outcome = Ok(());
        let flow = scanner.scan_line(part, |_, item| {
            let read = reader.read(item);
            let flow =
                if matches!(read, Ok(false)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            outcome = read.map_err(|fault| BadEntry::new(number, part, fault)).map(drop);
            flow
        });
        outcome?;
        is_complete = flow.is_break();
        if is_complete {
            break;
        }
    }
    let unclosed =
        scanner.unclosed().filter(|_| !is_complete).map(|fault| Fault::Malformed(fault.to_owned()));
    let fault = unclosed.or_else(|| (cut && !is_complete).then_some(Fault::TooLong(text.len())));
    let moves = fault.map_or_else(|| reader.into_moves(), Err);
    let first_line = text.split(|byte| *byte == b'\n').next().unwrap_or(text);
    let MoveReader { opening, repairs, .. } =
        moves.map_err(|fault| BadEntry::new(line, first_line, fault))?;
    Ok(Entry { opening, line, repairs })
}

/// A game under reading: first tags, then moves.
struct GameReader<'a> {
    rules: &'a EntryRules,
    set_up: Option<String>,
    /// From the FEN tag.
    start: Option<MoveReader>,
    moves: Option<MoveReader>,
}

struct MoveReader {
    opening: Opening,
    repairs: Vec<Repair>,
    state: GameState,
    last_number: u64,
}

impl GameReader<'_> {
    /// Whether the line is complete with this item.
    fn read(&mut self, item: Item<'_>) -> Result<bool, Fault> {
        match item {
            Item::Tag { name, value } => self.read_tag(name, value).map(|()| false),
            Item::Word(word) => {
                let moves = match self.moves.take() {
                    Some(moves) => moves,
                    None => self.first_moves()?,
                };
                let moves = self.moves.insert(moves);
                if !is_result(word) && !is_enough(self.rules, &moves.opening) {
                    moves.read_word(word)?;
                }
                Ok(is_result(word) || is_enough(self.rules, &moves.opening))
            }
        }
    }

    fn read_tag(&mut self, name: &[u8], value: Option<&[u8]>) -> Result<(), Fault> {
        let known =
            ["FEN", "SetUp", "Variant"].into_iter().find(|known| name.eq_ignore_ascii_case(known.as_bytes()));
        let Some(name) = known else {
            return Ok(());
        };
        let Some(value) = value else {
            return Err(Fault::Malformed(format!("the {name} tag is damaged")));
        };
        let value = String::from_utf8_lossy(value).trim().to_owned();
        match name {
            "FEN" => {
                let refused = |error: FenError| Fault::Malformed(format!("FEN tag: {}", error.fault));
                let ParsedFen { chess, repairs } = fen::parse(&value, self.rules.mode).map_err(refused)?;
                let opening = Opening::at(chess, self.rules.mode);
                self.start = Some(MoveReader::new(opening, repairs, self.rules)?);
            }
            "SetUp" => self.set_up = Some(value),
            _ if is_played_as(&value, self.rules.mode) => {}
            _ => return Err(Fault::Variant(excerpt(value.as_bytes()))),
        }
        Ok(())
    }

    /// The start position that the tags give.
    fn first_moves(&mut self) -> Result<MoveReader, Fault> {
        let contradiction = |what: &str| Err(Fault::Malformed(what.to_owned()));
        match (self.start.take(), self.set_up.as_deref()) {
            (Some(_), Some("0")) => contradiction("SetUp is 0, but there is a FEN tag"),
            (None, Some("1")) => contradiction("SetUp is 1, but there is no FEN tag"),
            (Some(start), _) => Ok(start),
            (None, _) => MoveReader::new(Opening::initial(self.rules.mode), Vec::new(), self.rules),
        }
    }

    fn into_moves(mut self) -> Result<MoveReader, Fault> {
        self.moves.take().map_or_else(|| self.first_moves(), Ok)
    }
}

impl MoveReader {
    fn new(opening: Opening, repairs: Vec<Repair>, rules: &EntryRules) -> Result<MoveReader, Fault> {
        let state = GameState::new(opening.start.clone(), rules.mode, rules.dead_position);
        let reader = MoveReader { opening, repairs, state, last_number: 0 };
        reader.check_over()?;
        Ok(reader)
    }

    fn read_word(&mut self, word: &[u8]) -> Result<(), Fault> {
        let word = self.read_number(word)?;
        let text = without_annotations(word);
        if text.is_empty() || text == b"e.p" || text == b"ep" {
            return Ok(());
        }
        let shown = excerpt(word);
        let Some(san) = san(text) else {
            return Err(Fault::NotAMove(shown));
        };
        let ply = self.opening.book.len() + 1;
        let played = san.to_move(self.state.chess()).map_err(|error| match error {
            SanError::AmbiguousSan => Fault::AmbiguousMove { san: shown.clone(), ply },
            SanError::IllegalSan => Fault::IllegalMove { san: shown.clone(), ply },
        })?;
        self.play(played)
    }

    fn play(&mut self, played: Move) -> Result<(), Fault> {
        self.opening.book.push(uci_move::write(played, self.opening.mode).to_string());
        self.state.play(played);
        self.check_over()
    }

    /// A third occurrence or a fiftieth move is no end: nobody has claimed (field report O-07).
    fn check_over(&self) -> Result<(), Fault> {
        let plies = self.opening.book.len();
        let over = self.state.end().map(|verdict| Fault::Over { verdict: verdict.clone(), plies });
        over.map_or(Ok(()), Err)
    }

    /// Takes `12.`, `12...` or dots off a word. Numbers that fall mean that another game has begun.
    fn read_number<'a>(&mut self, word: &'a [u8]) -> Result<&'a [u8], Fault> {
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = word.split_at(digits);
        if digits > 0 && !rest.is_empty() && !rest.starts_with(b".") {
            return Ok(word);
        }
        if digits > 0 {
            let number = number
                .iter()
                .fold(0u64, |value, digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
            if number < self.last_number {
                let last = self.last_number;
                return Err(Fault::Malformed(format!(
                    "move number {number} after {last}: a result is missing"
                )));
            }
            self.last_number = number;
        }
        Ok(&rest[rest.iter().take_while(|byte| **byte == b'.').count()..])
    }
}

fn is_enough(rules: &EntryRules, opening: &Opening) -> bool {
    rules.plies.is_some_and(|plies| opening.book.len() >= plies as usize)
}

/// Takes `$1`, `!?`, `+` and `#` off the end.
fn without_annotations(word: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'$', word).unwrap_or(word.len());
    let kept = word[..end].iter().rposition(|byte| !b"!?+#.".contains(byte));
    &word[..kept.map_or(0, |last| last + 1)]
}

fn san(text: &[u8]) -> Option<San> {
    let castling = match text {
        b"0-0" => &b"O-O"[..],
        b"0-0-0" => b"O-O-O",
        other => other,
    };
    San::from_ascii(castling).ok()
}

/// Whether a game with this Variant tag can be played in the match.
fn is_played_as(variant: &str, mode: CastlingMode) -> bool {
    let name: String =
        variant.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_ascii_lowercase();
    match name.as_str() {
        "" | "standard" | "normal" | "chess" | "fromposition" => true,
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "freestyle" => mode.is_chess960(),
        _ => false,
    }
}

#[cfg(test)]
#[path = "pgn_tests.rs"]
mod tests;

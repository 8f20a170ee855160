//! What an engine says while it plays: `bestmove` and `info`, scanned leniently and without copying.
//!
//! `info` lines come by the thousand, and a general parser takes some 10 µs for each and loses what follows a token
//! that it doesn't know (`wdl`); this one skips what it doesn't need.

use std::fmt;

/// A score from the engine's own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves: positive, it mates; zero or negative, it is mated.
    MateIn(i32),
}

/// `+0.35`, `-1.20`, `+M5`, `-M5`: pawns, or moves to mate.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(centipawns) => {
                let sign = if *centipawns < 0 { '-' } else { '+' };
                let size = centipawns.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
            Score::MateIn(moves) => {
                let sign = if *moves > 0 { '+' } else { '-' };
                write!(f, "{sign}M{}", moves.unsigned_abs())
            }
        }
    }
}

/// Whether a score is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// An exact score.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What an `info` line told, as far as records need it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// Which of several lines this is, from 1.
    pub multipv: Option<u32>,
    /// The score and whether it is exact.
    pub score: Option<(Score, Bound)>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Milliseconds searched, as the engine measures them.
    pub time_ms: Option<u64>,
    /// The principal variation, its moves separated by white space.
    pub pv: Option<&'a [u8]>,
}

/// A `bestmove` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove<'a> {
    /// The move's token, not yet held to be legal; `None` for a bare `bestmove`.
    pub token: Option<&'a [u8]>,
    /// The token after `ponder`.
    pub ponder: Option<&'a [u8]>,
}

/// What an engine says to the referee by `info string`, one statement a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `info string claim draw`
    ClaimDraw,
    /// `info string offer draw`
    OfferDraw,
    /// `info string accept draw`
    AcceptDraw,
    /// `info string resign`
    Resign,
}

/// Reads a statement to the referee; `None` for every other line.
pub fn statement(line: &[u8]) -> Option<Statement> {
    let mut words = words(line);
    if (words.next(), words.next()) != (Some(b"info"), Some(b"string")) {
        return None;
    }
    let statement = match (words.next()?, words.next()) {
        (b"claim", Some(b"draw")) => Statement::ClaimDraw,
        (b"offer", Some(b"draw")) => Statement::OfferDraw,
        (b"accept", Some(b"draw")) => Statement::AcceptDraw,
        (b"resign", None) => return Some(Statement::Resign),
        _ => return None,
    };
    words.next().is_none().then_some(statement)
}

/// The words of a line, whatever white space lies between them.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether the line's first word is this one.
pub fn starts_with_word(line: &[u8], word: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.strip_prefix(word).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// An answer to a question, where none is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfTurn {
    /// `bestmove`
    BestMove,
    /// `uciok` or `readyok`
    Ready,
}

/// Reads an answer that nobody waits for; `None` for every other line.
pub fn out_of_turn(line: &[u8]) -> Option<OutOfTurn> {
    match words(line).next()? {
        b"bestmove" => Some(OutOfTurn::BestMove),
        b"uciok" | b"readyok" => Some(OutOfTurn::Ready),
        _ => None,
    }
}

/// Whether an engine tells of itself: words of UCI that ask for nothing and are never out of place.
pub fn is_notice(line: &[u8]) -> bool {
    let word = words(line).next().unwrap_or_default();
    [&b"id"[..], b"option", b"copyprotection", b"registration"].contains(&word)
}

/// Reads a `bestmove` line; `None` if it is another.
pub fn best_move(line: &[u8]) -> Option<BestMove<'_>> {
    if !starts_with_word(line, b"bestmove") {
        return None;
    }
    let mut words = words(line).skip(1);
    let token = words.next();
    let ponder = words.next().filter(|word| *word == b"ponder").and_then(|_| words.next());
    Some(BestMove { token, ponder })
}

/// Reads an `info` line; `None` if it is another line, or an `info string`, which is comment whatever it contains.
pub fn info(line: &[u8]) -> Option<Info<'_>> {
    if !starts_with_word(line, b"info") {
        return None;
    }
    let mut info = Info::default();
    let mut rest = &line.trim_ascii_start()[b"info".len()..];
    while let Some(word) = next_word(&mut rest) {
        match word {
            b"string" => return (info != Info::default()).then_some(info),
            b"depth" => info.depth = number(&mut rest),
            b"seldepth" => info.seldepth = number(&mut rest),
            b"multipv" => info.multipv = number(&mut rest),
            b"nodes" => info.nodes = number(&mut rest),
            b"nps" => info.nps = number(&mut rest),
            b"time" => info.time_ms = number(&mut rest),
            b"score" => info.score = score(&mut rest),
            b"lowerbound" => set_bound(&mut info, Bound::Lower),
            b"upperbound" => set_bound(&mut info, Bound::Upper),
            b"pv" => {
                info.pv = moves(rest);
                break;
            }
            _ => {}
        }
    }
    Some(info)
}

fn next_word<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let text = rest.trim_ascii_start();
    if text.is_empty() {
        return None;
    }
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    *rest = &text[end..];
    Some(&text[..end])
}

/// Takes the next word if it is a number; a word that is none is left to be read as a keyword.
fn number<T: std::str::FromStr>(rest: &mut &[u8]) -> Option<T> {
    let mut after = *rest;
    let value = parse(next_word(&mut after)?)?;
    *rest = after;
    Some(value)
}

fn parse<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn score(rest: &mut &[u8]) -> Option<(Score, Bound)> {
    let mut after = *rest;
    let kind = next_word(&mut after)?;
    let make = match kind {
        b"cp" => Score::Centipawns,
        b"mate" => Score::MateIn,
        _ => return None,
    };
    let value = number(&mut after)?;
    *rest = after;
    Some((make(value), Bound::Exact))
}

fn set_bound(info: &mut Info<'_>, bound: Bound) {
    if let Some((_, of_score)) = &mut info.score {
        *of_score = bound;
    }
}

/// The moves at the start of a text: what is not a move ends the variation (some engines put it before other words).
fn moves(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii();
    let mut rest = text;
    let mut length = 0;
    while let Some(word) = next_word(&mut rest) {
        if !looks_like_move(word) {
            break;
        }
        length = text.len() - rest.len();
    }
    (length > 0).then(|| &text[..length])
}

fn looks_like_move(word: &[u8]) -> bool {
    matches!(word.len(), 4 | 5)
        && word[0].is_ascii_lowercase()
        && word[1].is_ascii_digit()
        && word[2].is_ascii_lowercase()
        && word[3].is_ascii_digit()
}

/// A line for a message: readable, and never long.
pub fn excerpt(line: &[u8]) -> String {
    const LENGTH: usize = 200;
    // A character has at most four bytes.
    let head = &line[..line.len().min(4 * LENGTH + 4)];
    let text = String::from_utf8_lossy(head);
    let mut shown: String = text.chars().filter(|letter| !letter.is_control()).take(LENGTH).collect();
    if text.chars().count() > LENGTH {
        shown.push('…');
    }
    shown
}

/// Control characters as `\x01`; others as they are.
pub fn visible(character: char) -> impl Iterator<Item = char> {
    let code = character.is_control().then(|| format!("\\x{:02x}", u32::from(character)));
    let plain = code.is_none().then_some(character);
    code.map(String::into_bytes).into_iter().flatten().map(char::from).chain(plain)
}

/// Lines for people: every control character but a line's end as `\x01`, whoever it comes from.
pub fn visible_lines(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('\n'),
            other => shown.extend(visible(other)),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_that_an_engine_says_steers_a_terminal() {
        assert_eq!(visible_lines("a\x1b[31m\r\nü\u{9b}\n"), "a\\x1b[31m\\x0d\nü\\x9b\n");
    }

    #[test]
    fn reads_the_lines_of_real_engines() {
        let line =
            b"info depth 12 seldepth 18 multipv 1 score cp 33 upperbound nodes 11853 nps 987750 hashfull 5 \
                     tbhits 0 time 12 pv e2e4 e7e5 g1f3";
        let read = info(line).unwrap();
        assert_eq!((read.depth, read.seldepth, read.multipv), (Some(12), Some(18), Some(1)));
        assert_eq!(read.score, Some((Score::Centipawns(33), Bound::Upper)));
        assert_eq!((read.nodes, read.nps, read.time_ms), (Some(11853), Some(987_750), Some(12)));
        assert_eq!(read.pv, Some(&b"e2e4 e7e5 g1f3"[..]));
        let gnuchess = info(b"info depth 1 time 0 nodes 27 score cp -12 pv e7e6").unwrap();
        assert_eq!(gnuchess.score, Some((Score::Centipawns(-12), Bound::Exact)));
    }

    #[test]
    fn words_after_an_unknown_token_are_not_lost() {
        let read = info(b"info score cp 10 wdl 10 980 10 nodes 5 pv e2e4").unwrap();
        assert_eq!((read.nodes, read.pv), (Some(5), Some(&b"e2e4"[..])));
    }

    #[test]
    fn p_11_an_info_string_is_comment() {
        assert_eq!(info(b"info string score cp 900 pv e2e4"), None);
        let before = info(b"info depth 3 string pv e2e4").unwrap();
        assert_eq!((before.depth, before.pv), (Some(3), None));
    }

    #[test]
    fn p_03_any_white_space_separates_words() {
        let expected = BestMove { token: Some(b"e2e4"), ponder: Some(b"e7e5") };
        for line in [&b"bestmove e2e4 ponder e7e5"[..], b"  bestmove\te2e4   ponder \te7e5  "] {
            assert_eq!(best_move(line), Some(expected));
        }
        assert_eq!(info(b"\tinfo   depth \t 7").unwrap().depth, Some(7));
    }

    #[test]
    fn a_best_move_is_a_word_of_its_own() {
        assert_eq!(best_move(b"bestmovee2e4"), None);
        assert_eq!(best_move(b"info string bestmove e2e4"), None);
        assert_eq!(best_move(b"bestmove"), Some(BestMove { token: None, ponder: None }));
        assert_eq!(best_move(b"bestmove (none)").unwrap().token, Some(&b"(none)"[..]));
        assert_eq!(best_move(b"bestmove e2e4 ponder").unwrap().ponder, None);
    }

    #[test]
    fn broken_numbers_do_not_shift_the_rest() {
        let read = info(b"info depth score cp x nodes 18446744073709551616 nps 7 score mate -3").unwrap();
        assert_eq!((read.depth, read.nodes, read.nps), (None, None, Some(7)));
        assert_eq!(read.score, Some((Score::MateIn(-3), Bound::Exact)));
    }

    #[test]
    fn statements_are_whole_lines_of_the_documented_form() {
        let cases = [
            ("info string claim draw", Some(Statement::ClaimDraw)),
            ("info  string\toffer draw ", Some(Statement::OfferDraw)),
            ("info string accept draw", Some(Statement::AcceptDraw)),
            ("info string resign", Some(Statement::Resign)),
            ("info string resign now", None),
            ("info string claim draw?", None),
            ("info string I claim draw", None),
            ("info string claim draw by repetition", None),
            ("info depth 3 string resign", None),
            ("resign", None),
        ];
        for (line, expected) in cases {
            assert_eq!(statement(line.as_bytes()), expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(line in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = (info(&line), best_move(&line));
            let prefixed = [b"info score ", &line[..]].concat();
            let _ = info(&prefixed);
        }

        #[test]
        fn figures_survive(depth in 0u32..300, cp in -30000i32..30000, nodes in 0u64..u64::MAX) {
            let text = format!("info depth {depth} score cp {cp} nodes {nodes} pv e2e4");
            let read = info(text.as_bytes()).unwrap();
            prop_assert_eq!(read.depth, Some(depth));
            prop_assert_eq!(read.score, Some((Score::Centipawns(cp), Bound::Exact)));
            prop_assert_eq!(read.nodes, Some(nodes));
        }
    }
}

//! A line of a book of positions: a FEN, or EPD with its operations.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -
//! rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1; id "King's pawn; open";
//! ```

use shakmaty::CastlingMode;

use super::problem::{Fault, excerpt};
use crate::law::notation::fen::{self, ParsedFen};

/// Bytes that a line may have; real ones have less than a thousand.
pub(super) const LINE_LIMIT: usize = 1 << 16;

/// The fields that EPD shares with FEN.
const POSITION_FIELDS: usize = 4;

/// Reads a line, already without its end.
///
/// Counters come from FEN's fifth and sixth field or from the operations `hmvc` and `fmvn`; where neither says
/// anything they are 0 and 1. Other operations are not for a referee and left out.
pub(super) fn parse(line: &[u8], mode: CastlingMode) -> Result<ParsedFen, Fault> {
    if line.len() > LINE_LIMIT {
        return Err(Fault::TooLong(LINE_LIMIT));
    }
    let text = String::from_utf8_lossy(line);
    let (fields, rest) = position_fields(&text);
    let mut counters = Counters::default();
    let rest = counters.read_fields(rest)?;
    for operation in operations(rest) {
        counters.read_operation(operation.trim())?;
    }
    let mut position = fields.join(" ");
    if fields.len() == POSITION_FIELDS {
        let halfmoves = counters.halfmove_clock.unwrap_or("0");
        position = format!("{position} {halfmoves} {}", counters.fullmove_number.unwrap_or("1"));
    }
    fen::parse(&position, mode).map_err(|error| Fault::Malformed(error.fault))
}

/// The first four fields, or fewer before a semicolon, and what follows them.
fn position_fields(text: &str) -> (Vec<&str>, &str) {
    let mut fields = Vec::with_capacity(POSITION_FIELDS);
    let mut rest = text.trim_ascii();
    while fields.len() < POSITION_FIELDS && !rest.is_empty() && !rest.starts_with(';') {
        let (field, after) = split_word(rest);
        fields.push(field);
        rest = after;
    }
    (fields, rest)
}

/// A word up to a blank or a semicolon, and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim_ascii_start())
}

/// What semicolons separate, but not those in quotes.
fn operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    })
}

#[derive(Default)]
struct Counters<'a> {
    halfmove_clock: Option<&'a str>,
    fullmove_number: Option<&'a str>,
}

impl<'a> Counters<'a> {
    /// Takes FEN's two counters, where they are, and gives back what follows.
    fn read_fields(&mut self, mut rest: &'a str) -> Result<&'a str, Fault> {
        for counter in [&mut self.halfmove_clock, &mut self.fullmove_number] {
            let (word, after) = split_word(rest);
            if !is_number(word) {
                break;
            }
            *counter = Some(word);
            rest = after;
        }
        Ok(rest)
    }

    fn read_operation(&mut self, operation: &'a str) -> Result<(), Fault> {
        let (opcode, operand) = split_word(operation);
        let counter = match opcode {
            "" => return Ok(()),
            "hmvc" => &mut self.halfmove_clock,
            "fmvn" => &mut self.fullmove_number,
            "moves" => {
                let fault =
                    "moves after a FEN are not played; give the position after them, or use a PGN book";
                return Err(Fault::Malformed(fault.to_owned()));
            }
            _ if is_opcode(opcode) => return Ok(()),
            _ => {
                let shown = excerpt(opcode.as_bytes());
                return Err(Fault::Malformed(format!("`{shown}` is neither a counter nor an EPD operation")));
            }
        };
        let fault = |why: String| Err(Fault::Malformed(format!("{opcode} {why}")));
        if !is_number(operand) {
            return fault(format!("`{}` is not a number", excerpt(operand.as_bytes())));
        }
        match counter.replace(operand) {
            Some(other) if other != operand => fault(format!("{operand} contradicts {other}")),
            _ => Ok(()),
        }
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// All that are in use have two characters or more; a single one is rather a damaged counter.
fn is_opcode(word: &str) -> bool {
    word.len() > 1
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::law::notation::fen::Repair;

    const PAWN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    fn read(line: &str) -> Result<String, String> {
        let mode = CastlingMode::Standard;
        parse(line.as_bytes(), mode)
            .map(|parsed| fen::write(&parsed.chess, mode))
            .map_err(|fault| fault.to_string())
    }

    #[test]
    fn o_01_four_fields_keep_a_legal_en_passant_square_and_count_from_zero_and_one() {
        let epd = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6";
        assert_eq!(read(epd), Ok(format!("{epd} 0 1")));
        assert_eq!(read(&format!("{epd} id \"x\";")), Ok(format!("{epd} 0 1")));
    }

    #[test]
    fn o_02_counters_come_from_fields_or_operations() {
        for (rest, counters) in [
            (" 3 20", "3 20"),
            (" 3 20;", "3 20"),
            ("\t3\t20 ; ", "3 20"),
            (" 3", "3 1"),
            (" 3 20 id \"x\";", "3 20"),
            (" 3 20; id \"x; fmvn 7;\"; c0 \"y\"", "3 20"),
            (" hmvc 3; fmvn 20;", "3 20"),
            (" fmvn 20; hmvc 3", "3 20"),
            (" bm Kd2 Kf2; id \"a\u{fffd}b\"; hmvc 3 ;fmvn 20 ;", "3 20"),
            (" 3 20 hmvc 3; fmvn 20;", "3 20"),
            (" fmvn 20;", "0 20"),
            (";", "0 1"),
            ("", "0 1"),
            (" ;;", "0 1"),
        ] {
            assert_eq!(read(&format!(" {PAWN}{rest}")), Ok(format!("{PAWN} {counters}")), "`{rest}`");
        }
    }

    #[test]
    fn o_09_impossible_rights_and_squares_are_dropped_and_named() {
        let line = b"k7/8/8/3pP3/8/7n/5K2/8 w - d7 hmvc 0; fmvn 1;";
        let parsed = parse(line, CastlingMode::Standard).unwrap();
        assert_eq!(parsed.repairs, [Repair::EnPassantSquareDropped]);
        assert_eq!(fen::write(&parsed.chess, CastlingMode::Standard), "k7/8/8/3pP3/8/7n/5K2/8 w - - 0 1");
    }

    #[test]
    fn o_10_fullmove_number_zero_is_one_and_said() {
        for rest in ["0 0", "hmvc 0; fmvn 0;"] {
            let parsed = parse(format!("{PAWN} {rest}").as_bytes(), CastlingMode::Standard).unwrap();
            assert_eq!(parsed.repairs, [Repair::FullmoveNumberRaised], "{rest}");
            assert_eq!(fen::write(&parsed.chess, CastlingMode::Standard), format!("{PAWN} 0 1"));
        }
    }

    #[test]
    fn what_can_not_be_meant_is_refused() {
        for (line, expected) in [
            ("4k3/8/8/8/8/8/4P3/4K3", "side to move is missing"),
            ("4k3/8/8/8/8/8/4P3/4K3; id w", "side to move is missing"),
            (&format!("{PAWN} x 1"), "`x` is neither"),
            (&format!("{PAWN} -1 1"), "`-1` is neither"),
            (&format!("{PAWN} 0 1 7"), "`7` is neither"),
            (&format!("{PAWN} 0 1 moves e2e4"), "moves after a FEN"),
            (&format!("{PAWN} hmvc x;"), "hmvc `x` is not a number"),
            (&format!("{PAWN} hmvc;"), "hmvc `` is not a number"),
            (&format!("{PAWN} 3 20; hmvc 4;"), "hmvc 4 contradicts 3"),
            (&"x".repeat(LINE_LIMIT + 1), "longer than"),
            ("\u{fffd}\u{fffd} ½", ""),
        ] {
            let fault = read(line).expect_err(line);
            assert!(fault.contains(expected), "{line}: {fault}");
        }
    }

    #[test]
    fn chess960_lines_keep_their_rooks() {
        let line = b"1rbbnnkr/p1pp1ppp/8/1p2p3/1P2q3/5N2/P1PP1PPP/QRBB1NKR w KQkq - 0 4";
        let parsed = parse(line, CastlingMode::Chess960).unwrap();
        assert!(parsed.repairs.is_empty());
        assert!(fen::write(&parsed.chess, CastlingMode::Chess960).contains(" HBhb "));
    }

    proptest! {
        #[test]
        fn wild_lines_do_not_panic(bytes: Vec<u8>, text in "[kKqQpP1-8/ wb;\"a-hhmvcfn0-9-]{0,90}") {
            let _ = parse(&bytes, CastlingMode::Standard);
            let _ = parse(text.as_bytes(), CastlingMode::Chess960);
            let _ = parse(format!("{PAWN} {text}").as_bytes(), CastlingMode::Standard);
        }
    }
}

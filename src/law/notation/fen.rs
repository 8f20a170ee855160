//! FEN in and out: tolerant of what a game could not have produced, strict about what can't be played.

use std::fmt;

use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Position, PositionError, PositionErrorKinds, Setup,
};

/// A position read from FEN and what had to be left out of it.
#[derive(Clone, Debug)]
pub struct ParsedFen {
    /// The playable position.
    pub chess: Chess,
    /// What the text said and the position can't have.
    pub repairs: Vec<Repair>,
}

/// Something in a FEN that was dropped or read as another value, to be said to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// A castling right without king or rook on its square.
    CastlingRightDropped,
    /// An en passant square that no double step can have left behind.
    EnPassantSquareDropped,
    /// A fullmove number of 0, read as 1.
    FullmoveNumberRaised,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Repair::CastlingRightDropped => "a castling right without its king and rook was dropped",
            Repair::EnPassantSquareDropped => "an impossible en passant square was dropped",
            Repair::FullmoveNumberRaised => "fullmove number 0 was read as 1",
        })
    }
}

/// Why a FEN can't be played from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid FEN `{fen}`: {fault}")]
pub struct FenError {
    /// The text.
    pub fen: String,
    /// What is wrong with it, naming the field.
    pub fault: String,
}

const FIELD_NAMES: [&str; 6] = [
    "piece placement",
    "side to move",
    "castling rights",
    "en passant square",
    "halfmove clock",
    "fullmove number",
];

/// Reads a FEN of two to six fields; missing ones mean no rights, no en passant square, counters 0 and 1.
///
/// # Errors
/// Unparsable text, a king missing or doubled, a pawn on the first or last rank, the side not to move in check.
pub fn parse(text: &str, mode: CastlingMode) -> Result<ParsedFen, FenError> {
    let error = |fault: String| FenError { fen: text.to_owned(), fault };
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    check_fields(&fields).map_err(error)?;
    let canonical = fields.join(" ");
    let fen = Fen::from_ascii(canonical.as_bytes()).map_err(|fault| error(fault.to_string()))?;
    let setup = fen.into_setup();
    if setup.promoted.any() || setup.pockets.is_some() || setup.remaining_checks.is_some() {
        return Err(error("marks of another chess variant".to_owned()));
    }
    let mut repairs = Vec::new();
    if fields.get(5).is_some_and(|number| number.bytes().all(|digit| digit == b'0')) {
        repairs.push(Repair::FullmoveNumberRaised);
    }
    let chess = position(setup, mode, &mut repairs).map_err(error)?;
    Ok(ParsedFen { chess, repairs })
}

/// How castling rights of Chess960 are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FenStyle {
    /// By the rooks' files: `HAha`. Never ambiguous.
    #[default]
    Shredder,
    /// `KQkq` for a side's outermost rook, the file for another one (X-FEN).
    XFen,
}

/// [`write()`] for Chess960, in one of its two forms.
pub fn write_chess960(chess: &Chess, style: FenStyle) -> String {
    match style {
        FenStyle::Shredder => write(chess, CastlingMode::Chess960),
        // For the outermost rooks, which are all that standard chess has, the two are the same.
        FenStyle::XFen => write(chess, CastlingMode::Standard),
    }
}

/// Writes all six fields, with an en passant square only where a capture there is legal (Article 9.2.3).
///
/// Chess960 castling rights are written with the rooks' files (Shredder-FEN).
pub fn write(chess: &Chess, mode: CastlingMode) -> String {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    if mode.is_standard() {
        return fen;
    }
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    fields[2] = shredder_castling_field(chess);
    fields.join(" ")
}

fn shredder_castling_field(chess: &Chess) -> String {
    use shakmaty::{CastlingSide, Color};
    let mut field = String::new();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(rook) = chess.castles().rook(color, side) {
                let file = rook.file().char();
                field.push(color.fold_wb(file.to_ascii_uppercase(), file));
            }
        }
    }
    if field.is_empty() { "-".to_owned() } else { field }
}

fn check_fields(fields: &[&str]) -> Result<(), String> {
    if fields.len() < 2 {
        let missing = FIELD_NAMES[fields.len()];
        return Err(format!("the {missing} is missing"));
    }
    if let Some(surplus) = fields.get(6) {
        return Err(format!("`{surplus}` after the sixth field"));
    }
    for (index, field) in fields.iter().enumerate().skip(4) {
        if !field.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(format!("the {} `{field}` is not a number", FIELD_NAMES[index]));
        }
    }
    if fields[0].bytes().filter(|byte| *byte == b'/').count() != 7 {
        return Err("the piece placement does not have eight ranks".to_owned());
    }
    Ok(())
}

#[expect(
    clippy::result_large_err,
    reason = "the library's error holds the position, which is wanted from it"
)]
fn position(setup: Setup, mode: CastlingMode, repairs: &mut Vec<Repair>) -> Result<Chess, String> {
    let refused = |error: PositionError<Chess>| refusal(error.kinds());
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(|error| {
            if error.kinds().contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS) {
                repairs.push(Repair::CastlingRightDropped);
            }
            error.ignore_invalid_castling_rights()
        })
        .or_else(|error| {
            if error.kinds().contains(PositionErrorKinds::INVALID_EP_SQUARE) {
                repairs.push(Repair::EnPassantSquareDropped);
            }
            error.ignore_invalid_ep_square()
        })
        .map_err(refused)
}

fn refusal(kinds: PositionErrorKinds) -> String {
    let faults = [
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has more than one king"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side not to move is in check"),
    ];
    let named: Vec<&str> =
        faults.iter().filter(|(kind, _)| kinds.contains(*kind)).map(|(_, words)| *words).collect();
    if named.is_empty() { "the position can't be played from".to_owned() } else { named.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standard(text: &str) -> Result<ParsedFen, FenError> {
        parse(text, CastlingMode::Standard)
    }

    #[test]
    fn writes_an_en_passant_square_only_where_the_capture_is_legal() {
        let cases = [
            ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1"), // the capturer is pinned
            ("8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1", "8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1"),
            ("4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1"),
        ];
        for (text, expected) in cases {
            assert_eq!(write(&standard(text).unwrap().chess, CastlingMode::Standard), expected);
        }
    }

    #[test]
    fn accepts_what_no_game_could_have_produced() {
        for text in [
            "qqqqkqqq/qqqqqqqq/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 999 0",
            "4k3/8/3N1N2/8/8/8/8/4K3 b - -",
            "4k3/8/8/8/8/8/8/4K3 w",
        ] {
            assert!(standard(text).is_ok(), "{text}: {:?}", standard(text).err());
        }
    }

    #[test]
    fn o_09_drops_and_names_impossible_rights_and_squares() {
        let parsed = standard("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1").unwrap();
        assert_eq!(parsed.repairs, [Repair::CastlingRightDropped]);
        assert_eq!(write(&parsed.chess, CastlingMode::Standard), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        let parsed = standard("k7/8/8/3pP3/8/7n/5K2/8 w - d7 0 0").unwrap();
        assert_eq!(parsed.repairs, [Repair::FullmoveNumberRaised, Repair::EnPassantSquareDropped]);
    }

    #[test]
    fn refuses_what_cannot_be_played() {
        let cases = [
            ("", "piece placement"),
            ("4k3/8/8/8/8/8/8/4K3", "side to move"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "king is missing"),
            ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "more than one king"),
            ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "first or last rank"),
            ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "side not to move is in check"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock `x`"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "fullmove number `-1`"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "turn"),
            ("4k3/8/8/8/8/8/8/4K3/Q w - - 0 1", "eight ranks"),
            ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "variant"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 7", "sixth"),
        ];
        for (text, expected) in cases {
            let error = standard(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn chess960_rights_are_written_with_the_rooks_files() {
        let text = "4rkr1/4p1p1/8/8/8/8/8/5K1R w K - 0 1";
        let parsed = parse(text, CastlingMode::Chess960).unwrap();
        assert_eq!(write(&parsed.chess, CastlingMode::Chess960), "4rkr1/4p1p1/8/8/8/8/8/5K1R w H - 0 1");
    }

    #[test]
    fn p_18_x_fen_names_the_file_only_of_an_inner_rook() {
        for (shredder, xfen) in
            [("HAha", "KQkq"), ("GAga", "GQgq"), ("HBhb", "KBkb"), ("Gb", "Gb"), ("-", "-")]
        {
            let text = |rights: &str| format!("rr2k1rr/8/8/8/8/8/8/RR2K1RR w {rights} - 0 1");
            for written in [shredder, xfen] {
                let parsed = parse(&text(written), CastlingMode::Chess960).unwrap();
                assert!(parsed.repairs.is_empty());
                assert_eq!(write_chess960(&parsed.chess, FenStyle::Shredder), text(shredder));
                assert_eq!(write_chess960(&parsed.chess, FenStyle::XFen), text(xfen));
            }
        }
    }
}

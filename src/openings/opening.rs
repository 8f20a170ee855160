//! One opening: what a book's entry becomes.

use shakmaty::{CastlingMode, Chess};

use crate::law::notation::fen::{self, FenStyle};

/// The initial position of standard chess.
const INITIAL_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Where a game starts: a position, and moves that the referee plays from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position.
    pub start: Chess,
    /// Standard chess or Chess960.
    pub mode: CastlingMode,
    /// The position as FEN, `None` for the initial position of standard chess.
    pub fen: Option<String>,
    /// Book moves in UCI notation, all legal.
    pub book: Vec<String>,
}

impl Opening {
    /// A start without book moves. The FEN is written anew from the position, so that no engine ever sees an
    /// impossible castling right or en passant square. In Chess960 it is always written out.
    pub fn at(start: Chess, mode: CastlingMode) -> Opening {
        let text = fen::write(&start, mode);
        let initial = mode.is_standard() && text == INITIAL_FEN;
        Opening { start, mode, fen: (!initial).then_some(text), book: Vec::new() }
    }

    /// The FEN in a form of Chess960's; that of standard chess has only one.
    pub fn fen_as(&self, style: FenStyle) -> Option<String> {
        match self.mode {
            CastlingMode::Chess960 => Some(fen::write_chess960(&self.start, style)),
            CastlingMode::Standard => self.fen.clone(),
        }
    }

    /// The initial position.
    pub fn initial(mode: CastlingMode) -> Opening {
        Opening::at(Chess::default(), mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_initial_position_itself_needs_no_fen() {
        assert_eq!(Opening::initial(CastlingMode::Standard).fen, None);
        let later = INITIAL_FEN.replace("0 1", "4 3");
        let parsed = fen::parse(&later, CastlingMode::Standard).unwrap();
        assert_eq!(Opening::at(parsed.chess, CastlingMode::Standard).fen, Some(later));
        let chess960 = Opening::initial(CastlingMode::Chess960);
        assert_eq!(chess960.fen.as_deref(), Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"));
        assert_eq!(chess960.fen_as(FenStyle::XFen).as_deref(), Some(INITIAL_FEN));
        assert_eq!(Opening::initial(CastlingMode::Standard).fen_as(FenStyle::XFen), None);
    }
}

//! Moves in UCI notation: exactly what the protocol allows, nothing that has to be guessed.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move, Square};

/// Finds the legal move that `token` names.
///
/// Accepted are four or five lower-case characters with the promotion letter where one is due. Castling is the
/// king's move (`e1g1`) in standard chess and king takes rook in Chess960; `king_takes_rook` allows `e1h1` in
/// standard chess too.
pub fn find(token: &[u8], legal: &[Move], mode: CastlingMode, king_takes_rook: bool) -> Option<Move> {
    let (from, to, promotion) = split(token)?;
    legal.iter().copied().find(|candidate| match *candidate {
        Move::Castle { king, rook } => {
            let by_rook = king == from && rook == to && (mode.is_chess960() || king_takes_rook);
            let by_king = mode.is_standard() && names(UciMove::from_standard(*candidate), from, to);
            promotion.is_none() && (by_rook || by_king)
        }
        Move::Normal { from: origin, to: target, promotion: role, .. } => {
            origin == from && target == to && role.map(|role| role.char()) == promotion
        }
        Move::EnPassant { from: origin, to: target } => origin == from && target == to && promotion.is_none(),
        Move::Put { .. } => false,
    })
}

/// Writes a move as engines expect it in this castling mode.
pub fn write(played: Move, mode: CastlingMode) -> UciMove {
    UciMove::from_move(played, mode)
}

fn names(uci: UciMove, from: Square, to: Square) -> bool {
    uci.from() == Some(from) && uci.to() == Some(to)
}

fn split(token: &[u8]) -> Option<(Square, Square, Option<char>)> {
    let promotion = match token.len() {
        4 => None,
        5 if b"qrbn".contains(&token[4]) => Some(char::from(token[4])),
        _ => return None,
    };
    Some((square(&token[0..2])?, square(&token[2..4])?, promotion))
}

fn square(text: &[u8]) -> Option<Square> {
    // `Square::from_ascii` is asked only for what is lower case already, whatever it tolerates.
    if !text[0].is_ascii_lowercase() {
        return None;
    }
    Square::from_ascii(text).ok()
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::law::notation::fen;

    fn accepts(position: &str, token: &str, mode: CastlingMode, king_takes_rook: bool) -> bool {
        let chess: Chess = fen::parse(position, mode).unwrap().chess;
        find(token.as_bytes(), &chess.legal_moves(), mode, king_takes_rook).is_some()
    }

    #[test]
    fn p_08_the_form_of_the_move_is_exact() {
        let promotion = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        for (token, good) in [
            ("a7a8q", true),
            ("a7a8n", true),
            ("a7a8", false),
            ("a7a8Q", false),
            ("A7A8q", false),
            ("a7a8k", false),
            ("a7a8p", false),
            ("a8=Q", false),
            ("e1e2garbage", false),
            ("e1e2", true),
            ("e1e2q", false),
            ("0000", false),
            ("(none)", false),
            ("", false),
            ("e1", false),
            ("Q@e5", false),
        ] {
            assert_eq!(accepts(promotion, token, CastlingMode::Standard, true), good, "{token}");
        }
    }

    #[test]
    fn p_16_castling_is_the_kings_move_outside_chess960() {
        let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert!(accepts(both, "e1g1", CastlingMode::Standard, false));
        assert!(accepts(both, "e1c1", CastlingMode::Standard, false));
        assert!(!accepts(both, "e1h1", CastlingMode::Standard, false));
        assert!(accepts(both, "e1h1", CastlingMode::Standard, true));
        assert!(accepts(both, "e1h1", CastlingMode::Chess960, false));
        assert!(!accepts(both, "e1g1", CastlingMode::Chess960, false));
    }

    #[test]
    fn every_legal_move_is_found_again_from_its_text() {
        for (position, mode) in [
            ("r3k2r/pPp2ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6 0 1", CastlingMode::Standard),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", CastlingMode::Chess960),
        ] {
            let legal = fen::parse(position, mode).unwrap().chess.legal_moves();
            for played in &legal {
                let text = write(*played, mode).to_string();
                assert_eq!(find(text.as_bytes(), &legal, mode, false), Some(*played), "{text}");
            }
        }
    }
}

//! Moves as PGN files write them: standard algebraic notation and the variants of it that are in wide use.

use std::borrow::Cow;

use shakmaty::san::{San, SanError};
use shakmaty::{CastlingMode, Chess, Move};

use super::uci_move;

/// Why a token of a PGN file names no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanFault {
    /// It has no form that a move can have.
    #[error("is not a move")]
    NotAMove,
    /// A pass, which the Laws don't know.
    #[error("is a null move")]
    NullMove,
    /// No legal move goes by it.
    #[error("is not a legal move")]
    Illegal,
    /// More than one legal move goes by it.
    #[error("is ambiguous")]
    Ambiguous,
}

/// Finds the legal move that `token` names.
///
/// Besides SAN it takes `0-0` for `O-O`, `e8Q` for `e8=Q`, long notation (`Ng1-f3`, `e2e4`, `e7e8q`), and any
/// number of `+`, `#`, `!` and `?` behind it, which are not checked.
///
/// # Errors
/// The token is no move, a null move, not legal or not unique.
pub fn find(token: &str, chess: &Chess, legal: &[Move], mode: CastlingMode) -> Result<Move, SanFault> {
    let bare = token.trim_end_matches(['+', '#', '!', '?']);
    if matches!(bare, "--" | "Z0" | "0000" | "@@@@") {
        return Err(SanFault::NullMove);
    }
    let form = canonical(bare);
    let named = San::from_ascii(form.as_bytes()).map(|san| san.to_move(chess));
    match named {
        Ok(Ok(played)) => Ok(played),
        // `e4d5` has the form of SAN, but leaves out the sign of a capture.
        Ok(Err(fault)) => long_notation(&form, legal, mode).ok_or(match fault {
            SanError::AmbiguousSan => SanFault::Ambiguous,
            _ => SanFault::Illegal,
        }),
        Err(_) => long_notation(&form, legal, mode).ok_or(SanFault::NotAMove),
    }
}

fn long_notation(form: &str, legal: &[Move], mode: CastlingMode) -> Option<Move> {
    uci_move::find(form.as_bytes(), legal, mode, false)
}

fn canonical(bare: &str) -> Cow<'_, str> {
    match bare {
        "0-0" | "o-o" => return Cow::Borrowed("O-O"),
        "0-0-0" | "o-o-o" => return Cow::Borrowed("O-O-O"),
        _ => {}
    }
    let mut text = Cow::Borrowed(bare);
    if !bare.starts_with('O') && bare.contains('-') {
        text = Cow::Owned(bare.replacen('-', "", 1));
    }
    let bytes = text.as_bytes();
    if let [.., rank, role] = bytes
        && rank.is_ascii_digit()
        && b"QRBN".contains(role)
    {
        let at = bytes.len() - 1;
        text.to_mut().insert(at, '=');
    }
    text
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;
    use crate::law::notation::fen;

    fn read(position: &str, token: &str, mode: CastlingMode) -> Result<String, SanFault> {
        let chess = fen::parse(position, mode).unwrap().chess;
        find(token, &chess, &chess.legal_moves(), mode)
            .map(|played| uci_move::write(played, mode).to_string())
    }

    #[test]
    fn forms_of_a_move_in_pgn_files() {
        let position = "r3k2r/pPp2ppp/8/3pP3/8/5N2/PPP2PPP/R3K2R w KQkq d6 0 1";
        for (token, uci) in [
            ("O-O", "e1g1"),
            ("0-0-0", "e1c1"),
            ("e1g1", "e1g1"),
            ("exd6", "e5d6"),
            ("e5d6", "e5d6"),
            ("b8=Q+", "b7b8q"),
            ("b8Q+!?", "b7b8q"),
            ("bxa8=N", "b7a8n"),
            ("b7a8n", "b7a8n"),
            ("Ng5", "f3g5"),
            ("Nf3-g5", "f3g5"),
            ("Nf3g5", "f3g5"),
            ("Pa4", "a2a4"),
            ("a2-a4", "a2a4"),
        ] {
            assert_eq!(read(position, token, CastlingMode::Standard).as_deref(), Ok(uci), "{token}");
        }
    }

    #[test]
    fn castling_in_chess960_goes_by_its_own_notation() {
        let position = "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 1";
        assert_eq!(read(position, "O-O", CastlingMode::Chess960).as_deref(), Ok("e1g1"));
        assert_eq!(read(position, "O-O-O", CastlingMode::Chess960).as_deref(), Ok("e1b1"));
        assert_eq!(read(position, "e1b1", CastlingMode::Chess960).as_deref(), Ok("e1b1"));
    }

    #[test]
    fn faults_are_told_apart() {
        let position = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
        for (token, fault) in [
            ("Nd2", SanFault::Ambiguous),
            ("Nd4", SanFault::Illegal),
            ("Nxd2", SanFault::Illegal),
            ("N@d4", SanFault::Illegal),
            ("O-O", SanFault::Illegal),
            ("hello", SanFault::NotAMove),
            ("e9", SanFault::NotAMove),
            ("Ñd2", SanFault::NotAMove),
            ("", SanFault::NotAMove),
            ("--", SanFault::NullMove),
            ("Z0", SanFault::NullMove),
        ] {
            assert_eq!(read(position, token, CastlingMode::Standard), Err(fault), "{token}");
        }
    }
}

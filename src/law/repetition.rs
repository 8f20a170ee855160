//! The same position (Article 9.2.3) and how often it has occurred.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Square};

/// What makes two positions the same: men and squares, side to move, castling rights (the right, not whether
/// castling is possible now), and an en passant square where the capture is legal. Whole, not hashed: no collision
/// can end a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionKey {
    turn: Color,
    castling_rights: Bitboard,
    legal_en_passant: Option<Square>,
    board: Board,
}

impl PositionKey {
    /// The key of a position.
    pub fn of(chess: &Chess) -> PositionKey {
        PositionKey {
            turn: chess.turn(),
            castling_rights: chess.castles().castling_rights(),
            legal_en_passant: chess.legal_ep_square(),
            board: chess.board().clone(),
        }
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }
}

/// The positions since the last zeroing move; earlier ones can't recur.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    since_zeroing: Vec<PositionKey>,
    /// Where in `since_zeroing` a position stands for the second time.
    second_times: Vec<usize>,
}

impl Occurrences {
    /// Records a position that stands on the board for the `occurrences`-th time; `zeroing` says that a pawn move or
    /// capture led to it.
    pub fn record(&mut self, key: PositionKey, occurrences: u32, zeroing: bool) {
        if zeroing {
            self.since_zeroing.clear();
            self.second_times.clear();
        }
        if occurrences == 2 {
            self.second_times.push(self.since_zeroing.len());
        }
        self.since_zeroing.push(key);
    }

    /// How often the position has been recorded. 0 for one that never was.
    pub fn count(&self, key: &PositionKey) -> u32 {
        self.since_zeroing.iter().map(|seen| u32::from(seen == key)).sum()
    }

    /// The positions that have been recorded twice or more: only these can occur for the third time next.
    pub fn repeated(&self) -> impl Iterator<Item = &PositionKey> {
        self.second_times.iter().map(|index| &self.since_zeroing[*index])
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::uci::UciMove;

    use super::*;
    use crate::law::notation::fen;

    fn played(start: &str, moves: &str) -> Chess {
        let mut chess = fen::parse(start, CastlingMode::Standard).unwrap().chess;
        for token in moves.split_ascii_whitespace() {
            let uci: UciMove = token.parse().unwrap();
            chess = chess.clone().play(uci.to_move(&chess).unwrap()).unwrap();
        }
        chess
    }

    #[test]
    fn r_19_a_promoted_piece_is_a_piece_like_any_other() {
        let promoted = played("5R2/3P4/8/8/7r/7r/7k/K7 w - - 0 1", "d7d8r");
        let reloaded =
            fen::parse(&fen::write(&promoted, CastlingMode::Standard), CastlingMode::Standard).unwrap();
        assert_eq!(PositionKey::of(&promoted), PositionKey::of(&reloaded.chess));
    }

    #[test]
    fn castling_rights_count_even_where_castling_is_impossible() {
        let with = fen::parse("r3k2r/8/8/8/8/8/8/RN2KB1R w KQkq - 0 1", CastlingMode::Standard).unwrap();
        let without = fen::parse("r3k2r/8/8/8/8/8/8/RN2KB1R w Kkq - 0 1", CastlingMode::Standard).unwrap();
        assert_ne!(PositionKey::of(&with.chess), PositionKey::of(&without.chess));
    }
}

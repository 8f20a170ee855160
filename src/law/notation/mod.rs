//! Text to values and back: FEN and UCI moves.

pub mod fen;
pub mod uci_move;

//! Text to values and back: FEN, UCI moves and moves as PGN files write them.

pub mod fen;
pub mod san;
pub mod uci_move;

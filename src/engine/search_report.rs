//! What an engine told in one search: its last exact line, its move, what it said to the referee.

use super::message::Score;

/// What the engine told of the search that is under way: the last exact line of its first variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchReport {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// The last exact score.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// The variation as the engine wrote it.
    pub pv: Vec<u8>,
    /// What it said to the referee.
    pub statements: Statements,
}

/// What an engine said to the referee in one search, whether or not it is heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statements {
    /// `info string claim draw`
    pub claims_draw: bool,
    /// `info string offer draw`
    pub offers_draw: bool,
    /// `info string accept draw`
    pub accepts_draw: bool,
    /// `info string resign`
    pub resigns: bool,
}

/// The words of a `bestmove` line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMoveWords {
    /// The move's token; empty for a bare `bestmove`.
    pub token: Vec<u8>,
    /// The ponder move's token; empty if there is none.
    pub ponder: Vec<u8>,
}

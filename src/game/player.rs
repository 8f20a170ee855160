//! An engine with what holds for it in every game: its clock, its claims, its name.

use std::time::Duration;

use crate::clock::time_control::TimeControl;
use crate::engine::session::Engine;
use crate::law::notation::fen::FenStyle;
use crate::law::policy::ClaimPolicies;

/// What a match lays down for one engine.
#[derive(Clone, Debug)]
pub struct PlayerRules {
    /// What every record calls it.
    pub name: String,
    /// Its clock or search limit.
    pub time_control: TimeControl,
    /// Overdraft that is forgiven at each move.
    pub time_margin: Duration,
    /// When the referee claims draws for it.
    pub claims: ClaimPolicies,
    /// What is awaited of it between moves.
    pub sync: SyncPolicy,
    /// How it is told castling rights in Chess960.
    pub fen: FenStyle,
    /// Accept `e1h1` as castling outside Chess960.
    pub king_takes_rook: bool,
    /// Honour claims, offers and resignations that it says by `info string`.
    pub speaks: bool,
    /// Let it think on its opponent's time about the move that it expects.
    pub ponder: bool,
    /// How long a search without a clock may take.
    pub silence: Duration,
}

/// What is awaited of an engine between the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncPolicy {
    /// Nothing: `position` and `go` are written together, and reading `position` is part of the move's time.
    Game,
    /// `readyok` between `position` and `go`: the clock starts once `position` has been read.
    Move,
}

/// An engine that sits at the board.
#[derive(Debug)]
pub struct Player<'a> {
    /// What holds for it.
    pub rules: &'a PlayerRules,
    /// Its process.
    pub engine: &'a mut Engine,
}

//! What a game tells while it is played; who listens is not its concern.

use std::time::Duration;

use shakmaty::Color;

use super::game_id::GameId;
use super::record::PlyRecord;
use crate::engine::misbehaviour::Misbehaviour;
use crate::law::verdict::Verdict;

/// Something that happened in a game. Told while no clock runs.
#[derive(Clone, Copy, Debug)]
pub enum GameEvent<'a> {
    /// The game begins: both engines are ready, or one does not come to the board.
    Started {
        /// White's name.
        white: &'a str,
        /// Black's name.
        black: &'a str,
        /// The start position, `None` for the initial one.
        fen: Option<&'a str>,
    },
    /// A ply was completed.
    Ply {
        /// Counted from 1, book moves included.
        ply: u32,
        /// Who moved.
        by: Color,
        /// The move with time and score.
        record: &'a PlyRecord,
    },
    /// A draw was claimed and granted; it ends the game.
    Claim {
        /// The ply at which it was claimed.
        ply: u32,
        /// The draw.
        verdict: &'a Verdict,
    },
    /// An engine's claim was wrong (Article 9.5.3); the game goes on.
    ClaimDenied {
        /// The ply at which it was claimed.
        ply: u32,
        /// Who claimed.
        by: Color,
        /// The move that came with the claim, in SAN.
        intended: &'a str,
        /// What the opponent's clock gained.
        penalty: Duration,
    },
    /// A first illegal move, where the second one loses (Article 7.5.5).
    IllegalAttempt {
        /// The engine's name.
        engine: &'a str,
        /// What it sent.
        token: &'a str,
        /// What the opponent's clock gained.
        penalty: Duration,
    },
    /// An engine did what costs it nothing.
    Misbehaviour {
        /// The engine's name.
        engine: &'a str,
        /// What it did.
        misbehaviour: Misbehaviour,
    },
}

/// Listens to a game. What fails in a listener is kept there and asked for later: no game waits for it.
pub trait Observer {
    /// Called for each event in order.
    fn observe(&mut self, game: GameId, event: GameEvent<'_>);
}

//! What a game tells while it is played; who listens is not its concern.

use shakmaty::Color;

use super::game_id::GameId;
use super::record::{GameRecord, PlyRecord};
use crate::engine::session::Misbehaviour;

/// Listens to a game. Called while no clock runs; what fails in a listener must be kept there and asked for later.
pub trait Observer {
    /// Both engines are ready.
    fn game_started(&mut self, game: &GameAnnouncement<'_>);
    /// A ply was completed; plies count from 1.
    fn ply_played(&mut self, game: GameId, ply: u32, by: Color, record: &PlyRecord);
    /// A draw was claimed and granted.
    fn claim_granted(&mut self, game: &GameRecord);
    /// An engine did what costs it nothing.
    fn engine_misbehaved(&mut self, game: GameId, engine: &str, misbehaviour: Misbehaviour);
}

/// A game about to begin.
#[derive(Clone, Copy, Debug)]
pub struct GameAnnouncement<'a> {
    /// Its place in the schedule.
    pub id: GameId,
    /// White's name.
    pub white: &'a str,
    /// Black's name.
    pub black: &'a str,
    /// The start position, `None` for the initial one.
    pub fen: Option<&'a str>,
    /// Book moves in UCI notation.
    pub book: &'a [String],
}

//! How a run stands, for whoever asks while it is under way.

use super::standings::Tally;
use crate::game::game_id::GameId;

/// What a run is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Engines are started; no game has begun.
    Starting,
    /// Games are played.
    Playing,
    /// No new game begins; running ones are played on.
    Finishing,
    /// No game is running any more, and none begins: engines are ended.
    Ending,
}

impl RunState {
    /// The machine name.
    pub fn name(self) -> &'static str {
        match self {
            RunState::Starting => "starting",
            RunState::Playing => "playing",
            RunState::Finishing => "finishing",
            RunState::Ending => "ending",
        }
    }
}

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningGame {
    /// Its place in the schedule.
    pub id: GameId,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Plies completed, book moves included; `None`: its engines are still being prepared.
    pub ply: Option<u32>,
}

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// PGN `Event`.
    pub event: String,
    /// What it is at.
    pub state: RunState,
    /// Games planned; `None`: as many as it takes.
    pub games: Option<u32>,
    /// Games with a verdict.
    pub finished: u32,
    /// How many games at once are wanted.
    pub concurrency: usize,
    /// How many games more are about to be played at once: their engines are being started.
    pub joining: usize,
    /// What is played now, by the games' numbers.
    pub running: Vec<RunningGame>,
    /// Each engine's results, in the order of the match file.
    pub score: Vec<Tally>,
    /// Why there are fewer games at once than were asked for last; `None`: there are not.
    pub held_back: Option<String>,
}

//! What a run tells, and who may listen.

use std::sync::Arc;

use super::scoreboard::Scoreboard;
use super::timekeeping::Timekeeping;
use crate::game::annulment::Annulment;
use crate::game::game_id::GameId;
use crate::game::observer::GameEvent;
use crate::game::record::GameRecord;
use crate::openings::OpeningsSpec;

/// The reason of games that were still being played when the sequential test was decided.
pub const SPRT_DECIDED: &str = "sprt_decided";

/// Something that happened in a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Every engine is ready.
    MatchStarted {
        /// PGN `Event`.
        name: &'a str,
        /// The engines' names.
        engines: &'a [String],
        /// Games planned; `None`: as many as it takes.
        games: Option<u32>,
        /// What counts from the start: the results of an earlier run that this one takes up.
        scoreboard: &'a Scoreboard,
        /// Where they start from, as far as that can be named.
        openings: Option<&'a OpeningsSpec>,
    },
    /// Something in a game.
    Game(GameId, GameEvent<'a>),
    /// A game is over. It counts once every listener has taken this in; told by the thread that played it.
    GameEnded(&'a GameRecord),
    /// The game that has just ended is counted.
    Scored {
        /// The game.
        game: &'a GameRecord,
        /// All results so far.
        scoreboard: &'a Scoreboard,
    },
    /// A game was dropped without a result; it counts for nothing.
    GameAnnulled {
        /// Which.
        game: GameId,
        /// The machine name of the reason: `interrupted`, [`SPRT_DECIDED`], or that of the annulment.
        reason: &'a str,
        /// Why it is void and played again; `None` where the run was stopped.
        annulment: Option<&'a Annulment>,
    },
    /// So many games at once from now on; those that are more are played to their ends.
    Concurrency(usize),
    /// An engine did something wrong outside a game.
    EngineFault {
        /// The engine's name.
        engine: &'a str,
        /// What, in words.
        fault: &'a str,
    },
    /// Nothing more is played.
    MatchEnded {
        /// All results.
        scoreboard: &'a Scoreboard,
        /// Games planned; `None`: as many as it takes.
        games: Option<u32>,
        /// How the engines kept their time.
        timekeeping: &'a Timekeeping,
    },
}

/// Listens to a run, from any thread.
pub trait Sink: Send + Sync {
    /// Takes an event in; returns when it is safe, for records, or shown, for displays.
    ///
    /// # Errors
    /// A record that can't be kept, in words; the run stops.
    fn receive(&self, event: &Event<'_>) -> Result<(), String>;
}

impl<S: Sink + ?Sized> Sink for Arc<S> {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        (**self).receive(event)
    }
}

/// Sinks in a row: records first, then what shows them.
pub struct Sinks(pub Vec<Box<dyn Sink>>);

impl Sink for Sinks {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        self.0.iter().try_for_each(|sink| sink.receive(event))
    }
}

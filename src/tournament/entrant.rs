//! An engine that takes part: how it is started, how it plays, when it is started anew.

use crate::engine::session::EngineSetup;
use crate::game::player::PlayerRules;

/// When an engine's process is started anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestartPolicy {
    /// Its further games are not played once it is gone.
    Never,
    /// After a fault of its own.
    OnFault,
    /// For each game.
    EveryGame,
}

/// An engine that takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// How it is started.
    pub setup: EngineSetup,
    /// What holds for it in every game.
    pub rules: PlayerRules,
    /// When it is started anew.
    pub restart: RestartPolicy,
    /// How many games may end by a crash or stall of its before its further games are not played; `None`: any number.
    pub crash_budget: Option<u32>,
}

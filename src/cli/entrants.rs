//! From the settings of a match file to engines that take part.

use crate::config::settings::{self, EngineSettings, Restart};
use crate::engine::process::Program;
use crate::engine::session::{EngineSetup, Timeouts};
use crate::game::player::{PlayerRules, Sync};
use crate::tournament::entrant::{Entrant, RestartPolicy};

/// How an engine is started.
pub fn setup(settings: &EngineSettings) -> EngineSetup {
    EngineSetup {
        name: settings.name.clone(),
        program: Program {
            path: settings.program.clone(),
            args: settings.args.clone(),
            dir: settings.dir.clone(),
            env: settings.env.clone(),
        },
        options: settings.options.iter().map(|option| (option.name.clone(), option.value.clone())).collect(),
        timeouts: Timeouts {
            start: settings.timeouts.start,
            ready: settings.timeouts.ready,
            new_game: settings.timeouts.new_game,
            quit: settings.timeouts.quit,
        },
    }
}

/// An engine that takes part in a match.
pub fn entrant(settings: &EngineSettings) -> Entrant {
    Entrant {
        setup: setup(settings),
        rules: PlayerRules {
            name: settings.name.clone(),
            time_control: settings.time_control.clone(),
            time_margin: settings.time_margin,
            claims: settings.claims,
            sync: match settings.sync {
                settings::Sync::Game => Sync::Game,
                settings::Sync::Move => Sync::Move,
            },
            king_takes_rook: settings.king_takes_rook,
            speaks: settings.speaks,
            silence: settings.timeouts.silence,
        },
        restart: match settings.restart {
            Restart::Never => RestartPolicy::Never,
            Restart::OnFault => RestartPolicy::OnFault,
            Restart::EveryGame => RestartPolicy::EveryGame,
        },
    }
}

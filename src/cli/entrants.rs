//! From the settings of a match file to engines that take part.

use crate::config::settings::{EngineSettings, Restart};
use crate::engine::guard::Guard;
use crate::engine::launch::Limits;
use crate::engine::process::Program;
use crate::engine::session::{EngineSetup, Timeouts};
use crate::game::player::PlayerRules;
use crate::tournament::entrant::{Entrant, RestartPolicy};

/// How an engine is started.
pub fn setup(settings: &EngineSettings, guard: &Guard) -> EngineSetup {
    EngineSetup {
        name: settings.name.clone(),
        program: Program {
            path: settings.program.clone(),
            args: settings.args.clone(),
            dir: settings.dir.clone(),
            env: settings.env.clone(),
            limits: Limits { memory: settings.limits.memory, niceness: settings.limits.niceness },
        },
        options: settings.options.iter().map(|option| (option.name.clone(), option.value.clone())).collect(),
        ponder: settings.ponder,
        timeouts: Timeouts {
            start: settings.timeouts.start,
            ready: settings.timeouts.ready,
            new_game: settings.timeouts.new_game,
            quit: settings.timeouts.quit,
        },
        guard: guard.clone(),
    }
}

/// An engine that takes part in a match.
pub fn entrant(settings: &EngineSettings, guard: &Guard) -> Entrant {
    Entrant {
        setup: setup(settings, guard),
        rules: PlayerRules {
            name: settings.name.clone(),
            time_control: settings.time_control.clone(),
            time_margin: settings.time_margin,
            claims: settings.claims,
            king_takes_rook: settings.king_takes_rook,
            speaks: settings.speaks,
            ponder: settings.ponder,
            silence: settings.timeouts.silence,
        },
        restart: match settings.restart {
            Restart::Never => RestartPolicy::Never,
            Restart::OnFault => RestartPolicy::OnFault,
            Restart::EveryGame => RestartPolicy::EveryGame,
        },
        crash_budget: settings.crash_budget,
    }
}

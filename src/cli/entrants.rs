//! From the settings of a match file to engines that take part.

use crate::config::settings::{self, EngineSettings, Restart, Variant};
use crate::engine::guard::Guard;
use crate::engine::launch::Limits;
use crate::engine::process::Program;
use crate::engine::session::{EngineSetup, Timeouts};
use crate::game::player::{PlayerRules, SyncPolicy};
use crate::tournament::entrant::{Entrant, RestartPolicy};

/// The option by which an engine is told that Chess960 is played.
pub const CHESS960: &str = "UCI_Chess960";

/// What is set of an engine's options: what the variant needs, then what the match file says.
pub fn options(settings: &EngineSettings, variant: Variant) -> Vec<(String, String)> {
    let needed = match variant {
        Variant::Standard => None,
        Variant::Chess960 => Some((CHESS960.to_owned(), "true".to_owned())),
    };
    let wanted = settings.options.iter().map(|option| (option.name.clone(), option.value.clone()));
    needed.into_iter().chain(wanted).collect()
}

/// How an engine is started.
pub fn setup(settings: &EngineSettings, variant: Variant, guard: &Guard) -> EngineSetup {
    EngineSetup {
        name: settings.name.clone(),
        program: Program {
            path: settings.program.clone(),
            args: settings.args.clone(),
            dir: settings.dir.clone(),
            env: settings.env.clone(),
            limits: Limits { memory: settings.limits.memory, niceness: settings.limits.niceness },
        },
        options: options(settings, variant),
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
pub fn entrant(settings: &EngineSettings, variant: Variant, guard: &Guard) -> Entrant {
    Entrant {
        setup: setup(settings, variant, guard),
        rules: PlayerRules {
            name: settings.name.clone(),
            time_control: settings.time_control.clone(),
            time_margin: settings.time_margin,
            claims: settings.claims,
            sync: match settings.sync {
                settings::SyncPolicy::Game => SyncPolicy::Game,
                settings::SyncPolicy::Move => SyncPolicy::Move,
            },
            fen: settings.fen,
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

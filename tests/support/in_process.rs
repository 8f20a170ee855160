//! A run within the test's own process, for what only its events tell.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use arbiter::engine::guard::Guard;
use arbiter::engine::launch::Limits;
use arbiter::engine::process::Program;
use arbiter::engine::session::{EngineSetup, Timeouts};
use arbiter::game::adjudication::AdjudicationRules;
use arbiter::game::annulment::MachineRules;
use arbiter::game::plan::GameLaws;
use arbiter::game::player::{PlayerRules, SyncPolicy};
use arbiter::law::policy::{ClaimPolicies, ClaimPolicy};
use arbiter::openings::Opening;
use arbiter::tournament::dispatcher::{self, OpeningSupply, RunPlan, RunResult};
use arbiter::tournament::entrant::{Entrant, RestartPolicy};
use arbiter::tournament::event::Sink;
use arbiter::tournament::game_slot::SlotSupply;
use arbiter::tournament::schedule::Schedule;
use arbiter::tournament::worker::WorkerContext;
use shakmaty::CastlingMode;

use super::fake_engine;

struct Initial;

impl OpeningSupply for Initial {
    fn opening(&mut self, _: u64) -> Result<Opening, String> {
        Ok(Opening::initial(CastlingMode::Standard))
    }
}

/// The scripted engine with these arguments, without a clock.
pub fn entrant(name: &str, args: &[&str]) -> Entrant {
    let limit = Duration::from_secs(60);
    let never = ClaimPolicy::Never;
    Entrant {
        setup: EngineSetup {
            name: name.to_owned(),
            program: Program {
                path: fake_engine(),
                args: args.iter().map(|arg| (*arg).to_owned()).collect(),
                dir: PathBuf::from("."),
                env: Vec::new(),
                limits: Limits::default(),
            },
            options: Vec::new(),
            ponder: false,
            timeouts: Timeouts { start: limit, ready: limit, new_game: limit, quit: limit },
            guard: Guard::default(),
        },
        rules: PlayerRules {
            name: name.to_owned(),
            time_control: "nodes=100".parse().unwrap(),
            time_margin: Duration::ZERO,
            claims: ClaimPolicies { threefold: never, fifty_move: never, threshold_cp: 0 },
            king_takes_rook: false,
            speaks: false,
            ponder: false,
            sync: SyncPolicy::Game,
            fen: arbiter::law::notation::fen::FenStyle::default(),
            silence: limit,
        },
        restart: RestartPolicy::OnFault,
        crash_budget: None,
    }
}

/// So many pairs of games between the two, at so many boards.
pub fn play(entrants: [Entrant; 2], pairs: u32, workers: usize, sink: Arc<dyn Sink>) -> RunResult {
    let (laws, adjudication) = (GameLaws::default(), AdjudicationRules::default());
    let entrants = Arc::new(entrants.to_vec());
    let context = WorkerContext { entrants, laws, adjudication, machine: MachineRules::default(), sink };
    let plan = RunPlan {
        event: "Test".to_owned(),
        schedule: Schedule::of_match(pairs, true),
        openings: Box::new(Initial),
        sprt: None,
        earlier: None,
        concurrency: workers,
        slots: SlotSupply::Anywhere { processors: 1, each: 1 },
        make_room: Box::new(|_| Ok(None)),
        interrupt_grace: Duration::ZERO,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (_interrupts, listener) = tokio::sync::mpsc::unbounded_channel();
    runtime.block_on(dispatcher::run(plan, context, listener))
}

//! `arbiter run`: from a match file to its records, its table and an exit code.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::adjudication::Adjudication;
use super::display::{self, Progress, View};
use super::entrants::{self, entrant};
use super::processors::Slots;
use super::records::{self, Records};
use super::stderr::tell;
use super::{RunArgs, adjudication, conclusion, logging, openings, processors, schedule, shard};
use crate::config::diagnostic::Diagnostic;
use crate::config::settings::{CONTROL_SOCKET, MatchSettings, Oversubscribed};
use crate::config::{self, LoadedMatch};
use crate::control::server::{self, Server};
use crate::engine::fault::OptionFault;
use crate::engine::guard::Guard;
use crate::exit_code::Exit;
use crate::game::annulment::{self, MachineRules, TimeAsleep};
use crate::game::plan::GameLaws;
use crate::openings::Openings;
use crate::platform::{descriptors, suspension};
use crate::report::console::Console;
use crate::report::display::Display;
use crate::signal;
use crate::statistics::sprt::SprtSettings;
use crate::tournament::dispatcher::{self, Request, RunPlan, RunResult};
use crate::tournament::earlier::EarlierGames;
use crate::tournament::event::{Sink, Sinks};
use crate::tournament::schedule::Schedule;
use crate::tournament::worker::WorkerContext;

/// Plays the match of a file.
pub fn run(args: &RunArgs) -> Exit {
    match prepare_and_play(args) {
        Ok(exit) => exit,
        Err(refusal) => refusal.tell(),
    }
}

/// Why nothing is played; the message ends in a line end.
pub(super) struct Refusal {
    pub exit: Exit,
    pub message: String,
}

impl Refusal {
    pub fn tell(self) -> Exit {
        tell(self.message);
        self.exit
    }
}

pub(super) fn usage(message: impl std::fmt::Display) -> Refusal {
    Refusal { exit: Exit::Usage, message: format!("error: {message}\n") }
}

pub(super) fn not_played(message: impl std::fmt::Display) -> Refusal {
    Refusal { exit: Exit::NotPlayed, message: format!("error: {message}\n") }
}

fn prepare_and_play(args: &RunArgs) -> Result<Exit, Refusal> {
    let mut loaded = config::load(&args.config, &args.overrides)
        .map_err(|errors| Refusal { exit: Exit::Usage, message: errors.to_string() })?;
    for warning in &loaded.warnings {
        tell(warning.render(&loaded.sources));
    }
    let mut schedule = schedule::of(&loaded.settings)?;
    if let Some(shard) = args.shard {
        schedule = shard::only(shard, schedule, &mut loaded)?;
    }
    let settings = &loaded.settings;
    warn_of_endless_searches(settings);
    let slots = processors::slots(&loaded, schedule.len())?;
    slots.tell();
    let adjudication = adjudication::open(&loaded)?;
    descriptors::provide(slots.number, adjudication.files).map_err(not_played)?;
    let mut openings = openings::open(&loaded, &schedule)?;
    if args.dry_run {
        return schedule::show(settings, &schedule, &mut openings);
    }
    if let Some(shard) = args.shard {
        shard::announce(shard, &schedule, &loaded);
    }
    let mut view = None;
    let start_log = |log: Option<&Path>| {
        let started = start_display(args, slots.number, log)?;
        view = Some(started);
        Ok(())
    };
    let records = records::open(args, &loaded, start_log)?;
    let Some(view) = view else { return Err(not_played("nothing can be shown")) };
    adjudication.tell();
    // A part of the games decides nothing.
    let sprt = if args.shard.is_some() { None } else { settings.sprt };
    let games = Games { schedule, openings, sprt, slots, adjudication };
    let concluded = play(&loaded, games, &records, &view)
        .and_then(|result| conclusion::conclude(&loaded, args, &records, result, &view.display));
    Ok(concluded.unwrap_or_else(|Refusal { exit, message }| {
        view.display.tell(message);
        exit
    }))
}

/// From here on nothing that is said has to be waited for.
fn start_display(args: &RunArgs, games_at_once: u32, log: Option<&Path>) -> Result<View, String> {
    let progress = if args.quiet { Progress::Quiet } else { Progress::Shown };
    let view = display::start(progress, games_at_once).map_err(|error| error.to_string())?;
    logging::start(args.logging.verbose, log, view.display.messages())?;
    Ok(view)
}

fn warn_of_endless_searches(settings: &MatchSettings) {
    for engine in &settings.engines {
        if !engine.time_control.is_limited() {
            tell(format_args!(
                "warning: nothing limits the searches of {}: it forfeits by `stall` after {} s (`timeouts.silence`)\n",
                engine.name,
                engine.timeouts.silence.as_secs_f64()
            ));
        }
    }
}

/// Which games are played, and where.
struct Games {
    schedule: Schedule,
    openings: Openings,
    /// What decides when they are enough.
    sprt: Option<SprtSettings>,
    slots: Slots,
    adjudication: Adjudication,
}

fn play(loaded: &LoadedMatch, games: Games, records: &Records, view: &View) -> Result<RunResult, Refusal> {
    let settings = &loaded.settings;
    let mut sinks: Vec<Box<dyn Sink>> = vec![Box::new(Arc::clone(&records.recorder))];
    sinks.extend(view.live.clone().map(|live| Box::new(live) as Box<dyn Sink>));
    if view.progress == Progress::Shown {
        sinks.push(Box::new(Console::new(view.display.results())));
    }
    let guard = Guard::of_this_program();
    let context = WorkerContext {
        entrants: Arc::new(
            settings.engines.iter().map(|engine| entrant(engine, settings.variant, &guard)).collect(),
        ),
        laws: GameLaws {
            dead_position: settings.dead_position,
            full_search_nodes: settings.full_search_nodes,
            illegal_move: settings.illegal_move,
            penalty: settings.penalty,
        },
        adjudication: games.adjudication.rules,
        machine: machine_rules(settings.oversubscribed),
        sink: Arc::new(Sinks(sinks)),
    };
    let tables = games.adjudication.files;
    let plan = RunPlan {
        event: settings.event.clone(),
        schedule: games.schedule,
        openings: Box::new(openings::Supply(games.openings)),
        sprt: games.sprt,
        earlier: records.goes_on.then(|| Arc::clone(&records.recorder) as Arc<dyn EarlierGames>),
        concurrency: games.slots.number as usize,
        slots: games.slots.supply.clone(),
        make_room: Box::new(move |games_at_once| {
            descriptors::provide(games_at_once, tables)?;
            Ok(games.slots.warning(games_at_once))
        }),
        interrupt_grace: settings.interrupt_grace,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(not_played)?;
    runtime.block_on(async {
        let (sender, requests) = unbounded_channel();
        signal::listen(sender.clone()).map_err(not_played)?;
        let server = serve_control(records.run_dir.path(), sender, &view.display);
        let result = dispatcher::run(plan, context, requests).await;
        if let Some(server) = server {
            server.close().await;
        }
        Ok(result)
    })
}

/// Without its socket a run is played all the same.
fn serve_control(folder: &Path, requests: UnboundedSender<Request>, display: &Display) -> Option<Server> {
    server::serve(folder, requests)
        .map_err(|error| {
            let socket = folder.join(CONTROL_SOCKET);
            let socket = shown(&socket).display();
            display.tell(format_args!(
                "warning: `arbiter ctl` can't reach this run: {socket} can't be made: {error}\n"
            ));
        })
        .ok()
}

fn machine_rules(oversubscribed: Oversubscribed) -> MachineRules {
    MachineRules {
        oversubscribed: match oversubscribed {
            Oversubscribed::Warn => annulment::Oversubscribed::Warn,
            Oversubscribed::Replay => annulment::Oversubscribed::Replay,
        },
        time_asleep: || suspension::time_asleep().map(|(at_least, at_most)| TimeAsleep { at_least, at_most }),
    }
}

/// A path as short as the working directory allows.
pub(super) fn shown(path: &Path) -> &Path {
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path)
}

/// Errors that only an engine's declarations reveal, at their places in the match file.
pub(super) fn option_errors(loaded: &LoadedMatch, engine: usize, faults: &[OptionFault]) -> String {
    let settings = &loaded.settings.engines[engine];
    let diagnostics = faults.iter().map(|fault| {
        let option = settings.options.iter().find(|option| option.name == fault.option);
        if fault.option == entrants::CHESS960 {
            let message = format!("{}: `variant: chess960` can't be played: {}", settings.name, fault.words);
            return Diagnostic::error(None, message);
        }
        Diagnostic::error(option.map(|option| option.place), format!("{}: {}", settings.name, fault.words))
    });
    loaded.errors(diagnostics.collect()).to_string()
}

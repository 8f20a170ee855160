//! `arbiter run`: from a match file to its records, its table and an exit code.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use shakmaty::CastlingMode;

use super::entrants::{self, entrant};
use super::records::{self, RecordPaths, Records};
use super::stderr::tell;
use super::{RunArgs, adjudication, processors, schedule};
use crate::config::diagnostic::Diagnostic;
use crate::config::settings::{
    BadLines, MatchSettings, OpeningOrder, OpeningSource, Oversubscribed, Variant,
};
use crate::config::{self, LoadedMatch};
use crate::engine::fault::OptionFault;
use crate::engine::guard::Guard;
use crate::exit_code::Exit;
use crate::game::adjudication::AdjudicationRules;
use crate::game::annulment::{self, MachineRules, TimeAsleep};
use crate::game::plan::GameLaws;
use crate::openings::{self, Openings, OpeningsError, OpeningsSource, OpeningsSpec, Sequence};
use crate::platform::{descriptors, suspension};
use crate::report::console::Console;
use crate::report::{match_figures, tables, timekeeping};
use crate::signal;
use crate::statistics::sprt::SprtState;
use crate::tournament::dispatcher::{self, OpeningSupply, RunEnd, RunPlan, RunResult};
use crate::tournament::earlier::EarlierGames;
use crate::tournament::event::Sinks;
use crate::tournament::game_slot::GameSlot;
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
    let loaded = config::load(&args.config, &args.overrides)
        .map_err(|errors| Refusal { exit: Exit::Usage, message: errors.to_string() })?;
    for warning in &loaded.warnings {
        tell(warning.render(&loaded.sources));
    }
    let settings = &loaded.settings;
    warn_of_endless_searches(settings);
    let schedule = schedule::of(settings)?;
    let slots = processors::slots(&loaded, schedule.len())?;
    slots.tell();
    let adjudication = adjudication::open(&loaded)?;
    descriptors::provide(slots.number(), adjudication.files).map_err(not_played)?;
    let mut openings = open_openings(&loaded, &schedule)?;
    if args.dry_run {
        return schedule::show(settings, &schedule, &mut openings);
    }
    let records = records::open(args, &loaded)?;
    adjudication.tell();
    let games = Games { schedule, openings, slots: slots.slots, adjudication: adjudication.rules };
    let result = play(&loaded, games, &records, args.quiet)?;
    conclude(&loaded, args, &records, result)
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

fn openings_spec(settings: &MatchSettings) -> OpeningsSpec {
    let mode = match settings.variant {
        Variant::Standard => CastlingMode::Standard,
        Variant::Chess960 => CastlingMode::Chess960,
    };
    let Some(wanted) = &settings.openings else {
        return OpeningsSpec {
            mode,
            dead_position: settings.dead_position,
            ..OpeningsSpec::new(OpeningsSource::Initial)
        };
    };
    let source = match &wanted.source {
        OpeningSource::File(path, _) => OpeningsSource::File(path.clone()),
        OpeningSource::Fens(fens) => OpeningsSource::Fens(fens.iter().map(|(fen, _)| fen.clone()).collect()),
    };
    OpeningsSpec {
        source,
        sequence: match wanted.order {
            OpeningOrder::Sequential => Sequence::AsInFile,
            OpeningOrder::Random(seed) => Sequence::Shuffled(seed),
        },
        start: wanted.start,
        plies: wanted.plies,
        bad_lines: match wanted.bad_lines {
            BadLines::Skip => openings::BadLines::Skip,
            BadLines::Refuse => openings::BadLines::Refuse,
        },
        mode,
        dead_position: settings.dead_position,
    }
}

fn open_openings(loaded: &LoadedMatch, schedule: &Schedule) -> Result<Openings, Refusal> {
    let (mut openings, warnings) =
        Openings::open(&openings_spec(&loaded.settings)).map_err(|error| openings_refusal(loaded, &error))?;
    // One pair from the initial position is nothing to warn of.
    let several = schedule.openings() > 1;
    for warning in warnings.iter().filter(|warning| several || **warning != openings::Warning::NoBook) {
        tell(format_args!("warning: {warning}\n"));
    }
    // How many openings an open-ended match takes nobody knows; when they are used up, that is told.
    let repeats = match schedule.games() {
        Some(_) => openings.repeats(schedule.openings()).map_err(usage)?,
        None => None,
    };
    for warning in openings.take_warnings().into_iter().chain(repeats) {
        tell(format_args!("warning: {warning}\n"));
    }
    Ok(openings)
}

/// Errors that only the book or a legality check reveals, at their places in the match file.
fn openings_refusal(loaded: &LoadedMatch, error: &OpeningsError) -> Refusal {
    let source = loaded.settings.openings.as_ref().map(|openings| &openings.source);
    let errors = match (error, source) {
        (OpeningsError::BadFens(bad), Some(OpeningSource::Fens(fens))) => bad
            .iter()
            .map(|bad| Diagnostic::error(fens.get(bad.index).map(|(_, place)| *place), bad.to_string()))
            .collect(),
        (_, Some(OpeningSource::File(_, place))) => {
            vec![Diagnostic::error(Some(*place), error.to_string())]
        }
        _ => vec![Diagnostic::error(None, error.to_string())],
    };
    Refusal { exit: Exit::Usage, message: loaded.errors(errors).to_string() }
}

/// Opens the book only to say what is wrong with it.
pub(super) fn check_openings(loaded: &LoadedMatch, schedule: &Schedule) -> Exit {
    match open_openings(loaded, schedule) {
        Ok(_) => Exit::Done,
        Err(refusal) => refusal.tell(),
    }
}

/// Openings as the dispatcher asks for them, with what turns up on the way told.
struct Supply(Openings);

impl OpeningSupply for Supply {
    fn opening(&mut self, index: u64) -> Result<crate::openings::Opening, String> {
        let drawn = self.0.opening_for_pair(index).map_err(|error| error.to_string());
        for warning in self.0.take_warnings() {
            tracing::warn!("{warning}");
        }
        drawn.map(|drawn| drawn.opening)
    }

    fn spec(&self) -> Option<&OpeningsSpec> {
        Some(self.0.spec())
    }
}

/// Which games are played, and where.
struct Games {
    schedule: Schedule,
    openings: Openings,
    slots: Vec<GameSlot>,
    adjudication: AdjudicationRules,
}

fn play(loaded: &LoadedMatch, games: Games, records: &Records, quiet: bool) -> Result<RunResult, Refusal> {
    let settings = &loaded.settings;
    let recorder = Arc::clone(&records.recorder);
    let sinks = Sinks(vec![Box::new(recorder), Box::new(Console::new(quiet))]);
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
        adjudication: games.adjudication,
        machine: machine_rules(settings.oversubscribed),
        sink: Arc::new(sinks),
    };
    let plan = RunPlan {
        event: settings.event.clone(),
        schedule: games.schedule,
        openings: Box::new(Supply(games.openings)),
        sprt: settings.sprt,
        earlier: records.goes_on.then(|| Arc::clone(&records.recorder) as Arc<dyn EarlierGames>),
        slots: games.slots,
        interrupt_grace: settings.interrupt_grace,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(not_played)?;
    runtime.block_on(async {
        let interrupts = signal::listen().map_err(not_played)?;
        Ok(dispatcher::run(plan, context, interrupts).await)
    })
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

fn conclude(
    loaded: &LoadedMatch,
    args: &RunArgs,
    records: &Records,
    result: RunResult,
) -> Result<Exit, Refusal> {
    let finished = result.scoreboard.finished();
    if finished > 0 {
        let mut out = std::io::stdout().lock();
        // A closed stdout loses the table, not the match.
        let _ = write!(
            out,
            "\n{}",
            tables::render(result.scoreboard.standings(), &result.schedule, &result.withdrawn)
        );
        let _ = write!(out, "{}", match_figures::render(&result.scoreboard));
        let _ = write!(out, "{}", timekeeping::render(&result.timekeeping));
        let _ = writeln!(out);
        let RecordPaths { database, pgn, events, log: _ } = &records.paths;
        for (what, path) in [("PGN", pgn), ("Events", events), ("Games", database)] {
            if let Some(path) = path {
                let _ = writeln!(out, "{what:8}{}", shown(path).display());
            }
        }
    }
    // Where no game was finished there is nothing that the next run could play on from.
    if matches!(result.end, RunEnd::Finished | RunEnd::Decided) || finished == 0 {
        records.run_dir.finish().map_err(not_played)?;
    }
    if matches!(result.end, RunEnd::Finished | RunEnd::Decided) {
        records.recorder.finish().map_err(not_played)?;
    }
    records.recorder.settle().map_err(not_played)?;
    match result.end {
        RunEnd::Finished | RunEnd::Decided => Ok(match result.scoreboard.test().map(|test| test.state()) {
            None | Some(SprtState::H1) => Exit::Done,
            Some(SprtState::H0 | SprtState::Continue) => Exit::RequirementNotMet,
        }),
        RunEnd::Interrupted => {
            let kept = match finished {
                0 => "before any game was finished".to_owned(),
                1 => "after 1 finished game, which is kept".to_owned(),
                games => format!("after {games} finished games, which are kept"),
            };
            tell(format_args!("interrupted {kept}\n"));
            tell_how_to_go_on(args, records, finished);
            Ok(Exit::Interrupted)
        }
        RunEnd::Misconfigured { engine, faults } => {
            let message = option_errors(loaded, engine, &faults);
            Err(Refusal { exit: Exit::Usage, message })
        }
        RunEnd::Failed(words) => {
            let refusal = not_played(words);
            tell(&refusal.message);
            tell_how_to_go_on(args, records, finished);
            Ok(refusal.exit)
        }
    }
}

/// The command that plays the rest.
fn tell_how_to_go_on(args: &RunArgs, records: &Records, finished: u32) {
    if finished == 0 || records.paths.database.is_none() {
        return;
    }
    let changes: String = args.overrides.iter().map(|change| format!(" --set {}", quoted(change))).collect();
    let config = quoted(&args.config.to_string_lossy());
    tell(format_args!("to play on: arbiter run {config}{changes} --resume\n"));
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-=+:,@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
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

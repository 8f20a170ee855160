//! `arbiter check`: the match file validated, every engine started for a handshake, the settings shown.

use std::io::Write;

use super::entrants::setup;
use super::run::option_errors;
use super::stderr::tell;
use super::{CheckArgs, adjudication, logging, processors, schedule};
use crate::config::settings::{EngineSettings, Format, MatchSettings, Variant};
use crate::config::{self, LoadedMatch};
use crate::engine::fault::{OptionFault, StartFailure};
use crate::engine::guard::Guard;
use crate::engine::message::visible_lines;
use crate::engine::session::{Engine, EngineSetup};
use crate::exit_code::Exit;
use crate::law::policy::DeadPositionRule;
use crate::platform::descriptors;
use crate::report::counted::counted;
use crate::signal;
use crate::statistics::block::fixed;
use crate::statistics::sprt::SprtSettings;
use crate::tournament::schedule::Schedule;

/// Checks a match file and its engines; plays nothing.
pub fn check(args: &CheckArgs) -> Exit {
    let loaded = match config::load(&args.config, &args.overrides) {
        Ok(loaded) => loaded,
        Err(errors) => {
            tell(errors);
            return Exit::Usage;
        }
    };
    for warning in &loaded.warnings {
        tell(warning.render(&loaded.sources));
    }
    let schedule = match schedule::of(&loaded.settings) {
        Ok(schedule) => schedule,
        Err(refusal) => return refusal.tell(),
    };
    match processors::slots(&loaded, schedule.len()) {
        Ok(slots) => slots.tell(),
        Err(refusal) => return refusal.tell(),
    }
    let adjudication = match adjudication::open(&loaded) {
        Ok(adjudication) => adjudication,
        Err(refusal) => return refusal.tell(),
    };
    if let Err(error) = descriptors::provide(1, adjudication.files) {
        tell(format_args!("error: {error}\n"));
        return Exit::NotPlayed;
    }
    if let Err(error) = logging::start(args.logging.verbose, args.logging.log.as_deref(), None) {
        tell(format_args!("error: {error}\n"));
        return Exit::NotPlayed;
    }
    let openings_exit = super::openings::check(&loaded, &schedule);
    let text = match_text(&loaded.settings, &schedule, &adjudication.words);
    let _ = write!(std::io::stdout(), "{text}");
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(check_or_interrupt(&loaded)).max_by_code(openings_exit),
        Err(error) => {
            tell(format_args!("error: {error}\n"));
            Exit::NotPlayed
        }
    }
}

/// Dropping the check kills the engine that is being checked.
async fn check_or_interrupt(loaded: &LoadedMatch) -> Exit {
    let (requests, mut interrupts) = tokio::sync::mpsc::unbounded_channel();
    if let Err(error) = signal::listen(requests) {
        tell(format_args!("error: {error}\n"));
        return Exit::NotPlayed;
    }
    tokio::select! {
        biased;
        _ = interrupts.recv() => Exit::Interrupted,
        exit = check_engines(loaded) => exit,
    }
}

async fn check_engines(loaded: &LoadedMatch) -> Exit {
    let guard = Guard::of_this_program();
    let mut exit = Exit::Done;
    for (place, settings) in loaded.settings.engines.iter().enumerate() {
        let setup = setup(settings, loaded.settings.variant, &guard);
        let found = match Engine::handshake(&setup).await {
            Ok(engine) => check_options(loaded, place, &setup, engine).await,
            Err(StartFailure { words, .. }) => {
                tell(format_args!("error: {}: {words}\n", settings.name));
                Exit::NotPlayed
            }
        };
        exit = exit.max_by_code(found);
    }
    exit
}

async fn check_options(loaded: &LoadedMatch, place: usize, setup: &EngineSetup, engine: Engine) -> Exit {
    let settings = &loaded.settings.engines[place];
    let _ = write!(std::io::stdout(), "{}", engine_text(settings, &setup.options, &engine));
    let faults: Vec<OptionFault> = engine.option_commands(&setup.options).err().unwrap_or_default();
    engine.quit().await;
    if !faults.is_empty() {
        tell(option_errors(loaded, place, &faults));
        return Exit::Usage;
    }
    // Some engines show only when the options are really set, or at `isready`, that they can't work with them.
    match Engine::start(setup).await {
        Ok(engine) => {
            engine.quit().await;
            Exit::Done
        }
        Err(StartFailure { words, .. }) => {
            tell(format_args!("error: {}, with its options set: {words}\n", settings.name));
            Exit::NotPlayed
        }
    }
}

fn match_text(settings: &MatchSettings, schedule: &Schedule, adjudication: &[String]) -> String {
    let games =
        schedule.games().map_or("games until the test is decided".to_owned(), |games| counted(games, "game"));
    let dead_position = match settings.dead_position {
        DeadPositionRule::Exact => "exact",
        DeadPositionRule::Material => "material",
        DeadPositionRule::Off => "off",
    };
    let variant = match settings.variant {
        Variant::Standard => "",
        Variant::Chess960 => " of Chess960",
    };
    let rounds = settings.rounds.map(|rounds| counted(rounds.get(), "round"));
    let format = match settings.format {
        Format::Match => rounds.map_or(String::new(), |rounds| format!(" in {rounds}")),
        Format::RoundRobin => ", a round robin".to_owned(),
        Format::Gauntlet { seeds } => {
            format!(", a gauntlet of {}", counted(seeds, "seed"))
        }
        Format::Knockout => ", a knockout".to_owned(),
        Format::Swiss => format!(", {} of a Swiss tournament", rounds.unwrap_or_default()),
    };
    format!(
        "{}: {games}{variant}{}; dead positions: {dead_position}; records in {}\nadjudication: {}\n{}",
        settings.event,
        format,
        settings.output.dir.display(),
        adjudication.join("\nadjudication: "),
        settings.sprt.as_ref().map_or(String::new(), |sprt| sprt_text(sprt, settings.pairs)),
    )
}

fn sprt_text(sprt: &SprtSettings, pairs: bool) -> String {
    format!(
        "sprt: H0 {} Elo, H1 {} Elo ({}), alpha {}, beta {}, by {}; LLR from {} to {}\n",
        sprt.elo0(),
        sprt.elo1(),
        sprt.model().name(),
        sprt.alpha(),
        sprt.beta(),
        if pairs && sprt.pentanomial() { "pairs" } else { "games" },
        fixed(sprt.lower(), 2),
        fixed(sprt.upper(), 2),
    )
}

fn engine_text(settings: &EngineSettings, options: &[(String, String)], engine: &Engine) -> String {
    let told = |id: &Option<String>| id.clone().unwrap_or_else(|| "(not told)".to_owned());
    let mut lines = vec![
        String::new(),
        settings.name.clone(),
        format!("  program       {} {}", settings.program.display(), settings.args.join(" ")),
        format!("  says it is    {}, by {}", told(&engine.id_name), told(&engine.id_author)),
        format!("  time control  {}", settings.time_control),
        format!("  time margin   {} ms", settings.time_margin.as_secs_f64() * 1000.0),
        format!("  limits        {}", settings.limits),
        format!(
            "  claims        threefold {}, fifty moves {}",
            settings.claims.threefold, settings.claims.fifty_move
        ),
        format!("  ponders       {}", if settings.ponder { "yes" } else { "no" }),
        "  options".to_owned(),
    ];
    for option in &engine.declared {
        let set = options.iter().find(|(name, _)| name.eq_ignore_ascii_case(&option.name));
        let set = set.map_or(String::new(), |(_, value)| format!("  <- {value}"));
        lines.push(format!("    {} ({}){set}", option.name, option.describe()));
    }
    visible_lines(&(lines.join("\n") + "\n"))
}

//! `arbiter report`, `export` and `show`: what a run's database tells.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use shakmaty::ByColor;

use super::run::{Refusal, not_played, usage};
use crate::engine::message::visible_lines;
use crate::exit_code::Exit;
use crate::game::annulment::Cause;
use crate::game::record::GameRecord;
use crate::records::database::{Database, DatabaseError, Order, RunHeader};
use crate::records::events;
use crate::records::pgn::{self, MatchTags};
use crate::report::{evidence, match_figures, tables, timekeeping};
use crate::statistics::sprt::SprtSettings;
use crate::tournament::finished_game::FinishedGame;
use crate::tournament::schedule::Schedule;
use crate::tournament::scoreboard::Scoreboard;
use crate::tournament::timekeeping::Timekeeping;

/// The arguments of `report`.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The database of a run, or its folder; also while the run goes on.
    #[arg(value_name = "MATCH.db")]
    database: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The arguments of `export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Print the games as PGN, in the order of the schedule.
    #[arg(long, required = true)]
    pgn: bool,
    /// The database of a run, or its folder; also while the run goes on.
    #[arg(value_name = "MATCH.db")]
    database: PathBuf,
}

/// The arguments of `show`.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The database of a run, or its folder; also while the run goes on.
    #[arg(value_name = "MATCH.db")]
    database: PathBuf,
    /// Which game: `round.game` as PGN and console have it, or its number in the schedule.
    #[arg(value_name = "GAME")]
    game: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A run as its database has it: the same counts as those of the run itself.
pub(super) struct StoredRun {
    pub scoreboard: Scoreboard,
    pub timekeeping: Timekeeping,
    pub schedule: Schedule,
}

impl StoredRun {
    /// Counts all games.
    ///
    /// # Errors
    /// The database can't be read, or makes no sense.
    pub fn of(database: &Database) -> Result<StoredRun, Refusal> {
        let header = database.header();
        let damaged =
            |what: String| not_played(DatabaseError::Damaged { path: database.path().to_owned(), what });
        let names: Vec<String> = header.engines.iter().map(|engine| engine.name.clone()).collect();
        // A part of the games decides nothing.
        let sprt = header.sprt.as_ref().filter(|_| header.shard.is_none());
        let sprt = sprt.map(SprtSettings::try_from).transpose().map_err(|why| damaged(why.to_string()))?;
        let mut schedule = header.lay_out().map_err(damaged)?;
        let mut scoreboard = Scoreboard::new(names.iter().cloned(), schedule.pairs(), sprt);
        let mut timekeeping = Timekeeping::new(names.iter().cloned());
        let place = |name: &String| names.iter().position(|other| other == name);
        // In this order every game comes after those that its pairing depends on.
        database.each_game(Order::Ended, |game| {
            let engines = game.names.as_ref().map(place);
            let (Some(white), Some(black)) = (engines.white, engines.black) else {
                return Err(damaged(format!("game {}: its engines", game.id)));
            };
            let finished = FinishedGame::of(&game, ByColor { white, black });
            scoreboard.add(&finished).map_err(|twice| damaged(twice.to_string()))?;
            schedule.finished(finished.id, finished.result());
            timekeeping.add(&game);
            Ok(())
        })?;
        for annulment in database.annulments()? {
            let cause = Cause::ALL.into_iter().find(|cause| cause.name() == annulment.cause);
            cause.into_iter().for_each(|cause| timekeeping.add_annulled(cause));
        }
        Ok(StoredRun { scoreboard, timekeeping, schedule })
    }
}

impl From<DatabaseError> for Refusal {
    fn from(error: DatabaseError) -> Refusal {
        not_played(error)
    }
}

/// The database itself, or that of a run's folder.
fn named(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("match.db") } else { path.to_owned() }
}

/// `arbiter report`.
pub(super) fn report(args: &ReportArgs, out: &mut dyn Write) -> Result<std::io::Result<Exit>, Refusal> {
    let database = Database::open_to_read(&named(&args.database))?;
    let run = StoredRun::of(&database)?;
    let text = if args.json {
        format!("{}\n", report_object(&database, &run)?)
    } else {
        visible_lines(&report_text(&database, &run)?)
    };
    Ok(out.write_all(text.as_bytes()).map(|()| Exit::Done))
}

pub(super) fn report_text(database: &Database, run: &StoredRun) -> Result<String, Refusal> {
    let finished = run.scoreboard.finished();
    let of = run.schedule.games().map_or(String::new(), |games| format!(" of {}", games.max(finished)));
    let state = if database.is_finished()? { "finished" } else { "not finished" };
    let RunHeader { event, shard, .. } = database.header();
    let shard = shard.map_or(String::new(), |shard| format!(", shard {shard}"));
    let mut text = format!("{event}{shard}: {finished}{of} games, {state}\n\n");
    if finished > 0 {
        text += &tables::render(run.scoreboard.standings(), &run.schedule, &[]);
        text += &match_figures::render(&run.scoreboard);
        text += &timekeeping::render(&run.timekeeping);
        text += &faulty_games(database)?;
    }
    Ok(text)
}

fn report_object(database: &Database, run: &StoredRun) -> Result<Value, Refusal> {
    let engines: Vec<Value> = run
        .scoreboard
        .standings()
        .tallies()
        .iter()
        .map(|tally| {
            json!({
                "name": tally.name, "games": tally.games(), "won": tally.won, "drawn": tally.drawn,
                "lost": tally.lost, "points": f64::from(tally.half_points()) / 2.0,
            })
        })
        .collect();
    let reasons: Vec<Value> = run
        .scoreboard
        .standings()
        .reasons()
        .iter()
        .map(|count| json!({ "reason": count.reason, "article": count.article, "games": count.games }))
        .collect();
    let sprt = run.scoreboard.test().map(|test| {
        json!({
            "llr": test.llr, "lower": test.settings.lower(), "upper": test.settings.upper(),
            "state": test.state().name(), "elo0": test.settings.elo0(), "elo1": test.settings.elo1(),
            "model": test.settings.model().name(),
        })
    });
    let summary = run.scoreboard.summary();
    Ok(json!({
        "event": database.header().event,
        "shard": database.header().shard,
        "finished": database.is_finished()?,
        "games": run.scoreboard.finished(),
        "planned": run.schedule.games(),
        "engines": engines,
        "reasons": reasons,
        "elo": summary.as_ref().and_then(|summary| summary.elo),
        "sprt": sprt,
    }))
}

/// So many faulty games are listed.
const MOST_LISTED: usize = 20;

/// The games that an engine lost by a fault, with the command that shows each; empty where there are none.
pub(super) fn faulty_games(database: &Database) -> Result<String, DatabaseError> {
    let (games, all) = database.faulty_games(MOST_LISTED)?;
    let mut lines: Vec<String> = Vec::new();
    if !games.is_empty() {
        lines.push("\nGames that ended by a fault of an engine".to_owned());
    }
    let name = super::conclusion::quoted(&super::run::shown(database.path()).to_string_lossy());
    for (id, sentence) in &games {
        lines.push(format!("  {id}  {sentence}\n       arbiter show {name} {id}"));
    }
    if let Some(more) = all.checked_sub(games.len()).filter(|more| *more > 0) {
        lines.push(format!("  and {more} more"));
    }
    Ok(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// `arbiter export`.
pub(super) fn export(args: &ExportArgs, out: &mut dyn Write) -> Result<std::io::Result<Exit>, Refusal> {
    let database = Database::open_to_read(&named(&args.database))?;
    let header = database.header();
    let tags = MatchTags { event: header.event.clone(), site: header.site.clone() };
    let mut out = std::io::BufWriter::new(out);
    let written = database.each_game(Order::Schedule, |game| {
        out.write_all(pgn::render(&game, &tags).as_bytes()).map_err(Stop::Output)
    });
    match written {
        Ok(()) => Ok(out.flush().map(|()| Exit::Done)),
        Err(Stop::Output(error)) => Ok(Err(error)),
        Err(Stop::Database(error)) => Err(error.into()),
    }
}

/// Why not all games were written.
enum Stop {
    Output(std::io::Error),
    Database(DatabaseError),
}

impl From<DatabaseError> for Stop {
    fn from(error: DatabaseError) -> Stop {
        Stop::Database(error)
    }
}

/// `arbiter show`.
pub(super) fn show(args: &ShowArgs, out: &mut dyn Write) -> Result<std::io::Result<Exit>, Refusal> {
    let database = Database::open_to_read(&named(&args.database))?;
    let game = find(&database, &args.game)?;
    let faults = database.faults(game.id.number)?;
    let faults: Vec<evidence::Fault> = faults.into_iter().map(|fault| (fault.engine, fault.words)).collect();
    let annulments = database.annulments()?;
    let annulments: Vec<String> = annulments
        .into_iter()
        .filter(|annulment| annulment.number == game.id.number)
        .map(|annulment| annulment.detail)
        .collect();
    let text = if args.json {
        format!("{}\n", game_object(&game, &faults, &annulments))
    } else {
        visible_lines(&evidence::render(&game, &faults, &annulments))
    };
    Ok(out.write_all(text.as_bytes()).map(|()| Exit::Done))
}

fn find(database: &Database, name: &str) -> Result<GameRecord, Refusal> {
    let missing = |games: u32| {
        usage(format_args!(
            "{} holds no game {name}: name one of its {games} games as `round.game` or by its number in the schedule",
            database.path().display()
        ))
    };
    let parse = |part: &str| part.parse::<u32>().ok();
    let number = match name.split_once('.') {
        Some((round, game)) => match (parse(round), parse(game)) {
            (Some(round), Some(game)) => database.number_of(round, game)?,
            _ => None,
        },
        None => parse(name),
    };
    let game = number.map(|number| database.game(number)).transpose()?.flatten();
    game.map_or_else(|| Err(missing(database.games()?)), Ok)
}

fn game_object(game: &GameRecord, faults: &[evidence::Fault], annulments: &[String]) -> Value {
    let dialogue = game.dialogue.as_ref().map(|lines| {
        let lines = lines.iter().map(|line| {
            json!({
                "number": line.number, "at": line.at.as_secs_f64(), "direction": line.direction.name(),
                "text": line.text,
            })
        });
        lines.collect::<Vec<Value>>()
    });
    json!({
        "game": game.id.number,
        "round": game.id.to_string(),
        "ended": events::object_of(&crate::tournament::event::Event::GameEnded(game)),
        "position": evidence::position_line(game),
        "moves": events::moves_of(game),
        "dialogue": { "white": dialogue.white, "black": dialogue.black },
        "faults": faults.iter().map(|(engine, words)| json!({ "engine": engine, "fault": words })).collect::<Vec<_>>(),
        "annulments": annulments,
    })
}

/// Runs a command on a database: what it prints, or why not.
pub(super) fn run(command: impl FnOnce(&mut dyn Write) -> Result<std::io::Result<Exit>, Refusal>) -> Exit {
    match command(&mut std::io::stdout().lock()) {
        Ok(Ok(exit)) => exit,
        // Whoever reads stdout has seen enough.
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Done,
        Ok(Err(error)) => not_played(error).tell(),
        Err(refusal) => refusal.tell(),
    }
}

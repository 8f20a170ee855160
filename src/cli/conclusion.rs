//! The end of a run: the table, what is left in its folder, what is said of it, the exit code.

use std::fmt::Write;

use super::RunArgs;
use super::records::{RecordPaths, Records};
use super::run::{Refusal, not_played, option_errors, shown};
use super::stored;
use crate::config::LoadedMatch;
use crate::config::settings::RequireSettings;
use crate::exit_code::Exit;
use crate::records::junit;
use crate::report::display::Display;
use crate::report::{self, match_figures, tables, timekeeping};
use crate::tournament::dispatcher::{RunEnd, RunResult};
use crate::tournament::requirements::{EndsByLaw, Judged, Met, Requirements};

/// Concludes a run.
///
/// # Errors
/// Its end can't be recorded, or the match file asks of an engine what it doesn't offer.
pub(super) fn conclude(
    loaded: &LoadedMatch,
    args: &RunArgs,
    records: &Records,
    result: RunResult,
    display: &Display,
) -> Result<Exit, Refusal> {
    let finished = result.scoreboard.finished();
    let complete = matches!(result.end, RunEnd::Finished | RunEnd::Decided);
    // A part of the games decides nothing.
    let judged = match complete && args.shard.is_none() {
        true => requirements(&loaded.settings.require).judge(&result.scoreboard),
        false => Vec::new(),
    };
    write_junit(records, &result.end, &judged)?;
    if finished > 0 {
        let faulty = records.recorder.with_database(stored::faulty_games).transpose().map_err(not_played)?;
        display.print(table(&records.paths, &result, &faulty.unwrap_or_default(), &judged));
    }
    if complete {
        records.recorder.finish().map_err(not_played)?;
    }
    records.recorder.settle().map_err(not_played)?;
    // Where no game was finished there is nothing that the next run could play on from.
    if complete || finished == 0 {
        records.run_dir.finish().map_err(not_played)?;
    }
    match result.end {
        RunEnd::Finished | RunEnd::Decided => Ok(exit_of(&judged)),
        RunEnd::Interrupted => {
            let kept = match finished {
                0 => "before any game was finished".to_owned(),
                1 => "after 1 finished game, which is kept".to_owned(),
                games => format!("after {games} finished games, which are kept"),
            };
            display.tell(format_args!("interrupted {kept}\n"));
            tell_how_to_go_on(args, records, finished, display);
            Ok(Exit::Interrupted)
        }
        RunEnd::Misconfigured { engine, faults } => {
            let message = option_errors(loaded, engine, &faults);
            Err(Refusal { exit: Exit::Usage, message })
        }
        RunEnd::Failed(words) => {
            let Refusal { exit, message } = not_played(words);
            display.tell(message);
            tell_how_to_go_on(args, records, finished, display);
            Ok(exit)
        }
    }
}

/// 0 where every requirement is met.
pub(super) fn exit_of(judged: &[Judged]) -> Exit {
    match judged.iter().all(|judged| judged.met == Met::Yes) {
        true => Exit::Done,
        false => Exit::RequirementNotMet,
    }
}

/// What the match file requires of the results.
fn requirements(settings: &RequireSettings) -> Requirements {
    let RequireSettings { min_score, max_time_forfeits, max_crashes, max_illegal_moves, ends_by_law } =
        *settings;
    let ends_by_law = if ends_by_law { EndsByLaw::Required } else { EndsByLaw::NotRequired };
    Requirements { min_score, max_time_forfeits, max_crashes, max_illegal_moves, ends_by_law }
}

/// A run that could not be finished has a report too, with a requirement that is not met; one that was interrupted has
/// none yet.
fn write_junit(records: &Records, end: &RunEnd, judged: &[Judged]) -> Result<(), Refusal> {
    let Some(path) = &records.paths.junit else { return Ok(()) };
    let failed;
    let judged = match end {
        RunEnd::Finished | RunEnd::Decided => judged,
        RunEnd::Failed(words) => {
            failed = [Judged { name: "run_finished", met: Met::No, words: words.clone() }];
            &failed
        }
        RunEnd::Interrupted | RunEnd::Misconfigured { .. } => return Ok(()),
    };
    let written = records.recorder.with_database(|database| junit::write(path, database, judged));
    written.transpose().map(drop).map_err(|error| not_played(format_args!("{}: {error}", path.display())))
}

/// The table at the end, and where the records stand.
fn table(paths: &RecordPaths, result: &RunResult, faulty_games: &str, judged: &[Judged]) -> String {
    let standings = result.scoreboard.standings();
    let mut text = format!("\n{}", tables::render(standings, &result.schedule, &result.withdrawn));
    text += &match_figures::render(&result.scoreboard);
    text += &timekeeping::render(&result.timekeeping);
    text += faulty_games;
    text += &report::requirements::render(judged);
    text.push('\n');
    let RecordPaths { database, pgn, events, junit, log: _ } = paths;
    for (what, path) in [("PGN", pgn), ("Events", events), ("Games", database), ("JUnit", junit)] {
        if let Some(path) = path.as_ref().filter(|path| path.exists()) {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{what:8}{}", shown(path).display());
        }
    }
    text
}

/// The command that plays the rest.
fn tell_how_to_go_on(args: &RunArgs, records: &Records, finished: u32, display: &Display) {
    if finished == 0 || records.paths.database.is_none() {
        return;
    }
    let changes: String = args.overrides.iter().map(|change| format!(" --set {}", quoted(change))).collect();
    let config = quoted(&args.config.to_string_lossy());
    let shard = args.shard.map_or(String::new(), |shard| format!(" --shard {shard}"));
    display.tell(format_args!("to play on: arbiter run {config}{changes}{shard} --resume\n"));
}

/// As a shell takes it for one word.
pub(super) fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-=+:,@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

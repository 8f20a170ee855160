//! The lines that are seen while a run goes on.

use std::time::Duration;

use shakmaty::ByColor;

use super::Snapshot;
use super::board::{RunningGame, ToldScore};
use super::columns::{self, DASH, Lines, harmless, joined, left, pair, right, shortened, width};
use super::standing::{Points, Standing};
use crate::engine::message::Score;
use crate::report::counted::counted;
use crate::report::counted::points;
use crate::statistics::block::fixed;
use crate::statistics::summary::{MatchSummary, OneSided};
use crate::tournament::head_to_head::TestStanding;

/// A terminal's size in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Characters of a line.
    pub columns: usize,
    /// Lines.
    pub rows: usize,
}

/// Whether colours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// They are.
    Shown,
    /// They are not: `NO_COLOR`.
    None,
}

/// The lines of a moment, none longer and no more of them than the terminal has room for.
pub fn render(snapshot: &Snapshot, size: Size, colours: Colours) -> Vec<String> {
    let footer = [progress(snapshot, size.columns, colours), standing(&snapshot.standing, size.columns)];
    let footer = footer.into_iter().filter(|line| !line.is_empty()).take(size.rows.saturating_sub(1).max(1));
    // At most the lower half: what has been said before stays in sight.
    let room = (size.rows / 2).min(size.rows.saturating_sub(3));
    games(&snapshot.running, size.columns, room).into_iter().chain(footer).collect()
}

/// As many games as there is room for, and how many more there are.
fn games(running: &[RunningGame], columns: usize, room: usize) -> Vec<String> {
    if running.len() <= room {
        return game_lines(running, columns);
    }
    let Some(shown) = room.checked_sub(1) else { return Vec::new() };
    let (shown, hidden) = running.split_at(shown);
    let more = match shown {
        [] => format!("{} being played", counted(hidden.len() as u64, "game")),
        _ => format!("… and {}", counted(hidden.len() as u64, "more game")),
    };
    let mut lines = game_lines(shown, columns);
    lines.push(shortened(&more, columns));
    lines
}

/// What is told of a game, in columns.
struct Cells {
    id: String,
    names: [String; 2],
    /// Move, score and clocks: what is left out first stands last.
    details: [String; 3],
}

/// Two names of eight characters: a narrower column tells little.
const NARROWEST_NAMES: usize = 19;

fn game_lines(running: &[RunningGame], columns: usize) -> Vec<String> {
    let clocks = ByColor::new_with(|side| {
        let widths = running.iter().map(|game| width(&clock(*game.clocks.get(side))));
        widths.max().unwrap_or(0)
    });
    let cells: Vec<Cells> = running.iter().map(|game| cells(game, &clocks)).collect();
    let widest = |cell: &dyn Fn(&Cells) -> usize| cells.iter().map(cell).max().unwrap_or(0);
    let id = widest(&|cells| width(&cells.id));
    let names = widest(&|cells| cells.names.iter().map(|name| width(name)).sum::<usize>() + width(DASH));
    let details: [usize; 3] = std::array::from_fn(|column| widest(&|cells| width(&cells.details[column])));
    let taken = |kept: usize| {
        let kept = details[..kept].iter().filter(|width| **width > 0);
        id + 2 + kept.map(|width| width + 2).sum::<usize>()
    };
    let room = |kept: usize| columns.saturating_sub(taken(kept));
    let kept = (0..=details.len()).rev().find(|kept| room(*kept) >= names.min(NARROWEST_NAMES)).unwrap_or(0);
    let names = names.min(room(kept));
    let line = |cells: &Cells| {
        let mut line = format!("{}  {}", right(&cells.id, id), left(&pair_of(&cells.names, names), names));
        for (detail, width) in cells.details[..kept].iter().zip(details).filter(|(_, width)| *width > 0) {
            line.push_str("  ");
            line.push_str(&left(detail, width));
        }
        shortened(line.trim_end(), columns)
    };
    cells.iter().map(line).collect()
}

fn pair_of([first, second]: &[String; 2], columns: usize) -> String {
    pair([first, second], columns)
}

fn cells(game: &RunningGame, clock_widths: &ByColor<usize>) -> Cells {
    let told = game.clocks.iter().any(Option::is_some);
    let clocks = game.clocks.zip(*clock_widths).map(|(left, width)| right(&clock(left), width));
    Cells {
        id: game.id.to_string(),
        names: [&game.names.white, &game.names.black].map(|name| harmless(name, Lines::Escaped)),
        details: [
            game.move_number().map_or("begins".to_owned(), |number| format!("move {number:>2}")),
            game.score.map_or(String::new(), score),
            if told {
                format!("clocks {} / {}", clocks.white, clocks.black.trim_start())
            } else {
                String::new()
            },
        ],
    }
}

/// A score from White's side, with its depth.
fn score(told: ToldScore) -> String {
    let text = told.score.to_string();
    let text = match text.strip_prefix(['+', '-']) {
        Some(size) if told.score == Score::Centipawns(0) => size.to_owned(),
        Some(size) if told.by.is_black() => {
            format!("{}{size}", if text.starts_with('+') { '-' } else { '+' })
        }
        _ => text,
    };
    told.depth.map_or(text.clone(), |depth| format!("{text}/{depth}"))
}

/// What a clock shows, rounded down: tenths in the last ten seconds.
fn clock(left: Option<Duration>) -> String {
    let Some(left) = left else { return "-".to_owned() };
    if left < Duration::from_secs(10) {
        return format!("0:0{}.{}", left.as_secs(), left.subsec_millis() / 100);
    }
    hours_minutes_seconds(left.as_secs())
}

fn hours_minutes_seconds(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// The bar, the number of games, the time left.
fn progress(snapshot: &Snapshot, columns: usize, colours: Colours) -> String {
    let Snapshot { planned, finished, time_left, .. } = snapshot;
    // The extra games of a knockout are not among those planned.
    let planned = planned.map(|planned| planned.max(*finished));
    let games = match planned {
        Some(planned) => format!("{finished} of {}", counted(planned, "game")),
        None => counted(*finished, "game"),
    };
    let decides = matches!(&snapshot.standing, Standing::Match { test: Some(_), .. });
    let left = time_left.map(|left| {
        // The test may end it before.
        let at_most = if decides { "at most " } else { "" };
        format!("{at_most}about {} left", hours_minutes_seconds(left.as_secs()))
    });
    let parts: Vec<String> = [games].into_iter().chain(left).collect();
    match planned.filter(|_| columns >= WIDE_ENOUGH_FOR_A_BAR) {
        Some(planned) => {
            let text = joined(&parts, columns.saturating_sub(BAR + 2));
            format!("{}  {text}", bar(*finished, planned, colours))
        }
        None => joined(&parts, columns),
    }
}

const BAR: usize = 20;
const WIDE_ENOUGH_FOR_A_BAR: usize = 50;

fn bar(finished: u32, planned: u32, colours: Colours) -> String {
    let full = (u64::from(finished) * BAR as u64 / u64::from(planned.max(1))) as usize;
    let (done, open) = ("█".repeat(full), "░".repeat(BAR.saturating_sub(full)));
    match colours {
        Colours::Shown => format!("\x1b[32m{done}\x1b[0m\x1b[2m{open}\x1b[0m"),
        Colours::None => done + &open,
    }
}

fn standing(standing: &Standing, columns: usize) -> String {
    match standing {
        Standing::Match { engines: [first, second], summary, test } => {
            let elo = elo(summary);
            let test = test.as_ref().map(|test| llr(test));
            let parts: Vec<String> =
                [score_between(first, second, columns)].into_iter().chain(elo).chain(test).collect();
            joined(&parts, columns)
        }
        Standing::Field(field) => {
            let parts: Vec<String> = field.iter().filter(|engine| engine.games > 0).map(in_field).collect();
            joined(&parts, columns)
        }
    }
}

fn score_between(first: &Points, second: &Points, columns: usize) -> String {
    let score = format!(" {}{DASH}{} ", points(first.half_points.into()), points(second.half_points.into()));
    let names = [first, second].map(|engine| harmless(&engine.name, Lines::Escaped));
    // As much for each as there is, at most.
    let room = columns.saturating_sub(width(&score)) / 2;
    format!("{}{score}{}", shortened(&names[0], room), shortened(&names[1], room))
}

fn in_field(engine: &Points) -> String {
    let name = columns::shortened(&harmless(&engine.name, Lines::Escaped), 20);
    format!("{name} {} of {}", points(engine.half_points.into()), engine.games)
}

fn elo(summary: &MatchSummary) -> Option<String> {
    match (summary.one_sided, summary.elo, summary.elo_error) {
        (Some(OneSided::Above(limit)), ..) => Some(format!("Elo > {} (95 %)", fixed(limit, 1))),
        (Some(OneSided::Below(limit)), ..) => Some(format!("Elo < {} (95 %)", fixed(limit, 1))),
        (None, Some(elo), Some(error)) if summary.has_variance => {
            Some(format!("Elo {} ± {} (95 %)", fixed(elo, 1), fixed(error, 1)))
        }
        _ => None,
    }
}

fn llr(test: &TestStanding) -> String {
    let llr = test.llr.map_or("n/a".to_owned(), |llr| fixed(llr, 2));
    let bounds = [test.settings.lower(), test.settings.upper()].map(|bound| fixed(bound, 2));
    format!("LLR {llr} ({} to {})", bounds[0], bounds[1])
}

#[cfg(test)]
#[path = "frame_tests.rs"]
mod tests;

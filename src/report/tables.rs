//! The tables of a tournament at the end of a run: order with ratings, crosstable or bracket, how the games ended.

use std::fmt::Write;

use super::summary::{halves, name_width};
use super::{outcomes, rounds, summary};
use crate::statistics::block::fixed;
use crate::statistics::ratings::Rating;
use crate::tournament::ranking::{self, Ranked};
use crate::tournament::schedule::{Format, Schedule};
use crate::tournament::standings::Standings;
use crate::tournament::withdrawal::Withdrawal;

/// The widest crosstable: a wider one is no help in a terminal.
const MOST_COLUMNS: usize = 24;

/// What a run brought, as its format wants it shown.
pub fn render(standings: &Standings, schedule: &Schedule, withdrawn: &[Withdrawal]) -> String {
    let engines = standings.tallies().len();
    let mut text = if engines <= 2 {
        summary::render(standings)
    } else {
        let ranked = ranking::ranking(standings, schedule);
        let columns = Columns::of(schedule);
        let details = match schedule {
            Schedule::Fixed(fixed) => match fixed.format() {
                Format::Gauntlet { seeds } => crosstable(standings, &ranked, |engine| engine < seeds),
                _ => crosstable(standings, &ranked, |_| true),
            },
            Schedule::Knockout(knockout) => rounds::bracket(standings, knockout),
            Schedule::Swiss(swiss) => rounds::swiss(standings, swiss),
        };
        table(standings, &ranked, columns) + &details + &summary::reasons(standings)
    };
    text.push_str(&outcomes::render(standings));
    if !withdrawn.is_empty() {
        text.push_str("\nNot played\n");
        for withdrawal in withdrawn {
            // Writing to a string can't fail.
            let _ = writeln!(text, "  {}", withdrawal.sentence(engines));
        }
    }
    text
}

/// What a table has beside games and points.
#[derive(Clone, Copy)]
struct Columns {
    /// Not in a knockout, where few engines meet and the strongest ones most.
    ratings: bool,
    /// What was given for byes and unplayed games, and the opponents' scores.
    swiss: bool,
    sonneborn_berger: bool,
}

impl Columns {
    fn of(schedule: &Schedule) -> Columns {
        match schedule {
            Schedule::Swiss(_) => Columns { ratings: true, swiss: true, sonneborn_berger: true },
            Schedule::Knockout(_) => Columns { ratings: false, swiss: false, sonneborn_berger: false },
            Schedule::Fixed(fixed) => Columns {
                ratings: true,
                swiss: false,
                sonneborn_berger: fixed.format() == Format::RoundRobin,
            },
        }
    }
}

fn table(standings: &Standings, ranked: &[Ranked], columns: Columns) -> String {
    let width = name_width(standings);
    let ratings = columns.ratings.then(|| standings.ratings());
    let mut text = format!("{:>3}  {}", "", summary::header(width));
    if ratings.is_some() {
        let _ = write!(text, "  {:>8}  {:>6}", "Elo", "+/-");
    }
    if columns.swiss {
        text.push_str("  given  Buchholz");
    }
    if columns.sonneborn_berger {
        text.push_str("  Sonneborn-Berger");
    }
    text.push('\n');
    for (row, rank) in ranked.iter().zip(1..) {
        let Some(tally) = ranking::tally(standings, row) else { continue };
        let _ = write!(text, "{rank:>3}  {}", summary::row(tally, row.half_points, width));
        if let Some(ratings) = &ratings {
            let rating = ratings.as_ref().ok().and_then(|ratings| ratings.all().get(row.engine));
            let [elo, error] = elo_and_error(rating.unwrap_or(&Rating::Unknown));
            let _ = write!(text, "  {elo:>8}  {error:>6}");
        }
        if columns.swiss {
            let _ = write!(text, "  {:>5.1}  {:>8.1}", halves(row.given), halves(row.buchholz));
        }
        if columns.sonneborn_berger {
            let _ = write!(text, "  {:>16.2}", halves(row.sonneborn_berger) / 2.0);
        }
        text.push('\n');
    }
    if let Some(Err(failure)) = ratings {
        let _ = writeln!(text, "Elo: n/a: {failure}");
    }
    text
}

/// A rating and its 95 % error.
fn elo_and_error(rating: &Rating) -> [String; 2] {
    let (elo, error) = match rating {
        Rating::Estimated { elo, error } => (Some(fixed(*elo, 1)), error.map(|error| fixed(error, 1))),
        Rating::Above { limit } => (limit.map(|limit| format!("> {}", fixed(limit, 1))), None),
        Rating::Below { limit } => (limit.map(|limit| format!("< {}", fixed(limit, 1))), None),
        Rating::Unknown => (None, None),
    };
    [elo, error].map(|figure| figure.unwrap_or_else(|| "n/a".to_owned()))
}

/// Points of each engine against those of the columns, which stand under their numbers in the table.
fn crosstable(standings: &Standings, ranked: &[Ranked], has_column: impl Fn(usize) -> bool) -> String {
    let columns: Vec<(usize, usize)> = ranked
        .iter()
        .enumerate()
        .filter(|(_, row)| has_column(row.engine))
        .map(|(index, row)| (index + 1, row.engine))
        .collect();
    if columns.len() > MOST_COLUMNS {
        return String::new();
    }
    let width = name_width(standings);
    let mut text = format!("\nPoints against\n{:>3}  {:width$}", "", "");
    for (rank, _) in &columns {
        let _ = write!(text, " {rank:>6}");
    }
    text.push('\n');
    for (row, rank) in ranked.iter().zip(1..) {
        let Some(tally) = ranking::tally(standings, row) else { continue };
        let _ = write!(text, "{rank:>3}  {:width$}", tally.name);
        for (_, against) in &columns {
            let games = standings.crosstable().record(row.engine, *against);
            let cell = match games.games() {
                0 if row.engine == *against => "·".to_owned(),
                0 => "-".to_owned(),
                _ => format!("{:.1}", halves(games.half_points())),
            };
            let _ = write!(text, " {cell:>6}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
#[path = "tables_tests.rs"]
mod tests;

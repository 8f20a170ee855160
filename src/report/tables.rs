//! The tables of a tournament at the end of a run: order, crosstable or bracket, how the games ended.

use std::fmt::Write;

use super::summary::{halves, name_width};
use super::{rounds, summary};
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
    /// What was given for byes and unplayed games, and the opponents' scores.
    swiss: bool,
    sonneborn_berger: bool,
}

impl Columns {
    fn of(schedule: &Schedule) -> Columns {
        match schedule {
            Schedule::Swiss(_) => Columns { swiss: true, sonneborn_berger: true },
            Schedule::Knockout(_) => Columns { swiss: false, sonneborn_berger: false },
            Schedule::Fixed(fixed) => {
                Columns { swiss: false, sonneborn_berger: fixed.format() == Format::RoundRobin }
            }
        }
    }
}

fn table(standings: &Standings, ranked: &[Ranked], columns: Columns) -> String {
    let width = name_width(standings);
    let mut text = format!("{:>3}  {}", "", summary::header(width));
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
        if columns.swiss {
            let _ = write!(text, "  {:>5.1}  {:>8.1}", halves(row.given), halves(row.buchholz));
        }
        if columns.sonneborn_berger {
            let _ = write!(text, "  {:>16.2}", halves(row.sonneborn_berger) / 2.0);
        }
        text.push('\n');
    }
    text
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
            let cell = match standings.crosstable().meeting(row.engine, *against) {
                Some(meeting) => format!("{:.1}", halves(meeting.half_points.into())),
                None if row.engine == *against => "·".to_owned(),
                None => "-".to_owned(),
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

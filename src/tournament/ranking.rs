//! The order of the engines at the end, by the rules of each format.

use std::cmp::Reverse;

use super::schedule::knockout::{Knockout, Side};
use super::schedule::swiss::Swiss;
use super::schedule::{Format, Schedule};
use super::standings::{Standings, Tally};
use super::tie_breaks;

/// An engine's place in the order, and what gave it that place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// Its place in the match file.
    pub engine: usize,
    /// Its score with what it was given without a game, in half-points.
    pub half_points: u64,
    /// What it was given without a game: for byes, and for opponents that did not play on.
    pub given: u64,
    /// In half-points; a Swiss tournament only.
    pub buchholz: u64,
    /// In quarter-points; round robins and Swiss tournaments.
    pub sonneborn_berger: u64,
}

/// The engines, the best first; where nothing tells two apart, in the order of the match file.
///
/// Round robin: points, then Sonneborn-Berger. Gauntlet: points for each game, since seeds play more of them. Swiss:
/// points, then Buchholz, then Sonneborn-Berger. Knockout: how far it came, then points. Match: points.
pub fn ranking(standings: &Standings, schedule: &Schedule) -> Vec<Ranked> {
    match schedule {
        Schedule::Swiss(swiss) => swiss_ranking(standings, swiss),
        Schedule::Knockout(knockout) => {
            let mut ranked = with_berger(standings);
            ranked.sort_by_key(|row| {
                (Reverse(rounds_survived(knockout, row.engine)), Reverse(row.half_points))
            });
            ranked
        }
        Schedule::Fixed(fixed) => {
            let mut ranked = with_berger(standings);
            match fixed.format() {
                Format::Gauntlet { .. } => ranked.sort_by(|one, other| {
                    let games = |row: &Ranked| u64::from(standings.tallies()[row.engine].games());
                    // Who has not played stands behind who has.
                    let key = |row: &Ranked| games(row) == 0;
                    key(one)
                        .cmp(&key(other))
                        .then((other.half_points * games(one)).cmp(&(one.half_points * games(other))))
                }),
                _ => ranked.sort_by_key(|row| (Reverse(row.half_points), Reverse(row.sonneborn_berger))),
            }
            ranked
        }
    }
}

/// In the order of the match file.
fn with_berger(standings: &Standings) -> Vec<Ranked> {
    let scores: Vec<u64> = standings.tallies().iter().map(|tally| u64::from(tally.half_points())).collect();
    let ranked = scores.iter().enumerate().map(|(engine, half_points)| {
        let opponents = standings.crosstable().opponents(engine);
        let results = opponents.map(|(opponent, games)| (opponent, games.half_points()));
        Ranked {
            engine,
            half_points: *half_points,
            given: 0,
            buchholz: 0,
            sonneborn_berger: tie_breaks::sonneborn_berger(results, 0, engine, &scores),
        }
    });
    ranked.collect()
}

fn swiss_ranking(standings: &Standings, swiss: &Swiss) -> Vec<Ranked> {
    let engines = standings.tallies().len();
    let scores: Vec<u64> = (0..engines).map(|engine| swiss.half_points(engine)).collect();
    let mut ranked: Vec<Ranked> = (0..engines)
        .map(|engine| {
            let byes = swiss.paired().iter().filter(|round| round.bye == Some(engine)).count();
            let opponents = swiss.results(engine).map(|(opponent, _)| opponent);
            let given = swiss.awarded(engine);
            Ranked {
                engine,
                half_points: scores[engine],
                given,
                buchholz: tie_breaks::buchholz(opponents, byes, engine, &scores),
                sonneborn_berger: tie_breaks::sonneborn_berger(swiss.results(engine), given, engine, &scores),
            }
        })
        .collect();
    ranked
        .sort_by_key(|row| (Reverse(row.half_points), Reverse(row.buchholz), Reverse(row.sonneborn_berger)));
    ranked
}

/// How many rounds an engine has come through.
fn rounds_survived(knockout: &Knockout, engine: usize) -> usize {
    let through = |slot: &super::schedule::knockout::Slot| {
        slot.sides().contains(&Side::Known(engine))
            && slot.decided().is_some_and(|(winner, _)| winner == Some(engine))
    };
    knockout.rounds().iter().filter(|round| round.iter().any(through)).count()
}

/// The tally of a row.
pub fn tally<'a>(standings: &'a Standings, row: &Ranked) -> Option<&'a Tally> {
    standings.tallies().get(row.engine)
}

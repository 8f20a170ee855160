//! What a run is, as its database keeps it: enough to lay out its schedule and its tables without the match file.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::openings::PerOpening;
use crate::statistics::sprt::{SettingsError, SprtSettings};
use crate::tournament::schedule::shard::Shard;
use crate::tournament::schedule::{Format, Plan, Schedule, ScheduleError};

/// What a run is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunHeader {
    /// The version of the program that began it.
    pub program: String,
    /// When it began: events count their time from then on.
    pub started: Timestamp,
    /// PGN `Event`.
    pub event: String,
    /// PGN `Site`.
    pub site: String,
    /// Chess960 is played.
    pub chess960: bool,
    /// The engines, in the order of the match file.
    pub engines: Vec<EngineHeader>,
    /// What the schedule is laid out from.
    pub schedule: StoredSchedule,
    /// The sequential test, if there is one.
    pub sprt: Option<StoredSprt>,
    /// The part of the schedule that was to be played; `None`: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// An engine of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineHeader {
    /// What every record calls it.
    pub name: String,
    /// Its clock or search limit, as the match file writes it.
    pub time_control: String,
    /// The policies by which draws are claimed for it.
    pub claims: String,
}

/// What a schedule is laid out from, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredSchedule {
    format: StoredFormat,
    engines: usize,
    /// `None`: as many as it takes.
    rounds: Option<u32>,
    pairs: bool,
    openings: StoredPer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredFormat {
    Match,
    RoundRobin,
    Gauntlet { seeds: usize },
    Knockout,
    Swiss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredPer {
    Pair,
    Round,
}

/// [`SprtSettings`] as they are stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredSprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: String,
    pentanomial: bool,
}

impl RunHeader {
    /// The schedule, or the part of it that was to be played, with nothing played.
    ///
    /// # Errors
    /// No such schedule can be laid out, in words.
    pub fn lay_out(&self) -> Result<Schedule, String> {
        let schedule = self.schedule.lay_out().map_err(|why| why.to_string())?;
        match self.shard {
            Some(shard) => schedule.only(shard).map_err(|why| why.to_string()),
            None => Ok(schedule),
        }
    }
}

impl StoredSchedule {
    /// Of a schedule of so many rounds.
    pub fn of(plan: &Plan) -> StoredSchedule {
        let Plan { format, engines, rounds, pairs, openings } = *plan;
        StoredSchedule {
            format: match format {
                Format::Match => StoredFormat::Match,
                Format::RoundRobin => StoredFormat::RoundRobin,
                Format::Gauntlet { seeds } => StoredFormat::Gauntlet { seeds },
                Format::Knockout => StoredFormat::Knockout,
                Format::Swiss => StoredFormat::Swiss,
            },
            engines,
            rounds: Some(rounds),
            pairs,
            openings: match openings {
                PerOpening::Pair => StoredPer::Pair,
                PerOpening::Round => StoredPer::Round,
            },
        }
    }

    /// Of [`Schedule::open_ended_match`].
    pub fn of_open_ended_match(pairs: bool, openings: PerOpening) -> StoredSchedule {
        let plan = Plan { format: Format::Match, engines: 2, rounds: 1, pairs, openings };
        StoredSchedule { rounds: None, ..StoredSchedule::of(&plan) }
    }

    /// The schedule, with nothing played.
    ///
    /// # Errors
    /// More games than can be numbered.
    pub fn lay_out(self) -> Result<Schedule, ScheduleError> {
        let StoredSchedule { format, engines, rounds, pairs, openings } = self;
        let openings = match openings {
            StoredPer::Pair => PerOpening::Pair,
            StoredPer::Round => PerOpening::Round,
        };
        let Some(rounds) = rounds else { return Ok(Schedule::open_ended_match(pairs, openings)) };
        let format = match format {
            StoredFormat::Match => Format::Match,
            StoredFormat::RoundRobin => Format::RoundRobin,
            StoredFormat::Gauntlet { seeds } => Format::Gauntlet { seeds },
            StoredFormat::Knockout => Format::Knockout,
            StoredFormat::Swiss => Format::Swiss,
        };
        Schedule::new(&Plan { format, engines, rounds, pairs, openings })
    }
}

impl From<&SprtSettings> for StoredSprt {
    fn from(settings: &SprtSettings) -> StoredSprt {
        StoredSprt {
            elo0: settings.elo0(),
            elo1: settings.elo1(),
            alpha: settings.alpha(),
            beta: settings.beta(),
            model: settings.model().name().to_owned(),
            pentanomial: settings.pentanomial(),
        }
    }
}

impl TryFrom<&StoredSprt> for SprtSettings {
    type Error = SettingsError;

    fn try_from(stored: &StoredSprt) -> Result<SprtSettings, SettingsError> {
        let StoredSprt { elo0, elo1, alpha, beta, model, pentanomial } = stored;
        SprtSettings::new((*elo0, *elo1), *alpha, *beta, model.parse()?, *pentanomial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::sprt::Model;

    /// What of a schedule can be seen before the first game.
    fn shown(schedule: &Schedule) -> String {
        let planned: Vec<_> = (0..40).map(|index| schedule.planned(index)).collect();
        format!("{:?} {planned:?}", schedule.games())
    }

    #[test]
    fn schedules_come_back_as_they_were() {
        let mut all = Vec::new();
        for openings in [PerOpening::Pair, PerOpening::Round] {
            for pairs in [true, false] {
                for format in [
                    Format::Match,
                    Format::RoundRobin,
                    Format::Gauntlet { seeds: 2 },
                    Format::Knockout,
                    Format::Swiss,
                ] {
                    let engines = if format == Format::Match { 2 } else { 4 };
                    let plan = Plan { format, engines, rounds: 3, pairs, openings };
                    all.push((StoredSchedule::of(&plan), Schedule::new(&plan).unwrap()));
                }
                let open_ended = Schedule::open_ended_match(pairs, openings);
                all.push((StoredSchedule::of_open_ended_match(pairs, openings), open_ended));
            }
        }
        for (stored, schedule) in all {
            let text = serde_json::to_string(&stored).unwrap();
            let read: StoredSchedule = serde_json::from_str(&text).unwrap();
            assert_eq!(shown(&read.lay_out().unwrap()), shown(&schedule), "{text}");
        }
    }

    #[test]
    fn tests_come_back_as_they_were() {
        let settings = SprtSettings::new((-0.1, 2.5), 0.05, 0.1, Model::Bayesian, true).unwrap();
        let text = serde_json::to_string(&StoredSprt::from(&settings)).unwrap();
        let stored: StoredSprt = serde_json::from_str(&text).unwrap();
        assert_eq!(SprtSettings::try_from(&stored), Ok(settings));
    }
}

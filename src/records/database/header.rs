//! What a run is, as its database keeps it: enough to lay out its schedule and its tables without the match file.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::openings::PerOpening;
use crate::statistics::sprt::{SettingsError, SprtSettings};
use crate::tournament::schedule::{Format, Plan};

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
    pub schedule: StoredPlan,
    /// The sequential test, if there is one.
    pub sprt: Option<StoredSprt>,
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

/// [`Plan`] as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPlan {
    format: StoredFormat,
    engines: usize,
    rounds: u32,
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

impl From<&Plan> for StoredPlan {
    fn from(plan: &Plan) -> StoredPlan {
        let Plan { format, engines, rounds, pairs, openings } = *plan;
        StoredPlan {
            format: match format {
                Format::Match => StoredFormat::Match,
                Format::RoundRobin => StoredFormat::RoundRobin,
                Format::Gauntlet { seeds } => StoredFormat::Gauntlet { seeds },
                Format::Knockout => StoredFormat::Knockout,
                Format::Swiss => StoredFormat::Swiss,
            },
            engines,
            rounds,
            pairs,
            openings: match openings {
                PerOpening::Pair => StoredPer::Pair,
                PerOpening::Round => StoredPer::Round,
            },
        }
    }
}

impl From<StoredPlan> for Plan {
    fn from(stored: StoredPlan) -> Plan {
        let StoredPlan { format, engines, rounds, pairs, openings } = stored;
        Plan {
            format: match format {
                StoredFormat::Match => Format::Match,
                StoredFormat::RoundRobin => Format::RoundRobin,
                StoredFormat::Gauntlet { seeds } => Format::Gauntlet { seeds },
                StoredFormat::Knockout => Format::Knockout,
                StoredFormat::Swiss => Format::Swiss,
            },
            engines,
            rounds,
            pairs,
            openings: match openings {
                StoredPer::Pair => PerOpening::Pair,
                StoredPer::Round => PerOpening::Round,
            },
        }
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

    #[test]
    fn plans_and_tests_come_back_as_they_were() {
        for format in [
            Format::Match,
            Format::RoundRobin,
            Format::Gauntlet { seeds: 2 },
            Format::Knockout,
            Format::Swiss,
        ] {
            for openings in [PerOpening::Pair, PerOpening::Round] {
                let plan = Plan { format, engines: 4, rounds: 7, pairs: false, openings };
                let text = serde_json::to_string(&StoredPlan::from(&plan)).unwrap();
                assert_eq!(Plan::from(serde_json::from_str::<StoredPlan>(&text).unwrap()), plan, "{text}");
            }
        }
        let settings = SprtSettings::new((-0.1, 2.5), 0.05, 0.1, Model::Bayesian, true).unwrap();
        let text = serde_json::to_string(&StoredSprt::from(&settings)).unwrap();
        let stored: StoredSprt = serde_json::from_str(&text).unwrap();
        assert_eq!(SprtSettings::try_from(&stored), Ok(settings));
    }
}

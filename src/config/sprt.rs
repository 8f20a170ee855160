//! `sprt`: the sequential test that decides a match between two engines.

use super::keys;
use super::reader::{self, Problems, Section};
use super::settings::Format;
use crate::statistics::sprt::{Model, SettingsError, SprtSettings};

const MODELS: &[(&str, Model)] = &[
    (Model::Normalized.name(), Model::Normalized),
    (Model::Logistic.name(), Model::Logistic),
    (Model::Bayesian.name(), Model::Bayesian),
];

const DEFAULT_ELO0: f64 = 0.0;
const DEFAULT_ELO1: f64 = 5.0;
const DEFAULT_ERROR_RATE: f64 = 0.05;

/// Reads `sprt` from the top of the file; `None` where it is absent, or wrong, which has been reported then.
pub(super) fn read(top: Section<'_>, problems: &mut Problems) -> Option<SprtSettings> {
    let node = top.value("sprt")?;
    let section = Section::open(node, "`sprt`", &keys::SPRT, problems)?;
    let errors = problems.errors.len();
    let number = |key: &str, default: f64, problems: &mut Problems| {
        section.value(key).map_or(Some(default), |node| reader::number(node, key, problems))
    };
    let elo0 = number("elo0", DEFAULT_ELO0, problems);
    let elo1 = number("elo1", DEFAULT_ELO1, problems);
    let alpha = number("alpha", DEFAULT_ERROR_RATE, problems);
    let beta = number("beta", DEFAULT_ERROR_RATE, problems);
    let model = section.word("model", MODELS, problems).unwrap_or_default();
    let pentanomial = section.bool("pentanomial", problems).unwrap_or(true);
    if problems.errors.len() > errors {
        return None;
    }
    match SprtSettings::new((elo0?, elo1?), alpha?, beta?, model, pentanomial) {
        Ok(settings) => Some(settings),
        Err(error) => {
            let keys: &[&str] = match error {
                SettingsError::Bound { name, .. } | SettingsError::ErrorRate { name, .. } => &[name],
                SettingsError::Order { .. } => &["elo1", "elo0"],
                SettingsError::Model(_) => &["model"],
            };
            let culprit = keys.iter().find_map(|key| section.value(key)).unwrap_or(node);
            problems.error(culprit.place, error.to_string());
            None
        }
    }
}

/// Checks that there are two engines to be tested, which meet each other again and again.
pub(super) fn check_engines(top: Section<'_>, format: Format, engines: usize, problems: &mut Problems) {
    let Some(entry) = top.entry("sprt").filter(|entry| !entry.value.is_null()) else { return };
    let (message, hint) = match format {
        Format::Knockout => ("`sprt` tests two engines, and a knockout is between more".to_owned(), MATCH),
        Format::Swiss => {
            ("`sprt` tests two engines, and a Swiss tournament is between more".to_owned(), MATCH)
        }
        _ if engines > 2 => (
            format!("`sprt` tests two engines, and these are {engines}"),
            "leave two engines, or leave out `sprt`",
        ),
        _ => return,
    };
    problems.error_with(entry.key_place, message, hint);
}

const MATCH: &str = "use `format: match`, or leave out `sprt`";

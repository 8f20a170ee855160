//! `require`: what the results have to be for the exit code 0.

use super::keys;
use super::reader::{self, Problems, Section};
use super::settings::RequireSettings;

/// Reads `require` from the top of the file; absent: nothing is required.
pub(super) fn read(top: Section<'_>, problems: &mut Problems) -> RequireSettings {
    let Some(node) = top.value("require") else { return RequireSettings::default() };
    let Some(section) = Section::open(node, "`require`", &keys::REQUIRE, problems) else {
        return RequireSettings::default();
    };
    let count = |key: &str, problems: &mut Problems| {
        let number = section.integer(key, 0..=u32::MAX.into(), problems);
        number.and_then(|number| u32::try_from(number).ok())
    };
    RequireSettings {
        min_score: read_score(section, problems),
        max_time_forfeits: count("max_time_forfeits", problems),
        max_crashes: count("max_crashes", problems),
        max_illegal_moves: count("max_illegal_moves", problems),
        ends_by_law: section.bool("ends_by_law", problems).unwrap_or(false),
    }
}

/// A part of 1.
fn read_score(section: Section<'_>, problems: &mut Problems) -> Option<f64> {
    let node = section.value("min_score")?;
    let score = reader::number(node, "min_score", problems)?;
    if (0.0..=1.0).contains(&score) {
        return Some(score);
    }
    problems.error_with(
        node.place,
        format!("`min_score` must be from 0 to 1, not {score}"),
        "it is the first engine's points for each game: 0.5 is an equal score",
    );
    None
}

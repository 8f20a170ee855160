//! `output`: where the records go.

use std::path::{Component, Path, PathBuf};

use super::keys;
use super::reader::{self, Problems, Section};
use super::settings::{OWN_FILES, OutputSettings};
use super::source::Place;
use super::tree::Node;

/// Reads the value of `output`; absent: the defaults. `stem` is the match file's name without its ending.
pub(super) fn read(node: Option<&Node>, base: &Path, stem: &str, problems: &mut Problems) -> OutputSettings {
    let defaults = OutputSettings {
        dir: base.join(format!("{stem}.out")),
        pgn: Some(PathBuf::from("games.pgn")),
        database: Some(PathBuf::from("match.db")),
        events: Some(PathBuf::from("events.jsonl")),
        junit: None,
        log: None,
    };
    let Some(section) = node.and_then(|node| Section::open(node, "`output`", &keys::OUTPUT, problems)) else {
        return defaults;
    };
    let dir = section.text("dir", problems).map_or(defaults.dir, |dir| tidy(&base.join(dir)));
    let mut taken: Vec<(PathBuf, &str, Option<Place>)> = Vec::new();
    let mut record = |key: &'static str, default: Option<PathBuf>, problems: &mut Problems| {
        let (path, place) = match section.entry(key) {
            None => (default?, None),
            Some(entry) => (record_path(&entry.value, key, problems)?, Some(entry.value.place)),
        };
        refuse_twice(&path, key, place, &taken, problems);
        taken.push((path.clone(), key, place));
        Some(path)
    };
    let settings = OutputSettings {
        dir,
        pgn: record("pgn", defaults.pgn, problems),
        database: record("database", defaults.database, problems),
        events: record("events", defaults.events, problems),
        junit: record("junit", defaults.junit, problems),
        log: record("log", defaults.log, problems),
    };
    if let (None, Some(entry), Some(_)) = (&settings.database, section.entry("junit"), &settings.junit) {
        problems.error_with(
            entry.place(),
            "`junit` is made from the database, and `database` is null",
            "leave `database` out, or name a file",
        );
    }
    settings
}

/// Without `.` and without a slash at its end.
fn tidy(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// A path that stays below `dir`; null: this record is not written.
fn record_path(node: &Node, key: &str, problems: &mut Problems) -> Option<PathBuf> {
    if node.is_null() {
        return None;
    }
    let text = reader::text(node, key, problems)?;
    let path: PathBuf = Path::new(&text).components().filter(|part| *part != Component::CurDir).collect();
    let below = path.components().all(|part| matches!(part, Component::Normal(_)));
    if !below || path.as_os_str().is_empty() || text.ends_with('/') {
        let message = format!("`{key}` must be the name of a file below `output.dir`, not `{text}`");
        problems.error_with(node.place, message, "to write elsewhere set `output.dir`");
        return None;
    }
    if OWN_FILES.iter().any(|own| path == Path::new(own)) {
        let message = format!("`{key}` can't be `{text}`: the run keeps its own state there");
        problems.error_with(node.place, message, "choose another name");
        return None;
    }
    Some(path)
}

fn refuse_twice(
    path: &Path,
    key: &str,
    place: Option<Place>,
    taken: &[(PathBuf, &str, Option<Place>)],
    problems: &mut Problems,
) {
    let earlier = taken.iter().find(|(other, ..)| other == path);
    if let Some((_, other, earlier_place)) = earlier
        && let Some(place) = place.or(*earlier_place)
    {
        problems.error(place, format!("`{key}` and `{other}` can't be the same file"));
    }
}

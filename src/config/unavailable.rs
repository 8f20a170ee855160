//! Known keys whose features are not built yet. An entry goes when its feature comes.

use std::collections::HashSet;

use super::diagnostic::Diagnostic;
use super::reader::Problems;
use super::source::Place;
use super::tree::{Entry, Kind, Node};

/// The paths of the keys (`*`: each entry of a list); null, which asks for nothing, can always be had.
const NOT_YET: &[&str] = &["require", "output.junit"];

/// Reports every value that asks for a feature that isn't there, unless the value is wrong anyway.
pub(super) fn check(root: &Node, problems: &mut Problems) {
    let wrong: HashSet<Place> = problems.errors.iter().filter_map(|error| error.place).collect();
    for path in NOT_YET {
        let parts: Vec<&str> = path.split('.').collect();
        for entry in entries_at(root, &parts) {
            let value = &entry.value;
            if wrong.contains(&value.place) || value.is_null() {
                continue;
            }
            let message = match value.scalar() {
                Some(_) => {
                    format!("`{}: {}` is not available yet", entry.key, value.found().trim_matches('`'))
                }
                None => format!("`{}` is not available yet", entry.key),
            };
            problems.errors.push(Diagnostic::error(Some(entry.place()), message));
        }
    }
}

/// The entries that a path leads to.
fn entries_at<'a>(node: &'a Node, path: &[&str]) -> Vec<&'a Entry> {
    match (path, &node.kind) {
        ([key], _) => node.entry(key).into_iter().collect(),
        (["*", rest @ ..], Kind::List(items)) => {
            items.iter().flat_map(|item| entries_at(item, rest)).collect()
        }
        ([key, rest @ ..], _) => node.entry(key).map_or(Vec::new(), |entry| entries_at(&entry.value, rest)),
        ([], _) => Vec::new(),
    }
}

/// The paths of the table, for the tests of other files.
#[cfg(test)]
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    NOT_YET.iter().copied()
}

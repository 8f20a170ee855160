//! Known keys whose features are not built yet. An entry goes when its feature comes.

use std::collections::HashSet;

use super::diagnostic::Diagnostic;
use super::reader::Problems;
use super::source::Place;
use super::tree::{Entry, Kind, Node};

/// Which values of a key can be had already; null can always.
enum Can {
    /// None.
    Nothing,
    /// These words or numbers, which ask for nothing.
    Only(&'static [&'static str]),
    /// Every text that doesn't end like this.
    NoEndingIn(&'static [&'static str]),
}

/// One line of the table: the path of a key (`*`: each entry of a list), what of it can be had, a hint.
struct NotYet(&'static str, Can, Option<&'static str>);

const NOT_YET: &[NotYet] = &[
    NotYet("format", Can::Only(&["match"]), None),
    NotYet("seeds", Can::Only(&["1"]), Some("`seeds` belongs to the format `gauntlet`")),
    NotYet("sprt", Can::Nothing, None),
    NotYet("require", Can::Nothing, None),
    NotYet("output.database", Can::Nothing, None),
    NotYet("output.junit", Can::Nothing, None),
    NotYet("openings.per", Can::Only(&["pair"]), None),
    NotYet("openings.file", Can::NoEndingIn(&[".zip", ".gz", ".zst"]), Some("unpack the book first")),
    NotYet("openings.file", Can::NoEndingIn(&[".bin"]), Some("use a book in EPD or PGN form")),
];

/// Reports every value that asks for a feature that isn't there, unless the value is wrong anyway.
pub(super) fn check(root: &Node, problems: &mut Problems) {
    let wrong: HashSet<Place> = problems.errors.iter().filter_map(|error| error.place).collect();
    for NotYet(path, can, hint) in NOT_YET {
        let parts: Vec<&str> = path.split('.').collect();
        for entry in entries_at(root, &parts) {
            let value = &entry.value;
            if wrong.contains(&value.place) || value.is_null() || can.includes(value) {
                continue;
            }
            let message = match value.scalar() {
                Some(_) => {
                    format!("`{}: {}` is not available yet", entry.key, value.found().trim_matches('`'))
                }
                None => format!("`{}` is not available yet", entry.key),
            };
            let error = Diagnostic::error(Some(entry.place()), message);
            problems.errors.push(Diagnostic { hint: hint.map(str::to_owned), ..error });
        }
    }
}

impl Can {
    fn includes(&self, value: &Node) -> bool {
        let number;
        let text = match &value.kind {
            Kind::Int(value, _) => {
                number = value.to_string();
                Some(number.as_str())
            }
            _ => value.scalar(),
        };
        match (self, text) {
            (Can::Nothing, _) => false,
            (Can::Only(words), Some(text)) => words.contains(&text.to_lowercase().as_str()),
            (Can::Only(_), None) => false,
            (Can::NoEndingIn(endings), text) => {
                let text = text.unwrap_or_default().to_lowercase();
                !endings.iter().any(|ending| text.ends_with(ending))
            }
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
    NOT_YET.iter().map(|NotYet(path, ..)| *path)
}

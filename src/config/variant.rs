//! `variant`, and the keys that have a meaning under one of them only.

use super::reader::{Problems, Section};
use super::settings::Variant;
use super::tree::{Kind, Node};

/// Reads the value of `variant`, and warns of what has no effect under it.
pub(super) fn read(root: &Node, section: Section<'_>, problems: &mut Problems) -> Variant {
    let words = [("standard", Variant::Standard), ("chess960", Variant::Chess960)];
    let variant = section.word("variant", &words, problems).unwrap_or_default();
    match variant {
        Variant::Standard => {
            warn_of(root, "fen", "the castling rights of standard chess have one form", problems)
        }
        Variant::Chess960 => {
            warn_of(root, "king_takes_rook", "in Chess960 castling is always king takes rook", problems);
            let place = section.entry("variant").map(|entry| entry.place());
            if let (None, Some(place)) = (section.value("openings"), place) {
                problems.warning_with(
                    place,
                    "without `openings` every game of Chess960 starts from the standard array",
                    "give `openings` a book of Chess960 positions, or `fens`",
                );
            }
        }
    }
    variant
}

/// Warns of each place where this key is set, in `defaults` and in the engines.
fn warn_of(root: &Node, key: &str, why: &str, problems: &mut Problems) {
    let defaults = root.entry("defaults").map(|entry| &entry.value);
    let engines = match root.entry("engines").map(|entry| &entry.value.kind) {
        Some(Kind::List(items)) => items.as_slice(),
        _ => &[],
    };
    for holder in defaults.into_iter().chain(engines) {
        if let Some(entry) = holder.entry(key).filter(|entry| !entry.value.asks_for_nothing()) {
            problems.warning_with(entry.place(), format!("`{key}` has no effect"), why);
        }
    }
}

impl Node {
    /// Null, or a default that is written out.
    fn asks_for_nothing(&self) -> bool {
        self.is_null() || matches!(self.kind, Kind::Bool(false, _)) || self.scalar() == Some("shredder")
    }
}

//! `concurrency` and `affinity`: how many games at once, and on which processors.

use std::num::NonZeroU32;

use super::reader::{self, Problems, Section};
use super::settings::{Affinity, MOST_GAMES_AT_ONCE};
use super::tree::{Kind, Node};

/// The greatest number of a processor.
const LAST_PROCESSOR: i128 = 100_000;

/// Games at once, 1 by default.
pub(super) fn read_concurrency(section: Section<'_>, problems: &mut Problems) -> NonZeroU32 {
    let games = section.integer("concurrency", 1..=i128::from(MOST_GAMES_AT_ONCE), problems);
    games.and_then(|games| u32::try_from(games).ok()).and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN)
}

/// `off`, `auto` or a list of processors.
pub(super) fn read_affinity(section: Section<'_>, problems: &mut Problems) -> Affinity {
    let Some(node) = section.value("affinity") else { return Affinity::default() };
    if let Kind::List(items) = &node.kind {
        return read_list(node, items, problems);
    }
    let words = [("off", false), ("auto", true)];
    match reader::word(node, "affinity", &words, problems) {
        Some(true) => Affinity::Auto,
        _ => Affinity::Off,
    }
}

fn read_list(node: &Node, items: &[Node], problems: &mut Problems) -> Affinity {
    if items.is_empty() {
        problems.error_with(
            node.place,
            "`affinity` names no processor",
            "`affinity: [0, 1]`, or `auto` for all of them, or `off`",
        );
    }
    let mut processors: Vec<(usize, _)> = Vec::new();
    for item in items {
        let number = reader::integer(item, "affinity", 0..=LAST_PROCESSOR, problems);
        let Some(number) = number.and_then(|number| usize::try_from(number).ok()) else { continue };
        if processors.iter().any(|(other, _)| *other == number) {
            problems.error(item.place, format!("`affinity` names processor {number} twice"));
        }
        processors.push((number, item.place));
    }
    Affinity::Processors(processors)
}

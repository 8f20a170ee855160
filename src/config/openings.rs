//! `openings`: where start positions come from.

use std::num::NonZeroU64;
use std::path::Path;

use super::keys;
use super::program::Surroundings;
use super::reader::{self, Problems, Section};
use super::settings::{BadLines, OpeningOrder, OpeningSettings, OpeningSource, PerOpening};
use super::tree::{Kind, Node};

/// The seed of a random order when the file gives none.
const DEFAULT_SEED: u64 = 1;

/// Reads the value of `openings`; `None` also when it is wrong, which has been reported then.
pub(super) fn read(
    node: &Node,
    base: &Path,
    surroundings: &dyn Surroundings,
    problems: &mut Problems,
) -> Option<OpeningSettings> {
    let section = Section::open(node, "`openings`", &keys::OPENINGS, problems)?;
    let order = read_order(section, problems);
    let start = section.integer("start", 1..=u64::MAX.into(), problems);
    let start = start.and_then(|start| u64::try_from(start).ok()).and_then(NonZeroU64::new);
    let plies = section.integer("plies", 1..=10_000, problems);
    let bad_lines = [("skip", BadLines::Skip), ("refuse", BadLines::Refuse)];
    let bad_lines = section.word("bad_lines", &bad_lines, problems).unwrap_or_default();
    let per = [("pair", PerOpening::Pair), ("round", PerOpening::Round)];
    let per = section.word("per", &per, problems).unwrap_or_default();
    let source = read_source(section, node, base, surroundings, problems)?;
    let start = start.unwrap_or(NonZeroU64::MIN);
    check_against_list(section, &source, start, problems);
    let plies = plies.and_then(|plies| u32::try_from(plies).ok());
    Some(OpeningSettings { source, order, start, plies, per, bad_lines })
}

fn read_order(section: Section<'_>, problems: &mut Problems) -> OpeningOrder {
    let seed =
        section.integer("seed", 0..=u64::MAX.into(), problems).and_then(|seed| u64::try_from(seed).ok());
    let random = section.word("order", &[("sequential", false), ("random", true)], problems).unwrap_or(false);
    if random {
        return OpeningOrder::Random(seed.unwrap_or(DEFAULT_SEED));
    }
    if let (Some(_), Some(entry)) = (seed, section.entry("seed")) {
        problems.warning_with(
            entry.place(),
            "`seed` has no effect: the openings are used in the order of the book",
            "for a shuffled order add `order: random`",
        );
    }
    OpeningOrder::Sequential
}

fn read_source(
    section: Section<'_>,
    node: &Node,
    base: &Path,
    surroundings: &dyn Surroundings,
    problems: &mut Problems,
) -> Option<OpeningSource> {
    match (section.value("file"), section.value("fens")) {
        (Some(_), Some(fens)) => {
            problems.error(fens.place, "`file` and `fens` can't be combined: give one of them");
            None
        }
        (None, None) => {
            problems.error_with(
                node.place,
                "`openings` has neither `file` nor `fens`",
                "`file: book.epd`, or `fens: [\"…\"]`; without `openings` every game begins as usual",
            );
            None
        }
        (Some(file), None) => {
            let path = base.join(reader::text(file, "file", problems)?);
            if let Err(why) = surroundings.file(&path) {
                let message = format!("the book {why}");
                problems.error_with(file.place, message, "`file` is relative to the match file");
            }
            Some(OpeningSource::File(path, file.place))
        }
        (None, Some(list)) => {
            let items = reader::list(list, "fens", "a list of positions in quotes", problems);
            if items.is_empty() && matches!(list.kind, Kind::List(_)) {
                problems.error(list.place, "`fens` is empty");
            }
            let fens = items.iter().filter_map(|fen| Some((reader::text(fen, "fens", problems)?, fen.place)));
            Some(OpeningSource::Fens(fens.collect()))
        }
    }
}

/// What only a list of positions, whose length is known here, can show to be wrong.
fn check_against_list(
    section: Section<'_>,
    source: &OpeningSource,
    start: NonZeroU64,
    problems: &mut Problems,
) {
    let OpeningSource::Fens(fens) = source else { return };
    if let Some(entry) =
        section.entry("start").filter(|_| start.get() > fens.len() as u64 && !fens.is_empty())
    {
        problems.error(entry.place(), format!("`start` is {start}, but `fens` holds only {}", fens.len()));
    }
    if let Some(entry) = section.entry("plies").filter(|entry| !entry.value.is_null()) {
        problems.warning_with(
            entry.place(),
            "`plies` has no effect: `fens` are positions without moves",
            "it is for books in PGN or Polyglot form",
        );
    }
}

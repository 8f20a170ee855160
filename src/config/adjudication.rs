//! `adjudication`: when a game is ended by scores, by the number of its moves, or by endgame tables.

use std::num::NonZeroU32;
use std::path::Path;

use super::keys;
use super::program::Surroundings;
use super::reader::{self, Problems, Section};
use super::settings::{AdjudicationSettings, TablebaseSettings};
use super::tree::Node;
use crate::law::adjudication::{DrawRule, ResignRule};

const MOST_MOVES: i128 = 10_000;
const MOST_CENTIPAWNS: i128 = 100_000;

/// Reads the value of `adjudication`; absent: nothing is adjudicated.
pub(super) fn read(
    node: Option<&Node>,
    base: &Path,
    surroundings: &dyn Surroundings,
    problems: &mut Problems,
) -> AdjudicationSettings {
    let section = node.and_then(|node| Section::open(node, "`adjudication`", &keys::ADJUDICATION, problems));
    let Some(section) = section else { return AdjudicationSettings::default() };
    AdjudicationSettings {
        draw: section.value("draw").and_then(|node| read_draw(node, problems)),
        resign: section.value("resign").and_then(|node| read_resign(node, problems)),
        max_moves: at_least_one(section, "max_moves", MOST_MOVES, problems),
        tablebase: section
            .value("tablebase")
            .and_then(|node| read_tablebase(node, base, surroundings, problems)),
    }
}

fn read_draw(node: &Node, problems: &mut Problems) -> Option<DrawRule> {
    let section = Section::open(node, "`draw`", &keys::DRAW, problems)?;
    let usual = DrawRule::default();
    let score = section.integer("score", 0..=MOST_CENTIPAWNS, problems);
    Some(DrawRule {
        from_move: at_least_one(section, "move", MOST_MOVES, problems).unwrap_or(usual.from_move),
        count: at_least_one(section, "count", MOST_MOVES, problems).unwrap_or(usual.count),
        centipawns: score.and_then(|score| u32::try_from(score).ok()).unwrap_or(usual.centipawns),
        reset_on_zeroing: section.bool("reset_on_zeroing", problems).unwrap_or(usual.reset_on_zeroing),
    })
}

fn read_resign(node: &Node, problems: &mut Problems) -> Option<ResignRule> {
    let section = Section::open(node, "`resign`", &keys::RESIGN, problems)?;
    let usual = ResignRule::default();
    Some(ResignRule {
        count: at_least_one(section, "count", MOST_MOVES, problems).unwrap_or(usual.count),
        centipawns: at_least_one(section, "score", MOST_CENTIPAWNS, problems).unwrap_or(usual.centipawns),
        two_sided: section.bool("two_sided", problems).unwrap_or(usual.two_sided),
    })
}

fn read_tablebase(
    node: &Node,
    base: &Path,
    surroundings: &dyn Surroundings,
    problems: &mut Problems,
) -> Option<TablebaseSettings> {
    let section = Section::open(node, "`tablebase`", &keys::TABLEBASE, problems)?;
    let men = section.integer("pieces", 3..=7, problems).and_then(|men| usize::try_from(men).ok());
    let ignore_fifty = section.bool("ignore_fifty", problems).unwrap_or(false);
    let Some(path) = section.value("path") else {
        problems.error_with(
            node.place,
            "`tablebase` has no `path`",
            "`path: syzygy`, the folder of Syzygy tables, relative to this file; several are divided by `:`",
        );
        return None;
    };
    let text = reader::text(path, "path", problems)?;
    let folders = std::env::split_paths(&text).filter(|folder| !folder.as_os_str().is_empty());
    let folders: Vec<_> = folders.map(|folder| base.join(folder)).collect();
    if folders.is_empty() {
        problems.error(path.place, format!("`path` names no folder: `{text}`"));
    }
    for folder in &folders {
        if let Err(why) = surroundings.folder(folder) {
            problems.error_with(path.place, format!("`path` {why}"), "`path` is relative to the match file");
        }
    }
    Some(TablebaseSettings { folders, men, ignore_fifty, place: path.place })
}

fn at_least_one(section: Section<'_>, key: &str, most: i128, problems: &mut Problems) -> Option<NonZeroU32> {
    let number = section.integer(key, 1..=most, problems)?;
    u32::try_from(number).ok().and_then(NonZeroU32::new)
}

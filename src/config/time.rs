//! `time_control`, as a text or as a mapping with the same parts, and `timeouts`.

use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use super::keys;
use super::reader::{self, Problems, Section};
use super::settings::Timeouts;
use super::tree::{Kind, Node};
use crate::clock::time_control::{
    Bonus, BonusKind, DELAYS, Period, Periods, TimeControl, TimeControlError, Timing,
};

/// Reads the value of `time_control`.
pub(super) fn time_control(node: &Node, problems: &mut Problems) -> Option<TimeControl> {
    if matches!(node.kind, Kind::Map(_)) {
        return from_mapping(node, problems);
    }
    let text = reader::text(node, "time_control", problems)?;
    match text.parse() {
        Ok(time_control) => Some(time_control),
        Err(error) => {
            problems.error(node.place, error.to_string());
            None
        }
    }
}

fn from_mapping(node: &Node, problems: &mut Problems) -> Option<TimeControl> {
    let errors = problems.errors.len();
    let section = Section::open(node, "`time_control`", &keys::TIME_CONTROL, problems)?;
    let move_time =
        section.value("movetime").and_then(|value| reader::some_time(value, "movetime", problems));
    let clock = match section.value("periods") {
        Some(list) => periods(list, section, problems),
        None if keys::PERIOD.keys.iter().any(|key| section.value(key).is_some()) => {
            Some(vec![period(section, problems)])
        }
        None => None,
    };
    let nodes = section.integer("nodes", 1..=u64::MAX.into(), problems);
    let depth = section.integer("depth", 1..=u32::MAX.into(), problems);
    let mate = section.integer("mate", 1..=u32::MAX.into(), problems);
    if problems.errors.len() > errors {
        return None;
    }
    let nodes = nodes.and_then(to_u64);
    let (depth, mate) = (depth.and_then(to_u32), mate.and_then(to_u32));
    let timing = match (clock, move_time) {
        (Some(_), Some(_)) => {
            problems.error(node.place, "a clock and `movetime` can't be combined: give one of them");
            return None;
        }
        (Some(periods), None) => Periods::new(periods).map(Timing::Clock),
        (None, Some(time)) => Ok(Timing::MoveTime(time)),
        (None, None) if nodes.is_none() && depth.is_none() && mate.is_none() => {
            problems.error_with(node.place, "this time control limits nothing", "for no limit write `inf`");
            return None;
        }
        (None, None) => Ok(Timing::Unlimited),
    };
    match timing.and_then(|timing| TimeControl::new(timing, nodes, depth, mate)) {
        Ok(time_control) => Some(time_control),
        Err(error) => {
            problems.error(node.place, error.to_string());
            None
        }
    }
}

fn to_u64(number: i128) -> Option<NonZeroU64> {
    u64::try_from(number).ok().and_then(NonZeroU64::new)
}

fn to_u32(number: i128) -> Option<NonZeroU32> {
    u32::try_from(number).ok().and_then(NonZeroU32::new)
}

fn periods(list: &Node, section: Section<'_>, problems: &mut Problems) -> Option<Vec<Period>> {
    for key in keys::PERIOD.keys {
        if let Some(entry) = section.entry(key).filter(|entry| !entry.value.is_null()) {
            let message = format!("`{key}` and `periods` can't be combined");
            problems.error_with(entry.key_place, message, format!("put `{key}` into a period"));
        }
    }
    let items =
        reader::list(list, "periods", "a list of periods, such as `[{ moves: 40, base: 60 }]`", problems);
    if items.is_empty() && matches!(list.kind, Kind::List(_)) {
        problems.error(list.place, "`periods` is empty");
    }
    let open = |item, problems: &mut Problems| Section::open(item, "a period", &keys::PERIOD, problems);
    items.iter().map(|item| open(item, problems).map(|section| period(section, problems))).collect()
}

fn period(section: Section<'_>, problems: &mut Problems) -> Period {
    Period {
        moves: section.integer("moves", 1..=u32::MAX.into(), problems).and_then(to_u32),
        base: section.duration("base", problems).unwrap_or_default(),
        bonus: bonus(section, problems),
    }
}

/// The increment or the delay; two of them are an error at the second one.
fn bonus(section: Section<'_>, problems: &mut Problems) -> Bonus {
    let kinds: [(&str, BonusKind); 1] = [("increment", Bonus::Increment)];
    let mut bonus = Bonus::None;
    for (key, kind) in kinds.into_iter().chain(DELAYS) {
        let Some(time) = section.duration(key, problems) else { continue };
        match (bonus.or(kind(time)), section.entry(key)) {
            (Ok(one), _) => bonus = one,
            (Err(_), Some(entry)) => {
                problems.error(entry.place(), TimeControlError::TwoBonuses.to_string());
            }
            (Err(_), None) => {}
        }
    }
    bonus
}

/// The timeouts that one mapping sets; each falls through on its own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartTimeouts {
    start: Option<Duration>,
    ready: Option<Duration>,
    new_game: Option<Duration>,
    quit: Option<Duration>,
    silence: Option<Duration>,
}

impl PartTimeouts {
    /// Reads the value of `timeouts`.
    pub fn read(node: &Node, problems: &mut Problems) -> PartTimeouts {
        let Some(section) = Section::open(node, "`timeouts`", &keys::TIMEOUTS, problems) else {
            return PartTimeouts::default();
        };
        let mut time = |key| section.value(key).and_then(|value| reader::some_time(value, key, problems));
        PartTimeouts {
            start: time("start"),
            ready: time("ready"),
            new_game: time("new_game"),
            silence: time("silence"),
            // No patience at all is possible here: the process is killed at once.
            quit: section.duration("quit", problems),
        }
    }

    /// These, then `others`, then the defaults.
    pub fn or(self, others: PartTimeouts) -> Timeouts {
        let default = Timeouts::default();
        Timeouts {
            start: self.start.or(others.start).unwrap_or(default.start),
            ready: self.ready.or(others.ready).unwrap_or(default.ready),
            new_game: self.new_game.or(others.new_game).unwrap_or(default.new_game),
            quit: self.quit.or(others.quit).unwrap_or(default.quit),
            silence: self.silence.or(others.silence).unwrap_or(default.silence),
        }
    }
}

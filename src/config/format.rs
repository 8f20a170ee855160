//! `format`, `seeds` and `rounds`: who meets whom, and how often; checked against the number of engines.

use std::num::NonZeroU32;

use super::MOST_ROUNDS;
use super::reader::{Problems, Section};
use super::settings::Format;
use super::source::Place;

const WORDS: &[(&str, Format)] = &[
    ("match", Format::Match),
    ("round_robin", Format::RoundRobin),
    ("gauntlet", Format::Gauntlet { seeds: 1 }),
    ("knockout", Format::Knockout),
    ("swiss", Format::Swiss),
];

/// Reads `format` and `seeds`; `None` where one of them is wrong, which has been reported then.
pub(super) fn read(section: Section<'_>, problems: &mut Problems) -> Option<Format> {
    let format = match section.value("format") {
        Some(_) => section.word("format", WORDS, problems),
        None => Some(Format::default()),
    };
    let seeds =
        section.value("seeds").map(|node| (node.place, section.integer("seeds", 1..=10_000, problems)));
    match (format, seeds) {
        (_, Some((_, None))) => None,
        (Some(Format::Gauntlet { .. }), Some((_, Some(seeds)))) => {
            Some(Format::Gauntlet { seeds: usize::try_from(seeds).unwrap_or(usize::MAX) })
        }
        // What a gauntlet has without it asks for nothing.
        (Some(_), Some((place, Some(seeds)))) if seeds != 1 => {
            let hint = "add `format: gauntlet`, in which the first engines meet all the others";
            problems.error_with(place, "`seeds` belongs to the format `gauntlet`", hint);
            None
        }
        (format, _) => format,
    }
}

/// Reads `rounds`. Where it is absent or wrong it is 1, but with an `sprt` `None`: as many as it takes.
pub(super) fn read_rounds(section: Section<'_>, problems: &mut Problems) -> Option<NonZeroU32> {
    let rounds = section.integer("rounds", 1..=MOST_ROUNDS, problems);
    let default = if section.value("sprt").is_some() { None } else { Some(NonZeroU32::MIN) };
    rounds.and_then(|rounds| u32::try_from(rounds).ok()).and_then(NonZeroU32::new).or(default)
}

/// The engines that a match file has: how many, where the list and its third entry stand.
pub(super) struct Entries {
    pub number: usize,
    pub place: Place,
    pub third: Option<Place>,
}

/// Checks that so many engines can play this format.
pub(super) fn check_engines(
    format: Format,
    engines: &Entries,
    section: Section<'_>,
    problems: &mut Problems,
) {
    let (name, least) = match format {
        Format::Match => ("a match", 2),
        Format::RoundRobin => ("a round robin", 2),
        Format::Gauntlet { .. } => ("a gauntlet", 2),
        Format::Knockout => ("a knockout", 3),
        Format::Swiss => ("a Swiss tournament", 3),
    };
    if engines.number < least {
        let found = match engines.number {
            0 => "here is none".to_owned(),
            1 => "here is only one".to_owned(),
            number => format!("here are only {number}"),
        };
        let least = if least == 2 { "two" } else { "three" };
        let hint = match format {
            Format::Knockout | Format::Swiss => "two engines play a `match`",
            _ => "an engine may play itself under two names",
        };
        problems.error_with(engines.place, format!("{name} needs {least} engines, and {found}"), hint);
        return;
    }
    match (format, engines.third) {
        (Format::Match, Some(third)) => {
            let message = format!("a match is between two engines, and these are {}", engines.number);
            problems.error_with(
                third,
                message,
                "add `format: round_robin`, `gauntlet`, `knockout` or `swiss`",
            );
        }
        (Format::Gauntlet { seeds }, _) if seeds >= engines.number => {
            let place = section.value("seeds").map_or(engines.place, |seeds| seeds.place);
            let message =
                format!("`seeds` is {seeds}, and of {} engines none is left to meet them", engines.number);
            problems.error_with(place, message, "seeds meet all the others and not each other");
        }
        _ => {}
    }
}

/// Checks that so many engines can meet for so many Swiss rounds.
pub(super) fn check_rounds(
    format: Format,
    engines: usize,
    rounds: Option<NonZeroU32>,
    section: Section<'_>,
    problems: &mut Problems,
) {
    // An odd number has a bye in each round, so that it takes one round more until all have met.
    let most = if engines.is_multiple_of(2) { engines.saturating_sub(1) } else { engines };
    let node = section.value("rounds").filter(|_| format == Format::Swiss);
    let Some((node, rounds)) = node.zip(rounds) else { return };
    if engines >= 3 && rounds.get() as usize > most {
        let message = format!("after {most} rounds each of {engines} engines has met all the others");
        problems.error_with(
            node.place,
            message,
            "a Swiss tournament has no second meetings; `rounds` counts its rounds",
        );
    }
}

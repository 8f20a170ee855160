//! `limits`: what an engine's process may have of memory and processor time.

use std::fmt;
use std::num::NonZeroU64;

use super::keys;
use super::reader::{Problems, Section};
use super::settings::Limits;
use super::tree::{Kind, Node};

/// No engine can live on less; what is below was meant in another unit.
const LEAST_MEMORY: u64 = 1 << 20;

const UNITS: [(&str, u64); 9] = [
    ("b", 1),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
];

/// The limits that one mapping sets; each falls through on its own.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartLimits {
    memory: Option<NonZeroU64>,
    niceness: Option<i8>,
}

impl PartLimits {
    /// Reads the value of `limits`.
    pub fn read(node: &Node, problems: &mut Problems) -> PartLimits {
        let Some(section) = Section::open(node, "`limits`", &keys::LIMITS, problems) else {
            return PartLimits::default();
        };
        let niceness = section.integer("niceness", -20..=19, problems);
        PartLimits {
            memory: section.value("memory").and_then(|value| memory(value, problems)),
            niceness: niceness.and_then(|number| i8::try_from(number).ok()),
        }
    }

    /// These, then `others`.
    pub fn or(self, others: PartLimits) -> Limits {
        Limits { memory: self.memory.or(others.memory), niceness: self.niceness.or(others.niceness) }
    }
}

fn memory(node: &Node, problems: &mut Problems) -> Option<NonZeroU64> {
    let bytes = match &node.kind {
        Kind::Bool(..) => None,
        _ => node.scalar().and_then(parse_size),
    };
    match bytes {
        Some(bytes) if bytes >= LEAST_MEMORY => NonZeroU64::new(bytes),
        Some(_) => {
            let message = format!("`memory` is too little for any engine: {}", node.found());
            problems.error_with(node.place, message, "at least `1MiB`; a number without a unit is bytes");
            None
        }
        None => {
            problems.expected(node, "memory", "a size, such as `512MiB`, `2GB` or a number of bytes");
            None
        }
    }
}

/// Bytes: a whole number with a unit or without; blanks between them and the case don't matter.
fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim_start().to_ascii_lowercase();
    let factor = if unit.is_empty() {
        1
    } else {
        UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor)?
    };
    number.parse::<u64>().ok()?.checked_mul(factor)
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = self.memory.map(|bytes| format!("memory {bytes} bytes"));
        let niceness = self.niceness.map(|niceness| format!("niceness {niceness}"));
        let set: Vec<String> = [memory, niceness].into_iter().flatten().collect();
        f.write_str(if set.is_empty() { "none" } else { "" })?;
        f.write_str(&set.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("1048576", Some(1 << 20)),
            ("512MiB", Some(512 << 20)),
            ("4 GiB", Some(4 << 30)),
            ("2gb", Some(2_000_000_000)),
            ("7B", Some(7)),
            ("1KB", Some(1000)),
            ("16777215TiB", Some(16_777_215 << 40)),
            ("16777216TiB", None),
            ("", None),
            ("MiB", None),
            ("-1", None),
            ("1.5GiB", None),
            ("4G", None),
            ("4 GiB more", None),
            ("4é", None),
        ] {
            assert_eq!(parse_size(text), bytes, "{text}");
        }
    }
}

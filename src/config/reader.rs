//! Reads values of one type from the tree, collecting what is wrong instead of stopping at it.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::diagnostic::Diagnostic;
use super::keys::{KeySet, near_miss};
use super::source::Place;
use super::tree::{Entry, Kind, Node};
use crate::clock::duration::parse_duration;

/// What has been found wrong so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

impl Problems {
    pub fn error(&mut self, place: Place, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(Some(place), message));
    }

    pub fn error_with(&mut self, place: Place, message: impl Into<String>, hint: impl Into<String>) {
        self.errors.push(Diagnostic::error(Some(place), message).with_hint(hint));
    }

    pub fn warning_with(&mut self, place: Place, message: impl Into<String>, hint: impl Into<String>) {
        self.warnings.push(Diagnostic::warning(Some(place), message).with_hint(hint));
    }

    /// `key` must be this, but that stands there.
    pub fn expected(&mut self, node: &Node, key: &str, expected: &str) {
        self.error(node.place, format!("`{key}` must be {expected}, not {}", node.found()));
    }
}

/// A mapping whose keys have been checked.
#[derive(Clone, Copy)]
pub(super) struct Section<'a>(&'a [Entry]);

impl<'a> Section<'a> {
    /// Checks that `node` is a mapping with known keys only; `None` (and an error) when it is no mapping.
    pub fn open(node: &'a Node, name: &str, set: &KeySet, problems: &mut Problems) -> Option<Section<'a>> {
        let Kind::Map(entries) = &node.kind else {
            let hint = format!("its keys are: {}", set.keys.join(", "));
            let message = format!("{name} must be a mapping of keys to values, not {}", node.found());
            problems.error_with(node.place, message, hint);
            return None;
        };
        for entry in entries.iter().filter(|entry| !set.keys.contains(&entry.key.as_str())) {
            let message = format!("unknown key `{}`", entry.key);
            problems.error_with(entry.key_place, message, set.hint(&entry.key));
        }
        Some(Section(entries))
    }

    /// The entry of this key, null or not.
    pub fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.0.iter().find(|entry| entry.key == key)
    }

    /// The value of this key; `None` when the key is absent or null.
    pub fn value(&self, key: &str) -> Option<&'a Node> {
        self.entry(key).map(|entry| &entry.value).filter(|value| !value.is_null())
    }

    pub fn bool(&self, key: &str, problems: &mut Problems) -> Option<bool> {
        bool(self.value(key)?, key, problems)
    }

    pub fn integer(&self, key: &str, range: RangeInclusive<i128>, problems: &mut Problems) -> Option<i128> {
        integer(self.value(key)?, key, range, problems)
    }

    pub fn duration(&self, key: &str, problems: &mut Problems) -> Option<Duration> {
        duration(self.value(key)?, key, problems)
    }

    pub fn word<T: Copy>(&self, key: &str, words: &[(&str, T)], problems: &mut Problems) -> Option<T> {
        word(self.value(key)?, key, words, problems)
    }

    pub fn text(&self, key: &str, problems: &mut Problems) -> Option<String> {
        text(self.value(key)?, key, problems)
    }
}

pub(super) fn bool(node: &Node, key: &str, problems: &mut Problems) -> Option<bool> {
    if let Kind::Bool(value, _) = node.kind {
        return Some(value);
    }
    problems.expected(node, key, "`true` or `false`");
    None
}

pub(super) fn integer(
    node: &Node,
    key: &str,
    range: RangeInclusive<i128>,
    problems: &mut Problems,
) -> Option<i128> {
    match node.kind {
        Kind::Int(value, _) if range.contains(&value) => return Some(value),
        _ => {}
    }
    problems.expected(node, key, &format!("a whole number from {} to {}", range.start(), range.end()));
    None
}

/// A number with or without a fraction.
pub(super) fn number(node: &Node, key: &str, problems: &mut Problems) -> Option<f64> {
    let number = match &node.kind {
        // What an exact whole number loses here is nothing to any setting.
        Kind::Int(value, _) => Some(*value as f64),
        Kind::Float(text) => text.parse::<f64>().ok().filter(|number| number.is_finite()),
        _ => None,
    };
    if number.is_none() {
        problems.expected(node, key, "a number");
    }
    number
}

/// A duration such as `10s`; a bare number is seconds, read from its decimal text.
pub(super) fn duration(node: &Node, key: &str, problems: &mut Problems) -> Option<Duration> {
    let Some(text) = node.scalar().filter(|_| !matches!(node.kind, Kind::Bool(..))) else {
        problems.expected(node, key, "a duration, such as `250ms`, `2.5s`, `5m` or `1h`");
        return None;
    };
    match parse_duration(text) {
        Ok(duration) => Some(duration),
        Err(error) => {
            problems.error(node.place, format!("`{key}`: {error}"));
            None
        }
    }
}

/// A duration above 0.
pub(super) fn some_time(node: &Node, key: &str, problems: &mut Problems) -> Option<Duration> {
    let duration = duration(node, key, problems)?;
    if duration.is_zero() {
        problems.expected(node, key, "longer than 0");
        return None;
    }
    Some(duration)
}

/// One word of a table. An unquoted `false` counts as `off`, which YAML 1.1 took it for.
pub(super) fn word<T: Copy>(
    node: &Node,
    key: &str,
    words: &[(&str, T)],
    problems: &mut Problems,
) -> Option<T> {
    let text = match &node.kind {
        Kind::Bool(false, _) => "off",
        _ => node.scalar().unwrap_or_default(),
    };
    if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
        return Some(*value);
    }
    let all: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
    let expected = match all.as_slice() {
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
        [] => String::new(),
    };
    let message = format!("`{key}` must be {expected}, not {}", node.found());
    match near_miss(text, words.iter().map(|(word, _)| *word)) {
        Some(near) => problems.error_with(node.place, message, format!("did you mean `{near}`?")),
        None => problems.error(node.place, message),
    }
    None
}

/// A text; numbers are taken as they are written. Control characters are refused.
pub(super) fn text(node: &Node, key: &str, problems: &mut Problems) -> Option<String> {
    match (&node.kind, node.scalar()) {
        (Kind::Bool(..), _) | (_, None) => problems.expected(node, key, "a text"),
        (_, Some(text)) if text.trim().is_empty() => problems.error(node.place, format!("`{key}` is empty")),
        (_, Some(text)) if text.chars().any(char::is_control) => {
            let message = format!("`{key}` has a control character in it, such as a line break or a tab");
            problems.error(node.place, message);
        }
        (_, Some(text)) => return Some(text.to_owned()),
    }
    None
}

/// The text of any scalar as written (`true`, `16`, nothing for null), as a program's argument takes it.
pub(super) fn raw_text(node: &Node, key: &str, problems: &mut Problems) -> Option<String> {
    match (&node.kind, node.scalar()) {
        (Kind::List(_) | Kind::Map(_), _) => problems.expected(node, key, "a single value"),
        (_, Some(text)) if text.contains('\0') => {
            problems.error(node.place, format!("`{key}` has a NUL character in it"));
        }
        (_, text) => return Some(text.unwrap_or_default().to_owned()),
    }
    None
}

/// The entries of a list; an error and nothing for anything else.
pub(super) fn list<'a>(node: &'a Node, key: &str, expected: &str, problems: &mut Problems) -> &'a [Node] {
    if let Kind::List(items) = &node.kind {
        return items;
    }
    problems.expected(node, key, expected);
    &[]
}

/// The entries of a mapping with free keys; an error and nothing for anything else.
pub(super) fn free_map<'a>(
    node: &'a Node,
    key: &str,
    expected: &str,
    problems: &mut Problems,
) -> &'a [Entry] {
    if let Kind::Map(entries) = &node.kind {
        return entries;
    }
    problems.expected(node, key, expected);
    &[]
}

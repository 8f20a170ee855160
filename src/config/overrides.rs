//! `--set path.to.key=value`: replaces values of the tree before it is validated.

use super::diagnostic::Diagnostic;
use super::source::{Place, Sources};
use super::tree::{Entry, Kind, Node};
use super::yaml::{self, Origin};

/// What errors call the text of an override.
const NAME: &str = "--set";

/// Applies every override in order; keys that don't exist come out of validation, at their place in the override.
pub(super) fn apply(
    root: &mut Node,
    overrides: &[String],
    sources: &mut Sources,
    errors: &mut Vec<Diagnostic>,
) {
    for text in overrides {
        let source = sources.add(NAME, text);
        if let Err(error) = apply_one(root, text, source, errors) {
            errors.push(error);
        }
    }
}

fn apply_one(
    root: &mut Node,
    text: &str,
    source: usize,
    errors: &mut Vec<Diagnostic>,
) -> Result<(), Diagnostic> {
    let whole = Place { source, line: 1, column: 1, width: text.chars().count().max(1) };
    let Some((path, value)) = text.split_once('=') else {
        return Err(Diagnostic::error(Some(whole), "`=` and a value are missing")
            .with_hint("write `path.to.key=value`, such as `rounds=2` or `engines.0.options.Hash=32`"));
    };
    let column_shift = path.chars().count() + 1;
    let value = yaml::read(value, Origin { source, column_shift }, errors)?;
    let mut target = root;
    let mut column = 1;
    let mut parent = "";
    for name in path.split('.') {
        let width = name.chars().count();
        let place = Place { source, line: 1, column, width: width.max(1) };
        if name.is_empty() {
            return Err(Diagnostic::error(Some(place), "a part of the path is empty"));
        }
        target = step(target, name, parent, place)?;
        parent = name;
        column += width + 1;
    }
    *target = value;
    Ok(())
}

/// The value below `target` that `name` means; made when a mapping doesn't have it.
fn step<'a>(
    target: &'a mut Node,
    name: &str,
    parent: &str,
    place: Place,
) -> Result<&'a mut Node, Diagnostic> {
    if target.is_null() {
        target.kind = Kind::Map(Vec::new());
    }
    let found = target.found();
    match &mut target.kind {
        Kind::List(items) => {
            let count = items.len();
            let item = name.parse().ok().and_then(|index: usize| items.get_mut(index));
            item.ok_or_else(|| {
                Diagnostic::error(Some(place), format!("`{parent}` has no entry `{name}`"))
                    .with_hint(format!("it has {count}, counted from 0"))
            })
        }
        Kind::Map(entries) => {
            // Engines match the names of options case-insensitively, so `hash` replaces `Hash`.
            let same = |entry: &Entry| {
                entry.key == name || (parent == "options" && entry.key.eq_ignore_ascii_case(name))
            };
            let index = entries.iter().position(same).unwrap_or_else(|| {
                let value = Node { kind: Kind::Null, place };
                entries.push(Entry { key: name.to_owned(), key_place: place, value });
                entries.len() - 1
            });
            Ok(&mut entries[index].value)
        }
        _ => Err(Diagnostic::error(Some(place), format!("`{parent}` is {found} and has no part `{name}`"))
            .with_hint(format!("set `{parent}` as a whole"))),
    }
}

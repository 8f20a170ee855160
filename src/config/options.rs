//! `options`: what is sent to an engine by `setoption`.

use super::reader::{self, Problems};
use super::settings::OptionSetting;
use super::tree::{Kind, Node};

/// Options that follow from the rest of the match file, with what to do instead of setting them.
const OWNED: &[(&str, &str)] = &[
    ("UCI_Chess960", "it follows from `variant`"),
    ("Ponder", "it follows from `ponder`: true or false, for an engine or under `defaults`"),
    ("MultiPV", "a match needs one line of play; leave it out"),
];

/// Reads the value of `options`, in the order of the file.
pub(super) fn read(node: &Node, problems: &mut Problems) -> Vec<OptionSetting> {
    let mut options: Vec<OptionSetting> = Vec::new();
    for entry in reader::free_map(node, "options", "a mapping, such as `{ Hash: 16, Threads: 1 }`", problems)
    {
        let name = entry.key.trim();
        let same = |other: &str| other.eq_ignore_ascii_case(name);
        if name.is_empty() || name.chars().any(char::is_control) {
            problems
                .error(entry.key_place, "the name of an option is empty or has a control character in it");
        } else if let Some((owned, instead)) = OWNED.iter().find(|(owned, _)| same(owned)) {
            problems.error_with(
                entry.key_place,
                format!("the option `{owned}` is set by arbiter itself"),
                *instead,
            );
        } else if let Some(first) = options.iter().find(|option| same(&option.name)) {
            let message =
                format!("the option `{name}` is set twice: `{}` is the same to an engine", first.name);
            problems.error(entry.key_place, message);
        } else if let Some(value) = value(&entry.value, name, problems) {
            options.push(OptionSetting { name: name.to_owned(), value, place: entry.place() });
        }
    }
    options
}

/// Whole numbers in decimal, everything else as written; null is the empty text.
fn value(node: &Node, name: &str, problems: &mut Problems) -> Option<String> {
    match &node.kind {
        Kind::Int(value, _) => return Some(value.to_string()),
        Kind::Bool(value, _) => return Some(value.to_string()),
        _ => {}
    }
    let text = reader::raw_text(node, name, problems)?;
    if text.chars().any(char::is_control) {
        let message =
            format!("the value of the option `{name}` has a line break or another control character in it");
        problems.error(node.place, message);
        return None;
    }
    Some(text)
}

/// The options of `defaults` with the engine's own in place of those of the same name, then the engine's others.
pub(super) fn merge(defaults: &[OptionSetting], own: &[OptionSetting]) -> Vec<OptionSetting> {
    let find = |options: &[OptionSetting], name: &str| {
        options.iter().find(|option| option.name.eq_ignore_ascii_case(name)).cloned()
    };
    let replaced = defaults.iter().map(|option| find(own, &option.name).unwrap_or_else(|| option.clone()));
    let added = own.iter().filter(|option| find(defaults, &option.name).is_none()).cloned();
    replaced.chain(added).collect()
}

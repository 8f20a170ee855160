//! The match file: YAML text in, validated settings out; every error with its place, all of them at once.
//!
//! [`load`] reads a file and looks programs and books up on this machine; [`parse`] takes a text and touches nothing.
//! One file per element of the match file: a value is read where its name says.

mod adjudication;
mod claims;
pub mod diagnostic;
mod engines;
pub mod fingerprint;
mod format;
mod keys;
mod laws;
mod limits;
mod openings;
mod options;
mod output;
mod overrides;
mod player;
mod processors;
mod program;
mod reader;
mod require;
pub mod settings;
pub mod source;
mod sprt;
mod time;
mod tree;
mod typed;
mod variant;
mod yaml;

use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use diagnostic::{ConfigErrors, Diagnostic};
use engines::Context;
use laws::Laws;
use player::PlayerKeys;
use program::{Anything, OnDisk, Surroundings};
use reader::{Problems, Section};
use settings::{MatchSettings, Oversubscribed};
use source::{Place, Sources};
use tree::Node;
use yaml::Origin;

/// The match file that shows every key with its default.
pub const REFERENCE: &str = include_str!("../../configs/reference.yaml");

/// The longest match file that is read.
const LONGEST_FILE: u64 = 16 * 1024 * 1024;
/// The most rounds of a match.
const MOST_ROUNDS: i128 = 10_000_000;
const OVERSUBSCRIBED: &[(&str, Oversubscribed)] =
    &[("warn", Oversubscribed::Warn), ("replay", Oversubscribed::Replay)];
const DEFAULT_GRACE: Duration = Duration::from_secs(10);

/// A match file that can be played.
#[derive(Clone, Debug)]
pub struct LoadedMatch {
    /// What it says, defaults filled in.
    pub settings: MatchSettings,
    /// Its text and the `--set`s, for errors that are found later at a [`Place`] of the settings.
    pub sources: Sources,
    /// What has no effect or is surely not meant.
    pub warnings: Vec<Diagnostic>,
}

impl LoadedMatch {
    /// Errors found after loading, such as an option that an engine doesn't declare, to be shown like the others.
    pub fn errors(&self, errors: Vec<Diagnostic>) -> ConfigErrors {
        ConfigErrors::new(self.sources.clone(), errors)
    }
}

/// Reads a match file, with `--set path.to.key=value` overrides, and finds its programs and books.
///
/// # Errors
/// Everything that is wrong with it, as far as it can be read.
pub fn load(path: &Path, overrides: &[String]) -> Result<LoadedMatch, ConfigErrors> {
    let name = path.display().to_string();
    let refuse = |text: &str, error: Diagnostic| {
        let mut sources = Sources::default();
        sources.add(&name, text);
        ConfigErrors::new(sources, vec![error])
    };
    let bytes = read_file(path)
        .map_err(|why| refuse("", Diagnostic::error(None, format!("the match file can't be read: {why}"))))?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid =
                String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]).into_owned();
            let place = end_of(&valid);
            let error = Diagnostic::error(Some(place), "the match file is not UTF-8 text from here on");
            return Err(refuse(&valid, error.with_hint("save it with the encoding UTF-8")));
        }
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Absolute, for an engine started in another working directory must still be found.
    let base = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    read(&text, &name, &base, overrides, &OnDisk::here())
}

/// Reads the text of a match file; paths are made relative to `base_dir`, but nothing is looked up.
///
/// # Errors
/// Everything that is wrong with it, as far as it can be read.
pub fn parse(text: &str, file_name: &str, base_dir: &Path) -> Result<LoadedMatch, ConfigErrors> {
    read(text, file_name, base_dir, &[], &Anything)
}

fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| {
        if file.metadata()?.is_dir() {
            return Err(std::io::Error::other("it is a folder"));
        }
        file.take(LONGEST_FILE + 1).read_to_end(&mut bytes)
    });
    match read {
        Ok(_) if bytes.len() as u64 > LONGEST_FILE => Err("it is longer than 16 MiB".to_owned()),
        Ok(_) => Ok(bytes),
        Err(why) => Err(program::reason(&why)),
    }
}

/// The place right after a text.
fn end_of(text: &str) -> Place {
    let line = text.rsplit('\n').next().unwrap_or_default();
    Place::new(text.matches('\n').count() + 1, line.chars().count() + 1)
}

fn read(
    text: &str,
    name: &str,
    base: &Path,
    overrides: &[String],
    surroundings: &dyn Surroundings,
) -> Result<LoadedMatch, ConfigErrors> {
    // A byte order mark is no part of the text, nor of its columns.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut sources = Sources::default();
    let origin = Origin { source: sources.add(name, text), column_shift: 0 };
    let mut problems = Problems::default();
    let mut root = match yaml::read(text, origin, &mut problems.errors) {
        Ok(root) => root,
        Err(error) => return Err(ConfigErrors::new(sources, vec![error])),
    };
    overrides::apply(&mut root, overrides, &mut sources, &mut problems.errors);
    let stem = Path::new(name).file_stem().map_or("match".into(), |stem| stem.to_string_lossy());
    let file = File { base, stem: &stem, surroundings };
    let settings = file.settings(&root, &mut problems);
    match settings {
        Some(settings) if problems.errors.is_empty() => {
            Ok(LoadedMatch { settings, sources, warnings: problems.warnings })
        }
        _ => Err(ConfigErrors::new(sources, problems.errors)),
    }
}

/// Where a match file stands.
struct File<'a> {
    base: &'a Path,
    stem: &'a str,
    surroundings: &'a dyn Surroundings,
}

impl File<'_> {
    /// The settings; to be used only when no error was reported.
    fn settings(&self, root: &Node, problems: &mut Problems) -> Option<MatchSettings> {
        if root.is_null() {
            let error = Diagnostic::error(None, "the match file is empty");
            problems.errors.push(error.with_hint("it needs `engines:` with two engines"));
            return None;
        }
        let section = Section::open(root, "a match file", &keys::TOP, problems)?;
        let laws = Laws::read(section.value("laws"), problems);
        let defaults = section
            .value("defaults")
            .and_then(|node| Section::open(node, "`defaults`", &keys::PLAYER, problems))
            .map_or_else(PlayerKeys::default, |section| PlayerKeys::read(section, problems));
        let format = format::read(section, problems);
        let rounds = format::read_rounds(section, problems);
        let (base, surroundings) = (self.base, self.surroundings);
        let context = Context { base, surroundings, defaults: &defaults, laws: &laws, top: section, format };
        let engines = match section.value("engines") {
            Some(node) => engines::read(node, &context, problems),
            None => {
                let error = Diagnostic::error(None, "the match file has no `engines`");
                problems.errors.push(error.with_hint("add `engines:` with two engines"));
                Vec::new()
            }
        };
        sprt::check_engines(section, format.unwrap_or_default(), engines.len(), problems);
        format::check_rounds(format.unwrap_or_default(), engines.len(), rounds, section, problems);
        let openings = section.value("openings");
        Some(MatchSettings {
            event: section.text("event", problems).unwrap_or_else(|| self.stem.to_owned()),
            site: section.text("site", problems).unwrap_or_else(|| "?".to_owned()),
            variant: variant::read(root, section, problems),
            engines,
            format: format.unwrap_or_default(),
            rounds,
            pairs: section.bool("pairs", problems).unwrap_or(true),
            openings: openings.and_then(|node| openings::read(node, base, surroundings, problems)),
            dead_position: laws.dead_position,
            full_search_nodes: laws.full_search_nodes,
            illegal_move: laws.illegal_move,
            penalty: laws.penalty,
            adjudication: adjudication::read(section.value("adjudication"), base, surroundings, problems),
            concurrency: processors::read_concurrency(section, problems),
            affinity: processors::read_affinity(section, problems),
            require: require::read(section, problems),
            sprt: sprt::read(section, problems),
            oversubscribed: section.word("oversubscribed", OVERSUBSCRIBED, problems).unwrap_or_default(),
            output: output::read(section.value("output"), base, self.stem, problems),
            interrupt_grace: section.duration("interrupt_grace", problems).unwrap_or(DEFAULT_GRACE),
        })
    }
}

#[cfg(test)]
mod tests;

//! `engines`: who plays, and how each program is started.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::laws::Laws;
use super::player::PlayerKeys;
use super::program::Surroundings;
use super::reader::{self, Problems, Section};
use super::settings::EngineSettings;
use super::source::Place;
use super::tree::{Kind, Node};
use super::{keys, options};

/// What engines are completed and checked with.
pub(super) struct Context<'a> {
    /// The match file's folder.
    pub base: &'a Path,
    pub surroundings: &'a dyn Surroundings,
    pub defaults: &'a PlayerKeys,
    pub laws: &'a Laws,
    /// The format is `match`, which two engines play.
    pub two: bool,
}

/// Reads the value of `engines`.
pub(super) fn read(node: &Node, context: &Context<'_>, problems: &mut Problems) -> Vec<EngineSettings> {
    let items = reader::list(node, "engines", "a list of engines", problems);
    if context.two && matches!(node.kind, Kind::List(_)) {
        check_number(items, node.place, problems);
    }
    let mut names: HashMap<String, String> = HashMap::new();
    let mut engines = Vec::new();
    for item in items {
        let Some((engine, place)) = read_engine(item, context, problems) else { continue };
        if engine.name.is_empty() {
            continue;
        }
        // Names that differ in case only are the same file on some systems and the same to many readers.
        if let Some(first) = names.insert(engine.name.to_lowercase(), engine.name.clone()) {
            let message = format!("two engines are called `{first}`: names are unique, whatever their case");
            problems.error_with(place, message, "give this one a `name` of its own");
        }
        engines.push(engine);
    }
    engines
}

fn check_number(items: &[Node], place: Place, problems: &mut Problems) {
    if let Some(third) = items.get(2) {
        let message = format!("a match is between two engines, and these are {}", items.len());
        problems.error(third.place, message);
    } else if items.len() < 2 {
        let message =
            format!("a match needs two engines, and here {}", ["is none", "is only one"][items.len()]);
        problems.error_with(place, message, "an engine may play itself under two names");
    }
}

/// The engine and the place of its name. A part that is wrong has been reported and is left empty.
fn read_engine(
    node: &Node,
    context: &Context<'_>,
    problems: &mut Problems,
) -> Option<(EngineSettings, Place)> {
    let section = Section::open(node, "an engine", &keys::ENGINE, problems)?;
    let command = read_command(section, node.place, problems);
    let (program, args) = match &command {
        Some(command) => (find(command, context, problems), command.args.clone()),
        None => (PathBuf::new(), Vec::new()),
    };
    let own = PlayerKeys::read(section, problems);
    let (name, place) = read_name(section, command.as_ref(), problems);
    let place = place.unwrap_or(node.place);
    let time_control = own.time_control(context.defaults);
    let speaks = own.speaks.or(context.defaults.speaks).unwrap_or(false);
    let claims = own.claims(context.defaults, context.laws);
    if claims.by_engine() && !speaks {
        problems.error_with(
            section.value("claims").map_or(place, |value| value.place),
            format!("{name} is to claim draws itself (`claims: engine`), but may not speak"),
            "add `speaks: true`, or choose `always`, `never` or `assisted`",
        );
    }
    let engine = EngineSettings {
        name,
        program,
        args,
        dir: read_dir(section, context, problems),
        env: section.value("env").map_or(Vec::new(), |value| read_env(value, problems)),
        options: options::merge(&context.defaults.options, &own.options),
        time_margin: own.time_margin(context.defaults, &time_control),
        time_control,
        claims,
        restart: own.restart.or(context.defaults.restart).unwrap_or_default(),
        speaks,
        ponder: own.ponder.or(context.defaults.ponder).unwrap_or(false),
        fen: own.fen.or(context.defaults.fen).unwrap_or_default(),
        sync: own.sync.or(context.defaults.sync).unwrap_or_default(),
        king_takes_rook: own.king_takes_rook.or(context.defaults.king_takes_rook).unwrap_or(false),
        timeouts: own.timeouts.or(context.defaults.timeouts),
        limits: own.limits.or(context.defaults.limits),
        crash_budget: own.crash_budget.or(context.defaults.crash_budget),
    };
    Some((engine, place))
}

/// The name given, or else the program's file stem; empty when neither is usable, which has been reported then.
fn read_name(
    section: Section<'_>,
    command: Option<&Command>,
    problems: &mut Problems,
) -> (String, Option<Place>) {
    if let Some(node) = section.value("name") {
        let name = reader::text(node, "name", problems).map(|name| name.trim().to_owned());
        return (name.unwrap_or_default(), Some(node.place));
    }
    let Some(command) = command else { return (String::new(), None) };
    let stem = Path::new(&command.program).file_stem().map(|stem| stem.to_string_lossy().trim().to_owned());
    let name = stem.unwrap_or_default();
    if name.is_empty() {
        problems.error(command.place, "this `command` gives the engine no name: add a `name`");
    }
    (name, Some(command.place))
}

/// A command as the file writes it.
struct Command {
    program: String,
    args: Vec<String>,
    place: Place,
}

/// `command` as a text (one program, blanks belong to it) or a list with arguments; `args` come after those.
fn read_command(section: Section<'_>, place: Place, problems: &mut Problems) -> Option<Command> {
    let more = section.value("args").map_or(Vec::new(), |value| read_args(value, problems));
    let Some(node) = section.value("command") else {
        problems.error_with(
            place,
            "this engine has no `command`",
            "`command: stockfish`, or a list with arguments",
        );
        return None;
    };
    let (first, args) = match &node.kind {
        Kind::List(items) => {
            let Some((first, args)) = items.split_first() else {
                problems.error(node.place, "`command` is empty");
                return None;
            };
            (first, args.iter().filter_map(|arg| argument(arg, "command", problems)).collect())
        }
        _ => (node, Vec::new()),
    };
    let program = reader::text(first, "command", problems)?;
    let args: Vec<String> = args;
    Some(Command { program, args: args.into_iter().chain(more).collect(), place: first.place })
}

fn read_args(node: &Node, problems: &mut Problems) -> Vec<String> {
    let items = reader::list(node, "args", "a list of arguments, such as `[--threads, 4]`", problems);
    items.iter().filter_map(|item| argument(item, "args", problems)).collect()
}

fn argument(node: &Node, key: &str, problems: &mut Problems) -> Option<String> {
    if node.is_null() {
        problems.error_with(
            node.place,
            format!("an entry of `{key}` is empty"),
            "for an empty argument write `\"\"`",
        );
        return None;
    }
    reader::raw_text(node, key, problems)
}

fn find(command: &Command, context: &Context<'_>, problems: &mut Problems) -> PathBuf {
    context.surroundings.program(&command.program, context.base).unwrap_or_else(|error| {
        problems.error_with(command.place, error.message, error.hint);
        PathBuf::new()
    })
}

fn read_dir(section: Section<'_>, context: &Context<'_>, problems: &mut Problems) -> PathBuf {
    let Some(node) = section.value("dir") else { return context.base.to_owned() };
    let Some(text) = reader::text(node, "dir", problems) else { return PathBuf::new() };
    let dir = if text == "." { context.base.to_owned() } else { context.base.join(text) };
    if let Err(why) = context.surroundings.folder(&dir) {
        problems.error_with(node.place, format!("`dir` {why}"), "`dir` is relative to the match file");
    }
    dir
}

fn read_env(node: &Node, problems: &mut Problems) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    for entry in reader::free_map(node, "env", "a mapping of names to values", problems) {
        if entry.key.is_empty() || entry.key.contains(['=', '\0']) {
            problems.error(entry.key_place, "the name of a variable can't be empty or have a `=` in it");
        } else if let Some(value) = reader::raw_text(&entry.value, &entry.key, problems) {
            variables.push((entry.key.clone(), value));
        }
    }
    variables
}

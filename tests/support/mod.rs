//! Runs matches through the binary and reads back what they leave.

#[allow(dead_code, reason = "each test file uses its part")]
pub mod command;
#[allow(dead_code, reason = "each test file uses its part")]
pub mod in_process;
pub mod outcome;
pub mod pgn;
pub mod processes;
pub mod run;
pub mod shared;
pub mod terminal;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Map, Value, json};
use tempfile::TempDir;

pub use outcome::Outcome;
pub use run::Running;
pub use terminal::Terminal;

/// White wins at ply 7.
pub const SCHOLARS_MATE: &str = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7";
/// Black wins at ply 4.
pub const FOOLS_MATE: &str = "f2f3 e7e5 g2g4 d8h4";

/// What the engines of a match are called, in their order.
pub const NAMES: [&str; 8] = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta"];

/// The scripted engine.
pub fn fake_engine() -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_arbiter")).with_file_name("examples").join("fake_engine");
    assert!(path.exists(), "{} is missing: `cargo build --examples` makes it", path.display());
    path
}

/// An engine of a match file, with the keys that it has there.
#[derive(Clone, Debug)]
pub struct EngineKeys(Map<String, Value>);

/// The scripted engine with these arguments.
pub fn fake(args: &[&str]) -> EngineKeys {
    let command: Vec<String> = std::iter::once(fake_engine().display().to_string())
        .chain(args.iter().map(|arg| (*arg).to_owned()))
        .collect();
    EngineKeys(Map::new()).with("command", json!(command))
}

/// The scripted engine that says something to the referee, `info string …`, at these triggers, and claims for itself.
pub fn speaker(said: &[(&str, &str)]) -> EngineKeys {
    let rules: Vec<String> = said
        .iter()
        .flat_map(|(trigger, words)| {
            ["--on".to_owned(), (*trigger).to_owned(), format!("print:info string {words}")]
        })
        .collect();
    let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
    fake(&rules).with("speaks", json!(true)).with("claims", json!("engine"))
}

/// The engine that comes with the program.
pub fn sparring(args: &[&str]) -> EngineKeys {
    let command: Vec<&str> = ["arbiter", "sparring"].into_iter().chain(args.iter().copied()).collect();
    EngineKeys(Map::new()).with("command", json!(command))
}

/// Any program.
pub fn program(command: &[&str]) -> EngineKeys {
    EngineKeys(Map::new()).with("command", json!(command))
}

impl EngineKeys {
    /// Sets a key of this engine.
    pub fn with(mut self, key: &str, value: Value) -> EngineKeys {
        self.0.insert(key.to_owned(), value);
        self
    }

    /// Another rule of the scripted engine.
    pub fn on(mut self, trigger: &str, action: &str) -> EngineKeys {
        let command = self.0["command"].as_array_mut().unwrap();
        command.extend(["--on", trigger, action].map(Value::from));
        self
    }

    /// Starts the engine by another program, which is given its command as arguments.
    pub fn behind(mut self, command: &[&str]) -> EngineKeys {
        let words = self.0["command"].as_array_mut().unwrap();
        words.splice(0..0, command.iter().map(|word| json!(word)));
        self
    }

    fn is_fake(&self) -> bool {
        let fake = json!(fake_engine().display().to_string());
        self.0["command"].as_array().is_some_and(|words| words.contains(&fake))
    }
}

/// A match file in the making. Two scripted engines, Alpha and Beta, play one game of the moves of
/// [`SCHOLARS_MATE`] if nothing else is said; with more rounds Alpha is White in the odd ones.
pub struct Match {
    engines: Vec<EngineKeys>,
    moves: String,
    keys: Map<String, Value>,
    dir: TempDir,
    args: Vec<String>,
}

impl Match {
    pub fn new() -> Match {
        let keys = json!({
            "event": "Test", "rounds": 1, "pairs": false,
            "defaults": { "time_control": "600", "claims": "never" },
        });
        let Value::Object(keys) = keys else { unreachable!() };
        Match {
            engines: vec![fake(&[]), fake(&[])],
            moves: SCHOLARS_MATE.to_owned(),
            keys,
            dir: tempfile::tempdir().unwrap(),
            args: Vec::new(),
        }
    }

    /// Games that differ, and are the same in every run: the engines are limited by depth.
    pub fn deterministic(pairs: u32) -> Match {
        Match::new()
            .white(sparring(&["--depth", "1"]))
            .black(sparring(&["--depth", "2", "--seed", "5"]))
            .rounds(pairs)
            .set("pairs", json!(true))
            .set("concurrency", json!(2))
            .set("defaults.time_control", json!("depth=3"))
            .set("adjudication", json!({ "max_moves": 30 }))
            .set(
                "openings",
                json!({ "fens": [
                    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
                    "8/5k2/8/8/3Q4/8/1K6/8 w - - 0 1",
                    "8/5k2/8/8/3q4/8/1K6/8 w - - 0 1",
                    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5",
                ] }),
            )
    }

    /// The engine that is White in the first game.
    pub fn white(mut self, engine: EngineKeys) -> Match {
        self.engines[0] = engine;
        self
    }

    /// The engine that is Black in the first game.
    pub fn black(mut self, engine: EngineKeys) -> Match {
        self.engines[1] = engine;
        self
    }

    /// Engines by the names of [`NAMES`], instead of the two.
    pub fn engines(mut self, engines: impl IntoIterator<Item = EngineKeys>) -> Match {
        self.engines = engines.into_iter().collect();
        self
    }

    /// The moves that scripted engines play.
    pub fn moves(mut self, moves: &str) -> Match {
        moves.clone_into(&mut self.moves);
        self
    }

    /// Where games start.
    pub fn fen(self, fen: &str) -> Match {
        self.set("openings", json!({ "fens": [fen] }))
    }

    pub fn rounds(self, rounds: u32) -> Match {
        self.set("rounds", json!(rounds))
    }

    /// Sets a key of the match file; dots lead into mappings.
    pub fn set(mut self, path: &str, value: Value) -> Match {
        let mut keys = &mut self.keys;
        let (folder, last) =
            path.rsplit_once('.').map_or((None, path), |(folder, last)| (Some(folder), last));
        for part in folder.into_iter().flat_map(|folder| folder.split('.')) {
            let inner = keys.entry(part).or_insert_with(|| json!({}));
            keys = inner.as_object_mut().unwrap();
        }
        keys.insert(last.to_owned(), value);
        self
    }

    /// An argument after `run match.yaml`.
    pub fn arg(mut self, arg: &str) -> Match {
        self.args.push(arg.to_owned());
        self
    }

    /// Takes the folder of an earlier run.
    pub fn again_in(self, earlier: Outcome) -> Match {
        self.in_dir(earlier.dir)
    }

    /// Takes this folder.
    pub fn in_dir(mut self, dir: TempDir) -> Match {
        self.dir = dir;
        self
    }

    /// The folder of the match file.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// What a scripted engine does that waits for [`Running::let_go`] with this name.
    pub fn hold(&self, name: &str) -> String {
        format!("wait-for:{}", self.dir().join(name).display())
    }

    /// Writes the match file and returns the marker of its scripted engines.
    fn write(&self) -> String {
        let marker = format!("marker-{}", self.dir().file_name().unwrap().to_string_lossy());
        let mut keys = self.keys.clone();
        let engines = self.engines.iter().zip(NAMES).map(|(engine, name)| {
            let mut engine = engine.clone();
            if engine.is_fake() {
                let log = self.dir().join(format!("{name}.log")).display().to_string();
                let more = ["--marker", &marker, "--log", &log, "--moves", &self.moves].map(Value::from);
                engine.0["command"].as_array_mut().unwrap().extend(more);
            }
            engine.0.entry("name").or_insert_with(|| json!(name));
            Value::Object(engine.0)
        });
        keys.insert("engines".to_owned(), engines.collect());
        // JSON is YAML.
        std::fs::write(self.dir().join("match.yaml"), Value::Object(keys).to_string()).unwrap();
        marker
    }

    /// Only writes the match file; returns its folder.
    pub fn into_dir(self) -> TempDir {
        self.write();
        self.dir
    }

    /// Starts `arbiter run`.
    pub fn start(self) -> Running {
        let marker = self.write();
        let args = ["run", "match.yaml"].into_iter().map(str::to_owned).chain(self.args);
        Running::start(self.dir, args.collect(), marker)
    }

    /// Starts `arbiter run` on a terminal, with these variables set.
    pub fn start_on(self, terminal: &Terminal, variables: &[(&str, &str)]) -> Running {
        self.start_with(variables, [terminal.stdio(), terminal.stdio()])
    }

    /// Starts `arbiter run` with its stdout in the file `stdout`, and its stderr on a terminal.
    pub fn start_with_messages_on(self, terminal: &Terminal) -> Running {
        let file = File::create(self.dir().join("stdout")).unwrap();
        self.start_with(&[], [file.into(), terminal.stdio()])
    }

    fn start_with(self, variables: &[(&str, &str)], outputs: [Stdio; 2]) -> Running {
        let marker = self.write();
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        command.args(["run", "match.yaml"]).args(self.args);
        terminal::set_environment(&mut command);
        command.envs(variables.iter().copied());
        Running::start_command(self.dir, command, outputs, marker)
    }

    /// Starts `arbiter run` in a shell that does something first.
    pub fn start_after(self, shell: &str) -> Running {
        let marker = self.write();
        let args = ["run", "match.yaml"].map(str::to_owned).to_vec();
        Running::start_after(shell, self.dir, args, marker)
    }

    /// Starts `arbiter check`.
    pub fn start_check(self) -> Running {
        let marker = self.write();
        Running::start(self.dir, vec!["check".to_owned(), "match.yaml".to_owned()], marker)
    }

    /// Plays the match, and checks what holds for every match: the records agree with each other, every game can be
    /// replayed, no engine is left.
    pub fn run(self) -> Outcome {
        self.start().finish()
    }

    /// `arbiter check` of the same file.
    pub fn check(self) -> Outcome {
        self.start_check().finish()
    }
}

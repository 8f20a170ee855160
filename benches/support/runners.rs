//! This program and the other runners on PATH, each told to play the same match in its own words.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A match of two programs for every runner.
#[derive(Clone, Debug)]
pub struct Match<'a> {
    /// Holds the files of every run.
    pub folder: &'a Path,
    /// The engines' command lines: program and arguments, without blanks in them.
    pub engines: [&'a [String]; 2],
    /// Rounded up to pairs.
    pub games: usize,
    /// Games at once.
    pub concurrency: usize,
    /// What limits the searches.
    pub control: Control,
}

/// What limits the searches, as each runner writes it.
#[derive(Clone, Copy, Debug)]
pub enum Control {
    /// One ply, no clock.
    DepthOne,
    /// A minute and 0.6 s a move.
    Clock,
}

impl Control {
    /// `clock`, or anything else for one ply.
    pub fn named(word: &str) -> Control {
        if word == "clock" { Control::Clock } else { Control::DepthOne }
    }
}

/// A runner.
#[derive(Clone, Debug)]
pub struct Runner {
    /// For the table.
    pub name: String,
    program: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Arbiter { affinity: &'static str },
    CChessCli,
    Fastchess,
    Cutechess,
}

/// This program, once for each affinity, and the peers that are installed; says which are not.
pub fn find(affinities: &[&'static str]) -> Vec<Runner> {
    let ours = affinities.iter().map(|affinity| Runner {
        name: format!("arbiter, affinity {affinity}"),
        program: PathBuf::from(env!("CARGO_BIN_EXE_arbiter")),
        kind: Kind::Arbiter { affinity },
    });
    let mut runners: Vec<Runner> = ours.collect();
    let peers = [
        ("c-chess-cli", Kind::CChessCli),
        ("fastchess", Kind::Fastchess),
        ("cutechess-cli", Kind::Cutechess),
    ];
    for (name, kind) in peers {
        match on_path(name) {
            Some(program) => runners.push(Runner { name: name.to_owned(), program, kind }),
            None => println!("{name} is not on PATH: left out"),
        }
    }
    runners
}

impl Runner {
    /// Whether it is this program.
    pub fn is_arbiter(&self) -> bool {
        matches!(self.kind, Kind::Arbiter { .. })
    }

    /// The folder of one run's records.
    pub fn records(&self, folder: &Path, run: usize) -> PathBuf {
        folder.join(format!("{}-{run}", self.name.replace([' ', ','], "_")))
    }

    /// The command that plays the match; PGN goes to `games.pgn` in the run's folder.
    ///
    /// # Errors
    /// A file or folder can't be written.
    pub fn command(&self, wanted: &Match<'_>, run: usize) -> Result<Command, Box<dyn Error>> {
        let records = self.records(wanted.folder, run);
        if !self.is_arbiter() {
            std::fs::create_dir_all(&records)?;
        }
        let Match { games, concurrency, control, .. } = *wanted;
        let pgn = records.join("games.pgn").display().to_string();
        let pairs = games.div_ceil(2).to_string();
        let concurrency = concurrency.to_string();
        let mut command = Command::new(&self.program);
        command.current_dir(wanted.folder);
        let [white, black] = wanted.engines;
        match self.kind {
            Kind::Arbiter { affinity } => {
                let file = wanted.folder.join(format!("{affinity}.yaml"));
                let lists = [white, black].map(|engine| format!("[{}]", engine.join(", ")));
                let control = match control {
                    Control::DepthOne => "depth=1",
                    Control::Clock => "60+0.6",
                };
                let text = format!(
                    "engines:\n  - {{ name: A, command: {} }}\n  - {{ name: B, command: {} }}\n\
                     defaults: {{ time_control: {control} }}\nrounds: {pairs}\nconcurrency: {concurrency}\n\
                     affinity: {affinity}\noutput: {{ dir: {} }}\n",
                    lists[0],
                    lists[1],
                    records.display(),
                );
                std::fs::write(&file, text)?;
                command.arg("run").arg(file).arg("--fresh");
            }
            Kind::CChessCli => {
                for (name, engine) in [("A", white), ("B", black)] {
                    command.args(["-engine", &format!("cmd={}", engine.join(" ")), &format!("name={name}")]);
                }
                let control = match control {
                    Control::DepthOne => "depth=1",
                    Control::Clock => "tc=60+0.6",
                };
                command.args(["-each", control, "-games", &games.to_string()]);
                command.args(["-concurrency", &concurrency, "-pgn", &pgn]);
            }
            Kind::Fastchess => {
                for (name, engine) in [("A", white), ("B", black)] {
                    command.args(["-engine", &format!("cmd={}", engine[0]), &format!("name={name}")]);
                    command.arg(format!("args={}", engine[1..].join(" ")));
                }
                command.arg("-each").args(clock_words(control));
                command.args(["-rounds", &pairs, "-games", "2", "-concurrency", &concurrency]);
                command.args(["-pgnout", &format!("file={pgn}")]);
            }
            Kind::Cutechess => {
                for (name, engine) in [("A", white), ("B", black)] {
                    command.args(["-engine", &format!("cmd={}", engine[0]), &format!("name={name}")]);
                    command.args(engine[1..].iter().map(|word| format!("arg={word}")));
                }
                command.args(["-each", "proto=uci"]).args(clock_words(control));
                command.args([
                    "-rounds",
                    &pairs,
                    "-games",
                    "2",
                    "-concurrency",
                    &concurrency,
                    "-pgnout",
                    &pgn,
                ]);
            }
        }
        Ok(command)
    }

    /// Every runner must have played every game to its mate, or the times compare nothing.
    ///
    /// # Errors
    /// It has not.
    pub fn check(&self, wanted: &Match<'_>, run: usize) -> Result<(), Box<dyn Error>> {
        let path = self.records(wanted.folder, run).join("games.pgn");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mates = text.matches('#').count();
        if mates == wanted.games {
            return Ok(());
        }
        Err(format!("{}: {mates} of {} games ended by mate", self.name, wanted.games).into())
    }
}

fn clock_words(control: Control) -> &'static [&'static str] {
    match control {
        Control::DepthOne => &["tc=inf", "depth=1"],
        Control::Clock => &["tc=60+0.6"],
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

//! Whole matches of this program and of the other runners on PATH, side by side: the same engine that answers at once,
//! the same game, the same number of games; runs alternated, medians. `scripts/bench-overhead` starts it.
//!
//! Printed for each runner: wall time a ply, its ratio to this program's, and the runner's own processor time a ply
//! (without its engines').

#[path = "support/instant_engine.rs"]
mod instant_engine;
#[path = "support/mating_game.rs"]
mod mating_game;
#[path = "support/measured_run.rs"]
mod measured_run;

use std::path::{Path, PathBuf};
use std::process::Command;

use measured_run::{Cost, measure};

struct Plan {
    games: usize,
    runs: usize,
    concurrency: usize,
    plies: std::ops::RangeInclusive<usize>,
    affinities: Vec<&'static str>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    if instant_engine::run_if_asked(&args)? || args.iter().any(|arg| arg == "--test") {
        return Ok(());
    }
    let plan = read_plan(&args)?;
    let folder = tempfile::tempdir()?;
    let game = mating_game::game_to_mate(plan.plies.clone());
    let moves = folder.path().join("moves");
    std::fs::write(&moves, game.join("\n"))?;
    let stage = Stage { folder: folder.path(), moves: &moves, plan: &plan };
    let runners = stage.runners()?;
    let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); runners.len()];
    for run in 0..plan.runs {
        for (index, runner) in runners.iter().enumerate() {
            let cost = measure(stage.command(runner, run)?)?;
            stage.check(runner, run)?;
            costs[index].push(cost);
        }
    }
    let plies = (plan.games * game.len()) as f64;
    println!(
        "{} games of {} plies, {} at once; medians of {} alternated runs; µs a ply",
        plan.games,
        game.len(),
        plan.concurrency,
        plan.runs
    );
    let ours = median(costs[0].iter().map(|cost| cost.wall));
    for (runner, costs) in runners.iter().zip(&costs) {
        let wall = median(costs.iter().map(|cost| cost.wall));
        let own = median(costs.iter().map(|cost| cost.own_processor_time));
        println!(
            "{:24} {:7.2} wall, {:7.2} of the runner's own processor time; the first line takes {:.2} of this",
            runner.name,
            wall * 1e6 / plies,
            own * 1e6 / plies,
            ours / wall
        );
    }
    Ok(())
}

fn read_plan(args: &[String]) -> Result<Plan, Box<dyn std::error::Error>> {
    let mut plan =
        Plan { games: 200, runs: 5, concurrency: 1, plies: 200..=320, affinities: vec!["auto", "off"] };
    for arg in args.iter().skip(1).filter(|arg| *arg != "--bench") {
        let (key, value) = arg.split_once('=').ok_or_else(|| format!("`{arg}`: write key=value"))?;
        match key {
            "games" => plan.games = value.parse()?,
            "runs" => plan.runs = value.parse()?,
            "concurrency" => plan.concurrency = value.parse()?,
            "plies" => {
                let plies: usize = value.parse()?;
                plan.plies = plies * 9 / 10..=plies * 11 / 10;
            }
            "affinity" => plan.affinities = vec![if value == "auto" { "auto" } else { "off" }],
            _ => return Err(format!("no key `{key}`: games, runs, concurrency, plies, affinity").into()),
        }
    }
    Ok(plan)
}

enum Kind {
    Arbiter(&'static str),
    Fastchess,
    CChessCli,
    Cutechess,
}

struct Runner {
    name: String,
    program: PathBuf,
    kind: Kind,
}

struct Stage<'a> {
    folder: &'a Path,
    moves: &'a Path,
    plan: &'a Plan,
}

impl Stage<'_> {
    fn runners(&self) -> Result<Vec<Runner>, Box<dyn std::error::Error>> {
        let arbiter = PathBuf::from(env!("CARGO_BIN_EXE_arbiter"));
        let mut runners: Vec<Runner> = Vec::new();
        for affinity in &self.plan.affinities {
            runners.push(Runner {
                name: format!("arbiter, affinity {affinity}"),
                program: arbiter.clone(),
                kind: Kind::Arbiter(affinity),
            });
        }
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
        Ok(runners)
    }

    fn command(&self, runner: &Runner, run: usize) -> Result<Command, Box<dyn std::error::Error>> {
        let engine = std::env::current_exe()?;
        let (engine, moves) = (engine.display(), self.moves.display());
        let word = instant_engine::ENGINE_WORD;
        let Plan { games, concurrency, .. } = self.plan;
        let pgn = self.pgn(runner, run);
        if !matches!(runner.kind, Kind::Arbiter(_)) {
            std::fs::create_dir_all(pgn.parent().unwrap_or(self.folder))?;
        }
        let mut command = Command::new(&runner.program);
        command.current_dir(self.folder);
        let line = match runner.kind {
            Kind::Arbiter(affinity) => {
                let file = self.folder.join(format!("{affinity}.yaml"));
                let engine = format!("[{engine}, {word}, {moves}]");
                let text = format!(
                    "engines:\n  - {{ name: A, command: {engine} }}\n  - {{ name: B, command: {engine} }}\n\
                     defaults: {{ time_control: depth=1 }}\nrounds: {}\nconcurrency: {concurrency}\n\
                     affinity: {affinity}\noutput: {{ dir: {} }}\n",
                    games.div_ceil(2),
                    pgn.parent().unwrap_or(self.folder).display(),
                );
                std::fs::write(&file, text)?;
                vec!["run".to_owned(), file.display().to_string(), "--fresh".to_owned()]
            }
            Kind::Fastchess => words(&format!(
                "-engine cmd={engine} name=A args=@ -engine cmd={engine} name=B args=@ -each tc=inf depth=1 \
                 -rounds {} -games 2 -concurrency {concurrency} -pgnout file={}",
                games.div_ceil(2),
                pgn.display()
            )),
            Kind::CChessCli => words(&format!(
                "-engine cmd=@@ name=A -engine cmd=@@ name=B -each depth=1 -games {games} \
                 -concurrency {concurrency} -pgn {}",
                pgn.display()
            )),
            Kind::Cutechess => words(&format!(
                "-engine cmd={engine} name=A arg={word} arg={moves} -engine cmd={engine} name=B arg={word} \
                 arg={moves} -each proto=uci tc=inf depth=1 -rounds {} -games 2 -concurrency {concurrency} \
                 -pgnout {}",
                games.div_ceil(2),
                pgn.display()
            )),
        };
        command.args(line.iter().map(|word_of_line| {
            word_of_line
                .replace("=@@", &format!("={engine} {word} {moves}"))
                .replace("=@", &format!("={word} {moves}"))
        }));
        Ok(command)
    }

    fn pgn(&self, runner: &Runner, run: usize) -> PathBuf {
        self.folder.join(format!("{}-{run}", runner.name.replace([' ', ','], "_"))).join("games.pgn")
    }

    /// Every runner must have played every game to its mate, or the times compare nothing.
    fn check(&self, runner: &Runner, run: usize) -> Result<(), Box<dyn std::error::Error>> {
        let path = self.pgn(runner, run);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mates = text.lines().filter(|line| line.contains('#')).count();
        if mates == self.plan.games {
            return Ok(());
        }
        Err(format!("{}: {mates} of {} games ended by mate", runner.name, self.plan.games).into())
    }
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

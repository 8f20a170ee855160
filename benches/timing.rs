//! How far a runner's clock is from the engine's own: time charged less time that the engine measured itself, from the
//! `go` read to the `bestmove` about to be written. For this program and the other runners on PATH that keep times;
//! alternated runs, all moves together. `scripts/bench-timing` starts it.
//!
//! Keys: `games=10 runs=3 busy=0`; `busy=2` runs two processes beside that never rest. This program's times are those
//! of its event log, in microseconds; the others' are those of their PGN, in milliseconds, where a time cut to whole
//! milliseconds is an error as well.

#[path = "support/mating_game.rs"]
mod mating_game;
#[path = "support/position_line.rs"]
mod position_line;
#[path = "support/runners.rs"]
mod runners;
#[path = "support/thinking_engine.rs"]
mod thinking_engine;

use std::error::Error;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use runners::{Control, Match, Runner};

const BUSY_WORD: &str = "never-rest";

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    if thinking_engine::run_if_asked(&args)? || args.iter().any(|arg| arg == "--test") {
        return Ok(());
    }
    if args.get(1).is_some_and(|word| word == BUSY_WORD) {
        loop {
            std::hint::spin_loop();
        }
    }
    let (mut games, mut runs, mut busy) = (10_usize, 3_usize, 0_usize);
    for arg in args.iter().skip(1).filter(|arg| *arg != "--bench") {
        match arg.split_once('=') {
            Some(("games", value)) => games = value.parse::<usize>()?.next_multiple_of(2),
            Some(("runs", value)) => runs = value.parse()?,
            Some(("busy", value)) => busy = value.parse()?,
            _ => return Err(format!("`{arg}`: the keys are games, runs, busy").into()),
        }
    }
    let folder = tempfile::tempdir()?;
    let game = mating_game::game_to_mate(100..=200);
    let moves = folder.path().join("moves");
    std::fs::write(&moves, game.join("\n"))?;
    let _load = Load::start(busy)?;
    let runners = runners::find(&["auto", "off"]);
    let mut errors: Vec<Vec<f64>> = vec![Vec::new(); runners.len()];
    for run in 0..runs {
        for (index, runner) in runners.iter().enumerate() {
            errors[index].extend(play(runner, folder.path(), &moves, games, run)?);
        }
    }
    println!(
        "{} plies a game, {games} games, {runs} runs, {busy} other busy processes; µs, charged less used",
        game.len()
    );
    for (runner, errors) in runners.iter().zip(&mut errors) {
        errors.sort_by(f64::total_cmp);
        let signed = |part: f64| errors[((errors.len() - 1) as f64 * part) as usize];
        let mut sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let size = sizes[((sizes.len() - 1) as f64 * 0.99) as usize];
        println!(
            "{:22} {:6} moves; median {:7.0}, 99th percentile {:7.0}, worst {:7.0}; 99th percentile of the size {size:7.0}",
            runner.name,
            errors.len(),
            signed(0.5),
            signed(0.99),
            signed(1.0),
        );
    }
    Ok(())
}

/// The errors of one match's moves, in microseconds.
fn play(
    runner: &Runner,
    folder: &Path,
    moves: &Path,
    games: usize,
    run: usize,
) -> Result<Vec<f64>, Box<dyn Error>> {
    let times = ["A", "B"].map(|name| folder.join(format!("times-{name}")));
    for file in &times {
        std::fs::write(file, "")?;
    }
    let program = std::env::current_exe()?.display().to_string();
    let engines = times.each_ref().map(|file| {
        let word = thinking_engine::ENGINE_WORD.to_owned();
        [program.clone(), word, moves.display().to_string(), file.display().to_string()]
    });
    let wanted = Match {
        folder,
        engines: [&engines[0], &engines[1]],
        games,
        concurrency: 1,
        control: Control::named("clock"),
    };
    let status = runner.command(&wanted, run)?.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if !status.success() {
        return Err(format!("{}: {status}", runner.name).into());
    }
    runner.check(&wanted, run)?;
    let charged = charged_times(runner, &runner.records(folder, run))?;
    let mut used = Vec::new();
    for file in &times {
        let text = std::fs::read_to_string(file)?;
        let nanoseconds: Result<Vec<f64>, _> = text.lines().map(str::parse).collect();
        used.push(nanoseconds?.into_iter());
    }
    let mut errors = Vec::new();
    for (engine, microseconds) in charged {
        let own = used[engine].next().ok_or("more moves than the engine played")?;
        errors.push(microseconds - own / 1000.0);
    }
    Ok(errors)
}

/// Engine (0: A) and microseconds charged, of each move in order.
fn charged_times(runner: &Runner, records: &Path) -> Result<Vec<(usize, f64)>, Box<dyn Error>> {
    let mut charged = Vec::new();
    if runner.is_arbiter() {
        for line in std::fs::read_to_string(records.join("events.jsonl"))?.lines() {
            let event: serde_json::Value = serde_json::from_str(line)?;
            if let (Some(time), Some(game), Some(by)) =
                (event["time_us"].as_f64(), event["game"].as_u64(), event["by"].as_str())
            {
                charged.push((usize::from((by == "white") != (game % 2 == 1)), time));
            }
        }
        return Ok(charged);
    }
    let pgn = std::fs::read_to_string(records.join("games.pgn"))?;
    let (mut white, mut ply) = (0, 0);
    for line in pgn.lines() {
        if let Some(name) = line.strip_prefix("[White ") {
            white = usize::from(name.contains("\"B\""));
            ply = 0;
        }
        if line.starts_with('[') {
            continue;
        }
        for word in line.split(['{', '}', ' ', ',']) {
            if let Some(milliseconds) = milliseconds(word) {
                charged.push(((white + ply) % 2, milliseconds * 1000.0));
                ply += 1;
            }
        }
    }
    Ok(charged)
}

/// `12ms` or `0.012s`, as runners write a move's time.
fn milliseconds(word: &str) -> Option<f64> {
    if let Some(number) = word.strip_suffix("ms") {
        return number.parse().ok();
    }
    word.strip_suffix('s')?.parse::<f64>().ok().map(|seconds| seconds * 1000.0)
}

/// Processes that never rest; they end with this value.
struct Load(Vec<Child>);

impl Load {
    fn start(processes: usize) -> std::io::Result<Load> {
        let program = std::env::current_exe()?;
        let started: std::io::Result<Vec<Child>> =
            (0..processes).map(|_| Command::new(&program).arg(BUSY_WORD).spawn()).collect();
        Ok(Load(started?))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

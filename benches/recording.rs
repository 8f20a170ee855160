//! What recording costs: whole matches of an engine that answers at once, two games at once, with all records, with each
//! alone, and with none; runs alternated, medians.
//! `cargo bench --bench recording -- games=400 runs=5 concurrency=2 affinity=off`

#[path = "support/instant_engine.rs"]
mod instant_engine;
#[path = "support/mating_game.rs"]
mod mating_game;
#[path = "support/measured_run.rs"]
mod measured_run;
#[path = "support/position_line.rs"]
mod position_line;

use std::error::Error;
use std::path::Path;
use std::process::Command;

use measured_run::{Cost, measure};

/// What is recorded, as `output` says it.
const RECORDS: [(&str, &str); 5] = [
    ("no records", "database: null, pgn: null, events: null"),
    ("database", "pgn: null, events: null"),
    ("PGN", "database: null, events: null"),
    ("events", "database: null, pgn: null"),
    ("all records", ""),
];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    if instant_engine::run_if_asked(&args)? || args.iter().any(|arg| arg == "--test") {
        return Ok(());
    }
    let key = |name: &str, default: usize| -> Result<usize, Box<dyn Error>> {
        let prefix = format!("{name}=");
        let value = args.iter().find_map(|arg| arg.strip_prefix(&prefix));
        Ok(value.map(str::parse).transpose()?.unwrap_or(default))
    };
    let (games, runs, concurrency) = (key("games", 400)?, key("runs", 5)?, key("concurrency", 2)?);
    let affinity = args.iter().find_map(|arg| arg.strip_prefix("affinity=")).unwrap_or("off");
    let how = format!("concurrency: {concurrency}\naffinity: {affinity}\n");
    let folder = tempfile::tempdir()?;
    let game = mating_game::game_to_mate(200..=320);
    let moves = folder.path().join("moves");
    std::fs::write(&moves, game.join("\n"))?;
    let engine = format!(
        "[{}, {}, {}]",
        std::env::current_exe()?.display(),
        instant_engine::ENGINE_WORD,
        moves.display()
    );
    let mut costs: [Vec<Cost>; RECORDS.len()] = Default::default();
    for _ in 0..runs {
        for ((_, output), costs) in RECORDS.iter().zip(&mut costs) {
            costs.push(measure(command(folder.path(), &engine, games, &how, output)?)?);
        }
    }
    println!(
        "{games} games of {} plies, {concurrency} at once, affinity {affinity}; medians of {runs} alternated runs",
        game.len()
    );
    let per_ply = 1e6 / (games * game.len()) as f64;
    let without = median(costs[0].iter().map(|cost| cost.wall));
    for ((name, _), costs) in RECORDS.iter().zip(&costs) {
        let wall = median(costs.iter().map(|cost| cost.wall));
        let own = median(costs.iter().map(|cost| cost.own_processor_time));
        println!(
            "{name:12} {:6.2} µs a ply, {:6.2} µs of its own processor time; {:.3} of that without records",
            wall * per_ply,
            own * per_ply,
            wall / without
        );
    }
    Ok(())
}

fn command(
    folder: &Path,
    engine: &str,
    games: usize,
    how: &str,
    output: &str,
) -> Result<Command, Box<dyn Error>> {
    let file = folder.join("match.yaml");
    let text = format!(
        "engines:\n  - {{ name: A, command: {engine} }}\n  - {{ name: B, command: {engine} }}\n\
         defaults: {{ time_control: depth=1 }}\nrounds: {}\n{how}\
         output: {{ dir: out, {output} }}\n",
        games.div_ceil(2),
    );
    std::fs::write(&file, text)?;
    let _ = std::fs::remove_dir_all(folder.join("out"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.arg("run").arg(file).arg("-q");
    Ok(command)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

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
#[path = "support/position_line.rs"]
mod position_line;
#[path = "support/runners.rs"]
mod runners;

use measured_run::{Cost, measure};
use runners::{Control, Match};

struct Plan {
    games: usize,
    runs: usize,
    concurrency: usize,
    plies: std::ops::RangeInclusive<usize>,
    affinities: Vec<&'static str>,
    control: Control,
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
    let program = std::env::current_exe()?.display().to_string();
    let engine = [program, instant_engine::ENGINE_WORD.to_owned(), moves.display().to_string()];
    let wanted = Match {
        folder: folder.path(),
        engines: [&engine, &engine],
        games: plan.games,
        concurrency: plan.concurrency,
        control: plan.control,
    };
    let runners = runners::find(&plan.affinities);
    let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); runners.len()];
    for run in 0..plan.runs {
        for (index, runner) in runners.iter().enumerate() {
            costs[index].push(measure(runner.command(&wanted, run)?)?);
            runner.check(&wanted, run)?;
        }
    }
    let Plan { games, runs, concurrency, .. } = plan;
    println!(
        "{games} games of {} plies, {concurrency} at once; medians of {runs} alternated runs",
        game.len()
    );
    let per_ply = 1e6 / (games * game.len()) as f64;
    let ours = median(costs[0].iter().map(|cost| cost.wall));
    for (runner, costs) in runners.iter().zip(&costs) {
        let wall = median(costs.iter().map(|cost| cost.wall));
        let own = median(costs.iter().map(|cost| cost.own_processor_time)) * per_ply;
        println!(
            "{:22} {:7.2} µs a ply, {own:6.2} µs of its own processor time; the first line is {:.2} of this",
            runner.name,
            wall * per_ply,
            ours / wall
        );
    }
    Ok(())
}

fn read_plan(args: &[String]) -> Result<Plan, Box<dyn std::error::Error>> {
    let mut plan = Plan {
        games: 200,
        runs: 5,
        concurrency: 1,
        plies: 200..=320,
        affinities: vec!["auto", "off"],
        control: Control::named("depth"),
    };
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
            "control" => plan.control = Control::named(value),
            _ => {
                return Err(
                    format!("no key `{key}`: games, runs, concurrency, plies, affinity, control").into()
                );
            }
        }
    }
    plan.games = plan.games.next_multiple_of(2);
    Ok(plan)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

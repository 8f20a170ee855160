//! What a long schedule costs: time and peak memory of `arbiter run --dry-run`, which lays a million games out and writes
//! a line for each of them, in each format. `scripts/bench-schedule.sh` starts it.
//!
//! Argument: about how many games.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};

const CHILD: &str = "measure";

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if let [child, format, games] = args.as_slice()
        && child == CHILD
    {
        return measure(format, games.parse()?);
    }
    let games = args.first().map_or("1000000", String::as_str);
    println!("{:<12} {:>9} {:>9} {:>10}", "format", "games", "time", "peak");
    for format in ["match", "round_robin", "gauntlet", "swiss", "knockout"] {
        // The system tells the greatest of all children, so each has a parent of its own.
        let measured = Command::new(std::env::current_exe()?).args([CHILD, format, games]).status()?;
        if !measured.success() {
            return Err(format!("{format}: {measured}").into());
        }
    }
    Ok(())
}

fn measure(format: &str, games: u64) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("match.yaml");
    std::fs::write(&file, match_file(format, games))?;
    let begun = Instant::now();
    dry_run(&file, Stdio::null())?;
    let time = begun.elapsed().as_secs_f64();
    // Before anything is read: what this process takes while it starts another one is taken for the other's.
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss() as f64 * 1.024 / 1000.0;
    let lines = dry_run(&file, Stdio::piped())?;
    println!("{format:<12} {lines:>9} {time:>7.2} s {peak:>7.1} MB");
    Ok(())
}

fn match_file(format: &str, games: u64) -> String {
    // A Swiss tournament has fewer rounds than engines.
    let engines = match format {
        "match" => 2,
        "swiss" => games.isqrt() + 1,
        _ => 100,
    };
    let games_of_a_round = match format {
        "match" => 2,
        "round_robin" => engines * (engines - 1),
        "swiss" => engines - engines % 2,
        _ => 2 * (engines - 1),
    };
    let names =
        (0..engines).map(|engine| format!("  - {{ name: E{engine}, command: [arbiter, sparring] }}\n"));
    format!(
        "format: {format}\nrounds: {}\nengines:\n{}",
        games.div_ceil(games_of_a_round),
        names.collect::<String>()
    )
}

/// The lines that it printed, where somebody reads them.
fn dry_run(file: &Path, stdout: Stdio) -> Result<usize, Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["run", "--dry-run"])
        .arg(file)
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()?
        .wait_with_output()?;
    if !output.status.success() {
        return Err(output.status.to_string().into());
    }
    Ok(output.stdout.iter().filter(|byte| **byte == b'\n').count())
}

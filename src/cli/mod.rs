//! The command line: what can be asked, and which module answers.

mod adjudication;
mod check;
mod conclusion;
mod ctl;
mod display;
mod entrants;
mod hidden;
mod logging;
mod merge;
mod openings;
mod processors;
mod records;
mod run;
mod schedule;
mod shard;
mod stats;
mod stderr;
mod stored;

use std::io::{BufRead, Write};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::exit_code::Exit;
use crate::judge::args::JudgeArgs;
use crate::tournament::schedule::shard::Shard;
use stderr::tell;

/// The referee between two UCI chess engines: matches that end by the FIDE Laws of Chess.
#[derive(Debug, Parser)]
#[command(name = "arbiter", version, max_term_width = 110, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 done, but a requirement is not met; 2 bad usage or configuration; \
    3 the match could not be played or not be finished; 130 interrupted, finished games are kept.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Play the match or tournament of a file.
    Run(RunArgs),
    /// Validate a match file, start its engines for a handshake, and show what is set; nothing is played.
    Check(CheckArgs),
    Ctl(CtlArgs),
    Judge(JudgeArgs),
    Stats(stats::StatsArgs),
    Merge(merge::MergeArgs),
    /// Show the table of a run: score, ratings, how its games ended.
    Report(stored::ReportArgs),
    /// Print the games of a run.
    Export(stored::ExportArgs),
    /// Show one game of a run: verdict, clock log, the engines' dialogue around the end.
    Show(stored::ShowArgs),
    /// Be the small UCI engine that comes with the program.
    Sparring(SparringArgs),
    /// Become an engine: how this program starts one.
    #[command(hide = true)]
    Launch(hidden::LaunchArgs),
    /// Kill the process groups told on stdin once it closes.
    #[command(hide = true)]
    Watchdog,
}

/// The arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The match file.
    #[arg(value_name = "CONFIG.yaml")]
    config: PathBuf,
    /// Change a setting of the file: `--set rounds=10 --set engines.0.options.Hash=64`.
    #[arg(long = "set", value_name = "PATH.TO.KEY=VALUE")]
    overrides: Vec<String>,
    /// Move the records of an unfinished run aside and start anew.
    #[arg(long)]
    fresh: bool,
    /// Play on where an unfinished run stopped: every game of the schedule is played once.
    #[arg(long, conflicts_with = "fresh")]
    resume: bool,
    /// Play only the 3rd of 16 parts of the schedule, as other machines play the others: the records go to a folder of
    /// its own beside `output.dir`, `match.out.3-of-16`, and `arbiter merge` joins them.
    #[arg(long, value_name = "3/16")]
    shard: Option<Shard>,
    /// Show which games would be played, and play none.
    #[arg(long)]
    dry_run: bool,
    /// Print only the table at the end.
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    logging: LoggingArgs,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The match file.
    #[arg(value_name = "CONFIG.yaml")]
    config: PathBuf,
    /// Change a setting of the file, as for `run`.
    #[arg(long = "set", value_name = "PATH.TO.KEY=VALUE")]
    overrides: Vec<String>,
    #[command(flatten)]
    logging: LoggingArgs,
}

/// Control a run while it is under way.
///
/// `status` tells how it stands, `concurrency=N` plays N games at once from now on, and `finish` begins no new game, plays
/// the running ones to their ends, however long that takes, and stops the run (its exit code is 130).
#[derive(Debug, Args)]
pub struct CtlArgs {
    /// The folder of the run's records (`output.dir`).
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// What is asked: `status`, `finish` or `concurrency=N`.
    #[arg(value_name = "REQUEST")]
    request: crate::control::command::Command,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
}

/// What is logged, and where.
#[derive(Debug, Args)]
pub struct LoggingArgs {
    /// Say more on stderr; twice shows the engines' dialogue.
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Write everything to this file: the whole dialogue of the engines, with timestamps.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// The arguments of `sparring`.
#[derive(Debug, Args)]
pub struct SparringArgs {
    /// Never search deeper than this.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Vary a little among moves of nearly equal worth; 0 always plays the same.
    #[arg(long, default_value_t = 0)]
    seed: u32,
}

/// Does what the command line asks.
pub fn main(cli: Cli) -> Exit {
    match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::check(&args),
        Command::Ctl(args) => ctl::ctl(&args),
        Command::Judge(args) => {
            filter(|stdin, stdout, stderr| crate::judge::args::run(&args, stdin, stdout, stderr))
        }
        Command::Stats(args) => filter(|stdin, stdout, stderr| stats::run(&args, stdin, stdout, stderr)),
        Command::Merge(args) => stored::run(|out| merge::merge(&args, out)),
        Command::Report(args) => stored::run(|out| stored::report(&args, out)),
        Command::Export(args) => stored::run(|out| stored::export(&args, out)),
        Command::Show(args) => stored::run(|out| stored::show(&args, out)),
        Command::Sparring(args) => sparring(&args),
        Command::Launch(args) => hidden::launch(args),
        Command::Watchdog => hidden::watchdog(),
    }
}

/// Runs a command that turns stdin into stdout.
fn filter(
    run: impl FnOnce(&mut dyn BufRead, &mut dyn Write, &mut dyn Write) -> std::io::Result<Exit>,
) -> Exit {
    match run(&mut std::io::stdin().lock(), &mut std::io::stdout().lock(), &mut std::io::stderr()) {
        Ok(exit) => exit,
        // Whoever reads stdout has seen enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Done,
        Err(error) => {
            tell(format_args!("error: {error}\n"));
            Exit::NotPlayed
        }
    }
}

fn sparring(args: &SparringArgs) -> Exit {
    let settings = crate::sparring::SparringSettings { depth: args.depth, seed: u64::from(args.seed) };
    match crate::sparring::run(settings) {
        Ok(()) => Exit::Done,
        Err(error) => {
            tell(format_args!("error: {error}\n"));
            Exit::Usage
        }
    }
}

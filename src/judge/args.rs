//! The command `arbiter judge`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::case::{Case, judge};
use super::json::{NoExtra, error_line, judged_line};
use super::review::JudgeOptions;
use super::{explain, jsonl, pgn_report};
use crate::exit_code::Exit;
use crate::law::policy::DeadPositionRule;

/// Judge games by the Laws, without engines
///
/// What ends a game, when, by which article, what could be claimed, who can still mate.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(after_help = EXIT_CODES)]
pub struct JudgeArgs {
    /// Start position; the initial one if there is none
    #[arg(long, value_name = "FEN", conflicts_with_all = ["pgn", "jsonl"])]
    pub fen: Option<String>,
    /// Moves in UCI notation, separated by blanks
    #[arg(long, value_name = "MOVES", conflicts_with_all = ["pgn", "jsonl"])]
    pub moves: Option<String>,
    /// Chess960: castling is written as king takes rook
    #[arg(long, conflicts_with_all = ["pgn", "jsonl"])]
    pub chess960: bool,
    /// Audit a PGN file (`-` for stdin): every game whose result breaks the Laws, that went on after its end, or that
    /// can't be judged
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    pub pgn: Option<PathBuf>,
    /// Judge cases from stdin, one JSON object a line: {"id": any, "fen": string or null, "moves": ["e2e4", …],
    /// "chess960": bool, "event": {"flag_fall": "white"}}; one object a line on stdout, as soon as it is judged
    #[arg(long)]
    pub jsonl: bool,
    /// Print JSON: one object, or one a game with --pgn
    #[arg(long)]
    pub json: bool,
    /// How dead positions are recognised
    #[arg(long, value_name = "RULE", value_enum, default_value_t)]
    pub dead_position: DeadPositionArg,
    /// Positions to search for each side's mate in the last position [default: 1000000]
    #[arg(long, value_name = "N")]
    pub max_nodes: Option<u64>,
    /// Search every ply in full and report since when the position is dead
    #[arg(long)]
    pub thorough: bool,
    /// Print why a side can't mate
    #[arg(long)]
    pub explain: bool,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  judged
  1  --jsonl: a line could not be judged
     --pgn: a game's result breaks the Laws, or a game could not be judged
  2  bad usage: an option, a FEN or a move that is wrong, a file that can't be opened";

/// `--dead-position`.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeadPositionArg {
    /// Neither side can mate by any series of legal moves
    #[default]
    Exact,
    /// The four material cases
    Material,
    /// Never
    Off,
}

impl JudgeArgs {
    fn options(&self) -> JudgeOptions {
        let standard = JudgeOptions::default();
        JudgeOptions {
            dead_position: match self.dead_position {
                DeadPositionArg::Exact => DeadPositionRule::Exact,
                DeadPositionArg::Material => DeadPositionRule::Material,
                DeadPositionArg::Off => DeadPositionRule::Off,
            },
            max_nodes: self.max_nodes.unwrap_or(standard.max_nodes),
            thorough: self.thorough,
        }
    }

    fn case(&self) -> Case {
        let moves = self.moves.as_deref().unwrap_or_default();
        Case {
            fen: self.fen.clone(),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            chess960: self.chess960,
            event: None,
        }
    }
}

/// Runs the command and returns its exit code.
///
/// # Errors
/// Those of reading and writing. What is wrong with the input is said on `stderr` and in the exit code.
pub fn run(
    args: &JudgeArgs,
    stdin: &mut dyn BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> io::Result<Exit> {
    if args.jsonl {
        let bad_lines = jsonl::run(stdin, stdout, stderr, &args.options())?;
        return Ok(if bad_lines == 0 { Exit::Done } else { Exit::RequirementNotMet });
    }
    match &args.pgn {
        Some(path) => run_pgn(args, path, stdin, stdout, stderr),
        None => run_case(args, stdout, stderr),
    }
}

fn run_pgn(
    args: &JudgeArgs,
    path: &Path,
    stdin: &mut dyn BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> io::Result<Exit> {
    let options = args.options();
    let tally = if path == Path::new("-") {
        pgn_report::run(stdin, args.json, stdout, &options)?
    } else {
        let opened = File::open(path).and_then(|file| {
            if file.metadata()?.is_dir() { Err(io::Error::other("it is a folder")) } else { Ok(file) }
        });
        match opened {
            Ok(file) => {
                pgn_report::run(BufReader::with_capacity(1 << 16, file), args.json, stdout, &options)?
            }
            Err(fault) => {
                writeln!(stderr, "error: failed to open `{}`: {fault}", path.display())?;
                return Ok(Exit::Usage);
            }
        }
    };
    if tally.games == 0 {
        writeln!(stderr, "warning: there is no game in `{}`", path.display())?;
    }
    Ok(if tally.is_clean() { Exit::Done } else { Exit::RequirementNotMet })
}

fn run_case(args: &JudgeArgs, stdout: &mut dyn Write, stderr: &mut dyn Write) -> io::Result<Exit> {
    let case = args.case();
    let judgement = match judge(&case, &args.options()) {
        Ok(judgement) => judgement,
        Err(fault) => {
            writeln!(stderr, "error: {fault}")?;
            if args.json {
                stdout.write_all(&error_line((), &fault.to_string(), NoExtra {})?)?;
            }
            return Ok(Exit::Usage);
        }
    };
    if args.json {
        stdout.write_all(&judged_line((), &judgement, NoExtra {})?)?;
    } else {
        stdout.write_all(explain::text(&judgement, case.moves.len()).as_bytes())?;
        if args.explain {
            stdout.write_all(explain::reasons(&judgement).as_bytes())?;
        }
    }
    stdout.flush()?;
    Ok(Exit::Done)
}

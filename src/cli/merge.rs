//! `arbiter merge`: the shards of a run become the run.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::run::{Refusal, not_played, shown, usage};
use super::stderr::tell;
use super::stored::{self, StoredRun};
use crate::exit_code::Exit;
use crate::platform::descriptors;
use crate::records::database::Database;
use crate::records::merge::{MergeError, Shards};
use crate::statistics::sprt::SprtState;

/// Join the shards of a run, which `run --shard` has played, into the records of the whole run.
///
/// Shards that don't belong together are refused. Missing games are told; the exit code is 1 then. With all games it is that
/// of a run: 0, or 1 where an `sprt` does not accept H1.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// The folder to write `match.db` and `games.pgn` to, with all games in the order of the schedule. It must not be
    /// there yet, or be empty.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// The shards: their folders, or their databases.
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
}

/// `arbiter merge`.
pub(super) fn merge(args: &MergeArgs, out: &mut dyn Write) -> Result<std::io::Result<Exit>, Refusal> {
    let Some((first, others)) = args.shards.split_first() else { return Err(usage("no shard is named")) };
    descriptors::provide_for_databases(args.shards.len()).map_err(not_played)?;
    let shards = Shards::open(first, others)?;
    for warning in shards.warnings() {
        tell(format_args!("warning: {warning}\n"));
    }
    let merged = shards.merge_into(&args.out)?;
    tell(format_args!("merged into {}\n", shown(&args.out).display()));
    let database = Database::open_to_read(&merged.database)?;
    let run = StoredRun::of(&database)?;
    let text = stored::report_text(&database, &run)?;
    let accepted = match run.scoreboard.test().map(|test| test.state()) {
        None | Some(SprtState::H1) => true,
        Some(SprtState::H0 | SprtState::Continue) => false,
    };
    let exit = if merged.complete && accepted { Exit::Done } else { Exit::RequirementNotMet };
    Ok(out.write_all(text.as_bytes()).map(|()| exit))
}

impl From<MergeError> for Refusal {
    fn from(error: MergeError) -> Refusal {
        if error.is_usage() { usage(error) } else { not_played(error) }
    }
}

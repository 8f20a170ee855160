//! Commands that the program gives itself: `launch` becomes an engine, `watchdog` outlives the referee for a moment.

use std::ffi::OsString;
use std::io::Write;
use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use crate::engine::launch::{self, LaunchOrder, Limits};
use crate::engine::watchdog;
use crate::exit_code::Exit;

/// The arguments of `launch`.
#[derive(Debug, Args)]
pub struct LaunchArgs {
    /// The process that the engine must not outlive.
    #[arg(long)]
    parent: u32,
    /// Bytes that it may write to.
    #[arg(long)]
    memory: Option<NonZeroU64>,
    /// Its niceness.
    #[arg(long, allow_negative_numbers = true)]
    niceness: Option<i8>,
    /// The engine and its arguments.
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// Becomes an engine. Where that fails, a line on stdout says so to the referee.
pub fn launch(args: LaunchArgs) -> Exit {
    let LaunchArgs { parent, memory, niceness, command } = args;
    let mut command = command.into_iter();
    let Some(program) = command.next().map(PathBuf::from) else { return Exit::Usage };
    let order = LaunchOrder { parent, limits: Limits { memory, niceness }, program, args: command.collect() };
    if let Some(failure) = launch::carry_out(&order) {
        // A referee that doesn't listen any more needs no answer.
        let _ = writeln!(std::io::stdout(), "{}", failure.line());
    }
    Exit::NotPlayed
}

/// Watches until stdin closes.
pub fn watchdog() -> Exit {
    match watchdog::keep_watch(std::io::stdin().lock()) {
        Ok(()) => Exit::Done,
        // Its stderr is closed: whoever looks finds the exit code.
        Err(_) => Exit::NotPlayed,
    }
}

//! Wiring and exit code only.

use std::process::ExitCode;

use arbiter::cli::{self, Cli};
use clap::Parser;

fn main() -> ExitCode {
    cli::main(Cli::parse()).into()
}

//! Wiring and exit code only.

use std::process::ExitCode;

use arbiter::judge::args::{JudgeArgs, run as judge};
use arbiter::sparring::{SparringSettings, run};
use clap::Parser;

#[derive(Parser)]
enum Command {
    Judge(JudgeArgs),
    Sparring {
        #[arg(long)]
        depth: Option<u32>,
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
}

fn main() -> std::io::Result<ExitCode> {
    match Command::parse() {
        Command::Judge(args) => {
            let code = judge(
                &args,
                &mut std::io::stdin().lock(),
                &mut std::io::stdout().lock(),
                &mut std::io::stderr(),
            )?;
            Ok(ExitCode::from(code))
        }
        Command::Sparring { depth, seed } => {
            run(SparringSettings { depth, seed })?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

//! What a long book costs: time to open it and to draw from it, and the process's peak memory, for each form of the
//! book and each order. Every measurement is a process of its own. `scripts/bench-book.sh` makes the books and starts it.
//!
//! Arguments: the books.

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use arbiter::openings::{Openings, OpeningsSource, OpeningsSpec, Sequence};

const CHILD: &str = "measure";
const DRAWN: u64 = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if let [child, order, book] = args.as_slice()
        && child == CHILD
    {
        return measure(order, book);
    }
    if !args.is_empty() {
        println!("{:<10} {:>9} {:>9} {:>12} {:>10}  book", "order", "openings", "open", "a draw", "peak");
    }
    for book in &args {
        for order in ["sequential", "random"] {
            let measured = Command::new(std::env::current_exe()?).args([CHILD, order, book]).status()?;
            if !measured.success() {
                return Err(format!("{book}: {measured}").into());
            }
        }
    }
    Ok(())
}

fn measure(order: &str, book: &str) -> Result<(), Box<dyn Error>> {
    let sequence = if order == "random" { Sequence::Shuffled(1) } else { Sequence::AsInFile };
    let spec = OpeningsSpec { sequence, ..OpeningsSpec::new(OpeningsSource::File(PathBuf::from(book))) };
    let begun = Instant::now();
    let (mut openings, _) = Openings::open(&spec)?;
    let opened = begun.elapsed();
    let begun = Instant::now();
    for pair in 0..DRAWN {
        openings.opening_for_pair(pair)?;
    }
    let draw = begun.elapsed().as_secs_f64() / DRAWN as f64;
    println!(
        "{order:<10} {:>9} {:>7.2} s {:>9.1} µs {:>7.1} MB  {book}",
        openings.len(),
        opened.as_secs_f64(),
        draw * 1e6,
        peak_memory()? / 1000.0,
    );
    Ok(())
}

/// In thousands of bytes; as the system tells it.
fn peak_memory() -> Result<f64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    let kibibytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kibibytes * 1.024)
}

//! The engine of the timing benchmark: it thinks for a time that differs from move to move, plays the next move of a
//! game laid down in a file, and keeps how long it took by its own clock, from the `go` read to the `bestmove` about
//! to be written.

use std::io::{BufRead, BufReader, Write};
use std::time::{Duration, Instant};

use super::position_line::black_to_move;

/// The program is this engine when it is started with this word, a file of moves and a file for its own times.
pub const ENGINE_WORD: &str = "thinking-engine";

/// Runs the engine if the arguments ask for it.
///
/// # Errors
/// A file can't be read or written, or the pipes break.
pub fn run_if_asked(args: &[String]) -> std::io::Result<bool> {
    let [_, word, moves, times] = args else { return Ok(false) };
    if word != ENGINE_WORD {
        return Ok(false);
    }
    let moves = std::fs::read_to_string(moves)?;
    let moves: Vec<&str> = moves.lines().collect();
    let mut times = std::fs::OpenOptions::new().create(true).append(true).open(times)?;
    let mut input = BufReader::new(std::io::stdin());
    let mut line = String::new();
    let mut ply = None;
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 || line.starts_with("quit") {
            return Ok(true);
        }
        match line.split_whitespace().next() {
            Some("uci") => println!("id name thinking\nuciok"),
            Some("isready") => println!("readyok"),
            Some("ucinewgame") => ply = None,
            Some("position") if ply.is_none() => ply = Some(usize::from(black_to_move(line.as_bytes()))),
            Some("go") => {
                let asked = Instant::now();
                let now = ply.unwrap_or(0);
                think(asked, now);
                let used = asked.elapsed();
                let played = moves.get(now).copied().unwrap_or("0000");
                // One write each, so that no part of an answer is stamped before the rest.
                let answer =
                    format!("info depth 1 score cp 20 time {}\nbestmove {played}\n", used.as_millis());
                std::io::stdout().write_all(answer.as_bytes()).and_then(|()| std::io::stdout().flush())?;
                writeln!(times, "{}", used.as_nanos())?;
                ply = Some(now + 2);
            }
            _ => {}
        }
    }
}

/// One to five milliseconds of work.
fn think(asked: Instant, ply: usize) {
    let time = Duration::from_micros(1000 + (ply as u64 * 7919) % 4000);
    while asked.elapsed() < time {
        std::hint::spin_loop();
    }
}

//! The engine of the overhead benchmarks: it answers each `go` at once with the next move of a game laid down in a
//! file, whatever the runner sends as `position`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use super::position_line::black_to_move;

/// The program is this engine when it is started with this word and a file of moves.
pub const ENGINE_WORD: &str = "instant-engine";

/// Runs the engine if the arguments ask for it.
///
/// # Errors
/// The moves can't be read, or the pipes break.
pub fn run_if_asked(args: &[String]) -> std::io::Result<bool> {
    let [_, word, moves] = args else { return Ok(false) };
    if word != ENGINE_WORD {
        return Ok(false);
    }
    instant_engine(Path::new(moves))?;
    Ok(true)
}

/// The side is read from the first `position` of a game; from then on each `go` is the side's next move. A move that
/// is not legal follows the game's last one, which ends a game that the moves don't.
fn instant_engine(moves: &Path) -> std::io::Result<()> {
    let moves = std::fs::read_to_string(moves)?;
    let answers: Vec<String> =
        moves.lines().map(|line| format!("info depth 1 score cp 20\nbestmove {line}\n")).collect();
    let mut input = BufReader::new(std::io::stdin());
    let mut out = std::io::stdout();
    let mut line = Vec::new();
    let mut next = None;
    let mut blacks_turn = false;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match line.first() {
            Some(b'p') if next.is_none() => blacks_turn = black_to_move(&line),
            Some(b'g') => {
                let ply = next.unwrap_or(usize::from(blacks_turn));
                next = Some(ply + 2);
                out.write_all(answers.get(ply).map_or("bestmove 0000\n", String::as_str).as_bytes())?;
                out.flush()?;
            }
            Some(b'i') => out.write_all(b"readyok\n").and_then(|()| out.flush())?,
            Some(b'u') if line.starts_with(b"ucinewgame") => next = None,
            Some(b'u') => out.write_all(b"id name instant\nuciok\n").and_then(|()| out.flush())?,
            Some(b'q') => return Ok(()),
            _ => {}
        }
    }
}

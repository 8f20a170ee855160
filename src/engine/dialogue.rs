//! The dialogue with one engine process, for the log: each line with the game that it belongs to and a number of its
//! own, so that a stray line can be traced to where it came from.

use tracing::{Level, debug, enabled};

/// Writes the lines of one process to the log target `uci`; without a log it does nothing.
///
/// A line reads `[4711 game 3 #57] Alpha > bestmove e2e4`: the process, the game's number in the schedule (none before
/// the process's first `ucinewgame`), the line's number in the dialogue with this process, both directions together.
#[derive(Debug)]
pub struct Dialogue {
    engine: String,
    process: Option<u32>,
    game: Option<u32>,
    lines: u64,
}

impl Dialogue {
    /// With a process that has just been started.
    pub fn new(engine: &str, process: Option<u32>) -> Dialogue {
        Dialogue { engine: engine.to_owned(), process, game: None, lines: 0 }
    }

    /// What follows belongs to this game.
    pub fn begin_game(&mut self, number: u32) {
        self.game = Some(number);
    }

    /// The referee has sent these commands.
    pub fn sent(&mut self, commands: &[u8]) {
        if enabled!(target: "uci", Level::DEBUG) {
            for command in String::from_utf8_lossy(commands).lines() {
                self.write('<', command);
            }
        }
    }

    /// The engine has said this.
    pub fn heard(&mut self, line: &[u8]) {
        if enabled!(target: "uci", Level::DEBUG) {
            self.write('>', &String::from_utf8_lossy(line));
        }
    }

    fn write(&mut self, direction: char, line: &str) {
        self.lines += 1;
        let place = self.place();
        debug!(target: "uci", "[{place}] {} {direction} {line}", self.engine);
    }

    fn place(&self) -> String {
        let process = self.process.map_or("?".to_owned(), |id| id.to_string());
        match self.game {
            Some(game) => format!("{process} game {game} #{}", self.lines),
            None => format!("{process} start #{}", self.lines),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_25_a_line_tells_its_process_its_game_and_its_number() {
        let mut dialogue = Dialogue::new("Alpha", Some(4711));
        dialogue.write('<', "uci");
        assert_eq!(dialogue.place(), "4711 start #1");
        dialogue.begin_game(3);
        dialogue.write('>', "readyok");
        assert_eq!(dialogue.place(), "4711 game 3 #2");
    }
}

//! The dialogue with one engine process: for the log, each line with the game that it belongs to and a number of its
//! own, so that a stray line can be traced to where it came from; and the last lines as evidence.

use std::time::Instant;

use tracing::{Level, debug, enabled};

use super::dialogue_tail::DialogueTail;

/// Numbers the lines of one process, keeps the last ones, and writes them to the log target `uci` where there is a log.
///
/// A line of the log reads `[4711 game 3 #57] Alpha > bestmove e2e4`: the process, the game's number in the schedule
/// (none before the process's first `ucinewgame`), the line's number in the dialogue with this process, both directions
/// together.
#[derive(Debug)]
pub struct Dialogue {
    engine: String,
    process: Option<u32>,
    game: Option<u32>,
    lines: u64,
    tail: DialogueTail,
}

impl Dialogue {
    /// With a process that has just been started.
    pub fn new(engine: &str, process: Option<u32>) -> Dialogue {
        Dialogue { engine: engine.to_owned(), process, game: None, lines: 0, tail: DialogueTail::default() }
    }

    /// What follows belongs to this game; what was kept before is forgotten.
    pub fn begin_game(&mut self, number: u32) {
        self.game = Some(number);
        self.tail.clear();
    }

    /// The referee sends these commands, each with its line end.
    pub fn sent(&mut self, commands: &[u8]) {
        let at = Instant::now();
        let logged = enabled!(target: "uci", Level::DEBUG);
        let mut rest = commands;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let command = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            self.lines += 1;
            self.tail.sent(self.lines, at, command);
            if logged {
                self.write('<', command);
            }
        }
    }

    /// The engine has said this, which was read then.
    pub fn heard(&mut self, line: &[u8], read_at: Instant) {
        self.lines += 1;
        if !line.is_empty() {
            self.tail.said(self.lines, read_at, line);
        }
        if enabled!(target: "uci", Level::DEBUG) {
            self.write('>', line);
        }
    }

    /// The last lines since the game began.
    pub fn tail(&self) -> &DialogueTail {
        &self.tail
    }

    fn write(&self, direction: char, line: &[u8]) {
        let place = self.place();
        debug!(target: "uci", "[{place}] {} {direction} {}", self.engine, String::from_utf8_lossy(line));
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
    use crate::engine::dialogue_tail::Extent;

    #[test]
    fn p_25_a_line_tells_its_process_its_game_and_its_number() {
        let mut dialogue = Dialogue::new("Alpha", Some(4711));
        dialogue.sent(b"uci\n");
        assert_eq!(dialogue.place(), "4711 start #1");
        dialogue.begin_game(3);
        dialogue.heard(b"readyok", Instant::now());
        assert_eq!(dialogue.place(), "4711 game 3 #2");
    }

    #[test]
    fn the_last_lines_of_a_game_have_the_numbers_of_the_log() {
        let mut dialogue = Dialogue::new("Alpha", None);
        dialogue.sent(b"uci\n");
        dialogue.heard(b"uciok", Instant::now());
        dialogue.begin_game(1);
        dialogue.sent(b"position startpos\ngo depth 1\n");
        dialogue.heard(b"", Instant::now());
        dialogue.heard(b"bestmove e2e4", Instant::now());
        let lines = dialogue.tail().lines(Instant::now(), Extent::Whole);
        let told: Vec<(Option<u64>, &str)> =
            lines.iter().map(|line| (line.number, line.text.as_str())).collect();
        assert_eq!(
            told,
            [(Some(3), "position startpos"), (Some(4), "go depth 1"), (Some(6), "bestmove e2e4")]
        );
    }
}

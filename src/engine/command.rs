//! What is said to an engine: `position` and `go`, which the protocol library can't write in full, and the plain
//! commands, which it can.

use std::io::Write;

use vampirc_uci::UciMessage;

/// The text of `position`, built move by move, so that a long game costs no more per ply than a short one.
#[derive(Clone, Debug)]
pub struct PositionCommand {
    text: Vec<u8>,
    has_moves: bool,
}

impl PositionCommand {
    /// The initial position, or a FEN.
    pub fn new(fen: Option<&str>) -> PositionCommand {
        let text = fen
            .map_or_else(|| b"position startpos".to_vec(), |fen| format!("position fen {fen}").into_bytes());
        PositionCommand { text, has_moves: false }
    }

    /// Appends a move in UCI notation.
    pub fn push(&mut self, uci: &str) {
        if !self.has_moves {
            self.text.extend_from_slice(b" moves");
            self.has_moves = true;
        }
        self.text.push(b' ');
        self.text.extend_from_slice(uci.as_bytes());
    }

    /// The command without line end.
    pub fn as_bytes(&self) -> &[u8] {
        &self.text
    }
}

/// One side's clock as `go` tells it, in whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideClock {
    /// What the next move may take before the flag falls, rounded down, at least 1.
    pub remaining_ms: u64,
    /// What each move brings anew.
    pub increment_ms: u64,
}

/// What `go` tells: absent values are not sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// White's clock.
    pub white: Option<SideClock>,
    /// Black's clock.
    pub black: Option<SideClock>,
    /// Moves that the searching side has to make before the next period, itself included.
    pub moves_to_go: Option<u32>,
    /// Milliseconds for this move.
    pub move_time_ms: Option<u64>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Depth limit in plies.
    pub depth: Option<u32>,
    /// Moves within which a mate is to be found.
    pub mate: Option<u32>,
}

/// Appends `go …` and a line end.
pub fn write_go(text: &mut Vec<u8>, limits: &SearchLimits) {
    text.extend_from_slice(b"go");
    write_limits(text, limits);
}

/// Appends `go ponder …` and a line end: the same limits, which hold once the ponder move is made.
pub fn write_go_ponder(text: &mut Vec<u8>, limits: &SearchLimits) {
    text.extend_from_slice(b"go ponder");
    write_limits(text, limits);
}

fn write_limits(text: &mut Vec<u8>, limits: &SearchLimits) {
    let increments = [limits.white, limits.black].into_iter().flatten().any(|clock| clock.increment_ms > 0);
    let white_increment = limits.white.filter(|_| increments).map(|clock| clock.increment_ms);
    let black_increment = limits.black.filter(|_| increments).map(|clock| clock.increment_ms);
    let parts = [
        (" wtime ", limits.white.map(|clock| clock.remaining_ms)),
        (" btime ", limits.black.map(|clock| clock.remaining_ms)),
        (" winc ", white_increment),
        (" binc ", black_increment),
        (" movestogo ", limits.moves_to_go.map(u64::from)),
        (" movetime ", limits.move_time_ms),
        (" nodes ", limits.nodes),
        (" depth ", limits.depth.map(u64::from)),
        (" mate ", limits.mate.map(u64::from)),
    ];
    let mut bare = true;
    for (word, value) in parts {
        if let Some(value) = value {
            bare = false;
            text.extend_from_slice(word.as_bytes());
            // Writing to a vector can't fail.
            let _ = write!(text, "{value}");
        }
    }
    if bare {
        text.extend_from_slice(b" infinite");
    }
    text.push(b'\n');
}

/// A plain command (`uci`, `isready`, `ucinewgame`, `stop`, `quit`) with its line end.
pub fn plain(message: &UciMessage) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

/// `setoption` with a value, or for a button without one, which the library would write as `value <empty>`.
pub fn set_option(name: &str, value: Option<&str>) -> Vec<u8> {
    match value {
        Some(value) => plain(&UciMessage::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }),
        None => format!("setoption name {name}\n").into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(limits: SearchLimits) -> String {
        let mut text = Vec::new();
        write_go(&mut text, &limits);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn go_carries_what_is_set_and_nothing_else() {
        let clock = |remaining_ms, increment_ms| Some(SideClock { remaining_ms, increment_ms });
        let cases = [
            (
                SearchLimits { white: clock(5100, 100), black: clock(1, 0), ..SearchLimits::default() },
                "go wtime 5100 btime 1 winc 100 binc 0\n",
            ),
            (
                SearchLimits {
                    white: clock(60_000, 0),
                    black: clock(59_000, 0),
                    moves_to_go: Some(300),
                    ..SearchLimits::default()
                },
                "go wtime 60000 btime 59000 movestogo 300\n",
            ),
            (SearchLimits { move_time_ms: Some(100), ..SearchLimits::default() }, "go movetime 100\n"),
            (
                SearchLimits { nodes: Some(20_000), depth: Some(8), ..SearchLimits::default() },
                "go nodes 20000 depth 8\n",
            ),
            (
                SearchLimits { white: clock(5, 0), mate: Some(3), ..SearchLimits::default() },
                "go wtime 5 mate 3\n",
            ),
            (SearchLimits::default(), "go infinite\n"),
        ];
        for (limits, expected) in cases {
            assert_eq!(go(limits), expected);
            let mut ponder = Vec::new();
            write_go_ponder(&mut ponder, &limits);
            assert_eq!(String::from_utf8(ponder).unwrap(), expected.replacen("go", "go ponder", 1));
        }
    }

    #[test]
    fn p_14_one_position_command_holds_every_move() {
        let mut position = PositionCommand::new(None);
        assert_eq!(position.as_bytes(), b"position startpos");
        position.push("e2e4");
        position.push("e7e5");
        assert_eq!(position.as_bytes(), b"position startpos moves e2e4 e7e5");
        let fen = PositionCommand::new(Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        assert_eq!(fen.as_bytes(), b"position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    }

    #[test]
    fn p_23_a_button_has_no_value() {
        assert_eq!(set_option("Clear Hash", None), b"setoption name Clear Hash\n");
        assert_eq!(set_option("Hash", Some("16")), b"setoption name Hash value 16\n");
        assert_eq!(plain(&UciMessage::UciNewGame), b"ucinewgame\n");
    }
}

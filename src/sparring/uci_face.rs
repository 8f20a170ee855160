//! The UCI protocol as text: lines to commands, results to lines.

use std::fmt::Write as _;
use std::time::Duration;

use shakmaty::{CastlingMode, Move, uci::UciMove};

use super::game_line::Base;
use super::search::{Choice, Progress};
use super::time_use::SearchLimits;
use super::tree::{MATE, MATE_BOUND};

/// A line from the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `setoption name … [value …]`
    SetOption {
        /// As written.
        name: String,
        /// Absent for a button.
        value: Option<String>,
    },
    /// `position startpos|fen … [moves …]`
    Position {
        /// Where the line begins.
        base: Base,
        /// The moves as written, separated by single spaces.
        moves: String,
    },
    /// `go …`
    Go(Box<SearchLimits>),
    /// `ponderhit`
    PonderHit,
    /// `stop`
    Stop,
    /// `quit`
    Quit,
    /// `debug`, `register`, an empty line: understood, without effect here.
    WithoutEffect,
    /// Nothing that UCI knows.
    Unknown(String),
}

impl Command {
    /// Reads a line. As the protocol asks, unknown words before a command are skipped.
    pub fn parse(line: &str) -> Command {
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            return match word {
                "uci" => Command::Uci,
                "isready" => Command::IsReady,
                "ucinewgame" => Command::NewGame,
                "setoption" => parse_option(words),
                "position" => parse_position(words),
                "go" => Command::Go(Box::new(parse_go(words))),
                "ponderhit" => Command::PonderHit,
                "stop" => Command::Stop,
                "quit" => Command::Quit,
                "debug" | "register" => Command::WithoutEffect,
                _ => continue,
            };
        }
        match line.trim() {
            "" => Command::WithoutEffect,
            unknown => Command::Unknown(unknown.to_owned()),
        }
    }
}

fn parse_option<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let words: Vec<&str> = words.skip_while(|&word| word == "name").collect();
    let split = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let value = words.get(split + 1..).map(|value| value.join(" "));
    Command::SetOption { name: words[..split].join(" "), value }
}

fn parse_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Command {
    let mut fen = Vec::new();
    let standard = match words.next() {
        Some("startpos") => true,
        Some("fen") | None => false,
        Some(first) => {
            fen.push(first);
            false
        }
    };
    for word in words.by_ref().take_while(|&word| word != "moves") {
        fen.push(word);
    }
    let base = if standard { Base::StartPosition } else { Base::Fen(fen.join(" ")) };
    let mut moves = String::new();
    for word in words {
        if !moves.is_empty() {
            moves.push(' ');
        }
        moves.push_str(word);
    }
    Command::Position { base, moves }
}

/// A limit whose number is missing or unreadable doesn't hold.
fn parse_go<'a>(words: impl Iterator<Item = &'a str>) -> SearchLimits {
    let mut words = words.peekable();
    let mut limits = SearchLimits::default();
    while let Some(word) = words.next() {
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                while let Some(Ok(chess_move)) = words.peek().map(|word| word.parse::<UciMove>()) {
                    limits.search_moves.push(chess_move);
                    words.next();
                }
            }
            _ => {
                if let Some(Ok(number)) = words.peek().map(|word| word.parse::<i64>()) {
                    set_number(&mut limits, word, number);
                }
            }
        }
    }
    limits
}

fn set_number(limits: &mut SearchLimits, word: &str, number: i64) {
    let number = u64::try_from(number).unwrap_or(0);
    let count = u32::try_from(number).unwrap_or(u32::MAX);
    let time = Duration::from_millis(number);
    match word {
        "wtime" => limits.clocks.white.remaining = Some(time),
        "btime" => limits.clocks.black.remaining = Some(time),
        "winc" => limits.clocks.white.increment = time,
        "binc" => limits.clocks.black.increment = time,
        "movestogo" => limits.moves_to_go = Some(count),
        "movetime" => limits.move_time = Some(time),
        "nodes" => limits.nodes = Some(number),
        "depth" => limits.depth = Some(count),
        "mate" => limits.mate = Some(count),
        _ => {}
    }
}

/// The `info` line of a result.
pub fn info_line(progress: &Progress<'_>, mode: CastlingMode) -> String {
    let milliseconds = progress.elapsed.as_millis();
    let microseconds = progress.elapsed.as_micros().max(1);
    let nodes_per_second = u128::from(progress.nodes) * 1_000_000 / microseconds;
    let mut line = format!(
        "info depth {} seldepth {} score {} nodes {} nps {nodes_per_second} hashfull {} time {milliseconds}",
        progress.depth,
        progress.selective_depth,
        score_text(progress.score),
        progress.nodes,
        progress.permill_full,
    );
    if !progress.line.is_empty() {
        line.push_str(" pv");
        for &chess_move in progress.line {
            let _ = write!(line, " {}", UciMove::from_move(chess_move, mode)); // a String takes everything
        }
    }
    line
}

/// `cp` or `mate`, the latter in moves, negative for the side that is mated.
pub fn score_text(score: i32) -> String {
    match score {
        MATE_BOUND.. => format!("mate {}", (MATE - score + 1) / 2),
        score if score <= -MATE_BOUND => format!("mate {}", -(MATE + score) / 2),
        score => format!("cp {score}"),
    }
}

/// The `bestmove` line; `0000` where there is no move.
pub fn best_move_line(choice: Choice, mode: CastlingMode) -> String {
    let text = |chess_move: Move| UciMove::from_move(chess_move, mode).to_string();
    match (choice.best.map(text), choice.ponder.map(text)) {
        (None, _) => "bestmove 0000".to_owned(),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(line: &str) -> SearchLimits {
        match Command::parse(line) {
            Command::Go(limits) => *limits,
            other => panic!("{other:?}"),
        }
    }

    proptest::proptest! {
        #[test]
        fn no_line_breaks_the_parser(line in "(go|position|setoption|name|value|fen|moves|depth|searchmoves|[ -~]{0,4}| ){0,9}") {
            let _ = Command::parse(&line);
        }
    }

    #[test]
    fn plain_commands() {
        for (line, command) in [
            ("uci", Command::Uci),
            ("  isready\r\n", Command::IsReady),
            ("joho ucinewgame", Command::NewGame),
            ("debug on", Command::WithoutEffect),
            ("", Command::WithoutEffect),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
            ("make tea", Command::Unknown("make tea".to_owned())),
        ] {
            assert_eq!(Command::parse(line), command, "{line}");
        }
    }

    #[test]
    fn options_with_spaces_and_buttons() {
        let option = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        let parse = Command::parse;
        assert_eq!(parse("setoption name Move Overhead value 20"), option("Move Overhead", Some("20")));
        assert_eq!(parse("setoption name Clear Hash"), option("Clear Hash", None));
        assert_eq!(parse("setoption"), option("", None));
    }

    #[test]
    fn positions() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        for (line, base, moves) in [
            ("position startpos", Base::StartPosition, ""),
            ("position  startpos moves e2e4  e7e5", Base::StartPosition, "e2e4 e7e5"),
            (&format!("position fen {fen}"), Base::Fen(fen.to_owned()), ""),
            (&format!("position fen {fen} moves e1g1"), Base::Fen(fen.to_owned()), "e1g1"),
        ] {
            assert_eq!(Command::parse(line), Command::Position { base, moves: moves.to_owned() }, "{line}");
        }
    }

    #[test]
    fn go_with_everything() {
        let all = limits(
            "go wtime 1000 btime -5 winc 50 binc 60 movestogo 3 depth 4 nodes 5 mate 6 movetime 7 \
             ponder infinite searchmoves e2e4 d2d4",
        );
        assert_eq!(all.clocks.white.remaining, Some(Duration::from_millis(1000)));
        assert_eq!(all.clocks.black.remaining, Some(Duration::ZERO));
        assert_eq!(all.clocks.white.increment, Duration::from_millis(50));
        assert_eq!(all.clocks.black.increment, Duration::from_millis(60));
        assert_eq!((all.moves_to_go, all.depth, all.nodes, all.mate), (Some(3), Some(4), Some(5), Some(6)));
        assert_eq!(all.move_time, Some(Duration::from_millis(7)));
        assert!(all.ponder && all.infinite);
        assert_eq!(all.search_moves.len(), 2);
        assert_eq!(limits("go searchmoves e2e4 depth 3").depth, Some(3));
        assert_eq!(limits("go depth many nodes"), SearchLimits::default());
    }

    #[test]
    fn scores_in_the_words_of_the_protocol() {
        for (score, text) in [
            (0, "cp 0"),
            (-35, "cp -35"),
            (MATE - 1, "mate 1"),
            (MATE - 3, "mate 2"),
            (2 - MATE, "mate -1"),
            (4 - MATE, "mate -2"),
            (-MATE, "mate 0"),
        ] {
            assert_eq!(score_text(score), text);
        }
    }
}

//! The end of the dialogue with each engine, as a finished game keeps it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use arbiter::engine::dialogue_tail::{DialogueLine, Direction, FEW};
use arbiter::game::record::GameRecord;
use arbiter::tournament::dispatcher::RunEnd;
use arbiter::tournament::entrant::Entrant;
use arbiter::tournament::event::{Event, Sink};

use crate::support::in_process::{self, entrant};
use crate::support::{FOOLS_MATE, SCHOLARS_MATE};

#[derive(Default)]
struct Kept(Mutex<Vec<GameRecord>>);

impl Sink for Kept {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        if let Event::GameEnded(record) = event {
            self.0.lock().unwrap().push((*record).clone());
        }
        Ok(())
    }
}

/// Two games, the second with colours reversed.
fn play(alpha: Entrant, beta: Entrant) -> Vec<GameRecord> {
    let kept = Arc::new(Kept::default());
    let sink: Arc<dyn Sink> = Arc::clone(&kept) as _;
    let result = in_process::play([alpha, beta], 1, 1, sink);
    assert_eq!(result.end, RunEnd::Finished);
    let records = std::mem::take(&mut *kept.0.lock().unwrap());
    assert_eq!(records.len(), 2);
    records
}

fn playing(name: &str, rules: &[&str]) -> Entrant {
    entrant(name, &[&["--moves", SCHOLARS_MATE], rules].concat())
}

/// `< isready`, without numbers and times.
fn told(lines: &[DialogueLine]) -> Vec<String> {
    lines.iter().map(|line| format!("{} {}", line.direction.mark(), line.text)).collect()
}

fn in_order(lines: &[DialogueLine]) -> bool {
    lines.is_sorted_by_key(|line| line.at)
        && lines.iter().filter_map(|line| line.number).collect::<Vec<_>>().is_sorted()
}

#[test]
fn an_illegal_move_is_shown_with_the_position_that_it_answers() {
    let records = play(playing("Alpha", &["--on", "go@2", "instead:bestmove e1e8"]), playing("Beta", &[]));
    let [first, second] = &records[..] else { panic!() };
    assert_eq!(first.verdict.reason().name(), "illegal_move");
    let white = told(&first.dialogue.white);
    assert_eq!(
        white,
        [
            "< ucinewgame",
            "< isready",
            "> readyok",
            "< position startpos",
            "< go nodes 100",
            "> info depth 1 score cp 0 nodes 1 pv e2e4",
            "> bestmove e2e4",
            "< position startpos moves e2e4 e7e5",
            "< go nodes 100",
            "> bestmove e1e8"
        ]
    );
    assert!(in_order(&first.dialogue.white) && in_order(&first.dialogue.black));
    let numbers: Vec<u64> = first.dialogue.white.iter().filter_map(|line| line.number).collect();
    assert!(numbers[0] > 1 && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{numbers:?}");
    assert!(first.dialogue.white[0].at.is_negative(), "it was told of the game before that began");
    assert!(!first.dialogue.white[3].at.is_negative());
    // The opponent's side is there too, and nothing of the last game in the next one.
    assert_eq!(told(&first.dialogue.black).last().unwrap(), "> bestmove e7e5");
    for lines in second.dialogue.iter() {
        let games = told(lines).iter().filter(|line| *line == "< ucinewgame").count();
        assert!(games <= 1 && lines.len() <= 3 * FEW, "{lines:?}");
    }
}

#[test]
fn a_crash_is_shown_with_the_last_words_on_stderr() {
    let crash =
        ["--on", "go@2", "stderr:17", "--on", "go@2", "print:info string goodbye", "--on", "go@2", "die:3"];
    let records = play(playing("Alpha", &crash), playing("Beta", &[]));
    let lines = &records[0].dialogue.white;
    assert_eq!(records[0].verdict.reason().name(), "disconnect");
    let stderr: Vec<&DialogueLine> =
        lines.iter().filter(|line| line.direction == Direction::Stderr).collect();
    assert_eq!(stderr.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["a word on stderr"; 2]);
    assert!(stderr.iter().all(|line| line.number.is_none() && !line.at.is_negative()));
    assert!(told(lines).contains(&"> info string goodbye".to_owned()), "{lines:?}");
    assert!(in_order(lines));
    assert!(records[0].dialogue.black.iter().all(|line| line.direction != Direction::Stderr));
}

#[test]
fn a_late_answer_is_shown_with_its_time() {
    let mut late = playing("Alpha", &["--on", "go@2", "sleep:400"]);
    late.rules.time_control = "movetime=100ms".parse().unwrap();
    let records = play(late, playing("Beta", &[]));
    let lines = &records[0].dialogue.white;
    assert_eq!(records[0].verdict.reason().name(), "flag_fall");
    let told = told(lines);
    let asked = told.iter().rposition(|line| line == "< go movetime 100").unwrap();
    assert_eq!(told[asked + 1..], ["< stop", "> info depth 1 score cp 0 nodes 1 pv d1h5", "> bestmove d1h5"]);
    let after = |line: usize| (lines[line].at - lines[asked].at).unsigned_abs();
    assert!(after(asked + 1) >= Duration::from_millis(100) && after(asked + 3) >= Duration::from_millis(400));
}

#[test]
fn a_flood_leaves_few_lines_and_what_was_asked() {
    let flood = [
        "--on",
        "go@2",
        "lines:20000",
        "--on",
        "go@2",
        "text-lines:5000",
        "--on",
        "go@2",
        "instead:bestmove a1a1",
    ];
    let records = play(playing("Alpha", &flood), playing("Beta", &[]));
    let lines = &records[0].dialogue.white;
    assert!(lines.len() <= 40, "{}", lines.len());
    let told = told(lines);
    for kept in ["< position startpos moves e2e4 e7e5", "< go nodes 100", "> bestmove a1a1"] {
        assert!(told.contains(&kept.to_owned()), "{told:?}");
    }
    assert!(lines.last().unwrap().number.unwrap() > 25_000);
}

#[test]
fn an_ordinary_end_keeps_a_few_lines_of_each_side() {
    let flood = ["--on", "go", "lines:100", "--on", "go", "stderr:500"];
    let records = play(playing("Alpha", &flood), playing("Beta", &flood));
    for lines in records.iter().flat_map(|record| record.dialogue.iter()) {
        assert!((8..=4 * FEW).contains(&lines.len()), "{lines:?}");
        let told = told(lines);
        assert!(told.iter().any(|line| line.starts_with("< position")), "{told:?}");
        assert!(told.iter().any(|line| line.starts_with("> bestmove")), "{told:?}");
    }
}

#[test]
fn an_engine_that_does_not_come_back_leaves_its_last_words() {
    // It dies at the end of the first game, and its second process before that has begun.
    let mortal = [
        "--moves",
        FOOLS_MATE,
        "--on",
        "ucinewgame:2#1",
        "die:1",
        "--on",
        "isready#2",
        "print:sorry",
        "--on",
        "isready#2",
        "die:2",
    ];
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log").display().to_string();
    let beta = entrant("Beta", &[&mortal[..], &["--log", &log]].concat());
    let records = play(entrant("Alpha", &["--moves", FOOLS_MATE]), beta);
    let last = &records[1];
    assert_eq!((last.verdict.reason().name(), last.names.white.as_str()), ("disconnect", "Beta"));
    let told = told(&last.dialogue.white);
    assert_eq!(told.first().unwrap(), "< uci");
    assert_eq!(told[told.len() - 2..], ["< isready", "> sorry"]);
    assert_eq!(last.dialogue.black, [], "Alpha has not been told of this game");
}

//! Scripted dialogues with the whole engine.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use super::*;

const PATIENCE: Duration = Duration::from_secs(20);

/// What the engine wrote, shared with the script that waits for it.
#[derive(Clone, Default)]
struct Transcript(Arc<(Mutex<String>, Condvar)>);

impl Transcript {
    fn text(&self) -> String {
        self.0.0.lock().unwrap().clone()
    }

    /// Waits for a line that begins like this after `offset`; returns where to look on.
    fn wait_for(&self, beginning: &str, offset: usize) -> Option<usize> {
        let find = |text: &str| {
            let mut position = offset;
            text[offset..].split_inclusive('\n').find_map(|line| {
                position += line.len();
                line.starts_with(beginning).then_some(position)
            })
        };
        let (text, changed) = &*self.0;
        let guard = text.lock().unwrap();
        let (guard, _) = changed.wait_timeout_while(guard, PATIENCE, |text| find(text).is_none()).unwrap();
        find(&guard)
    }
}

impl Write for Transcript {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.lock().unwrap().push_str(&String::from_utf8_lossy(bytes));
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum Step {
    Send(&'static str),
    Expect(&'static str),
}
use Step::{Expect, Send};

/// The other side: sends lines, and holds back the next until the answer is there.
struct Script {
    steps: std::vec::IntoIter<Step>,
    transcript: Transcript,
    offset: usize,
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.steps.next() {
                None => return Ok(0),
                Some(Send(line)) => {
                    let line = format!("{line}\n");
                    buffer[..line.len()].copy_from_slice(line.as_bytes());
                    return Ok(line.len());
                }
                Some(Expect(beginning)) => match self.transcript.wait_for(beginning, self.offset) {
                    Some(offset) => self.offset = offset,
                    None => {
                        self.transcript.write_all(format!("MISSING: {beginning}\n").as_bytes())?;
                        return Ok(0);
                    }
                },
            }
        }
    }
}

fn converse(settings: SparringSettings, steps: Vec<Step>) -> String {
    let transcript = Transcript::default();
    let script = Script { steps: steps.into_iter(), transcript: transcript.clone(), offset: 0 };
    serve(settings, script, transcript.clone()).unwrap();
    let text = transcript.text();
    assert!(!text.contains("MISSING"), "{text}");
    text
}

#[test]
fn handshake() {
    let text = converse(
        SparringSettings { depth: Some(2), seed: 5 },
        vec![Send("uci"), Expect("uciok"), Send("isready"), Expect("readyok"), Send("quit")],
    );
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        text.starts_with(&format!("id name Arbiter Sparring {version}\nid author the Arbiter developers\n"))
    );
    assert_eq!(text.lines().filter(|line| line.starts_with("option name ")).count(), 7);
}

#[test]
fn ready_and_stop_are_answered_during_a_search() {
    let text = converse(
        SparringSettings::default(),
        vec![
            Send("position startpos moves e2e4"),
            Send("go infinite"),
            Expect("info depth 3 "),
            Send("isready"),
            Expect("readyok"),
            Send("position startpos"),
            Send("stop"),
            Expect("bestmove "),
            Send("go depth 1"),
            Expect("bestmove "),
            Send("stop"),
            Send("quit"),
        ],
    );
    assert_eq!(text.matches("bestmove").count(), 2);
}

#[test]
fn ponder_then_hit() {
    converse(
        SparringSettings::default(),
        vec![
            Send("position startpos moves e2e4 e7e5"),
            Send("go ponder wtime 200 btime 200"),
            Expect("info depth 2 "),
            Send("ponderhit"),
            Expect("bestmove "),
        ],
    );
}

#[test]
fn quit_and_end_of_input_end_a_search() {
    for steps in [vec![Send("go infinite"), Send("quit")], vec![Send("go infinite")]] {
        let text = converse(SparringSettings::default(), steps);
        assert_eq!(text.matches("bestmove").count(), 1, "{text}");
    }
}

#[test]
fn faults_are_named_and_survived() {
    converse(
        SparringSettings { depth: Some(1), seed: 0 },
        vec![
            Send("hello there"),
            Expect("info string unknown command hello there"),
            Send("setoption name Hash value 0"),
            Expect("info string Hash must be a number from 1 to 1024; unchanged"),
            Send("position startpos moves e2e4 e2e4"),
            Expect("info string illegal move e2e4"),
            Send("go searchmoves e2e4 depth 1"),
            Expect("info string no legal move among searchmoves, considering all"),
            Expect("bestmove "),
            Send("position fen nonsense"),
            Expect("info string unusable fen: "),
            Send("go depth 30"),
            Expect("info depth 1 "),
            Expect("bestmove "),
        ],
    );
}

#[test]
fn chess960_castling_is_written_as_king_takes_rook() {
    let castle = "go depth 1 searchmoves e1h1";
    converse(
        SparringSettings::default(),
        vec![
            Send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
            Send(castle),
            Expect("bestmove e1g1"),
            Send("setoption name UCI_Chess960 value true"),
            Send(castle),
            Expect("bestmove e1h1"),
            Send("position fen 5k2/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1"),
            Send("go depth 2"),
            Expect("bestmove f8"),
        ],
    );
}

#[test]
fn settings_out_of_range_are_refused() {
    for settings in [
        SparringSettings { depth: Some(0), seed: 0 },
        SparringSettings { depth: Some(65), seed: 0 },
        SparringSettings { depth: None, seed: u64::MAX },
    ] {
        let error = serve(settings, io::empty(), io::sink()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
}

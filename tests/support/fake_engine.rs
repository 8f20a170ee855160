//! A scripted UCI engine for tests: it plays a given list of moves and misbehaves where it is told to.
//!
//! ```text
//! --moves "e2e4 e7e5 …"   answers the nth move where n moves stand in the position line
//! --scores "0 -13 m3 -"   the score sent with each of these moves (`-`: none); the last one holds on
//! --no-info               no `info` lines at all
//! --ponder                names the list's next move as its ponder move
//! --option LINE           an option line of the handshake, repeatable
//! --crlf, --bytewise      line ends; every byte written by itself
//! --ignore-quit, --ignore-term
//! --log FILE              appends every line received, and how it was started
//! --marker TEXT           ignored: finds its processes again
//! --on TRIGGER ACTION     repeatable, see below
//! ```
//!
//! Triggers are `start`, `eof`, the commands (`uci`, `isready`, `ucinewgame`, `position`, `go`, `stop`, `quit`, …),
//! `WORD:n` for the nth time in this process, and `go@n` with n moves in the position line; each with `/g` after it for
//! the gth game of this process (0: before the first one), and `#n` at the end for the nth process that writes to the
//! same log. `go ponder` counts as the word `ponder`, and has no usual answer; `ponder`, `ponderhit` and `stop` have
//! triggers with `@n` as well. Every rule of a trigger applies, in order, around the usual answer; a line in the file
//! `LOG.did` tells of it:
//!
//! ```text
//! print:TEXT  then:TEXT   lines before and after the answer; with `\n`, `\t`, `\0`, `\xNN`
//! raw:TEXT                bytes before the answer, without line end
//! instead:TEXT            these lines are the answer
//! nothing                 no answer
//! then-die:CODE           the answer and the end, in one write
//! starts-after:MS         begins so late: it prints a line then, and loses `stop` and `ponderhit` that come before
//! ```
//!
//! and all that `fake_engine/misdeeds.rs` lists. What it does depends only on its arguments and on what it is sent.

#![allow(clippy::unwrap_used, reason = "a test engine may end by a panic")]

#[path = "fake_engine/misdeeds.rs"]
mod misdeeds;
#[path = "fake_engine/replay.rs"]
mod replay;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, Write};
use std::process::{Command, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[derive(Default)]
struct Script {
    moves: Vec<String>,
    scores: Vec<String>,
    no_info: bool,
    ponder: bool,
    options: Vec<String>,
    crlf: bool,
    bytewise: bool,
    ignore_quit: bool,
    ignore_term: bool,
    log: Option<File>,
    /// Where the rules are told that applied.
    did: Option<File>,
    /// Which process of those with the same log this is, from 1.
    process: usize,
    marker: String,
    rules: Vec<(String, String)>,
}

struct Engine {
    script: Script,
    seen: HashMap<String, u32>,
    /// Moves in the position line.
    ply: usize,
    /// A `go` that has no answer yet.
    owed: bool,
    /// Its search has begun.
    begun: Arc<AtomicBool>,
}

/// No test lasts as long: an engine that is forgotten ends by itself.
const LIFETIME: Duration = Duration::from_secs(300);

fn main() {
    let mut script = Script::read(std::env::args().skip(1));
    if script.ignore_term {
        ignore_sigterm();
    }
    script.log_start();
    let mut engine =
        Engine { script, seen: HashMap::new(), ply: 0, owed: false, begun: Arc::new(true.into()) };
    engine.happens(&["start".to_owned()], String::new());
    for line in std::io::stdin().lock().split(b'\n') {
        let line = String::from_utf8_lossy(&line.unwrap()).into_owned();
        engine.script.write_log(&line);
        engine.receive(&line);
    }
    engine.happens(&["eof".to_owned()], String::new());
    if engine.script.ignore_quit {
        linger();
    }
}

impl Script {
    fn read(mut args: impl Iterator<Item = String>) -> Script {
        let mut script = Script::default();
        while let Some(arg) = args.next() {
            let words = |text: Option<String>| -> Vec<String> {
                text.unwrap().split_ascii_whitespace().map(str::to_owned).collect()
            };
            match arg.as_str() {
                "--linger" => linger(),
                "--moves" => script.moves = words(args.next()),
                "--scores" => script.scores = words(args.next()),
                "--no-info" => script.no_info = true,
                "--ponder" => script.ponder = true,
                "--option" => script.options.push(args.next().unwrap()),
                "--crlf" => script.crlf = true,
                "--bytewise" => script.bytewise = true,
                "--ignore-quit" => script.ignore_quit = true,
                "--ignore-term" => script.ignore_term = true,
                "--log" => {
                    let path = args.next().unwrap();
                    let open = |path: &str| File::options().create(true).append(true).open(path).unwrap();
                    let mut log = open(&path);
                    // Processes that start at the same time are counted one after another.
                    log.lock().unwrap();
                    let earlier = std::fs::read_to_string(&path).unwrap();
                    script.process = earlier.lines().filter(|line| *line == "# start").count() + 1;
                    log.write_all(b"# start\n").unwrap();
                    log.unlock().unwrap();
                    script.log = Some(log);
                    script.did = Some(open(&format!("{path}.did")));
                }
                "--marker" => script.marker = args.next().unwrap(),
                "--on" => script.rules.push((args.next().unwrap(), args.next().unwrap())),
                other => panic!("unknown argument {other}"),
            }
        }
        script
    }

    fn log_start(&mut self) {
        let directory = std::env::current_dir().unwrap();
        self.write_log(&format!("# dir {}", directory.display()));
        for (name, value) in std::env::vars().filter(|(name, _)| name.starts_with("FAKE_")) {
            self.write_log(&format!("# env {name}={value}"));
        }
    }

    fn write_log(&mut self, line: &str) {
        if let Some(log) = &mut self.log {
            log.write_all(format!("{line}\n").as_bytes()).unwrap();
        }
    }

    fn write_did(&self, rule: &(String, String)) {
        if let Some(mut did) = self.did.as_ref() {
            did.write_all(format!("{} {}\n", rule.0, rule.1).as_bytes()).unwrap();
        }
    }

    fn score(&self, ply: usize) -> Option<String> {
        let score = self.scores.get(ply).or(self.scores.last()).map_or("0", String::as_str);
        match (score, score.strip_prefix('m')) {
            ("-", _) => None,
            (_, Some(moves)) => Some(format!("score mate {moves}")),
            (centipawns, None) => Some(format!("score cp {centipawns}")),
        }
    }
}

impl Engine {
    fn receive(&mut self, line: &str) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some(word) = words.first().map(|word| (*word).to_owned()) else { return };
        if matches!(word.as_str(), "stop" | "ponderhit") && !self.begun.load(Ordering::SeqCst) {
            return;
        }
        let word = if words.starts_with(&["go", "ponder"]) { "ponder".to_owned() } else { word };
        let mut triggers = vec![word.clone(), self.count(&word)];
        let answer = match word.as_str() {
            "uci" => {
                let options = self.script.options.iter().map(|option| format!("{option}\n"));
                format!("id name Fake\nid author Nobody\n{}uciok\n", options.collect::<String>())
            }
            "isready" => "readyok\n".to_owned(),
            "position" => {
                let moves = words.iter().skip_while(|word| **word != "moves").skip(1);
                self.ply = moves.count();
                String::new()
            }
            "go" | "ponder" | "ponderhit" | "stop" => {
                if word != "stop" {
                    misdeeds::end_flood();
                }
                self.owed |= word == "go" || word == "ponder";
                triggers.push(format!("{word}@{}", self.ply));
                if self.owed && word != "ponder" { self.search_answer() } else { String::new() }
            }
            _ => String::new(),
        };
        self.happens(&triggers, answer);
        if word == "quit" && !self.script.ignore_quit {
            exit(0);
        }
    }

    /// Counts a command and returns its numbered trigger.
    fn count(&mut self, word: &str) -> String {
        let seen = self.seen.entry(word.to_owned()).or_default();
        *seen += 1;
        format!("{word}:{seen}")
    }

    fn search_answer(&self) -> String {
        let played = self.script.moves.get(self.ply).map_or("0000", String::as_str);
        let info = if self.script.no_info {
            String::new()
        } else {
            let score = self.script.score(self.ply).map_or(String::new(), |score| score + " ");
            format!("info depth 1 {score}nodes 1 pv {played}\n")
        };
        match self.script.moves.get(self.ply + 1) {
            Some(next) if self.script.ponder => format!("{info}bestmove {played} ponder {next}\n"),
            _ => format!("{info}bestmove {played}\n"),
        }
    }

    /// Begins its search so late.
    fn start_late(&self, late: Duration) {
        let begun = Arc::clone(&self.begun);
        begun.store(false, Ordering::SeqCst);
        std::thread::spawn(move || {
            std::thread::sleep(late);
            begun.store(true, Ordering::SeqCst);
            println!("info depth 1");
        });
    }

    /// Does what the rules for these triggers say, around the answer.
    fn happens(&mut self, triggers: &[String], mut answer: String) {
        let rules = self.rules_for(triggers);
        let (mut tail, mut ending) = (Vec::new(), None);
        let mut replaced = None;
        for rule in &rules {
            let (action, value) = rule.split_once(':').unwrap_or((rule, ""));
            match action {
                "print" => self.say(&[unescaped(value), b"\n".to_vec()].concat()),
                "raw" => self.say(&unescaped(value)),
                "instead" => replaced = Some([unescaped(value), b"\n".to_vec()].concat()),
                "nothing" => answer.clear(),
                "then" => tail.extend([unescaped(value), b"\n".to_vec()].concat()),
                "then-die" => ending = Some(value.parse().unwrap()),
                "starts-after" => self.start_late(Duration::from_millis(value.parse().unwrap())),
                other => misdeeds::act(self, other, value),
            }
        }
        let mut answer = replaced.unwrap_or_else(|| answer.into_bytes());
        if answer.windows(8).any(|word| word == b"bestmove") {
            self.owed = false;
        }
        answer.extend(tail);
        self.say(&answer);
        if let Some(code) = ending {
            exit(code);
        }
    }

    /// The actions of the rules that apply, in order.
    fn rules_for(&self, triggers: &[String]) -> Vec<String> {
        let process = self.script.process.to_string();
        let game = self.seen.get("ucinewgame").copied().unwrap_or(0).to_string();
        let applies = |on: &str| {
            let (on, only_in) = on.split_once('#').unwrap_or((on, &process));
            let (trigger, only_game) = on.split_once('/').unwrap_or((on, &game));
            let here = only_in == process && only_game == game;
            here && triggers.iter().any(|happened| happened == trigger)
        };
        let applying: Vec<_> = self.script.rules.iter().filter(|(on, _)| applies(on)).collect();
        applying.iter().for_each(|rule| self.script.write_did(rule));
        applying.into_iter().map(|(_, action)| action.clone()).collect()
    }

    fn say(&self, text: &[u8]) {
        let mut bytes = text.to_vec();
        if self.script.crlf {
            bytes = String::from_utf8(bytes).unwrap().replace('\n', "\r\n").into_bytes();
        }
        let piece = if self.script.bytewise { 1 } else { bytes.len().max(1) };
        bytes.chunks(piece).for_each(write_out);
    }
}

/// Writes to stdout, and ends where nobody reads it. Nothing stays in the buffer.
fn write_out(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn linger() -> ! {
    std::thread::sleep(LIFETIME);
    exit(0);
}

/// Starts itself again by a shell that ignores the signal, which is inherited.
fn ignore_sigterm() {
    if std::env::var_os("FAKE_TERM_IGNORED").is_none() {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' TERM; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
        misdeeds::live_on(command.args(std::env::args().skip(1)).env("FAKE_TERM_IGNORED", "1"));
    }
}

/// Text with `\n`, `\r`, `\t`, `\0` and `\xNN` as bytes.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next().unwrap() {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'0' => 0,
            b'x' => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            other => other,
        });
    }
    bytes
}

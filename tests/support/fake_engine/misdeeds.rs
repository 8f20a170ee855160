//! What the scripted engine does wrong, action by action:
//!
//! ```text
//! sleep:MS                waits before the answer
//! spin:MS                 the same, but wants a processor all the while
//! die:CODE  signal:NAME   ends, or gets the signal, now
//! later:MS:ACTION         does something of this list after a while, beside all else
//! close-stdout  close-stdin   lives on without it, deaf
//! close-stderr  drop-stdout   goes on without it
//! ignore-term             heeds SIGTERM no more
//! deaf                    reads nothing any more
//! flood:TEXT  flood-raw   prints for ever: lines, or bytes without a line end
//! flood-until-go:TEXT     prints on as fast as it can, beside all else, until it is to search again
//! bytes:N  lines:N        prints so many bytes without line end, or `info` lines
//! text-lines:N            prints so many lines that are not UCI
//! options:N               declares so many options
//! long-lines:N:HEAD|MORE  prints so many lines of 900 KiB that begin with one text and repeat the other
//! token:N                 `bestmove` with a token of so many bytes
//! bytewise:US:TEXT        prints this line, a byte each so many microseconds
//! stderr:BYTES            writes as much to stderr
//! child                   starts a process that outlives this one, with its pipes
//! daemon:FILE             starts one in a session of its own, with its pipes, that ends when the file is gone
//! child-says:MS:TEXT      starts one that prints a line after a while
//! join-group              leaves its process group for its parent's
//! allocate:MIB            takes so much memory and writes to it
//! wait-for:FILE           waits until there is such a file
//! pid:FILE                writes its process number
//! outlive:FILE            waits until the process whose number that is has ended or is stopped
//! replay:FILE  replay-next:FOLDER  see `replay.rs`
//! ```

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Engine, LIFETIME, linger, replay, unescaped, write_out};

/// A flood of `flood-until-go` is to end.
static ENOUGH: AtomicBool = AtomicBool::new(false);

/// Ends a flood that goes on beside all else.
pub fn end_flood() {
    ENOUGH.store(true, Ordering::SeqCst);
}

/// Does one thing of the list.
pub fn act(engine: &Engine, action: &str, value: &str) {
    match action {
        "flood" => loop {
            engine.say(&[unescaped(value), b"\n".to_vec()].concat().repeat(100));
        },
        "flood-raw" => loop {
            engine.say(&[b'x'; 4096]);
        },
        "flood-until-go" => {
            let text = [unescaped(value), b"\n".to_vec()].concat().repeat(1000);
            ENOUGH.store(false, Ordering::SeqCst);
            aside(move || {
                while !ENOUGH.load(Ordering::SeqCst) {
                    write_out(&text);
                    // Leaves the lock to whoever wants to answer.
                    std::thread::sleep(Duration::from_micros(50));
                }
            });
        }
        "bytewise" => {
            let (pause, text) = timed(value, Duration::from_micros);
            for byte in [unescaped(text), b"\n".to_vec()].concat() {
                engine.say(&[byte]);
                std::thread::sleep(pause);
            }
        }
        "child" => start(&mut lingering(engine)),
        "close-stdout" => live_on(lingering(engine).stdout(Stdio::null())),
        "close-stdin" => live_on(lingering(engine).stdin(Stdio::null())),
        "replay" => replay::play(std::path::Path::new(value)),
        "replay-next" => replay::play_next(value, engine.script.process),
        "later" => {
            let (pause, action) = timed(value, Duration::from_millis);
            let action = action.to_owned();
            aside(move || {
                std::thread::sleep(pause);
                let (action, value) = action.split_once(':').unwrap_or((&action, ""));
                act_alone(action, value);
            });
        }
        other => act_alone(other, value),
    }
}

/// What needs no engine.
fn act_alone(action: &str, value: &str) {
    match action {
        "sleep" => std::thread::sleep(Duration::from_millis(value.parse().unwrap())),
        "spin" => {
            let (start, time) = (Instant::now(), Duration::from_millis(value.parse().unwrap()));
            while start.elapsed() < time {}
        }
        "deaf" => linger(),
        "die" => exit(value.parse().unwrap()),
        "signal" => signal_itself(value),
        "print" => write_out(&[unescaped(value), b"\n".to_vec()].concat()),
        "ignore-term" => {
            nix::sys::signal::SigSet::from(nix::sys::signal::Signal::SIGTERM).thread_block().unwrap();
        }
        "close-stderr" => nix::unistd::close(2).unwrap(),
        "drop-stdout" => nix::unistd::close(1).unwrap(),
        "bytes" => {
            // Nothing else comes in between.
            let mut out = std::io::stdout().lock();
            let written = (0..number(value) / 4096).all(|_| out.write_all(&[b'x'; 4096]).is_ok());
            if !written {
                exit(0);
            }
        }
        "lines" => write_out("info depth 2 nodes 99 pv e2e4\n".repeat(number(value)).as_bytes()),
        "options" => {
            let line = |option| format!("option name Option{option} type spin default 1 min 0 max 9\n");
            write_out((1..=number(value)).map(line).collect::<String>().as_bytes());
        }
        "text-lines" => write_out("eval 0.35 ordering 12 razor 3\n".repeat(number(value)).as_bytes()),
        "long-lines" => {
            let (number, text) = value.split_once(':').unwrap();
            let (head, more) = text.split_once('|').unwrap();
            let line = format!("{head}{}\n", more.repeat((900 << 10) / more.len()));
            (0..number.parse().unwrap()).for_each(|_: u32| write_out(line.as_bytes()));
        }
        "token" => write_out(format!("bestmove {}\n", "x".repeat(number(value))).as_bytes()),
        "stderr" => {
            let text = "a word on stderr\n".repeat(number(value) / 17 + 1);
            std::io::stderr().write_all(text.as_bytes()).unwrap();
        }
        "child-says" => {
            let (pause, text) = timed(value, Duration::from_millis);
            let seconds = format!("{:.3}", pause.as_secs_f64());
            start(Command::new("sh").args(["-c", "sleep $0; echo \"$1\"", &seconds, text]));
        }
        "daemon" => {
            let shell = "while [ -e \"$0\" ]; do sleep 0.05; done";
            start(Command::new("setsid").args(["sh", "-c", shell, value]));
        }
        "join-group" => {
            let group = nix::unistd::getpgid(Some(nix::unistd::getppid())).unwrap();
            nix::unistd::setpgid(nix::unistd::Pid::from_raw(0), group).unwrap();
        }
        "allocate" => {
            let memory = vec![1_u8; number(value) << 20];
            std::hint::black_box(&memory);
        }
        "wait-for" => {
            while !std::path::Path::new(value).exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        "pid" => std::fs::write(value, std::process::id().to_string()).unwrap(),
        "outlive" => {
            let stat = format!("/proc/{}/stat", std::fs::read_to_string(value).unwrap());
            let runs = |stat: String| {
                stat.rsplit(')').next().is_some_and(|state| !state.trim_start().starts_with(['Z', 'T', 'X']))
            };
            while std::fs::read_to_string(&stat).is_ok_and(runs) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        other => panic!("unknown action {other}"),
    }
}

fn number(value: &str) -> usize {
    value.parse().unwrap()
}

/// `NUMBER:REST`
fn timed(value: &str, unit: fn(u64) -> Duration) -> (Duration, &str) {
    let (number, rest) = value.split_once(':').unwrap();
    (unit(number.parse().unwrap()), rest)
}

fn aside(work: impl FnOnce() + Send + 'static) {
    let whole = move || {
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err() {
            // A mistake in a script must not pass for an engine that does nothing wrong.
            exit(101);
        }
    };
    std::thread::spawn(whole);
}

fn signal_itself(name: &str) {
    let signal: nix::sys::signal::Signal = format!("SIG{name}").parse().unwrap();
    // The standard library takes the first SIGSEGV for a possible stack overflow and looks away. A second one counts
    // only when the first has been delivered.
    for _ in 0..2 {
        nix::sys::signal::kill(nix::unistd::getpid(), signal).unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(LIFETIME);
}

#[expect(clippy::zombie_processes, reason = "a child that nobody waits for is what some tests want")]
fn start(command: &mut Command) {
    command.spawn().unwrap();
}

/// This program again, doing nothing, found by the same marker.
fn lingering(engine: &Engine) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    // The marker stands first: arguments after `--linger` are not read.
    command.args(["--marker", &engine.script.marker, "--linger"]);
    command
}

/// Becomes another program, with one of its streams closed.
pub fn live_on(command: &mut Command) -> ! {
    panic!("{}", command.exec());
}

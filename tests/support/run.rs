//! The program as a child process.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use super::outcome::{Outcome, parse_events};

/// Only a program that hangs takes so long.
const HANG: Duration = Duration::from_secs(180);

/// A run of the program that is under way.
pub struct Running {
    dir: TempDir,
    child: Child,
    marker: String,
}

impl Running {
    pub fn start(dir: TempDir, args: Vec<String>, marker: String) -> Running {
        let file = |name: &str| File::create(dir.path().join(name)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_arbiter"))
            .args(args)
            .current_dir(dir.path())
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn()
            .unwrap();
        Running { dir, child, marker }
    }

    /// Waits for an event of the run.
    pub fn wait_for(&mut self, wanted: impl Fn(&Value) -> bool) {
        let path = self.dir.path().join("match.out/events.jsonl");
        self.wait_until(|| parse_events(&fs::read_to_string(&path).unwrap_or_default()).iter().any(&wanted));
    }

    /// Waits for a line in the log of a scripted engine.
    pub fn wait_for_line(&mut self, engine: &str, wanted: &str) {
        let path = self.dir.path().join(format!("{engine}.log"));
        self.wait_until(|| fs::read_to_string(&path).unwrap_or_default().lines().any(|line| line == wanted));
    }

    /// Waits until a scripted engine has been sent so many commands of this kind.
    pub fn wait_for_commands(&mut self, engine: &str, word: &str, number: usize) {
        let path = self.dir.path().join(format!("{engine}.log"));
        let sent = |text: String| text.lines().filter(|line| line.split(' ').next() == Some(word)).count();
        self.wait_until(|| sent(fs::read_to_string(&path).unwrap_or_default()) >= number);
    }

    fn wait_until(&mut self, happened: impl Fn() -> bool) {
        let start = Instant::now();
        while !happened() {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none() && start.elapsed() < HANG, "it did not happen; the program: {ended:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The folder of the match file.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), signal).unwrap();
    }

    /// Sends a signal again and again: two that come at once may count as one.
    pub fn signal_until_it_ends(&mut self, signal: Signal) {
        for _ in 0..100 {
            self.signal(signal);
            std::thread::sleep(Duration::from_millis(300));
            if self.child.try_wait().unwrap().is_some() {
                return;
            }
        }
        panic!("it does not end");
    }

    /// A file of the run as it is now.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.dir.path().join(name)).unwrap()
    }

    /// Ends the program without a chance to clear up.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn expect_no_engine(&self) {
        let left = processes_with(&self.marker);
        assert!(left.is_empty(), "engines are left: {left:?}");
    }

    pub fn finish(mut self) -> Outcome {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > HANG {
                self.child.kill().unwrap();
                panic!("the program hangs: {}", fs::read_to_string(self.dir.path().join("stderr")).unwrap());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let code = status.code().unwrap_or_else(|| panic!("ended by signal {:?}", status.signal()));
        self.expect_no_engine();
        Outcome::read(self.dir, code)
    }
}

/// Processes that have this argument, zombies not counted (they have no arguments any more).
pub fn processes_with(marker: &str) -> Vec<String> {
    let look = || -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok());
        let arguments = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        let texts = arguments.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        texts.filter(|text| text.split('\0').any(|arg| arg == marker)).collect()
    };
    // A killed process needs a moment to go.
    let start = Instant::now();
    loop {
        let left = look();
        if left.is_empty() || start.elapsed() > Duration::from_secs(5) {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

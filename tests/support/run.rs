//! The program as a child process.

use std::fs::{self, File};
use std::ops::{Deref, DerefMut};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use super::outcome::{Outcome, parse_events};
use super::processes::{Process, processes_with};

/// Only a program that hangs takes so long.
const HANG: Duration = Duration::from_secs(180);

/// A run of the program that is under way.
pub struct Running {
    dir: TempDir,
    child: Program,
    marker: String,
}

/// The child process, which goes with a test that fails.
struct Program(Child);

impl Deref for Program {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It has ended already, unless the test failed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    pub fn start(dir: TempDir, args: Vec<String>, marker: String) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        command.args(args);
        let outputs = ["stdout", "stderr"].map(|name| File::create(dir.path().join(name)).unwrap().into());
        Running::start_command(dir, command, outputs, marker)
    }

    /// Starts the program in a shell that does something first.
    pub fn start_after(shell: &str, dir: TempDir, args: Vec<String>, marker: String) -> Running {
        let mut command = Command::new("bash");
        let line = format!("{shell}; exec \"$0\" \"$@\"");
        command.args(["-c", &line, env!("CARGO_BIN_EXE_arbiter")]).args(args);
        let outputs = ["stdout", "stderr"].map(|name| File::create(dir.path().join(name)).unwrap().into());
        Running::start_command(dir, command, outputs, marker)
    }

    /// `outputs`: stdout and stderr.
    pub fn start_command(
        dir: TempDir,
        mut command: Command,
        [stdout, stderr]: [Stdio; 2],
        marker: String,
    ) -> Running {
        let child = command
            .current_dir(dir.path())
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .spawn()
            .unwrap();
        Running { dir, child: Program(child), marker }
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

    /// Waits until a file of the run has what is looked for.
    pub fn wait_until_file_has(&mut self, name: &str, wanted: impl Fn(&str) -> bool) {
        let path = self.dir.path().join(name);
        self.wait_until(|| wanted(&fs::read_to_string(&path).unwrap_or_default()));
    }

    /// Waits until a scripted engine has been sent so many commands of this kind.
    pub fn wait_for_commands(&mut self, engine: &str, word: &str, number: usize) {
        let path = self.dir.path().join(format!("{engine}.log"));
        let sent = |text: String| text.lines().filter(|line| line.split(' ').next() == Some(word)).count();
        self.wait_until(|| sent(fs::read_to_string(&path).unwrap_or_default()) >= number);
    }

    /// Waits while the program runs.
    pub fn wait_until(&mut self, happened: impl Fn() -> bool) {
        self.wait_for_some(|_| happened().then_some(()));
    }

    /// Looks again and again while the program runs, and once after that, until there is something to be seen.
    pub fn wait_for_some<T>(&mut self, look: impl Fn(&Running) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            let ended = self.child.try_wait().unwrap();
            if let Some(seen) = look(self) {
                return seen;
            }
            assert!(ended.is_none() && start.elapsed() < HANG, "it did not happen; the program: {ended:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until so many processes of the scripted engines are there, none of them still being launched.
    pub fn wait_for_engines(&mut self, number: usize) -> Vec<Process> {
        self.wait_for_some(|run| {
            let engines = run.engines();
            let launched = engines.iter().all(|engine| !engine.args.contains(&"launch".to_owned()));
            (engines.len() == number && launched).then_some(engines)
        })
    }

    /// The process of the program.
    pub fn id(&self) -> i32 {
        self.child.id().try_into().unwrap()
    }

    /// The folder of the match file.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.id()), signal).unwrap();
    }

    /// Its scripted engines and what they have started.
    pub fn engines(&self) -> Vec<Process> {
        Process::with_argument(&self.marker)
    }

    /// The watchdog, once it is one.
    pub fn watchdog(&mut self) -> Process {
        self.wait_for_some(|run| {
            Process::children_of(run.id()).into_iter().find(|child| child.name == "engine-watchdog")
        })
    }

    /// Lets an engine go on that waits for this file.
    pub fn let_go(&self, name: &str) {
        fs::write(self.dir.path().join(name), "").unwrap();
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

    /// The folder of the match file.
    pub fn path(&self) -> &Path {
        self.dir.path()
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

    /// Lets it run for a while, then kills it, if `kill`; its folder then, or what it left if it had ended before.
    pub fn kill_after(mut self, time: Duration, kill: bool) -> Result<Outcome, TempDir> {
        std::thread::sleep(time);
        if !kill || self.child.try_wait().unwrap().is_some() {
            return Ok(self.finish());
        }
        self.kill();
        self.wait_for_no_engine();
        Err(self.dir)
    }

    /// Waits for the engines of a run that was killed.
    pub fn wait_for_no_engine(&self) {
        let start = Instant::now();
        while !processes_with(&self.marker).is_empty() {
            assert!(start.elapsed() < HANG, "engines outlive a run that was killed");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Runs the match file in the same folder again, after the program was killed.
    pub fn start_again(self, args: &[&str]) -> Running {
        let args = ["run", "match.yaml"].into_iter().chain(args.iter().copied());
        Running::start(self.dir, args.map(str::to_owned).collect(), self.marker)
    }

    /// Runs the program beside it, in the same folder.
    pub fn command(&self, args: &[&str]) -> std::process::Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        command.current_dir(self.dir.path()).args(args).stdin(Stdio::null()).output().unwrap()
    }

    pub fn expect_no_engine(&self) {
        let left = processes_with(&self.marker);
        assert!(left.is_empty(), "engines are left: {left:?}");
    }

    pub fn finish(self) -> Outcome {
        self.finish_watched(|| ())
    }

    /// Looks at it again and again until it ends.
    pub fn finish_watched(mut self, mut look: impl FnMut()) -> Outcome {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            look();
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

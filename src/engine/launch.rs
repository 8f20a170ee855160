//! How an engine's process is started: this program starts itself once more, which ties the new process to the
//! referee, limits it, and becomes the engine.
//!
//! Why a program in between: all that has to be set in the new process before the engine runs. The other way,
//! `pre_exec`, is unsafe code, and has the standard library `fork` where it uses `posix_spawn` otherwise: every page of a
//! referee with games under way would be copied at its next write, on the clocks of those games. The price is a
//! millisecond or two at each start, and a line on stdout where the engine can't be executed ([`LaunchFailure`]).

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::process::Program;
use crate::platform::become_program::become_program;
use crate::platform::own_process::{self, Parent};

/// What an engine's process may have; `None`: what this program may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory that it can write to, for each process.
    pub memory: Option<NonZeroU64>,
    /// Niceness, -20 to 19.
    pub niceness: Option<i8>,
}

/// This program, started to become an engine.
#[derive(Clone, Debug)]
pub struct Launcher {
    path: PathBuf,
}

/// What the launched program is to do before it becomes the engine.
#[derive(Clone, Debug)]
pub struct LaunchOrder {
    /// The process that it must not outlive.
    pub parent: u32,
    /// What it may have.
    pub limits: Limits,
    /// The engine, a path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl Launcher {
    /// The running program, which has to know the command `launch`.
    ///
    /// # Errors
    /// The system doesn't tell which file it is.
    pub fn this_program() -> io::Result<Launcher> {
        // On Linux this is the running file even where another one has taken its place since.
        let itself = PathBuf::from("/proc/self/exe");
        let path = if itself.exists() { itself } else { std::env::current_exe()? };
        Ok(Launcher { path })
    }

    /// The file to execute.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn command(&self, program: &Program) -> Command {
        let mut command = Command::new(&self.path);
        command.arg("launch").arg(format!("--parent={}", std::process::id()));
        if let Some(memory) = program.limits.memory {
            command.arg(format!("--memory={memory}"));
        }
        if let Some(niceness) = program.limits.niceness {
            command.arg(format!("--niceness={niceness}"));
        }
        command.arg("--").arg(&program.path);
        command
    }
}

/// The command that starts a program, with its arguments, environment and place, by a launcher where there is one.
///
/// # Errors
/// Limits are asked for, and there is no launcher to set them.
pub fn command(program: &Program, launcher: Option<&Launcher>) -> io::Result<Command> {
    let mut command = match launcher {
        Some(launcher) => launcher.command(program),
        None if program.limits == Limits::default() => Command::new(&program.path),
        None => return Err(io::Error::other("there is no launcher to set its limits")),
    };
    command
        .args(&program.args)
        .current_dir(&program.dir)
        .envs(program.env.iter().map(|(key, value)| (key, value)));
    Ok(command)
}

/// The launched program's part: sets what is ordered and becomes the engine. Returns only what went wrong; `None` where
/// the referee is gone, so that there is nobody to tell.
pub fn carry_out(order: &LaunchOrder) -> Option<LaunchFailure> {
    match own_process::end_with_parent(order.parent) {
        Ok(Parent::Alive) => {}
        Ok(Parent::Gone) => return None,
        // The watchdog is there for this as well.
        Err(error) => eprintln!("this engine may outlive the referee: {error}"),
    }
    // In this order: where memory is short, nothing else has to be done any more.
    if let Some(niceness) = order.limits.niceness
        && let Err(error) = own_process::set_niceness(niceness)
    {
        return Some(LaunchFailure::at(Step::Niceness, &error));
    }
    if let Some(memory) = order.limits.memory
        && let Err(error) = own_process::limit_memory(memory)
    {
        return Some(LaunchFailure::at(Step::Memory, &error));
    }
    Some(LaunchFailure::at(Step::Program, &become_program(&order.program, &order.args)))
}

/// What kept the launched program from becoming the engine. It is the only line on its stdout then, in place of the
/// engine's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchFailure {
    step: Step,
    /// The system's number of the error.
    errno: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Niceness,
    Memory,
    Program,
}

const STEPS: [(Step, &str); 3] =
    [(Step::Niceness, "niceness"), (Step::Memory, "memory"), (Step::Program, "program")];

/// How its line begins.
const LINE: &str = "arbiter launch failed:";

impl LaunchFailure {
    fn at(step: Step, error: &io::Error) -> LaunchFailure {
        LaunchFailure { step, errno: error.raw_os_error().unwrap_or(nix::libc::EINVAL) }
    }

    /// The line that tells it, without its end.
    pub fn line(self) -> String {
        let step = STEPS.iter().find(|(step, _)| *step == self.step).map_or("", |(_, word)| word);
        format!("{LINE} {step} {}", self.errno)
    }

    /// Reads the line; `None` if it is another.
    pub fn read(line: &[u8]) -> Option<LaunchFailure> {
        let line = std::str::from_utf8(line).ok()?;
        let (word, errno) = line.strip_prefix(LINE)?.trim().split_once(' ')?;
        let (step, _) = STEPS.iter().find(|(_, step)| *step == word)?;
        Some(LaunchFailure { step: *step, errno: errno.parse().ok()? })
    }

    /// The same for a message, after "could not be started".
    pub fn words(self, program: &Program) -> String {
        let error = io::Error::from_raw_os_error(self.errno);
        match (self.step, program.limits) {
            (Step::Niceness, Limits { niceness: Some(niceness), .. }) => {
                let hint = if niceness < 0 { "; below 0 it needs privileges" } else { "" };
                format!("the niceness {niceness} was refused: {error}{hint}")
            }
            (Step::Memory, Limits { memory: Some(memory), .. }) => {
                format!("the memory limit of {memory} bytes was refused: {error}")
            }
            _ => refusal_words(program, &error),
        }
    }
}

/// Why the system did not start a program, and what its words leave open.
pub fn refusal_words(program: &Program, error: &io::Error) -> String {
    let missing = error.kind() == ErrorKind::NotFound;
    if missing && !program.dir.is_dir() {
        return format!("its folder {} is not there: {error}", program.dir.display());
    }
    let hint = if error.raw_os_error() == Some(nix::libc::ENOEXEC) {
        "; it is no program (a script begins with a line such as `#!/bin/sh`)"
    } else if missing && program.path.exists() {
        "; the file is there, but not the interpreter that its first line names"
    } else {
        ""
    };
    format!("{}: {error}{hint}", program.path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        Program {
            path: PathBuf::from("/no/engine"),
            args: vec!["a b".to_owned()],
            dir: PathBuf::from("/"),
            env: Vec::new(),
            limits: Limits { memory: NonZeroU64::new(1 << 20), niceness: Some(-5) },
        }
    }

    #[test]
    fn a_failure_comes_back_as_it_was_sent() {
        for (step, _) in STEPS {
            let failure = LaunchFailure { step, errno: 13 };
            assert_eq!(LaunchFailure::read(failure.line().as_bytes()), Some(failure));
        }
        for other in [
            "uciok",
            "arbiter launch failed:",
            "arbiter launch failed: program",
            "arbiter launch failed: x 2",
        ] {
            assert_eq!(LaunchFailure::read(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn failures_are_told_in_the_systems_words() {
        for (step, errno, words) in [
            (Step::Program, 2, "/no/engine: No such file"),
            (Step::Program, 8, "it is no program"),
            (Step::Niceness, 13, "the niceness -5 was refused: Permission denied"),
            (Step::Memory, 1, "the memory limit of 1048576 bytes was refused"),
        ] {
            let told = LaunchFailure { step, errno }.words(&program());
            assert!(told.contains(words), "{told}");
        }
        let elsewhere = Program { dir: PathBuf::from("/no/folder"), ..program() };
        let told = LaunchFailure { step: Step::Program, errno: 2 }.words(&elsewhere);
        assert!(told.contains("its folder /no/folder is not there"), "{told}");
    }

    #[test]
    fn limits_are_never_left_out() {
        assert!(command(&program(), None).is_err());
        assert!(command(&Program { limits: Limits::default(), ..program() }, None).is_ok());
    }
}

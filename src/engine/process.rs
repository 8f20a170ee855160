//! An engine's process: started in a group of its own, ended with all it started.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::standard_error::StandardError;
use crate::platform::process_group::{ProcessGroup, Signalled};

/// What is started: program, arguments, place.
#[derive(Clone, Debug)]
pub struct Program {
    /// Looked up on PATH, or a path.
    pub path: PathBuf,
    /// Its arguments, passed without a shell.
    pub args: Vec<String>,
    /// Its working directory.
    pub dir: PathBuf,
    /// Variables added to the inherited environment.
    pub env: Vec<(String, String)>,
}

/// A running engine process. Dropping it ends the whole group.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    group: Option<ProcessGroup>,
    /// What it writes to stderr.
    pub stderr: StandardError,
}

/// How an engine's process came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// It ended by itself within the time it was given.
    pub by_itself: bool,
    /// Processes that it had started were still there.
    pub left_children: bool,
}

/// How long a killed process may take to go.
const KILL_PATIENCE: Duration = Duration::from_secs(5);

impl EngineProcess {
    /// Starts the program with pipes on all three streams.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn start(name: &str, program: &Program) -> std::io::Result<(EngineProcess, ChildStdin, ChildStdout)> {
        let (stderr_reader, stderr_writer) = std::io::pipe()?;
        let mut command = Command::new(&program.path);
        command
            .args(&program.args)
            .current_dir(&program.dir)
            .envs(program.env.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr_writer)
            .process_group(0)
            .kill_on_drop(true);
        let mut child = command.spawn()?;
        // The command holds our copy of the pipe's writing end, which would keep it open for ever.
        drop(command);
        let group = child.id().and_then(ProcessGroup::led_by);
        let stderr = StandardError::drain(name, stderr_reader)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let process = EngineProcess { child, group, stderr };
        let (stdin, stdout) = pipes.ok_or_else(|| std::io::Error::other("no pipes to the new process"))?;
        Ok((process, stdin, stdout))
    }

    /// Ready with the exit status once the process has ended.
    pub fn poll_exit(&mut self, context: &mut Context<'_>) -> Poll<std::io::Result<ExitStatus>> {
        let exit = std::pin::pin!(self.child.wait());
        exit.poll(context)
    }

    /// Waits for the end of the process, at most so long.
    pub async fn exit_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        tokio::time::timeout(limit, self.child.wait()).await.ok()?.ok()
    }

    /// Waits for the process to end by itself, then asks, then kills; whatever it started is killed with it.
    pub async fn end(mut self, patience: Duration) -> Ending {
        let by_itself = self.exit_within(patience).await.is_some();
        if !by_itself && let Some(group) = self.group {
            group.terminate();
            if self.exit_within(patience.min(Duration::from_millis(200))).await.is_none() {
                group.kill();
                // A process that the system can't end, such as one that hangs in a device, must not hold the run up.
                if self.exit_within(KILL_PATIENCE).await.is_none() {
                    tracing::warn!("an engine's process is still there after SIGKILL");
                }
            }
        }
        let left_children = by_itself && self.kill_group() == Signalled::Somebody;
        Ending { by_itself, left_children }
    }

    fn kill_group(&mut self) -> Signalled {
        self.group.take().map_or(Signalled::Nobody, ProcessGroup::kill)
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill_group();
        // Reaps it at once where it is gone already; what is left becomes the runtime's orphan to reap.
        let _ = self.child.try_wait();
    }
}

/// What the operating system's words leave open when a program can't be started.
pub(super) fn start_hint(program: &Program, error: &std::io::Error) -> &'static str {
    const NO_EXECUTABLE_FORMAT: i32 = 8;
    match error.raw_os_error() {
        Some(NO_EXECUTABLE_FORMAT) => "; it is no program (a script begins with a line such as `#!/bin/sh`)",
        _ if error.kind() == std::io::ErrorKind::NotFound && program.path.exists() => {
            "; the file is there, but not the interpreter that its first line names"
        }
        _ => "",
    }
}

//! An engine's process: started in a group of its own, ended with all it started.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::guard::Guard;
use super::launch::{self, Limits};
use super::standard_error::StandardError;
use super::watchdog::Watched;
use crate::platform::footing;
use crate::platform::process_group::{ProcessGroup, Signalled};

/// What is started: program, arguments, place, limits.
#[derive(Clone, Debug)]
pub struct Program {
    /// An absolute path.
    pub path: PathBuf,
    /// Its arguments, passed without a shell.
    pub args: Vec<String>,
    /// Its working directory.
    pub dir: PathBuf,
    /// Variables added to the inherited environment.
    pub env: Vec<(String, String)>,
    /// What it may have.
    pub limits: Limits,
}

/// A running engine process. Dropping it ends the whole group.
#[derive(Debug)]
pub struct EngineProcess {
    child: Child,
    group: Option<ProcessGroup>,
    /// Taken back only after the group has been killed.
    _watched: Option<Watched>,
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
    /// The calling thread has to live as long as the process: where the guard has a launcher, the kernel kills the
    /// process when that thread ends. A worker's thread owns its engines and outlives them.
    ///
    /// # Errors
    /// What the operating system says. With a launcher, a program that can't be executed shows only by the first line on
    /// its stdout, a [`super::launch::LaunchFailure`].
    pub fn start(
        name: &str,
        program: &Program,
        guard: &Guard,
    ) -> std::io::Result<(EngineProcess, ChildStdin, ChildStdout)> {
        let (stderr_reader, stderr_writer) = std::io::pipe()?;
        let mut command = Command::from(launch::command(program, guard.launcher())?);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr_writer)
            .process_group(0)
            .kill_on_drop(true);
        // It inherits the processors of this thread.
        footing::leave();
        let mut child = command.spawn()?;
        // The command holds our copy of the pipe's writing end, which would keep it open for ever.
        drop(command);
        let group = child.id().and_then(ProcessGroup::led_by);
        let watched = group.and_then(|group| guard.watch(group));
        let label = child.id().map_or(name.to_owned(), |id| format!("[{id}] {name}"));
        let stderr = StandardError::drain(&label, stderr_reader)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let process = EngineProcess { child, group, _watched: watched, stderr };
        let (stdin, stdout) = pipes.ok_or_else(|| std::io::Error::other("no pipes to the new process"))?;
        Ok((process, stdin, stdout))
    }

    /// Its process id, while it has not been seen to end.
    pub fn id(&self) -> Option<u32> {
        self.child.id()
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
                // It may have left its group.
                if let Err(error) = self.child.start_kill() {
                    tracing::debug!("an engine's process can't be killed by itself: {error}");
                }
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

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::platform::processors::ProcessorSet;

    #[tokio::test]
    async fn a_program_may_run_everywhere_also_when_its_thread_stays_where_it_is() {
        let all = ProcessorSet::allowed().unwrap();
        footing::offer(0);
        (0..100).for_each(|_| footing::keep());
        assert_eq!(footing::is_kept(), all.numbers().len() > 1);
        let program = Program {
            path: "/bin/sh".into(),
            args: vec!["-c".to_owned(), "nproc".to_owned()],
            dir: "/".into(),
            env: Vec::new(),
            limits: Limits::default(),
        };
        let (_process, _stdin, mut stdout) =
            EngineProcess::start("nproc", &program, &Guard::default()).unwrap();
        let mut told = String::new();
        stdout.read_to_string(&mut told).await.unwrap();
        assert_eq!(told.trim(), all.numbers().len().to_string());
        assert_eq!(ProcessorSet::allowed().unwrap(), all);
    }
}

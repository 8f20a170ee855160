//! A small process that kills the engines' process groups when this one is gone, even by SIGKILL.
//!
//! The kernel ends an engine with its referee ([`super::launch`]), but not what the engine has started itself. So each
//! group is told to the watchdog by a line, `+12345`, and taken back by `-12345` when nothing is left of it. The pipe
//! closes when the referee ends in whatever way, and no other process has its writing end.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::launch::Launcher;
use crate::platform::own_process;
use crate::platform::process_group::ProcessGroup;

/// The referee's end.
#[derive(Debug)]
pub struct Watchdog {
    /// `None` once it can't be told anything any more, which has been said then.
    listening: Mutex<Option<Listening>>,
}

#[derive(Debug)]
struct Listening {
    child: Child,
    line: ChildStdin,
}

/// A group that the watchdog would kill, until this is dropped.
#[derive(Debug)]
pub struct Watched {
    watchdog: Arc<Watchdog>,
    group: ProcessGroup,
}

/// How long it may take to end when there is nothing left to watch.
const PATIENCE: Duration = Duration::from_secs(2);

impl Watchdog {
    /// Starts one, out of reach of the terminal's Ctrl-C.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn start(launcher: &Launcher) -> io::Result<Watchdog> {
        let mut child = Command::new(launcher.path())
            .arg0("engine-watchdog")
            .arg("watchdog")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let line = child.stdin.take().ok_or_else(|| io::Error::other("no pipe to the watchdog"))?;
        // One that doesn't read must not hold up a game.
        rustix::io::ioctl_fionbio(&line, true)?;
        Ok(Watchdog { listening: Mutex::new(Some(Listening { child, line })) })
    }

    /// Has a group watched.
    pub fn watch(self: &Arc<Watchdog>, group: ProcessGroup) -> Watched {
        self.tell('+', group);
        Watched { watchdog: Arc::clone(self), group }
    }

    /// That a watchdog can't be reached is said once; the run goes on without it.
    fn tell(&self, sign: char, group: ProcessGroup) {
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(watchdog) = listening.as_mut() else { return };
        // One write, and shorter than what a pipe takes whole.
        if let Err(error) = watchdog.line.write_all(format!("{sign}{group}\n").as_bytes()) {
            tracing::warn!(
                "the watchdog can't be reached ({error}): if this program is killed now, processes that engines have started may be left"
            );
            // One that is only slow would take the closed pipe for the end of the run.
            kill(&mut watchdog.child);
            *listening = None;
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.watchdog.tell('-', self.group);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        let listening = self.listening.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Listening { mut child, line }) = listening else { return };
        drop(line);
        let deadline = Instant::now() + PATIENCE;
        while matches!(child.try_wait(), Ok(None)) {
            if Instant::now() >= deadline {
                // All engines are gone: nothing is lost with it.
                return kill(&mut child);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn kill(child: &mut Child) {
    if let Err(error) = child.kill().and_then(|()| child.wait()) {
        tracing::warn!("the watchdog could not be ended: {error}");
    }
}

/// The watchdog's own part: reads until its pipe closes, then kills every group that is still there.
///
/// # Errors
/// The system refuses what the watchdog needs; the groups are watched all the same.
pub fn keep_watch(input: impl BufRead) -> io::Result<()> {
    let prepared = own_process::hold_off_signals()
        .and(own_process::close_inherited())
        // Not `arbiter`, so that `killall -9 arbiter` leaves it.
        .and(own_process::rename(c"engine-watchdog"));
    for group in groups_at_the_end(input) {
        group.kill();
    }
    prepared
}

fn groups_at_the_end(mut input: impl BufRead) -> BTreeSet<ProcessGroup> {
    let mut groups = BTreeSet::new();
    let mut line = String::new();
    // A pipe that can't be read is as good as closed.
    while matches!(input.read_line(&mut line), Ok(1..)) {
        let (sign, number) = line.trim_end().split_at_checked(1).unwrap_or_default();
        if let Some(group) = number.parse().ok().and_then(ProcessGroup::led_by) {
            if sign == "+" {
                groups.insert(group)
            } else {
                groups.remove(&group)
            };
        }
        line.clear();
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_is_left_alone() {
        let group = |id| ProcessGroup::led_by(id).unwrap();
        let left = groups_at_the_end("+300\n+400\n-300\n+500\n".as_bytes());
        assert_eq!(left, BTreeSet::from([group(400), group(500)]));
        // A number may come again.
        assert_eq!(groups_at_the_end("+300\n-300\n+300\n".as_bytes()), BTreeSet::from([group(300)]));
    }

    #[test]
    fn nothing_else_is_ever_killed() {
        for text in ["", "+0\n", "+1\n", "+-1\n", "+\n", "-300\n", "300\n", "é300\n", "+99999999999\n"] {
            assert_eq!(groups_at_the_end(text.as_bytes()), BTreeSet::new(), "{text}");
        }
    }
}

//! Process groups: an engine and whatever it started, signalled as one.

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The process group that an engine leads; children that leave it by `setsid` are out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProcessGroup(Pid);

/// Whether anything was left in the group to be signalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signalled {
    /// At least one process got the signal.
    Somebody,
    /// The group is gone.
    Nobody,
}

impl ProcessGroup {
    /// The group led by the process with this id.
    pub fn led_by(process_id: u32) -> Option<ProcessGroup> {
        // Group 0 and 1 would be our own and init's.
        i32::try_from(process_id).ok().filter(|id| *id > 1).map(|id| ProcessGroup(Pid::from_raw(id)))
    }

    /// Asks every process of the group to end.
    pub fn terminate(self) -> Signalled {
        self.signal(Signal::SIGTERM)
    }

    /// Ends every process of the group.
    pub fn kill(self) -> Signalled {
        self.signal(Signal::SIGKILL)
    }

    fn signal(self, signal: Signal) -> Signalled {
        match killpg(self.0, signal) {
            Ok(()) => Signalled::Somebody,
            Err(Errno::ESRCH | Errno::EPERM) => Signalled::Nobody,
            Err(errno) => {
                tracing::warn!("could not signal the process group {}: {errno}", self.0);
                Signalled::Nobody
            }
        }
    }
}

impl std::fmt::Display for ProcessGroup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// `SIGSEGV` and the like, for messages.
pub fn signal_name(number: i32) -> String {
    Signal::try_from(number).map_or_else(|_| format!("signal {number}"), |signal| signal.to_string())
}

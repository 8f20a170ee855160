//! What a process of this program sets for itself: its end with its parent, its niceness, its limits, its signals.

use std::io;
use std::num::NonZeroU64;

use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::SigSet;

/// Whether the parent that a process was started by is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// It is.
    Alive,
    /// It ended before its end could be noticed.
    Gone,
}

/// Has this process killed when the thread that started it ends, by whatever signal. An `exec` leaves that as it is.
///
/// # Errors
/// The system refuses.
pub fn end_with_parent(parent: u32) -> io::Result<Parent> {
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
    // A parent that had ended by then has sent nothing.
    Ok(if std::os::unix::process::parent_id() == parent { Parent::Alive } else { Parent::Gone })
}

/// Sets the niceness of this process, -20 to 19; what it starts and becomes inherits it.
///
/// # Errors
/// The system refuses; a niceness below its own needs privileges.
pub fn set_niceness(niceness: i8) -> io::Result<()> {
    Ok(rustix::process::setpriority_process(None, i32::from(niceness))?)
}

/// Limits what this process may have of memory that it can write to: heap, hash tables, stacks. Files mapped for
/// reading, such as tablebases, and address space that is only reserved are not counted, which they would be by a
/// limit of the address space. Each process that it starts has the same limit for itself.
///
/// # Errors
/// The system refuses, because a lower limit is set already.
pub fn limit_memory(bytes: NonZeroU64) -> io::Result<()> {
    Ok(setrlimit(Resource::RLIMIT_DATA, bytes.get(), bytes.get())?)
}

/// Lets nothing but SIGKILL end this process from outside.
///
/// # Errors
/// The system refuses.
pub fn hold_off_signals() -> io::Result<()> {
    // What is blocked waits for ever: this process never takes it.
    Ok(SigSet::all().thread_block()?)
}

/// The name of this process in `ps` and for `killall`.
///
/// # Errors
/// The system refuses.
pub fn rename(name: &std::ffi::CStr) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_name(name)?;
    #[cfg(not(target_os = "linux"))]
    let _ = name;
    Ok(())
}

/// Closes what this process has inherited beside stdin, stdout and stderr.
///
/// # Errors
/// The list of open files can't be read.
pub fn close_inherited() -> io::Result<()> {
    let open: Vec<i32> = std::fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|descriptor| *descriptor > 2)
        .collect();
    for descriptor in open {
        // One of them was the list itself, which is closed by now.
        let _ = nix::unistd::close(descriptor);
    }
    Ok(())
}

/// Whether this process was started with SIGHUP ignored, as by `nohup`.
pub fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Signal number 1 is the lowest bit.
    ignored.is_some_and(|mask| mask & 1 == 1)
}

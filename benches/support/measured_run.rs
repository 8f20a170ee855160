//! What a program costs from its start to its end: wall time, and its own processor time without its children's.

use std::io::{Error, Result};
use std::process::{Command, Stdio};
use std::time::Instant;

use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

/// In seconds.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// From the start to the end.
    pub wall: f64,
    /// User and system time of the program itself, in steps of the system's clock tick.
    pub own_processor_time: f64,
}

/// In which Linux tells times to programs, whatever its kernel is built with.
const TICKS_PER_SECOND: f64 = 100.0;

/// Runs a command to its end; what it prints is dropped.
///
/// # Errors
/// It can't be started or fails.
pub fn measure(mut command: Command) -> Result<Cost> {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let id = Pid::from_raw(i32::try_from(child.id()).map_err(Error::other)?);
    // It is looked at while it waits to be reaped: only then are its own times whole and still apart from the engines'.
    waitid(Id::Pid(id), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT)?;
    let wall = started.elapsed().as_secs_f64();
    let ticks = own_ticks(&std::fs::read_to_string(format!("/proc/{id}/stat"))?);
    let status = child.wait()?;
    if !status.success() {
        return Err(Error::other(format!("{command:?}: {status}")));
    }
    Ok(Cost { wall, own_processor_time: ticks.unwrap_or(0) as f64 / TICKS_PER_SECOND })
}

/// User and system time of `/proc/PID/stat`, the fields after the name in brackets.
fn own_ticks(stat: &str) -> Option<u64> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

//! What the system knows of processes.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

/// Only a process that hangs takes so long to go.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process as it was when it was looked at.
#[derive(Clone, Debug)]
pub struct Process {
    pub id: i32,
    /// What it was started with; empty for a zombie.
    pub args: Vec<String>,
    /// `ps`'s name of it.
    pub name: String,
    /// `R`, `S`, `T` (stopped), `Z` (zombie), …
    pub state: char,
    pub parent: i32,
    pub group: i32,
    pub niceness: i32,
}

impl Process {
    /// `None` if there is none.
    pub fn of(id: i32) -> Option<Process> {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let (name, fields) = stat.split_once('(')?.1.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let number = |place: usize| -> Option<i32> { fields.get(place)?.parse().ok() };
        let args = fs::read(format!("/proc/{id}/cmdline")).ok()?;
        let args = String::from_utf8_lossy(&args).into_owned();
        Some(Process {
            id,
            args: args.split_terminator('\0').map(str::to_owned).collect(),
            name: name.to_owned(),
            state: fields.first()?.chars().next()?,
            parent: number(1)?,
            group: number(2)?,
            niceness: number(16)?,
        })
    }

    /// Every process.
    pub fn all() -> Vec<Process> {
        let entries = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok());
        entries.filter_map(|entry| Process::of(entry.file_name().to_str()?.parse().ok()?)).collect()
    }

    /// The children of a process, zombies too.
    pub fn children_of(parent: i32) -> Vec<Process> {
        Process::all().into_iter().filter(|process| process.parent == parent).collect()
    }

    /// Those that have this argument, zombies not counted (they have no arguments any more).
    pub fn with_argument(argument: &str) -> Vec<Process> {
        Process::all().into_iter().filter(|process| process.args.iter().any(|arg| arg == argument)).collect()
    }
}

/// Numbers of the files that a process has open.
pub fn open_files(id: i32) -> Vec<u32> {
    let entries = fs::read_dir(format!("/proc/{id}/fd")).unwrap();
    let mut files: Vec<u32> =
        entries.map(|entry| entry.unwrap().file_name().to_str().unwrap().parse().unwrap()).collect();
    files.sort_unstable();
    files
}

/// The pipes that a process has open.
pub fn pipes(id: i32) -> BTreeSet<String> {
    let entries = fs::read_dir(format!("/proc/{id}/fd")).unwrap().filter_map(|entry| entry.ok());
    let files = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
    files.map(|file| file.display().to_string()).filter(|file| file.starts_with("pipe:")).collect()
}

/// The threads of a process.
pub fn threads(id: i32) -> usize {
    fs::read_dir(format!("/proc/{id}/task")).unwrap().count()
}

/// The most memory that a process has had so far, in bytes; `None` when it is gone.
pub fn peak_memory(id: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// Processes with this argument that don't go.
pub fn processes_with(argument: &str) -> Vec<String> {
    // A killed process needs a moment to go.
    let start = Instant::now();
    loop {
        let left = Process::with_argument(argument);
        if left.is_empty() || start.elapsed() > PATIENCE {
            return left.iter().map(|process| format!("{process:?}")).collect();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

//! Where programs, folders and books are: the only part of `config` that asks the file system.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name under which this program starts itself.
const OWN_NAME: &str = "arbiter";

/// What the match file's paths are checked against.
pub(super) trait Surroundings {
    /// The program that `command` means; the error says what was tried.
    fn program(&self, command: &str, base: &Path) -> Result<PathBuf, NotFound>;
    /// Whether this folder is there; the error says why not.
    fn folder(&self, path: &Path) -> Result<(), String>;
    /// Whether this file is there; the error says why not.
    fn file(&self, path: &Path) -> Result<(), String>;
}

/// A program that can't be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotFound {
    /// What is wrong.
    pub message: String,
    /// What was tried, or what to do.
    pub hint: String,
}

/// Takes every path for a good one: for reading a text without touching the disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anything;

impl Surroundings for Anything {
    fn program(&self, command: &str, base: &Path) -> Result<PathBuf, NotFound> {
        Ok(if command.contains('/') { base.join(command) } else { PathBuf::from(command) })
    }

    fn folder(&self, _: &Path) -> Result<(), String> {
        Ok(())
    }

    fn file(&self, _: &Path) -> Result<(), String> {
        Ok(())
    }
}

/// This machine: its `PATH` and its disk.
#[derive(Clone, Debug)]
pub(super) struct OnDisk {
    /// The value of `PATH`.
    pub path: Option<OsString>,
    /// The running program.
    pub own_program: Option<PathBuf>,
}

impl OnDisk {
    /// The surroundings of this process.
    pub fn here() -> OnDisk {
        OnDisk { path: std::env::var_os("PATH"), own_program: std::env::current_exe().ok() }
    }
}

impl Surroundings for OnDisk {
    /// With a `/`: a path relative to the match file. A bare name: `PATH` first, then the match file's folder.
    /// `arbiter` is always the running program, so that it needn't be on `PATH`.
    fn program(&self, command: &str, base: &Path) -> Result<PathBuf, NotFound> {
        if command == OWN_NAME
            && let Some(own) = &self.own_program
        {
            return Ok(own.clone());
        }
        let beside = base.join(command);
        let candidates: Vec<PathBuf> = if command.contains('/') {
            vec![beside]
        } else {
            let folders = self.path.iter().flat_map(std::env::split_paths);
            let on_path =
                folders.filter(|folder| !folder.as_os_str().is_empty()).map(|folder| folder.join(command));
            on_path.chain([beside]).collect()
        };
        let mut obstacle = None;
        for candidate in candidates {
            match startable(&candidate) {
                Ok(()) => return Ok(std::path::absolute(&candidate).unwrap_or(candidate)),
                Err(why) if why.kind() == io::ErrorKind::NotFound => {}
                Err(why) => obstacle = obstacle.or(Some((candidate, why))),
            }
        }
        Err(not_found(command, base, obstacle))
    }

    fn folder(&self, path: &Path) -> Result<(), String> {
        match fs::metadata(path) {
            Ok(data) if data.is_dir() => Ok(()),
            Ok(_) => Err(format!("`{}` is not a folder", path.display())),
            Err(why) => Err(format!("`{}`: {}", path.display(), reason(&why))),
        }
    }

    fn file(&self, path: &Path) -> Result<(), String> {
        match fs::metadata(path) {
            Ok(data) if data.is_dir() => Err(format!("`{}` is a folder, not a file", path.display())),
            Ok(_) => Ok(()),
            Err(why) => Err(format!("`{}`: {}", path.display(), reason(&why))),
        }
    }
}

/// The system's words without its number.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

fn not_found(command: &str, base: &Path, obstacle: Option<(PathBuf, io::Error)>) -> NotFound {
    if let Some((path, why)) = obstacle {
        let message = format!("`{}` can't be started: {}", path.display(), reason(&why));
        return NotFound { message, hint: "name a program file with the right to be executed".to_owned() };
    }
    let message = format!("there is no program `{command}`");
    let hint = if command.starts_with("~/") {
        "`~` is not replaced by your home folder: write the whole path".to_owned()
    } else if command.contains('/') {
        format!("tried `{}`", base.join(command).display())
    } else if command.contains(char::is_whitespace) {
        format!("blanks belong to the name; to give arguments write a list: `[{}]`", listed(command))
    } else {
        format!("tried every folder of PATH, then `{}`", base.join(command).display())
    };
    NotFound { message, hint }
}

fn listed(command: &str) -> String {
    command.split_whitespace().collect::<Vec<_>>().join(", ")
}

fn startable(path: &Path) -> io::Result<()> {
    let data = fs::metadata(path)?;
    if data.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    if !executable(&data) {
        return Err(io::Error::other("it is not executable"));
    }
    Ok(())
}

#[cfg(unix)]
fn executable(data: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    data.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn executable(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
#[path = "program_tests.rs"]
mod tests;

//! The folder of a run's records: one run at a time, nothing ever overwritten.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::config::settings::{LOCK_FILE, NEW_STATUS_FILE, OWN_FILES, STATUS_FILE};

/// What is to happen with the records of an earlier run that was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The new run is refused.
    Refuse,
    /// They are moved aside.
    MoveAside,
    /// The new run goes on with them.
    TakeUp,
}

/// A folder that is this run's alone as long as the value lives.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    records: Vec<PathBuf>,
    _lock: File,
    /// What became of earlier records.
    pub earlier: Earlier,
}

/// What became of the records that were in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// There were none.
    None,
    /// They are in this folder now.
    MovedTo(PathBuf),
    /// They are still there, unchanged, to be gone on with.
    TakenUp,
}

/// A process that a killed run was just starting holds its lock for a moment.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// Why records can't be kept in a folder.
#[derive(Debug, thiserror::Error)]
pub enum RunDirError {
    /// What the operating system says.
    #[error("can't keep records in {path}: {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another run writes there.
    #[error("another run is writing to {0}: wait for it, or choose another `output.dir`")]
    InUse(PathBuf),
    /// An earlier run did not finish.
    #[error(
        "{0} holds the records of an unfinished run: `--resume` plays on, `--fresh` moves them aside and starts anew"
    )]
    Unfinished(PathBuf),
    /// The folder holds files that are not records.
    #[error("{dir} holds {file}, which is no record of a match: choose another `output.dir`")]
    NotOurs {
        /// The folder.
        dir: PathBuf,
        /// A file in it.
        file: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Status {
    format: u32,
    finished: bool,
    /// The names of the run's records, so that they are known when a later match file has other ones.
    #[serde(default)]
    records: Vec<PathBuf>,
}

impl RunDir {
    /// Makes the folder, or moves the records of an earlier run aside (`out` to `out.1`) and makes it anew.
    /// `records` are the names of the files that a run writes there.
    ///
    /// # Errors
    /// [`RunDirError`]; nothing is changed then.
    pub fn open(path: &Path, records: &[&Path], unfinished: Unfinished) -> Result<RunDir, RunDirError> {
        refuse_foreign_files(path, records)?;
        let lock = lock(path)?;
        if !holds_records(path, records)? {
            return RunDir::begin(path, lock, Earlier::None, records.to_vec());
        }
        if unfinished == Unfinished::TakeUp {
            let earlier = read_status(path).map_or(Vec::new(), |status| status.records);
            let old = earlier.iter().map(PathBuf::as_path).filter(|old| !records.contains(old));
            let all = records.iter().copied().chain(old).map(Path::to_path_buf).collect();
            return Ok(RunDir {
                path: path.to_owned(),
                records: all,
                _lock: lock,
                earlier: Earlier::TakenUp,
            });
        }
        if unfinished == Unfinished::Refuse && !is_finished(path) {
            return Err(RunDirError::Unfinished(path.to_owned()));
        }
        let aside = free_name(path);
        drop(lock);
        fs::rename(path, &aside).map_err(|error| io_error(path, error))?;
        let new_lock = self::lock(path)?;
        RunDir::begin(path, new_lock, Earlier::MovedTo(aside), records.to_vec())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records that a run that was taken up goes on: until then nothing has been changed.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn go_on(&self) -> Result<(), RunDirError> {
        write_status(&self.path, false, &self.records)
    }

    /// Records that the run is complete, so that the next one may move it aside.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn finish(&self) -> Result<(), RunDirError> {
        write_status(&self.path, true, &self.records)
    }

    fn begin(path: &Path, lock: File, earlier: Earlier, records: Vec<&Path>) -> Result<RunDir, RunDirError> {
        let records: Vec<PathBuf> = records.into_iter().map(Path::to_path_buf).collect();
        write_status(path, false, &records)?;
        Ok(RunDir { path: path.to_owned(), records, _lock: lock, earlier })
    }
}

fn lock(path: &Path) -> Result<File, RunDirError> {
    fs::create_dir_all(path).map_err(|error| io_error(path, error))?;
    let lock_path = path.join(LOCK_FILE);
    let lock = File::create(&lock_path).map_err(|error| io_error(&lock_path, error))?;
    let until = Instant::now() + LAST_BREATH;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(fs::TryLockError::Error(error)) => return Err(io_error(&lock_path, error)),
            Err(fs::TryLockError::WouldBlock) if Instant::now() >= until => {
                return Err(RunDirError::InUse(path.to_owned()));
            }
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn holds_records(path: &Path, records: &[&Path]) -> Result<bool, RunDirError> {
    let names = [Path::new(STATUS_FILE)];
    for name in names.iter().chain(records) {
        let file = path.join(name);
        if file.try_exists().map_err(|error| io_error(&file, error))? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_finished(path: &Path) -> bool {
    read_status(path).is_some_and(|status| status.finished)
}

fn read_status(path: &Path) -> Option<Status> {
    let text = fs::read(path.join(STATUS_FILE)).ok()?;
    serde_json::from_slice(&text).ok()
}

fn refuse_foreign_files(path: &Path, records: &[&Path]) -> Result<(), RunDirError> {
    let earlier = read_status(path).map_or(Vec::new(), |status| status.records);
    let known = records.iter().copied().chain(earlier.iter().map(PathBuf::as_path));
    let first_parts: Vec<&std::ffi::OsStr> = known.filter_map(|record| record.iter().next()).collect();
    if !path.try_exists().map_err(|error| io_error(path, error))? {
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(|error| io_error(path, error))? {
        let name = entry.map_err(|error| io_error(path, error))?.file_name();
        // A log may have been asked for on the command line of an earlier run.
        let is_log = Path::new(&name).extension().is_some_and(|extension| extension == "log");
        let ours = OWN_FILES.iter().any(|own| name == *own) || first_parts.contains(&name.as_os_str());
        if !ours && !is_log {
            return Err(RunDirError::NotOurs {
                dir: path.to_owned(),
                file: name.to_string_lossy().into_owned(),
            });
        }
    }
    Ok(())
}

fn free_name(path: &Path) -> PathBuf {
    let numbered = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    let mut number = 1;
    while numbered(number).exists() {
        number += 1;
    }
    numbered(number)
}

/// Written beside and renamed, so that a reader never sees half of it.
fn write_status(path: &Path, finished: bool, records: &[PathBuf]) -> Result<(), RunDirError> {
    let target = path.join(STATUS_FILE);
    let beside = path.join(NEW_STATUS_FILE);
    let text =
        serde_json::json!(Status { format: 1, finished, records: records.to_vec() }).to_string() + "\n";
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, &target)).map_err(|error| io_error(&target, error))
}

fn io_error(path: &Path, error: io::Error) -> RunDirError {
    RunDirError::Io { path: path.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path, unfinished: Unfinished) -> Result<RunDir, RunDirError> {
        RunDir::open(path, &[Path::new("games.pgn")], unfinished)
    }

    #[test]
    fn a_finished_run_is_moved_aside_and_never_overwritten() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("out");
        for number in 0..3 {
            let run = open(&out, Unfinished::Refuse).unwrap();
            let aside = parent.path().join(format!("out.{number}"));
            assert_eq!(run.earlier, if number == 0 { Earlier::None } else { Earlier::MovedTo(aside) });
            fs::write(out.join("games.pgn"), number.to_string()).unwrap();
            run.finish().unwrap();
        }
        assert_eq!(fs::read_to_string(parent.path().join("out.1/games.pgn")).unwrap(), "0");
    }

    #[test]
    fn an_unfinished_run_is_kept_unless_asked_otherwise() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("out");
        drop(open(&out, Unfinished::Refuse).unwrap());
        assert!(matches!(open(&out, Unfinished::Refuse), Err(RunDirError::Unfinished(_))));
        assert!(matches!(open(&out, Unfinished::MoveAside).unwrap().earlier, Earlier::MovedTo(_)));
    }

    #[test]
    fn a_lock_that_a_dying_process_holds_is_waited_for() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("out");
        let first = open(&out, Unfinished::Refuse).unwrap();
        let dying = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            drop(first);
        });
        assert!(open(&out, Unfinished::TakeUp).is_ok());
        dying.join().unwrap();
    }

    #[test]
    fn two_runs_do_not_share_a_folder() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("out");
        let _first = open(&out, Unfinished::Refuse).unwrap();
        assert!(matches!(open(&out, Unfinished::MoveAside), Err(RunDirError::InUse(_))));
    }

    #[test]
    fn a_status_that_had_no_room_is_no_foreign_file() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("out");
        open(&out, Unfinished::Refuse).unwrap().finish().unwrap();
        fs::write(out.join(NEW_STATUS_FILE), "{").unwrap();
        assert!(matches!(open(&out, Unfinished::Refuse).unwrap().earlier, Earlier::MovedTo(_)));
    }

    #[test]
    fn records_of_other_names_are_known_as_such() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("out");
        let first = RunDir::open(&out, &[Path::new("old.pgn")], Unfinished::Refuse).unwrap();
        fs::write(out.join("old.pgn"), "").unwrap();
        first.finish().unwrap();
        drop(first);
        assert!(matches!(open(&out, Unfinished::Refuse).unwrap().earlier, Earlier::MovedTo(_)));
    }

    #[test]
    fn records_are_taken_up_where_they_are() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("out");
        assert_eq!(open(&out, Unfinished::TakeUp).unwrap().earlier, Earlier::None);
        fs::write(out.join("games.pgn"), "kept").unwrap();
        let again = RunDir::open(&out, &[Path::new("other.pgn")], Unfinished::TakeUp).unwrap();
        assert_eq!(again.earlier, Earlier::TakenUp);
        again.go_on().unwrap();
        drop(again);
        assert_eq!(fs::read_to_string(out.join("games.pgn")).unwrap(), "kept");
        // The names of both runs are known as records.
        assert_eq!(open(&out, Unfinished::TakeUp).unwrap().earlier, Earlier::TakenUp);
    }

    #[test]
    fn a_folder_of_something_else_is_left_alone_from_the_first_run_on() {
        let parent = tempfile::tempdir().unwrap();
        fs::write(parent.path().join("match.yaml"), "").unwrap();
        assert!(matches!(open(parent.path(), Unfinished::Refuse), Err(RunDirError::NotOurs { .. })));
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_with_other_files_is_never_moved() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("out");
        open(&out, Unfinished::Refuse).unwrap().finish().unwrap();
        fs::write(out.join("thesis.tex"), "").unwrap();
        assert!(matches!(open(&out, Unfinished::MoveAside), Err(RunDirError::NotOurs { .. })));
    }
}

//! What can be wrong with a database, in words that say what to do.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::FORMAT_VERSION;

/// Why a database can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// There is no such file.
    #[error("{0} does not exist")]
    Missing(PathBuf),
    /// A file of another kind.
    #[error("{0} is no database of a match")]
    Foreign(PathBuf),
    /// Another version of the program wrote it.
    #[error(
        "{path} has format {found} of match databases, and this version of arbiter reads format {}: use the version \
         of arbiter that wrote it",
        FORMAT_VERSION
    )]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
    },
    /// What was read makes no sense.
    #[error("{path} is damaged ({what}): restore it from a copy, or start anew with `--fresh`")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What.
        what: String,
    },
    /// What the disk or SQLite says.
    #[error("{doing} {path}: {words}")]
    Refused {
        /// `can't read`, `can't write to`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        words: String,
    },
}

/// What was being done with a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Reading,
    Writing,
}

impl DatabaseError {
    /// Sorts an error of SQLite.
    pub(super) fn of(error: &rusqlite::Error, doing: Doing, path: &Path) -> DatabaseError {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => DatabaseError::Foreign(path),
            Some(ErrorCode::DatabaseCorrupt) => DatabaseError::Damaged { path, what: error.to_string() },
            code => DatabaseError::Refused {
                doing: match doing {
                    Doing::Reading => "can't read",
                    Doing::Writing => "can't write to",
                },
                path,
                words: match code {
                    Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
                    Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                        "another program holds it locked".to_owned()
                    }
                    Some(ErrorCode::ReadOnly) => "it may not be written to".to_owned(),
                    _ => error.to_string(),
                },
            },
        }
    }
}

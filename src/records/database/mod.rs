//! `match.db`: the truth of a run. Every finished game is safe there before anybody else hears of it; PGN, events and
//! reports can be made from it again.

mod copying;
mod disk_sync;
mod error;
mod game_row;
mod header;
mod stored_dialogue;
mod stored_game;
mod stored_plies;
mod stored_verdict;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use self::disk_sync::DiskSync;
use self::error::Doing;
use self::stored_game::StoredGame;
use crate::game::game_id::GameId;
use crate::game::record::GameRecord;

pub use self::error::DatabaseError;
use self::game_row::GAME_COLUMNS;
pub use self::game_row::GameRow;
pub use self::header::{EngineHeader, RunHeader, StoredSchedule, StoredSprt};

/// The format of the file. 2: games stand by their numbers, moves column by column.
pub const FORMAT_VERSION: i64 = 2;
/// `ARBT`: tells SQLite's `file` magic, and us, whose database it is.
const APPLICATION_ID: i64 = 0x4152_4254;
/// What a database is called while it is being made.
const NEW: &str = ".new";
/// What SQLite puts beside a database, and beside one that is being made.
const BESIDE: [&str; 5] = [LOG, "-shm", JOURNAL, NEW, ".new-journal"];
/// Its write-ahead log.
const LOG: &str = "-wal";
/// What it is led back with after a change outside the log that was cut short.
const JOURNAL: &str = "-journal";
/// How long those who read a database are waited for when nothing more is written to it.
const READERS_PATIENCE: Duration = Duration::from_secs(2);
/// How long a reader is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The database of a run.
pub struct Database {
    path: PathBuf,
    connection: Connection,
    header: RunHeader,
    /// The last game's place in the order in which games ended, from 1; not known to a reader.
    last_ended: Cell<i64>,
    /// `None` for a reader.
    sync: Option<DiskSync>,
}

/// In which order games are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// That of the schedule.
    Schedule,
    /// That in which they ended.
    Ended,
}

/// A game that counted for nothing and was played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnnulment {
    /// The game's number.
    pub number: u32,
    /// The machine name of the cause.
    pub cause: String,
    /// In words.
    pub detail: String,
}

/// Something that an engine did wrong without losing a game by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFault {
    /// The engine's name.
    pub engine: String,
    /// What.
    pub words: String,
}

impl Database {
    /// Makes the database of a run that begins. `settings` are those that results depend on, by the paths of their keys.
    ///
    /// # Errors
    /// The file is there already, or can't be written.
    pub fn create(
        path: &Path,
        header: &RunHeader,
        settings: &[(String, String)],
    ) -> Result<Database, DatabaseError> {
        if path.exists() {
            let words = "it exists already".to_owned();
            return Err(DatabaseError::Refused { doing: "can't write to", path: path.to_owned(), words });
        }
        let error = |error: &rusqlite::Error| DatabaseError::of(error, Doing::Writing, path);
        let refused = |why: &std::io::Error| DatabaseError::Refused {
            doing: "can't write to",
            path: path.to_owned(),
            words: why.to_string(),
        };
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|why| refused(&why))?;
        }
        // Made beside and renamed, so that whoever finds it finds all of it.
        let beside = with_suffix(path, NEW);
        let _ = std::fs::remove_file(&beside);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        connect(&beside, flags)
            .and_then(|connection| lay_out(&connection, header, settings))
            .map_err(|why| error(&why))?;
        std::fs::rename(&beside, path).map_err(|why| refused(&why))?;
        // So that the name is there too after a loss of power.
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::fs::File::open(parent).and_then(|folder| folder.sync_all()).map_err(|why| refused(&why))?;
        }
        Database::open(path)
    }

    /// Opens the database of a run to write on in it.
    ///
    /// # Errors
    /// [`DatabaseError`]; nothing is changed then.
    pub fn open(path: &Path) -> Result<Database, DatabaseError> {
        let mut database = Database::open_with(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        prepare_for_writing(&database.connection)
            .and_then(|()| drop_faults_of_unfinished_games(&database.connection))
            .map_err(|why| DatabaseError::of(&why, Doing::Writing, path))?;
        let last_ended = database.read(|connection| {
            connection.query_row("SELECT coalesce(max(ended), 0) FROM game", [], |row| row.get(0))
        })?;
        database.last_ended.set(last_ended);
        let sync = DiskSync::start(path);
        if let Some(length) = sync.log_length() {
            // In the place of SQLite's own, which would shorten the log while a game waits.
            let told = move |_: &mut _, pages| {
                length.set(u32::try_from(pages).unwrap_or(0));
                Ok(())
            };
            database
                .connection
                .wal_hook(Some(told))
                .map_err(|why| DatabaseError::of(&why, Doing::Writing, path))?;
        }
        database.sync = Some(sync);
        Ok(database)
    }

    /// Opens the database of a run to read it, also while the run goes on.
    ///
    /// # Errors
    /// [`DatabaseError`].
    pub fn open_to_read(path: &Path) -> Result<Database, DatabaseError> {
        match Database::open_with(path, OpenFlags::SQLITE_OPEN_READ_ONLY) {
            // A run that was killed where it makes a single file of its database leaves a change half made.
            Err(DatabaseError::Refused { .. }) if has(path, JOURNAL) => {
                Database::open_with(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
            }
            // Beside a database on a read-only disk no index of its log can be made. Where there is a log, what stands
            // in it would be left out without a word.
            Err(DatabaseError::Refused { .. }) if !has(path, LOG) => Database::open_immutable(path),
            opened => opened,
        }
    }

    fn open_immutable(path: &Path) -> Result<Database, DatabaseError> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let escaped = absolute.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let uri = PathBuf::from(format!("file://{escaped}?immutable=1"));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let mut database = Database::open_as(&uri, path, flags)?;
        path.clone_into(&mut database.path);
        Ok(database)
    }

    fn open_with(path: &Path, flags: OpenFlags) -> Result<Database, DatabaseError> {
        if !path.exists() {
            return Err(DatabaseError::Missing(path.to_owned()));
        }
        Database::open_as(path, path, flags)
    }

    fn open_as(name: &Path, path: &Path, flags: OpenFlags) -> Result<Database, DatabaseError> {
        let error = |error: &rusqlite::Error| DatabaseError::of(error, Doing::Reading, path);
        let connection = connect(name, flags).map_err(|why| error(&why))?;
        let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        if pragma("application_id").map_err(|why| error(&why))? != APPLICATION_ID {
            return Err(DatabaseError::Foreign(path.to_owned()));
        }
        let found = pragma("user_version").map_err(|why| error(&why))?;
        if found != FORMAT_VERSION {
            return Err(DatabaseError::OtherVersion { path: path.to_owned(), found });
        }
        let text: String = connection
            .query_row("SELECT header FROM run", [], |row| row.get(0))
            .map_err(|why| error(&why))?;
        let header = serde_json::from_str(&text).map_err(|why| DatabaseError::Damaged {
            path: path.to_owned(),
            what: format!("the description of the run: {why}"),
        })?;
        Ok(Database { path: path.to_owned(), connection, header, last_ended: Cell::new(0), sync: None })
    }

    /// Where it stands.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the run is.
    pub fn header(&self) -> &RunHeader {
        &self.header
    }

    /// Takes another description of the run, in what results don't depend on.
    ///
    /// # Errors
    /// It can't be written.
    pub fn replace_header(&mut self, header: RunHeader) -> Result<(), DatabaseError> {
        self.write(|connection| {
            connection.execute("UPDATE run SET header = ?1", [json(&header)?]).map(drop)
        })?;
        self.header = header;
        Ok(())
    }

    /// The settings that results depend on, by the paths of their keys.
    ///
    /// # Errors
    /// They can't be read.
    pub fn settings(&self) -> Result<Vec<(String, String)>, DatabaseError> {
        self.read(|connection| {
            let mut query = connection.prepare("SELECT path, value FROM setting ORDER BY path")?;
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    /// Whether the run was played to its end.
    ///
    /// # Errors
    /// It can't be read.
    pub fn is_finished(&self) -> Result<bool, DatabaseError> {
        self.read(|connection| connection.query_row("SELECT finished FROM run", [], |row| row.get(0)))
    }

    /// The run was played to its end.
    ///
    /// # Errors
    /// It can't be written.
    pub fn finish(&self) -> Result<(), DatabaseError> {
        self.write(|connection| connection.execute("UPDATE run SET finished = 1", []).map(drop))
    }

    /// Keeps a finished game. It has left this process when this returns, and is on its way to the disk.
    ///
    /// # Errors
    /// It can't be kept, or a game of this number is there already; nothing of it is kept then.
    pub fn insert(&self, game: &GameRecord) -> Result<(), DatabaseError> {
        let row = GameRow::of(game).map_err(|why| DatabaseError::of(&why, Doing::Writing, &self.path))?;
        self.insert_row(&row)
    }

    /// Like [`Database::insert`], of a game that was brought into its form before.
    ///
    /// # Errors
    /// Likewise.
    pub fn insert_row(&self, row: &GameRow<'_>) -> Result<(), DatabaseError> {
        let ended = self.last_ended.get() + 1;
        self.write(|connection| row.insert(connection, ended))?;
        self.last_ended.set(ended);
        Ok(())
    }

    /// Keeps that a game counted for nothing and is played again.
    ///
    /// # Errors
    /// It can't be written.
    pub fn insert_annulment(&self, game: GameId, cause: &str, detail: &str) -> Result<(), DatabaseError> {
        self.write(|connection| {
            let sql = "INSERT INTO annulment (number, cause, detail) VALUES (?1, ?2, ?3)";
            connection.prepare_cached(sql)?.execute(params![game.number, cause, detail]).map(drop)
        })
    }

    /// Keeps what an engine did wrong without losing a game by it.
    ///
    /// # Errors
    /// It can't be written.
    pub fn insert_fault(&self, game: Option<GameId>, engine: &str, words: &str) -> Result<(), DatabaseError> {
        self.write(|connection| {
            let sql = "INSERT INTO fault (number, engine, words) VALUES (?1, ?2, ?3)";
            let number = game.map(|game| game.number);
            connection.prepare_cached(sql)?.execute(params![number, engine, words]).map(drop)
        })
    }

    /// How many games have ended.
    ///
    /// # Errors
    /// It can't be read.
    pub fn games(&self) -> Result<u32, DatabaseError> {
        self.read(|connection| connection.query_row("SELECT count(*) FROM game", [], |row| row.get(0)))
    }

    /// The finished game of this number.
    ///
    /// # Errors
    /// It can't be read.
    pub fn game(&self, number: u32) -> Result<Option<GameRecord>, DatabaseError> {
        let stored = self.read(|connection| {
            let sql = format!("SELECT {} FROM game WHERE number = ?1", stored_game::COLUMNS);
            connection.prepare_cached(&sql)?.query_row([number], StoredGame::of_row).optional()
        })?;
        stored.map(|stored| self.restored(stored)).transpose()
    }

    /// The number of a finished game in the schedule, by its place in its round.
    ///
    /// # Errors
    /// It can't be read.
    pub fn number_of(&self, round: u32, game: u32) -> Result<Option<u32>, DatabaseError> {
        self.read(|connection| {
            let sql = "SELECT number FROM game WHERE round = ?1 AND game = ?2";
            connection.query_row(sql, [round, game], |row| row.get(0)).optional()
        })
    }

    /// The first games, in the order of the schedule, that ended by a fault of an engine, with their verdicts in words,
    /// and how many there are in all.
    ///
    /// # Errors
    /// They can't be read.
    pub fn faulty_games(&self, most: usize) -> Result<(Vec<(GameId, String)>, usize), DatabaseError> {
        const FAULTY: &str = "FROM game WHERE reason IN \
            ('flag_fall', 'illegal_move', 'disconnect', 'stall', 'protocol_violation')";
        self.read(|connection| {
            let all: i64 =
                connection.query_row(&format!("SELECT count(*) {FAULTY}"), [], |row| row.get(0))?;
            let sql = format!("SELECT number, round, game, sentence {FAULTY} ORDER BY number LIMIT ?1");
            let mut query = connection.prepare(&sql)?;
            let rows = query.query_map([i64::try_from(most).unwrap_or(i64::MAX)], |row| {
                Ok((GameId { number: row.get(0)?, round: row.get(1)?, game: row.get(2)? }, row.get(3)?))
            })?;
            Ok((rows.collect::<rusqlite::Result<_>>()?, usize::try_from(all).unwrap_or(0)))
        })
    }

    /// Hands over every finished game, one at a time.
    ///
    /// # Errors
    /// A game can't be read, or what `take` says.
    pub fn each_game<E: From<DatabaseError>>(
        &self,
        order: Order,
        mut take: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let by = match order {
            Order::Schedule => "number",
            Order::Ended => "ended",
        };
        // Sorting the games themselves would take as much room as all of them.
        let numbers = self.read(|connection| {
            let mut query = connection.prepare(&format!("SELECT number FROM game ORDER BY {by}"))?;
            query.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<u32>>>()
        })?;
        for number in numbers {
            // Games are never taken away again.
            if let Some(game) = self.game(number)? {
                take(game)?;
            }
        }
        Ok(())
    }

    /// Games that counted for nothing, in the order in which that happened.
    ///
    /// # Errors
    /// They can't be read.
    pub fn annulments(&self) -> Result<Vec<StoredAnnulment>, DatabaseError> {
        self.read(|connection| {
            let mut query = connection.prepare("SELECT number, cause, detail FROM annulment ORDER BY id")?;
            let rows = query.query_map([], |row| {
                Ok(StoredAnnulment { number: row.get(0)?, cause: row.get(1)?, detail: row.get(2)? })
            })?;
            rows.collect()
        })
    }

    /// What engines did wrong in a game without losing it by that, in the order in which it happened.
    ///
    /// # Errors
    /// It can't be read.
    pub fn faults(&self, number: u32) -> Result<Vec<StoredFault>, DatabaseError> {
        self.read(|connection| {
            let sql = "SELECT engine, words FROM fault WHERE number = ?1 ORDER BY id";
            let mut query = connection.prepare(sql)?;
            let rows = query
                .query_map([number], |row| Ok(StoredFault { engine: row.get(0)?, words: row.get(1)? }))?;
            rows.collect()
        })
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn settle(&self) -> Result<(), DatabaseError> {
        match &self.sync {
            Some(sync) => sync.settle().map_err(|words| self.refused(words)),
            None => Ok(()),
        }
    }

    fn restored(&self, stored: StoredGame) -> Result<GameRecord, DatabaseError> {
        stored.restored(&self.header).map_err(|what| DatabaseError::Damaged { path: self.path.clone(), what })
    }

    fn read<T>(&self, ask: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, DatabaseError> {
        ask(&self.connection).map_err(|why| DatabaseError::of(&why, Doing::Reading, &self.path))
    }

    fn write<T>(&self, act: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, DatabaseError> {
        let written =
            act(&self.connection).map_err(|why| DatabaseError::of(&why, Doing::Writing, &self.path))?;
        if let Some(sync) = &self.sync {
            sync.ask().map_err(|words| self.refused(words))?;
        }
        Ok(written)
    }

    /// Whoever reads it for a moment is waited for; false if its log stays beside it.
    fn become_one_file(&self) -> bool {
        let until = Instant::now() + READERS_PATIENCE;
        let _ = self.connection.busy_timeout(Duration::ZERO);
        loop {
            let mut mode = String::new();
            let changed = self.connection.pragma_update_and_check(None, "journal_mode", "delete", |row| {
                mode = row.get(0)?;
                Ok(())
            });
            if changed.is_ok() && mode == "delete" {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn refused(&self, words: String) -> DatabaseError {
        DatabaseError::Refused { doing: "can't write to", path: self.path.clone(), words }
    }
}

/// One that was written to is a single file afterwards, so that it can be copied and read as it is.
impl Drop for Database {
    fn drop(&mut self) {
        let Some(sync) = self.sync.take() else { return };
        drop(sync);
        if !self.become_one_file() {
            let log = with_suffix(&self.path, LOG);
            tracing::warn!(
                "{} could not be brought into {}, since that is being read or its disk is full: copy and move them \
                 together",
                log.display(),
                self.path.display()
            );
        }
    }
}

/// The files that there may be for a database of this name: itself first.
pub fn files(name: &Path) -> Vec<PathBuf> {
    std::iter::once("").chain(BESIDE).map(|suffix| with_suffix(name, suffix)).collect()
}

/// Whether something stands in the file of this suffix beside a database.
fn has(path: &Path, suffix: &str) -> bool {
    with_suffix(path, suffix).metadata().is_ok_and(|file| file.len() > 0)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

/// A commit is handed to the system at once, so that it outlives this process; that it reaches the disk is seen to
/// beside, so that no game waits for it. What a machine that loses its power takes along is a whole number of games.
fn prepare_for_writing(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "normal")
}

/// Games that were under way when the run stopped are played again from their beginning.
fn drop_faults_of_unfinished_games(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "DELETE FROM fault WHERE number IS NOT NULL AND number NOT IN (SELECT number FROM game)";
    connection.execute(sql, []).map(drop)
}

fn lay_out(
    connection: &Connection,
    header: &RunHeader,
    settings: &[(String, String)],
) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch(include_str!("schema.sql"))?;
    transaction.execute("INSERT INTO run (id, header) VALUES (1, ?1)", [json(header)?])?;
    for (path, value) in settings {
        transaction.execute("INSERT INTO setting (path, value) VALUES (?1, ?2)", [path, value])?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", FORMAT_VERSION)?;
    transaction.commit()
}

fn json(value: &impl serde::Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(unwritable)
}

fn unwritable(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(Box::new(error))
}

#[cfg(test)]
#[path = "database_tests.rs"]
pub(super) mod tests;

//! Takes a run's events in and keeps them: each game in the database first, then in the PGN, and each event as it
//! happens.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::database::{Database, DatabaseError, GameRow, Order};
use super::event_file::EventFile;
use super::events::EventClock;
use super::pgn::{self, MatchTags};
use crate::game::annulment::{Annulment, Cause};
use crate::game::game_id::GameId;
use crate::game::observer::GameEvent;
use crate::game::record::GameRecord;
use crate::tournament::earlier::EarlierGames;
use crate::tournament::event::{Event, Sink};

/// The records of one run.
pub struct Recorder {
    tags: MatchTags,
    database: Option<Mutex<Database>>,
    pgn: Option<Kept<File>>,
    events: Option<EventFile>,
    /// The texts of games that have ended and do not stand in the PGN yet; held by the game that is being recorded.
    ended: Mutex<Vec<String>>,
}

struct Kept<T> {
    path: PathBuf,
    file: Mutex<T>,
}

impl Recorder {
    /// Opens the files; `None`: not written. Events count their time from the start of the database's run.
    ///
    /// # Errors
    /// A file can't be opened, in words.
    pub fn open(
        tags: MatchTags,
        database: Option<Database>,
        pgn: Option<&Path>,
        events: Option<&Path>,
    ) -> Result<Recorder, String> {
        let pgn = pgn.map(|path| append(path).map(|file| kept(path, file))).transpose()?;
        let started = database.as_ref().map(|database| database.header().started);
        let clock = started.map_or_else(EventClock::start, EventClock::since);
        let start = |path: &Path| {
            let file = append(path)?;
            EventFile::start(path, file, clock).map_err(|error| format!("no thread for the events: {error}"))
        };
        let events = events.map(start).transpose()?;
        Ok(Recorder { tags, database: database.map(Mutex::new), pgn, events, ended: Mutex::default() })
    }

    /// The run has come to its end: says so in the database.
    ///
    /// # Errors
    /// It can't be written.
    pub fn finish(&self) -> Result<(), DatabaseError> {
        self.database().map_or(Ok(()), |database| database.finish())
    }

    /// Returns once everything is on the disk.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn settle(&self) -> Result<(), DatabaseError> {
        self.database().map_or(Ok(()), |database| database.settle())
    }

    /// The database, if there is one.
    pub fn with_database<T>(&self, ask: impl FnOnce(&Database) -> T) -> Option<T> {
        self.database().map(|database| ask(&database))
    }

    fn database(&self) -> Option<MutexGuard<'_, Database>> {
        self.database.as_ref().map(|database| database.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn in_database(&self, act: impl FnOnce(&Database) -> Result<(), DatabaseError>) -> Result<(), String> {
        self.database().map_or(Ok(()), |database| act(&database).map_err(|error| error.to_string()))
    }

    fn keep(&self, event: &Event<'_>) -> Result<(), String> {
        match *event {
            Event::GameAnnulled { game, reason: _, annulment: Some(Annulment { cause, detail, .. }) } => {
                self.in_database(|database| database.insert_annulment(game, cause.name(), detail))
            }
            Event::Game(game, GameEvent::Misbehaviour { engine, misbehaviour }) => {
                self.keep_fault(Some(game), engine, misbehaviour.words())
            }
            Event::Game(game, GameEvent::IllegalAttempt { engine, token, .. }) => {
                self.keep_fault(Some(game), engine, &format!("first illegal move `{token}`"))
            }
            Event::EngineFault { engine, fault } => self.keep_fault(None, engine, fault),
            _ => Ok(()),
        }
    }

    /// Games that end at the same time stand in the same order everywhere.
    fn keep_game(&self, record: &GameRecord) -> Result<(), String> {
        // Before it is this game's turn: the others have less to wait for.
        let row = self.database.as_ref().map(|_| GameRow::of(record)).transpose();
        let row = row.map_err(|error| format!("a fault of this program: {error}"))?;
        let text = self.pgn.as_ref().map(|_| pgn::render(record, &self.tags));
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(row) = row {
            self.in_database(|database| database.insert_row(&row))?;
        }
        ended.extend(text);
        self.tell(&Event::GameEnded(record))?;
        drop(ended);
        self.write_pgn()
    }

    fn tell(&self, event: &Event<'_>) -> Result<(), String> {
        self.events.as_ref().map_or(Ok(()), |events| events.write(event))
    }

    fn keep_fault(&self, game: Option<GameId>, engine: &str, words: &str) -> Result<(), String> {
        self.in_database(|database| database.insert_fault(game, engine, words))
    }

    /// Writes the games that have ended; whoever comes first writes those of the others too.
    fn write_pgn(&self) -> Result<(), String> {
        let Some(pgn) = &self.pgn else { return Ok(()) };
        // Where a database holds the games already, the PGN can be made from it again.
        let alone = self.database.is_none();
        pgn.write(|file| {
            let texts =
                std::mem::take(&mut *self.ended.lock().unwrap_or_else(PoisonError::into_inner)).concat();
            if texts.is_empty() {
                return Ok(());
            }
            let length = file.metadata()?.len();
            // One write; what could only be written in part is cut off again, so that the file ends between games.
            let written = file.write_all(texts.as_bytes());
            let kept = written.and_then(|()| if alone { file.sync_data() } else { Ok(()) });
            kept.inspect_err(|_| drop(file.set_len(length)))
        })
    }
}

impl EarlierGames for Recorder {
    fn each(&self, take: &mut dyn FnMut(&GameRecord) -> Result<(), String>) -> Result<(), String> {
        let Some(database) = self.database() else { return Ok(()) };
        database.each_game(Order::Ended, |game| take(&game).map_err(EachError::Taking)).map_err(|error| {
            match error {
                EachError::Taking(words) => words,
                EachError::Reading(error) => error.to_string(),
            }
        })
    }

    fn is_concluded(&self) -> Result<bool, String> {
        let finished = self.database().map_or(Ok(true), |database| database.is_finished());
        let told = self.events.as_ref().map_or(Ok(true), EventFile::tells_the_end);
        Ok(finished.map_err(|error| error.to_string())? && told?)
    }

    fn annulments(&self) -> Result<Vec<(u32, Cause)>, String> {
        let Some(database) = self.database() else { return Ok(Vec::new()) };
        let annulments = database.annulments().map_err(|error| error.to_string())?;
        let known = annulments.into_iter().filter_map(|annulment| {
            let cause = Cause::ALL.into_iter().find(|cause| cause.name() == annulment.cause)?;
            Some((annulment.number, cause))
        });
        Ok(known.collect())
    }
}

/// Why not all games were taken up.
enum EachError {
    Reading(DatabaseError),
    Taking(String),
}

impl From<DatabaseError> for EachError {
    fn from(error: DatabaseError) -> EachError {
        EachError::Reading(error)
    }
}

impl Sink for Recorder {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        if let Event::GameEnded(record) = *event {
            return self.keep_game(record);
        }
        self.keep(event)?;
        self.tell(event)?;
        match (event, &self.events) {
            (Event::MatchEnded { .. }, Some(events)) => events.flush(),
            _ => Ok(()),
        }
    }
}

impl<T> Kept<T> {
    fn write(&self, act: impl FnOnce(&mut T) -> io::Result<()>) -> Result<(), String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut file).map_err(|error| format!("can't write to {}: {error}", self.path.display()))
    }
}

fn kept<T>(path: &Path, file: T) -> Kept<T> {
    Kept { path: path.to_owned(), file: Mutex::new(file) }
}

fn append(path: &Path) -> Result<File, String> {
    let words = |error: io::Error| format!("can't write to {}: {error}", path.display());
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(words)?;
    }
    OpenOptions::new().create(true).append(true).open(path).map_err(words)
}

//! Takes a run's events in and keeps them: each game in the database first, then in the PGN, and each event as it
//! happens.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::database::{Database, DatabaseError, GameRow, Order};
use super::event_file::EventFile;
use super::events::EventClock;
use super::pgn::{self, MatchTags};
use super::pgn_file::PgnFile;
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
    pgn: Option<PgnFile>,
    events: Option<EventFile>,
    /// Held by the game that is being recorded.
    turn: Mutex<()>,
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
        let no_thread = |error: io::Error| format!("no thread for the records: {error}");
        let alone = database.is_none();
        let open = |path: &Path| PgnFile::new(path, append(path)?, alone).map_err(no_thread);
        let pgn = pgn.map(open).transpose()?;
        let started = database.as_ref().map(|database| database.header().started);
        let clock = started.map_or_else(EventClock::start, EventClock::since);
        let start = |path: &Path| EventFile::start(path, append(path)?, clock).map_err(no_thread);
        let events = events.map(start).transpose()?;
        Ok(Recorder { tags, database: database.map(Mutex::new), pgn, events, turn: Mutex::default() })
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
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(row) = row {
            self.in_database(|database| database.insert_row(&row))?;
        }
        if let (Some(pgn), Some(text)) = (&self.pgn, text) {
            pgn.append(&text);
        }
        self.tell(&Event::GameEnded(record))?;
        drop(turn);
        self.pgn.as_ref().map_or(Ok(()), PgnFile::write)
    }

    fn tell(&self, event: &Event<'_>) -> Result<(), String> {
        self.events.as_ref().map_or(Ok(()), |events| events.write(event))
    }

    fn keep_fault(&self, game: Option<GameId>, engine: &str, words: &str) -> Result<(), String> {
        self.in_database(|database| database.insert_fault(game, engine, words))
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
        if matches!(event, Event::MatchEnded { .. }) {
            self.pgn.as_ref().map_or(Ok(()), PgnFile::settle)?;
            self.events.as_ref().map_or(Ok(()), EventFile::flush)?;
        }
        Ok(())
    }
}

fn append(path: &Path) -> Result<File, String> {
    let words = |error: io::Error| format!("can't write to {}: {error}", path.display());
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(words)?;
    }
    OpenOptions::new().create(true).append(true).open(path).map_err(words)
}

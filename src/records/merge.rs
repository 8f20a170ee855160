//! Joins the databases of a run's shards into that of the whole run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::database::{self, Database, DatabaseError, Order, RunHeader};
use super::pgn::{self, MatchTags};
use super::run_dir::{RunDir, RunDirError, Unfinished};
use crate::config::fingerprint::{self, Difference};
use crate::tournament::schedule::Schedule;
use crate::tournament::schedule::shard::Shard;

/// The names of the files of a merged run: those that a run has by default.
const DATABASE: &str = "match.db";
const PGN: &str = "games.pgn";
/// So many missing shards are named.
const MOST_NAMED: usize = 20;

/// A merged run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Its database.
    pub database: PathBuf,
    /// Every game of the schedule is in it.
    pub complete: bool,
}

/// Why shards can't be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// They are of different runs.
    #[error("{path} is not a part of the same run as {first}:\n  {}", differences.join("\n  "))]
    Apart {
        /// The database.
        path: PathBuf,
        /// The one that it was compared with.
        first: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// A database of a whole run.
    #[error("{0} is no shard: it was not played with `--shard`")]
    Whole(PathBuf),
    /// The run was divided in different ways.
    #[error("{path} is shard {shard} and {first} is shard {other}: only shards of one number can be merged")]
    OtherNumber {
        /// The database.
        path: PathBuf,
        /// What it is.
        shard: Shard,
        /// The one that it was compared with.
        first: PathBuf,
        /// What that is.
        other: Shard,
    },
    /// A shard is given twice.
    #[error("{path} and {first} are both shard {shard}: name one of them")]
    Twice {
        /// The database.
        path: PathBuf,
        /// The other one.
        first: PathBuf,
        /// What they both are.
        shard: Shard,
    },
    /// A database holds what another one has to hold.
    #[error(
        "{path} is shard {shard}, and holds game {game}, which does not stand so in that part of the schedule"
    )]
    Foreign {
        /// The database.
        path: PathBuf,
        /// What it is.
        shard: Shard,
        /// `round.game`.
        game: String,
    },
    /// The folder to write to is in use.
    #[error("{0} is there already and not empty: merge into a new folder")]
    Occupied(PathBuf),
    /// Another merge into the same folder goes on or was killed.
    #[error("{0} is there already: another merge writes to it, or was killed: wait for it, or remove it")]
    UnderWay(PathBuf),
    /// What the operating system says.
    #[error("can't write to {path}: {error}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A database can't be read or written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The folder can't be made.
    #[error(transparent)]
    Folder(#[from] RunDirError),
}

impl MergeError {
    /// Another command line would do; what a disk refuses is no matter of that.
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            MergeError::Io { .. } | MergeError::Database(_) | MergeError::Folder(_) | MergeError::UnderWay(_)
        )
    }
}

/// Databases that belong together, one of each shard.
pub struct Shards {
    sources: BTreeMap<Shard, Source>,
    header: RunHeader,
    settings: Vec<(String, String)>,
    /// All of it.
    schedule: Schedule,
    warnings: Vec<String>,
}

struct Source {
    database: Database,
    /// Games that it was to have.
    planned: u32,
    games: u32,
}

impl Shards {
    /// Opens databases (files, or the folders of their runs), as they stand now, and checks that they belong together.
    ///
    /// # Errors
    /// [`MergeError`].
    pub fn open(first: &Path, others: &[PathBuf]) -> Result<Shards, MergeError> {
        let first = open(first)?;
        let header = RunHeader { shard: None, ..first.header().clone() };
        let schedule = header.lay_out().map_err(|what| damaged(&first, what))?;
        let settings = first.settings()?;
        let mut shards =
            Shards { sources: BTreeMap::new(), header, settings, schedule, warnings: Vec::new() };
        shards.add(first)?;
        for path in others {
            shards.add(open(path)?)?;
        }
        shards.warn_of_missing();
        Ok(shards)
    }

    /// What is to be known of them, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether every game of the schedule has been played.
    pub fn complete(&self) -> bool {
        let played: u64 = self.sources.values().map(|source| u64::from(source.games)).sum();
        played == u64::from(self.schedule.len())
    }

    /// Merges them into a folder that is not there yet, or empty. It gets its name when all of it is written.
    ///
    /// # Errors
    /// [`MergeError`]; nothing is left then.
    pub fn merge_into(&self, folder: &Path) -> Result<Merged, MergeError> {
        let out: PathBuf = folder.components().collect();
        let refused = |error| MergeError::Io { path: folder.to_owned(), error };
        match fs::read_dir(&out).map(|mut entries| entries.next().is_some()) {
            Ok(true) => return Err(MergeError::Occupied(out)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(refused(error)),
            Ok(false) | Err(_) => {}
        }
        if let Some(parent) = out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(refused)?;
        }
        let mut beside = out.as_os_str().to_owned();
        beside.push(".merging");
        let beside = PathBuf::from(beside);
        fs::create_dir(&beside).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => MergeError::UnderWay(beside.clone()),
            _ => MergeError::Io { path: beside.clone(), error },
        })?;
        let written = self.write(&beside).and_then(|()| fs::rename(&beside, &out).map_err(refused));
        if let Err(error) = written {
            let _ = fs::remove_dir_all(&beside);
            return Err(error);
        }
        Ok(Merged { database: out.join(DATABASE), complete: self.complete() })
    }

    fn write(&self, folder: &Path) -> Result<(), MergeError> {
        let names: Vec<PathBuf> =
            database::files(Path::new(DATABASE)).into_iter().chain([PathBuf::from(PGN)]).collect();
        let names: Vec<&Path> = names.iter().map(PathBuf::as_path).collect();
        let run_dir = RunDir::open(folder, &names, Unfinished::Refuse)?;
        let database = Database::create(&folder.join(DATABASE), &self.header, &self.settings)?;
        for source in self.sources.values() {
            database.take_over(&source.database)?;
        }
        write_pgn(&database, &folder.join(PGN))?;
        if self.complete() {
            database.finish()?;
            run_dir.finish()?;
        }
        database.settle()?;
        Ok(())
    }

    /// Takes one more in.
    fn add(&mut self, database: Database) -> Result<(), MergeError> {
        let path = || database.path().to_owned();
        let shard = database.header().shard.ok_or_else(|| MergeError::Whole(path()))?;
        if let Some((other, source)) =
            self.sources.iter().next().filter(|(other, _)| other.of() != shard.of())
        {
            let first = source.database.path().to_owned();
            return Err(MergeError::OtherNumber { path: path(), shard, first, other: *other });
        }
        self.compare(&database)?;
        if let Some(source) = self.sources.get(&shard) {
            return Err(MergeError::Twice { path: path(), first: source.database.path().to_owned(), shard });
        }
        let source = Source::of(database, shard)?;
        self.header.started = self.header.started.min(source.database.header().started);
        self.sources.insert(shard, source);
        Ok(())
    }

    /// Compares a database with the first one.
    fn compare(&mut self, database: &Database) -> Result<(), MergeError> {
        let Some(first) = self.sources.values().next() else { return Ok(()) };
        let first = first.database.path().to_owned();
        let path = database.path();
        let all = fingerprint::compare(&self.settings, &database.settings()?);
        let (places, mut others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|difference| is_place(&difference.path));
        let (own, its) = (&self.header, database.header());
        let parts = [
            ("the engines", own.engines == its.engines),
            ("the schedule", own.schedule == its.schedule),
            ("`sprt`", own.sprt == its.sprt),
            ("`variant`", own.chess960 == its.chess960),
        ];
        let mut differences: Vec<String> = others.drain(..).map(|difference| words(&difference)).collect();
        if differences.is_empty() {
            let differ = parts.iter().filter(|(_, same)| !same);
            differences.extend(differ.map(|(what, _)| format!("{what} of its run")));
        }
        if !differences.is_empty() {
            return Err(MergeError::Apart { path: path.to_owned(), first, differences });
        }
        let told = places.iter().map(words).chain(
            [
                ("event", &own.event, &its.event),
                ("site", &own.site, &its.site),
                ("the version of arbiter", &own.program, &its.program),
            ]
            .into_iter()
            .filter(|(_, own, its)| own != its)
            .map(|(what, own, its)| format!("{what} is {its}, not {own}")),
        );
        let first = first.display();
        self.warnings.extend(told.map(|words| format!("{}: {words} as in {first}", path.display())));
        Ok(())
    }

    fn warn_of_missing(&mut self) {
        let Some(of) = self.sources.keys().next().map(|shard| shard.of()) else { return };
        for (shard, Source { database, planned, games }) in &self.sources {
            if games < planned {
                let path = database.path().display();
                let words = format!("{path}: shard {shard} has only {games} of its {planned} games");
                self.warnings.push(words);
            }
        }
        // Where there are more shards than pairs, the last ones have no games.
        let units = self.schedule.len() / if self.schedule.pairs() { 2 } else { 1 };
        let absent =
            |index: &u32| Shard::new(*index, of).is_ok_and(|shard| !self.sources.contains_key(&shard));
        let missing: Vec<String> =
            (1..=of.min(units)).filter(absent).take(MOST_NAMED + 1).map(|index| index.to_string()).collect();
        if missing.is_empty() {
            return;
        }
        let more = if missing.len() > MOST_NAMED { " and more" } else { "" };
        let named = missing[..missing.len().min(MOST_NAMED)].join(", ");
        let planned: u64 = self.sources.values().map(|source| u64::from(source.planned)).sum();
        let games = u64::from(self.schedule.len()).saturating_sub(planned);
        self.warnings.push(format!("of {of} shards these are missing, with {games} games: {named}{more}"));
    }
}

impl Source {
    /// Counts its games, each of which must be one of its own.
    fn of(database: Database, shard: Shard) -> Result<Source, MergeError> {
        let header = database.header();
        let schedule = header.lay_out().map_err(|what| damaged(&database, what))?;
        let place = |name: String| header.engines.iter().position(|engine| engine.name == name);
        let mut games = 0;
        database.each_pairing(|id, names| {
            let engines = names.map(place);
            let own = match (engines.white, engines.black) {
                (Some(white), Some(black)) => schedule.agrees(id, shakmaty::ByColor { white, black }),
                _ => false,
            };
            games += 1;
            let path = || database.path().to_owned();
            own.then_some(()).ok_or_else(|| MergeError::Foreign { path: path(), shard, game: id.to_string() })
        })?;
        Ok(Source { planned: schedule.len(), games, database })
    }
}

fn open(path: &Path) -> Result<Database, MergeError> {
    let file = if path.is_dir() { path.join(DATABASE) } else { path.to_owned() };
    let database = Database::open_to_read(&file)?;
    database.hold_still()?;
    Ok(database)
}

fn damaged(database: &Database, what: String) -> MergeError {
    DatabaseError::Damaged { path: database.path().to_owned(), what }.into()
}

/// Programs stand elsewhere on other machines.
fn is_place(path: &str) -> bool {
    path.starts_with("engines.")
        && matches!(path.split('.').collect::<Vec<_>>()[..], [_, _, "command" | "dir"])
}

/// What a setting is, and what it would have to be.
fn words(difference: &Difference) -> String {
    let Difference { path, before, now } = difference;
    match (now, before) {
        (Some(now), Some(before)) => format!("`{path}` is {now}, not {before}"),
        (Some(now), None) => format!("`{path}` is {now}, not without a value"),
        (None, before) => format!("`{path}` is not set, not {}", before.as_deref().unwrap_or_default()),
    }
}

fn write_pgn(database: &Database, path: &Path) -> Result<(), MergeError> {
    let refused = |error| MergeError::Io { path: path.to_owned(), error };
    let header = database.header();
    let tags = MatchTags { event: header.event.clone(), site: header.site.clone() };
    let mut out = BufWriter::new(File::create_new(path).map_err(refused)?);
    database.each_game(Order::Schedule, |game| {
        out.write_all(pgn::render(&game, &tags).as_bytes()).map_err(refused)
    })?;
    let file = out.into_inner().map_err(|error| refused(error.into_error()))?;
    file.sync_data().map_err(refused)
}

//! The records of a run: opened for a new one, or brought in order for one that goes on.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;

use super::run::{Refusal, not_played, shown, usage};
use super::stderr::tell;
use super::{RunArgs, schedule};
use crate::config::settings::{MatchSettings, OWN_FILES, OpeningSource, OutputSettings, Variant};
use crate::config::{LoadedMatch, fingerprint};
use crate::records::database::{self, Database, DatabaseError, EngineHeader, RunHeader, StoredSprt};
use crate::records::pgn::MatchTags;
use crate::records::recorder::Recorder;
use crate::records::restore::{self, RestoreError, Restored};
use crate::records::run_dir::{Earlier, RunDir, Unfinished};
use crate::tournament::schedule::shard::Shard;

/// What a run writes to.
pub(super) struct Records {
    /// The folder, which is this run's alone.
    pub run_dir: RunDir,
    /// Where the files stand.
    pub paths: RecordPaths,
    /// What keeps them.
    pub recorder: Arc<Recorder>,
    /// The database holds games of an earlier run, with which this one goes on.
    pub goes_on: bool,
}

/// Where the records stand.
pub(super) struct RecordPaths {
    pub database: Option<PathBuf>,
    pub pgn: Option<PathBuf>,
    pub events: Option<PathBuf>,
    pub junit: Option<PathBuf>,
    pub log: Option<PathBuf>,
}

impl RecordPaths {
    fn of(output: &OutputSettings) -> RecordPaths {
        let within = |name: &Option<PathBuf>| name.as_ref().map(|name| output.dir.join(name));
        RecordPaths {
            database: within(&output.database),
            pgn: within(&output.pgn),
            events: within(&output.events),
            junit: within(&output.junit),
            log: within(&output.log),
        }
    }

    /// All files that a run may write, by their names in its folder.
    fn names(output: &OutputSettings) -> Vec<PathBuf> {
        let named = [&output.pgn, &output.events, &output.junit, &output.log].into_iter().flatten().cloned();
        let databases = output.database.iter().flat_map(|name| database::files(name));
        let unfinished = output.junit.iter().map(|name| name.with_added_extension("new"));
        named.chain(databases).chain(unfinished).collect()
    }
}

/// Opens the records of a run; `start_log` starts the log, to this file if there is one, once the folder is its own.
///
/// # Errors
/// They can't be written, or belong to another run.
pub(super) fn open(
    args: &RunArgs,
    loaded: &LoadedMatch,
    start_log: impl FnOnce(Option<&Path>) -> Result<(), String>,
) -> Result<Records, Refusal> {
    let output = &loaded.settings.output;
    let paths = RecordPaths::of(output);
    if args.resume && paths.database.is_none() {
        return Err(usage("without `output.database` nothing can be resumed"));
    }
    let log = args.logging.log.as_deref().or(paths.log.as_deref());
    refuse_log_over(log, &args.config, &paths, output)?;
    let unfinished = match (args.resume, args.fresh) {
        (true, _) => Unfinished::TakeUp,
        (false, true) => Unfinished::MoveAside,
        (false, false) => Unfinished::Refuse,
    };
    let names = RecordPaths::names(output);
    let names: Vec<&Path> = names.iter().map(PathBuf::as_path).collect();
    let run_dir = RunDir::open(&output.dir, &names, unfinished).map_err(not_played)?;
    match &run_dir.earlier {
        Earlier::None if args.resume => {
            tell(format_args!("nothing to resume in {}: the run begins\n", shown(&output.dir).display()))
        }
        Earlier::MovedTo(aside) => {
            tell(format_args!("earlier records moved to {}\n", shown(aside).display()))
        }
        Earlier::None | Earlier::TakenUp => {}
    }
    if let Err(error) = start_log(log) {
        // Nothing was played, so nothing is unfinished.
        if run_dir.earlier != Earlier::TakenUp {
            run_dir.finish().map_err(not_played)?;
        }
        return Err(not_played(error));
    }
    let tags = MatchTags { event: loaded.settings.event.clone(), site: loaded.settings.site.clone() };
    let base = args.config.parent().unwrap_or(Path::new(""));
    let (database, goes_on) = match &paths.database {
        Some(path) => {
            let run = Run { loaded, base, shard: args.shard };
            open_database(&run, path, &paths, &tags, run_dir.earlier == Earlier::TakenUp)
                .map(|(database, goes_on)| (Some(database), goes_on))?
        }
        None => (None, false),
    };
    if run_dir.earlier == Earlier::TakenUp {
        run_dir.go_on().map_err(not_played)?;
    }
    let recorder = Recorder::open(tags, database, paths.pgn.as_deref(), paths.events.as_deref());
    let recorder = Arc::new(recorder.map_err(not_played)?);
    Ok(Records { run_dir, paths, recorder, goes_on })
}

/// What is to be played.
struct Run<'a> {
    loaded: &'a LoadedMatch,
    /// The match file's folder.
    base: &'a Path,
    /// The only part of it.
    shard: Option<Shard>,
}

/// The database, and whether it is that of an earlier run.
fn open_database(
    run: &Run<'_>,
    path: &Path,
    paths: &RecordPaths,
    tags: &MatchTags,
    take_up: bool,
) -> Result<(Database, bool), Refusal> {
    let loaded = run.loaded;
    let settings = settings_of_results(loaded, run.base)?;
    if !take_up || !path.exists() {
        if take_up {
            refuse_records_without_database(path, paths)?;
        }
        let header = header(&loaded.settings, run.shard);
        return Ok((Database::create(path, &header, &settings).map_err(not_played)?, false));
    }
    refuse_another_match(&open_to_read(path)?, run, &settings)?;
    let mut database = Database::open(path).map_err(not_played)?;
    let header = RunHeader {
        started: database.header().started,
        program: database.header().program.clone(),
        ..header(&loaded.settings, run.shard)
    };
    if header != *database.header() {
        database.replace_header(header).map_err(not_played)?;
    }
    bring_in_order(&database, paths, tags)?;
    Ok((database, true))
}

/// Opened to be looked at only: what is refused stays as it is.
fn open_to_read(path: &Path) -> Result<Database, Refusal> {
    Database::open_to_read(path).map_err(|error| match error {
        DatabaseError::Foreign(_) => not_played(format_args!(
            "{error}, so the run can't be resumed: restore it from a copy, or start anew with `--fresh`"
        )),
        error => not_played(error),
    })
}

fn refuse_another_match(
    database: &Database,
    run: &Run<'_>,
    settings: &[(String, String)],
) -> Result<(), Refusal> {
    refuse_other_shard(database, run)?;
    let before = database.settings().map_err(not_played)?;
    let differences = fingerprint::differences(&before, settings);
    if !differences.is_empty() {
        let list = differences.join("\n  ");
        return Err(usage(format_args!(
            "the run in {} can't be resumed, since its match file has changed:\n  {list}\n\
             Take the changes back, or start anew with `--fresh`",
            shown(&run.loaded.settings.output.dir).display()
        )));
    }
    Ok(())
}

fn refuse_other_shard(database: &Database, run: &Run<'_>) -> Result<(), Refusal> {
    let words =
        |shard: Option<Shard>| shard.map_or("the whole run".to_owned(), |shard| format!("shard {shard}"));
    let before = database.header().shard;
    if before == run.shard {
        return Ok(());
    }
    let option = before.map_or("without `--shard`".to_owned(), |shard| format!("with `--shard {shard}`"));
    Err(usage(format_args!(
        "{} holds {}, and can't be resumed as {}: resume it {option}, or choose another `output.dir`",
        shown(&run.loaded.settings.output.dir).display(),
        words(before),
        words(run.shard)
    )))
}

/// A run that was killed before it had a database has played nothing.
fn refuse_records_without_database(path: &Path, paths: &RecordPaths) -> Result<(), Refusal> {
    let written = |path: &Option<PathBuf>| {
        path.as_ref().is_some_and(|path| path.metadata().is_ok_and(|data| data.len() > 0))
    };
    if written(&paths.pgn) || written(&paths.events) {
        return Err(not_played(format_args!(
            "{} is missing, and without it the run can't be resumed: restore it, or start anew with `--fresh`",
            path.display()
        )));
    }
    Ok(())
}

fn bring_in_order(database: &Database, paths: &RecordPaths, tags: &MatchTags) -> Result<(), Refusal> {
    if let Some(path) = &paths.pgn {
        told(path, restore::restore_pgn(database, path, tags))?;
    }
    if let Some(path) = &paths.events {
        told(path, restore::restore_events(database, path))?;
    }
    Ok(())
}

fn told(path: &Path, restored: Result<Restored, RestoreError>) -> Result<(), Refusal> {
    let Restored { cut, written } = restored.map_err(|error| match error {
        RestoreError::Database(error) => not_played(error),
        RestoreError::File(error) => not_played(format_args!("can't write to {}: {error}", path.display())),
    })?;
    if cut > 0 || written > 0 {
        tell(format_args!(
            "{} brought to what the database holds: {cut} bytes cut off, {written} games written\n",
            shown(path).display()
        ));
    }
    Ok(())
}

/// The settings that results depend on, and the contents of the book.
fn settings_of_results(loaded: &LoadedMatch, base: &Path) -> Result<Vec<(String, String)>, Refusal> {
    // A bare file name stands in the current folder.
    let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    let base = std::path::absolute(base).unwrap_or_else(|_| base.to_owned());
    let mut settings = fingerprint::settings(&loaded.settings, &base);
    if let Some(OpeningSource::File(book, _)) =
        loaded.settings.openings.as_ref().map(|openings| &openings.source)
    {
        let hash = hash_of(book).map_err(|error| not_played(format_args!("{}: {error}", book.display())))?;
        settings.push(("openings.file (its contents)".to_owned(), hash));
    }
    Ok(settings)
}

fn hash_of(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex()[..16].to_owned())
}

fn header(settings: &MatchSettings, shard: Option<Shard>) -> RunHeader {
    let engine = |engine: &crate::config::settings::EngineSettings| EngineHeader {
        name: engine.name.clone(),
        time_control: engine.time_control.to_string(),
        claims: engine.claims.to_string(),
    };
    RunHeader {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        started: Timestamp::now(),
        event: settings.event.clone(),
        site: settings.site.clone(),
        chess960: settings.variant == Variant::Chess960,
        engines: settings.engines.iter().map(engine).collect(),
        schedule: schedule::stored(settings),
        sprt: settings.sprt.as_ref().map(StoredSprt::from),
        shard,
    }
}

/// The log is appended to its file, so it must be no other file of the run.
fn refuse_log_over(
    log: Option<&Path>,
    config: &Path,
    paths: &RecordPaths,
    output: &OutputSettings,
) -> Result<(), Refusal> {
    let records = [Some(config.to_owned()), paths.pgn.clone(), paths.events.clone(), paths.junit.clone()]
        .into_iter()
        .flatten();
    let databases = paths.database.iter().flat_map(|path| database::files(path));
    let own = OWN_FILES.iter().map(|own| output.dir.join(own));
    let others: Vec<PathBuf> = records.chain(databases).chain(own).collect();
    let real = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        folder
            .canonicalize()
            .map(|folder| folder.join(name))
            .unwrap_or_else(|_| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
    };
    let Some(log) = log else { return Ok(()) };
    match others.iter().find(|other| real(other) == real(log)) {
        Some(other) => {
            Err(usage(format!("the log can't be written to {}: choose another file", other.display())))
        }
        None => Ok(()),
    }
}

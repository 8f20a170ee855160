//! File descriptors: as many as a run needs, or a clear word.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// What a run needs for itself: its streams, records, book, log, the runtime, the watchdog, with room to spare.
const FOR_THE_RUN: u64 = 48;
/// What each game needs: two engines with three pipes and a handle of the process each, the ends that only their starts
/// need, and the worker's runtime.
const FOR_A_GAME: u64 = 16;
/// What each database needs: itself, its log, and the index of that.
const FOR_A_DATABASE: u64 = 3;

/// Raises the limit of open files where it is too low for so many games at once, and so many endgame tables.
///
/// # Errors
/// The system's limit is too low and can't be raised, in words.
pub fn provide(games_at_once: u32, tables: usize) -> Result<(), String> {
    let needed = needed(games_at_once, tables);
    let Some(hard) = limit_below(needed)? else { return Ok(()) };
    let (run, hint) = match games_at_once {
        0 | 1 => ("a run".to_owned(), ""),
        games => (format!("a run with {games} games at once"), ", or lower `concurrency`"),
    };
    let run = if tables > 0 { format!("{run} and {tables} endgame tables") } else { run };
    Err(format!(
        "only {hard} files may be open at once, and {run} needs {needed}: raise the limit (`ulimit -n`){hint}"
    ))
}

/// Raises the limit of open files where it is too low for so many databases that are read at once.
///
/// # Errors
/// The system's limit is too low and can't be raised, in words.
pub fn provide_for_databases(databases: usize) -> Result<(), String> {
    let needed = FOR_THE_RUN + FOR_A_DATABASE * databases as u64;
    let Some(hard) = limit_below(needed)? else { return Ok(()) };
    Err(format!(
        "only {hard} files may be open at once, and {databases} databases need {needed}: raise the limit (`ulimit -n`)"
    ))
}

/// Raises the limit to what is needed; the system's own limit where that is too low.
fn limit_below(needed: u64) -> Result<Option<u64>, String> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).map_err(|error| error.to_string())?;
    let enough =
        soft >= needed || (hard >= needed && setrlimit(Resource::RLIMIT_NOFILE, needed, hard).is_ok());
    Ok((!enough).then_some(hard))
}

fn needed(games_at_once: u32, tables: usize) -> u64 {
    FOR_THE_RUN + FOR_A_GAME * u64::from(games_at_once) + tables as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_needs_its_own() {
        assert_eq!(needed(1, 0), 64);
        assert_eq!(needed(9, 0) - needed(1, 0), 8 * FOR_A_GAME);
        assert_eq!(needed(1, 70) - needed(1, 0), 70);
    }
}

//! File descriptors: as many as a run needs, or a clear word.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// What a run needs for itself: records, log, signals, the book, the ends of pipes while engines are started.
const OWN: u64 = 40;
/// What a game needs: of each engine three pipes and its process, and a runtime.
const PER_GAME: u64 = 24;

/// Raises the limit of open files where it is too low for a run with so many games at once.
///
/// # Errors
/// The system's limit is too low and can't be raised, in words.
pub fn provide(games_at_once: u32) -> Result<(), String> {
    let needed = OWN + PER_GAME * u64::from(games_at_once);
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).map_err(|error| error.to_string())?;
    if soft >= needed {
        return Ok(());
    }
    let raised = hard >= needed && setrlimit(Resource::RLIMIT_NOFILE, needed.max(soft), hard).is_ok();
    if raised {
        return Ok(());
    }
    Err(format!(
        "only {hard} files may be open at once, and {} needs {needed}: raise the limit (`ulimit -n`){}",
        if games_at_once > 1 {
            format!("a run with {games_at_once} games at once")
        } else {
            "a run".to_owned()
        },
        if games_at_once > 1 { " or lower `concurrency`" } else { "" },
    ))
}

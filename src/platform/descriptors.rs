//! File descriptors: as many as a run needs, or a clear word.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// What a run with two engines needs, with room for its own files and for those of the runtime.
const NEEDED: u64 = 64;

/// Raises the limit of open files where it is too low for a run.
///
/// # Errors
/// The system's limit is too low and can't be raised, in words.
pub fn provide() -> Result<(), String> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).map_err(|error| error.to_string())?;
    if soft >= NEEDED {
        return Ok(());
    }
    let raised = hard >= NEEDED && setrlimit(Resource::RLIMIT_NOFILE, NEEDED.max(soft), hard).is_ok();
    if raised {
        return Ok(());
    }
    Err(format!(
        "only {hard} files may be open at once, and a run needs {NEEDED}: raise the limit (`ulimit -n`)"
    ))
}

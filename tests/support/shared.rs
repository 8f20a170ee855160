//! Data that several test files read.

use std::path::{Path, PathBuf};

/// A file of the shared data beside this package. Where there is none the test says so and passes, but not in CI.
pub fn shared(path: &str) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if file.exists() {
        return Some(file);
    }
    assert!(std::env::var_os("CI").is_none(), "{} is missing", file.display());
    eprintln!("SKIPPED: {} is missing", file.display());
    None
}

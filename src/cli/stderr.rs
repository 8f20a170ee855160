//! What is said to the person who started the program.

use std::fmt::Display;
use std::io::Write;

/// Writes to stderr. One that is closed loses the words, not the match and its exit code.
pub(super) fn tell(words: impl Display) {
    let _ = write!(std::io::stderr(), "{words}");
}

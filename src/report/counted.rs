//! Numbers with their nouns.

use std::fmt::Display;

/// `1 game`, `2 games`.
pub fn counted<T: Display + PartialEq + From<u8>>(number: T, what: &str) -> String {
    let plural = if number == T::from(1) { "" } else { "s" };
    format!("{number} {what}{plural}")
}

//! Numbers with their nouns.

use std::fmt::Display;

/// `1 game`, `2 games`.
pub fn counted<T: Display + PartialEq + From<u8>>(number: T, what: &str) -> String {
    let plural = if number == T::from(1) { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Points as people write them: `2½`.
pub fn points(half_points: u64) -> String {
    let half = if half_points % 2 == 1 { "½" } else { "" };
    match (half_points / 2, half) {
        (0, "½") => "½".to_owned(),
        (whole, half) => format!("{whole}{half}"),
    }
}

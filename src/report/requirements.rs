//! What came of the requirements of a match file.

use std::fmt::Write;

use crate::tournament::requirements::{Judged, Met};

/// A line for each requirement; empty where nothing is required.
pub fn render(judged: &[Judged]) -> String {
    if judged.is_empty() {
        return String::new();
    }
    let mut text = "\nRequirements\n".to_owned();
    for Judged { name, met, words } in judged {
        let met = match met {
            Met::Yes => "met",
            Met::No => "NOT met",
        };
        // Writing to a string can't fail.
        let _ = writeln!(text, "  {name}: {met}: {words}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_requirement_has_its_line() {
        let judged = |name, met, words: &str| Judged { name, met, words: words.to_owned() };
        let two = [judged("sprt", Met::Yes, "H1 is accepted"), judged("max_crashes", Met::No, "2 games")];
        let expected = "\nRequirements\n  sprt: met: H1 is accepted\n  max_crashes: NOT met: 2 games\n";
        assert_eq!(render(&two), expected);
        assert_eq!(render(&[]), "");
    }
}

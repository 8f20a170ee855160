//! The match file as a whole.

mod adjudication;
mod errors;
mod formats;
mod loading;
mod sprt;
mod values;

use super::*;

const TWO: &str = "engines:\n  - { name: A, command: a }\n  - { name: B, command: b }\n";

fn parsed(text: &str) -> LoadedMatch {
    parse(text, "dir/cup.yaml", Path::new("/base")).unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

/// The messages of all errors, in their order.
fn messages(text: &str) -> Vec<String> {
    match parse(text, "match.yaml", Path::new("/base")) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.errors.into_iter().map(|error| error.message).collect(),
    }
}

/// The only error of a match file with these further lines.
fn error_of(lines: &str) -> String {
    let messages = messages(&format!("{TWO}{lines}"));
    assert_eq!(messages.len(), 1, "{lines}: {messages:?}");
    messages.into_iter().next().unwrap()
}

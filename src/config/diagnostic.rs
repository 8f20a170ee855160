//! What is wrong with a match file: a message, its place, a hint; shown with an excerpt of the file.

use std::fmt::{self, Write};

use super::source::{Place, Sources};

/// How many errors are shown; the rest is counted.
const MOST_SHOWN: usize = 50;
/// How many characters of a long line are shown.
const EXCERPT: usize = 120;

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The match can't be played.
    Error,
    /// Something has no effect or is surely not meant; the match can be played.
    Warning,
}

/// One thing that is wrong with a match file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, as a lower-case fragment.
    pub message: String,
    /// Where; `None` for what concerns the file as a whole.
    pub place: Option<Place>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error without a hint.
    pub fn error(place: Option<Place>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, message: message.into(), place, hint: None }
    }

    /// A warning without a hint.
    pub fn warning(place: Option<Place>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(place, message) }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Diagnostic {
        Diagnostic { hint: Some(hint.into()), ..self }
    }

    /// The text for the user: severity and message, file with line and column, the offending text, the hint.
    pub fn render(&self, sources: &Sources) -> String {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut text = format!("{severity}: {}\n", one_line(&self.message));
        let gutter = match self.place {
            Some(place) => excerpt(&mut text, place, sources),
            None => whole_file(&mut text, sources),
        };
        if let Some(hint) = &self.hint {
            let _ = writeln!(text, "{:gutter$} = {}", "", one_line(hint));
        }
        text
    }
}

/// Appends file, line, column and the offending text; gives the width of the line numbers.
fn excerpt(text: &mut String, place: Place, sources: &Sources) -> usize {
    let gutter = place.line.to_string().len();
    let name = one_line(sources.get(place.source).map_or("match file", |source| &source.name));
    let _ = writeln!(text, "{:gutter$}--> {name}:{}:{}", "", place.line, place.column);
    let Some(line) = sources.line(place) else { return gutter };
    let line: Vec<char> = line.chars().collect();
    let start = place.column.saturating_sub(1).min(line.len());
    // A window of a long line, with the place in it.
    let from = if line.len() <= EXCERPT { 0 } else { start.saturating_sub(EXCERPT / 2) };
    let to = line.len().min(from + EXCERPT);
    let before = if from > 0 { "…" } else { "" };
    let after = if to < line.len() { "…" } else { "" };
    let shown = one_line(&line[from..to].iter().collect::<String>());
    let indent = start - from + before.chars().count();
    let width = place.width.min((to - start).max(1)).max(1);
    let _ = writeln!(text, "{:gutter$} |", "");
    let _ = writeln!(text, "{} | {}", place.line, format!("{before}{shown}{after}").trim_end());
    let _ = writeln!(text, "{:gutter$} | {:indent$}{}", "", "", "^".repeat(width));
    gutter
}

fn whole_file(text: &mut String, sources: &Sources) -> usize {
    if let Some(file) = sources.match_file() {
        let _ = writeln!(text, " --> {}", one_line(&file.name));
    }
    1
}

/// Tabs become single blanks, so that the marks stand right; other control characters can't reach a terminal.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// Everything that is wrong with a match file, in the order of its text.
#[derive(Clone, Debug)]
pub struct ConfigErrors {
    /// The texts that the places refer to.
    pub sources: Sources,
    /// At least one error, sorted by place.
    pub errors: Vec<Diagnostic>,
}

impl ConfigErrors {
    /// Sorts the errors by their places.
    pub fn new(sources: Sources, mut errors: Vec<Diagnostic>) -> ConfigErrors {
        errors.sort_by_key(|error| error.place);
        ConfigErrors { sources, errors }
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().take(MOST_SHOWN).enumerate() {
            let gap = if index == 0 { "" } else { "\n" };
            write!(f, "{gap}{}", error.render(&self.sources))?;
        }
        match self.errors.len().saturating_sub(MOST_SHOWN) {
            0 => Ok(()),
            more => writeln!(f, "\n… and {more} more"),
        }
    }
}

impl std::error::Error for ConfigErrors {}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> Sources {
        let mut sources = Sources::default();
        sources.add("match.yaml", text);
        sources
    }

    #[test]
    fn an_error_shows_its_place() {
        let sources = sources(&format!("{}  concurency: 2\n", "\n".repeat(11)));
        let place = Place { source: 0, line: 12, column: 3, width: 10 };
        let error = Diagnostic::error(Some(place), "unknown key `concurency`")
            .with_hint("did you mean `concurrency`?");
        assert_eq!(
            error.render(&sources),
            "error: unknown key `concurency`\n  --> match.yaml:12:3\n   |\n12 |   concurency: 2\n   |   ^^^^^^^^^^\n   = did you mean `concurrency`?\n"
        );
    }

    #[test]
    fn a_warning_without_place_names_the_file() {
        let warning = Diagnostic::warning(None, "odd");
        assert_eq!(warning.render(&sources("")), "warning: odd\n --> match.yaml\n");
    }

    #[test]
    fn a_place_out_of_the_text_is_no_crash() {
        for place in
            [Place::new(9, 9), Place::new(0, 0), Place { source: 7, ..Place::new(1, 1) }, Place::new(1, 99)]
        {
            let _ = Diagnostic::error(Some(place), "odd").render(&sources("abc"));
        }
    }

    #[test]
    fn long_lines_and_control_characters_are_tamed() {
        let text = format!("{}X\t\u{1b}[31m{}", "a".repeat(1000), "b".repeat(1000));
        let shown = Diagnostic::error(Some(Place::new(1, 1001)), "odd").render(&sources(&text));
        let lines: Vec<&str> = shown.lines().collect();
        assert!(!shown.contains('\u{1b}') && shown.len() < 800, "{shown}");
        let mark = lines[4].chars().position(|c| c == '^').unwrap();
        assert_eq!(lines[3].chars().nth(mark), Some('X'));
    }
}

//! Reads YAML text into a tree with places.
//!
//! Two readers see the text: `serde_yaml` finds errors of syntax and types the scalars but keeps no places;
//! `saphyr_parser` gives the places. They are walked side by side; where they disagree the text is refused.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, StrInput};
use serde::de::DeserializeSeed;

use super::diagnostic::Diagnostic;
use super::source::Place;
use super::tree::{Entry, Kind, Node};
use super::typed::{Typed, TypedSeed};

/// The most values that a document may have, with every alias written out.
const MOST_VALUES: usize = 1_000_000;

/// Where a text stands: its source, and how far its first line is shifted to the right there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    pub source: usize,
    pub column_shift: usize,
}

impl Origin {
    /// The place of this 1-based line and 0-based column.
    fn place(self, line: usize, column: usize, width: usize) -> Place {
        let shift = if line <= 1 { self.column_shift } else { 0 };
        Place { source: self.source, line: line.max(1), column: column + shift + 1, width: width.max(1) }
    }
}

/// Reads one document. Errors that leave a readable tree, such as doubled keys, go to `errors`.
///
/// # Errors
/// The first error of syntax.
pub(super) fn read(text: &str, origin: Origin, errors: &mut Vec<Diagnostic>) -> Result<Node, Diagnostic> {
    if let Some(line) = too_deep(text) {
        return Err(Diagnostic::error(
            Some(origin.place(line, 0, 1)),
            "nested too deeply: more than 128 levels",
        ));
    }
    let left = Cell::new(MOST_VALUES);
    let typed = match TypedSeed(&left).deserialize(serde_yaml::Deserializer::from_str(text)) {
        Ok(typed) => typed,
        Err(error) if error.to_string().starts_with("EOF while parsing a value") => Typed::Null,
        Err(error) => return Err(syntax_error(text, &error, origin)),
    };
    if typed == Typed::Null {
        return Ok(Node { kind: Kind::Null, place: origin.place(1, 0, 1) });
    }
    let mut builder = Builder { events: Parser::new_from_str(text), anchors: HashMap::new(), origin, errors };
    builder.document(typed).map_err(|disagreement| builder.refusal(disagreement))
}

/// The line in which more brackets are open than can be meant. Both readers refuse that as well, but only after a
/// time that grows with the square of the depth.
fn too_deep(text: &str) -> Option<usize> {
    const MOST_OPEN: usize = 500;
    let mut open: usize = 0;
    for (line, content) in text.lines().enumerate() {
        for byte in content.bytes() {
            match byte {
                b'[' | b'{' => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            if open > MOST_OPEN {
                return Some(line + 1);
            }
        }
    }
    None
}

/// Where the two readers part, as far as it is known.
struct Disagreement(Option<Span>);

struct Builder<'t, 'e> {
    events: Parser<'t, StrInput<'t>>,
    anchors: HashMap<usize, Node>,
    origin: Origin,
    errors: &'e mut Vec<Diagnostic>,
}

impl<'t> Builder<'t, '_> {
    fn next(&mut self) -> Result<(Event<'t>, Span), Disagreement> {
        match self.events.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(Disagreement(Some(Span::empty(*error.marker())))),
            None => Err(Disagreement(None)),
        }
    }

    fn document(&mut self, typed: Typed) -> Result<Node, Disagreement> {
        loop {
            let (event, span) = self.next()?;
            if !matches!(event, Event::StreamStart | Event::DocumentStart(_)) {
                return self.node(event, span, typed);
            }
        }
    }

    fn next_node(&mut self, typed: Typed) -> Result<Node, Disagreement> {
        let (event, span) = self.next()?;
        self.node(event, span, typed)
    }

    fn node(&mut self, event: Event<'t>, mut span: Span, typed: Typed) -> Result<Node, Disagreement> {
        let (anchor, kind) = match (event, typed) {
            (Event::Alias(anchor), _) => {
                return self.anchors.get(&anchor).cloned().ok_or(Disagreement(Some(span)));
            }
            (Event::Scalar(text, style, anchor, _), typed) => {
                let kind = scalar(text.into_owned(), style, typed).ok_or(Disagreement(Some(span)))?;
                (anchor, kind)
            }
            (Event::SequenceStart(anchor, _), Typed::List(items)) => {
                let nodes = items.into_iter().map(|item| self.next_node(item)).collect::<Result<_, _>>()?;
                span.end = end_of(self.expect(&Event::SequenceEnd)?);
                (anchor, Kind::List(nodes))
            }
            (Event::MappingStart(anchor, _), Typed::Map(pairs)) => {
                let (entries, end) = self.mapping(pairs)?;
                span.end = end_of(end);
                (anchor, Kind::Map(entries))
            }
            _ => return Err(Disagreement(Some(span))),
        };
        let node = Node { kind, place: self.place(span) };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    /// The entries, and where the mapping ends.
    fn mapping(&mut self, pairs: Vec<(Typed, Typed)>) -> Result<(Vec<Entry>, Span), Disagreement> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen = HashSet::new();
        let mut merged: Vec<Node> = Vec::new();
        for (key, value) in pairs {
            let key = self.next_node(key)?;
            let value = self.next_node(value)?;
            let text = match (&key.kind, key.scalar()) {
                (_, Some(text)) => text.to_owned(),
                (Kind::Null, _) => "null".to_owned(),
                _ => {
                    self.error(key.place, "a key must be a plain word, not a list or a mapping", None);
                    continue;
                }
            };
            if text == "<<" {
                merged.push(value);
            } else if seen.insert(text.clone()) {
                entries.push(Entry { key: text, key_place: key.place, value });
            } else {
                let message = format!("the key `{text}` stands here for the second time");
                self.error(key.place, &message, Some("keep one of them"));
            }
        }
        let end = self.expect(&Event::MappingEnd)?;
        for node in merged {
            self.merge(node, &mut entries, &mut seen);
        }
        Ok((entries, end))
    }

    /// `<<: *anchor`: what the mapping doesn't say itself it takes from the anchor; of a list, the first wins.
    fn merge(&mut self, node: Node, entries: &mut Vec<Entry>, seen: &mut HashSet<String>) {
        match node.kind {
            Kind::Map(others) => {
                entries.extend(others.into_iter().filter(|entry| seen.insert(entry.key.clone())));
            }
            Kind::List(nodes) if nodes.iter().all(|node| matches!(node.kind, Kind::Map(_))) => {
                for node in nodes {
                    self.merge(node, entries, seen);
                }
            }
            _ => {
                let message = format!("`<<` merges a mapping or a list of mappings, not {}", node.found());
                self.error(node.place, &message, None);
            }
        }
    }

    fn expect(&mut self, wanted: &Event<'_>) -> Result<Span, Disagreement> {
        let (event, span) = self.next()?;
        if event == *wanted { Ok(span) } else { Err(Disagreement(Some(span))) }
    }

    fn error(&mut self, place: Place, message: &str, hint: Option<&str>) {
        let error = Diagnostic::error(Some(place), message);
        self.errors.push(Diagnostic { hint: hint.map(str::to_owned), ..error });
    }

    fn place(&self, span: Span) -> Place {
        let (start, end) = (span.start, span.end);
        let width = if start.line() == end.line() { end.col().saturating_sub(start.col()) } else { 1 };
        self.origin.place(start.line(), start.col(), width)
    }

    fn refusal(&self, Disagreement(span): Disagreement) -> Diagnostic {
        let place = span.map(|span| self.place(span));
        Diagnostic::error(place, "this YAML can be read in two ways")
            .with_hint("write it more simply: put texts in quotes, use blanks and no tabs")
    }
}

/// Right after the bracket of a flow list or mapping; a block has none, and ends where the next thing begins.
///
/// The end that the parser gives reaches over the comment that follows.
fn end_of(span: Span) -> Marker {
    let start = span.start;
    if span.is_empty() { start } else { Marker::new(start.index() + 1, start.line(), start.col() + 1) }
}

/// `None` where the two readers saw different scalars.
fn scalar(text: String, style: ScalarStyle, typed: Typed) -> Option<Kind> {
    match typed {
        Typed::Text(typed) => (typed == text).then_some(Kind::Text(text)),
        Typed::Null => Some(Kind::Null),
        Typed::List(_) | Typed::Map(_) => None,
        _ if style != ScalarStyle::Plain => None,
        Typed::Bool(value) => Some(Kind::Bool(value, text)),
        Typed::Int(value) => Some(Kind::Int(value, text)),
        Typed::Float => Some(Kind::Float(text)),
    }
}

/// What `serde_yaml` says, with the line it says it of.
fn syntax_error(text: &str, error: &serde_yaml::Error, origin: Origin) -> Diagnostic {
    let message = error.to_string();
    if message.contains("more than one document") {
        return second_document(text, origin);
    }
    let Some(location) = error.location() else {
        return Diagnostic::error(None, plain_words(&message));
    };
    let (line, column) = (location.line(), location.column());
    let message = message.replacen(&format!(" at line {line} column {column}"), "", 1);
    // At the end of a text without a last line end, the place is said to be in the line after it.
    let last = text.lines().count();
    let place = match text.lines().last() {
        Some(end) if line > last && !text.ends_with('\n') => origin.place(last, end.chars().count(), 1),
        _ => origin.place(line, column.saturating_sub(1), 1),
    };
    let diagnostic = Diagnostic::error(Some(place), plain_words(&message));
    let indent_has_tab = text
        .lines()
        .nth(line.saturating_sub(1))
        .is_some_and(|line| line.chars().take_while(|c| c.is_whitespace()).any(|c| c == '\t'));
    if indent_has_tab {
        diagnostic.with_hint("YAML is indented with blanks; a tab can't stand here")
    } else {
        diagnostic
    }
}

fn plain_words(message: &str) -> String {
    match message {
        "recursion limit exceeded" => "nested too deeply: more than 128 levels".to_owned(),
        "repetition limit exceeded" => "the aliases of this file repeat too much".to_owned(),
        "unknown anchor" => "there is no anchor of this name".to_owned(),
        _ => format!("not valid YAML: {message}"),
    }
}

fn second_document(text: &str, origin: Origin) -> Diagnostic {
    let content = |line: &str| !(line.is_empty() || line.starts_with('#') || line.starts_with('%'));
    let mut first_seen = false;
    let line = text.lines().position(|line| {
        let marker = line.starts_with("---") && first_seen;
        first_seen = first_seen || content(line);
        marker
    });
    let place = line.map(|line| origin.place(line + 1, 0, 3));
    Diagnostic::error(place, "a second YAML document begins here; one file is one match")
        .with_hint("put the second match into a file of its own")
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;

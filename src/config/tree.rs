//! A YAML document with the place of every key and value.

use super::source::Place;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub kind: Kind,
    pub place: Place,
}

/// What a value is, by the core schema of YAML 1.2: `no` and `off` are texts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Null,
    /// With the text as written.
    Bool(bool, String),
    /// With the text as written.
    Int(i128, String),
    /// Only the text as written: no setting is a binary fraction.
    Float(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub key: String,
    pub key_place: Place,
    pub value: Node,
}

impl Entry {
    /// Key and value, where they stand in one line.
    pub fn place(&self) -> Place {
        self.key_place.through(self.value.place)
    }
}

impl Node {
    pub fn is_null(&self) -> bool {
        self.kind == Kind::Null
    }

    /// The text of a scalar as written; `None` for null, lists and mappings.
    pub fn scalar(&self) -> Option<&str> {
        match &self.kind {
            Kind::Bool(_, text) | Kind::Int(_, text) | Kind::Float(text) | Kind::Text(text) => Some(text),
            Kind::Null | Kind::List(_) | Kind::Map(_) => None,
        }
    }

    /// The entry of this key, in a mapping.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.kind {
            Kind::Map(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    /// What stands there, for messages.
    pub fn found(&self) -> String {
        match &self.kind {
            Kind::Null => "nothing".to_owned(),
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "a mapping".to_owned(),
            Kind::Text(text) if text.is_empty() => "an empty text".to_owned(),
            Kind::Bool(_, text) | Kind::Int(_, text) | Kind::Float(text) | Kind::Text(text) => {
                let shown: String = text.chars().take(60).collect();
                format!("`{shown}{}`", if shown.len() < text.len() { "…" } else { "" })
            }
        }
    }
}

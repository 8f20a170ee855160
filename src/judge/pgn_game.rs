//! One game of a PGN file as it stands there: nothing of it has been judged.

use std::fmt;

use crate::law::verdict::GameResult;

/// A result as PGN writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileResult {
    /// `1-0`, `0-1`, `1/2-1/2`.
    Known(GameResult),
    /// `*`
    Open,
}

impl FileResult {
    /// Reads a result, in the spellings that are in use.
    pub fn parse(text: &str) -> Option<FileResult> {
        let plain = text.trim().replace(['–', '—'], "-").replace('½', "1/2");
        match plain.as_str() {
            "1-0" => Some(FileResult::Known(GameResult::WhiteWins)),
            "0-1" => Some(FileResult::Known(GameResult::BlackWins)),
            "1/2-1/2" | "1/2" => Some(FileResult::Known(GameResult::Draw)),
            "*" => Some(FileResult::Open),
            _ => None,
        }
    }

    /// As the PGN standard writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            FileResult::Known(result) => result.as_str(),
            FileResult::Open => "*",
        }
    }
}

impl fmt::Display for FileResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A move of the main line as the file writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveToken {
    /// The text, without a move number.
    pub text: String,
    /// The line of the file.
    pub line: u64,
}

/// What can't be read or isn't legal, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct PgnFault {
    /// The line of the file.
    pub line: u64,
    /// In words.
    pub what: String,
}

/// Tags, main line and result of a game.
#[derive(Clone, Debug, Default)]
pub struct PgnGame {
    /// Which game of the file it is, from 1.
    pub number: u64,
    /// The line on which it starts.
    pub line: u64,
    /// Names and values in the file's order, escapes resolved.
    pub tags: Vec<(String, String)>,
    /// The main line; variations and comments are left out.
    pub moves: Vec<MoveToken>,
    /// The result at the end of the movetext.
    pub terminator: Option<FileResult>,
    /// The first thing that can't be read. The moves before it are there.
    pub fault: Option<PgnFault>,
    /// What was passed over, in words.
    pub notes: Vec<String>,
}

impl PgnGame {
    /// The value of a tag, its first one if the file gives more.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn set_fault(&mut self, line: u64, what: impl Into<String>) {
        self.fault.get_or_insert_with(|| PgnFault { line, what: what.into() });
    }
}

//! What can be wrong with openings, in words that say where and what to do.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::packed::PackedFault;
use crate::law::notation::fen::Repair;
use crate::law::verdict::Verdict;

/// Why an entry of a book can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The text is no position, no tag or no game.
    #[error("{0}")]
    Malformed(String),
    /// A word that is no move.
    #[error("`{0}` is not a move")]
    NotAMove(String),
    /// A move that can't be made.
    #[error("{san} is illegal at ply {ply}")]
    IllegalMove {
        /// As the book writes it.
        san: String,
        /// Counted from the line's start position, the first one is 1.
        ply: usize,
    },
    /// A move that two pieces can make.
    #[error("{san} is ambiguous at ply {ply}")]
    AmbiguousMove {
        /// As the book writes it.
        san: String,
        /// Counted from the line's start position, the first one is 1.
        ply: usize,
    },
    /// A move of a Polyglot book that can't be made in its position.
    #[error("not a legal move in its position")]
    NotInPosition,
    /// A game of another kind of chess.
    #[error("the variant `{0}` is not the match's")]
    Variant(String),
    /// Nothing is left to play.
    #[error("already over after {plies} plies: {verdict}")]
    Over {
        /// How it ended.
        verdict: Verdict,
        /// After how many book moves.
        plies: usize,
    },
    /// More text than an opening can need.
    #[error("longer than {0} bytes")]
    TooLong(usize),
}

/// An entry of a book that can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{unit} {line}: {fault}: `{excerpt}`")]
pub struct BadEntry {
    /// What is counted.
    pub unit: Unit,
    /// Where the fault is, counted from 1.
    pub line: u64,
    /// The line's text, shortened; of a Polyglot book the moves.
    pub excerpt: String,
    /// What is wrong.
    pub fault: Fault,
}

impl BadEntry {
    pub(super) fn new(line: u64, text: &[u8], fault: Fault) -> BadEntry {
        BadEntry { unit: Unit::Line, line, excerpt: excerpt(text), fault }
    }
}

/// By what the places of a book are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Lines of text.
    Line,
    /// Moves of a Polyglot book, sixteen bytes each.
    Move,
    /// Openings that were found in a Polyglot book.
    Opening,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Line => "line",
            Unit::Move => "book move",
            Unit::Opening => "opening",
        })
    }
}

/// A book's bytes for a message: readable, and never long.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const LENGTH: usize = 80;
    // A character has at most four bytes.
    let head = &bytes[..bytes.len().min(4 * LENGTH + 4)];
    let text = String::from_utf8_lossy(head);
    let mut shown: String =
        text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).take(LENGTH).collect();
    if text.trim().chars().count() > LENGTH {
        shown.push('…');
    }
    shown
}

/// Something the user should know; the openings are used all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// No book (field report O-06).
    NoBook,
    /// The order begins beyond its end.
    StartWraps {
        /// The start asked for.
        start: u64,
        /// The entries there are.
        len: u64,
    },
    /// An entry is left out.
    Skipped(BadEntry),
    /// More of them, not listed.
    MoreSkipped(u64),
    /// An entry is used, but not with all that it says.
    Repaired {
        /// Its line in the book.
        line: u64,
        /// What was changed.
        repair: Repair,
    },
    /// A position of a list is used, but not with all that it says.
    RepairedFen {
        /// Its place in the list, counted from 0.
        index: usize,
        /// What was changed.
        repair: Repair,
    },
    /// More of them, not listed.
    MoreRepaired(u64),
    /// A Polyglot book has more openings than are looked for.
    WalkCut {
        /// Openings that were found.
        openings: u64,
        /// Positions that were looked at.
        positions: u64,
    },
    /// They are used up, and begin again.
    UsedUp {
        /// Openings that can be used.
        openings: u64,
    },
    /// The openings are used more than once.
    Repeats {
        /// Openings that can be used.
        openings: u64,
        /// Pairs that want one.
        pairs: u64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::NoBook => f.write_str(
                "every game starts from the initial position: engines that always answer alike will repeat their \
                 games; give `openings` a book",
            ),
            Warning::StartWraps { start, len } => {
                let place = (start - 1) % len + 1;
                write!(f, "openings start at {start}, but there are {len}: starting at {place} instead")
            }
            Warning::Skipped(entry) => write!(f, "opening left out: {entry}"),
            Warning::MoreSkipped(count) => write!(f, "{count} more openings left out"),
            Warning::Repaired { line, repair } => write!(f, "opening repaired: line {line}: {repair}"),
            Warning::RepairedFen { index, repair } => {
                write!(f, "position {} of `fens` repaired: {repair}", index + 1)
            }
            Warning::MoreRepaired(count) => write!(f, "{count} more openings repaired"),
            Warning::WalkCut { openings, positions } => write!(
                f,
                "the book has more openings than the {openings} that were found among the first {positions} \
                 positions: only these are used"
            ),
            Warning::UsedUp { openings } => {
                write!(f, "all openings have been used ({openings}): they begin again")
            }
            Warning::Repeats { openings, pairs } => {
                write!(f, "{pairs} openings are wanted and there are {openings}: they will be used again")
            }
        }
    }
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The book can't be read.
    #[error("can't read the opening book `{}`: {source}", path.display())]
    Read {
        /// The book.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no book.
    #[error("can't use the opening book `{}`: {fault}", path.display())]
    NotABook {
        /// The book.
        path: PathBuf,
        /// What it is, and what to do.
        fault: &'static str,
    },
    /// The book is compressed and can't be unpacked.
    #[error("can't unpack the opening book `{}`: {fault}", path.display())]
    Packed {
        /// The compressed book.
        path: PathBuf,
        /// Why.
        fault: PackedFault,
    },
    /// The book is not what it was when it was opened.
    #[error("the opening book `{}` has changed since it was opened: start again", path.display())]
    Changed {
        /// The book.
        path: PathBuf,
    },
    /// Nothing in it.
    #[error("there is no opening in {0}: give at least one position or game")]
    Empty(String),
    /// Entries, but all of them bad.
    #[error("no opening in `{}` can be used: {}", path.display(), listed(bad, *more))]
    NoneUsable {
        /// The book.
        path: PathBuf,
        /// The first of them.
        bad: Vec<BadEntry>,
        /// How many more there are.
        more: u64,
    },
    /// `bad_lines: refuse`, and there are some.
    #[error("bad openings in `{}`: {}; repair them, or say `bad_lines: skip`", path.display(), listed(bad, *more))]
    Refused {
        /// The book.
        path: PathBuf,
        /// The first of them.
        bad: Vec<BadEntry>,
        /// How many more there are.
        more: u64,
    },
    /// Positions of a list can't be played from: all of these.
    #[error("{}", joined(.0))]
    BadFens(Vec<BadFen>),
}

/// A position of a list that can't be played from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("position {} of `fens` can't be used: {fault}: `{excerpt}`", index + 1)]
pub struct BadFen {
    /// Its place in the list, counted from 0.
    pub index: usize,
    /// What is wrong.
    pub fault: Fault,
    /// The text, shortened.
    pub excerpt: String,
}

fn listed(bad: &[BadEntry], more: u64) -> String {
    let text = joined(bad);
    if more > 0 { format!("{text}; and {more} more") } else { text }
}

fn joined(bad: &[impl ToString]) -> String {
    bad.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

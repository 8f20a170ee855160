//! A book: a file of positions or games, read entry by entry.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use shakmaty::CastlingMode;

use super::index::{Index, Place, is_entry, without_end};
use super::opening::Opening;
use super::problem::{BadEntry, Fault, OpeningsError};
pub use super::source::Format;
use super::source::{Content, Source};
use super::{epd, pgn};
use crate::law::game_state::GameState;
use crate::law::notation::fen::Repair;
use crate::law::policy::DeadPositionRule;

/// Bytes of a game that are read; the moves of an opening come sooner.
const GAME_LIMIT: usize = 1 << 20;

/// How entries are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryRules {
    /// Standard chess or Chess960.
    pub mode: CastlingMode,
    /// Plies of a game's main line that are played; `None`: all.
    pub plies: Option<u32>,
    /// By which rule a line is over as a dead position.
    pub dead_position: DeadPositionRule,
}

/// An opening from a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where a game starts.
    pub opening: Opening,
    /// The entry's first line in the book, counted from 1.
    pub line: u64,
    /// What the book says and the position can't have.
    pub repairs: Vec<Repair>,
}

/// An open book: the file and an index of it.
#[derive(Debug)]
pub struct Book<R = File> {
    path: PathBuf,
    reader: BufReader<R>,
    /// The reader's place in the file, to seek relative to it: neighbours are in its buffer already.
    position: u64,
    format: Format,
    index: Index,
    buffer: Vec<u8>,
}

impl Book {
    /// Opens a book of lines or games, compressed or not, and makes its index.
    ///
    /// # Errors
    /// A file that can't be read or is no text. A book without entries is no error here.
    pub fn open(path: &Path) -> Result<Book, OpeningsError> {
        let Source { file, content } = Source::open(path)?;
        match content {
            Content::Text(format) => Book::of_file(path, file, format),
            Content::Polyglot => Err(OpeningsError::NotABook {
                path: path.to_owned(),
                fault: "a Polyglot book is a graph of positions and has no lines",
            }),
        }
    }

    /// Makes the index of a book that has been opened; `path` is for messages.
    pub(super) fn of_file(path: &Path, file: File, format: Format) -> Result<Book, OpeningsError> {
        Book::index(path, file, format)
            .map_err(|source| OpeningsError::Read { path: path.to_owned(), source })
    }
}

impl<R: Read + Seek> Book<R> {
    /// Makes the index of a book, from its beginning. `path` is for messages.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn index(path: &Path, mut file: R, format: Format) -> io::Result<Book<R>> {
        const PASS_BUFFER: usize = 1 << 18;
        file.rewind()?;
        let mut pass = BufReader::with_capacity(PASS_BUFFER, file);
        let index = match format {
            Format::Lines => Index::of_lines(&mut pass)?,
            Format::Pgn => Index::of_games(&mut pass)?,
        };
        let mut reader = BufReader::new(pass.into_inner());
        reader.rewind()?;
        Ok(Book { path: path.to_owned(), reader, position: 0, format, index, buffer: Vec::new() })
    }

    /// Where the book is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its entries, good and bad.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads an entry, counted from 0.
    ///
    /// # Errors
    /// Outside, when the book can't be read any more; inside, when the entry can't be used.
    pub fn entry(
        &mut self,
        entry: usize,
        rules: &EntryRules,
    ) -> Result<Result<Entry, BadEntry>, OpeningsError> {
        let changed = || OpeningsError::Changed { path: self.path.clone() };
        let place = self.index.place(entry).ok_or_else(changed)?;
        let read =
            self.read(place).map_err(|source| OpeningsError::Read { path: self.path.clone(), source })?;
        match self.format {
            _ if read == 0 => Err(OpeningsError::Changed { path: self.path.clone() }),
            Format::Pgn => Ok(pgn::parse(&self.buffer, place.line, (read as u64) < place.length, rules)),
            Format::Lines if !is_entry(&self.buffer) => {
                Err(OpeningsError::Changed { path: self.path.clone() })
            }
            Format::Lines => Ok(position(without_end(&self.buffer), place.line, rules)),
        }
    }

    /// Reads an entry's text into the buffer.
    fn read(&mut self, place: Place) -> io::Result<usize> {
        self.buffer.clear();
        // File offsets are below 2^63.
        self.reader.seek_relative(place.offset.wrapping_sub(self.position).cast_signed())?;
        self.position = place.offset;
        let read = match self.format {
            Format::Lines => {
                let limit = place.length.min(epd::LINE_LIMIT as u64 + 2);
                self.reader.by_ref().take(limit).read_until(b'\n', &mut self.buffer)?
            }
            Format::Pgn => {
                let limit = place.length.min(GAME_LIMIT as u64);
                self.reader.by_ref().take(limit).read_to_end(&mut self.buffer)?
            }
        };
        self.position += read as u64;
        Ok(read)
    }
}

fn position(text: &[u8], line: u64, rules: &EntryRules) -> Result<Entry, BadEntry> {
    let bad = |fault| BadEntry::new(line, text, fault);
    let parsed = epd::parse(text, rules.mode).map_err(bad)?;
    let state = GameState::new(parsed.chess, rules.mode, rules.dead_position);
    if let Some(verdict) = state.end() {
        return Err(bad(Fault::Over { verdict: verdict.clone(), plies: 0 }));
    }
    let opening = Opening::at(state.chess().clone(), rules.mode);
    Ok(Entry { opening, line, repairs: parsed.repairs })
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;

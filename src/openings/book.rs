//! A book: a file of positions or games, read entry by entry.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use shakmaty::CastlingMode;

use super::index::{Index, Place, is_entry, without_end};
use super::opening::Opening;
use super::problem::{BadEntry, Fault, OpeningsError};
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

/// What a book's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A FEN or EPD position on each line.
    Lines,
    /// Games.
    Pgn,
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
    /// Opens a book and makes its index. `.pgn` is PGN, `.epd`, `.fen` and `.txt` are lines; for other names the
    /// content decides.
    ///
    /// # Errors
    /// A file that can't be read or is no text. A book without entries is no error here.
    pub fn open(path: &Path) -> Result<Book, OpeningsError> {
        let unreadable = |source| OpeningsError::Read { path: path.to_owned(), source };
        let unusable = |fault| OpeningsError::NotABook { path: path.to_owned(), fault };
        if !path.metadata().map_err(unreadable)?.is_file() {
            return Err(unusable("it is not a regular file; name an EPD, FEN or PGN file"));
        }
        let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
        let head = reader.fill_buf().map_err(unreadable)?;
        if let Some(fault) = not_text(head) {
            return Err(unusable(fault));
        }
        let format = format_by_name(path).unwrap_or_else(|| format_by_content(head));
        let file = reader.into_inner();
        Book::index(path, file, format).map_err(unreadable)
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

fn format_by_name(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "pgn" => Some(Format::Pgn),
        "epd" | "fen" | "txt" => Some(Format::Lines),
        _ => None,
    }
}

/// A line of positions has eight ranks in its first word; a game begins with a tag or a move number.
fn format_by_content(head: &[u8]) -> Format {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let Some(line) = head.split(|byte| *byte == b'\n').find(|line| is_entry(line)) else {
        return Format::Lines;
    };
    let line = line.trim_ascii();
    let word = line.split(u8::is_ascii_whitespace).next().unwrap_or(line);
    let looks_like_a_game = line.starts_with(b"[") || line.starts_with(b"{") || word.starts_with(b"1.");
    if looks_like_a_game { Format::Pgn } else { Format::Lines }
}

fn not_text(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(b"PK\x03\x04")
        || head.starts_with(b"\x1f\x8b")
        || head.starts_with(b"\x28\xb5\x2f\xfd")
    {
        return Some("it is compressed, and reading that is not available yet; unpack it first");
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some("it is UTF-16; save it as UTF-8");
    }
    head.contains(&0).then_some("it is not a text; name an EPD, FEN or PGN file")
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;

//! The file behind a book: opened, unpacked where it is compressed, and what is in it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::path::Path;

use super::index::is_entry;
use super::packed::{Packing, UNPACKED_LIMIT, Unpacked};
use super::problem::OpeningsError;

/// What a book's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A FEN or EPD position on each line.
    Lines,
    /// Games.
    Pgn,
}

/// What a book is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Text(Format),
    Polyglot,
}

/// A book that is ready to be read from its beginning.
#[derive(Debug)]
pub(super) struct Source {
    /// The book itself or, if it was compressed, a temporary file without a name.
    pub(super) file: File,
    pub(super) content: Content,
}

impl Source {
    /// Opens a file. `.zip`, `.gz` and `.zst` are unpacked. `.pgn` is PGN, `.epd`, `.fen` and `.txt` are lines,
    /// `.bin` is Polyglot, also within an archive (`book.epd.zip`); for other names the content decides.
    ///
    /// # Errors
    /// What can't be read or unpacked, and what is no book.
    pub(super) fn open(path: &Path) -> Result<Source, OpeningsError> {
        let unreadable = |source| OpeningsError::Read { path: path.to_owned(), source };
        let unpackable = |fault| OpeningsError::Packed { path: path.to_owned(), fault };
        let unusable = |fault| OpeningsError::NotABook { path: path.to_owned(), fault };
        if !path.metadata().map_err(unreadable)?.is_file() {
            return Err(unusable("it is not a regular file; name an EPD, FEN, PGN or Polyglot file"));
        }
        let (mut file, head) = head(File::open(path).map_err(unreadable)?).map_err(unreadable)?;
        let packing = Packing::of(path, &head).map_err(unpackable)?;
        let content = match packing {
            None => content(path, &head).map_err(unusable)?,
            Some(packing) => {
                let Unpacked { file: unpacked, name } =
                    packing.unpack(path, file, UNPACKED_LIMIT).map_err(unpackable)?;
                let head;
                (file, head) = self::head(unpacked).map_err(unreadable)?;
                content(&name, &head).map_err(unusable)?
            }
        };
        Ok(Source { file, content })
    }
}

/// The first bytes of a file, which is back at its beginning afterwards.
fn head(mut file: File) -> io::Result<(File, Vec<u8>)> {
    file.rewind()?;
    let mut reader = BufReader::new(file);
    let head = reader.fill_buf()?.to_vec();
    let mut file = reader.into_inner();
    file.rewind()?;
    Ok((file, head))
}

/// Whether a file's name is one that only books have.
pub(super) fn is_surely_a_book(name: &Path) -> bool {
    name.extension().is_some_and(|ending| {
        ["epd", "fen", "pgn", "bin"].into_iter().any(|book| ending.eq_ignore_ascii_case(book))
    })
}

fn content(name: &Path, head: &[u8]) -> Result<Content, &'static str> {
    let ending = name.extension().unwrap_or_default();
    if ending.eq_ignore_ascii_case("bin") {
        return Ok(Content::Polyglot);
    }
    if let Some(fault) = not_text(head) {
        return Err(fault);
    }
    if ending.eq_ignore_ascii_case("pgn") {
        return Ok(Content::Text(Format::Pgn));
    }
    if ["epd", "fen", "txt"].into_iter().any(|lines| ending.eq_ignore_ascii_case(lines)) {
        return Ok(Content::Text(Format::Lines));
    }
    let unknown = "neither its ending nor its content shows what it is: give a FEN or EPD position on each line \
                   (.epd), games (.pgn) or a Polyglot book (.bin)";
    text_by_content(head).map(Content::Text).ok_or(unknown)
}

/// A line of positions has eight ranks in its first word; a game begins with a tag or a move number.
fn text_by_content(head: &[u8]) -> Option<Format> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let Some(line) = head.split(|byte| *byte == b'\n').find(|line| is_entry(line)) else {
        return Some(Format::Lines); // without any entry
    };
    let line = line.trim_ascii();
    let word = line.split(u8::is_ascii_whitespace).next().unwrap_or(line);
    if line.starts_with(b"[") || line.starts_with(b"{") || word.starts_with(b"1.") {
        return Some(Format::Pgn);
    }
    (word.iter().filter(|byte| **byte == b'/').count() == 7).then_some(Format::Lines)
}

fn not_text(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(b"PK\x03\x04")
        || head.starts_with(b"\x1f\x8b")
        || head.starts_with(b"\x28\xb5\x2f\xfd")
    {
        return Some("it is compressed twice: unpack it once");
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some("it is UTF-16; save it as UTF-8");
    }
    head.contains(&0)
        .then_some("it is not a text; name an EPD, FEN or PGN file, or a Polyglot book with the ending .bin")
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;

//! Where the entries of a book are: one pass over the file, of which only offsets and line numbers stay.

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;

use super::scan::{Item, Scanner, is_result};

/// Bytes of a line that are looked at; what is beyond can't be part of an opening.
pub(super) const LINE_LIMIT: usize = 1 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The beginning of each entry, by offset and by line.
#[derive(Debug, Default)]
pub(super) struct Index {
    offsets: Vec<u64>,
    lines: Vec<u32>,
    /// Where the last entry ends.
    end: u64,
}

/// One entry's place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset: u64,
    /// To the next entry, or to the end.
    pub(super) length: u64,
    /// Counted from 1.
    pub(super) line: u64,
}

impl Index {
    /// Of a file with a position on each line.
    pub(super) fn of_lines(reader: impl BufRead) -> io::Result<Index> {
        let mut index = Index::default();
        let mut lines = Lines::new(reader);
        while let Some(line) = lines.next()? {
            if is_entry(line.text) {
                index.push(line.offset, line.number)?;
            }
            index.end = lines.offset;
        }
        Ok(index)
    }

    /// Of a PGN file.
    ///
    /// A game begins with its first tag, or with its first word where there are no tags, and goes on to its result,
    /// to the first tag after moves, or to an `Event` tag. An empty line ends nothing.
    pub(super) fn of_games(reader: impl BufRead) -> io::Result<Index> {
        let mut index = Index::default();
        let mut lines = Lines::new(reader);
        let mut scanner = Scanner::default();
        let mut part = Part::Between;
        while let Some(line) = lines.next()? {
            let mut pushed = Ok(());
            let _ = scanner.scan_line(line.text, |at, item| {
                let (begins, next) = part.after(item);
                part = next;
                if begins {
                    pushed = index.push(line.offset + at as u64, line.number);
                }
                if pushed.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            pushed?;
            index.end = lines.offset;
        }
        Ok(index)
    }

    /// Entries found.
    pub(super) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Where an entry is, counted from 0.
    pub(super) fn place(&self, entry: usize) -> Option<Place> {
        let offset = *self.offsets.get(entry)?;
        let next = self.offsets.get(entry + 1).copied().unwrap_or(self.end);
        Some(Place { offset, length: next - offset, line: u64::from(*self.lines.get(entry)?) })
    }

    fn push(&mut self, offset: u64, line: u64) -> io::Result<()> {
        let too_many = |_| io::Error::new(io::ErrorKind::FileTooLarge, "more than 4,294,967,295 lines");
        self.lines.push(u32::try_from(line).map_err(too_many)?);
        self.offsets.push(offset);
        Ok(())
    }
}

/// Whether a line of a book of positions is more than blank or a comment.
pub(super) fn is_entry(line: &[u8]) -> bool {
    line.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|first| !b"#;".contains(first))
}

/// Where in a PGN file an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Between,
    Tags,
    Moves,
}

impl Part {
    /// Whether the item begins a game, and where it leaves the reader.
    fn after(self, item: Item<'_>) -> (bool, Part) {
        match item {
            Item::Tag { name, .. } => (self != Part::Tags || name == b"Event", Part::Tags),
            Item::Word(word) if is_result(word) => (self == Part::Between, Part::Between),
            Item::Word(_) => (self == Part::Between, Part::Moves),
        }
    }
}

/// A line without its end.
pub(super) struct Line<'a> {
    pub(super) number: u64,
    pub(super) offset: u64,
    pub(super) text: &'a [u8],
}

/// Lines with numbers and offsets, in bounded memory.
pub(super) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    offset: u64,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Lines<R> {
        Lines { reader, buffer: Vec::new(), offset: 0, number: 0 }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let mut offset = self.offset;
        let read = self.reader.by_ref().take(LINE_LIMIT as u64).read_until(b'\n', &mut self.buffer)?;
        if read == 0 {
            return Ok(None);
        }
        self.offset += read as u64;
        self.number += 1;
        if read == LINE_LIMIT && !self.buffer.ends_with(b"\n") {
            self.offset += self.reader.skip_until(b'\n')? as u64;
        }
        let mut text = without_end(&self.buffer);
        if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK).filter(|_| offset == 0) {
            text = rest;
            offset = BYTE_ORDER_MARK.len() as u64;
        }
        Ok(Some(Line { number: self.number, offset, text }))
    }
}

/// A line without line feed and carriage return.
pub(super) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(index: &Index) -> Vec<(u64, u64, u64)> {
        let place = |entry| index.place(entry).map(|place| (place.offset, place.length, place.line));
        (0..index.len()).filter_map(place).collect()
    }

    #[test]
    fn blank_lines_and_comments_are_no_entries() {
        let text = b"\xef\xbb\xbfone\r\n\r\n# two\n ; three\n\tfour\nfive";
        assert_eq!(places(&Index::of_lines(&text[..]).unwrap()), [(3, 22, 1), (25, 6, 5), (31, 4, 6)]);
    }

    #[test]
    fn games_begin_with_tags_or_after_a_result() {
        let text = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 {[x]}\n\ne5\n[Event \"c\"]\n\n[FEN \"d\"]\n[Event \"e\"]\n*\n\
                    1. d4 * 1. c4\n1-0 {late}\n[White \"f\"]\n";
        let found = places(&Index::of_games(text.as_bytes()).unwrap());
        let starts: Vec<&str> = found
            .iter()
            .map(|(offset, ..)| text.split_at(*offset as usize).1)
            .map(|rest| &rest[..9])
            .collect();
        let expected = [
            "[Event \"a",
            "[Event \"c",
            "[Event \"e",
            "1. d4 * 1",
            "1. c4\n1-0"[..9].trim_end(),
            "[White \"f",
        ];
        assert_eq!(starts, expected);
        assert_eq!(found.iter().map(|(.., line)| *line).collect::<Vec<_>>(), [1, 7, 10, 12, 12, 14]);
    }

    #[test]
    fn a_line_without_end_is_skipped_in_bounded_memory() {
        let mut text = vec![b'x'; 3 * LINE_LIMIT];
        text.extend_from_slice(b"\nnext\n");
        let mut lines = Lines::new(&text[..]);
        assert_eq!(lines.next().unwrap().unwrap().text.len(), LINE_LIMIT);
        let next = lines.next().unwrap().unwrap();
        assert_eq!((next.number, next.offset, next.text), (2, 3 * LINE_LIMIT as u64 + 1, &b"next"[..]));
        assert!(lines.next().unwrap().is_none());
    }
}

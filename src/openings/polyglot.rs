//! A Polyglot book: a sorted table of moves by position, read where it is asked.
//!
//! Sixteen bytes for each move, all numbers with their highest byte first: the position's key (64 bits), the move,
//! its weight, and four bytes that engines use to learn and a referee ignores. Keys are Polyglot's Zobrist keys, which
//! are the library's. A move is six times three bits from the lowest on (to file, to rank, from file, from rank) and
//! the promotion (1 knight to 4 queen); castling is the king's move to its own rook. The format's description:
//! <http://hgm.nubati.net/book_format.html>.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position, Role, Square};

use super::problem::OpeningsError;

/// Bytes of an entry.
const SIZE: u64 = 16;

/// Entries that are read at once, and of which one key is held in memory.
const BLOCK: u64 = 256;

/// No position has more moves, and no book names one much more often than once.
const MOST_MOVES: u64 = 512;

/// An open book.
#[derive(Debug)]
pub(super) struct PolyglotBook<R = File> {
    path: PathBuf,
    file: R,
    entries: u64,
    /// The keys with which the blocks begin.
    block_keys: Vec<u64>,
    /// What was read last.
    buffer: Vec<u8>,
}

/// A move as the book has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BookMove(pub(super) u16);

/// One entry of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) book_move: BookMove,
    pub(super) weight: u16,
}

/// The key by which books know a position. An en passant square counts where a pawn stands ready to capture, even if
/// it is pinned.
pub(super) fn key(chess: &Chess) -> u64 {
    chess.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

impl<R: Read + Seek> PolyglotBook<R> {
    /// Reads a book through to see that it is one. `path` is for messages.
    ///
    /// # Errors
    /// When it can't be read, or is no Polyglot book.
    pub(super) fn open(path: &Path, mut file: R) -> Result<PolyglotBook<R>, OpeningsError> {
        let unreadable = |source| OpeningsError::Read { path: path.to_owned(), source };
        let unusable = |fault| OpeningsError::NotABook { path: path.to_owned(), fault };
        let size = file.seek(SeekFrom::End(0)).map_err(unreadable)?;
        if size % SIZE != 0 {
            return Err(unusable("it is no Polyglot book, or cut off: its size is no multiple of 16 bytes"));
        }
        file.rewind().map_err(unreadable)?;
        let entries = size / SIZE;
        let mut pass = BufReader::with_capacity(1 << 16, file);
        let block_keys = block_keys(&mut pass, entries).map_err(unreadable)?.map_err(unusable)?;
        let file = pass.into_inner();
        Ok(PolyglotBook { path: path.to_owned(), file, entries, block_keys, buffer: Vec::new() })
    }

    /// Where the book is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The entries of a position that are to be played, in the order of the book: a weight of 0 means never.
    ///
    /// # Errors
    /// When the book can't be read any more.
    pub(super) fn entries(&mut self, key: u64) -> Result<Vec<Entry>, OpeningsError> {
        self.find(key).map_err(|source| OpeningsError::Read { path: self.path.clone(), source })
    }

    fn find(&mut self, wanted: u64) -> io::Result<Vec<Entry>> {
        // The entries may begin in the block before the first one that begins with their key.
        let first = self.block_keys.partition_point(|key| *key < wanted).saturating_sub(1);
        let mut found = Vec::new();
        for block in first as u64..self.block_keys.len() as u64 {
            let start = block * BLOCK;
            let entries = BLOCK.min(self.entries - start);
            self.buffer.clear();
            self.file.seek(SeekFrom::Start(start * SIZE))?;
            self.file.by_ref().take(entries * SIZE).read_to_end(&mut self.buffer)?;
            let (read, rest) = self.buffer.as_chunks();
            if read.len() as u64 != entries || !rest.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            for (bytes, index) in read.iter().zip(start..) {
                let (key, entry) = entry(bytes, index);
                if key > wanted {
                    return Ok(found);
                }
                if key == wanted && entry.weight > 0 {
                    found.push(entry);
                }
            }
        }
        Ok(found)
    }
}

fn entry(bytes: &[u8; SIZE as usize], index: u64) -> (u64, Entry) {
    let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, ..] = *bytes;
    let key = u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]);
    let book_move = BookMove(u16::from_be_bytes([m0, m1]));
    (key, Entry { number: index + 1, book_move, weight: u16::from_be_bytes([w0, w1]) })
}

/// The keys with which the blocks begin, if all keys ascend, as they do in every book and hardly in anything else.
fn block_keys(reader: &mut impl Read, entries: u64) -> io::Result<Result<Vec<u64>, &'static str>> {
    let (mut last, mut run) = (0, 0);
    let mut block_keys = Vec::new();
    for index in 0..entries {
        let mut bytes = [0; SIZE as usize];
        reader.read_exact(&mut bytes)?;
        let (key, _) = entry(&bytes, index);
        if key < last {
            return Ok(Err("it is no Polyglot book: its entries are not in the order of their keys"));
        }
        run = if key == last { run + 1 } else { 1 };
        // Keys of 0 are no positions: some programs keep notes there.
        if run > MOST_MOVES && key != 0 {
            return Ok(Err("it is no Polyglot book: a position has more moves than chess can have"));
        }
        last = key;
        if index % BLOCK == 0 {
            block_keys.push(key);
        }
    }
    Ok(Ok(block_keys))
}

impl BookMove {
    /// What it is in a position; `None` when it can't be made there. Castling may also be written as the king's
    /// two steps.
    pub(super) fn in_position(self, chess: &Chess) -> Option<Move> {
        self.written()?.to_move(chess).ok()
    }

    /// In UCI notation, for messages; castling as the book has it.
    pub(super) fn text(self) -> String {
        self.written().map_or_else(|| format!("{:#06x}", self.0), |written| written.to_string())
    }

    fn written(self) -> Option<UciMove> {
        let square = |bits: u16| Square::new(u32::from(bits & 0x3f));
        let promotion = match self.0 >> 12 {
            0 => None,
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => return None,
        };
        Some(UciMove::Normal { from: square(self.0 >> 6), to: square(self.0), promotion })
    }
}

#[cfg(test)]
#[path = "polyglot_tests.rs"]
mod tests;

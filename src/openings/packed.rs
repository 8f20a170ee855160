//! Compressed books: unpacked as a stream to a temporary file that has no name, so that it goes with the process.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::zip_member;
use super::zstd_frames::ZstdFrames;

/// Bytes that a book may have unpacked; the largest published ones have a few hundred millions.
pub(super) const UNPACKED_LIMIT: u64 = 4 << 30;

/// How a book is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Zip,
    Gzip,
    Zstd,
}

/// Why a compressed book can't be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum PackedFault {
    /// More than one member may be meant.
    #[error("it holds several books ({}): unpack the one that is meant", listed(.0))]
    Several(Vec<String>),
    /// No member is a book.
    #[error("there is no book in it")]
    NoBook,
    /// A decompression bomb, or a book beyond all measure.
    #[error("it unpacks to more than {0} bytes: if that is really a book, unpack it yourself")]
    TooLarge(u64),
    /// The archive does not hold what it promises.
    #[error("it is damaged, cut off, or packed in an unknown way ({0}): pack it again")]
    Damaged(io::Error),
    /// The member can only be read with a password.
    #[error("it is encrypted: unpack it first")]
    Encrypted,
    /// The name of the file promises what is not in it.
    #[error("it is called `.{0}`, but is not packed so: rename it or pack it again")]
    Misnamed(&'static str),
    /// There is no place to unpack to.
    #[error("it is unpacked to the temporary folder `{}`, which fails ({source}): set TMPDIR to another", folder.display())]
    NoRoom {
        /// The temporary folder.
        folder: PathBuf,
        /// What failed there.
        source: io::Error,
    },
}

/// An unpacked book.
#[derive(Debug)]
pub(super) struct Unpacked {
    /// Read from its beginning by whoever seeks there first.
    pub(super) file: File,
    /// What the book is called inside: the name of a zip's member, else the file's name without the last ending.
    pub(super) name: PathBuf,
}

impl Packing {
    /// How a file with this name and these first bytes is compressed, if it is.
    pub(super) fn of(path: &Path, head: &[u8]) -> Result<Option<Packing>, PackedFault> {
        const ALL: [Packing; 3] = [Packing::Zip, Packing::Gzip, Packing::Zstd];
        if let Some(packing) = ALL.into_iter().find(|packing| packing.begins(head)) {
            return Ok(Some(packing));
        }
        let ending = path.extension().unwrap_or_default();
        match ALL.into_iter().find(|packing| ending.eq_ignore_ascii_case(packing.ending())) {
            Some(packing) => Err(PackedFault::Misnamed(packing.ending())),
            None => Ok(None),
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Packing::Zip => "zip",
            Packing::Gzip => "gz",
            Packing::Zstd => "zst",
        }
    }

    fn begins(self, head: &[u8]) -> bool {
        match self {
            // A zip without members begins with its table of contents.
            Packing::Zip => head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06"),
            Packing::Gzip => head.starts_with(b"\x1f\x8b"),
            // A frame, or one of the sixteen kinds of frame that are to be skipped.
            Packing::Zstd => {
                head.starts_with(b"\x28\xb5\x2f\xfd") || matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
            }
        }
    }

    /// Unpacks a file to at most `limit` bytes.
    pub(super) fn unpack(self, path: &Path, file: File, limit: u64) -> Result<Unpacked, PackedFault> {
        let name = || path.file_stem().map(PathBuf::from).unwrap_or_default();
        match self {
            Packing::Zip => zip_member::unpack(file, limit),
            Packing::Gzip => {
                let file = copied(&mut MultiGzDecoder::new(BufReader::new(file)), limit)?;
                Ok(Unpacked { file, name: name() })
            }
            Packing::Zstd => {
                let file = copied(&mut ZstdFrames::new(BufReader::new(file)), limit)?;
                Ok(Unpacked { file, name: name() })
            }
        }
    }
}

/// Copies all that `packed` gives to a new temporary file.
pub(super) fn copied(packed: &mut dyn Read, limit: u64) -> Result<File, PackedFault> {
    let no_room = |source| PackedFault::NoRoom { folder: std::env::temp_dir(), source };
    let mut file = tempfile::tempfile().map_err(no_room)?;
    let mut buffer = vec![0; 1 << 16];
    let mut written = 0;
    loop {
        let read = match packed.read(&mut buffer) {
            Ok(0) => return Ok(file),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(PackedFault::Damaged(error)),
        };
        written += read as u64;
        if written > limit {
            return Err(PackedFault::TooLarge(limit));
        }
        file.write_all(&buffer[..read]).map_err(no_room)?;
    }
}

/// The first names, and how many more there are.
fn listed(names: &[String]) -> String {
    const TOLD: usize = 10;
    let mut text = names[..names.len().min(TOLD)].join(", ");
    if names.len() > TOLD {
        text.push_str(&format!(" and {} more", names.len() - TOLD));
    }
    text
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;

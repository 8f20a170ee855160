//! The book in a zip: which member it is.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::packed::{PackedFault, Unpacked, copied};
use super::problem::excerpt;
use super::source;

/// Unpacks the one book of a zip.
pub(super) fn unpack(file: File, limit: u64) -> Result<Unpacked, PackedFault> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
    let (index, name) = book_member(&mut archive)?;
    let mut member = archive.by_index(index).map_err(damaged)?;
    if member.size() > limit {
        return Err(PackedFault::TooLarge(limit));
    }
    let file = copied(&mut member, limit)?;
    Ok(Unpacked { file, name })
}

/// The member with the ending of a book, or else the only member that is not a system's own; text files such as a
/// README or a licence count as books only in the second case.
fn book_member(archive: &mut ZipArchive<BufReader<File>>) -> Result<(usize, PathBuf), PackedFault> {
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let member = archive.by_index_raw(index).map_err(damaged)?;
        let name = PathBuf::from(member.name().map_err(damaged)?.into_owned());
        if member.is_file() && !is_a_systems_own(&name) {
            members.push((index, name));
        }
    }
    let has_books = members.iter().any(|(_, name)| source::is_surely_a_book(name));
    if has_books {
        members.retain(|(_, name)| source::is_surely_a_book(name));
    }
    match members.len() {
        0 => Err(PackedFault::NoBook),
        1 => Ok(members.swap_remove(0)),
        _ => {
            let shown = |(_, name): &(usize, PathBuf)| excerpt(name.as_os_str().as_encoded_bytes());
            Err(PackedFault::Several(members.iter().map(shown).collect()))
        }
    }
}

/// Resource forks, folder settings and other hidden files.
fn is_a_systems_own(name: &Path) -> bool {
    name.starts_with("__MACOSX")
        || name.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn damaged(error: ZipError) -> PackedFault {
    match error {
        ZipError::Io(error) => PackedFault::Damaged(error),
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => PackedFault::Encrypted,
        other => PackedFault::Damaged(io::Error::other(other)),
    }
}

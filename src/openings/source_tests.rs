use std::io::{Read, Write};

use super::*;
use crate::openings::book::Book;

const LINE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

fn written(text: &[u8], suffix: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
    file.write_all(text).unwrap();
    file
}

#[test]
fn the_name_or_else_the_content_says_what_a_book_is() {
    for (suffix, text, expected) in [
        (".epd", "[Event \"a\"]", Content::Text(Format::Lines)),
        (".PGN", LINE, Content::Text(Format::Pgn)),
        ("", "\u{feff}\n\n[Event \"a\"]", Content::Text(Format::Pgn)),
        (".book", "1. e4 *", Content::Text(Format::Pgn)),
        (".book", "# x\n1k6/8/8/8/8/8/4P3/4K3 w - -", Content::Text(Format::Lines)),
        ("", "", Content::Text(Format::Lines)),
        (".BIN", "", Content::Polyglot),
        (".bin", LINE, Content::Polyglot),
    ] {
        let file = written(text.as_bytes(), suffix);
        let mut source = Source::open(file.path()).unwrap();
        assert_eq!(source.content, expected, "{suffix} {text}");
        let mut whole = String::new();
        source.file.read_to_string(&mut whole).unwrap();
        assert_eq!(whole, text, "at its beginning");
    }
}

#[test]
fn a_gzipped_book_goes_by_its_inner_name_or_content() {
    for (suffix, text, expected) in [
        (".pgn.gz", LINE, Content::Text(Format::Pgn)),
        (".bin.gz", LINE, Content::Polyglot),
        (".gz", LINE, Content::Text(Format::Lines)),
        (".epd", "1. e4 *", Content::Text(Format::Pgn)), // the archive's own ending
    ] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text.as_bytes()).unwrap();
        let file = written(&gzip.finish().unwrap(), suffix);
        assert_eq!(Source::open(file.path()).unwrap().content, expected, "{suffix}");
    }
}

#[test]
fn what_is_no_book_is_told() {
    for (suffix, content, expected) in [
        (".epd", &b"PK\x03\x04"[..], "cut off"),
        (".epd", b"\x1f\x8b\x08", "cut off"),
        (".epd", b"\xff\xfe4\0", "UTF-16"),
        (".epd", b"ab\0cd", "not a text"),
        (".abk", b"ABK\0cd", "not a text"),
        (".doc", b"Dear reader", "neither its ending nor its content"),
        ("", b"1k/8 w", "neither its ending nor its content"),
        (".bin", b"0123456789abcdef", "has no lines"),
    ] {
        let told = Book::open(written(content, suffix).path()).unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
    }
    let told = Book::open(Path::new("/")).unwrap_err().to_string();
    assert!(told.contains("not a regular file"), "{told}");
    let told = Book::open(Path::new("no/such.epd")).unwrap_err().to_string();
    assert!(told.contains("can't read the opening book `no/such.epd`"), "{told}");
}

#[test]
fn a_book_packed_twice_is_told() {
    let mut bytes = LINE.as_bytes().to_vec();
    for _ in 0..2 {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&bytes).unwrap();
        bytes = gzip.finish().unwrap();
    }
    let told = Source::open(written(&bytes, ".gz").path()).unwrap_err().to_string();
    assert!(told.contains("compressed twice"), "{told}");
}

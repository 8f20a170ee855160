use std::io::{Cursor, Write};

use proptest::prelude::*;

use super::*;

const RULES: EntryRules =
    EntryRules { mode: CastlingMode::Standard, plies: None, dead_position: DeadPositionRule::Material };

fn book(text: &[u8], format: Format) -> Book<Cursor<Vec<u8>>> {
    Book::index(Path::new("test"), Cursor::new(text.to_vec()), format).unwrap()
}

fn written(text: &[u8], suffix: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
    file.write_all(text).unwrap();
    file
}

#[test]
fn entries_are_read_in_any_order() {
    let text =
        b"\xef\xbb\xbf4k3/8/8/8/8/8/4P3/4K3 w - -\r\n\r\n# a comment\r\n; another\r\nnonsense here\r\n\
                 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\r\n\t7k/8/5KQ1/8/8/8/8/8 b - - 0 1";
    let mut book = book(text, Format::Lines);
    assert_eq!(book.len(), 4);
    assert_eq!(
        book.entry(3, &RULES).unwrap().unwrap_err().to_string(),
        "line 7: already over after 0 plies: Draw by stalemate (Article 5.2.1): `7k/8/5KQ1/8/8/8/8/8 b - - 0 1`"
    );
    let first = book.entry(0, &RULES).unwrap().unwrap();
    assert_eq!((first.opening.fen.as_deref(), first.line), (Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), 1));
    let initial = book.entry(2, &RULES).unwrap().unwrap();
    assert_eq!((initial.opening.fen, initial.line), (None, 6));
    let bad = book.entry(1, &RULES).unwrap().unwrap_err();
    assert_eq!((bad.line, bad.excerpt.as_str()), (5, "nonsense here"));
    assert!(matches!(book.entry(4, &RULES), Err(OpeningsError::Changed { .. })));
}

#[test]
fn games_keep_their_line_numbers() {
    let text = b"[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. d4\nd6\n2. Qd8 *\n\n1. c4 * 1. b4 *\n";
    let mut book = book(text, Format::Pgn);
    assert_eq!(book.len(), 4);
    assert_eq!(book.entry(3, &RULES).unwrap().unwrap().opening.book, ["b2b4"]);
    assert_eq!(book.entry(2, &RULES).unwrap().unwrap().line, 11);
    assert_eq!(book.entry(1, &RULES).unwrap().unwrap_err().line, 9);
    assert_eq!(book.entry(0, &RULES).unwrap().unwrap().opening.book, ["e2e4", "e7e5"]);
}

#[test]
fn a_book_that_shrinks_under_way_is_told() {
    let file = written(b"4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/3P4/4K3 w - -\n", ".epd");
    let mut book = Book::open(file.path()).unwrap();
    file.as_file().set_len(0).unwrap();
    assert!(matches!(book.entry(1, &RULES), Err(OpeningsError::Changed { .. })));
}

proptest! {
    #[test]
    fn wild_books_do_not_panic(bytes: Vec<u8>, text in "([\\[\\]{}();*\" \r\n#1./]|Event|e4|k){0,80}") {
        for text in [&bytes[..], text.as_bytes()] {
            for format in [Format::Lines, Format::Pgn] {
                let mut book = book(text, format);
                for entry in (0..book.len()).rev() {
                    prop_assert!(book.entry(entry, &RULES).is_ok());
                }
            }
        }
    }
}

//! Published opening books, whole: each entry is an opening or is told with its line.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too")]

use std::fs::File;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use arbiter::law::policy::DeadPositionRule;
use arbiter::openings::book::{Book, EntryRules};
use arbiter::openings::{BadEntry, Openings, OpeningsSource, OpeningsSpec, Sequence, Warning};
use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

fn books() -> Option<PathBuf> {
    let books = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/books");
    if books.is_dir() {
        return Some(books);
    }
    assert!(std::env::var_os("CI").is_none(), "the published books are missing: {}", books.display());
    eprintln!("SKIPPED: the published books are missing: {}", books.display());
    None
}

/// Unpacks a published book; it goes with the folder.
fn unpacked(name: &str) -> Option<(tempfile::TempDir, PathBuf)> {
    let packed = books()?.join(format!("{name}.zip"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let mut archive = zip::ZipArchive::new(File::open(&packed).unwrap()).unwrap();
    let mut member = archive.by_index(0).unwrap();
    std::io::copy(&mut member, &mut File::create(&path).unwrap()).unwrap();
    Some((folder, path))
}

fn rules(mode: CastlingMode) -> EntryRules {
    EntryRules { mode, plies: None, dead_position: DeadPositionRule::Material }
}

/// Reads a book to its end: how many entries can be used, how many were repaired, and the bad ones.
fn read_all(path: &Path, mode: CastlingMode) -> (usize, usize, Vec<BadEntry>) {
    let begun = Instant::now();
    let mut book = Book::open(path).unwrap();
    let indexed = begun.elapsed();
    let (mut usable, mut repaired, mut bad) = (0, 0, Vec::new());
    for entry in 0..book.len() {
        match book.entry(entry, &rules(mode)).unwrap() {
            Ok(entry) => {
                assert!(entry.opening.start.outcome().is_unknown() || !entry.opening.book.is_empty());
                usable += 1;
                repaired += usize::from(!entry.repairs.is_empty());
            }
            Err(entry) => bad.push(entry),
        }
    }
    let name = path.file_name().unwrap().to_string_lossy();
    eprintln!("{name}: {usable} usable, {repaired} repaired, {} bad, index in {indexed:?}", bad.len());
    for entry in bad.iter().take(3) {
        eprintln!("  {entry}");
    }
    eprintln!("  all in {:?}", begun.elapsed());
    (usable, repaired, bad)
}

fn check(name: &str, mode: CastlingMode, entries: usize) {
    let Some((_folder, path)) = unpacked(name) else {
        return;
    };
    let (usable, repaired, bad) = read_all(&path, mode);
    assert!(bad.iter().all(|entry| entry.line > 0));
    assert_eq!((usable, repaired, bad.len()), (entries, 0, 0), "{name}: usable, repaired, bad");
}

#[test]
fn noob_3moves() {
    check("noob_3moves.epd", CastlingMode::Standard, 150_932);
}

#[test]
fn uho_4060() {
    check("UHO_4060_v4.epd", CastlingMode::Standard, 241_670);
}

#[test]
fn endgames() {
    check("endgames.epd", CastlingMode::Standard, 157_846);
}

#[test]
fn closedpos() {
    check("closedpos.epd", CastlingMode::Standard, 165_735);
}

#[test]
fn stalemates() {
    check("stalemates_200d30_v1.epd", CastlingMode::Standard, 10_796);
}

#[test]
fn chess960_books() {
    check("3moves_FRC.epd", CastlingMode::Chess960, 126_113);
    check("FRC_openings.epd", CastlingMode::Chess960, 960);
}

#[test]
fn eight_moves() {
    check("8moves_v3.pgn", CastlingMode::Standard, 34_700);
}

/// The library's PGN reader as a witness: it finds the same games and the same moves.
#[test]
fn games_are_read_as_the_library_reads_them() {
    let Some((_folder, path)) = unpacked("8moves_v3.pgn") else {
        return;
    };
    let mut book = Book::open(&path).unwrap();
    let mut reader = Reader::new(File::open(&path).unwrap());
    let mut games = 0;
    while let Some(moves) = reader.read_game(&mut MainLine).unwrap() {
        let entry = book.entry(games, &rules(CastlingMode::Standard)).unwrap().unwrap();
        assert_eq!(entry.opening.book, moves, "line {}", entry.line);
        games += 1;
    }
    assert_eq!(games, book.len());
}

struct MainLine;

impl Visitor for MainLine {
    type Tags = ();
    type Movetext = (Chess, Vec<String>);
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((Chess::default(), Vec::new()))
    }

    fn san(&mut self, (chess, moves): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        let played = san.san.to_move(chess).unwrap();
        moves.push(UciMove::from_standard(played).to_string());
        chess.play_unchecked(played);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> Self::Output {
        moves
    }
}

/// A long book is not read through for a few pairs, and a seed means the same lines ever after (computed from the
/// description in `openings::order` by another program).
#[test]
fn a_long_book_is_drawn_from_at_random() {
    let Some((_folder, path)) = unpacked("UHO_4060_v4.epd") else {
        return;
    };
    let spec = OpeningsSpec {
        sequence: Sequence::Shuffled(42),
        start: NonZeroU64::new(3).unwrap(),
        ..OpeningsSpec::new(OpeningsSource::File(path))
    };
    let (mut openings, warnings) = Openings::open(&spec).unwrap();
    assert!(warnings.is_empty());
    let lines: Vec<u64> = (0..5).map(|pair| openings.opening_for_pair(pair).unwrap().line.unwrap()).collect();
    assert_eq!(lines, [68_459, 113_001, 181_396, 138_956, 186_208]);
    let len = openings.len();
    assert_eq!(openings.repeats(len).unwrap(), None);
    assert!(matches!(openings.repeats(len + 1).unwrap(), Some(Warning::Repeats { .. })));
}

//! Published opening books, whole: each entry is an opening or is told with its line.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too")]

use std::collections::{BTreeMap, HashSet};
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
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, Square};

#[path = "support/shared.rs"]
mod support;

fn books() -> Option<PathBuf> {
    support::shared("books")
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

fn opened(spec: &OpeningsSpec) -> Openings {
    let (openings, warnings) = Openings::open(spec).unwrap();
    assert_eq!(warnings, []);
    openings
}

fn first_lines(openings: &mut Openings, count: u64) -> Vec<(Option<u64>, Option<String>, Vec<String>)> {
    let drawn = (0..count).map(|pair| openings.opening_for_pair(pair).unwrap());
    drawn.map(|drawn| (drawn.line, drawn.opening.fen, drawn.opening.book)).collect()
}

/// A zip as it is published gives what its book gives, in whatever order.
#[test]
fn published_zips_are_read_as_they_are() {
    let Some(books) = books() else { return };
    for (name, mode) in [
        ("noob_3moves.epd", CastlingMode::Standard),
        ("UHO_4060_v4.epd", CastlingMode::Standard),
        ("8moves_v3.pgn", CastlingMode::Standard),
        ("3moves_FRC.epd", CastlingMode::Chess960),
        ("stalemates_200d30_v1.epd", CastlingMode::Standard),
    ] {
        let Some((_folder, plain)) = unpacked(name) else { return };
        let packed = books.join(format!("{name}.zip"));
        for sequence in [Sequence::AsInFile, Sequence::Shuffled(11)] {
            let spec = |path: &Path| OpeningsSpec {
                sequence,
                mode,
                plies: Some(6),
                ..OpeningsSpec::new(OpeningsSource::File(path.to_owned()))
            };
            let (mut from_zip, mut from_file) = (opened(&spec(&packed)), opened(&spec(&plain)));
            assert_eq!(from_zip.len(), from_file.len(), "{name}");
            let drawn = first_lines(&mut from_zip, 50);
            assert_eq!(drawn, first_lines(&mut from_file, 50), "{name}");
            let plies = if name.ends_with(".pgn") { 6 } else { 0 };
            assert!(drawn.iter().all(|(.., book)| book.len() == plies), "{name}");
        }
    }
}

/// The same book in each kind of packing.
#[test]
fn a_published_book_is_the_same_in_every_packing() {
    let Some((folder, plain)) = unpacked("FRC_openings.epd") else { return };
    let text = std::fs::read(&plain).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::copy(&mut &text[..], &mut gzip).unwrap();
    let gzip = write("book.epd.gz", &gzip.finish().unwrap());
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let zstd = write("book.epd.zst", &ruzstd::encoding::compress_to_vec(&text[..], level));
    let spec = |path: &Path| OpeningsSpec {
        mode: CastlingMode::Chess960,
        sequence: Sequence::Shuffled(960),
        ..OpeningsSpec::new(OpeningsSource::File(path.to_owned()))
    };
    let expected = first_lines(&mut opened(&spec(&plain)), 960);
    for packed in [gzip, zstd] {
        assert_eq!(first_lines(&mut opened(&spec(&packed)), 960), expected, "{}", packed.display());
    }
    let positions: HashSet<_> = expected.into_iter().map(|(_, fen, _)| fen).collect();
    assert_eq!(positions.len(), 960, "every position of Chess960 once");
}

/// X-FEN says `KQkq` where that is clear, Shredder-FEN names the files; engines always get the latter.
#[test]
fn chess960_positions_are_read_in_both_notations() {
    for (fen, expected) in [
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ),
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ),
        // Of two rooks on a side `K` and `Q` mean the outer one; the black right has no rook and is dropped.
        ("4k3/8/8/8/8/8/8/R1R1K1RR w GCh -", "4k3/8/8/8/8/8/8/R1R1K1RR w GC - 0 1"),
        ("4k3/8/8/8/8/8/8/R1R1K1RR w KQ - hmvc 3; fmvn 9;", "4k3/8/8/8/8/8/8/R1R1K1RR w HA - 3 9"),
    ] {
        let mut spec = OpeningsSpec::new(OpeningsSource::Fens(vec![fen.to_owned()]));
        spec.mode = CastlingMode::Chess960;
        let (mut openings, _) = Openings::open(&spec).unwrap();
        let drawn = openings.opening_for_pair(0).unwrap();
        assert_eq!(drawn.opening.fen.as_deref(), Some(expected), "{fen}");
    }
}

/// A Polyglot book of the games of a PGN book, each move with as much weight as it has games, and the positions to which
/// its moves lead in exactly `plies` plies.
fn polyglot_of_games(path: &Path, plies: usize) -> (Vec<u8>, HashSet<u64>) {
    let key = |chess: &Chess| chess.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0;
    let mut book = Book::open(path).unwrap();
    let mut table: BTreeMap<(u64, u16), u16> = BTreeMap::new();
    for entry in 0..book.len() {
        let opening = book.entry(entry, &rules(CastlingMode::Standard)).unwrap().unwrap().opening;
        let mut chess = opening.start;
        for text in &opening.book {
            let played = text.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
            // Castling to the rook, as the format wants it.
            let UciMove::Normal { from, to, promotion } = UciMove::from_chess960(played) else { panic!() };
            assert_eq!(promotion, None);
            *table.entry((key(&chess), (from as u16) << 6 | to as u16)).or_default() += 1;
            chess.play_unchecked(played);
        }
    }
    let mut positions = vec![Chess::default()];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let next = positions.iter().flat_map(|chess| {
            let moves = table.range((key(chess), 0)..=(key(chess), u16::MAX)).map(|((_, code), _)| *code);
            moves.map(|code| {
                let square = |bits: u16| Square::new(u32::from(bits & 0x3f));
                let written = UciMove::Normal { from: square(code >> 6), to: square(code), promotion: None };
                let mut after = chess.clone();
                after.play_unchecked(written.to_move(chess).unwrap());
                after
            })
        });
        positions = next.filter(|chess| seen.insert(key(chess))).collect();
    }
    let bytes = table.iter().flat_map(|((key, code), weight)| {
        [&key.to_be_bytes()[..], &code.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    });
    (bytes.collect(), positions.iter().map(key).collect())
}

/// Every position that the moves of real games reach in six plies comes once, in either order; then they come again.
#[test]
fn a_polyglot_book_of_real_games_gives_every_position_once() {
    let Some((folder, games)) = unpacked("8moves_v3.pgn") else { return };
    let (bytes, reachable) = polyglot_of_games(&games, 6);
    let path = folder.path().join("book.bin");
    std::fs::write(&path, bytes).unwrap();
    let wanted = reachable.len() as u64;
    for sequence in [Sequence::AsInFile, Sequence::Shuffled(4)] {
        let source = OpeningsSource::File(path.clone());
        let spec = OpeningsSpec { sequence, plies: Some(6), ..OpeningsSpec::new(source) };
        let begun = Instant::now();
        let mut openings = opened(&spec);
        let drawn = first_lines(&mut openings, wanted + 3);
        eprintln!("{wanted} walks in {:?}", begun.elapsed());
        assert_eq!(drawn[wanted as usize..], drawn[..3]);
        let ends = drawn.iter().map(|(_, _, book)| {
            assert_eq!(book.len(), 6);
            let mut chess = Chess::default();
            for text in book {
                let played = text.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
                chess.play_unchecked(played);
            }
            chess.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
        });
        assert_eq!(ends.collect::<HashSet<_>>(), reachable);
    }
}

//! Opening books as files: what is played from them, what is told before the first game, what is recorded.

use std::fs;
use std::io::{Cursor, Write};

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::{Match, Outcome};

const THREE: &str = "4k3/8/8/8/8/8/3P4/4K3 w - -\n4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/5P2/4K3 w - -\n";
/// Polyglot's key of the initial position, e2e4 with weight 2 and d2d4 with weight 1.
const POLYGLOT: [&[u8]; 2] = [
    b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x02\0\0\0\0",
    b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x02\xdb\x00\x01\0\0\0\0",
];

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A match from this book, with more keys of `openings`.
fn with_book(name: &str, bytes: &[u8], keys: &[(&str, Value)]) -> Match {
    let mut game = Match::new().set("openings.file", json!(name));
    for (key, value) in keys {
        game = game.set(&format!("openings.{key}"), value.clone());
    }
    fs::write(game.dir().join(name), bytes).unwrap();
    game
}

/// Where the games of a schedule start, without playing them.
fn starts(game: Match) -> Vec<String> {
    let outcome = game.arg("--dry-run").run().exits_with(0);
    let start = |line: &str| line.rsplit("  ").next().unwrap().to_owned();
    outcome.stdout.lines().map(start).collect()
}

#[test]
fn a_zipped_book_is_played_from_and_named_in_the_events() {
    let book = zip(&[("README.txt", "openings"), ("book.pgn", "1. e4 e5 2. Qh5 Nc6 3. Bc4 *\n")]);
    let game = with_book("book.pgn.zip", &book, &[("plies", json!(2))]);
    let outcome = game.run().exits_with(0);
    let comments = &outcome.game().comments;
    let book = comments.iter().filter(|(_, text)| text == "book").count();
    assert_eq!((outcome.endings()[0].as_str(), book), ("1-0 checkmate 5.1.1", 2));
    let started = outcome.events_of("match_started").next().unwrap();
    let mut openings = started["openings"].clone();
    let file = openings.as_object_mut().unwrap().remove("file").unwrap();
    assert!(file.as_str().unwrap().ends_with("book.pgn.zip"), "{file}");
    let expected =
        json!({ "order": "sequential", "start": 1, "plies": 2, "per": "pair", "bad_lines": "skip" });
    assert_eq!((&openings, &started["variant"]), (&expected, &json!("standard")));
}

#[test]
fn everything_that_decides_which_openings_are_played_is_recorded() {
    let mate_in_one = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    let game = Match::new()
        .moves("g6g7")
        .set("openings.fens", json!([mate_in_one]))
        .set("openings.order", json!("random"))
        .set("openings.per", json!("round"))
        .set("openings.bad_lines", json!("refuse"));
    let outcome = game.run().exits_with(0);
    let openings = &outcome.events_of("match_started").next().unwrap()["openings"];
    let expected = json!({
        "fens": [mate_in_one], "order": "random", "seed": 1, "start": 1, "per": "round", "bad_lines": "refuse",
    });
    assert_eq!(openings, &expected);
}

#[test]
fn o_03_a_random_order_is_one_and_a_book_that_is_too_short_begins_again() {
    let lines: String = (2..32).map(|number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}\n")).collect();
    let game = |rounds| {
        let keys = [("order", json!("random")), ("seed", json!(3))];
        with_book("book.epd", lines.as_bytes(), &keys).rounds(rounds)
    };
    let drawn = starts(game(61));
    let round = &drawn[..30];
    let in_file: Vec<String> = lines.lines().map(str::to_owned).collect();
    assert_ne!(round, in_file);
    let mut sorted = round.to_vec();
    sorted.sort_by_key(|start| start.rsplit(' ').next().unwrap().parse::<u32>().unwrap());
    assert_eq!(sorted, in_file, "each once");
    assert_eq!([&drawn[30..60], &drawn[60..]], [round, &round[..1]]);
    for (rounds, told) in [(29, false), (30, false), (31, true)] {
        let outcome = game(rounds).arg("--dry-run").run().exits_with(0);
        assert_eq!(outcome.stderr.contains("will be used again"), told, "{rounds}: {}", outcome.stderr);
    }
}

#[test]
fn o_05_the_seed_is_printed_and_stored_and_batches_continue_each_other() {
    let keys = |seed: Option<u64>| {
        let seed = seed.map(|seed| ("seed", json!(seed)));
        [("order", json!("random"))].into_iter().chain(seed).collect::<Vec<_>>()
    };
    for (seed, expected) in [(Some(77), 77), (None, 1)] {
        let fens = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3";
        let game = with_book("book.epd", fens.as_bytes(), &keys(seed)).moves("f1c4 g8f6 h5f7");
        let outcome = game.run().exits_with(0);
        assert!(outcome.stdout.contains(&format!("seed {expected}\n")), "{}", outcome.stdout);
        assert_eq!(outcome.events_of("match_started").next().unwrap()["openings"]["seed"], expected);
    }
    let batch = |start: u64, rounds| {
        let keys = [&keys(Some(5))[..], &[("start", json!(start))]].concat();
        starts(with_book("book.epd", THREE.as_bytes(), &keys).rounds(rounds))
    };
    assert_eq!([batch(1, 2), batch(3, 1)].concat(), batch(1, 3));
}

#[test]
fn o_06_a_match_without_a_book_is_told_that_games_will_repeat() {
    let several = Match::new().rounds(2).arg("--dry-run").run().exits_with(0);
    assert!(several.stderr.contains("will repeat their games"), "{}", several.stderr);
    let one = Match::new().arg("--dry-run").run().exits_with(0);
    assert!(!one.stderr.contains("repeat"), "{}", one.stderr);
}

#[test]
fn o_08_two_engines_play_the_same_openings_per_pair_and_per_round() {
    let drawn = |per: Value| starts(with_book("book.epd", THREE.as_bytes(), &[("per", per)]).rounds(3));
    assert_eq!(drawn(json!("pair")), drawn(json!("round")));
    assert_eq!(drawn(json!(null)), drawn(json!("round")));
    assert!(drawn(json!("pair"))[1].contains("/4P3/"));
}

#[test]
fn a_polyglot_book_is_walked() {
    let book = POLYGLOT.concat();
    assert_eq!(
        starts(with_book("book.bin", &book, &[]).rounds(2)),
        ["startpos moves e2e4", "startpos moves d2d4"]
    );
    let short = with_book("book.bin", &book, &[]).rounds(3).arg("--dry-run").run().exits_with(0);
    assert!(short.stderr.contains("3 openings are wanted and there are 2"), "{}", short.stderr);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&book).unwrap();
    let keys = [("order", json!("random")), ("start", json!(2))];
    let packed = starts(with_book("book.bin.gz", &gzip.finish().unwrap(), &keys).rounds(2));
    assert!(packed.contains(&"startpos moves e2e4".to_owned()) && packed[0] != packed[1], "{packed:?}");
    // An engine plays on from there.
    let played = with_book("book.bin", &book, &[("plies", json!(1))]).run().exits_with(0);
    let game = played.game();
    let from_book: Vec<_> = game.comments.iter().filter(|(_, text)| text == "book").collect();
    assert_eq!((game.ucis[0].as_str(), from_book.len()), ("e2e4", 1));
    assert_eq!(game.ending(), "1-0 checkmate 5.1.1");
}

#[test]
fn what_is_wrong_with_a_book_is_told_before_the_first_game() {
    let several = zip(&[("a.epd", THREE), ("b.epd", THREE)]);
    let mut cut = zip(&[("a.epd", THREE)]);
    cut.truncate(40);
    for (name, bytes, expected) in [
        ("empty.epd", &b""[..], "there is no opening in the opening book"),
        ("comments.epd", b"# nothing\n\n", "there is no opening in the opening book"),
        ("book.ctg", b"\0\0\x03\x02binary", "it is not a text"),
        ("book.doc", b"Dear reader,\n", "neither its ending nor its content shows what it is"),
        ("several.zip", &several, "it holds several books (a.epd, b.epd)"),
        ("cut.epd.zip", &cut, "it is damaged, cut off"),
        ("plain.epd.gz", THREE.as_bytes(), "it is called `.gz`, but is not packed so"),
        ("text.bin", THREE.as_bytes(), "it is no Polyglot book"),
        ("strange.bin", b"0123456789abcdef", "it has no move for the initial position"),
        ("bad.epd", b"7k/8/5KQ1/8/8/8/8/8 b - - 0 1\n", "line 1: already over"),
    ] {
        for outcome in [with_book(name, bytes, &[]).run(), with_book(name, bytes, &[]).check()] {
            let outcome: Outcome = outcome.exits_with(2);
            assert!(outcome.stderr.contains(expected), "{name}: {}", outcome.stderr);
            assert!(!outcome.path().join("match.out").exists(), "{name}");
        }
    }
    let missing = Match::new().set("openings.file", json!("missing.epd.zip")).run().exits_with(2);
    assert!(missing.stderr.contains("the book"), "{}", missing.stderr);
}

#[test]
fn where_a_book_can_not_be_unpacked_the_folder_is_named() {
    let book = zip(&[("a.epd", THREE)]);
    let running = with_book("book.zip", &book, &[]).start_after("export TMPDIR=/no/such/folder");
    let outcome = running.finish().exits_with(2);
    assert!(outcome.stderr.contains("/no/such/folder") && outcome.stderr.contains("set TMPDIR"));
}

#[test]
fn o_09_a_position_of_the_match_file_that_is_repaired_is_shown_at_its_place() {
    let fens = json!(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w K - 0 1"]);
    let game = || Match::new().set("openings.fens", fens.clone()).rounds(2);
    for outcome in [game().arg("--dry-run").run(), game().check()] {
        let outcome = outcome.exits_with(0);
        let words = "warning: position 2 of `fens` repaired: a castling right without its king and rook was dropped\n";
        let (_, after) = outcome.stderr.split_once(words).unwrap_or_else(|| panic!("{}", outcome.stderr));
        assert!(after.starts_with(" --> match.yaml:") || after.starts_with("  --> match.yaml:"), "{after}");
        assert!(after.contains("4k3/8/8/8/8/8/4P3/4K3 w K - 0 1") && after.contains("^^^"), "{after}");
        assert_eq!(outcome.stderr.matches("repaired").count(), 1);
    }
}

#[test]
fn o_09_no_engine_sees_impossible_rights_and_squares() {
    for (book, sent, told) in [
        // White is in check, so the pawn can't be taken: nothing is wrong, but engines are known to take it.
        ("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", "k7/8/8/3pP3/8/7n/5K2/8 w - - 0 1", false),
        ("k7/8/8/8/8/8/8/4K2R w KQ - 0 1", "k7/8/8/8/8/8/8/4K2R w K - 0 1", true),
    ] {
        // The game is lost at once by no move; only what the engine was told matters.
        let outcome = with_book("book.epd", book.as_bytes(), &[]).moves("0000").run().exits_with(0);
        assert_eq!(outcome.stderr.contains("opening repaired: line 1"), told, "{}", outcome.stderr);
        assert_eq!(outcome.received_words("Alpha", "position")[0], format!("position fen {sent}"));
    }
}

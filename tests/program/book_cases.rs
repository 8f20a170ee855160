//! What users of such programs have reported about openings, played through.

use std::fs;

use serde_json::json;

use crate::support::{FOOLS_MATE, Match, Outcome, fake};

/// A match from a book of these lines.
fn from_book(name: &str, lines: &[u8]) -> Match {
    let game = Match::new().set("openings.file", json!(name));
    fs::write(game.dir().join(name), lines).unwrap();
    game
}

/// A king and a pawn; the counters differ.
fn numbered(numbers: std::ops::RangeInclusive<u32>) -> String {
    numbers.map(|number| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}\n")).collect()
}

/// Where the games started, in the order of their numbers.
fn fens(outcome: &Outcome) -> Vec<&str> {
    let mut games: Vec<_> = outcome.games.iter().collect();
    games.sort_by_key(|game| game.tag("Round").to_owned());
    games.into_iter().map(|game| game.tag("FEN")).collect()
}

/// The lines of `--dry-run` from two blanks on: where games would start.
fn planned(game: Match) -> Vec<String> {
    let outcome = game.arg("--dry-run").run().exits_with(0);
    outcome.stdout.lines().map(|line| line.rsplit("  ").next().unwrap().to_owned()).collect()
}

#[test]
fn o_01_a_pawn_of_a_four_field_line_can_be_taken_en_passant() {
    let line = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6";
    for game in [from_book("book.epd", line.as_bytes()), Match::new().fen(line)] {
        let outcome = game.moves("e5f6 0000").run().exits_with(0);
        assert_eq!(outcome.received_words("Alpha", "position"), [format!("position fen {line} 0 1")]);
        assert_eq!(
            (outcome.game().sans.as_slice(), outcome.game().tag("FEN")),
            (&["exf6".to_owned()][..], &*format!("{line} 0 1"))
        );
        assert_eq!(outcome.endings(), ["1-0 illegal_move 7.5.5"]);
    }
}

#[test]
fn o_02_counters_come_from_fields_and_operations_and_count() {
    let stand = "4k3/8/8/8/8/8/8/4K2R w - -";
    let lines = format!("{stand} hmvc 149; fmvn 90; id \"a\";\n{stand} 149 91\n{stand} 149 92; id \"b\";\n");
    let outcome = from_book("book.epd", lines.as_bytes()).moves("h1h2").rounds(3).run().exits_with(0);
    let expected = [90, 91, 92].map(|number| format!("{stand} 149 {number}"));
    assert_eq!(fens(&outcome), expected, "and nothing else");
    // One more ply without capture or pawn move.
    assert_eq!(outcome.endings(), ["1/2-1/2 seventy_five_move_rule 9.6.2"; 3]);
    assert!(outcome.pgn.contains("\n90. Rh2 "), "{}", outcome.pgn);
}

#[test]
fn o_03_more_games_than_openings_are_played() {
    for size in 1..4 {
        let game = from_book("book.epd", numbered(1..=size).as_bytes()).moves("0000").rounds(4);
        let outcome = game.run().exits_with(0);
        let expected: Vec<String> =
            (0..4).map(|index| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {}", index % size + 1)).collect();
        assert_eq!(fens(&outcome), expected);
    }
}

#[test]
fn o_04_a_start_beyond_the_end_wraps_around_in_every_kind_of_book_and_is_said() {
    let pgn = "1. e4 *\n\n1. d4 *\n\n1. c4 *\n";
    let polyglot: Vec<u8> = [(0x031c_u16, 3_u16), (0x02db, 2), (0x029a, 1)]
        .iter()
        .flat_map(|(book_move, weight)| {
            let key = 0x463b_9618_1691_fc9c_u64.to_be_bytes();
            [&key[..], &book_move.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
        })
        .collect();
    for (name, bytes, second) in [
        ("book.epd", numbered(1..=3).as_bytes(), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 2"),
        ("book.pgn", pgn.as_bytes(), "startpos moves d2d4"),
        ("book.bin", &polyglot, "startpos moves d2d4"),
    ] {
        let outcome =
            from_book(name, bytes).set("openings.start", json!(5)).arg("--dry-run").run().exits_with(0);
        let words = "warning: openings start at 5, but there are 3: starting at 2 instead\n";
        assert!(outcome.stderr.contains(words), "{name}: {}", outcome.stderr);
        assert!(outcome.stdout.ends_with(&format!("  {second}\n")), "{name}: {}", outcome.stdout);
    }
    let listed = Match::new().fen("4k3/8/8/8/8/8/4P3/4K3 w - -").set("openings.start", json!(2)).run();
    assert!(listed.exits_with(2).stderr.contains("`start` is 2, but `fens` holds only 1"));
}

#[test]
fn o_05_a_later_batch_tells_seed_and_start_and_plays_on() {
    let batch = |start: u32, rounds: u32| {
        let game = from_book("book.epd", numbered(1..=6).as_bytes()).moves("0000").rounds(rounds);
        let outcome = game
            .set("openings.order", json!("random"))
            .set("openings.seed", json!(11))
            .set("openings.start", json!(start))
            .run()
            .exits_with(0);
        assert!(outcome.stdout.lines().next().unwrap().ends_with("seed 11"), "{}", outcome.stdout);
        let told = &outcome.events_of("match_started").next().unwrap()["openings"];
        assert_eq!((&told["seed"], &told["start"]), (&json!(11), &json!(start)));
        fens(&outcome).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let whole = batch(1, 6);
    assert_eq!([batch(1, 2), batch(3, 4)].concat(), whole);
    let mut once = whole.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), 6, "no opening twice in both batches");
}

#[test]
fn o_07_a_book_line_with_repetitions_is_played_as_given_and_counts() {
    let line = "1. e4 Nc6 2. Nf3 d5 3. exd5 Qxd5 4. Nc3 Qd8 5. Nb1 Qd5 6. Ng1 Qd8 7. Nf3 Qd5 *\n";
    // The position after the fourteenth ply is there for the third time; two rounds more of it end the game.
    let shuffle = "f3g1 d5d8 g1f3 d8d5 f3g1 d5d8 g1f3 d8d5";
    let all: Vec<&str> = "e2e4 b8c6 g1f3 d7d5 e4d5 d8d5 b1c3 d5d8 c3b1 d8d5 f3g1 d5d8 g1f3 d8d5"
        .split(' ')
        .chain(shuffle.split(' '))
        .collect();
    let game = from_book("book.pgn", line.as_bytes()).moves(&all.join(" "));
    let outcome = game.run().ends("1/2-1/2 fivefold_repetition 9.6.1", 22);
    assert_eq!(outcome.game().comments.iter().filter(|(_, text)| text == "book").count(), 14);
    assert_eq!(outcome.received_words("Alpha", "go").len(), 4, "the fifteenth ply is the first one searched");
    // Where draws are claimed at once, this one is: the book has brought it about.
    let game = from_book("book.pgn", line.as_bytes()).set("defaults.claims", json!("always"));
    game.run().ends("1/2-1/2 threefold_repetition 9.2.2", 14);
    // A line that is over is none.
    let over = format!("{} 8. Ng1 Qd8 9. Nf3 Qd5 10. Ng1 Qd8 11. Nf3 Qd5 *\n", line.trim_end_matches(" *\n"));
    let outcome = from_book("book.pgn", over.as_bytes()).run().exits_with(2);
    let words = "line 1: already over after 22 plies: Draw by fivefold repetition";
    assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
}

#[test]
fn o_08_the_pairings_of_a_round_robin_share_openings_where_the_file_says_so() {
    let drawn = |per: &str| {
        let game = from_book("book.epd", numbered(1..=6).as_bytes());
        let game = game.engines([fake(&[]), fake(&[]), fake(&[])]).set("format", json!("round_robin"));
        let starts = planned(game.set("pairs", json!(true)).rounds(2).set("openings.per", json!(per)));
        starts.iter().map(|fen| fen.rsplit(' ').next().unwrap().parse().unwrap()).collect::<Vec<u32>>()
    };
    // Three pairings of two games in each of the two rounds.
    assert_eq!(drawn("pair"), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    assert_eq!(drawn("round"), [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
}

#[test]
fn o_10_a_fullmove_number_of_zero_is_one_and_said_once() {
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 0";
    for game in [from_book("book.epd", line.as_bytes()), Match::new().fen(line)] {
        let outcome = game.moves("e2e4 0000").rounds(2).run().exits_with(0);
        assert_eq!(fens(&outcome), ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"; 2]);
        assert!(outcome.pgn.contains("\n1. e4 "), "{}", outcome.pgn);
        let told = outcome.stderr.matches("fullmove number 0 was read as 1").count();
        assert_eq!(told, 1, "{}", outcome.stderr);
    }
}

#[test]
fn d_06_both_games_of_a_pair_start_alike_in_a_random_order_too() {
    let chess960 = || fake(&["--option", "option name UCI_Chess960 type check default false"]);
    let lines: Vec<String> =
        ["bqnbnrkr", "rkbbnnqr", "nrbkqbrn", "qbrnknbr"].iter().map(|rank| array(rank)).collect();
    let outcome = from_book("book.epd", lines.join("\n").as_bytes())
        .white(chess960())
        .black(chess960())
        .moves("0000")
        .set("variant", json!("chess960"))
        .set("openings.order", json!("random"))
        .set("pairs", json!(true))
        .rounds(4)
        .run()
        .exits_with(0);
    let started = fens(&outcome);
    let (first, second): (Vec<&str>, Vec<&str>) =
        started.chunks_exact(2).map(|pair| (pair[0], pair[1])).unzip();
    assert_eq!(first, second, "both games of each pair");
    let mut all = first.clone();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 4, "and each start once: {started:?}");
    // With colours reversed.
    let whites: Vec<&str> = outcome.games.iter().map(|game| game.tag("White")).collect();
    assert_eq!(whites, ["Alpha", "Beta"].repeat(4));
}

/// An initial position of Chess960 with these pieces.
fn array(rank: &str) -> String {
    format!("{rank}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", rank.to_uppercase())
}

#[test]
fn o_06_the_warning_stands_where_games_will_repeat_and_nowhere_else() {
    let words = "engines that always answer alike will repeat their games";
    let several = || Match::new().moves(FOOLS_MATE).rounds(2);
    assert!(several().run().exits_with(0).stderr.contains(words));
    assert!(several().check().exits_with(0).stderr.contains(words));
    let with_book = from_book("book.epd", numbered(1..=2).as_bytes()).moves("0000").rounds(2);
    assert!(!with_book.run().exits_with(0).stderr.contains(words));
}

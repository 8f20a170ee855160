use std::io::Cursor;
use std::path::Path;

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Square};

use super::*;
use crate::law::policy::DeadPositionRule;

type TestWalk = Walk<Cursor<Vec<u8>>>;

/// A book from lines such as `e2e4 e7e5 3`: after the moves before it, the last one has this weight.
fn book(lines: &[&str]) -> Vec<u8> {
    let mut entries: Vec<(u64, u16, u16)> = lines.iter().map(|line| entry_of(line)).collect();
    entries.sort_by_key(|(key, ..)| *key);
    let bytes = |(key, book_move, weight): (u64, u16, u16)| {
        [&key.to_be_bytes()[..], &book_move.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    entries.into_iter().flat_map(bytes).collect()
}

fn entry_of(line: &str) -> (u64, u16, u16) {
    let (moves, weight) = line.rsplit_once(' ').unwrap();
    let moves: Vec<&str> = moves.split(' ').collect();
    let (last, before) = moves.split_last().unwrap();
    let mut chess = Chess::default();
    for text in before {
        let played = text.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
        chess.play_unchecked(played);
    }
    let square = |text: &str| text.parse::<Square>().unwrap() as u16;
    (key(&chess), square(&last[..2]) << 6 | square(&last[2..4]), weight.parse().unwrap())
}

fn walk(lines: &[&str], plies: u32, sequence: Sequence) -> TestWalk {
    let book = PolyglotBook::open(Path::new("test.bin"), Cursor::new(book(lines))).unwrap();
    let rules = EntryRules {
        mode: CastlingMode::Standard,
        plies: Some(plies),
        dead_position: DeadPositionRule::Material,
    };
    Walk::new(book, rules, sequence)
}

/// All openings, each as its moves.
fn all(walk: &mut TestWalk) -> Vec<String> {
    let mut report = Report::default();
    walk.find(u64::MAX, &mut report).unwrap();
    assert_eq!(walk.end(), Some(WalkEnd::UsedUp));
    (0..walk.found.len()).map(|index| walk.opening(index).unwrap().book.join(" ")).collect()
}

const SMALL: &[&str] = &[
    "e2e4 10",
    "d2d4 10",
    "g1f3 5",
    "a2a3 0",
    "e2e4 e7e5 3",
    "e2e4 c7c5 4",
    "d2d4 g8f6 1",
    "g1f3 g8f6 1",
    "d2d4 g8f6 g1f3 1",
    "g1f3 g8f6 d2d4 1",
];

#[test]
fn the_heaviest_moves_come_first_and_equals_in_the_order_of_the_book() {
    let mut walk = walk(SMALL, 3, Sequence::AsInFile);
    // After d2d4 g8f6 g1f3 the other order of the same moves is nothing new.
    assert_eq!(all(&mut walk), ["e2e4 c7c5", "e2e4 e7e5", "d2d4 g8f6 g1f3"]);
}

#[test]
fn plies_cut_walks() {
    let mut one = walk(SMALL, 1, Sequence::AsInFile);
    assert_eq!(all(&mut one), ["e2e4", "d2d4", "g1f3"]);
    let mut two = walk(SMALL, 2, Sequence::AsInFile);
    assert_eq!(all(&mut two), ["e2e4 c7c5", "e2e4 e7e5", "d2d4 g8f6", "g1f3 g8f6"]);
}

#[test]
fn random_walks_find_every_opening_once_and_depend_on_the_seed_only() {
    let mut orders = HashSet::new();
    for seed in 0..20 {
        let mut first = walk(SMALL, 2, Sequence::Shuffled(seed));
        let order = all(&mut first);
        // Asked for one by one, the same ones come.
        let mut again = walk(SMALL, 2, Sequence::Shuffled(seed));
        let mut report = Report::default();
        for (count, expected) in (1..).zip(&order) {
            again.find(count, &mut report).unwrap();
            let found = again.opening(usize::try_from(count).unwrap() - 1).unwrap();
            assert_eq!(found.book.join(" "), *expected, "seed {seed}");
        }
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, ["d2d4 g8f6", "e2e4 c7c5", "e2e4 e7e5", "g1f3 g8f6"]);
        orders.insert(order);
    }
    assert!(orders.len() > 5, "{orders:?}");
}

/// Computed by another program, with a ChaCha8 of its own, from the description of the walk.
#[test]
fn the_random_walk_is_the_documented_one() {
    let lines = ["e2e4 6000", "d2d4 3000", "c2c4 1000", "g1f3 500"];
    for (seed, expected) in [
        (0, ["d2d4", "e2e4", "g1f3", "c2c4"]),
        (1, ["e2e4", "c2c4", "g1f3", "d2d4"]),
        (2, ["e2e4", "d2d4", "c2c4", "g1f3"]),
    ] {
        assert_eq!(all(&mut walk(&lines, 1, Sequence::Shuffled(seed))), expected, "seed {seed}");
    }
}

#[test]
fn chances_are_the_weights() {
    let lines = ["e2e4 6000", "d2d4 3000", "c2c4 1000"];
    let mut firsts = [0; 3];
    for seed in 0..2000 {
        let mut walk = walk(&lines, 1, Sequence::Shuffled(seed));
        walk.find(1, &mut Report::default()).unwrap();
        let found = walk.opening(0).unwrap().book.join(" ");
        firsts[["e2e4", "d2d4", "c2c4"].iter().position(|text| *text == found).unwrap()] += 1;
    }
    // Five standard deviations and more on either side; the seeds, and so the counts, are always the same.
    let [e4, d4, c4] = firsts;
    assert!((1090..1310).contains(&e4) && (495..705).contains(&d4) && (130..270).contains(&c4), "{firsts:?}");
}

#[test]
fn a_book_that_goes_round_in_circles_comes_to_an_end() {
    let lines = [
        "g1f3 1",
        "b1c3 1",
        "g1f3 g8f6 1",
        "b1c3 g8f6 1",
        "g1f3 g8f6 f3g1 1",
        "b1c3 g8f6 c3b1 1",
        "g1f3 g8f6 f3g1 f6g8 1",
    ];
    let mut endless = walk(&lines, 10_000, Sequence::Shuffled(1));
    let mut report = Report::default();
    endless.find(u64::MAX, &mut report).unwrap();
    // The line goes round until it is over by repetition, so there is no opening in it.
    assert_eq!((endless.found(), endless.end()), (0, Some(WalkEnd::UsedUp)));
    assert!(report.bad[0].to_string().contains("repetition"), "{}", report.bad[0]);
}

#[test]
fn moves_that_can_not_be_made_are_told_once_and_left_out() {
    let lines = ["e2e4 1", "e2e5 7", "e2e4 a7a7 1", "d2d4 1"];
    let mut walk = walk(&lines, 8, Sequence::AsInFile);
    let mut report = Report::default();
    walk.find(u64::MAX, &mut report).unwrap();
    assert_eq!(walk.found(), 2);
    let told: Vec<String> = report.bad.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("book move ") && told[0].ends_with("in its position: `e2e5`"), "{told:?}");
}

#[test]
fn a_line_that_is_over_is_told_and_left_out() {
    let lines =
        ["f2f3 1", "f2f3 e7e5 1", "f2f3 e7e5 g2g4 1", "f2f3 e7e5 g2g4 d8h4 2", "f2f3 e7e5 g2g4 b8c6 1"];
    let mut walk = walk(&lines, 4, Sequence::AsInFile);
    let mut report = Report::default();
    walk.find(u64::MAX, &mut report).unwrap();
    assert_eq!(walk.found(), 1);
    assert_eq!(walk.opening(0).unwrap().book.join(" "), "f2f3 e7e5 g2g4 b8c6");
    assert_eq!(
        report.bad[0].to_string(),
        "opening 1: already over after 4 plies: Black wins by checkmate (Article 5.1.1): `f2f3 e7e5 g2g4 d8h4`"
    );
}

#[test]
fn a_book_without_the_initial_position_has_no_openings() {
    for lines in [&[][..], &["a2a3 0"], &["e2e4 e7e5 1"]] {
        assert!(all(&mut walk(lines, 8, Sequence::Shuffled(0))).is_empty());
    }
}

/// Every legal move of the initial position and of those after it, far more than can be walked.
fn wide_book() -> Vec<String> {
    let start = Chess::default();
    let mut lines = Vec::new();
    for first in start.legal_moves() {
        let first_uci = first.to_uci(CastlingMode::Standard).to_string();
        lines.push(format!("{first_uci} 1"));
        let mut after = start.clone();
        after.play_unchecked(first);
        let answers = after.legal_moves();
        lines.extend(
            answers.iter().map(|answer| format!("{first_uci} {} 1", answer.to_uci(CastlingMode::Standard))),
        );
    }
    lines
}

#[test]
fn walks_come_to_an_end_however_much_there_is() {
    let lines = wide_book();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for sequence in [Sequence::AsInFile, Sequence::Shuffled(3)] {
        let mut whole = walk(&lines, 2, sequence);
        let openings = all(&mut whole);
        assert_eq!(openings.len(), 400);
        let mut cut = walk(&lines, 2, sequence);
        // Two positions for each opening, and one to see that a first move has no more answers.
        cut.positions_left = 101;
        let mut report = Report::default();
        cut.find(u64::MAX, &mut report).unwrap();
        let found = cut.found();
        assert!(cut.end() == Some(WalkEnd::Cut) && (45..=50).contains(&found), "{found}");
        assert_eq!(report.take(), [Warning::WalkCut { openings: found, positions: MOST_POSITIONS }]);
        // What is found does not depend on how many are asked for at once.
        let mut step_by_step = walk(&lines, 2, sequence);
        step_by_step.positions_left = 101;
        for wanted in 1..60 {
            step_by_step.find(wanted, &mut report).unwrap();
        }
        let found = usize::try_from(found).unwrap();
        for (index, expected) in openings[..found].iter().enumerate() {
            assert_eq!(cut.opening(index).unwrap().book.join(" "), *expected);
            assert_eq!(step_by_step.opening(index), cut.opening(index));
        }
        assert_eq!((step_by_step.opening(found), cut.opening(found)), (None, None));
        assert_eq!(report.take().len(), 1, "told once");
    }
}

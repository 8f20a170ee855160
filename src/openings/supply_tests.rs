use std::io::Write;
use std::num::NonZeroU64;

use super::*;
use crate::openings::{BadLines, Sequence};

const BAD: &str = "7k/8/5KQ1/8/8/8/8/8 b - - 0 1"; // stalemate

/// A position that shows its number by its counters.
fn line(number: u64) -> String {
    format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}")
}

struct Case {
    _file: Option<tempfile::NamedTempFile>,
    spec: OpeningsSpec,
}

impl Case {
    fn book(lines: &[String]) -> Case {
        let mut file = tempfile::Builder::new().suffix(".epd").tempfile().unwrap();
        file.write_all(lines.join("\n").as_bytes()).unwrap();
        let spec = OpeningsSpec::new(OpeningsSource::File(file.path().to_owned()));
        Case { _file: Some(file), spec }
    }

    fn fens(fens: &[&str]) -> Case {
        let fens = fens.iter().map(|fen| (*fen).to_owned()).collect();
        Case { _file: None, spec: OpeningsSpec::new(OpeningsSource::Fens(fens)) }
    }

    fn start(mut self, start: u64) -> Case {
        self.spec.start = NonZeroU64::new(start).unwrap();
        self
    }

    fn shuffled(mut self, seed: u64) -> Case {
        self.spec.sequence = Sequence::Shuffled(seed);
        self
    }

    fn refusing(mut self) -> Case {
        self.spec.bad_lines = BadLines::Refuse;
        self
    }

    fn open(&self) -> (Openings, Vec<Warning>) {
        Openings::open(&self.spec).unwrap()
    }

    fn error(&self) -> String {
        Openings::open(&self.spec).unwrap_err().to_string()
    }
}

fn lines_of(openings: &mut Openings, pairs: std::ops::Range<u64>) -> Vec<u64> {
    pairs.map(|pair| openings.opening_for_pair(pair).unwrap().line.unwrap()).collect()
}

#[test]
fn o_03_the_book_begins_again_after_its_last_line() {
    for size in 1..5 {
        let (mut openings, _) = Case::book(&(1..=size).map(line).collect::<Vec<_>>()).open();
        let expected: Vec<u64> = (1..=size).chain(1..=size).chain(1..=size).collect();
        assert_eq!(lines_of(&mut openings, 0..3 * size), expected);
        for (pairs, repeats) in [(size - 1, false), (size, false), (size + 1, true)] {
            assert_eq!(openings.repeats(pairs).unwrap().is_some(), repeats);
        }
    }
}

#[test]
fn o_04_a_start_beyond_the_end_is_told_and_wraps_around() {
    let lines: Vec<String> = (1..=3).map(line).collect();
    let (mut openings, warnings) = Case::book(&lines).start(5).open();
    assert_eq!(lines_of(&mut openings, 0..4), [2, 3, 1, 2]);
    let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["openings start at 5, but there are 3: starting at 2 instead"]);
    assert!(Case::book(&lines).start(3).open().1.is_empty());
}

#[test]
fn o_05_a_seed_is_an_order_and_start_goes_on_in_it() {
    let lines: Vec<String> = (1..=40).map(line).collect();
    let (mut whole, _) = Case::book(&lines).shuffled(9).open();
    let (mut batch, _) = Case::book(&lines).shuffled(9).start(11).open();
    let (mut other, _) = Case::book(&lines).shuffled(10).open();
    let order = lines_of(&mut whole, 0..40);
    assert_eq!(lines_of(&mut batch, 0..10), order[10..20]);
    assert_ne!(lines_of(&mut other, 0..40), order);
}

#[test]
fn o_06_no_book_is_told() {
    let (mut openings, warnings) = Openings::open(&OpeningsSpec::new(OpeningsSource::Initial)).unwrap();
    assert!(warnings[0].to_string().contains("will repeat their games"), "{}", warnings[0]);
    let drawn = openings.opening_for_pair(3).unwrap();
    assert_eq!((drawn.opening.fen, drawn.line), (None, None));
    assert_eq!(openings.repeats(9).unwrap(), None);
}

#[test]
fn bad_lines_are_told_and_left_out() {
    let mut lines: Vec<String> = (1..=30).map(line).collect();
    for bad in [0, 4, 5, 29] {
        lines[bad] = BAD.to_owned();
    }
    let (mut openings, warnings) = Case::book(&lines).open();
    let usable: Vec<u64> = (1..=30).filter(|line| ![1, 5, 6, 30].contains(line)).collect();
    assert_eq!(warnings.len(), 4);
    assert!(warnings[1].to_string().starts_with("opening left out: line 5: already over"), "{}", warnings[1]);
    assert_eq!(lines_of(&mut openings, 0..52), [&usable[..], &usable].concat());
    assert_eq!(openings.repeats(27).unwrap(), Some(Warning::Repeats { openings: 26, pairs: 27 }));
    let refused = Case::book(&lines).refusing().error();
    assert!(refused.contains("line 1: already over") && refused.contains("`bad_lines: skip`"), "{refused}");
    assert!(Case::book(&lines[1..4]).refusing().open().1.is_empty());
}

#[test]
fn more_than_ten_bad_lines_are_counted() {
    let lines: Vec<String> =
        (1..=30).map(|number| if number > 18 { BAD.to_owned() } else { line(number) }).collect();
    let (_, warnings) = Case::book(&lines).open();
    assert_eq!(warnings.len(), 11);
    assert_eq!(warnings[10], Warning::MoreSkipped(2));
    assert!(Case::book(&lines).refusing().error().contains("; and 2 more; repair"));
    let repaired = vec![line(0); 12];
    assert_eq!(Case::book(&repaired).open().1[10], Warning::MoreRepaired(2));
}

#[test]
fn a_long_book_gives_the_same_openings_in_whatever_order_they_are_asked_for() {
    let lines: Vec<String> =
        (1..=20_001).map(|n| if n % 3 == 0 { BAD.to_owned() } else { line(n) }).collect();
    let case = Case::book(&lines).shuffled(5).start(100);
    let (mut forward, warnings) = case.open();
    assert!(warnings.is_empty(), "checked on the way");
    let expected = lines_of(&mut forward, 0..13_334);
    assert_eq!(forward.take_warnings().len(), 11);
    assert!(forward.take_warnings().is_empty());
    let mut once = expected.clone();
    once.sort_unstable();
    assert_eq!(once, (1..=20_001).filter(|n| n % 3 != 0).collect::<Vec<u64>>());
    let (mut backward, _) = case.open();
    for pair in [20_000, 13_334, 13_333, 5000, 17, 0] {
        let line = backward.opening_for_pair(pair).unwrap().line;
        assert_eq!(line, Some(expected[usize::try_from(pair).unwrap() % 13_334]), "pair {pair}");
    }
}

#[test]
fn without_a_usable_line_there_is_an_error() {
    assert!(Case::book(&[]).error().contains("there is no opening in the opening book"));
    assert!(Case::book(&["# only".to_owned(), " ".to_owned()]).error().contains("there is no opening"));
    assert!(Case::fens(&[]).error().contains("there is no opening in the list"));
    let bad = Case::book(&vec![BAD.to_owned(); 12]).error();
    assert!(bad.contains("line 10: already over") && bad.ends_with("and 2 more"), "{bad}");
    let long = Case::book(&vec![BAD.to_owned(); 20_001]);
    assert!(matches!(long.open().0.opening_for_pair(0), Err(OpeningsError::NoneUsable { more: 19_991, .. })));
}

#[test]
fn listed_positions_are_all_meant() {
    let (mut openings, warnings) = Case::fens(&[BAD, "4k3/8/8/8/8/8/4P3/4K3 w KQ - hmvc 2;"]).start(2).open();
    assert_eq!(lines_of(&mut openings, 0..3), [2, 1, 2]);
    assert_eq!(
        openings.opening_for_pair(1).unwrap().opening.fen.as_deref(),
        Some(BAD),
        "played to its verdict"
    );
    assert_eq!(
        warnings[0].to_string(),
        "position 2 of `fens` repaired: a castling right without its king and rook was dropped"
    );
    let told = Case::fens(&[BAD, "4k3 w"]).error();
    assert!(told.starts_with("position 2 of `fens` can't be used: "), "{told}");
    let told = Case::fens(&["4k3 w", BAD, "e4"]).error();
    assert!(told.starts_with("position 1 of") && told.contains("; position 3 of"), "{told}");
}

#[test]
fn o_03_that_openings_begin_again_is_told_once_at_the_latest_when_they_do() {
    let told = |openings: &mut Openings| {
        let drawn = (0..8).map(|pair| {
            openings.opening_for_pair(pair).unwrap();
            openings.take_warnings()
        });
        drawn.collect::<Vec<_>>()
    };
    let lines: Vec<String> = (1..=3).map(line).collect();
    let (mut unasked, _) = Case::book(&lines).open();
    let warnings = told(&mut unasked);
    assert_eq!(warnings[3], [Warning::UsedUp { openings: 3 }]);
    assert_eq!(warnings.concat().len(), 1);
    let (mut asked, _) = Case::book(&lines).open();
    assert!(asked.repeats(8).unwrap().is_some());
    assert!(told(&mut asked).concat().is_empty());
    let (mut initial, _) = Openings::open(&OpeningsSpec::new(OpeningsSource::Initial)).unwrap();
    assert!(told(&mut initial).concat().is_empty());
}

/// e2e4, d2d4 and c2c4 from the initial position, with falling weights; `more` entries follow.
fn polyglot(more: &[[u8; 16]]) -> Case {
    let entry = |book_move: u16, weight: u16| {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&0x463b_9618_1691_fc9c_u64.to_be_bytes());
        bytes[8..10].copy_from_slice(&book_move.to_be_bytes());
        bytes[10..12].copy_from_slice(&weight.to_be_bytes());
        bytes
    };
    let mut bytes = [entry(0o1434, 9), entry(0o1333, 8), entry(0o1232, 7)].concat();
    bytes.extend(more.concat());
    let mut file = tempfile::Builder::new().suffix(".bin").tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let spec = OpeningsSpec::new(OpeningsSource::File(file.path().to_owned()));
    Case { _file: Some(file), spec }
}

fn books_of(openings: &mut Openings, pairs: std::ops::Range<u64>) -> Vec<String> {
    pairs.map(|pair| openings.opening_for_pair(pair).unwrap().opening.book.join(" ")).collect()
}

#[test]
fn a_polyglot_book_begins_again_after_its_last_opening() {
    let (mut openings, warnings) = polyglot(&[]).open();
    assert!(warnings.is_empty());
    assert_eq!(openings.repeats(3).unwrap(), None);
    assert_eq!(openings.repeats(4).unwrap(), Some(Warning::Repeats { openings: 3, pairs: 4 }));
    assert_eq!(books_of(&mut openings, 0..5), ["e2e4", "d2d4", "c2c4", "e2e4", "d2d4"]);
    assert_eq!(openings.opening_for_pair(u64::MAX).unwrap().line, Some(1), "2^64 - 1 is a multiple of 3");
}

#[test]
fn a_polyglot_book_can_be_begun_anywhere_and_in_any_order() {
    let (mut openings, warnings) = polyglot(&[]).start(3).open();
    assert!(warnings.is_empty());
    assert_eq!(books_of(&mut openings, 0..2), ["c2c4", "e2e4"]);
    let (mut wrapped, warnings) = polyglot(&[]).start(5).open();
    assert_eq!(warnings, [Warning::StartWraps { start: 5, len: 3 }]);
    assert_eq!(books_of(&mut wrapped, 0..2), ["d2d4", "c2c4"]);
    let (mut whole, _) = polyglot(&[]).shuffled(6).open();
    let (mut batch, _) = polyglot(&[]).shuffled(6).start(2).open();
    assert_eq!(books_of(&mut whole, 1..6), books_of(&mut batch, 0..5));
}

#[test]
fn a_polyglot_book_that_is_prepared_needs_no_more_walks() {
    let (mut openings, _) = polyglot(&[]).open();
    assert_eq!(openings.len(), 1, "the first one is looked for at once");
    openings.prepare(2).unwrap();
    assert_eq!(openings.len(), 2);
    openings.prepare(u64::MAX).unwrap();
    assert_eq!(openings.len(), 3);
    let (mut later, _) = polyglot(&[]).start(2).open();
    later.prepare(1).unwrap();
    assert_eq!(later.len(), 2, "those before the start are found on the way");
}

#[test]
fn bad_moves_of_a_polyglot_book_are_told_or_refused() {
    let mut bad = [0xff; 16];
    bad[..8].copy_from_slice(&0x463b_9618_1691_fc9c_u64.to_be_bytes());
    let (mut openings, warnings) = polyglot(&[bad]).open();
    let told = warnings[0].to_string();
    assert!(told.starts_with("opening left out: book move 4: not a legal move"), "{told}");
    assert_eq!(books_of(&mut openings, 0..4)[3], "e2e4");
    let refused = polyglot(&[bad]).refusing().error();
    assert!(refused.contains("book move 4") && refused.contains("`bad_lines: skip`"), "{refused}");
    assert!(polyglot(&[]).refusing().open().1.is_empty());
}

use proptest::prelude::*;

use super::*;
use crate::law::policy::DeadPositionRule;

fn rules(plies: Option<u32>) -> EntryRules {
    EntryRules { mode: CastlingMode::Standard, plies, dead_position: DeadPositionRule::Material }
}

fn read(text: &str) -> Entry {
    parse(text.as_bytes(), 1, false, &rules(None)).unwrap()
}

fn moves(text: &str) -> String {
    read(text).opening.book.join(" ")
}

fn fault(text: &str) -> String {
    parse(text.as_bytes(), 1, false, &rules(None)).expect_err(text).to_string()
}

#[test]
fn the_main_line_is_read_up_to_the_result() {
    let expected = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1";
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O 1-0 d5 nonsense",
        "1.e4!$1 e5?! {comment} 2.Nf3 (2.f4 exf4 (2...d5)) 2...Nc6$10 3.Bb5+ ; x\r\na6 4.0-0!!\r\n",
        "[Event \"x\"]\n[Result \"0-1\"]\n\n1. e4 e5\n\n2. Nf3 $13 ! Nc6 ... 3. Bb5\n% escaped\na6 4 . O-O *",
    ] {
        assert_eq!(moves(text), expected, "{text}");
    }
    let cut = parse(b"1. e4 e5 2. Nf3 nonsense", 1, false, &rules(Some(3))).unwrap();
    assert_eq!(cut.opening.book, ["e2e4", "e7e5", "g1f3"]);
    assert!(parse(b"nonsense", 1, false, &rules(Some(0))).unwrap().opening.book.is_empty());
    assert_eq!(moves("1. e4 d5 2. e5 f5 3. exf6 e.p. *"), "e2e4 d7d5 e4e5 f7f5 e5f6");
}

#[test]
fn g_04_a_move_that_can_not_be_made_is_told_with_its_line() {
    for (text, expected) in [
        ("[Event \"x\"]\n\n1. e4 e5\n2. Nf3 Nf6 3. Bb6 *\n", "line 4: Bb6 is illegal at ply 5"),
        ("1. d4 d5\n\n2. Nd2 Nf6 3. c3 e6\n4. Nf3 *", "line 4: Nf3 is ambiguous at ply 7"),
        ("1. e4 e5\n2. Nf3x! Nc6", "line 2: `Nf3x!` is not a move"),
        ("1. e4 --", "-- is illegal"),
        ("1. e4 N@f6", "N@f6 is illegal"),
        ("1. e4 \u{fffd}5", "is not a move"),
    ] {
        let told = fault(text);
        assert!(told.contains(expected), "{text}: {told}");
    }
    assert!(
        fault("1. e4 e5 2. Nf3 Nc6\n1. d4 *").contains("line 2: move number 1 after 2: a result is missing")
    );
    assert!(fault("1. e4 {no end\n2. Nf3").contains("line 1: a comment is not closed: `1. e4 {no end`"));
    assert!(fault("1. e4 (1. d4").contains("a variation is not closed"));
}

#[test]
fn a_fen_tag_is_where_the_line_starts() {
    let entry = read("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 30\"]\n[SetUp \"1\"]\n\n30. e4 Kd7 *");
    assert_eq!(entry.opening.fen.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 5 30"));
    assert_eq!(entry.opening.book, ["e2e4", "e8d7"]);
    let black = read("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n30... Kd7 31. e4");
    assert_eq!(black.opening.book, ["e8d7", "e2e4"]);
    assert!(read("[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - -\"]\n*").opening.book.is_empty());
    for (tags, expected) in [
        ("[SetUp \"1\"]", "no FEN tag"),
        ("[SetUp \"0\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 30\"]", "SetUp is 0"),
        ("[FEN \"4k3/8/8/8/8/8/4P3/8 w - - 5 30\"]", "FEN tag: a king is missing"),
        ("[FEN \"4k3/8/8/8/8/8/4P3/8 w - - 5 30]", "the FEN tag is damaged"),
    ] {
        let told = fault(&format!("{tags}\n\n1. e4 *"));
        assert!(told.contains(expected), "{tags}: {told}");
    }
}

#[test]
fn o_02_o_09_o_10_hold_for_fen_tags_too() {
    let entry = read("[FEN \"k7/8/8/3pP3/8/7n/5K2/8 w KQ d7 7 0\"]\n*");
    assert_eq!(entry.opening.fen.as_deref(), Some("k7/8/8/3pP3/8/7n/5K2/8 w - - 7 1"));
    assert_eq!(entry.repairs.len(), 3);
}

#[test]
fn o_07_a_line_with_a_third_occurrence_is_played_as_given() {
    let text = "1.e4 Nc6 2.Nf3 d5 3.exd5 Qxd5 4.Nc3 Qd8 5.Nb1 Qd5 6.Ng1 Qd8 7.Nf3 Qd5 *";
    assert_eq!(read(text).opening.book.len(), 14);
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    assert_eq!(read(&shuffle.repeat(3)).opening.book.len(), 12);
    assert!(fault(&shuffle.repeat(4)).contains("already over after 16 plies: Draw by fivefold repetition"));
}

#[test]
fn a_line_that_is_over_is_refused() {
    for (text, expected) in [
        ("1. f3 e5 2. g4 Qh4# 0-1", "after 4 plies: Black wins by checkmate (Article 5.1.1)"),
        (
            "[FEN \"7k/8/5KQ1/8/8/8/8/8 b - - 0 1\"]\n*",
            "line 1: already over after 0 plies: Draw by stalemate",
        ),
        ("[FEN \"7k/8/8/8/8/8/1p6/K7 w - - 0 1\"]\n1. Kxb2 *", "Draw by dead position"),
        ("[FEN \"7k/8/8/8/8/8/1r6/K1R5 b - - 149 100\"]\n100... Rb8+ *", "seventy-five"),
    ] {
        assert!(fault(text).contains(expected), "{}", fault(text));
    }
    assert!(parse(b"1. f3 e5 2. g4 Qh4# 0-1", 1, false, &rules(Some(3))).is_ok(), "cut before the mate");
    let off = EntryRules { dead_position: DeadPositionRule::Off, ..rules(None) };
    assert!(parse(b"[FEN \"7k/8/8/8/8/8/1p6/K7 w - - 0 1\"]\n1. Kxb2 *", 1, false, &off).is_ok());
}

#[test]
fn variants_are_told_apart() {
    let game = |variant: &str| format!("[Variant \"{variant}\"]\n1. e4 *");
    for (variant, standard, chess960) in [
        ("Standard", true, true),
        ("From Position", true, true),
        ("Chess960", false, true),
        ("fischerandom", false, true),
        ("Crazyhouse", false, false),
    ] {
        let in_mode =
            |mode| parse(game(variant).as_bytes(), 1, false, &EntryRules { mode, ..rules(None) }).is_ok();
        assert_eq!(in_mode(CastlingMode::Standard), standard, "{variant}");
        assert_eq!(in_mode(CastlingMode::Chess960), chess960, "{variant}");
    }
    let castling = b"[FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n1. O-O *";
    let entry =
        parse(castling, 1, false, &EntryRules { mode: CastlingMode::Chess960, ..rules(None) }).unwrap();
    assert_eq!(entry.opening.book, ["f1g1"]);
}

#[test]
fn a_game_beyond_the_limit_is_read_as_far_as_it_is_wanted() {
    assert!(parse(b"1. e4 e5 {cut", 1, true, &rules(Some(2))).is_ok());
    let told = parse(b"1. e4 e5", 1, true, &rules(None)).unwrap_err();
    assert_eq!(told.fault, Fault::TooLong(8));
}

proptest! {
    #[test]
    fn wild_games_do_not_panic(
        bytes: Vec<u8>,
        text in "([\\[\\]\"(){};*$.\n%\\\\ ]|1\\.|e4|e5|Nf3|O-O|0-0|\\[FEN \"|SetUp|½|\\PC){0,60}",
    ) {
        for text in [&bytes[..], text.as_bytes()] {
            let _ = parse(text, 1 << 40, true, &rules(None));
            let _ = parse(text, 1, false, &EntryRules { mode: CastlingMode::Chess960, ..rules(Some(4)) });
        }
    }
}

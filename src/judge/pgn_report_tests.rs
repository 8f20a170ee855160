use super::*;

fn report(text: &str) -> (String, Tally) {
    let mut output = Vec::new();
    let tally = run(text.as_bytes(), false, &mut output, &JudgeOptions::default()).unwrap();
    (String::from_utf8(output).unwrap(), tally)
}

fn object(text: &str) -> Value {
    let mut output = Vec::new();
    run(text.as_bytes(), true, &mut output, &JudgeOptions::default()).unwrap();
    serde_json::from_slice(&output).unwrap()
}

fn agrees(tags: &str, movetext: &str) -> Value {
    object(&format!("{tags}\n\n{movetext}\n"))["agrees"].clone()
}

#[test]
fn a_file_without_games() {
    assert_eq!(report(""), ("No games.\n".to_owned(), Tally::default()));
}

#[test]
fn results_against_the_laws() {
    let knight = "[FEN \"4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1\"]";
    let mate = "1. f3 e5 2. g4 Qh4#";
    let cases = [
        ("", format!("{mate} 0-1"), json(true)),
        ("", format!("{mate} 1-0"), json(false)),
        ("", format!("{mate} 1/2-1/2"), json(false)),
        ("", format!("{mate} *"), Value::Null),
        ("[Result \"0-1\"]", mate.to_owned(), json(true)),
        ("", mate.to_owned(), Value::Null),
        ("[Result \"1-0\"]", "1. e4 e5 1-0".to_owned(), json(true)),
        ("[Result \"1-0\"]", "1. e4 e5 0-1".to_owned(), json(false)),
        ("[Result \"*\"]", "1. e4 e5 0-1".to_owned(), json(true)),
        ("", "1. e4 e5 1/2-1/2".to_owned(), json(true)),
        (knight, "1. e4 Kd7 1-0".to_owned(), json(true)),
        (knight, "1. e4 Kd7 0-1".to_owned(), json(false)),
        (knight, "1. e4 Kd7 1/2-1/2".to_owned(), json(true)),
    ];
    for (tags, movetext, expected) in cases {
        assert_eq!(agrees(tags, &movetext), expected, "{tags} {movetext}");
    }
}

fn json(agrees: bool) -> Value {
    Value::Bool(agrees)
}

#[test]
fn r_31_a_win_on_time_for_a_bare_king_breaks_article_6_9() {
    let (text, tally) = report(
        "[White \"Alpha\"]\n[Black \"Beta\"]\n[Round \"2.1\"]\n[Result \"0-1\"]\n[Termination \"time forfeit\"]\n\
         [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 0-1\n",
    );
    assert_eq!(
        text,
        "Game 1 (line 1): Alpha - Beta, round 2.1, 0-1\n  Breaks the Laws: 0-1, but Black cannot mate: a draw \
         (Article 6.9)\n1 game: 0 with a result that agrees with the Laws, 1 with a result that breaks the Laws.\n"
    );
    assert!(!tally.is_clean());
}

#[test]
fn r_18_play_after_a_fivefold_repetition_is_found() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    let (text, tally) = report(&format!("{shuffle} e4 e5 Nf3 1-0\n\n{shuffle} e4 1/2-1/2\n"));
    assert_eq!(
        text,
        "Game 1 (line 1), 1-0\n  Breaks the Laws: 1-0, but at ply 16 the game was over: Draw by fivefold repetition \
         (Article 9.6.1)\n  Went on for 3 plies after the end at ply 16: Draw by fivefold repetition (Article \
         9.6.1)\nGame 2 (line 3), 1/2-1/2\n  Went on for 1 ply after the end at ply 16: Draw by fivefold repetition \
         (Article 9.6.1)\n2 games: 1 with a result that agrees with the Laws, 1 with a result that breaks the Laws. \
         In 2 games play went on after the game was over.\n"
    );
    assert_eq!((tally.played_on, tally.broken), (2, 1));
}

#[test]
fn faults_have_their_place_and_the_rest_goes_on() {
    let (text, tally) =
        report("1. e4 e5\n2. Ke3 Nf6 1-0\n1. e4 e9 2. d4 1-0\n[Variant \"Atomic\"]\n\n1. e4 *\n1. d4 1-0");
    let expected = "\
Game 1 (line 1), 1-0
  Can't be judged: line 2: `Ke3` at ply 3 is not a legal move for White in `rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2`
Game 2 (line 3), 1-0
  Can't be judged: line 3: `e9` at ply 2 is not a move for Black in `rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1`
Game 3 (line 4), *
  Can't be judged: line 4: tag `Variant`: `Atomic` is not played by the Laws of Chess
4 games: 1 with a result that agrees with the Laws, 3 that can't be judged.
";
    assert_eq!(text, expected);
    assert_eq!((tally.games, tally.faulty, tally.is_clean()), (4, 3, false));
}

#[test]
fn the_shape_of_a_game_as_json() {
    let mut output = Vec::new();
    let text = "[Event \"E\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 3. a3 0-1\n\n1. e5 1-0";
    run(text.as_bytes(), true, &mut output, &JudgeOptions::default()).unwrap();
    let output = String::from_utf8(output).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert!(
        lines[0].starts_with(r#"{"id":1,"end":{"ply":4,"result":"0-1","reason":"checkmate","article":"5.1.1"},"claims":[],"final":{"ply":4,"#),
        "{output}"
    );
    let end =
        r#""nodes":0},"tags":{"Event":"E","Result":"0-1"},"result":"0-1","agrees":true,"plies_after_end":1}"#;
    assert!(lines[0].ends_with(end), "{output}");
    assert!(
        lines[1].starts_with(r#"{"id":2,"error":"line 6: `e5` at ply 1 is not a legal move for White in"#),
        "{output}"
    );
    assert!(lines[1].ends_with(r#","tags":{},"result":"1-0"}"#), "{output}");
    assert_eq!(lines.len(), 2);
}

#[test]
fn chess960_games_castle_by_their_rights() {
    let tags = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 1\"]\n[Result \"*\"]";
    let judged = object(&format!("{tags}\n\n1. O-O O-O-O *"));
    assert_eq!(judged["final"]["fen"], "2kr2r1/6p1/8/8/8/8/6P1/1R3RK1 w - - 2 2");
}

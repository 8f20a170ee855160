//! Field reports about PGN, through the binary. Every match of these tests is read back anyway: its moves replayed,
//! its tags compared with the events.

use serde_json::json;

use crate::support::{FOOLS_MATE, Match, fake};

#[test]
fn g_01_a_first_move_that_is_illegal_leaves_a_game_without_moves() {
    for (fen, side) in
        [("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", "White"), ("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 9", "Black")]
    {
        let outcome = Match::new().fen(fen).moves("e1e8").run().exits_with(0);
        let game = outcome.game();
        assert_eq!((game.sans.len(), game.tag("PlyCount")), (0, "0"));
        let words = format!("{side} loses by an illegal move (Article 7.5.5): `bestmove e1e8`");
        assert_eq!(game.closing_words(), words);
        assert!(outcome.pgn.contains("\"]\n\n{"), "an empty line after the tags: {}", outcome.pgn);
    }
}

#[test]
fn g_02_every_ending_has_its_reason() {
    let outcome = Match::new().white(fake(&["--on", "go@2", "instead:bestmove Nf3"])).run();
    let game = outcome.game();
    assert_eq!(
        (game.tag("Reason"), game.tag("Article"), game.tag("Termination")),
        ("illegal_move", "7.5.5", "rules infraction")
    );
}

#[test]
fn g_03_the_fen_tag_has_six_fields_and_no_operations() {
    let game = Match::new().moves("a1b1 h8g8 b1b8").set("openings", json!({ "file": "book.epd" }));
    std::fs::write(
        game.dir().join("book.epd"),
        "7k/8/6K1/8/8/8/8/R7 w - - bm Ra8; id \"a mate\"; hmvc 7; fmvn 31;\n",
    )
    .unwrap();
    let outcome = game.run().exits_with(0);
    assert_eq!(outcome.game().tag("FEN"), "7k/8/6K1/8/8/8/8/R7 w - - 7 31");
    assert_eq!(outcome.game().tag("SetUp"), "1");
    let started = outcome.game().tag("GameStartTime");
    assert!(
        started.len() == "2026-01-01T00:00:00+00:00".len()
            && started[..10] == outcome.game().tag("Date").replace('.', "-")
    );
}

#[test]
fn g_04_an_illegal_book_move_is_told_with_its_line_before_any_game() {
    let game = Match::new().set("openings", json!({ "file": "book.pgn", "bad_lines": "refuse" }));
    std::fs::write(game.dir().join("book.pgn"), "[Event \"?\"]\n\n1. e4 e5\n2. Ke3 *\n").unwrap();
    let outcome = game.run().exits_with(2);
    assert!(outcome.stderr.contains("line") && outcome.stderr.contains("Ke3"), "{}", outcome.stderr);
    assert!(outcome.received("Alpha").is_empty(), "no engine was started");
}

#[test]
fn g_05_a_game_is_in_the_file_when_it_ends_and_g_06_whole() {
    let thinking = fake(&["--on", "go@1", "nothing"]);
    let mut run = Match::new().white(thinking).rounds(2).start();
    run.wait_for(|event| event["type"] == "game_started" && event["game"] == 2);
    let so_far = run.read("match.out/games.pgn");
    assert_eq!(crate::support::pgn::read(&so_far).len(), 1);
    assert!(so_far.ends_with("1-0\n\n"), "{so_far}");
    // Nothing of the second game is written before it ends, even if the program is killed.
    run.kill();
    assert_eq!(run.read("match.out/games.pgn"), so_far);
    run.expect_no_engine();
}

#[test]
fn g_06_games_of_several_runs_can_be_put_together() {
    let first = Match::new().rounds(2).run();
    let second = Match::new().moves(FOOLS_MATE).run();
    assert_eq!(crate::support::pgn::read(&(first.pgn + &second.pgn)).len(), 3);
}

#[test]
fn g_07_rounds_tell_the_games_apart() {
    let rounds = |pairs: bool| {
        let outcome = Match::new().set("pairs", json!(pairs)).rounds(2).run();
        outcome
            .games
            .iter()
            .map(|game| (game.tag("Round").to_owned(), game.tag("White").to_owned()))
            .collect::<Vec<_>>()
    };
    let expected = |games: &[(&str, &str)]| -> Vec<(String, String)> {
        games.iter().map(|(round, white)| ((*round).to_owned(), (*white).to_owned())).collect()
    };
    assert_eq!(
        rounds(true),
        expected(&[("1.1", "Alpha"), ("1.2", "Beta"), ("2.1", "Alpha"), ("2.2", "Beta")])
    );
    assert_eq!(rounds(false), expected(&[("1.1", "Alpha"), ("2.1", "Beta")]));
}

#[test]
fn g_08_black_to_move_first_is_written_with_dots_and_numbers_begin_at_one() {
    let outcome = Match::new().fen("8/8/8/8/8/6k1/r7/6K1 b - - 3 17").moves("a2a1").run();
    assert!(outcome.pgn.contains("\n17... Ra1# {"), "{}", outcome.pgn);
    let outcome = Match::new().fen("8/8/8/8/8/6k1/r7/6K1 b - - 3 0").moves("a2a1").run();
    assert!(outcome.pgn.contains("\n1... Ra1# {"), "{}", outcome.pgn);
    assert_eq!(outcome.game().tag("FEN"), "8/8/8/8/8/6k1/r7/6K1 b - - 3 1");
}

#[test]
fn g_09_names_and_tokens_with_any_character_break_nothing() {
    let name = "A \"quoted\" \\ {brace} % żółć 象";
    let white = fake(&["--on", "go@2", "instead:bestmove }%;\"\\\\{1-0"]).with("name", json!(name));
    let outcome = Match::new().white(white).set("event", json!("[Event \"x\"]")).run().exits_with(0);
    let game = outcome.game();
    assert_eq!((game.tag("White"), game.tag("Event")), (name, "[Event \"x\"]"));
    assert!(game.closing_words().ends_with("`bestmove )%;\"\\(1-0`"), "{}", game.closing_words());
}

#[test]
fn g_09_no_line_of_the_movetext_begins_with_a_percent_sign() {
    // To many readers such a line is no part of the game.
    let words = ["a %b"; 60].join(" ");
    let crash = fake(&["--on", "go@2", &format!("print:{words}"), "--on", "go@2", "die:1"]);
    let outcome = Match::new().white(crash).run().exits_with(0);
    assert!(outcome.game().closing_words().contains("a %b a %b"), "{}", outcome.pgn);
    assert!(outcome.pgn.lines().all(|line| !line.starts_with('%') && line.len() <= 255), "{}", outcome.pgn);
}

#[test]
fn g_10_and_g_11_tag_movetext_and_words_tell_one_result() {
    let outcome = Match::new().moves(FOOLS_MATE).rounds(2).run();
    for game in &outcome.games {
        assert_eq!((game.tag("Result"), game.outcome.as_deref()), ("0-1", Some("0-1")));
        assert_eq!(game.closing_words(), "Black wins by checkmate (Article 5.1.1)");
    }
}

#[test]
fn g_12_move_comments_have_one_form() {
    let white = fake(&["--scores", "35 0 -120 0 m2 0 m1", "--on", "go@2", "print:info depth 0 score cp 7"]);
    let outcome = Match::new().white(white).black(fake(&["--no-info"])).run();
    let comments: Vec<&str> = outcome.game().comments.iter().map(|(_, text)| text.as_str()).collect();
    let scores: Vec<&str> = comments.iter().step_by(2).map(|text| text.split(' ').next().unwrap()).collect();
    assert_eq!(scores, ["+0.35/1", "-1.20/1", "+M2/1", "+M1/1"]);
    for comment in &comments[..7] {
        let time = comment.split(' ').next_back().unwrap();
        let seconds = time.strip_suffix('s').unwrap();
        assert!(seconds.parse::<f64>().is_ok() && seconds.split('.').nth(1).unwrap().len() == 3, "{comment}");
    }
}

#[test]
fn g_13_time_controls_are_written_as_the_standard_has_them() {
    for (written, tag) in [
        ("600+0.5", "600+0.5"),
        ("40/600+1:20/300:100+1", "40/600+1:20/300:100+1"),
        ("nodes=10", "-"),
        ("5:00+3", "300+3"),
    ] {
        let outcome = Match::new().set("defaults.time_control", json!(written)).run();
        assert_eq!(outcome.game().tag("TimeControl"), tag);
    }
}

//! `arbiter judge` through the real binary.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may end by a panic")]

use std::process::Output;

#[path = "support/command.rs"]
mod command;

use command::{answers_each_line, arbiter, stderr, stdout};

fn judge(arguments: &[&str], input: &str) -> Output {
    arbiter(&[&["judge"], arguments].concat(), input)
}

#[test]
fn a_position_is_explained_with_its_article() {
    let output = judge(&["--fen", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1"], "");
    assert_eq!(output.status.code(), Some(0));
    let words = "White to move. Dead position: no series of legal moves mates either king (Article 5.2.2).";
    assert!(stdout(&output).contains(words), "{}", stdout(&output));
}

#[test]
fn moves_from_the_initial_position_as_json() {
    let output = judge(&["--moves", "f2f3 e7e5 g2g4 d8h4", "--json"], "");
    assert_eq!(output.status.code(), Some(0));
    let start = r#"{"id":null,"end":{"ply":4,"result":"0-1","reason":"checkmate","article":"5.1.1"},"#;
    assert!(stdout(&output).starts_with(start), "{}", stdout(&output));
}

#[test]
fn a_dead_position_can_be_left_out() {
    let output = judge(&["--fen", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "--dead-position", "off", "--json"], "");
    assert!(stdout(&output).starts_with(r#"{"id":null,"end":null,"#), "{}", stdout(&output));
}

#[test]
fn bad_usage_is_2_and_says_what_is_wrong() {
    for (arguments, words) in [
        (&["--fen", "nonsense"][..], "field `fen`: invalid FEN `nonsense`: the side to move is missing"),
        (&["--moves", "e2e4 e2e4"], "`e2e4` at ply 2 is not a legal move for Black"),
        (&["--pgn", "no-such-file.pgn"], "failed to open `no-such-file.pgn`"),
        (&["--jsonl", "--pgn", "x.pgn"], "cannot be used with"),
        (&["--dead-position", "exactly"], "invalid value 'exactly'"),
        (&["--max-nodes", "many"], "invalid value 'many'"),
    ] {
        let output = judge(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
}

#[test]
fn bad_lines_make_the_exit_code_1_at_the_end() {
    let output = judge(&["--jsonl"], "{\"id\": 1}\nnonsense\n{\"id\": 3}\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output).lines().count(), 3);
    assert_eq!(judge(&["--jsonl"], "{\"id\": 1}\n").status.code(), Some(0));
    assert_eq!(judge(&["--jsonl"], "").status.code(), Some(0));
}

#[test]
fn each_line_is_answered_while_the_input_stays_open() {
    let question = |id| (format!("{{\"id\": {id}}}"), format!("{{\"id\":{id},"));
    answers_each_line(&["judge", "--jsonl"], &[0, 1, 2].map(question));
}

#[test]
fn a_pgn_file_is_audited() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let mate = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    std::fs::write(&file, mate).unwrap();
    let path = file.to_str().unwrap();
    let clean = judge(&["--pgn", path], "");
    assert_eq!(clean.status.code(), Some(0));
    assert_eq!(stdout(&clean), "1 game: 1 with a result that agrees with the Laws.\n");

    std::fs::write(&file, format!("{mate}{}", mate.replace("0-1", "1-0"))).unwrap();
    let broken = judge(&["--pgn", path], "");
    assert_eq!(broken.status.code(), Some(1));
    assert!(
        stdout(&broken).starts_with("Game 2 (line 7): A - B, 1-0\n  Breaks the Laws: "),
        "{}",
        stdout(&broken)
    );

    let as_json = judge(&["--pgn", "-", "--json"], mate);
    assert_eq!(as_json.status.code(), Some(0));
    assert!(stdout(&as_json).ends_with("\"result\":\"0-1\",\"agrees\":true}\n"), "{}", stdout(&as_json));
}

#[test]
fn a_pgn_file_without_games_is_said_to_be_one() {
    let output = judge(&["--pgn", "-"], "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!((stdout(&output), stderr(&output)), ("No games.\n", "warning: there is no game in `-`\n"));
}

const SEALED: &str = "3k4/8/8/1p1p1p1p/1P1P1P1P/8/8/3K4 w - - 0 1";

#[test]
fn article_5_2_2_a_sealed_wall_is_judged_and_explained() {
    let output = judge(&["--fen", SEALED, "--explain"], "");
    let text = stdout(&output);
    let ruling = "White to move. Dead position: no series of legal moves mates either king (Article 5.2.2).";
    assert!(text.contains(ruling), "{text}");
    for side in ["White cannot mate. ", "Black cannot mate. "] {
        let proof = text.split_once(side).map(|(_, proof)| proof.lines().next().unwrap_or_default());
        assert!(proof.is_some_and(|proof| proof.len() > 20), "{text}");
    }
}

#[test]
fn a_helpmate_is_shown_and_a_spent_budget_is_unknown() {
    let race = "1k6/1P1p1p1p/BP6/1P5p/8/8/3P1PKP/8 w - - 0 1";
    let of = |nodes: &str| {
        let output = judge(&["--fen", race, "--json", "--max-nodes", nodes], "");
        serde_json::from_str::<serde_json::Value>(stdout(&output)).unwrap()["final"].clone()
    };
    assert_eq!(of("100")["can_mate"]["black"], "unknown");
    let full = of("2000000");
    assert_eq!(full["can_mate"]["black"], "yes");
    let line = full["helpmate"]["black"].as_array().unwrap().clone();
    let moves: Vec<&str> = line.iter().filter_map(serde_json::Value::as_str).collect();
    let mated = judge(&["--fen", race, "--json", "--moves", &moves.join(" ")], "");
    assert!(stdout(&mated).contains(r#""result":"0-1","reason":"checkmate""#), "{}", stdout(&mated));
}

#[test]
fn thorough_finds_the_first_dead_ply() {
    let race = ["--fen", "8/8/8/8/8/3k4/2p5/2K5 w - - 0 1", "--json", "--thorough", "--moves"];
    for (moves, since) in [("c1b2 c2c1q", None), ("c1b2 c2c1q b2c1", Some(3))] {
        let arguments = [&race[..], &[moves]].concat();
        let object: serde_json::Value = serde_json::from_str(stdout(&judge(&arguments, ""))).unwrap();
        assert_eq!(object["dead_since"].as_u64(), since, "{object}");
    }
    let arguments = ["--fen", SEALED, "--moves", "d1c2 d8c7", "--json", "--thorough"];
    let object: serde_json::Value = serde_json::from_str(stdout(&judge(&arguments, ""))).unwrap();
    assert_eq!((&object["dead_since"], &object["end"]["ply"]), (&0.into(), &0.into()), "{object}");
}

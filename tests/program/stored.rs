//! What a run's database tells after it, and while it goes on: report, export, show.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Match, Outcome, fake, pgn, sparring};

/// What a command on the database of a run prints; it has to succeed.
#[track_caller]
fn asked(outcome: &Outcome, args: &[&str]) -> String {
    let output = command(outcome, args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn command(outcome: &Outcome, args: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_arbiter")).args(args).current_dir(outcome.path()).output().unwrap()
}

const DATABASE: &str = "match.out/match.db";

#[test]
fn d_02_an_export_stands_in_the_order_of_the_schedule() {
    // The first game waits until the second one, on the other board, has ended.
    let game = Match::new().rounds(4).set("concurrency", json!(2));
    let hold = game.hold("go");
    let mut run = game.white(fake(&["--on", "ucinewgame@1", &hold])).start();
    run.wait_for(|event| event["type"] == "match_started");
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    let exported = asked(&outcome, &["export", "--pgn", DATABASE]);
    let rounds: Vec<String> = pgn::read(&exported).iter().map(|game| game.tag("Round").to_owned()).collect();
    assert_eq!(rounds, ["1.1", "2.1", "3.1", "4.1"]);
    // The same games, whatever the order.
    let sorted = |text: &str| {
        let mut games: Vec<String> = text.split("[Event ").map(str::to_owned).collect();
        games.sort();
        games
    };
    assert_eq!(sorted(&exported), sorted(&outcome.pgn));
}

#[test]
fn a_report_is_the_table_of_the_run() {
    for format in ["match", "round_robin", "knockout", "swiss"] {
        let engines = if format == "match" { 2 } else { 4 };
        let outcome = Match::new()
            .engines(["1", "2", "3", "4"][..engines].iter().map(|depth| sparring(&["--depth", depth])))
            .set("format", json!(format))
            .set("pairs", json!(true))
            .set("defaults.time_control", json!("depth=4"))
            .set("adjudication", json!({ "max_moves": 12 }))
            .rounds(2)
            .run()
            .exits_with(0);
        let report = asked(&outcome, &["report", DATABASE]);
        let (_, table) = report.split_once("finished\n\n").unwrap();
        assert!(outcome.stdout.contains(table), "{format}: {table}\n\n{}", outcome.stdout);
        let object: Value = serde_json::from_str(&asked(&outcome, &["report", "--json", DATABASE])).unwrap();
        assert_eq!((&object["finished"], &object["games"]), (&json!(true), &json!(outcome.games.len())));
    }
}

#[test]
fn a_run_can_be_looked_at_while_it_goes_on() {
    let game = Match::new().rounds(2);
    let hold = game.hold("go");
    let mut run = game.white(fake(&["--on", "go@5", &hold])).start();
    run.wait_for(|event| event["type"] == "game_started" && event["game"] == 2);
    let report = run.command(&["report", DATABASE]);
    let text = String::from_utf8(report.stdout).unwrap();
    assert!(text.starts_with("Test: 1 of 2 games, not finished\n"), "{text}");
    run.let_go("go");
    run.finish().exits_with(0);
}

#[test]
fn a_faulty_game_is_listed_with_the_command_that_shows_it() {
    let outcome = Match::new().white(fake(&["--on", "go@4", "print:bestmove e1e9"])).run().exits_with(0);
    let line = "       arbiter show match.out/match.db 1.1";
    assert!(outcome.stdout.lines().any(|printed| printed == line), "{}", outcome.stdout);
    for (file, name) in [(DATABASE, "1.1"), ("match.out", "1")] {
        let shown = asked(&outcome, &["show", file, name]);
        for words in [
            "0-1  White loses by an illegal move",
            "reason: illegal_move, Article 7.5.5",
            "position startpos moves e2e4 e7e5 d1h5 b8c6\n",
            "> bestmove e1e9",
            "< go wtime",
        ] {
            assert!(shown.contains(words), "{words}: {shown}");
        }
    }
    let object: Value = serde_json::from_str(&asked(&outcome, &["show", "--json", DATABASE, "1"])).unwrap();
    assert_eq!(object["ended"]["reason"], "illegal_move");
    assert_eq!(object["moves"].as_array().unwrap().len(), 4);
    assert_eq!(object["position"], "position startpos moves e2e4 e7e5 d1h5 b8c6");
    let missing = command(&outcome, &["show", DATABASE, "7.1"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("holds no game 7.1"));
}

#[test]
fn a_flag_fall_shows_its_clock() {
    let late = fake(&["--on", "go@2", "sleep:400"]).with("time_control", json!("0.2"));
    let outcome = Match::new().white(late).run().exits_with(0);
    let shown = asked(&outcome, &["show", DATABASE, "1.1"]);
    assert!(shown.contains("White ran out of time: "), "{shown}");
}

#[test]
fn a_file_that_is_no_database_is_told() {
    let outcome = Match::new().run().exits_with(0);
    for (file, words) in [
        ("match.out/games.pgn", "is no database of a match"),
        (".", "match.db does not exist"),
        ("nowhere.db", "does not exist"),
    ] {
        for command_line in [vec!["report", file], vec!["export", "--pgn", file], vec!["show", file, "1"]] {
            let output = command(&outcome, &command_line);
            assert_eq!(output.status.code(), Some(3));
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(stderr.contains(words) && stderr.starts_with("error: "), "{stderr}");
        }
    }
}

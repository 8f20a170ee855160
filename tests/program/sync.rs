//! `sync`: what is awaited of an engine between its moves, and what its clock is charged with.

use serde_json::{Value, json};

use crate::support::{Match, Outcome, fake};

/// White is slow to read `position` at its second and third move.
fn slow_reader_plays(sync: &str) -> Outcome {
    let slow = fake(&["--on", "position:2", "sleep:2500", "--on", "position:3", "sleep:2500"]);
    Match::new().white(slow.with("sync", json!(sync))).run().exits_with(0)
}

fn charged(outcome: &Outcome) -> Vec<u64> {
    let moves = outcome.events_of("move").filter(|event| event["by"] == "white");
    moves.map(|event| event["time_us"].as_u64().unwrap()).collect()
}

fn dialogue(outcome: &Outcome) -> Vec<String> {
    let lines = outcome.received("Alpha");
    let from = lines.iter().position(|line| line == "ucinewgame").unwrap();
    let word = |line: &String| line.split(' ').next().unwrap().to_owned();
    lines[from..].iter().map(word).take_while(|word| word != "quit").collect()
}

#[test]
fn reading_position_is_charged_with_game_and_not_with_move() {
    let game = slow_reader_plays("game");
    let charged_with_game = charged(&game);
    assert!(charged_with_game[1] >= 2_500_000 && charged_with_game[2] >= 2_500_000, "{charged_with_game:?}");
    assert_eq!(
        dialogue(&game),
        ["ucinewgame", "isready", "position", "go", "position", "go", "position", "go", "position", "go"]
    );
    let by_move = slow_reader_plays("move");
    let charged_with_move = charged(&by_move);
    assert!(charged_with_move.iter().all(|charged| *charged < 2_500_000), "{charged_with_move:?}");
    let each_move = ["position", "isready", "go"];
    assert_eq!(dialogue(&by_move), [&["ucinewgame", "isready"], &each_move.repeat(4)[..]].concat());
    // What was not charged is not missing on the clock either.
    let left = |outcome: &Outcome| outcome.events_of("move").last().unwrap()["clock_us"].as_u64().unwrap();
    assert!(left(&by_move) > left(&game), "{} {}", left(&by_move), left(&game));
    assert_eq!((game.endings(), by_move.endings()), (vec!["1-0 checkmate 5.1.1".to_owned()], game.endings()));
}

#[test]
fn the_flag_does_not_fall_while_position_is_read() {
    let white = |sync: &str| {
        let slow = fake(&["--on", "position:2", "sleep:4000"]);
        Match::new()
            .white(slow.with("sync", json!(sync)).with("time_control", json!("2")))
            .run()
            .exits_with(0)
    };
    assert_eq!(white("game").endings(), ["0-1 flag_fall 6.9"]);
    assert_eq!(white("move").endings(), ["1-0 checkmate 5.1.1"]);
}

#[test]
fn no_readyok_before_a_move_is_a_stall() {
    // After that of the handshake, that of the game and that of the first move.
    let silent = fake(&["--on", "isready:4", "nothing"])
        .with("sync", json!("move"))
        .with("timeouts", json!({ "ready": "500ms", "quit": "300ms" }));
    let outcome = Match::new().white(silent).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 stall -"]);
    assert_eq!(outcome.game().tag("PlyCount"), "2");
    let words = outcome.game().closing_words();
    assert!(words.contains("no `readyok` within 0.5 s"), "{words}");
    // One that dies there is gone.
    let dying = fake(&["--on", "isready:4", "die:3"]).with("sync", json!("move"));
    let outcome = Match::new().white(dying).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 disconnect -"]);
}

#[test]
fn a_bestmove_with_the_readyok_is_nobodys_answer() {
    let unasked =
        fake(&["--on", "isready:4", "print:bestmove a2a3", "--on", "isready:5", "then:bestmove a2a3"]);
    let outcome = Match::new().white(unasked.with("sync", json!("move"))).run().exits_with(0);
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"]);
    assert_eq!(outcome.faults(), ["1 Alpha printed a bestmove that nobody had asked for"]);
}

#[test]
fn each_engine_has_its_own() {
    let outcome = Match::new()
        .white(fake(&[]).with("sync", json!("game")))
        .set("defaults.sync", json!("move"))
        .run()
        .exits_with(0);
    let asked = |engine: &str| outcome.received_words(engine, "isready").len();
    assert_eq!((asked("Alpha"), asked("Beta")), (2, 5));
    assert_eq!(outcome.events_of("move").filter(|event| event["time_us"] == Value::Null).count(), 0);
}

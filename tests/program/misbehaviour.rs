//! What engines do wrong, where it takes more than a row of `misbehaviours`: what it costs, and that the match goes on.

use serde_json::json;

use crate::support::{EngineKeys, FOOLS_MATE, Match, Outcome, SCHOLARS_MATE, fake, program};

/// White wins the second game, whose White is the other engine.
const NEXT_GAME: &str = "1-0 checkmate 5.1.1";

/// Alpha does wrong in the first game, where it is White; in the second it is Black.
fn two_games(alpha: EngineKeys) -> Match {
    Match::new().white(alpha).rounds(2).set("defaults.timeouts", json!({ "quit": "300ms" }))
}

/// The first game ended so, the second was played.
#[track_caller]
fn first_game_ends(outcome: &Outcome, ending: &str, termination: &str, words: &str) {
    assert_eq!(outcome.code, 0, "stderr: {}", outcome.stderr);
    assert_eq!(outcome.endings(), [ending, NEXT_GAME], "{}", outcome.pgn);
    assert_eq!(outcome.games[0].tag("Termination"), termination);
    assert!(outcome.games[0].closing_words().contains(words), "{}", outcome.games[0].closing_words());
}

fn short_clock(engine: EngineKeys) -> EngineKeys {
    engine.with("time_control", json!("1"))
}

#[test]
fn silence_is_a_flag_fall_and_the_search_is_stopped() {
    let silent = short_clock(fake(&["--on", "go@2", "nothing"]));
    let outcome = two_games(silent).set("defaults.timeouts.quit", json!("5s")).run();
    first_game_ends(&outcome, "0-1 flag_fall 6.9", "time forfeit", "White loses on time (Article 6.9)");
    // It answered `stop`, so it may stay.
    assert_eq!(outcome.received_words("Alpha", "stop").len(), 1);
    assert_eq!(outcome.starts("Alpha"), 1);
}

#[test]
fn an_engine_that_dies_while_the_other_thinks_loses_after_the_others_move() {
    let outcome = two_games(fake(&["--on", "go@2", "then-die:7"])).run();
    first_game_ends(&outcome, "0-1 disconnect -", "abandoned", "White loses by disconnection");
    assert!(outcome.games[0].closing_words().contains("exited with status 7"));
    // Its own move was complete, and so is the answer to it.
    assert_eq!(outcome.games[0].ucis, ["e2e4", "e7e5", "d1h5", "b8c6"]);
}

#[test]
fn a_move_that_ends_the_game_counts_though_an_engine_has_died() {
    // The loser of the mate dies before it.
    let outcome = two_games(fake(&["--on", "go@2", "then-die:7"])).moves(FOOLS_MATE).run();
    assert_eq!(outcome.endings(), ["0-1 checkmate 5.1.1"; 2]);
    // The winner dies with its mating move in the same write.
    let outcome = two_games(fake(&["--on", "go@6", "then-die:7"])).run();
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"; 2]);
    assert_eq!(outcome.faults(), ["2 Alpha was gone when this game was to begin"]);
}

#[test]
fn a_bestmove_after_many_lines_and_before_the_end_of_the_process_is_read() {
    let outcome = two_games(fake(&["--on", "go@6", "lines:40000", "--on", "go@6", "then-die:1"])).run();
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"; 2]);
}

#[test]
fn a_flood_on_stderr_blocks_nobody_and_is_told_once() {
    for (bytes, faults) in [("stderr:100000", vec![]), ("stderr:3000000", vec!["1 Alpha floods its stderr"])]
    {
        let flooding = fake(&["--on", "go@2", bytes]);
        let outcome = two_games(flooding).set("defaults.timeouts.quit", json!("5s")).run().exits_with(0);
        assert_eq!(outcome.endings(), [NEXT_GAME; 2]);
        assert_eq!(outcome.faults(), faults, "{bytes}");
    }
    // Once too where the process ends after the game.
    let flooding = fake(&["--on", "go@2", "stderr:3000000"]).with("restart", json!("every_game"));
    let outcome = two_games(flooding).set("defaults.timeouts.quit", json!("5s")).run().exits_with(0);
    assert_eq!(outcome.faults(), ["1 Alpha floods its stderr"]);
}

#[test]
fn an_engine_that_ignores_quit_and_sigterm_is_killed() {
    let outcome = two_games(fake(&["--ignore-quit", "--ignore-term"])).run().exits_with(0);
    assert_eq!(outcome.endings(), [NEXT_GAME; 2]);
    assert_eq!(outcome.faults(), ["- Alpha ignored quit and was killed"]);
}

#[test]
fn children_left_behind_are_killed() {
    let outcome =
        two_games(fake(&["--on", "go@2", "child"]).with("timeouts", json!({ "quit": "10s" }))).run();
    assert_eq!(outcome.exits_with(0).faults(), ["- Alpha left child processes behind, which were killed"]);
    // They hold the pipe open, which does not hide the end of their parent.
    let outcome = two_games(fake(&["--on", "go@2", "child", "--on", "go@2", "die:9"])).run();
    first_game_ends(&outcome, "0-1 disconnect -", "abandoned", "the engine exited with status 9");
}

#[test]
fn an_engine_that_does_not_start_ends_the_run_before_any_game() {
    let slow = json!({ "start": "400ms", "ready": "400ms", "quit": "300ms" });
    for (engine, words) in [
        (fake(&["--on", "start", "die:4"]), "exited with status 4"),
        (fake(&["--on", "uci", "nothing"]), "no `uciok` within 0.4 s"),
        (fake(&["--on", "isready", "nothing"]), "no `readyok` within 0.4 s"),
        (fake(&["--on", "start", "close-stdout"]), "closed its stdout"),
        (fake(&["--on", "uci", "flood-raw"]), "a line longer than 1 MiB"),
        (fake(&["--on", "uci", "flood:banner"]), "no `uciok` within 0.4 s"),
        (program(&["false"]), "exited with status 1"),
        (program(&["cat"]), "no `uciok`"),
    ] {
        let outcome = Match::new().black(engine.with("timeouts", slow.clone())).run().exits_with(3);
        assert!(outcome.stderr.contains("Beta") && outcome.stderr.contains(words), "{}", outcome.stderr);
        assert_eq!((outcome.games.len(), outcome.events_of("game_started").count()), (0, 0));
        assert!(outcome.received_words("Alpha", "go").is_empty());
    }
}

#[test]
fn an_engine_that_does_not_come_back_loses_that_game_only() {
    let limits = json!({ "start": "500ms", "ready": "500ms", "new_game": "500ms", "quit": "300ms" });
    for (trigger, action, ending, words) in [
        ("start#2", "die:5", "1-0 disconnect -", "exited with status 5"),
        ("uci#2", "nothing", "1-0 stall -", "no `uciok`"),
        ("isready#2", "nothing", "1-0 stall -", "no `readyok`"),
        ("ucinewgame#2", "die:6", "1-0 disconnect -", "exited with status 6"),
    ] {
        let alpha = fake(&["--on", "go@2#1", "die:1", "--on", trigger, action]);
        let outcome = two_games(alpha.with("timeouts", limits.clone())).rounds(3).run().exits_with(0);
        assert_eq!(
            outcome.endings(),
            ["0-1 disconnect -", ending, NEXT_GAME],
            "{trigger}: {}",
            outcome.stderr
        );
        let absent = &outcome.games[1];
        assert_eq!((absent.tag("Termination"), absent.tag("PlyCount")), ("abandoned", "0"));
        assert!(absent.closing_words().contains(words), "{}", absent.closing_words());
    }
}

#[test]
fn no_readyok_for_a_new_game_is_a_stall() {
    let deaf = fake(&["--on", "ucinewgame", "sleep:2000"]).with("timeouts", json!({ "new_game": "400ms" }));
    let outcome = two_games(deaf).rounds(1).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 stall -"]);
    assert_eq!(outcome.starts("Alpha"), 2, "it was given another chance");
    assert!(outcome.game().closing_words().contains("no `readyok` within 0.4 s"));
}

#[test]
fn without_restarts_the_run_ends_when_an_engine_is_gone() {
    let outcome =
        two_games(fake(&["--on", "go@2", "die:1"]).with("restart", json!("never"))).run().exits_with(3);
    assert_eq!(outcome.endings(), ["0-1 disconnect -"]);
    assert!(outcome.stderr.contains("Alpha is gone"), "{}", outcome.stderr);
    assert_eq!(outcome.starts("Alpha"), 1);
}

#[test]
fn a_process_for_every_game_is_a_setting() {
    let outcome = two_games(fake(&[]).with("restart", json!("every_game"))).rounds(3).run().exits_with(0);
    assert_eq!((outcome.starts("Alpha"), outcome.starts("Beta")), (3, 1));
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn both_engines_may_fail_in_turn() {
    let alpha = fake(&["--on", "go@2", "die:1"]);
    let beta = fake(&["--on", "go@4", "instead:bestmove x"]);
    let outcome = two_games(alpha).black(beta).rounds(4).run().exits_with(0);
    let pair = ["0-1 disconnect -", "0-1 illegal_move 7.5.5"];
    assert_eq!(outcome.endings(), [pair, pair].concat());
    assert_eq!(outcome.games[1].ucis, SCHOLARS_MATE.split(' ').take(4).collect::<Vec<_>>());
}

//! Ctrl-C and its relatives: what is finished is kept, the engines are gone, the exit code is 130.

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::support::{EngineKeys, Match, Outcome, fake};

const CHECKMATE: &str = "1-0 checkmate 5.1.1";

fn event_is(kind: &'static str, game: u32) -> impl Fn(&Value) -> bool {
    move |event| event["type"] == kind && event["game"] == game
}

/// Never answers in the second game, where it is Black, and ends by nothing but SIGKILL.
fn stubborn() -> EngineKeys {
    fake(&["--on", "go@1", "nothing", "--on", "stop", "nothing", "--ignore-quit", "--ignore-term"])
}

#[track_caller]
fn dropped_in_the_second_game(outcome: Outcome) {
    let outcome = outcome.exits_with(130);
    assert_eq!(outcome.endings(), [CHECKMATE]);
    let annulled: Vec<&Value> = outcome.events_of("game_annulled").collect();
    assert_eq!(annulled.len(), 1);
    assert_eq!((&annulled[0]["game"], &annulled[0]["reason"]), (&json!(2), &json!("interrupted")));
    assert!(outcome.stderr.contains("interrupted after 1 finished game"), "{}", outcome.stderr);
}

#[test]
fn the_first_sigint_lets_the_game_end_and_begins_no_other() {
    let thinking = fake(&["--on", "go@2", "sleep:1500"]);
    let mut run = Match::new().white(thinking).rounds(3).set("interrupt_grace", json!("100s")).start();
    run.wait_for(|event| event["type"] == "move" && event["ply"] == 2);
    run.signal(Signal::SIGINT);
    let outcome = run.finish().exits_with(130);
    assert_eq!(outcome.endings(), [CHECKMATE]);
    assert_eq!(outcome.events_of("game_started").count(), 1);
    assert_eq!(outcome.events_of("game_annulled").count(), 0);
    assert_eq!(outcome.received("Alpha").last().unwrap(), "quit");
}

#[test]
fn b_05_a_game_that_does_not_end_in_the_time_of_grace_is_dropped() {
    let mut run = Match::new().white(stubborn()).rounds(3).set("interrupt_grace", json!("300ms")).start();
    run.wait_for(event_is("game_started", 2));
    run.signal(Signal::SIGINT);
    dropped_in_the_second_game(run.finish());
}

#[test]
fn the_second_sigint_stops_at_once() {
    let mut run = Match::new().white(stubborn()).rounds(3).set("interrupt_grace", json!("1h")).start();
    run.wait_for(event_is("game_started", 2));
    run.signal_until_it_ends(Signal::SIGINT);
    dropped_in_the_second_game(run.finish());
}

#[test]
fn sigterm_and_sighup_stop_at_once() {
    for signal in [Signal::SIGTERM, Signal::SIGHUP] {
        let mut run = Match::new().white(stubborn()).rounds(3).set("interrupt_grace", json!("1h")).start();
        run.wait_for(event_is("game_started", 2));
        run.signal(signal);
        dropped_in_the_second_game(run.finish());
    }
}

#[test]
fn a_signal_during_the_handshake_ends_the_run() {
    let mut run = Match::new().white(fake(&["--on", "uci", "nothing"])).start();
    run.wait_for_line("Alpha", "uci");
    run.signal(Signal::SIGINT);
    let outcome = run.finish().exits_with(130);
    assert_eq!(outcome.games.len(), 0);
}

#[test]
fn an_interrupted_run_is_kept_until_it_is_moved_aside() {
    let mut run = Match::new().white(stubborn()).rounds(3).start();
    run.wait_for(event_is("game_started", 2));
    run.signal(Signal::SIGTERM);
    let first = run.finish().exits_with(130);
    let kept = first.pgn.clone();
    let second = Match::new().again_in(first).run().exits_with(3);
    assert!(
        second.stderr.contains("unfinished run") && second.stderr.contains("--fresh"),
        "{}",
        second.stderr
    );
    assert_eq!(second.pgn, kept, "nothing was touched");
    let third = Match::new().again_in(second).arg("--fresh").run().exits_with(0);
    assert_eq!(third.endings(), [CHECKMATE]);
    assert_eq!(std::fs::read_to_string(third.path().join("match.out.1/games.pgn")).unwrap(), kept);
}

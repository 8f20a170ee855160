//! What the records prove of the clocks, and games that are annulled because the machine spoiled them.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use arbiter::platform::processors::ProcessorSet;
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::support::{Match, Outcome, fake};

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("no `{key}` in {value}"))
}

fn ended(outcome: &Outcome) -> &Value {
    outcome.events_of("game_ended").next().unwrap()
}

fn annulments(outcome: &Outcome) -> Vec<&str> {
    outcome.events_of("game_annulled").map(|event| event["reason"].as_str().unwrap()).collect()
}

/// The first of those that this process may use, by number.
fn a_processor() -> String {
    ProcessorSet::allowed().unwrap().numbers()[0].to_string()
}

/// Two processes that keep one processor busy, until they are dropped.
struct Busy([Child; 2]);

impl Busy {
    /// `None`, said aloud, where there is no `taskset` (not in CI) or the kernel doesn't tell of waits.
    fn on(processor: &str) -> Option<Busy> {
        let pinned = Command::new("taskset").args(["-c", processor, "true"]).status();
        if !pinned.is_ok_and(|status| status.success()) {
            assert!(std::env::var_os("CI").is_none(), "`taskset` is missing");
            eprintln!("SKIPPED: `taskset` is missing");
            return None;
        }
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        if told.starts_with("0 ") || told.is_empty() {
            eprintln!("SKIPPED: the kernel tells nothing in /proc/thread-self/schedstat");
            return None;
        }
        let spin = || {
            let mut command = Command::new("taskset");
            command.args(["-c", processor, "sh", "-c", "while :; do :; done"]);
            command.stdin(Stdio::null()).spawn().unwrap()
        };
        Some(Busy([spin(), spin()]))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn c_11_a_move_tells_when_it_was_sent_when_the_engine_spoke_and_what_it_counted_itself() {
    let white = fake(&["--on", "go@2", "print:info time 100", "--on", "go@2", "sleep:1000"])
        .on("go@2", "print:info depth 4 time 350 nodes 7");
    let outcome = Match::new().white(white).run().exits_with(0);
    let told: Vec<&Value> = outcome.events_of("move").collect();
    let first = told[2];
    assert_eq!(number(first, "engine_us"), 350_000, "the last one holds");
    assert!(number(first, "written_us") <= number(first, "time_us"), "{first}");
    // It slept between its first line and its move.
    assert!(number(first, "first_us") < number(first, "time_us") / 2, "{first}");
    assert!(first["waited_for_processor_us"].is_null(), "far from its limit: {first}");
    assert!(told[4]["engine_us"].is_null(), "that was another search: {}", told[4]);
    // It took the second that it slept, and counted 350 ms of it.
    let times = &outcome.events_of("match_ended").next().unwrap()["engines"];
    assert_eq!(
        (&times[0]["name"], &times[0]["overhead_moves"], &times[1]["overhead_moves"]),
        (&json!("Alpha"), &json!(1), &json!(0))
    );
    let overhead = number(first, "time_us") - 350_000;
    assert_eq!(
        (number(&times[0], "overhead_worst_us"), number(&times[0], "overhead_p99_us")),
        (overhead, overhead)
    );
    assert!(outcome.stdout.contains("99 % of 1 move up to"), "{}", outcome.stdout);
}

#[test]
fn c_16_a_flag_fall_leaves_its_evidence() {
    let white = fake(&["--on", "go@2", "print:info time 300", "--on", "go@2", "nothing"]);
    let white = white.with("time_control", json!("900ms")).with("time_margin", json!("100ms"));
    let outcome = Match::new().white(white).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9"]);
    let (event, evidence) = (ended(&outcome), &ended(&outcome)["flag_fall"]);
    let left = outcome.events_of("move").next().unwrap()["clock_us"].clone();
    assert_eq!((&evidence["limit_us"], &evidence["margin_us"]), (&left, &json!(100_000)));
    assert_eq!((&evidence["answered"], &evidence["engine_us"]), (&json!(false), &json!(300_000)));
    let (used, limit) = (number(evidence, "used_us"), number(evidence, "limit_us") + 100_000);
    assert!(number(evidence, "late_us").abs_diff(used - limit) <= 1, "{evidence}");
    assert!(number(evidence, "first_us") < used, "{evidence}");
    // The wait is told where it is known, and only there.
    let sentence = event["sentence"].as_str().unwrap();
    let known = !evidence["waited_for_processor_us"].is_null();
    assert_eq!(sentence.contains("; the engine waited "), known, "{sentence} {evidence}");
    assert!(!known || number(evidence, "watched_us") < used, "{evidence}");
    assert!(outcome.stdout.contains("Alpha  1 flag fall"), "{}", outcome.stdout);
}

#[test]
fn c_10_an_engine_that_waits_for_a_processor_is_told_from_one_that_thinks_too_long() {
    let processor = a_processor();
    let Some(busy) = Busy::on(&processor) else { return };
    let pinned = ["taskset", "-c", &processor];
    let white = fake(&["--on", "go@2", "spin:5000"]).with("time_control", json!("2")).behind(&pinned);
    let outcome = Match::new().white(white).run().exits_with(0);
    drop(busy);
    assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9"], "a warning by default");
    let evidence = &ended(&outcome)["flag_fall"];
    // Of three that want it one gets a third; it can't have waited longer than was watched.
    let waited = number(evidence, "waited_for_processor_us");
    assert!(waited > 0 && waited <= number(evidence, "watched_us"), "{evidence}");
    assert!(outcome.game().closing_words().contains("; the engine waited "), "{}", outcome.pgn);
    assert!(outcome.stdout.contains("warning: the machine was oversubscribed"), "{}", outcome.stdout);
    assert_eq!(outcome.events_of("match_ended").next().unwrap()["engines"][0]["spoiled_flag_falls"], 1);
}

#[test]
fn c_10_a_game_that_an_oversubscribed_machine_spoiled_is_played_again_where_that_is_asked_for() {
    let processor = a_processor();
    let Some(busy) = Busy::on(&processor) else { return };
    let pinned = ["taskset", "-c", &processor];
    let white = fake(&["--on", "go@2", "spin:2500"]).with("time_control", json!("1")).behind(&pinned);
    let outcome = Match::new().white(white).set("oversubscribed", json!("replay")).run().exits_with(0);
    drop(busy);
    // It never goes better, so the fourth time it counts.
    assert_eq!(annulments(&outcome), ["oversubscribed"; 3], "{}", outcome.stdout);
    assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9"]);
    let words = outcome.game().closing_words();
    assert!(words.contains("annulled 3 times already"), "{words}");
    for event in outcome.events_of("game_annulled") {
        assert!(number(&event["flag_fall"], "waited_for_processor_us") > 0, "{event}");
        assert!(event["detail"].as_str().unwrap().contains("the engine waited"), "{event}");
    }
    assert_eq!(outcome.stdout.matches("annulled and played again: a flag fell").count(), 3);
}

#[test]
fn c_13_a_game_whose_referee_was_stopped_is_played_again_and_nobody_forfeits() {
    // The answer is there long before the limit, but nobody reads it.
    let white = fake(&["--on", "go@2/1", "sleep:3000"]).with("time_control", json!("6"));
    let mut run = Match::new().white(white).rounds(2).start();
    run.wait_for_commands("Alpha", "go", 2);
    run.signal(Signal::SIGSTOP);
    std::thread::sleep(Duration::from_millis(9500));
    run.signal(Signal::SIGCONT);
    let outcome = run.finish().exits_with(0);
    assert_eq!(annulments(&outcome), ["referee_stopped"], "{}", outcome.stdout);
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1", "1-0 checkmate 5.1.1"]);
    let games = |kind| outcome.events_of(kind).map(|event| number(event, "game")).collect::<Vec<_>>();
    assert_eq!(games("game_started"), [1, 1, 2], "the same game, before the next one");
    assert_eq!(games("game_ended"), [1, 2]);
    assert!(
        outcome.stdout.contains("Game 1.1  annulled and played again: the referee was stopped"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("1 game annulled and played again"), "{}", outcome.stdout);
    let event = outcome.events_of("game_annulled").next().unwrap();
    assert!(number(&event["flag_fall"], "late_us") > 1_000_000, "{event}");
    // Nobody is to blame, so nobody is started anew.
    assert_eq!((outcome.starts("Alpha"), outcome.starts("Beta")), (1, 1));
}

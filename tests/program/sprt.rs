//! Matches that a sequential test decides.

use std::path::Path;

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::support::command::{arbiter, stderr, stdout};
use crate::support::{EngineKeys, Match, Outcome, fake, speaker};

/// Resigns at its first move, with either colour.
fn loser() -> EngineKeys {
    speaker(&[("go", "resign")])
}

/// An open-ended match of pairs with a test that 8 pairs won decide.
fn tested() -> Match {
    Match::new()
        .set("pairs", json!(true))
        .set("rounds", Value::Null)
        .set("sprt", json!({ "elo0": 0, "elo1": 200, "model": "logistic" }))
}

fn sprt(outcome: &Outcome) -> &Value {
    &outcome.events.last().unwrap()["sprt"]
}

/// The lines from the table on, without what depends on times and paths.
fn report(outcome: &Outcome) -> Vec<&str> {
    let lines = outcome.stdout.lines().skip_while(|line| !line.starts_with("engine "));
    lines.take_while(|line| !line.starts_with("Time:") && !line.starts_with("PGN")).collect()
}

#[test]
fn s_07_h1_ends_an_open_ended_match_with_success() {
    let outcome = tested().black(loser()).set("concurrency", json!(2)).run().exits_with(0);
    let test = sprt(&outcome);
    assert_eq!(
        (&test["state"], &test["pairs"], &test["model"]),
        (&json!("H1"), &json!(8), &json!("logistic"))
    );
    assert_eq!((&test["elo0"], &test["elo1"]), (&json!(0.0), &json!(200.0)));
    assert!(test["llr"].as_f64().unwrap() >= test["upper"].as_f64().unwrap(), "{test}");
    assert_eq!(test["penta"], json!([0, 0, 0, 0, 8]));
    for kind in ["match_started", "match_ended"] {
        assert_eq!(outcome.events_of(kind).next().unwrap()["games"], Value::Null, "{kind}");
    }
    // While the last pair that counts is played, later games may come to their ends.
    assert!(outcome.games.len() >= 16, "{}", outcome.games.len());
    for line in [
        "Alpha against Beta: games until the test is decided",
        "Results of Alpha vs Beta:",
        "LLR: 3.35 (113.7%) (-2.94, 2.94) [0.00, 200.00]",
        "SPRT ([0.00, 200.00]) completed - H1 was accepted",
    ] {
        assert!(outcome.stdout.lines().any(|printed| printed == line), "{line}: {}", outcome.stdout);
    }
    assert!(outcome.stdout.contains("H1 accepted: the results of Alpha against Beta speak for 200 Elo"));
    let mut lines =
        outcome.stdout.lines().filter(|line| line.starts_with("Game ") && line.contains("resign"));
    assert!(
        lines.all(|line| line.contains("; LLR ") && line.ends_with(" (-2.94, 2.94)]")),
        "{}",
        outcome.stdout
    );
}

#[test]
fn h0_and_no_decision_are_requirements_that_are_not_met() {
    let h0 = tested().white(loser()).set("concurrency", json!(2)).run().exits_with(1);
    assert_eq!(sprt(&h0)["state"], "H0");
    assert!(
        h0.stdout.contains("H0 accepted: the results of Alpha against Beta speak for 0 Elo"),
        "{}",
        h0.stdout
    );
    // A finished run, not one that is to be played on.
    tested().white(loser()).again_in(h0).run().exits_with(1);

    let undecided = tested().black(loser()).rounds(2).run().exits_with(1);
    assert_eq!((&sprt(&undecided)["state"], undecided.games.len()), (&json!("continue"), 4));
    assert!(undecided.stdout.contains("No decision: after 2 pairs the LLR is 0.84"), "{}", undecided.stdout);
    assert!(!undecided.stdout.contains("completed"), "{}", undecided.stdout);
}

#[test]
fn s_03_pairs_count_in_the_order_of_the_schedule_and_running_games_are_dropped() {
    let game = tested();
    let (first, later) = (game.hold("first"), game.hold("later"));
    // Each of two workers has a process of Beta. That of one is held in its first game, game 1 or 2; that of the other
    // in its 25th, which is game 26 then.
    let beta = fake(&[])
        .with("speaks", json!(true))
        .with("claims", json!("engine"))
        .on("go/1#1", &first)
        .on("go/25#2", &later)
        .on("go", "print:info string resign");
    let mut run = game.black(beta).set("concurrency", json!(2)).start();
    run.wait_for(|event| event["type"] == "game_started" && event["game"] == 26);
    run.wait_for(|event| event["type"] == "game_ended" && event["game"] == 25);
    run.let_go("first");
    let outcome = run.finish().exits_with(0);
    // 12 pairs were complete when the first one was, and 8 of them decide.
    assert_eq!((&sprt(&outcome)["state"], &sprt(&outcome)["pairs"]), (&json!("H1"), &json!(8)));
    assert_eq!(outcome.games.len(), 25);
    let annulled: Vec<&Value> = outcome.events_of("game_annulled").collect();
    assert_eq!(annulled.len(), 1, "{annulled:?}");
    assert_eq!((&annulled[0]["game"], &annulled[0]["reason"]), (&json!(26), &json!("sprt_decided")));
    assert!(outcome.stdout.contains("Game 13.2  dropped: the test is decided"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("1 game whose pair is not complete is not in these figures."));
}

#[test]
fn s_04_what_is_shown_changes_no_statistics() {
    let run = |game: Match| game.black(loser()).run().exits_with(0);
    let (loud, quiet) = (run(tested()), run(tested().arg("-q")));
    assert_eq!(quiet.stdout.lines().find(|line| !line.is_empty()), Some(report(&quiet)[0]));
    assert_eq!(report(&loud), report(&quiet));
    assert!(report(&quiet).iter().any(|line| line.starts_with("LLR: 3.35")), "{}", quiet.stdout);
    assert_eq!(sprt(&loud), sprt(&quiet));
}

/// Alpha's wins, draws and losses, and its pairs by points, from the PGN.
fn counts_of_pgn(outcome: &Outcome) -> ([u32; 3], [u32; 5]) {
    let (mut games, mut pairs) = ([0; 3], [0; 5]);
    let mut rounds = std::collections::BTreeMap::<&str, Vec<usize>>::new();
    for game in &outcome.games {
        let half_points = match (game.tag("Result"), game.tag("White") == "Alpha") {
            ("1/2-1/2", _) => 1,
            ("1-0", true) | ("0-1", false) => 2,
            _ => 0,
        };
        games[2 - half_points] += 1;
        rounds.entry(game.tag("Round").split('.').next().unwrap()).or_default().push(half_points);
    }
    for pair in rounds.values().filter(|pair| pair.len() == 2) {
        pairs[pair[0] + pair[1]] += 1;
    }
    (games, pairs)
}

#[test]
fn d_07_s_06_the_figures_are_those_of_the_pgn_for_the_first_engine() {
    // White mates, but for some games that Beta resigns, and some in which Alpha does.
    let by_process = |triggers: &[&str]| {
        let engine = fake(&[]).with("speaks", json!(true)).with("claims", json!("engine"));
        triggers.iter().fold(engine, |engine, trigger| engine.on(trigger, "print:info string resign"))
    };
    let outcome = tested()
        .white(by_process(&["go/3", "go/9"]))
        .black(by_process(&["go/2", "go/5", "go/6", "go/10"]))
        .rounds(6)
        .set("sprt.elo1", json!(20))
        .run()
        .exits_with(1);
    let ([wins, draws, losses], pairs) = counts_of_pgn(&outcome);
    assert_eq!(wins + draws + losses, 12);
    let points = f64::from(wins) + f64::from(draws) / 2.0;
    let share = 100.0 * points / 12.0;
    let expected = format!(
        "Games: 12, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points:.1} ({share:.2} %)"
    );
    assert!(report(&outcome).contains(&expected.as_str()), "{expected}: {}", outcome.stdout);
    let pairs = pairs.map(|count| count.to_string()).join(", ");
    assert!(outcome.stdout.contains(&format!("Ptnml(0-2): [{pairs}], ")), "{pairs}: {}", outcome.stdout);
    assert_eq!(sprt(&outcome)["penta"].to_string(), format!("[{}]", pairs.replace(' ', "")));
    let row = outcome.stdout.lines().find(|line| line.starts_with("Alpha  ")).unwrap();
    let row: Vec<&str> = row.split_whitespace().collect();
    let figures = [12, wins, draws, losses].map(|figure| figure.to_string());
    assert_eq!(row[1..5], figures, "{}", outcome.stdout);
}

#[test]
fn single_games_are_tested_where_the_file_says_so() {
    for keys in [json!({ "pairs": false }), json!({ "pairs": true, "sprt.pentanomial": false })] {
        let with = |game: Match, (key, value): (&String, &Value)| game.set(key, value.clone());
        let game = keys.as_object().unwrap().iter().fold(tested().black(loser()), with);
        let outcome = game.run().exits_with(0);
        let test = sprt(&outcome);
        assert_eq!((&test["games"], &test["wdl"]), (&json!(8), &json!([8, 0, 0])), "{keys}");
        assert_eq!((outcome.games.len(), test.get("pairs")), (8, None), "{keys}");
    }
}

#[test]
fn an_interrupt_is_told_as_one() {
    // White wins every game, which decides nothing.
    let mut run = tested().set("sprt.elo0", json!(-200)).start();
    run.wait_for(|event| event["type"] == "game_ended" && event["game"] == 5);
    run.signal(Signal::SIGINT);
    let outcome = run.finish().exits_with(130);
    assert_eq!(sprt(&outcome)["state"], "continue");
    assert!(outcome.stdout.contains("No decision: after "), "{}", outcome.stdout);
}

#[test]
fn a_resumed_test_counts_what_was_played_before() {
    let match_of = |game: Match| {
        let hold = game.hold("go");
        game.black(loser().on("go/7", &hold))
    };
    let mut run = match_of(tested()).start();
    run.wait_for(|event| event["type"] == "game_started" && event["game"] == 7);
    run.signal(Signal::SIGTERM);
    let stopped = run.finish().exits_with(130);
    assert_eq!((&sprt(&stopped)["state"], &sprt(&stopped)["pairs"]), (&json!("continue"), &json!(3)));
    std::fs::write(stopped.path().join("go"), "").unwrap();
    let outcome = match_of(tested().again_in(stopped)).arg("--resume").run().exits_with(0);
    assert_eq!((&sprt(&outcome)["state"], &sprt(&outcome)["pairs"]), (&json!("H1"), &json!(8)));
    assert_eq!(outcome.games.len(), 16);
}

#[test]
fn tests_that_can_not_be_are_refused_before_the_first_game() {
    let three = tested().engines([fake(&[]), fake(&[]), fake(&[])]).set("format", json!("round_robin"));
    let swiss = tested().engines([fake(&[]), fake(&[]), fake(&[])]).set("format", json!("swiss"));
    let swapped = tested().set("sprt.elo0", json!(300));
    for (game, words) in [
        (three, "`sprt` tests two engines, and these are 3"),
        (swiss, "`sprt` tests two engines, and a Swiss tournament is between more"),
        (swapped, "`elo0` must be less than `elo1`, but 300 is not less than 200"),
    ] {
        let outcome = game.run().exits_with(2);
        assert!(
            outcome.stderr.contains(words) && outcome.stderr.contains("match.yaml:1:"),
            "{}",
            outcome.stderr
        );
        assert!(outcome.events.is_empty());
    }
}

#[test]
fn the_example_accepts_h1_and_the_reverse_h0() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/sprt.yaml");
    let run = |more: &[&str]| {
        let dir = tempfile::tempdir().unwrap();
        let out = format!("output.dir={}", dir.path().join("out").display());
        arbiter(&[&["run", example.to_str().unwrap(), "--set", &out], more].concat(), "")
    };
    let h1 = run(&[]);
    assert_eq!(h1.status.code(), Some(0), "{}", stdout(&h1));
    assert!(stdout(&h1).contains("H1 accepted: the results of Deep against Shallow"), "{}", stdout(&h1));
    let h0 = run(&["--set", "engines.0.args.4=1"]);
    assert_eq!(h0.status.code(), Some(1), "{}", stdout(&h0));
    assert!(stdout(&h0).contains("H0 accepted"), "{}", stdout(&h0));
    let shown = run(&["--dry-run"]);
    assert_eq!((shown.status.code(), stderr(&shown)), (Some(0), ""));
    assert_eq!(stdout(&shown).lines().count(), 21, "20 games, and that more may follow");
}

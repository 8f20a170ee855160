//! What the match file requires of the results: exit code, lines of the report, JUnit.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Match, Outcome, fake};

/// Alpha wins the first game and makes an illegal move in the second one.
fn one_illegal_move() -> Match {
    Match::new().white(fake(&["--on", "go@5", "print:bestmove <&>"])).rounds(2)
}

fn required(require: Value) -> Outcome {
    one_illegal_move().set("require", require).set("output.junit", json!("ci/junit.xml")).run()
}

#[test]
fn the_exit_code_says_whether_every_requirement_is_met() {
    for (require, code) in [
        (json!({ "min_score": 0.5 }), 0),
        (json!({ "min_score": 0.51 }), 1),
        (json!({ "max_illegal_moves": 1, "max_crashes": 0, "max_time_forfeits": 0, "ends_by_law": true }), 0),
        (json!({ "max_illegal_moves": 0 }), 1),
        (json!(null), 0),
    ] {
        let outcome = required(require.clone()).exits_with(code);
        assert_eq!(outcome.stdout.contains("NOT met"), code == 1, "{require}: {}", outcome.stdout);
        assert_eq!(outcome.stdout.contains("Requirements"), !require.is_null(), "{require}");
    }
}

#[test]
fn a_crash_is_no_end_by_the_laws() {
    let crash = Match::new().white(fake(&["--on", "go@2", "die:3"]));
    let outcome = crash.set("require", json!({ "ends_by_law": true, "max_crashes": 1 })).run().exits_with(1);
    let line = "  ends_by_law: NOT met: games ended otherwise than by the Laws: 1 by disconnect";
    assert!(outcome.stdout.lines().any(|printed| printed == line), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("  max_crashes: met: "), "{}", outcome.stdout);
}

/// Start tags with their attributes, texts, end tags as `/name`: read by another library's rules, so that a report that
/// is no XML fails.
fn parsed(xml: &str) -> Vec<String> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut parts = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
                    format!(" {key}={}", attribute.unescape_value().unwrap())
                });
                let name = String::from_utf8_lossy(tag.name().as_ref()).into_owned();
                parts.push(attributes.fold(name, |text, attribute| text + &attribute));
            }
            Event::Eof => return parts,
            _ => {}
        }
    }
}

#[test]
fn a_junit_report_has_a_case_for_each_requirement_and_each_game() {
    let outcome = required(json!({ "max_illegal_moves": 0, "min_score": 0.1 })).exits_with(1);
    let xml = fs::read_to_string(outcome.path().join("match.out/ci/junit.xml")).unwrap();
    let parts = parsed(&xml);
    for part in [
        "testsuites name=Test",
        "testsuite name=requirements tests=2 failures=1",
        "testsuite name=games tests=2 failures=1",
        "failure message=1 game ended by an illegal move, at most 0 may",
    ] {
        assert!(parts.iter().any(|found| found == part), "{part}: {parts:#?}");
    }
    let cases: Vec<&String> = parts.iter().filter(|part| part.starts_with("testcase")).collect();
    assert_eq!(cases.len(), 4, "{cases:?}");
    assert!(cases[2].starts_with("testcase classname=games name=1.1 Alpha - Beta time="), "{cases:?}");
    // What the engine sent stands escaped in the XML.
    assert!(parts.iter().any(|part| part.starts_with("failure") && part.contains("<&>")), "{parts:#?}");
    assert!(outcome.stdout.contains("JUnit   match.out/ci/junit.xml"), "{}", outcome.stdout);
}

#[test]
fn where_a_fault_is_allowed_its_game_is_no_failure() {
    let outcome = required(json!({ "max_illegal_moves": 1 })).exits_with(0);
    let xml = fs::read_to_string(outcome.path().join("match.out/ci/junit.xml")).unwrap();
    assert!(!xml.contains("<failure"), "{xml}");
}

#[test]
fn a_run_that_was_not_finished_has_no_report() {
    let game = Match::new();
    let hold = game.hold("go");
    let mut run = game
        .white(fake(&["--on", "go", &hold]))
        .set("require", json!({ "min_score": 0.0 }))
        .set("output.junit", json!("junit.xml"))
        .start();
    run.wait_for(|event| event["type"] == "game_started");
    run.signal(nix::sys::signal::Signal::SIGTERM);
    let outcome = run.finish().exits_with(130);
    assert!(!outcome.path().join("match.out/junit.xml").exists());
    assert!(!outcome.stdout.contains("junit.xml"), "{}", outcome.stdout);
}

#[test]
fn a_run_that_could_not_be_finished_fails_in_its_report() {
    let crash = fake(&["--on", "go@2", "die:3"]).with("crash_budget", json!(0));
    let outcome =
        Match::new().white(crash).rounds(3).set("output.junit", json!("junit.xml")).run().exits_with(3);
    let parts = parsed(&fs::read_to_string(outcome.path().join("match.out/junit.xml")).unwrap());
    let failure = parts.iter().find(|part| part.starts_with("failure message=")).unwrap();
    assert!(failure.contains("`crash_budget` allows 0"), "{failure}");
}

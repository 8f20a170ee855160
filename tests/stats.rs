//! `arbiter stats` through the real binary.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may end by a panic")]

use std::process::Output;

use serde_json::{Value, json};

#[path = "support/command.rs"]
mod command;

use command::{answers_each_line, arbiter, stderr, stdout};

fn stats(arguments: &[&str], input: &str) -> Output {
    arbiter(&[&["stats"], arguments].concat(), input)
}

fn objects(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_match_is_shown_as_other_programs_do_and_in_words() {
    let output = stats(&["--penta", "379,10170,21828,10640,343", "--wl", "11828", "--sprt", "0,2"], "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stdout(&output),
        "--------------------------------------------------\n\
         Elo: 1.59 +/- 1.21, nElo: 3.05 +/- 2.31\n\
         LOS: 99.51 %, DrawRatio: 50.34 %, PairsRatio: 1.04\n\
         Games: 86720, Wins: 23154, Losses: 22756, Draws: 40810, Points: 43559.0 (50.23 %)\n\
         Ptnml(0-2): [379, 10170, 21828, 10640, 343], WL/DD Ratio: 1.18\n\
         LLR: 2.95 (100.0%) (-2.94, 2.94) [0.00, 2.00]\n\
         --------------------------------------------------\n\
         The first engine scored 50.23 % in 86720 games (43360 pairs).\n\
         The Elo difference is 0.39 to 2.80 (95 %). It is the stronger one with a likelihood of 99.51 %.\n\
         SPRT (normalized, H0: 0 Elo, H1: 2 Elo): H1 is accepted, the LLR is at or above 2.94.\n"
    );
}

#[test]
fn what_the_counts_do_not_tell_is_said_in_words() {
    for (arguments, words) in [
        (&["--wdl", "0,0,0"][..], "no games yet"),
        (&["--wdl", "0,9,0"], "All results are alike"),
        (&["--penta", "0,0,0,0,10"], "It won everything: it is more than 182.73 Elo stronger"),
        (&["--penta", "10,0,0,0,0"], "It lost everything: it is more than 182.73 Elo weaker"),
        (&["--penta", "144,3,1,0,0"], "The Elo difference is -inf to -703.82"),
        (&["--penta", "0,0,0,0,145", "--sprt", "-2.5,0.5"], "count slowly on this scale"),
    ] {
        let output = stats(arguments, "");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(stdout(&output).contains(words), "{arguments:?}: {}", stdout(&output));
    }
}

#[test]
fn json_has_all_digits_and_null_for_what_does_not_exist() {
    let output = stats(&["--wdl", "65,18,20", "--json"], "");
    assert_eq!(output.status.code(), Some(0));
    let object = &objects(&output)[0];
    let names: Vec<&String> = object.as_object().unwrap().keys().collect();
    let expected = ["id", "llr", "lower", "upper", "state", "elo", "elo_error", "nelo", "nelo_error", "los"];
    assert_eq!(names, expected);
    for name in ["id", "llr", "lower", "upper", "state"] {
        assert_eq!(object[name], Value::Null, "{name}");
    }
    assert!((object["elo"].as_f64().unwrap() - 400.0 * (74.0f64 / 29.0).log10()).abs() < 1e-9, "{object}");
    let all_won = &objects(&stats(&["--penta", "0,0,0,0,5", "--json"], ""))[0];
    let [elo, error, nelo] = ["elo", "elo_error", "nelo"].map(|name| &all_won[name]);
    assert_eq!([elo, error, nelo], [&Value::Null; 3]);
}

#[test]
fn models_and_single_games_of_pairs() {
    let llr = |arguments: &[&str]| {
        let output = stats(&[arguments, &["--json"]].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        objects(&output)[0]["llr"].as_f64().unwrap()
    };
    let pairs = ["--penta", "223,9863,21279,10037,246", "--wl", "11000", "--sprt", "0.5,2.5"];
    let logistic = llr(&[&pairs[..], &["--model", "logistic"]].concat());
    assert!((logistic + 3.074_126_439_589_17).abs() < 1e-9, "{logistic}");
    let games = llr(&[&pairs[..], &["--model", "logistic", "--trinomial"]].concat());
    assert!(games != logistic && games < 0.0, "{games}");
    let bayesian = llr(&["--wdl", "68965,128429,68526", "--sprt", "0,2", "--model", "bayesian"]);
    assert!((bayesian + 1.262_155_889_213).abs() < 1e-6, "{bayesian}");
}

#[test]
fn a_test_on_unknown_games_has_no_llr_and_says_why() {
    let arguments = ["--penta", "1,2,9,3,1", "--sprt", "0,5", "--trinomial"];
    let output = stats(&arguments, "");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("LLR: n/a (-2.94, 2.94) [0.00, 5.00]"), "{}", stdout(&output));
    assert!(stderr(&output).contains("not known how many of the pairs of one point"), "{}", stderr(&output));
    let output = stats(&[], "");
    assert_eq!(output.status.code(), Some(2), "nothing is asked");
}

#[test]
fn bad_usage_is_2_and_says_what_is_wrong() {
    for (arguments, words) in [
        (&["--penta", "1,2,3"][..], "must be five whole numbers of pairs"),
        (&["--penta", "1,2,-3,4,5"], "must be five whole numbers of pairs"),
        (&["--penta", "1,2,3.5,4,5"], "must be five whole numbers of pairs"),
        (&["--wdl", "-1,2,3"], "must be three whole numbers of games"),
        (&["--wdl", "1,2,99999999999999999999"], "must be three whole numbers of games"),
        (&["--wdl", "18446744073709551615,1,1"], "more than 2^60"),
        (&["--wdl", "1,2,3", "--sprt", "5"], "must be two numbers of Elo"),
        (&["--wdl", "1,2,3", "--sprt", "5,0"], "`elo0` must be less than `elo1`"),
        (&["--wdl", "1,2,3", "--sprt", "nan,0"], "`elo0` must be a number"),
        (&["--wdl", "1,2,3", "--sprt", "0,5", "--alpha", "5"], "`alpha` is a chance of error"),
        (&["--wdl", "1,2,3", "--sprt", "0,5", "--beta", "-0.1"], "`beta` is a chance of error"),
        (&["--wdl", "1,2,3", "--sprt", "0,5", "--model", "elo"], "normalized, logistic or bayesian"),
        (&["--wdl", "1,2,3", "--alpha", "0.1"], "--sprt"),
        (&["--penta", "1,2,3,4,5", "--wl", "4"], "4 pairs won and lost are more than the 3 pairs"),
        (&["--wdl", "1,2,3", "--penta", "1,2,3,4,5"], "cannot be used with"),
        (&["--jsonl", "--wdl", "1,2,3"], "cannot be used with"),
        (&[], "--penta"),
    ] {
        let output = stats(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
}

#[test]
fn lines_are_answered_in_order_and_bad_ones_make_the_exit_code_1() {
    let input = [
        r#"{"id": "a", "model": "normalized", "penta": [144, 3, 1, 0, 0], "elo0": -1500, "elo1": -500, "alpha": 0.05, "beta": 0.05}"#,
        r#"{"id": {"n": 2}, "wdl": [1, 2]}"#,
        "nonsense",
        "",
        r#"{"id": 4, "penta": [1, 2, 3, 4, 5]}"#,
        r#"{"id": 5, "wdl": [1, 2, 3], "elo0": 0}"#,
        r#"{"id": 6, "wdl": [1, 2, 3], "elo0": 0, "elo1": 5, "model": "elo"}"#,
        r#"{"id": 7}"#,
        r#"{"id": 8, "wdl": [0, 0, 0], "elo0": 0, "elo1": 5, "pairs": 1}"#,
        r#"{"id": 9, "wdl": [1, 2, 3], "penta": [1, 2, 3, 4, 5]}"#,
        r#"{"id": 10, "wdl": [1, 2, 3], "elo0": 9, "elo1": 5}"#,
    ];
    let output = stats(&["--jsonl"], &input.join("\n"));
    assert_eq!(output.status.code(), Some(1));
    let objects = objects(&output);
    let ids: Vec<&Value> = objects.iter().map(|object| &object["id"]).collect();
    let expected = json!(["a", {"n": 2}, null, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(json!(ids), expected);
    assert!((objects[0]["llr"].as_f64().unwrap() + 6.721_260_399_622).abs() < 1e-6);
    assert_eq!((&objects[0]["state"], &objects[0]["elo_error"]), (&json!("H0"), &Value::Null));
    for (index, words) in [
        (1, "field `wdl`: must be three whole numbers of games"),
        (2, "not a JSON object"),
        (4, "both `elo0` and `elo1`"),
        (5, "field `model`: `elo` is no model"),
        (6, "one of `penta`"),
        (8, "can't both be given"),
        (9, "`elo0` must be less than `elo1`"),
    ] {
        let error = objects[index]["error"].as_str().unwrap_or_else(|| panic!("{}", objects[index]));
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(objects[3]["llr"], Value::Null);
    assert_eq!((&objects[7]["state"], &objects[7]["elo"]), (&json!("continue"), &Value::Null));
    assert!(stderr(&output).contains("line 9: field `pairs` is unknown and ignored"), "{}", stderr(&output));
    assert_eq!(stats(&["--jsonl"], input[0]).status.code(), Some(0));
}

#[test]
fn each_line_is_answered_while_the_input_stays_open() {
    let question =
        |id| (format!(r#"{{"id": {id}, "wdl": [3, 2, 1]}}"#), format!(r#"{{"id":{id},"llr":null,"#));
    answers_each_line(&["stats", "--jsonl"], &[0, 1, 2].map(question));
}

//! Games judged by an independent library: ours must agree in every ply, claim and count.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too")]

#[path = "support/shared.rs"]
mod support;

use std::fs;
use std::path::Path;

use arbiter::judge::case::{Case, judge};
use arbiter::judge::json::{NoExtra, judged_line};
use arbiter::judge::review::JudgeOptions;
use arbiter::law::policy::DeadPositionRule;
use serde_json::{Value, json};

/// What the vectors know of a judgement, in their own form.
fn comparable(line: &Value) -> Value {
    let moves = line["moves"].as_array().unwrap();
    let case = Case {
        fen: line["fen"].as_str().map(str::to_owned),
        moves: moves.iter().map(|token| token.as_str().unwrap().to_owned()).collect(),
        ..Case::default()
    };
    let options = JudgeOptions { dead_position: DeadPositionRule::Material, ..JudgeOptions::default() };
    let judgement = judge(&case, &options).unwrap_or_else(|fault| panic!("{}: {fault}", line["id"]));
    let mut judged: Value =
        serde_json::from_slice(&judged_line(&line["id"], &judgement, NoExtra {}).unwrap()).unwrap();
    for claim in judged["claims"].as_array_mut().unwrap() {
        claim.as_object_mut().unwrap().remove("article").unwrap();
    }
    if let Some(end) = judged["end"].as_object_mut() {
        end.remove("article").unwrap();
    }
    let last = &judged["final"];
    let can_mate = |side: &str| last["can_mate"][side] == "yes";
    json!({
        "end": judged["end"],
        "claims": judged["claims"],
        "final": {
            "ply": last["ply"],
            "repetitions": last["repetitions"],
            "halfmove_clock": last["halfmove_clock"],
            "mating_material": { "white": can_mate("white"), "black": can_mate("black") },
        },
    })
}

fn agrees(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap();
    for (index, line) in text.lines().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(comparable(&line), line["expect"], "line {}, id {}", index + 1, line["id"]);
    }
    text.lines().count()
}

#[test]
fn the_sample_agrees() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/laws-sample.jsonl");
    assert!(agrees(&sample) >= 150);
}

#[test]
fn all_games_of_the_shared_file_agree() {
    let Some(path) = support::shared("vectors/laws.jsonl") else { return };
    assert!(agrees(&path) >= 1500);
}

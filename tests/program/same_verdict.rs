//! `arbiter judge` and a match say the same of the same game.

use std::process::Output;

use serde_json::{Value, json};

use crate::support::command::arbiter;
use crate::support::{EngineKeys, FOOLS_MATE, Match, Outcome, SCHOLARS_MATE, fake, speaker};

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
const WANDER: &str = "a1b1 e8d8 b1c1 d8e8 c1d1 e8f8 d1a1 f8g8";
const ONE_SIDED: &str = "7b/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N7 w - - 0 1";

fn judge(arguments: &[&str], input: &str) -> Output {
    arbiter(&[&["judge"], arguments].concat(), input)
}

fn from(fen: &str, moves: &str) -> Match {
    Match::new().fen(fen).moves(moves)
}

fn wander(halfmove_clock: u32) -> Match {
    from(&format!("4k3/8/8/8/8/8/4P3/R3K3 w - - {halfmove_clock} 100"), WANDER)
}

fn silent(at: &str) -> EngineKeys {
    fake(&["--on", at, "nothing"]).with("time_control", json!("400ms"))
}

fn claims(policy: &str) -> EngineKeys {
    fake(&[]).with("claims", json!(policy))
}

/// Games that end in all the ways that both can rule on.
fn games() -> Vec<Match> {
    let bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let late_dead = "2b5/kp1p4/1P1P4/B7/8/8/8/K7 b - - 0 1";
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9";
    vec![
        Match::new().moves(SCHOLARS_MATE),
        Match::new().moves(FOOLS_MATE),
        Match::new().moves(SHUFFLE),
        Match::new().moves(SHUFFLE).white(claims("always")),
        Match::new().moves(SHUFFLE).black(claims("always")),
        Match::new().moves(SHUFFLE).black(speaker(&[("go@7", "claim draw")])),
        wander(98).black(claims("always")),
        wander(98).white(claims("always")),
        wander(148),
        from("k7/8/1K6/8/8/8/8/7R w - - 149 130", "h1h8"),
        from("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "g5g6"),
        from("3k4/8/8/1p1p1p1p/1P1P1P1P/8/3n4/3K4 w - - 0 1", "d1d2"),
        from("k1q5/7Q/K1P5/PP6/8/8/8/8 w - - 0 1", "h7b7"),
        from("7k/8/8/p1p1p1p1/P1P1P1P1/8/8/4bB1K b - - 0 1", ""),
        from(late_dead, "a7a8").white(silent("go@1")),
        from(&late_dead.replace(" 0 1", " 149 90"), "a7a8"),
        from(ONE_SIDED, "g2g1 b7a7").white(silent("go@2")),
        from(ONE_SIDED, "g2g1 b7a7").white(fake(&["--on", "go@2", "die:1"])),
        from(ONE_SIDED, "g2g1").black(silent("go@1")),
        from(bare, "e2e4 e8e7").white(silent("go@2")),
        from(bare, "e2e4 e8e7 e4e5").black(speaker(&[("go@3", "resign")])),
        from(bare, "e2e4 e8e7").white(speaker(&[("go@2", "resign")])),
        from(bare, "e2e4 e8e8"),
        from(castling, "e1g1 e8c8 f1f8 d8f8").set("defaults.claims", json!("assisted")),
        Match::new().moves("e2e4 e7e6 e4e5 d7d5 e5d6 e8e7 d6e7").black(fake(&[])),
        Match::new().white(fake(&["--on", "go@4", "die:9"])),
    ]
}

/// What a judge is told of a game, out of its events.
fn case(outcome: &Outcome) -> Value {
    let ended = outcome.events_of("game_ended").next().unwrap();
    let started = outcome.events_of("game_started").next().unwrap();
    let moves: Vec<&Value> = outcome.events_of("move").map(|event| &event["move"]).collect();
    let mut case = json!({ "id": ended["sentence"], "fen": started["fen"], "moves": moves });
    let reason = ended["reason"].as_str().unwrap();
    if ["flag_fall", "resignation", "illegal_move", "disconnect"].contains(&reason) {
        case["event"] = json!({ reason: ended["by"] });
    }
    case
}

#[track_caller]
fn agrees(outcome: &Outcome, judged: &Value) {
    let ended = outcome.events_of("game_ended").next().unwrap();
    if let Some(claim) = outcome.events_of("claim").find(|event| event["granted"] == true) {
        assert!(judged["end"].is_null(), "{ended}\n{judged}");
        let intended = outcome.events_of("claim").next().unwrap()["intended"].is_string();
        let listed = judged["claims"].as_array().unwrap().iter().find(|listed| {
            ["ply", "by", "reason", "how", "article"].iter().all(|key| listed[*key] == claim[*key])
        });
        let listed = listed.unwrap_or_else(|| panic!("no such claim: {claim}\n{judged}"));
        assert_eq!(listed["moves"].is_array(), intended, "{listed}");
    } else {
        let end = &judged["end"];
        for key in ["result", "reason", "article"] {
            assert_eq!(end[key], ended[key], "{ended}\n{judged}");
        }
        assert_eq!(end["ply"], ended["plies"], "{ended}\n{judged}");
    }
}

#[test]
fn a_judge_rules_on_a_game_as_the_match_did() {
    let outcomes: Vec<Outcome> = games().into_iter().map(|game| game.run().exits_with(0)).collect();
    let mut reasons: Vec<&str> = outcomes.iter().map(|outcome| outcome.game().tag("Reason")).collect();
    let cases: String = outcomes.iter().map(|outcome| format!("{}\n", case(outcome))).collect();
    let judged = judge(&["--jsonl"], &cases);
    assert_eq!(judged.status.code(), Some(0), "{}", String::from_utf8_lossy(&judged.stderr));
    let lines: Vec<Value> = String::from_utf8(judged.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), outcomes.len());
    for (outcome, line) in outcomes.iter().zip(&lines) {
        agrees(outcome, line);
    }
    reasons.sort_unstable();
    reasons.dedup();
    assert_eq!(reasons.len(), 11, "the games are to end in many ways: {reasons:?}");
    audit_all(&outcomes);
}

/// The same games as one PGN file: nothing in it breaks the Laws.
fn audit_all(outcomes: &[Outcome]) {
    let pgn: String = outcomes.iter().map(|outcome| outcome.pgn.as_str()).collect();
    let audit = judge(&["--pgn", "-"], &pgn);
    let text = String::from_utf8_lossy(&audit.stdout).into_owned();
    assert_eq!(audit.status.code(), Some(0), "{text}");
    assert!(text.starts_with(&format!("{} games: ", outcomes.len())), "{text}");
    for (game, line) in outcomes.iter().zip(audited(&pgn)) {
        assert_eq!(
            (&line["result"], &line["agrees"]),
            (&json!(game.game().tag("Result")), &json!(true)),
            "{line}"
        );
    }
}

fn audited(pgn: &str) -> Vec<Value> {
    let output = judge(&["--pgn", "-", "--json"], pgn);
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_game_whose_result_was_changed_is_caught() {
    for (game, wrong, words) in [
        (Match::new(), "0-1", "at ply 7 the game was over: White wins by checkmate (Article 5.1.1)"),
        (Match::new().moves(SHUFFLE), "1-0", "at ply 16 the game was over: Draw by fivefold repetition"),
        (
            from("k1q5/7Q/K1P5/PP6/8/8/8/8 w - - 0 1", "h7b7"),
            "1-0",
            "at ply 1 the game was over: Draw by dead position (Article 5.2.2)",
        ),
        (from(ONE_SIDED, "").white(silent("go")), "0-1", "Black cannot mate: a draw (Article 6.9)"),
        (
            from(ONE_SIDED, "").white(fake(&["--on", "go", "instead:bestmove x"])),
            "0-1",
            "Black cannot mate: a draw (Article 7.5.5)",
        ),
    ] {
        let outcome = game.run().exits_with(0);
        let file = outcome.path().join("match.out/games.pgn");
        let path = file.to_str().unwrap();
        assert_eq!(judge(&["--pgn", path], "").status.code(), Some(0));
        let doctored = outcome.pgn.replace(
            &format!("[Result \"{}\"]", outcome.game().tag("Result")),
            &format!("[Result \"{wrong}\"]"),
        );
        // With the tag alone the file contradicts itself.
        assert_eq!(judge(&["--pgn", "-"], &doctored).status.code(), Some(1));
        let end = doctored.trim_end().len() - outcome.game().tag("Result").len();
        let audit = judge(&["--pgn", "-"], &format!("{}{wrong}\n\n", &doctored[..end]));
        let text = String::from_utf8_lossy(&audit.stdout).into_owned();
        assert_eq!(audit.status.code(), Some(1), "{text}");
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "{flat}");
    }
}

#[test]
fn remarks_of_denied_claims_offers_and_illegal_moves_leave_a_pgn_that_is_read() {
    let outcome = Match::new()
        .white(
            speaker(&[("go@0", "claim draw"), ("go@2", "offer draw")]).on("go:2", "instead:bestmove a}{;%$1"),
        )
        .black(speaker(&[("go@5", "claim draw")]))
        .set("laws.illegal_move", json!("over_the_board"))
        .run()
        .exits_with(0);
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"]);
    let line = &audited(&outcome.pgn)[0];
    assert_eq!((&line["end"]["ply"], &line["agrees"]), (&json!(7), &json!(true)), "{line}");
    assert_eq!(judge(&["--pgn", "-"], &outcome.pgn).status.code(), Some(0));
}

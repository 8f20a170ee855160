//! Engines that claim draws themselves (`claims: engine`): what is granted, what is denied and what that costs.

use serde_json::{Value, json};

use crate::support::{EngineKeys, Match, Outcome, SCHOLARS_MATE, fake, speaker};

/// The start position stands again at plies 4, 8, 12 and 16.
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
const MATE: &str = "1-0 checkmate 5.1.1";
const CLAIM: &str = "claim draw";

/// White's queen gives no draw at ply 2: a claim there is wrong.
fn wrong_claim() -> EngineKeys {
    speaker(&[("go@2", CLAIM)])
}

fn wander(halfmove_clock: u32) -> Match {
    Match::new()
        .moves("a1b1 e8d8 b1c1 d8e8 c1d1 e8f8 d1a1 f8g8")
        .fen(&format!("4k3/8/8/8/8/8/4P3/R3K3 w - - {halfmove_clock} 100"))
}

fn claims(outcome: &Outcome) -> Vec<&Value> {
    outcome.events_of("claim").collect()
}

#[test]
fn article_9_2_2_an_appeared_claim_is_granted() {
    let outcome = Match::new().moves(SHUFFLE).white(speaker(&[("go@8", CLAIM)])).run();
    let outcome = outcome.ends("1/2-1/2 threefold_repetition 9.2.2", 8);
    assert_eq!(outcome.received_words("Alpha", "go").len(), 5, "it claims while it has the move");
    let claim = claims(&outcome);
    assert_eq!(claim.len(), 1);
    let expected = (&json!(8), &json!("white"), &json!("appeared"), &json!(true));
    assert_eq!((&claim[0]["ply"], &claim[0]["by"], &claim[0]["how"], &claim[0]["granted"]), expected);
    let words = "Draw by threefold repetition, claimed by White (Article 9.2.2)";
    assert_eq!(outcome.game().closing_words(), words);
}

#[test]
fn article_9_2_1_an_intended_claim_is_granted_and_its_move_named_and_not_played() {
    let outcome = Match::new().moves(SHUFFLE).black(speaker(&[("go@7", CLAIM)])).run();
    let outcome = outcome.ends("1/2-1/2 threefold_repetition 9.2.1", 7);
    let words = "Draw by threefold repetition, claimed by Black with the intended move Ng8 (Article 9.2.1)";
    assert_eq!(outcome.game().closing_words(), words);
    let claim = claims(&outcome);
    let expected = (&json!(7), &json!("intended"), &json!("Ng8"), &json!(true), &json!("9.2.1"));
    let told = (
        &claim[0]["ply"],
        &claim[0]["how"],
        &claim[0]["intended"],
        &claim[0]["granted"],
        &claim[0]["article"],
    );
    assert_eq!(told, expected);
}

#[test]
fn r_12_a_claim_at_99_with_a_quiet_move_is_granted() {
    let outcome =
        wander(99).white(speaker(&[("go@0", CLAIM)])).run().ends("1/2-1/2 fifty_move_rule 9.3.1", 0);
    assert!(outcome.game().closing_words().contains("claimed by White with the intended move Rb1"));
    // The same with a pawn move is wrong.
    let pawn = wander(99).moves("e2e4 e8d8").white(speaker(&[("go@0", CLAIM)])).run().exits_with(0);
    assert_eq!((claims(&pawn).len(), &claims(&pawn)[0]["granted"]), (1, &json!(false)));
    assert_eq!(pawn.game().sans[0], "e4");
}

#[test]
fn r_11_a_claim_that_comes_a_move_early_loses_nothing_but_time() {
    let early = wander(98).white(speaker(&[("go@0", CLAIM), ("go@2", CLAIM)]));
    let outcome = early.run().ends("1/2-1/2 fifty_move_rule 9.3.2", 2);
    let granted: Vec<&Value> = claims(&outcome).iter().map(|claim| &claim["granted"]).collect();
    assert_eq!(granted, [false, true]);
    assert_eq!(outcome.remarks(1)[0], "claim of a draw denied (Article 9.5.3): 60 s for Black");
}

#[test]
fn article_9_5_3_a_wrong_claim_costs_time_and_the_move_is_played() {
    for (control, seconds) in [("600", 60), ("10m+5", 60), ("60m", 120), ("40/100m:20/50m", 120)] {
        let game = Match::new().white(wrong_claim()).set("defaults.time_control", json!(control));
        let outcome = game.run().ends(MATE, 7);
        let gained = seconds * 1000;
        // Beta's second search is the one after the claim.
        assert_eq!(outcome.told("Beta", "btime")[1], Some(outcome.clock_after(2) + gained), "{control}");
        assert_eq!(outcome.told("Beta", "wtime")[1], Some(outcome.clock_after(3)), "{control}");
        assert_eq!(outcome.told("Alpha", "btime")[2], Some(outcome.clock_after(4)), "{control}");
        assert!(outcome.clock_after(4) > outcome.clock_after(2), "{control}");
        let denied = format!("claim of a draw denied (Article 9.5.3): {seconds} s for Black");
        assert_eq!(outcome.remarks(3), [denied.as_str(), "offers a draw"]);
        let claim = claims(&outcome);
        assert_eq!(claim.len(), 1);
        let mut told = claim[0].clone();
        told.as_object_mut().unwrap().remove("t");
        let expected = json!({
            "type": "claim", "game": 1, "ply": 2, "by": "white", "reason": null, "article": "9.5.3",
            "how": "intended", "intended": "Qh5", "granted": false, "penalty_us": seconds * 1_000_000,
        });
        assert_eq!(told, expected);
    }
}

#[test]
fn the_penalty_is_a_setting() {
    let game = Match::new().white(wrong_claim()).set("laws.penalty", json!("7s"));
    let outcome = game.run().ends(MATE, 7);
    assert_eq!(outcome.told("Beta", "btime")[1], Some(outcome.clock_after(2) + 7000));
    assert_eq!(outcome.remarks(3)[0], "claim of a draw denied (Article 9.5.3): 7 s for Black");
    let none = Match::new().white(wrong_claim()).set("laws.penalty", json!("0s")).run().ends(MATE, 7);
    assert_eq!(none.told("Beta", "btime")[1], Some(none.clock_after(2)));
    assert_eq!(none.remarks(3)[0], "claim of a draw denied (Article 9.5.3)");
}

#[test]
fn without_a_clock_a_wrong_claim_costs_nothing() {
    for control in ["movetime=60s", "nodes=10", "depth=3"] {
        let black = fake(&[]).with("time_control", json!(control));
        let outcome = Match::new().white(wrong_claim()).black(black).run().ends(MATE, 7);
        assert_eq!(outcome.remarks(3)[0], "claim of a draw denied (Article 9.5.3)", "{control}");
        assert_eq!(claims(&outcome)[0]["penalty_us"], 0, "{control}");
    }
}

#[test]
fn every_wrong_claim_is_denied_by_itself() {
    let outcome = Match::new()
        .white(speaker(&[("go@0", CLAIM), ("go@2", CLAIM)]))
        .black(speaker(&[("go@3", CLAIM)]))
        .run()
        .ends(MATE, 7);
    assert_eq!(claims(&outcome).len(), 3);
    assert_eq!(outcome.told("Beta", "btime")[0], Some(660_000));
    assert_eq!(outcome.told("Alpha", "wtime")[2], Some(outcome.clock_after(3) + 60_000));
}

#[test]
fn who_may_not_speak_is_not_heard() {
    for words in [CLAIM, "offer draw", "accept draw", "resign"] {
        let said: Vec<(String, &str)> = (0..16).map(|ply| (format!("go@{ply}"), words)).collect();
        let said: Vec<(&str, &str)> = said.iter().map(|(at, words)| (at.as_str(), *words)).collect();
        let mute = || speaker(&said).with("speaks", json!(false)).with("claims", json!("never"));
        let outcome = Match::new().moves(SHUFFLE).white(mute()).black(mute()).run();
        let outcome = outcome.ends("1/2-1/2 fivefold_repetition 9.6.1", 16);
        assert!(claims(&outcome).is_empty() && !outcome.pgn.contains("offers"), "{words}");
        assert_eq!(outcome.faults(), Vec::<String>::new(), "an `info string` is never a fault");
    }
}

#[test]
fn a_claim_in_words_is_heard_under_every_policy_but_never() {
    for (policy, ending, plies, granted) in [
        ("never", "1/2-1/2 fivefold_repetition 9.6.1", 16, &[][..]),
        // Its score of +1 says that it plays on, its words that it does not.
        ("assisted", "1/2-1/2 threefold_repetition 9.2.2", 8, &[false, true]),
        ("always", "1/2-1/2 threefold_repetition 9.2.2", 8, &[false, true]),
    ] {
        let white = fake(&["--scores", "1"]).on("go@2", "print:info string claim draw");
        let white = white.on("go@8", "print:info string claim draw");
        let white = white.with("claims", json!(policy)).with("speaks", json!(true));
        let outcome = Match::new().moves(SHUFFLE).white(white).run().ends(ending, plies);
        let found: Vec<bool> = claims(&outcome).iter().map(|claim| claim["granted"] == true).collect();
        assert_eq!(found, granted, "{policy}");
    }
}

#[test]
fn a_claim_that_is_right_by_another_rule_is_not_denied() {
    let policies = json!({ "threefold": "engine", "fifty_move": "never" });
    let white = speaker(&[("go@0", CLAIM)]).with("claims", policies);
    let outcome = wander(100).white(white).run().exits_with(0);
    assert_eq!(outcome.game().sans[0], "Rb1");
    assert!(claims(&outcome).is_empty(), "{:?}", claims(&outcome));
    assert_eq!(outcome.told("Beta", "btime")[0], Some(600_000));
}

#[test]
fn to_claim_for_itself_an_engine_must_be_allowed_to_speak() {
    for claims in [json!("engine"), json!({ "fifty_move": "engine" })] {
        let outcome = Match::new().white(fake(&[]).with("claims", claims)).run().exits_with(2);
        let words = "Alpha is to claim draws itself (`claims: engine`), but may not speak";
        assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("speaks: true"), "{}", outcome.stderr);
        assert_eq!(outcome.starts("Alpha"), 0);
    }
    let by_default = Match::new().set("laws.claims", json!("engine")).run().exits_with(2);
    assert!(by_default.stderr.contains("Alpha is to") && by_default.stderr.contains("Beta is to"));
}

#[test]
fn what_is_nearly_a_claim_is_none() {
    let near = [
        "claim draw now",
        "claim draw.",
        "Claim draw",
        "CLAIM DRAW",
        "claims draw",
        "claim",
        "claim a draw",
        "claimdraw",
        "I claim draw",
        "\"claim draw\"",
        "resign.",
        "resign now",
        "Resign",
        "accept draw please",
        "draw",
    ];
    let said: Vec<(&str, &str)> = near.iter().map(|words| ("go@8", *words)).collect();
    let mut white = speaker(&said);
    for line in ["claim draw", "string claim draw", "info claim draw", "info depth 1 string claim draw"] {
        white = white.on("go@8", &format!("print:{line}"));
    }
    let outcome = Match::new().moves(SHUFFLE).white(white).run();
    let outcome = outcome.ends("1/2-1/2 fivefold_repetition 9.6.1", 16);
    assert!(claims(&outcome).is_empty());
}

#[test]
fn white_space_makes_no_difference_to_a_claim() {
    let white = speaker(&[]).on("go@8", "print:  info\\t string  claim \\tdraw  \\r");
    Match::new().moves(SHUFFLE).white(white).run().ends("1/2-1/2 threefold_repetition 9.2.2", 8);
}

#[test]
fn a_claim_after_the_bestmove_is_not_heard() {
    let white = speaker(&[]).on("go@6", "then:info string claim draw").on("go@8", "then:info string resign");
    let outcome = Match::new().moves(SHUFFLE).white(white).run();
    let outcome = outcome.ends("1/2-1/2 fivefold_repetition 9.6.1", 16);
    assert!(claims(&outcome).is_empty());
    assert_eq!(outcome.faults(), ["1 Alpha printed after its bestmove"]);
}

#[test]
fn a_claim_holds_for_one_search() {
    // Denied at ply 6, and not said again at ply 8, where it would be right.
    let outcome = Match::new().moves(SHUFFLE).white(speaker(&[("go@6", CLAIM)])).run();
    let outcome = outcome.ends("1/2-1/2 fivefold_repetition 9.6.1", 16);
    assert_eq!(claims(&outcome).len(), 1);
}

#[test]
fn a_mate_goes_before_a_claim() {
    for clock in [99, 100] {
        let game = Match::new().fen(&format!("k7/8/1K6/8/8/8/8/7R w - - {clock} 130")).moves("h1h8");
        let outcome = game.white(speaker(&[("go@0", CLAIM)])).run().ends(MATE, 1);
        assert!(claims(&outcome).is_empty() && outcome.remarks(1).is_empty(), "{clock}");
    }
    let wrong = Match::new().white(speaker(&[("go@6", CLAIM)])).run().ends(MATE, 7);
    assert!(claims(&wrong).is_empty(), "a move that ends the game needs no ruling on the claim");
}

#[test]
fn an_illegal_move_goes_before_a_claim() {
    let white = speaker(&[("go@8", CLAIM)]).on("go@8", "instead:bestmove e2e5");
    let outcome = Match::new().moves(SHUFFLE).white(white).run().ends("0-1 illegal_move 7.5.5", 8);
    assert!(claims(&outcome).is_empty());
}

#[test]
fn a_flag_goes_before_a_claim_and_a_claim_without_a_move_is_none() {
    for answer in ["sleep:1500", "nothing"] {
        let white = speaker(&[("go@8", CLAIM)]).on("go@8", answer).with("time_control", json!("1"));
        let outcome = Match::new().moves(SHUFFLE).white(white).run().ends("0-1 flag_fall 6.9", 8);
        assert!(claims(&outcome).is_empty());
    }
}

#[test]
fn a_penalty_saves_a_flag() {
    // Beta has 1 s; with White's minute it may think for longer.
    let black = fake(&["--on", "go@3", "sleep:1300"]).with("time_control", json!("1"));
    let outcome = Match::new().white(wrong_claim()).black(black).run().ends(MATE, 7);
    assert!(outcome.told("Beta", "btime")[1] > Some(60_000));
    let same = fake(&["--on", "go@3", "sleep:1300"]).with("time_control", json!("1"));
    Match::new().moves(SCHOLARS_MATE).black(same).run().ends("1-0 flag_fall 6.9", 3);
}

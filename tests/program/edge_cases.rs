//! Edge cases on which other match runners differ, where a row of `misbehaviours` can't show them, and what reports of
//! the protocol ask for.

use arbiter::law::notation::{fen, uci_move};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Position};

use crate::support::{Match, fake};

const MISBEHAVIOUR: &str = include_str!("../data/misbehaviour.txt");

#[test]
fn every_edge_case_that_an_engine_brings_about_has_a_row() {
    for number in [1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21] {
        let name = format!("edge_{number:02}");
        assert!(MISBEHAVIOUR.contains(&name), "{name}");
    }
}

#[test]
fn edge_06_silence_on_the_last_move_of_a_period_is_a_flag_fall_and_no_illegal_move() {
    let white = fake(&["--on", "go@0", "nothing"]).with("time_control", json!("1/400ms:600"));
    let outcome = Match::new().white(white).run().ends("0-1 flag_fall 6.9", 0);
    // Six digits where three would tell no difference.
    assert!(outcome.game().closing_words().contains("used of 0.400"), "{}", outcome.game().closing_words());
}

#[test]
fn edge_08_castling_in_chess960_is_king_takes_rook_and_nothing_else() {
    let chess: Chess =
        fen::parse("4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1", CastlingMode::Chess960).unwrap().chess;
    for (token, good) in [("e1h1", true), ("e1g1", false), ("O-O", false)] {
        let found = uci_move::find(token.as_bytes(), &chess.legal_moves(), CastlingMode::Chess960, false);
        assert_eq!(found.is_some(), good, "{token}");
    }
}

#[test]
fn edge_19_mate_and_stalemate_go_before_the_counters() {
    for (halfmove_clock, stand, played, ending) in [
        (99, "k7/8/1K6/8/8/8/8/7R w", "h1h8", "1-0 checkmate 5.1.1"),
        (149, "k7/8/1K6/8/8/8/8/7R w", "h1h8", "1-0 checkmate 5.1.1"),
        (99, "7k/5Q2/8/6K1/8/8/8/8 w", "g5g6", "1/2-1/2 stalemate 5.2.1"),
        (149, "7k/5Q2/8/6K1/8/8/8/8 w", "g5g6", "1/2-1/2 stalemate 5.2.1"),
    ] {
        let game = Match::new().fen(&format!("{stand} - - {halfmove_clock} 130")).moves(played);
        game.set("laws", json!({ "preset": "testing" })).run().ends(ending, 1);
    }
}

#[test]
fn p_10_the_score_is_the_last_exact_one_of_the_first_variation() {
    let lines = [
        "info depth 8 multipv 1 score cp 21 nodes 5 pv d1h5 b8c6",
        "info depth 9 score cp 300 lowerbound pv a2a3",
        "info depth 9 score cp -300 upperbound pv a2a3",
        "info depth 9 multipv 2 score cp 400 pv a2a3",
        "info depth 9 multipv 10 score cp 500 pv a2a3",
        "info depth 9 multipv 19 score mate 1 pv a2a3",
        "bestmove d1h5",
    ];
    let white = fake(&["--on", "go@2", &format!("instead:{}", lines.join("\\n"))]);
    let outcome = Match::new().white(white).run().ends("1-0 checkmate 5.1.1", 7);
    let told = outcome.events_of("move").find(|event| event["ply"] == 3).unwrap();
    assert_eq!(
        (&told["score"], &told["depth"], &told["pv"]),
        (&json!({ "cp": 21 }), &json!(8), &json!("d1h5 b8c6"))
    );
    assert!(
        outcome.game().comments.iter().any(|(_, words)| words.starts_with("+0.21/8 ")),
        "{}",
        outcome.pgn
    );
}

#[test]
fn numbers_that_can_not_be_are_not_recorded() {
    let absurd = "print:info depth -3 nodes 1000000000000000000000000000000 nps -1 time -5 score cp 99999999999 pv d1h5";
    let white = fake(&["--no-info", "--on", "go@2", absurd]);
    let outcome = Match::new().white(white).run().ends("1-0 checkmate 5.1.1", 7);
    let told = outcome.events_of("move").find(|event| event["ply"] == 3).unwrap();
    for key in ["score", "depth", "nodes", "nps", "engine_us"] {
        assert_eq!(told[key], Value::Null, "{key}: {told}");
    }
}

#[test]
fn p_16_castling_is_told_as_the_kings_move_whatever_the_engine_wrote() {
    let white = fake(&["--on", "go@0", "instead:bestmove e1h1"]).with("king_takes_rook", json!(true));
    let game = Match::new().white(white).fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").moves("e1g1 e8e7 h1h2");
    let outcome = game.run().exits_with(0);
    assert_eq!(outcome.game().ucis[0], "e1g1");
    let told = outcome.received_words("Beta", "position");
    assert!(told[0].ends_with(" moves e1g1"), "{told:?}");
}

#[test]
fn b_03_an_engine_that_does_not_start_leaves_no_result() {
    let outcome = Match::new().black(fake(&["--on", "uci", "die:1"])).rounds(4).run().exits_with(3);
    assert_eq!((outcome.games.len(), outcome.events_of("game_ended").count()), (0, 0));
    assert!(!outcome.stdout.contains("1/2"), "{}", outcome.stdout);
    // One that is gone in the middle leaves those of the games that were played.
    let gone = fake(&["--on", "go@2", "die:1"]).with("restart", json!("never"));
    let outcome = Match::new().white(gone).rounds(4).run().exits_with(3);
    assert_eq!(outcome.endings(), ["0-1 disconnect -"]);
}

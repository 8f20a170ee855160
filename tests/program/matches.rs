//! The Laws through the binary: one game or more for each row of their table.

use serde_json::{Value, json};

use crate::support::{EngineKeys, Match, Outcome, SCHOLARS_MATE, fake};

/// The start position stands again at plies 4, 8, 12 and 16.
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
/// A game that no rule but the counter of moves can end soon; from here the rook and the kings wander.
const WANDER: &str = "a1b1 e8d8 b1c1 d8e8 c1d1 e8f8 d1a1 f8g8";

fn one(moves: &str) -> Match {
    Match::new().moves(moves)
}

fn wander(halfmove_clock: u32) -> Match {
    one(WANDER).fen(&format!("4k3/8/8/8/8/8/4P3/R3K3 w - - {halfmove_clock} 100"))
}

fn claims(policy: &str) -> EngineKeys {
    fake(&[]).with("claims", json!(policy))
}

#[track_caller]
fn ends(game: Match, ending: &str, plies: usize) -> Outcome {
    let outcome = game.run().exits_with(0);
    let played = outcome.game();
    assert_eq!((played.ending().as_str(), played.sans.len()), (ending, plies), "{}", played.closing_words());
    outcome
}

#[test]
fn checkmate() {
    let outcome = ends(one(SCHOLARS_MATE), "1-0 checkmate 5.1.1", 7);
    assert_eq!(outcome.game().tag("Termination"), "normal");
    assert_eq!(outcome.game().closing_words(), "White wins by checkmate (Article 5.1.1)");
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn stalemate() {
    ends(one("g5g6").fen("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"), "1/2-1/2 stalemate 5.2.1", 1);
}

#[test]
fn dead_positions_by_material() {
    for fen in [
        "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        "4k3/8/8/8/8/1N6/4r3/4K3 w - - 0 1",
        "4kb2/8/8/8/8/8/4r3/3BK3 w - - 0 1",
    ] {
        let ending = if fen.contains("4kb2") { None } else { Some("1/2-1/2 dead_position 5.2.2") };
        let outcome = one("e1e2").fen(fen).run();
        match ending {
            Some(ending) => assert_eq!(outcome.endings(), [ending], "{fen}"),
            // Bishops of opposite colours can mate: Black, who has no move on its list, is asked for one.
            None => assert_eq!(outcome.endings(), ["1-0 illegal_move 7.5.5"], "{fen}"),
        }
    }
}

#[test]
fn fivefold_repetition_ends_the_game_whatever_the_policy() {
    let outcome = ends(one(SHUFFLE), "1/2-1/2 fivefold_repetition 9.6.1", 16);
    assert_eq!(outcome.game().closing_words(), "Draw by fivefold repetition (Article 9.6.1)");
}

#[test]
fn seventy_five_moves_end_the_game() {
    ends(wander(148), "1/2-1/2 seventy_five_move_rule 9.6.2", 2);
}

#[test]
fn a_mate_on_the_hundred_and_fiftieth_ply_wins() {
    ends(one("h1h8").fen("k7/8/1K6/8/8/8/8/7R w - - 149 130"), "1-0 checkmate 5.1.1", 1);
}

#[test]
fn a_mate_on_the_hundredth_ply_wins_though_a_draw_could_be_claimed_with_it() {
    let game = one("h1h8").fen("k7/8/1K6/8/8/8/8/7R w - - 99 130").white(claims("always"));
    ends(game, "1-0 checkmate 5.1.1", 1);
}

#[test]
fn threefold_is_claimed_always_by_who_may_claim_first() {
    // Black may claim ahead, with the move that brings the third occurrence.
    let outcome = ends(one(SHUFFLE).black(claims("always")), "1/2-1/2 threefold_repetition 9.2.1", 7);
    let words = "Draw by threefold repetition, claimed by Black with the intended move Ng8 (Article 9.2.1)";
    assert_eq!(outcome.game().closing_words(), words);
    let claim: Vec<&Value> = outcome.events_of("claim").collect();
    assert_eq!(claim.len(), 1);
    assert_eq!(
        (&claim[0]["ply"], &claim[0]["by"], &claim[0]["intended"]),
        (&json!(7), &json!("black"), &json!("Ng8"))
    );
    // White finds it on the board, and is not asked for a move first.
    let outcome = ends(one(SHUFFLE).white(claims("always")), "1/2-1/2 threefold_repetition 9.2.2", 8);
    assert_eq!(outcome.received_words("Alpha", "go").len(), 4);
    assert_eq!(outcome.events_of("claim").next().unwrap()["how"], "appeared");
}

#[test]
fn fifty_moves_are_claimed_ahead_at_99_and_as_they_stand_at_100() {
    ends(wander(98).black(claims("always")), "1/2-1/2 fifty_move_rule 9.3.1", 1);
    let outcome = ends(wander(98).white(claims("always")), "1/2-1/2 fifty_move_rule 9.3.2", 2);
    assert_eq!(outcome.received_words("Alpha", "go").len(), 1);
    // A start position at 100 brings the claim with it.
    let outcome = ends(wander(100).white(claims("always")), "1/2-1/2 fifty_move_rule 9.3.2", 0);
    assert!(outcome.received_words("Alpha", "go").is_empty());
}

#[test]
fn an_assisted_claim_asks_the_engines_own_score() {
    for (scores, threshold, ending, plies) in [
        ("0", 0, "1/2-1/2 threefold_repetition 9.2.2", 8),
        ("-30", 0, "1/2-1/2 threefold_repetition 9.2.2", 8),
        ("1", 0, "1/2-1/2 fivefold_repetition 9.6.1", 16),
        ("25", 25, "1/2-1/2 threefold_repetition 9.2.2", 8),
        ("m4", 5000, "1/2-1/2 fivefold_repetition 9.6.1", 16),
        ("m-4", -5000, "1/2-1/2 threefold_repetition 9.2.2", 8),
        ("-", 0, "1/2-1/2 fivefold_repetition 9.6.1", 16),
        // Only the score of the move in hand counts: at ply 8 it is 40, at ply 12 it is 0.
        ("0 0 0 0 0 0 0 0 40 40 40 40 0", 0, "1/2-1/2 threefold_repetition 9.2.2", 12),
    ] {
        let white = fake(&["--scores", scores])
            .with("claims", json!("assisted"))
            .with("claim_threshold_cp", json!(threshold));
        let outcome = ends(one(SHUFFLE).white(white), ending, plies);
        if plies < 16 {
            // It was asked for its move, which is not played.
            assert_eq!(outcome.received_words("Alpha", "go").len(), plies / 2 + 1, "{scores}");
        }
    }
}

#[test]
fn an_assisted_claim_ahead_needs_the_move_that_brings_the_draw() {
    let black = fake(&["--scores", "-10"]).with("claims", json!("assisted"));
    ends(one(SHUFFLE).black(black.clone()), "1/2-1/2 threefold_repetition 9.2.1", 7);
    // Another move at ply 7: nothing to claim, and the game goes on to its mate.
    let moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 e7e5 f2f3 d7d6 g2g4 f6e4 f3e4 d8h4";
    ends(one(moves).black(black), "0-1 checkmate 5.1.1", 14);
}

#[test]
fn each_rule_has_its_policy() {
    let policies = json!({ "threefold": "never", "fifty_move": "always" });
    ends(one(SHUFFLE).set("defaults.claims", policies.clone()), "1/2-1/2 fivefold_repetition 9.6.1", 16);
    ends(wander(98).set("defaults.claims", policies), "1/2-1/2 fifty_move_rule 9.3.1", 1);
}

#[test]
fn r_14_fifty_moves_are_a_hundred_plies_and_seventy_five_are_a_hundred_and_fifty() {
    for halfmove_clock in [48, 73] {
        let game = wander(halfmove_clock).set("defaults.claims", json!("always"));
        // It goes past 50 and 75 plies; the list of moves ends at ply 8.
        ends(game, "1/2-1/2 illegal_move 7.5.5", 8);
    }
    ends(wander(146), "1/2-1/2 seventy_five_move_rule 9.6.2", 4);
}

#[test]
fn r_16_whether_a_third_occurrence_ends_the_game_is_a_setting() {
    let with = |preset: &str, scores: &str| {
        let mut game = one(SHUFFLE).white(fake(&["--scores", scores])).black(fake(&["--scores", scores]));
        game = game.set("defaults", json!({ "time_control": "600" }));
        game.set("laws", json!({ "preset": preset })).run().endings()
    };
    assert_eq!(with("testing", "90"), ["1/2-1/2 threefold_repetition 9.2.1"]);
    assert_eq!(with("fide", "90"), ["1/2-1/2 fivefold_repetition 9.6.1"]);
    assert_eq!(with("fide", "0"), ["1/2-1/2 threefold_repetition 9.2.1"]);
}

#[test]
fn flag_fall_loses_or_draws_by_what_the_opponent_has_left() {
    let silent = || fake(&["--on", "go", "nothing"]).with("time_control", json!("300ms"));
    let with_pawn = one("").fen("4k3/4p3/8/8/8/8/8/4K3 w - - 0 1").white(silent());
    ends(with_pawn, "0-1 flag_fall 6.9", 0);
    let bare = one("").fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").white(silent());
    let outcome = ends(bare, "1/2-1/2 flag_fall 6.9", 0);
    assert_eq!(outcome.game().tag("Termination"), "time forfeit");
    assert!(
        outcome
            .game()
            .closing_words()
            .starts_with("Draw: White's flag fell, but Black cannot mate (Article 6.9)")
    );
}

#[test]
fn the_same_exception_holds_for_illegal_moves_and_disconnections() {
    let bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let game = one("e2e5").fen(bare);
    let outcome = ends(game, "1/2-1/2 illegal_move 7.5.5", 0);
    assert!(outcome.game().closing_words().contains("Black cannot mate"));
    assert!(outcome.game().closing_words().contains("`bestmove e2e5`"));
    ends(one("").fen(bare).white(fake(&["--on", "go", "die:1"])), "1/2-1/2 disconnect -", 0);
}

#[test]
fn a_start_position_that_is_over_asks_no_engine() {
    for (fen, ending) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "1-0 checkmate 5.1.1"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2 stalemate 5.2.1"),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2 dead_position 5.2.2"),
        ("7k/8/6K1/8/8/8/8/R7 b - - 150 90", "1/2-1/2 seventy_five_move_rule 9.6.2"),
    ] {
        let outcome = ends(one("").fen(fen), ending, 0);
        for engine in ["Alpha", "Beta"] {
            assert!(outcome.received_words(engine, "go").is_empty(), "{fen}");
        }
    }
}

#[test]
fn book_moves_count_for_repetitions() {
    let book = "[Event \"?\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *\n";
    let game = one(SHUFFLE).black(claims("always")).set("openings", json!({ "file": "book.pgn" }));
    std::fs::write(game.dir().join("book.pgn"), book).unwrap();
    let outcome = ends(game, "1/2-1/2 threefold_repetition 9.2.1", 7);
    assert!(outcome.received_words("Alpha", "go").is_empty());
    assert!(outcome.game().comments.iter().take(7).all(|(_, text)| text == "book"));
}

#[test]
fn castling_goes_by_the_kings_move_and_a_setting_allows_the_rooks() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let tried = |token: &str, allowed: bool| {
        let white = fake(&[]).with("king_takes_rook", json!(allowed));
        let outcome = one(&format!("{token} e8e7 g1g2")).fen(fen).white(white).run();
        (outcome.games[0].sans.first().cloned(), outcome.received_words("Beta", "position").first().cloned())
    };
    let position = |moved: &str| Some(format!("position fen {fen} moves {moved}"));
    assert_eq!(tried("e1g1", false), (Some("O-O".to_owned()), position("e1g1")));
    assert_eq!(tried("e1h1", false), (None, None));
    // Whatever it was given, the referee writes the king's move.
    assert_eq!(tried("e1h1", true), (Some("O-O".to_owned()), position("e1g1")));
}

#[test]
fn d_03_a_run_whose_last_game_is_lost_on_time_ends() {
    let late = fake(&["--on", "go@4", "nothing", "--ignore-quit", "--ignore-term"]);
    let late = late.with("time_control", json!("0.2")).with("timeouts", json!({ "quit": "100ms" }));
    let outcome = Match::new().white(late).set("concurrency", json!(2)).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9"]);
    assert_eq!(outcome.events.last().unwrap()["type"], "match_ended");
}

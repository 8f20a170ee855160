//! Offers of a draw, acceptances and resignations in words (`speaks`).

use serde_json::{Value, json};

use crate::support::{EngineKeys, Match, Outcome, fake, speaker};

const MATE: &str = "1-0 checkmate 5.1.1";
const AGREED: &str = "1/2-1/2 agreement 5.2.3";
const OFFER: &str = "offer draw";
const ACCEPT: &str = "accept draw";
const DRAW_OFFER: &str = "option name DrawOffer type check default false";

fn talk(white: &[(&str, &str)], black: &[(&str, &str)]) -> Match {
    Match::new().white(speaker(white)).black(speaker(black))
}

fn with_option(engine: EngineKeys, line: &str) -> EngineKeys {
    // A rule of the handshake: the option stands before `uciok`.
    engine.on("uci", &format!("print:{line}"))
}

/// The plies whose `move` events tell of an offer.
fn offers(outcome: &Outcome) -> Vec<&Value> {
    outcome
        .events_of("move")
        .filter(|event| event["offers_draw"] == true)
        .map(|event| &event["ply"])
        .collect()
}

#[test]
fn article_5_2_3_an_offer_is_accepted_in_the_next_search() {
    let outcome = talk(&[("go@2", OFFER)], &[("go@3", ACCEPT)]).run().ends(AGREED, 3);
    let game = outcome.game();
    assert_eq!(game.closing_words(), "Draw by agreement, accepted by Black (Article 5.2.3)");
    assert_eq!(game.tag("Termination"), "normal");
    assert_eq!(offers(&outcome), [3]);
    assert_eq!(outcome.remarks(3), ["offers a draw"]);
    assert_eq!(outcome.events_of("game_ended").next().unwrap()["by"], "black");
    assert_eq!(outcome.events_of("claim").count(), 0);
}

#[test]
fn an_acceptance_one_search_too_late_is_nothing() {
    let outcome = talk(&[("go@2", OFFER)], &[("go@5", ACCEPT)]).run().ends(MATE, 7);
    assert_eq!(offers(&outcome), [3]);
}

#[test]
fn an_acceptance_without_an_offer_or_of_ones_own_is_nothing() {
    talk(&[], &[("go@1", ACCEPT), ("go@3", ACCEPT), ("go@5", ACCEPT)]).run().ends(MATE, 7);
    talk(&[("go@2", OFFER), ("go@2", ACCEPT), ("go@4", ACCEPT)], &[]).run().ends(MATE, 7);
    // Both offer, neither accepts.
    let both = talk(&[("go@2", OFFER)], &[("go@3", OFFER)]).run().ends(MATE, 7);
    assert_eq!(offers(&both), [3, 4]);
}

#[test]
fn article_5_2_3_each_side_has_made_a_move_before_an_agreement() {
    // Black has not moved yet when White's first move brings the offer.
    talk(&[("go@0", OFFER)], &[("go@1", ACCEPT)]).run().ends(MATE, 7);
    talk(&[], &[("go@1", OFFER)]).white(speaker(&[("go@2", ACCEPT)])).run().ends(AGREED, 2);
    // The same where Black moves first.
    let black_first = |offer: &str, accept: &str| {
        let game = talk(&[(accept, ACCEPT), (offer, OFFER)], &[(accept, ACCEPT), (offer, OFFER)]);
        game.fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
            .moves("f7f6 e2e4 g7g5 d1h5")
            .run()
    };
    black_first("go@0", "go@1").ends(MATE, 4);
    black_first("go@1", "go@2").ends(AGREED, 2);
}

#[test]
fn a_counter_offer_can_be_accepted() {
    let outcome = talk(&[("go@2", OFFER), ("go@4", ACCEPT)], &[("go@3", OFFER)]).run().ends(AGREED, 4);
    assert_eq!(outcome.game().closing_words(), "Draw by agreement, accepted by White (Article 5.2.3)");
}

#[test]
fn article_9_1_2_3_a_denied_claim_is_an_offer() {
    let outcome = talk(&[("go@2", "claim draw")], &[("go@3", ACCEPT)]).run().ends(AGREED, 3);
    assert_eq!(offers(&outcome), [3]);
    assert_eq!(
        outcome.remarks(3),
        ["claim of a draw denied (Article 9.5.3): 60 s for Black", "offers a draw"]
    );
    assert_eq!(outcome.events_of("claim").next().unwrap()["granted"], false);
}

#[test]
fn an_engine_is_told_of_an_offer_by_its_option() {
    let black = with_option(speaker(&[]), DRAW_OFFER);
    let outcome = talk(&[("go@2", OFFER)], &[]).black(black).run().ends(MATE, 7);
    let lines = outcome.received("Beta");
    let place = |wanted: &str| lines.iter().position(|line| line == wanted).unwrap();
    let (on, off) =
        (place("setoption name DrawOffer value true"), place("setoption name DrawOffer value false"));
    // Right before the search after the offer, and before the next one.
    assert_eq!(lines[on + 1], "position startpos moves e2e4 e7e5 d1h5");
    assert_eq!(lines[off + 1], "position startpos moves e2e4 e7e5 d1h5 b8c6 f1c4");
    assert_eq!(outcome.received_words("Beta", "setoption").len(), 2);
}

#[test]
fn only_a_check_option_that_it_declares_is_set() {
    for option in ["option name DrawOffer type string default x", "option name Draw type check default false"]
    {
        let black = with_option(speaker(&[]), option);
        let outcome = talk(&[("go@2", OFFER)], &[]).black(black).run().ends(MATE, 7);
        assert!(outcome.received_words("Beta", "setoption").is_empty(), "{option}");
    }
    let mute = with_option(fake(&[]), DRAW_OFFER);
    let outcome = talk(&[("go@2", OFFER)], &[]).black(mute).run().ends(MATE, 7);
    assert!(outcome.received_words("Beta", "setoption").is_empty(), "it may not accept");
}

#[test]
fn an_offer_does_not_last_into_the_next_game() {
    let black = with_option(speaker(&[("go@3/1", ACCEPT), ("go@0/2", ACCEPT)]), DRAW_OFFER);
    let game = talk(&[("go@2/1", OFFER)], &[]).black(black).rounds(2);
    let outcome = game.run().exits_with(0);
    assert_eq!(outcome.endings(), [AGREED, MATE]);
    let told = outcome.received_words("Beta", "setoption");
    assert_eq!(told, ["setoption name DrawOffer value true", "setoption name DrawOffer value false"]);
}

#[test]
fn article_9_1_2_1_a_move_that_was_tried_declines_the_offer() {
    // Black's second search at ply 3 is one after an illegal move.
    let black = with_option(speaker(&[("go:3", ACCEPT)]), DRAW_OFFER).on("go:2", "instead:bestmove b8b7");
    let game = talk(&[("go@2", OFFER)], &[]).black(black).set("laws.illegal_move", json!("over_the_board"));
    let outcome = game.run().ends(MATE, 7);
    let told = outcome.received_words("Beta", "setoption");
    assert_eq!(told, ["setoption name DrawOffer value true", "setoption name DrawOffer value false"]);
}

#[test]
fn article_5_1_2_a_resignation_loses() {
    let outcome = talk(&[("go@2", "resign")], &[]).run().ends("0-1 resignation 5.1.2", 2);
    assert_eq!(outcome.game().closing_words(), "White resigns (Article 5.1.2)");
    assert_eq!(outcome.game().tag("Termination"), "normal");
    talk(&[], &[("go@5", "resign")]).run().ends("1-0 resignation 5.1.2", 5);
}

#[test]
fn article_5_1_2_a_resignation_to_who_cannot_mate_is_a_draw() {
    let bare = talk(&[("go@0", "resign")], &[]).moves("e2e4").fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let outcome = bare.run().ends("1/2-1/2 resignation 5.1.2", 0);
    let words = "Draw: White's resignation came, but Black cannot mate (Article 5.1.2)";
    assert_eq!(outcome.game().closing_words(), words);
    // The other side can lose.
    let pawn = talk(&[], &[("go@1", "resign")]).moves("e2e4 e8e7").fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    pawn.run().ends("1-0 resignation 5.1.2", 1);
}

#[test]
fn a_late_resignation_is_a_flag_fall() {
    for answer in ["sleep:1500", "nothing"] {
        let white = speaker(&[("go@2", "resign")]).on("go@2", answer).with("time_control", json!("1"));
        Match::new().white(white).run().ends("0-1 flag_fall 6.9", 2);
        let accepts = speaker(&[("go@3", ACCEPT)]).on("go@3", answer).with("time_control", json!("1"));
        talk(&[("go@2", OFFER)], &[]).black(accepts).run().ends("1-0 flag_fall 6.9", 3);
    }
}

#[test]
fn what_is_said_goes_before_the_move_that_comes_with_it() {
    for answer in ["instead:bestmove x9x9", "instead:bestmove 0000", "instead:bestmove"] {
        let resigns = speaker(&[("go@2", "resign")]).on("go@2", answer);
        Match::new().white(resigns).run().ends("0-1 resignation 5.1.2", 2);
        let accepts = speaker(&[("go@3", ACCEPT)]).on("go@3", answer);
        talk(&[("go@2", OFFER)], &[]).black(accepts).run().ends(AGREED, 3);
    }
    // Who resigns does not play the mate.
    talk(&[("go@6", "resign")], &[]).run().ends("0-1 resignation 5.1.2", 6);
    // Who resigns and accepts resigns.
    talk(&[("go@2", OFFER)], &[("go@3", ACCEPT), ("go@3", "resign")]).run().ends("1-0 resignation 5.1.2", 3);
}

#[test]
fn an_engine_that_resigned_plays_the_next_game() {
    let outcome = talk(&[("go@2/1", "resign")], &[]).rounds(2).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 resignation 5.1.2", MATE]);
    assert_eq!(outcome.starts("Alpha"), 1);
}

//! `illegal_move: over_the_board`: the first one costs time, the second one the game (Article 7.5.5).

use serde_json::json;

use crate::support::{EngineKeys, Match, Outcome, fake, speaker};

const MATE: &str = "1-0 checkmate 5.1.1";
const ILLEGAL: &str = "instead:bestmove d1h6";

fn over_the_board(white: EngineKeys) -> Match {
    Match::new().white(white).set("laws.illegal_move", json!("over_the_board"))
}

fn asked(outcome: &Outcome, engine: &str) -> Vec<usize> {
    // The word `moves` stands before the moves, the words `position startpos` before it.
    let positions = outcome.received_words(engine, "position");
    positions.iter().map(|line| line.split(' ').count().saturating_sub(3)).collect()
}

#[test]
fn article_7_5_5_the_first_illegal_move_costs_a_minute_and_is_made_anew() {
    let outcome = over_the_board(fake(&["--on", "go:2", ILLEGAL])).run().ends(MATE, 7);
    assert_eq!(asked(&outcome, "Alpha"), [0, 2, 2, 4, 6], "the same position is asked again");
    assert_eq!(outcome.told("Beta", "btime")[1], Some(outcome.clock_after(2) + 60_000));
    assert_eq!(outcome.told("Alpha", "btime")[2], Some(outcome.clock_after(2) + 60_000));
    assert_eq!(outcome.remarks(3), ["first illegal move `d1h6` (Article 7.5.5): 60 s for Black"]);
    assert_eq!(outcome.faults(), ["1 Alpha first illegal move `d1h6`; its opponent gains 60 s"]);
    assert_eq!(outcome.starts("Alpha"), 1);
}

#[test]
fn the_penalty_follows_the_pace_and_the_setting() {
    for (control, setting, seconds) in [("60m", None, 120), ("59m", None, 60), ("60m", Some("5s"), 5)] {
        let game =
            over_the_board(fake(&["--on", "go:2", ILLEGAL])).set("defaults.time_control", json!(control));
        let game = match setting {
            Some(penalty) => game.set("laws.penalty", json!(penalty)),
            None => game,
        };
        let outcome = game.run().ends(MATE, 7);
        let gained = outcome.told("Beta", "btime")[1].unwrap() - outcome.clock_after(2);
        assert_eq!(gained, seconds * 1000, "{control} {setting:?}");
    }
}

#[test]
fn without_a_clock_the_first_one_costs_nothing() {
    for control in ["movetime=60s", "nodes=5"] {
        let game =
            over_the_board(fake(&["--on", "go:2", ILLEGAL])).set("defaults.time_control", json!(control));
        let outcome = game.run().ends(MATE, 7);
        assert_eq!(outcome.remarks(3), ["first illegal move `d1h6` (Article 7.5.5)"]);
    }
}

#[test]
fn the_time_that_an_illegal_move_took_is_gone_and_earns_no_increment() {
    let white = fake(&["--on", "go:2", "sleep:700", "--on", "go:2", ILLEGAL]);
    let outcome = over_the_board(white).set("defaults.time_control", json!("3/600+20")).run().ends(MATE, 7);
    let (mine, moves) = (outcome.told("Alpha", "wtime"), outcome.told("Alpha", "movestogo"));
    assert!(mine[2] <= mine[1].map(|before| before - 700), "{mine:?}");
    assert_eq!(moves[..4], [Some(3), Some(2), Some(2), Some(1)], "no move is counted");
    // Its clock stands after ply 3 where the retry's time and one increment leave it.
    let retry = outcome.events_of("move").find(|event| event["ply"] == 3).unwrap();
    let expected = mine[2].unwrap() - retry["time_us"].as_i64().unwrap() / 1000 + 20_000;
    assert!((outcome.clock_after(3) - expected).abs() <= 2, "{retry} {mine:?}");
}

#[test]
fn a_flag_may_fall_at_the_second_attempt() {
    let white = fake(&["--on", "go:2", "sleep:800", "--on", "go:2", ILLEGAL, "--on", "go:3", "sleep:800"]);
    let outcome =
        over_the_board(white.with("time_control", json!("1500ms"))).run().ends("0-1 flag_fall 6.9", 2);
    let words = outcome.game().closing_words();
    assert!(words.contains("first illegal move `d1h6` (Article 7.5.5): 60 s for Black"), "{words}");
}

#[test]
fn article_7_5_5_the_second_illegal_move_of_a_side_loses() {
    // At once, or later in the game.
    for (second, plies) in [("go:3", 2), ("go:4", 4)] {
        let white = fake(&["--on", "go:2", ILLEGAL, "--on", second, "instead:bestmove a1a5"]);
        let outcome = over_the_board(white).run().ends("0-1 illegal_move 7.5.5", plies);
        assert_eq!(outcome.game().tag("Termination"), "rules infraction");
        let words = outcome.game().closing_words();
        assert!(
            words.starts_with("White loses by an illegal move (Article 7.5.5): `bestmove a1a5`"),
            "{words}"
        );
        // The first one stands where a reader finds it: with the next move, or in the closing words.
        assert!(outcome.pgn.replace('\n', " ").contains("first illegal move `d1h6`"), "{}", outcome.pgn);
    }
}

#[test]
fn each_side_has_a_first_illegal_move_of_its_own() {
    let black = fake(&["--on", "go:1", "instead:bestmove e7e4"]);
    let outcome = over_the_board(fake(&["--on", "go:2", ILLEGAL])).black(black).run().ends(MATE, 7);
    assert_eq!(outcome.remarks(2), ["first illegal move `e7e4` (Article 7.5.5): 60 s for White"]);
    assert_eq!(outcome.remarks(3), ["first illegal move `d1h6` (Article 7.5.5): 60 s for Black"]);
    assert_eq!(outcome.told("Alpha", "wtime")[1], Some(outcome.clock_after(1) + 60_000));
    assert_eq!(outcome.faults().len(), 2);
}

#[test]
fn every_game_begins_with_a_clean_slate() {
    // Alpha's sixth search is its first one of the second game.
    let white = fake(&["--on", "go:2", ILLEGAL, "--on", "go:6", "instead:bestmove e7e4"]);
    let outcome = over_the_board(white).rounds(2).run().exits_with(0);
    assert_eq!(outcome.endings(), [MATE; 2]);
    assert_eq!(outcome.faults().len(), 2);
}

#[test]
fn r_35_the_exception_for_a_bare_king_holds_for_the_illegal_move_that_counts() {
    let bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let drawn = "Draw: White's move was illegal, but Black cannot mate (Article 7.5.5)";
    let wrong = || fake(&["--on", "go", "instead:bestmove e2e5"]);
    let at_once = Match::new().white(wrong()).fen(bare).run().ends("1/2-1/2 illegal_move 7.5.5", 0);
    assert!(at_once.game().closing_words().starts_with(drawn), "{}", at_once.game().closing_words());
    assert_eq!(at_once.game().tag("Termination"), "rules infraction");
    assert_eq!(at_once.received_words("Alpha", "go").len(), 1);
    let second = over_the_board(wrong()).fen(bare).run().ends("1/2-1/2 illegal_move 7.5.5", 0);
    assert!(second.game().closing_words().starts_with(drawn), "{}", second.game().closing_words());
    assert_eq!(second.received_words("Alpha", "go").len(), 2);
}

#[test]
fn by_default_the_first_illegal_move_loses() {
    let outcome =
        Match::new().white(fake(&["--on", "go:2", ILLEGAL])).run().ends("0-1 illegal_move 7.5.5", 2);
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn what_breaks_the_protocol_gets_no_second_attempt() {
    over_the_board(fake(&["--on", "go:2", "instead:bestmove"])).run().ends("0-1 protocol_violation -", 2);
    over_the_board(fake(&["--on", "go:2", "die:1"])).run().ends("0-1 disconnect -", 2);
    // A token that no move could have is an illegal move like any other.
    for token in ["(none)", "0000", "Qh5", "e1g1"] {
        let answer = format!("instead:bestmove {token}");
        let outcome = over_the_board(fake(&["--on", "go:2", &answer])).run().ends(MATE, 7);
        let remark = format!("first illegal move `{token}` (Article 7.5.5): 60 s for Black");
        assert_eq!(outcome.remarks(3), [remark]);
    }
}

#[test]
fn an_odd_token_is_quoted_without_harm_to_the_pgn() {
    let outcome = over_the_board(fake(&["--on", "go:2", "instead:bestmove a}b{;%\\x01"])).run().ends(MATE, 7);
    assert_eq!(outcome.remarks(3), ["first illegal move `a)b(;%\\x01` (Article 7.5.5): 60 s for Black"]);
}

#[test]
fn what_was_said_with_an_illegal_move_is_not_heard() {
    let white = speaker(&[("go:2", "claim draw"), ("go:2", "offer draw")]).on("go:2", ILLEGAL);
    let game = over_the_board(white).black(speaker(&[("go@3", "accept draw")]));
    let outcome = game.run().ends(MATE, 7);
    assert_eq!(outcome.events_of("claim").count(), 0);
    // But it may resign.
    let white = speaker(&[("go:2", "resign")]).on("go:2", ILLEGAL);
    over_the_board(white).run().ends("0-1 resignation 5.1.2", 2);
}

#[test]
fn an_illegal_move_and_a_wrong_claim_with_the_next_one_are_both_remarked() {
    let white = speaker(&[("go:3", "claim draw")]).on("go:2", ILLEGAL);
    let outcome = over_the_board(white).run().ends(MATE, 7);
    let words = outcome.remarks(3).join(" | ");
    for part in
        ["first illegal move `d1h6` (Article 7.5.5): 60 s", "claim of a draw denied (Article 9.5.3): 60 s"]
    {
        assert!(words.contains(part), "{words}");
    }
    assert_eq!(outcome.told("Beta", "btime")[1], Some(outcome.clock_after(2) + 120_000));
}

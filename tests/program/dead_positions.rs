//! Who can still mate, exactly, in matches: what ends a game at once, and what a flag, a crash or an illegal move is
//! worth against an opponent who cannot mate.

use serde_json::json;

use crate::support::{EngineKeys, Match, Outcome, fake};

const DEAD: &str = "1/2-1/2 dead_position 5.2.2";
/// Kings behind a wall of pawns that nobody can open.
const SEALED: &str = "3k4/8/8/1p1p1p1p/1P1P1P1P/8/8/3K4 w - - 0 1";
/// Black's bishops and pawns can never mate; White's men can.
const ONE_SIDED: &str = "7b/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N7 w - - 0 1";
/// The only legal move takes Black's last piece; White's rook stays.
const FORCED: &str = "7R/8/8/3k4/8/8/1q6/K7 w - - 0 1";

fn from(fen: &str, moves: &str) -> Match {
    Match::new().fen(fen).moves(moves)
}

fn silent() -> EngineKeys {
    fake(&["--on", "go", "nothing"]).with("time_control", json!("300ms"))
}

/// White's flag falls at once.
fn white_flags(fen: &str) -> Outcome {
    from(fen, "").white(silent()).run().exits_with(0)
}

fn asked_nobody(outcome: &Outcome) {
    for engine in ["Alpha", "Beta"] {
        assert!(outcome.received_words(engine, "go").is_empty());
    }
}

#[test]
fn r_24_a_sealed_wall_in_the_start_position_asks_no_engine() {
    for fen in [
        SEALED,
        "7k/8/8/p1p1p1p1/P1P1P1P1/8/8/4bB1K b - - 0 1",
        "1k6/2p1p3/1pP1Pp2/1P1n1P2/1p1N1p2/1Pp1pP2/2P1P3/1K6 w - - 0 1",
        "qrb2k2/pb1p2p1/p1pP2P1/PpP5/1P6/8/7K/8 w - - 0 1",
    ] {
        let outcome = from(fen, "").run().ends(DEAD, 0);
        asked_nobody(&outcome);
        assert_eq!(outcome.game().closing_words(), "Draw by dead position (Article 5.2.2)");
    }
}

#[test]
fn a_capture_that_leaves_a_sealed_wall_ends_the_game() {
    from("3k4/8/8/1p1p1p1p/1P1P1P1P/8/3n4/3K4 w - - 0 1", "d1d2").run().ends(DEAD, 1);
}

#[test]
fn r_21_a_forced_recapture_into_bare_kings_ends_the_game_before_it() {
    let outcome = from("k7/8/8/8/8/8/3q4/K7 b - - 0 1", "d2b2").run().ends(DEAD, 1);
    assert_eq!(outcome.game().sans, ["Qb2+"]);
}

#[test]
fn r_22_one_legal_reply_that_leads_to_dead_material_ends_the_game() {
    from("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g7").run().ends(DEAD, 1);
}

#[test]
fn r_23_lines_that_are_forced_into_stalemate_end_the_game_though_queens_remain() {
    let outcome = from("k1q5/7Q/K1P5/PP6/8/8/8/8 w - - 0 1", "h7b7").run().ends(DEAD, 1);
    assert_eq!(outcome.received_words("Alpha", "go").len(), 1, "it was not dead a ply before");
    asked_nobody(&from("k1q5/1Q6/K1P5/PP6/8/8/8/8 b - - 0 1", "").run().ends(DEAD, 0));
}

#[test]
fn r_25_behind_a_wall_each_side_is_decided_by_itself() {
    // White's flag is a draw, Black's a loss, and neither position is dead.
    assert_eq!(white_flags(ONE_SIDED).endings(), ["1/2-1/2 flag_fall 6.9"]);
    let flagged = from(ONE_SIDED, "g2g1").black(silent()).run();
    assert_eq!(flagged.exits_with(0).endings(), ["1-0 flag_fall 6.9"]);
}

#[test]
fn r_26_a_winnable_position_is_played_on() {
    let game = from("8/p2p3b/Pk1P4/RP1p4/PKpP4/1pP5/1P6/8 b - - 0 1", "h7g6 b4a3");
    let outcome = game.run().exits_with(0);
    assert_eq!(outcome.game().sans, ["Bg6", "Ka3"]);
    assert_eq!(
        outcome.endings(),
        ["1-0 illegal_move 7.5.5"],
        "Black, whose list is at its end, can be mated"
    );
}

#[test]
fn r_28_the_move_limits_do_not_make_a_position_dead_earlier() {
    let game = from("7k/8/8/8/8/8/R7/K7 w - - 149 120", "a2b2");
    game.run().ends("1/2-1/2 seventy_five_move_rule 9.6.2", 1);
}

#[test]
fn r_31_a_flag_against_a_bare_king_is_a_draw() {
    let outcome = white_flags("7k/8/8/8/8/8/R7/K7 w - - 0 1").ends("1/2-1/2 flag_fall 6.9", 0);
    let words = "Draw: White's flag fell, but Black cannot mate (Article 6.9)";
    assert!(outcome.game().closing_words().starts_with(words), "{}", outcome.game().closing_words());
}

#[test]
fn r_32_a_flag_against_a_knight_is_lost_by_who_has_a_pawn() {
    for (fen, ending) in [
        ("kn6/8/8/8/8/8/7P/7K w - - 0 1", "0-1 flag_fall 6.9"),
        ("kn6/8/8/8/8/8/8/6QK w - - 0 1", "1/2-1/2 flag_fall 6.9"),
    ] {
        assert_eq!(white_flags(fen).endings(), [ending], "{fen}");
    }
}

#[test]
fn r_33_a_rook_that_flags_against_a_bishop_draws_and_the_other_way_round_loses() {
    for (fen, ending) in [
        ("b6K/8/8/8/8/2k5/8/6R1 w - - 0 1", "1/2-1/2 flag_fall 6.9"),
        ("B6K/8/8/8/8/2k5/8/6r1 w - - 0 1", "0-1 flag_fall 6.9"),
        ("n6K/8/8/8/8/2k5/8/6R1 w - - 0 1", "0-1 flag_fall 6.9"),
    ] {
        assert_eq!(white_flags(fen).endings(), [ending], "{fen}");
    }
}

#[test]
fn r_34_a_last_piece_is_seen_in_every_corner() {
    for fen in [
        "4k3/8/8/8/8/8/3KP3/7r w - - 0 1",
        "4k3/8/8/8/8/8/3KP3/r7 w - - 0 1",
        "r7/8/8/4k3/8/8/3KP3/8 w - - 0 1",
        "7r/8/8/4k3/8/8/3KP3/8 w - - 0 1",
    ] {
        assert_eq!(white_flags(fen).endings(), ["0-1 flag_fall 6.9"], "{fen}");
    }
}

#[test]
fn r_36_where_every_line_is_forced_a_flag_is_a_draw_and_play_can_be_won() {
    assert_eq!(white_flags(FORCED).endings(), ["1/2-1/2 flag_fall 6.9"]);
    // No automatic draw: White takes, and Black, who has nothing left, plays on and loses.
    let won = from(FORCED, "a1b2").run().exits_with(0);
    assert_eq!((won.endings(), won.game().sans.len()), (vec!["1-0 illegal_move 7.5.5".to_owned()], 1));
    // By the mere count of material the queen could mate.
    let counted = from(FORCED, "").white(silent()).set("laws.dead_position", json!("material")).run();
    assert_eq!(counted.exits_with(0).endings(), ["0-1 flag_fall 6.9"]);
}

#[test]
fn every_forfeit_has_the_exception_in_a_blocked_position() {
    let stalling = fake(&["--on", "go", "nothing"])
        .with("time_control", json!("nodes=5"))
        .with("timeouts", json!({ "silence": "300ms" }));
    let long_line = fake(&["--on", "go", "flood-raw"]);
    for (white, ending) in [
        (silent(), "1/2-1/2 flag_fall 6.9"),
        (fake(&["--on", "go", "instead:bestmove g2g9"]), "1/2-1/2 illegal_move 7.5.5"),
        (fake(&["--on", "go", "die:3"]), "1/2-1/2 disconnect -"),
        (stalling, "1/2-1/2 stall -"),
        (fake(&["--on", "go", "instead:bestmove"]), "1/2-1/2 protocol_violation -"),
        (long_line, "1/2-1/2 protocol_violation -"),
        (
            fake(&["--on", "go", "print:info string resign"]).with("speaks", json!(true)),
            "1/2-1/2 resignation 5.1.2",
        ),
    ] {
        let game = from(ONE_SIDED, "").white(white).set("defaults.timeouts.quit", json!("300ms"));
        let outcome = game.run().ends(ending, 0);
        assert!(outcome.game().closing_words().contains("but Black cannot mate"), "{ending}");
    }
    // Black's material would make each of them a loss.
    for (white, ending) in
        [(silent(), "0-1 flag_fall 6.9"), (fake(&["--on", "go", "die:3"]), "0-1 disconnect -")]
    {
        let game = from(ONE_SIDED, "").white(white).set("laws.dead_position", json!("material"));
        game.run().ends(ending, 0);
    }
}

#[test]
fn a_death_while_the_other_thinks_has_the_exception_too() {
    // White dies after its move; Black completes its own one, then it is White's turn again.
    let white = fake(&["--on", "go", "then-die:3"]);
    from(ONE_SIDED, "g2g1 b7a7").white(white).run().ends("1/2-1/2 disconnect -", 2);
}

#[test]
fn a_dead_position_that_only_the_last_search_sees_goes_before_the_flag() {
    // The look at every ply searched this pawn structure once, when Black could still be mated.
    let fen = "2b5/kp1p4/1P1P4/B7/8/8/8/K7 b - - 0 1";
    for (white, how) in
        [(silent(), ""), (fake(&["--on", "go@1", "die:3"]), "the engine exited with status 3")]
    {
        let outcome = from(fen, "a7a8").white(white).run().ends(DEAD, 1);
        let words = outcome.game().closing_words();
        assert!(
            words.starts_with(&format!("Draw by dead position (Article 5.2.2): after it, {how}")),
            "{words}"
        );
        assert_eq!(outcome.game().tag("Termination"), "normal");
    }
    // Nor can it be agreed or claimed to be drawn by another article.
    let speaks = |rules: &[&str]| fake(rules).with("speaks", json!(true)).with("claims", json!("engine"));
    let claimed = from(&fen.replace(" 0 1", " 99 90"), "a7a8 a1b1")
        .white(speaks(&["--on", "go@1", "print:info string claim draw"]))
        .run()
        .ends(DEAD, 1);
    assert_eq!(claimed.events_of("claim").count(), 0);
    // The seventy-five moves come after it.
    from(&fen.replace(" 0 1", " 149 90"), "a7a8").run().ends(DEAD, 1);
}

#[test]
fn by_material_a_wall_is_played_on_and_a_flag_is_lost() {
    let counted = |game: Match| game.set("laws.dead_position", json!("material")).run();
    let outcome = counted(
        from(SEALED, "d1c2 d8c7").white(fake(&["--on", "go@2", "nothing"]).with("time_control", json!("1"))),
    );
    outcome.ends("0-1 flag_fall 6.9", 2);
    counted(from("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2")).ends(DEAD, 1);
    // The forced recapture is played, and only then is the material dead.
    counted(from("k7/8/8/8/8/8/3q4/K7 b - - 0 1", "d2b2 a1b2")).ends(DEAD, 2);
}

#[test]
fn without_the_rule_bare_kings_play_until_something_else_ends_the_game() {
    let off = |game: Match| game.set("laws.dead_position", json!("off")).run();
    off(from("7k/8/8/8/8/8/8/K7 w - - 148 100", "a1a2 h8h7")).ends("1/2-1/2 seventy_five_move_rule 9.6.2", 2);
    off(from("7k/8/8/8/8/8/8/K7 w - - 0 1", "a1a2").white(silent())).ends("1/2-1/2 flag_fall 6.9", 0);
    off(from(SEALED, "d1c2").white(silent())).ends("0-1 flag_fall 6.9", 0);
}

#[test]
fn a_search_without_nodes_leaves_it_open_and_says_so() {
    let race = "1k6/1P1p1p1p/BP6/1P5p/8/8/3P1PKP/8 w - - 0 1";
    let with_nodes = |nodes: u32| {
        let game = from(race, "").white(silent()).set("laws.full_search_nodes", json!(nodes));
        game.run().ends("0-1 flag_fall 6.9", 0)
    };
    let words = with_nodes(1).game().closing_words().to_owned();
    assert!(
        words.starts_with("White loses on time (Article 6.9); whether Black can still mate was not settled"),
        "{words}"
    );
    let words = with_nodes(500_000).game().closing_words().to_owned();
    assert!(!words.contains("not settled"), "{words}");
}

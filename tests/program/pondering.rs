//! Pondering: what a pondering engine is told, whose answer its `bestmove` is, and what its clock is charged. Alpha is
//! White and ponders where nothing else is said.

use serde_json::{Value, json};

use crate::support::{EngineKeys, FOOLS_MATE, Match, Outcome, fake, speaker};

const MATE: &str = "1-0 checkmate 5.1.1";
const PONDER_OPTION: &str = "option name Ponder type check default false";
/// Alpha's move at ply 3, with a ponder move that Beta does not play.
const WRONG_GUESS: &str = "instead:bestmove d1h5 ponder a7a6";
/// The same with the one that it does play.
const RIGHT_GUESS: &str = "instead:bestmove d1h5 ponder b8c6";
const EARLY: &str = "instead:info depth 9 score cp 33 pv f1c4\\nbestmove f1c4";

/// A scripted engine that may ponder.
fn ponderer(rules: &[(&str, &str)]) -> EngineKeys {
    let engine = fake(&["--option", PONDER_OPTION]).with("ponder", json!(true));
    rules.iter().fold(engine, |engine, (trigger, action)| engine.on(trigger, action))
}

/// A scripted engine that names the move that will be played each time.
fn prophet(rules: &[(&str, &str)]) -> EngineKeys {
    let engine = fake(&["--option", PONDER_OPTION, "--ponder"]).with("ponder", json!(true));
    rules.iter().fold(engine, |engine, (trigger, action)| engine.on(trigger, action))
}

fn slow(milliseconds: u32) -> EngineKeys {
    fake(&["--on", "go@3", &format!("sleep:{milliseconds}")])
}

fn ply(outcome: &Outcome, number: u32) -> &Value {
    outcome.events_of("move").find(|event| event["ply"] == number).unwrap()
}

fn charged(outcome: &Outcome, number: u32) -> u64 {
    ply(outcome, number)["time_us"].as_u64().unwrap()
}

/// What became of the pondering before each ply.
fn ponderings(outcome: &Outcome) -> Vec<Option<&str>> {
    outcome.events_of("move").map(|event| event["ponder"].as_str()).collect()
}

/// The commands to Alpha from its first `go` on; `go` and `go ponder` without their numbers, `position` without its
/// first words.
fn dialogue(outcome: &Outcome, engine: &str) -> Vec<String> {
    let lines = outcome.received(engine).into_iter().skip_while(|line| !line.starts_with("position"));
    let short = |line: String| match line.strip_prefix("go ") {
        Some(rest) if rest.starts_with("ponder") => "go ponder".to_owned(),
        Some(_) => "go".to_owned(),
        None => line.replace("position startpos moves ", ""),
    };
    lines.map(short).collect()
}

fn ponder_commands(outcome: &Outcome, engine: &str) -> Vec<String> {
    outcome.received(engine).into_iter().filter(|line| line.starts_with("go ponder")).collect()
}

#[test]
fn p_19_a_hit_is_told_by_ponderhit_and_nothing_else() {
    let outcome = Match::new().white(prophet(&[])).run().ends(MATE, 7);
    assert_eq!(
        dialogue(&outcome, "Alpha"),
        [
            "position startpos",
            "go",
            "e2e4 e7e5",
            "go ponder",
            "ponderhit",
            "e2e4 e7e5 d1h5 b8c6",
            "go ponder",
            "ponderhit",
            "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6",
            "go ponder",
            "ponderhit",
            "quit",
        ]
    );
    assert_eq!(ponderings(&outcome), [None, None, Some("hit"), None, Some("hit"), None, Some("hit")]);
    assert_eq!(outcome.received_words("Alpha", "setoption"), ["setoption name Ponder value true"]);
    assert!(outcome.received_words("Beta", "ponderhit").is_empty());
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn the_clocks_of_go_ponder_are_those_of_the_next_move() {
    let control = json!("3/600:2/40+1");
    let outcome = Match::new().white(prophet(&[])).set("defaults.time_control", control).run().ends(MATE, 7);
    let told = ponder_commands(&outcome, "Alpha");
    let black = [600_000, outcome.clock_after(2), outcome.clock_after(4)];
    for (index, line) in told.iter().enumerate() {
        let white = outcome.clock_after(u32::try_from(index * 2 + 1).unwrap());
        let moves_to_go = [2, 1, 2][index];
        // From the last ponder search on White is in its second period.
        let increments = if index == 2 { "winc 1000 binc 0 " } else { "" };
        let expected =
            format!("go ponder wtime {white} btime {} {increments}movestogo {moves_to_go}", black[index]);
        assert_eq!(*line, expected);
    }
    assert_eq!(told.len(), 3);
    for (control, limits) in [("nodes=5", "nodes 5"), ("movetime=60s", "movetime 60000")] {
        let white = prophet(&[]).with("time_control", json!(control));
        let outcome = Match::new().white(white).run().ends(MATE, 7);
        assert_eq!(ponder_commands(&outcome, "Alpha"), vec![format!("go ponder {limits}"); 3]);
    }
}

#[test]
fn p_19_a_miss_is_stopped_and_all_that_it_told_is_dropped() {
    let white = speaker(&[("ponder@4", "resign")]).with("ponder", json!(true));
    let white = white
        .on("go@2", WRONG_GUESS)
        .on("ponder@4", "print:info depth 30 score cp 999 nodes 5 pv a2a3")
        .on("stop@4", "instead:info depth 40 score cp 888 pv a2a3\\nbestmove a2a3 ponder a6a5");
    let outcome = Match::new().white(white).run().ends(MATE, 7);
    assert_eq!(
        dialogue(&outcome, "Alpha")[2..8],
        ["e2e4 e7e5", "go", "e2e4 e7e5 d1h5 a7a6", "go ponder", "stop", "e2e4 e7e5 d1h5 b8c6"]
    );
    assert_eq!(ponderings(&outcome)[4], Some("miss"));
    let missed = ply(&outcome, 5);
    assert_eq!(
        (&missed["score"], &missed["depth"], &missed["pv"]),
        (&json!({"cp": 0}), &json!(1), &json!("f1c4"))
    );
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn what_a_search_told_while_it_pondered_is_told_with_the_move_of_a_hit() {
    let white = speaker(&[("ponder@4", "offer draw")]).with("ponder", json!(true));
    let white = white
        .on("go@2", RIGHT_GUESS)
        .on("ponder@4", "print:info depth 30 score cp 7 nodes 5 pv f1c4")
        .on("ponderhit@4", "instead:bestmove f1c4");
    let outcome = Match::new().white(white).run().ends(MATE, 7);
    let hit = ply(&outcome, 5);
    assert_eq!((&hit["score"], &hit["depth"], &hit["nodes"]), (&json!({"cp": 7}), &json!(30), &json!(5)));
    assert_eq!((&hit["ponder"], &hit["offers_draw"]), (&json!("hit"), &json!(true)));
}

#[test]
fn a_clock_starts_at_ponderhit() {
    // It is still busy for a while when Black has moved.
    let white = ponderer(&[("go@2", RIGHT_GUESS), ("ponder@4", "sleep:2300")]);
    let outcome = Match::new().white(white).black(slow(2000)).run().ends(MATE, 7);
    assert!(charged(&outcome, 5) < charged(&outcome, 4), "{}", ply(&outcome, 5));
    assert!(charged(&outcome, 4) >= 2_000_000, "the one on move does not wait for the other");
    let late =
        ponderer(&[("go@2", RIGHT_GUESS), ("ponderhit@4", "sleep:2500")]).with("time_control", json!("2"));
    Match::new().white(late).run().ends("0-1 flag_fall 6.9", 4);
}

#[test]
fn p_19_an_early_bestmove_is_held_and_costs_nothing_on_a_hit() {
    let white = ponderer(&[("go@2", RIGHT_GUESS), ("ponder@4", EARLY)]);
    let outcome = Match::new().white(white).black(slow(1500)).run().ends(MATE, 7);
    let early = ply(&outcome, 5);
    assert_eq!((&early["time_us"], &early["ponder"], &early["depth"]), (&json!(0), &json!("hit"), &json!(9)));
    assert_eq!(outcome.clock_after(5), outcome.clock_after(3));
    for word in ["ponderhit", "stop"] {
        assert!(outcome.received_words("Alpha", word).is_empty(), "{word}");
    }
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn p_19_an_early_bestmove_is_dropped_on_a_miss_and_no_stop_is_owed() {
    let early = "instead:info depth 9 score cp 33 pv a2a3\\nbestmove a2a3 ponder a6a5";
    let white = ponderer(&[("go@2", WRONG_GUESS), ("ponder@4", early)]);
    let outcome = Match::new().white(white).black(slow(1500)).run().ends(MATE, 7);
    assert_eq!((ponderings(&outcome)[4], &ply(&outcome, 5)["depth"]), (Some("miss"), &json!(1)));
    assert!(outcome.received_words("Alpha", "stop").is_empty());
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn p_19_a_bestmove_that_crosses_the_stop_or_the_hit_is_the_one_that_is_owed() {
    // It answers while `stop` lies unread in its pipe, and has no further answer to that.
    let crossing = "instead:bestmove a2a3";
    let white = ponderer(&[("go@2", WRONG_GUESS), ("ponder@4", "sleep:700"), ("ponder@4", crossing)]);
    let outcome = Match::new().white(white).run().ends(MATE, 7);
    assert_eq!(outcome.received_words("Alpha", "stop").len(), 1);
    assert_eq!(outcome.game().ucis[4], "f1c4");
    let white = ponderer(&[("go@2", RIGHT_GUESS), ("ponder@4", "sleep:700"), ("ponder@4", EARLY)]);
    let outcome = Match::new().white(white).run().ends(MATE, 7);
    assert_eq!(outcome.received_words("Alpha", "ponderhit").len(), 1);
    assert_eq!((outcome.faults(), &ply(&outcome, 5)["depth"]), (Vec::new(), &json!(9)));
}

#[test]
fn an_engine_that_has_just_been_told_to_ponder_may_begin_before_it_is_told_more() {
    // It would lose a `ponderhit` or `stop` that is there before its search has begun, as some engines do.
    for (guess, told) in [(RIGHT_GUESS, "ponderhit"), (WRONG_GUESS, "stop")] {
        let white = ponderer(&[("go@2", guess), ("ponder@4", "starts-after:3")]);
        let outcome = Match::new().white(white.with("time_control", json!("5"))).run().ends(MATE, 7);
        assert_eq!(outcome.received_words("Alpha", told).len(), 1);
    }
}

#[test]
fn no_clock_runs_while_the_answer_to_stop_is_awaited() {
    let white = ponderer(&[("go@2", WRONG_GUESS), ("stop@4", "sleep:2500")]);
    let outcome = Match::new().white(white.with("time_control", json!("2"))).run().ends(MATE, 7);
    let waited = ply(&outcome, 5)["t"].as_f64().unwrap() - ply(&outcome, 4)["t"].as_f64().unwrap();
    assert!(waited >= 2.5 && charged(&outcome, 5) < 2_000_000, "{}", ply(&outcome, 5));
}

#[test]
fn no_answer_to_stop_is_a_stall() {
    let white = ponderer(&[("go@2", WRONG_GUESS), ("stop", "nothing")]);
    let timeouts = json!({ "ready": "2s", "quit": "300ms" });
    let outcome = Match::new().white(white.with("timeouts", timeouts)).run().ends("0-1 stall -", 4);
    let words = outcome.game().closing_words();
    assert!(words.contains("no `bestmove after stop` within 2 s"), "{words}");
}

#[test]
fn an_engine_that_dies_while_it_ponders_loses_once_its_opponent_has_moved() {
    let white = ponderer(&[("go@2/1", RIGHT_GUESS), ("ponder@4", "die:7")]);
    let outcome = Match::new().white(white).black(slow(500)).rounds(2).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 disconnect -", MATE]);
    assert_eq!(outcome.games[0].sans.len(), 4);
    assert!(outcome.games[0].closing_words().contains("exited with status 7"), "{}", outcome.pgn);
    assert_eq!(outcome.starts("Alpha"), 2);
    // Unless that move ends the game.
    let white = ponderer(&[("go@2", "instead:bestmove g2g4 ponder d8e7"), ("ponder@4", "die:7")]);
    let game = Match::new().moves(FOOLS_MATE).white(white).black(slow(500));
    game.run().ends("0-1 checkmate 5.1.1", 4);
}

#[test]
fn what_a_pondering_engine_prints_harms_nobody_else() {
    // Floods: Black's move comes all the same, and White's flag falls. A line without end breaks the protocol.
    for (action, ending) in
        [("flood:info depth 1", "0-1 flag_fall 6.9"), ("flood-raw", "0-1 protocol_violation -")]
    {
        let white = ponderer(&[("go@2", RIGHT_GUESS), ("ponder@4", action)]).with("time_control", json!("2"));
        Match::new().white(white).black(slow(300)).run().ends(ending, 4);
    }
    let white = ponderer(&[("go@2", RIGHT_GUESS), ("ponder@4", "print:rubbish")]);
    let outcome = Match::new().white(white).run().ends(MATE, 7);
    assert_eq!(outcome.faults(), ["1 Alpha printed a line that is not UCI"]);
}

#[test]
fn a_pondering_engine_is_read_while_its_opponent_thinks() {
    // More than a pipe holds; its early answer stands behind it.
    let white = ponderer(&[("go@2", RIGHT_GUESS), ("ponder@4", "lines:10000"), ("ponder@4", EARLY)]);
    let outcome = Match::new().white(white).black(slow(3000)).run().ends(MATE, 7);
    assert_eq!((&ply(&outcome, 5)["time_us"], &ply(&outcome, 5)["ponder"]), (&json!(0), &json!("hit")));
}

#[test]
fn p_24_a_game_that_ends_while_an_engine_ponders_is_ended_by_stop_and_its_bestmove() {
    let black = ponderer(&[("go@5", "instead:bestmove g8f6 ponder h5f3"), ("stop", "sleep:300")]);
    let outcome = Match::new().black(black).set("pairs", json!(true)).run().exits_with(0);
    assert_eq!(outcome.endings(), [MATE, MATE]);
    let lines = dialogue(&outcome, "Beta");
    let ponder = lines.iter().position(|line| line == "go ponder").unwrap();
    assert_eq!(lines[ponder + 1..ponder + 4], ["stop", "ucinewgame", "isready"], "{lines:?}");
    assert_eq!((outcome.starts("Beta"), outcome.faults()), (1, Vec::new()));
    // The last game's `quit` comes after it too.
    let black = ponderer(&[("go@5", "instead:bestmove g8f6 ponder h5f3")]);
    let outcome = Match::new().black(black).run().ends(MATE, 7);
    assert_eq!(
        dialogue(&outcome, "Beta")[6..],
        ["e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f3", "go ponder", "stop", "quit"]
    );
    // One that does not answer is started anew.
    let black = ponderer(&[("go@5", "instead:bestmove g8f6 ponder h5f3"), ("stop", "nothing")]);
    let game = Match::new().black(black).rounds(2).set("defaults.timeouts.quit", json!("300ms"));
    let outcome = game.run().exits_with(0);
    assert_eq!((outcome.endings(), outcome.starts("Beta")), (vec![MATE.to_owned(); 2], 2));
}

#[test]
fn p_24_an_early_answer_at_the_end_of_a_game_is_not_the_next_games_move() {
    let black =
        ponderer(&[("go@5", "instead:bestmove g8f6 ponder h5f3"), ("ponder@7", "instead:bestmove a7a6")]);
    let white = fake(&["--on", "go@6", "sleep:1000"]);
    let outcome = Match::new().white(white).black(black).rounds(2).run().exits_with(0);
    assert_eq!((outcome.endings(), outcome.faults()), (vec![MATE.to_owned(); 2], Vec::new()));
    assert!(outcome.received_words("Beta", "stop").is_empty());
}

#[test]
fn two_games_in_a_row_with_two_pondering_engines() {
    let outcome = Match::new().white(prophet(&[])).black(prophet(&[])).rounds(2).run().exits_with(0);
    assert_eq!((outcome.endings(), outcome.faults()), (vec![MATE.to_owned(); 2], Vec::new()));
    for game in [1, 2] {
        let moves = outcome.events_of("move").filter(|event| event["game"] == game);
        let hits: Vec<bool> = moves.map(|event| event["ponder"] == "hit").collect();
        assert_eq!(hits, [false, false, true, true, true, true, true]);
    }
    for engine in ["Alpha", "Beta"] {
        assert_eq!((outcome.starts(engine), outcome.received_words(engine, "stop").len()), (1, 0));
    }
}

#[test]
fn p_09_nobody_ponders_on_a_bad_ponder_move_or_on_one_that_ends_the_game() {
    let white = ponderer(&[("go@0", "instead:bestmove e2e4 ponder a1a8")]);
    let outcome = Match::new().white(white).run().ends(MATE, 7);
    assert_eq!(outcome.faults(), ["1 Alpha named a ponder move that is not legal"]);
    assert!(ponder_commands(&outcome, "Alpha").is_empty());
    let outcome = Match::new().moves(FOOLS_MATE).white(prophet(&[])).run().ends("0-1 checkmate 5.1.1", 4);
    assert_eq!(ponder_commands(&outcome, "Alpha").len(), 1, "only on the reply to its first move");
}

#[test]
fn nobody_ponders_on_a_move_with_which_a_draw_will_be_claimed() {
    const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let play = |white: &str, black: &str| {
        let white = prophet(&[]).with("claims", json!(white));
        let black = fake(&[]).with("claims", json!(black));
        let outcome = Match::new().moves(SHUFFLE).white(white).black(black).run().exits_with(0);
        (outcome.game().sans.len(), ponder_commands(&outcome, "Alpha").len())
    };
    // Black's eighth ply would bring the initial position for the third time: with it, or after it, a draw is claimed.
    assert_eq!(play("never", "always"), (7, 3));
    assert_eq!(play("always", "never"), (8, 3));
    // Its sixteenth brings the fifth occurrence.
    assert_eq!(play("never", "never"), (16, 7));
}

#[test]
fn article_7_5_5_time_gained_while_it_pondered_is_told_to_an_engine_by_a_new_search() {
    for (penalty, outcome_of_ponder) in [("60s", "miss"), ("0s", "hit")] {
        let white = ponderer(&[("go@2", RIGHT_GUESS)]);
        let black = fake(&["--on", "go:2", "instead:bestmove a1a1"]);
        let game = Match::new().white(white).black(black).set("laws.illegal_move", json!("over_the_board"));
        let outcome = game.set("laws.penalty", json!(penalty)).run().ends(MATE, 7);
        assert_eq!(ponderings(&outcome)[4], Some(outcome_of_ponder), "{penalty}");
        let gained = if penalty == "0s" { 0 } else { 60_000 };
        let told = outcome.told("Alpha", "wtime");
        assert_eq!(told[2], Some(outcome.clock_after(3)), "the ponder search's own");
        if gained > 0 {
            assert_eq!(told[3], Some(outcome.clock_after(3) + gained));
        }
    }
}

#[test]
fn article_7_5_5_an_illegal_answer_to_a_ponder_search_is_asked_for_anew() {
    let white = ponderer(&[("go@2", RIGHT_GUESS), ("ponderhit@4", "instead:bestmove a1a1")]);
    let game = Match::new().white(white).set("laws.illegal_move", json!("over_the_board"));
    let outcome = game.run().ends(MATE, 7);
    assert_eq!(
        dialogue(&outcome, "Alpha")[4..9],
        ["e2e4 e7e5 d1h5 b8c6", "go ponder", "ponderhit", "e2e4 e7e5 d1h5 b8c6", "go"]
    );
    assert_eq!(ponderings(&outcome)[4], None, "the move that counts came of another search");
}

#[test]
fn article_9_5_3_a_denied_claim_of_the_opponents_gives_a_pondering_engine_time() {
    let white = ponderer(&[("go@2", RIGHT_GUESS)]);
    let outcome = Match::new().white(white).black(speaker(&[("go@3", "claim draw")])).run().ends(MATE, 7);
    assert_eq!(ponderings(&outcome)[4], Some("miss"));
    assert_eq!(outcome.told("Alpha", "wtime")[3], Some(outcome.clock_after(3) + 60_000));
}

#[test]
fn an_offer_is_told_to_a_pondering_engine_before_a_new_search() {
    let draw_offer = "print:option name DrawOffer type check default false";
    let white = || speaker(&[]).on("go@2", RIGHT_GUESS).with("ponder", json!(true));
    let black = || speaker(&[("go@3", "offer draw")]);
    let outcome = Match::new().white(white().on("uci", draw_offer)).black(black()).run().ends(MATE, 7);
    assert_eq!(
        dialogue(&outcome, "Alpha")[4..12],
        [
            "e2e4 e7e5 d1h5 b8c6",
            "go ponder",
            "stop",
            "setoption name DrawOffer value true",
            "e2e4 e7e5 d1h5 b8c6",
            "go",
            "setoption name DrawOffer value false",
            "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6",
        ]
    );
    // One that can't be told ponders on.
    let outcome = Match::new().white(white()).black(black()).run().ends(MATE, 7);
    assert_eq!(ponderings(&outcome)[4], Some("hit"));
}

#[test]
fn the_option_ponder_follows_from_the_match_file() {
    let with = |option: &str, ponder: bool| {
        let white = fake(&["--option", option, "--ponder"]).with("ponder", json!(ponder));
        Match::new().white(white).run().ends(MATE, 7)
    };
    let told = |outcome: &Outcome| outcome.received_words("Alpha", "setoption");
    assert_eq!(
        told(&with("option name ponder type check default true", true)),
        ["setoption name ponder value true"]
    );
    // An engine that takes pondering for granted is told that there is none.
    let off = with("option name Ponder type check default true", false);
    assert_eq!(told(&off), ["setoption name Ponder value false"]);
    assert!(ponder_commands(&off, "Alpha").is_empty());
    assert!(told(&with(PONDER_OPTION, false)).is_empty());
    // It ponders without the option too, if it names a move.
    let silent = with("option name Hash type spin default 1 min 1 max 9", true);
    assert!(told(&silent).is_empty() && ponderings(&silent).contains(&Some("hit")));
    assert!(silent.stderr.contains("Alpha declares no option `Ponder`"), "{}", silent.stderr);
}

#[test]
fn an_engine_that_answers_unasked_does_not_ponder() {
    // Which answer would be the early one?
    let white = prophet(&[("go@0", "then:bestmove a2a3")]);
    let outcome = Match::new().white(white).run().ends(MATE, 7);
    assert!(ponder_commands(&outcome, "Alpha").is_empty());
    assert_eq!(outcome.faults(), ["1 Alpha printed a bestmove that nobody had asked for"]);
}

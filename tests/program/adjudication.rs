//! Games that end by the match's own rules: scores, a move limit, endgame tables.

use serde_json::{Value, json};

use crate::support::command::{arbiter, stdout};
use crate::support::shared::shared;
use crate::support::{Match, Outcome, SCHOLARS_MATE, fake};

/// Sixteen plies, after which the initial position stands for the fifth time.
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
const FIVEFOLD: &str = "1/2-1/2 fivefold_repetition 9.6.1";
const DRAWN: &str = "1/2-1/2 adjudication_draw -";
const MATE: &str = "1-0 checkmate 5.1.1";

fn shuffle(adjudication: Value) -> Match {
    Match::new().moves(SHUFFLE).set("adjudication", adjudication)
}

/// Both engines tell the scores of this list, one for each ply.
fn scored(game: Match, scores: &str) -> Match {
    game.white(fake(&["--scores", scores])).black(fake(&["--scores", scores]))
}

/// The audit of a run's games by `arbiter judge` finds nothing.
fn passes_the_audit(outcome: &Outcome) {
    let audit = arbiter(&["judge", "--pgn", "-"], &outcome.pgn);
    let words = stdout(&audit);
    assert!(audit.status.success(), "{words}");
    let games = outcome.games.len();
    let plural = if games == 1 { "" } else { "s" };
    assert_eq!(words, format!("{games} game{plural}: {games} with a result that agrees with the Laws.\n"));
}

#[test]
fn s_08_a_draw_comes_with_the_last_move_that_it_needs() {
    let draw = |scores| scored(shuffle(json!({ "draw": { "move": 1, "count": 3, "score": 10 } })), scores);
    let outcome = draw("10 -10 0").run().ends(DRAWN, 6);
    let game = outcome.game();
    assert_eq!(game.closing_words(), "Draw by adjudication: both scores within 0.10 for 3 moves");
    assert_eq!(game.tag("Termination"), "adjudication");
    assert_eq!(outcome.events_of("game_ended").next().unwrap()["by"], Value::Null);
    passes_the_audit(&outcome);
    // Ply 4 is a mate score, ply 7 none at all.
    draw("0 0 0 m9 0 0 - 0 0 0 0 0 0").run().ends(DRAWN, 13);
    draw("11").run().ends(FIVEFOLD, 16);
    scored(shuffle(json!({})), "0").run().ends(FIVEFOLD, 16);
}

#[test]
fn s_08_captures_and_pawn_moves_begin_a_draws_count_anew_only_where_the_file_says_so() {
    // A pawn move at the fifth ply.
    let moves = "g1f3 g8f6 f3g1 f6g8 e2e3 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1";
    let draw = |reset: Value| {
        let rule = json!({ "move": 1, "count": 3, "score": 10, "reset_on_zeroing": reset });
        scored(Match::new().moves(moves).set("adjudication.draw", rule), "0")
    };
    draw(json!(null)).run().ends(DRAWN, 6);
    draw(json!(false)).run().ends(DRAWN, 6);
    // It is itself the first of three moves of each side.
    draw(json!(true)).run().ends(DRAWN, 10);
}

#[test]
fn o_11_the_move_number_is_that_of_fen_and_pgn() {
    let draw = || shuffle(json!({ "draw": { "move": 5, "count": 1, "score": 0 } }));
    draw().run().ends(DRAWN, 10);
    let start = |counters: &str| format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {counters}");
    draw().fen(&start("0 4")).run().ends(DRAWN, 4);
    draw().fen(&start("0 50")).run().ends(DRAWN, 2);
    let moves = "g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1";
    let black_first = draw().moves(moves).fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 3");
    black_first.run().ends(DRAWN, 5);
    // Moves of a book are numbered like any others, but their scores are unknown.
    let book = draw();
    std::fs::write(book.dir().join("book.pgn"), "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n").unwrap();
    book.set("openings", json!({ "file": "book.pgn" })).run().ends(DRAWN, 10);
}

#[test]
fn s_08_a_side_resigns_by_its_own_scores() {
    let resign =
        |two_sided| shuffle(json!({ "resign": { "count": 3, "score": 600, "two_sided": two_sided } }));
    let black_loses = "0 -600 0 -721 0 m-5";
    let outcome = scored(resign(false), black_loses).run().ends("1-0 adjudication_resign -", 6);
    let words = "White wins by adjudication: Black's score was -6.00 or less for 3 moves";
    assert_eq!(outcome.game().closing_words(), words);
    assert_eq!(outcome.game().tag("Termination"), "adjudication");
    passes_the_audit(&outcome);
    let white_loses = "-600 0 -600 0 -599 0 -600 0 -600 0 -600 0";
    let outcome = scored(resign(false), white_loses).run().ends("0-1 adjudication_resign -", 11);
    passes_the_audit(&outcome);
    // White doesn't see its win; a move later it does.
    scored(resign(true), "0 -600 0 -600 0 -600 0 0").run().ends(FIVEFOLD, 16);
    let outcome = scored(resign(true), "0 -600 600 -600 m9 -600 600 0").run();
    let outcome = outcome.ends("1-0 adjudication_resign -", 7);
    let words =
        "White wins by adjudication: Black's score was -6.00 or less and White's +6.00 or more for 3 moves";
    assert_eq!(outcome.game().closing_words(), words);
}

#[test]
fn scores_give_no_win_to_a_bare_king() {
    let rule = json!({ "resign": { "count": 1, "score": 600 } });
    let outcome = Match::new()
        .fen("q3k3/8/8/8/8/8/8/4K3 b - - 0 1")
        .moves("a8a7")
        .black(fake(&["--scores", "-900"]))
        .set("adjudication", rule)
        .run()
        .ends("1/2-1/2 adjudication_resign -", 1);
    let words = "Draw by adjudication: Black's score was -6.00 or less for 1 move, but White cannot mate";
    assert_eq!(outcome.game().closing_words(), words);
    passes_the_audit(&outcome);
}

#[test]
fn p_10_only_the_last_exact_score_of_the_first_variation_counts() {
    let resign = json!({ "resign": { "count": 2, "score": 600 } });
    // Printed before the usual line, whose score is 0 …
    let others =
        "info depth 9 multipv 2 score cp -900 pv a2a3\\ninfo depth 9 score cp -900 upperbound pv a2a3";
    let early = fake(&["--on", "go", &format!("print:info depth 8 score cp -900 pv a2a3\\n{others}")]);
    Match::new().moves(SHUFFLE).white(early).set("adjudication", resign.clone()).run().ends(FIVEFOLD, 16);
    // … or after it, by an answer of its own.
    let late = |line: &str| {
        let answers: Vec<_> = SHUFFLE.split(' ').enumerate().step_by(2).collect();
        answers.iter().fold(fake(&[]), |engine, (ply, played)| {
            let answer = format!("instead:info depth 8 score cp 0 pv {played}\\n{line}\\nbestmove {played}");
            engine.on(&format!("go@{ply}"), &answer)
        })
    };
    let game = |line| Match::new().moves(SHUFFLE).white(late(line)).set("adjudication", resign.clone());
    for line in [
        "info depth 9 multipv 2 score cp -900 pv a2a3",
        "info depth 9 multipv 10 score cp -900 pv a2a3",
        "info depth 9 score cp -900 upperbound pv a2a3",
        "info depth 9 score cp -900 lowerbound pv a2a3",
        "info string score cp -900",
    ] {
        game(line).run().ends(FIVEFOLD, 16);
    }
    game("info depth 9 multipv 1 score cp -900 pv a2a3").run().ends("0-1 adjudication_resign -", 3);
}

#[test]
fn the_move_limit_counts_what_the_engines_play() {
    let limit = || shuffle(json!({ "max_moves": 3 }));
    let outcome = limit().run().ends("1/2-1/2 adjudication_move_limit -", 6);
    assert_eq!(outcome.game().closing_words(), "Draw by adjudication: the engines have played 3 moves");
    passes_the_audit(&outcome);
    // It holds without any score.
    limit()
        .white(fake(&["--no-info"]))
        .black(fake(&["--no-info"]))
        .run()
        .ends("1/2-1/2 adjudication_move_limit -", 6);
    let book = limit();
    std::fs::write(book.dir().join("book.pgn"), "1. Nf3 Nf6 2. Ng1 *\n").unwrap();
    book.set("openings", json!({ "file": "book.pgn" })).run().ends("1/2-1/2 adjudication_move_limit -", 9);
    let set = Match::new().moves(SHUFFLE).arg("--set").arg("adjudication.max_moves=2");
    set.run().ends("1/2-1/2 adjudication_move_limit -", 4);
}

#[test]
fn r_38_the_laws_and_claims_go_before_adjudication() {
    // The seventh ply brings the third score that says so on either side, and mate.
    let rule = json!({ "resign": { "count": 3, "score": 600, "two_sided": true } });
    let scores = "0 -700 700 -700 700 -700 m1";
    let mating = Match::new().moves(SCHOLARS_MATE).set("adjudication", rule.clone());
    scored(mating, scores).run().ends(MATE, 7);
    let quiet = format!("{} h5e5", SCHOLARS_MATE.rsplit_once(' ').unwrap().0);
    let outcome = scored(Match::new().moves(&quiet).set("adjudication", rule), scores).run();
    outcome.ends("1-0 adjudication_resign -", 7);
    // After the eighth ply a claim is there as well.
    let level = || shuffle(json!({ "draw": { "move": 4, "count": 4, "score": 0 }, "max_moves": 4 }));
    level().set("defaults.claims", json!("always")).run().ends("1/2-1/2 threefold_repetition 9.2.1", 7);
    level()
        .set("defaults.claims", json!({ "threefold": "assisted", "fifty_move": "never" }))
        .white(fake(&["--scores", "1 0 1 0 1 0 0"]))
        .run()
        .ends("1/2-1/2 threefold_repetition 9.2.1", 7);
    level().run().ends(DRAWN, 8);
    let fifth = shuffle(json!({ "draw": { "move": 8, "count": 8, "score": 0 }, "max_moves": 8 }));
    fifth.run().ends(FIVEFOLD, 16);
}

#[test]
fn p_24_no_engine_thinks_when_a_game_is_adjudicated() {
    let ponders = || fake(&["--ponder", "--option", "option name Ponder type check default false"]);
    let outcome = shuffle(json!({ "max_moves": 2 }))
        .white(ponders())
        .black(ponders())
        .set("defaults.ponder", json!(true))
        .rounds(2)
        .run()
        .exits_with(0);
    assert_eq!(outcome.endings(), ["1/2-1/2 adjudication_move_limit -"; 2]);
    assert_eq!(outcome.faults(), Vec::<String>::new());
    for engine in ["Alpha", "Beta"] {
        assert_eq!(outcome.starts(engine), 1);
        let stops = outcome.received_words(engine, "stop").len();
        let searches = outcome.received(engine).iter().filter(|line| line.starts_with("go ponder")).count();
        let hits = outcome.received_words(engine, "ponderhit").len();
        assert_eq!(searches, hits + stops, "{engine} is left pondering");
        assert_eq!(stops, 1, "{engine} ponders when its game as White ends");
    }
}

fn with_tables(fen: &str, moves: &str, keys: Value) -> Option<Match> {
    let mut tablebase = json!({ "path": shared("syzygy")?.display().to_string() });
    tablebase.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    Some(Match::new().fen(fen).moves(moves).set("adjudication.tablebase", tablebase))
}

#[test]
fn r_37_tables_end_a_game_as_the_fifty_move_rule_allows() {
    let ends = |fen: &str, moves: &str, keys: Value, ending: &str, plies: usize| {
        Some(with_tables(fen, moves, keys)?.run().ends(ending, plies))
    };
    // The position at the start is none that an engine has brought about.
    let rook_takes =
        ends("4k3/8/8/8/8/8/3q4/3RK3 w - - 7 1", "d1d2", json!({}), "1-0 adjudication_tablebase -", 1);
    let Some(outcome) = rook_takes else { return };
    assert_eq!(outcome.game().closing_words(), "White wins by adjudication: a tablebase win");
    assert!(
        outcome
            .stderr
            .contains("adjudication: tablebase up to 4 men; found for 3 men (all 5), 4 men (all 30)\n"),
        "{}",
        outcome.stderr
    );
    passes_the_audit(&outcome);
    // After White's move the queen needs 60 plies to win the rook.
    let queen = |clock: u32| format!("8/8/8/8/7Q/3k4/2r5/4K3 w - - {clock} 80");
    ends(&queen(30), "e1d1", json!({}), "1-0 adjudication_tablebase -", 1);
    let outcome = ends(&queen(40), "e1d1", json!({}), "1/2-1/2 adjudication_tablebase -", 1).unwrap();
    let words = "Draw by adjudication: a tablebase win that takes longer than the fifty-move rule allows";
    assert_eq!(outcome.game().closing_words(), words);
    ends(&queen(40), "e1d1", json!({ "ignore_fifty": true }), "1-0 adjudication_tablebase -", 1);
    // With three men at most the queen against the rook is played on.
    let three = with_tables(&queen(0), "e1d1 c2b2", json!({ "pieces": 3 })).unwrap();
    three.set("adjudication.max_moves", json!(1)).run().ends("1/2-1/2 adjudication_move_limit -", 2);
}

#[test]
fn without_tables_nothing_is_played() {
    let game = |path: &str| Match::new().set("adjudication.tablebase", json!({ "path": path }));
    let missing = game("gone").run().exits_with(2);
    assert!(missing.stderr.contains("gone`: no such file or directory"), "{}", missing.stderr);
    assert!(missing.stderr.contains("--> match.yaml:1:"), "{}", missing.stderr);
    let empty = game("empty");
    std::fs::create_dir(empty.dir().join("empty")).unwrap();
    let empty = empty.run().exits_with(2);
    assert!(empty.stderr.contains("no Syzygy table"), "{}", empty.stderr);
    assert!(empty.stderr.contains("--> match.yaml:1:"), "{}", empty.stderr);
    for outcome in [missing, empty] {
        assert!(!outcome.path().join("match.out").exists(), "nothing was begun");
    }
}

#[test]
fn check_shows_the_rules_and_what_is_missing() {
    let outcome = shuffle(json!({ "draw": {}, "resign": {}, "max_moves": 200 })).check().exits_with(0);
    let words = "\
adjudication: resign at -6.00 or less for 3 moves
adjudication: draw from move 40 on, both scores within 0.10 for 8 moves
adjudication: draw after 200 moves of each engine
";
    assert!(outcome.stdout.contains(words), "{}", outcome.stdout);
    assert!(Match::new().check().stdout.contains("adjudication: off\n"));
    let Some(game) = with_tables("4k3/8/8/8/8/8/3q4/3RK3 w - - 7 1", "", json!({ "pieces": 6 })) else {
        return;
    };
    let outcome = game.check().exits_with(0);
    assert!(
        outcome.stdout.contains("adjudication: tablebase up to 6 men; found for 3 men"),
        "{}",
        outcome.stdout
    );
    let warning = "warning: no WDL table for 5 men was found";
    assert!(outcome.stderr.contains(warning), "{}", outcome.stderr);
}

//! What the clocks tell the engines and what they charge. Times are compared with limits that a busy machine keeps.

use serde_json::{Value, json};

use crate::support::{Match, Outcome, fake};

/// Sixteen plies, eight of each side, up to the fifth occurrence.
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
const BLACK_SHUFFLE: &str = "g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1";

fn moves_of<'a>(outcome: &'a Outcome, side: &'a str) -> Vec<&'a Value> {
    outcome.events_of("move").filter(|event| event["by"] == side).collect()
}

#[test]
fn both_clocks_are_told_with_base_plus_increment_at_the_start() {
    let outcome = Match::new().set("defaults.time_control", json!("60+2")).run().exits_with(0);
    assert_eq!(outcome.received_words("Alpha", "go")[0], "go wtime 62000 btime 62000 winc 2000 binc 2000");
    let (white, black) = (outcome.told("Alpha", "wtime"), outcome.told("Alpha", "btime"));
    for (told, next) in white.iter().zip(&white[1..]).chain(black.iter().zip(&black[1..])) {
        // The increment comes after each move: less than a move took can't be gone.
        assert!(next.unwrap() <= told.unwrap() + 2000, "{white:?} {black:?}");
        assert!(next.unwrap() > 60_000, "{white:?} {black:?}");
    }
    // What a record tells of the clock is what the next `go` told.
    for (event, told) in moves_of(&outcome, "white").iter().zip(&white[1..]) {
        assert_eq!(event["clock_us"].as_i64().unwrap() / 1000, told.unwrap());
    }
}

#[test]
fn each_engine_may_have_its_own_clock() {
    let outcome = Match::new()
        .white(fake(&[]).with("time_control", json!("90+1")))
        .black(fake(&[]).with("time_control", json!("30")))
        .rounds(2)
        .run()
        .exits_with(0);
    assert_eq!(outcome.received_words("Alpha", "go")[0], "go wtime 91000 btime 30000 winc 1000 binc 0");
    // In the second game the colours have changed, not the clocks.
    let second =
        outcome.received_words("Beta", "go").into_iter().find(|go| go.contains("wtime 30000 ")).unwrap();
    assert_eq!(second, "go wtime 30000 btime 91000 winc 0 binc 1000");
    assert_eq!(
        (outcome.games[0].tag("WhiteTimeControl"), outcome.games[1].tag("BlackTimeControl")),
        ("90+1", "90+1")
    );
}

#[test]
fn c_07_and_c_09_moves_to_go_counts_each_sides_own_moves_whoever_began() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 7";
    for (game, black_first) in
        [(Match::new().moves(SHUFFLE), false), (Match::new().moves(BLACK_SHUFFLE).fen(start), true)]
    {
        let outcome = game.set("defaults.time_control", json!("3/600:2/40:20+1")).run().exits_with(0);
        assert_eq!(outcome.endings(), ["1/2-1/2 fivefold_repetition 9.6.1"]);
        for engine in ["Alpha", "Beta"] {
            let expected = [Some(3), Some(2), Some(1), Some(2), Some(1), None, None, None];
            assert_eq!(outcome.told(engine, "movestogo"), expected, "{engine}, Black first: {black_first}");
        }
        // Where Black began, it is in its last period one ply earlier, and both increments are told.
        let other_side = black_first.then_some(0);
        // The next period's time is there after the third move, the last period's after the fifth.
        let mine = outcome.told("Alpha", "wtime");
        assert!(mine[2] <= Some(600_000) && mine[3] > Some(600_000) && mine[3] <= Some(640_000), "{mine:?}");
        assert!(mine[5] > mine[4] && mine[5] <= Some(661_000), "{mine:?}");
        assert_eq!(outcome.told("Alpha", "winc")[3..6], [None, other_side, Some(1000)]);
    }
}

#[test]
fn c_05_what_is_overdrawn_within_the_margin_is_forgiven_and_recorded_and_the_wire_tells_a_millisecond() {
    let white = fake(&["--on", "go@0", "sleep:700"])
        .with("time_control", json!("300ms"))
        .with("time_margin", json!("60s"));
    let outcome = Match::new().white(white).run().exits_with(0);
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"]);
    let first = moves_of(&outcome, "white")[0].clone();
    assert!(
        first["time_us"].as_u64() >= Some(700_000) && first["forgiven_us"].as_u64() >= Some(400_000),
        "{first}"
    );
    assert_eq!(first["clock_us"], 0);
    let forgiven = first["time_us"].as_u64().unwrap() - 300_000;
    assert!(first["forgiven_us"].as_u64().unwrap().abs_diff(forgiven) <= 1, "{first}");
    assert_eq!(outcome.told("Alpha", "wtime"), [Some(300), Some(1), Some(1), Some(1)]);
    assert_eq!(outcome.told("Beta", "wtime")[0], Some(1));
}

#[test]
fn c_08_the_next_periods_time_does_not_save_the_last_move_of_this_one() {
    let white = fake(&["--on", "go@0", "sleep:1500"]).with("time_control", json!("1/300ms:600"));
    let outcome = Match::new().white(white).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9"]);
    assert!(outcome.game().closing_words().contains("used of 0.300"), "{}", outcome.game().closing_words());
}

#[test]
fn c_02_and_c_03_fixed_move_time_is_a_limit_with_a_margin() {
    let with_margin = |margin: &str| {
        let white = fake(&["--on", "go@2", "sleep:900"]).with("time_control", json!("movetime=300ms"));
        Match::new().white(white.with("time_margin", json!(margin))).run().exits_with(0)
    };
    let forgiven = with_margin("60s");
    assert_eq!(forgiven.endings(), ["1-0 checkmate 5.1.1"]);
    assert!(moves_of(&forgiven, "white")[1]["forgiven_us"].as_u64() >= Some(600_000));
    assert_eq!(forgiven.received_words("Alpha", "go"), ["go movetime 300"; 4]);
    assert_eq!(with_margin("0ms").endings(), ["0-1 flag_fall 6.9"]);
}

#[test]
fn nodes_and_depth_are_sent_and_no_clock_runs() {
    let white = fake(&["--on", "go@0", "sleep:300"]).with("time_control", json!("nodes=5000"));
    let black = fake(&[]).with("time_control", json!({ "base": 60, "depth": 7 }));
    let outcome = Match::new().white(white).black(black).run().exits_with(0);
    assert_eq!(outcome.received_words("Alpha", "go"), ["go nodes 5000"; 4]);
    // White has no time that could be told.
    assert_eq!(outcome.told("Beta", "wtime"), [None; 3]);
    assert_eq!(outcome.told("Beta", "btime")[0], Some(60_000));
    assert_eq!(outcome.told("Beta", "depth"), [Some(7); 3]);
    let first = moves_of(&outcome, "white")[0];
    assert!(first["time_us"].as_u64() >= Some(300_000) && first["clock_us"].is_null(), "{first}");
    assert_eq!(outcome.game().tag("WhiteTimeControl"), "-");
}

#[test]
fn c_04_a_mate_that_comes_late_is_not_played() {
    let white = fake(&["--on", "go@6", "sleep:2500"]).with("time_control", json!("1200ms"));
    let outcome = Match::new().white(white).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9"]);
    assert_eq!(outcome.game().tag("PlyCount"), "6");
}

#[test]
fn the_time_of_a_move_is_charged_to_who_thought() {
    let outcome = Match::new().black(fake(&["--on", "go@1", "sleep:500"])).run().exits_with(0);
    let (white, black) = (moves_of(&outcome, "white"), moves_of(&outcome, "black"));
    assert!(black[0]["time_us"].as_u64() >= Some(500_000), "{}", black[0]);
    let charged =
        |moves: &[&Value]| moves.iter().map(|event| event["time_us"].as_i64().unwrap()).sum::<i64>();
    for moves in [&white, &black] {
        let left = moves.last().unwrap()["clock_us"].as_i64().unwrap();
        let rounding = i64::try_from(moves.len()).unwrap();
        assert!((600_000_000 - charged(moves) - left).abs() <= rounding, "{moves:?}");
    }
    assert!(outcome.told("Alpha", "btime")[1] <= Some(599_500));
}

#[test]
fn c_14_no_clock_runs_while_an_engine_gets_ready() {
    let slow = fake(&[
        "--on",
        "uci",
        "sleep:400",
        "--on",
        "isready",
        "sleep:400",
        "--on",
        "ucinewgame",
        "sleep:800",
    ]);
    let outcome = Match::new().white(slow.with("time_control", json!("700ms"))).run().exits_with(0);
    assert_eq!(outcome.told("Alpha", "wtime")[0], Some(700));
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"]);
}

#[test]
fn c_15_loading_on_the_first_isready_is_neither_killed_nor_charged() {
    let loading = fake(&["--on", "isready:1", "sleep:2500", "--on", "isready:2", "sleep:2500"])
        .with("time_control", json!("600 nodes=1"));
    let outcome = Match::new().white(loading).run().exits_with(0);
    assert_eq!((outcome.starts("Alpha"), outcome.faults()), (1, vec![]));
    let charged = moves_of(&outcome, "white")[0]["time_us"].as_u64().unwrap();
    assert!(charged < 2_500_000, "charged {charged} µs");
    // The opponent had to wait, and its clock stood still, too.
    assert_eq!(outcome.told("Beta", "btime")[0], Some(600_000));
}

#[test]
fn c_17_the_first_move_after_the_book_is_not_charged_for_what_was_set_up_before_it() {
    let slow = fake(&["--on", "ucinewgame", "sleep:2500"]);
    let game = Match::new().black(slow).set("openings", json!({ "file": "book.pgn" }));
    std::fs::write(game.dir().join("book.pgn"), "[Event \"?\"]\n\n1. e4 e5 2. Qh5 *\n").unwrap();
    let outcome = game.run().exits_with(0);
    let received = outcome.received("Beta");
    let from = received.iter().position(|line| line == "ucinewgame").unwrap();
    let words: Vec<&str> =
        received[from..].iter().take(4).map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(words, ["ucinewgame", "isready", "position", "go"]);
    let charged: Vec<u64> =
        moves_of(&outcome, "black").iter().map(|event| event["time_us"].as_u64().unwrap_or(0)).collect();
    assert!(charged.iter().all(|charged| *charged < 2_500_000), "{charged:?}");
}

#[test]
fn an_illegal_move_that_comes_late_is_a_flag_fall() {
    let white = fake(&["--on", "go@2", "sleep:1500", "--on", "go@2", "instead:bestmove (none)"]);
    let outcome = Match::new().white(white.with("time_control", json!("500ms"))).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9"]);
}

#[test]
fn an_increment_without_a_base_is_a_clock() {
    let white = fake(&["--on", "go@2", "sleep:2500"]).with("time_control", json!("0+1"));
    let outcome = Match::new().white(white).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9"]);
    assert_eq!(outcome.received_words("Alpha", "go")[0], "go wtime 1000 btime 600000 winc 1000 binc 0");
}

#[test]
fn what_a_delay_covers_costs_nothing() {
    // Each move takes longer than the base, which is all there is at the end.
    let sleeper = || fake(&["--on", "go", "sleep:300"]);
    for (control, shown) in [("0.2 delay=600", 200_000), ("0.2 bronstein=600", 600_200_000)] {
        let outcome = Match::new()
            .white(sleeper().with("time_control", json!(control)))
            .black(fake(&[]).with("time_control", json!("600+1")))
            .run()
            .exits_with(0);
        assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"]);
        for event in moves_of(&outcome, "white") {
            assert!(event["time_us"].as_u64() >= Some(300_000), "{event}");
            assert_eq!((&event["clock_us"], &event["forgiven_us"]), (&json!(shown), &Value::Null), "{event}");
        }
        assert_eq!(outcome.told("Alpha", "wtime"), [Some(600_200); 4]);
        assert_eq!(outcome.told("Alpha", "winc"), [Some(600_000); 4]);
        assert_eq!(outcome.told("Beta", "wtime"), [Some(600_200); 3]);
        let game = outcome.game();
        assert_eq!((game.tag("WhiteTimeControl"), game.tag("WhiteTimeControlText")), ("?", control));
        assert_eq!(game.tag("BlackTimeControl"), "600+1");
        assert!(!game.tags.contains_key("BlackTimeControlText"));
    }
}

#[test]
fn beyond_the_delay_the_clock_runs_and_the_flag_falls() {
    for control in ["1 delay=0.2", "1 bronstein=0.2"] {
        let white = fake(&["--on", "go@2", "sleep:2500"]).with("time_control", json!(control));
        let outcome = Match::new().white(white).run().exits_with(0);
        assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9"]);
        // All that was left and the delay.
        assert!(outcome.game().closing_words().contains(" s used of 1."), "{}", outcome.pgn);
    }
    // Beyond the delay, the time used is what the clock loses.
    let white = fake(&["--on", "go@2", "sleep:700"]).with("time_control", json!("600 delay=0.2"));
    let outcome = Match::new().white(white).run().exits_with(0);
    let second = moves_of(&outcome, "white")[1].clone();
    let before = moves_of(&outcome, "white")[0]["clock_us"].as_i64().unwrap();
    let lost = before - second["clock_us"].as_i64().unwrap();
    assert!((second["time_us"].as_i64().unwrap() - 200_000 - lost).abs() <= 1, "{second}");
}

#[test]
fn each_engine_may_have_its_own_kind_of_limit() {
    let outcome = Match::new()
        .white(fake(&[]).with("time_control", json!("600 delay=2 mate=9")))
        .black(fake(&[]).with("time_control", json!({ "movetime": "20s", "nodes": 7, "mate": 3 })))
        .run()
        .exits_with(0);
    assert_eq!(outcome.received_words("Alpha", "go")[0], "go wtime 602000 winc 2000 mate 9");
    assert_eq!(outcome.received_words("Beta", "go"), ["go movetime 20000 nodes 7 mate 3"; 3]);
}

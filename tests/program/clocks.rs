//! What the clocks tell the engines and what they charge. Times are compared with limits that a busy machine keeps.

use serde_json::{Value, json};

use crate::support::{Match, Outcome, fake};

/// Sixteen plies, eight of each side, up to the fifth occurrence.
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
const BLACK_SHUFFLE: &str = "g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1";

/// The value of each `go` after this word, `None` where it isn't sent.
fn told(outcome: &Outcome, engine: &str, word: &str) -> Vec<Option<i64>> {
    let value = |line: &String| {
        let mut words = line.split(' ').skip_while(|part| *part != word).skip(1);
        words.next().map(|value| value.parse().unwrap())
    };
    outcome.received_words(engine, "go").iter().map(value).collect()
}

fn moves_of<'a>(outcome: &'a Outcome, side: &'a str) -> Vec<&'a Value> {
    outcome.events_of("move").filter(|event| event["by"] == side).collect()
}

#[test]
fn both_clocks_are_told_with_base_plus_increment_at_the_start() {
    let outcome = Match::new().set("defaults.time_control", json!("60+2")).run().exits_with(0);
    assert_eq!(outcome.received_words("Alpha", "go")[0], "go wtime 62000 btime 62000 winc 2000 binc 2000");
    let (white, black) = (told(&outcome, "Alpha", "wtime"), told(&outcome, "Alpha", "btime"));
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
            assert_eq!(told(&outcome, engine, "movestogo"), expected, "{engine}, Black first: {black_first}");
        }
        // Where Black began, it is in its last period one ply earlier, and both increments are told.
        let other_side = black_first.then_some(0);
        // The next period's time is there after the third move, the last period's after the fifth.
        let mine = told(&outcome, "Alpha", "wtime");
        assert!(mine[2] <= Some(600_000) && mine[3] > Some(600_000) && mine[3] <= Some(640_000), "{mine:?}");
        assert!(mine[5] > mine[4] && mine[5] <= Some(661_000), "{mine:?}");
        assert_eq!(told(&outcome, "Alpha", "winc")[3..6], [None, other_side, Some(1000)]);
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
    assert_eq!(told(&outcome, "Alpha", "wtime"), [Some(300), Some(1), Some(1), Some(1)]);
    assert_eq!(told(&outcome, "Beta", "wtime")[0], Some(1));
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
    assert_eq!(told(&outcome, "Beta", "wtime"), [None; 3]);
    assert_eq!(told(&outcome, "Beta", "btime")[0], Some(60_000));
    assert_eq!(told(&outcome, "Beta", "depth"), [Some(7); 3]);
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
    assert!(told(&outcome, "Alpha", "btime")[1] <= Some(599_500));
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
    assert_eq!(told(&outcome, "Alpha", "wtime")[0], Some(700));
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"]);
}

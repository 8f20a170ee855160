//! Field reports about the protocol, each through the binary.

use serde_json::{Value, json};

use crate::support::{EngineKeys, Match, Outcome, SCHOLARS_MATE, fake};

fn white(engine: EngineKeys) -> Match {
    Match::new().white(engine)
}

#[track_caller]
fn plays_well(game: Match) -> Outcome {
    let outcome = game.run().exits_with(0);
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"], "{}{}", outcome.pgn, outcome.stderr);
    outcome
}

#[test]
fn p_01_a_late_bestmove_of_the_last_game_is_nobodys_answer() {
    // Its flag falls at ply 2; the answer to that comes by itself, after `stop`, or not before the next `ucinewgame`.
    for (rules, starts) in [
        (vec!["--on", "go@2/1", "sleep:1600"], 1),
        (vec!["--on", "go@2/1", "nothing", "--on", "stop", "sleep:300"], 1),
        (
            vec![
                "--on",
                "go@2/1",
                "nothing",
                "--on",
                "stop",
                "nothing",
                "--on",
                "ucinewgame:2",
                "print:bestmove d1h5",
            ],
            2,
        ),
    ] {
        let slow = fake(&rules).with("time_control", json!("1"));
        let game = white(slow)
            .rounds(2)
            .set("defaults.timeouts.quit", json!(if starts == 1 { "20s" } else { "300ms" }));
        let outcome = game.run().exits_with(0);
        assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9", "1-0 checkmate 5.1.1"], "{rules:?}");
        assert_eq!(outcome.starts("Alpha"), starts, "{rules:?}");
    }
}

#[test]
fn p_01_a_bestmove_before_go_is_nobodys_answer() {
    // Before `go`, with the `readyok` of the new game, and with each `readyok`.
    for trigger in ["isready:2", "isready"] {
        let outcome = plays_well(white(fake(&["--on", trigger, "then:bestmove a2a3"])));
        assert_eq!(outcome.faults(), ["1 Alpha printed a bestmove that nobody had asked for"]);
        assert_eq!(outcome.game().ucis[0], "e2e4");
    }
    let outcome = plays_well(white(fake(&["--on", "ucinewgame", "print:bestmove a2a3"])));
    assert_eq!(outcome.game().ucis[0], "e2e4");
}

#[test]
fn p_01_a_second_bestmove_is_not_the_answer_to_the_next_search() {
    let outcome = plays_well(white(fake(&[
        "--on",
        "go@0",
        "then:bestmove e2e4",
        "--on",
        "go@2",
        "then:bestmove a2a3",
    ])));
    assert_eq!(outcome.game().ucis, SCHOLARS_MATE.split(' ').collect::<Vec<_>>());
}

#[test]
fn p_02_carriage_returns_and_pieces_make_no_difference() {
    plays_well(white(fake(&["--crlf"])).black(fake(&["--bytewise"])));
    plays_well(white(fake(&["--crlf", "--bytewise"])).black(fake(&[
        "--on",
        "go@1",
        "instead:bestmove e7e5 \\r",
    ])));
}

#[test]
fn p_03_blanks_and_tabs_separate_words() {
    let engine = fake(&[
        "--on",
        "uci",
        "instead:id \\t name  Fake\\noption  name  Hash\\ttype  spin default  16 min 1 max  64\\nuciok  ",
        "--on",
        "isready",
        "instead:  readyok\\t",
        "--on",
        "go@2",
        "instead:\\tinfo  depth\\t7   score cp  12\\n \\tbestmove \\t d1h5   ponder\\tb8c6",
    ]);
    let outcome = plays_well(white(engine.with("options", json!({ "Hash": 32 }))));
    assert_eq!(outcome.game().comments[2].1.split(' ').next(), Some("+0.12/7"));
    assert_eq!(outcome.received_words("Alpha", "setoption"), ["setoption name Hash value 32"]);
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn p_04_odd_option_lines_never_break_the_handshake() {
    let lines = [
        "option name Path type string default max min var type",
        "option name Huge type spin default 99999999999999999999 min -99999999999999999999 max 18446744073709551615",
        "option name Word type spin default many min few max lots",
        "option name NoType",
        "option name Strange type slider default 3",
        "option type check default true",
        "option",
        "option name Style type combo default Normal var Solid var Normal var Very Risky",
        "option name Empty type string default",
        "option name Hash type spin default 16",
        "option name \u{fc}n\u{ef}code type check default true",
    ];
    let mut arguments: Vec<&str> = lines.iter().flat_map(|line| ["--option", line]).collect();
    let raw = "print:option name Bytes\\xff\\0 type check default \\xfe";
    arguments.extend(["--on", "uci", raw]);
    let engine = fake(&arguments);
    let options = json!({ "Style": "very risky", "Hash": 1_000_000, "Path": "/a b/max", "Huge": 9_000_000_000_000_000_000_u64 });
    let outcome = plays_well(white(engine.with("options", options)));
    let mut sent = outcome.received_words("Alpha", "setoption");
    sent.sort();
    assert_eq!(
        sent,
        [
            "setoption name Hash value 1000000",
            "setoption name Huge value 9000000000000000000",
            "setoption name Path value /a b/max",
            "setoption name Style value Very Risky",
        ]
    );
}

#[test]
fn p_05_a_default_in_upper_case_is_a_check_option_all_the_same() {
    let engine = fake(&["--option", "option name UCI_LimitStrength type check default False"]);
    let outcome = plays_well(white(engine.with("options", json!({ "UCI_LimitStrength": true }))));
    assert_eq!(outcome.received_words("Alpha", "setoption"), ["setoption name UCI_LimitStrength value true"]);
}

#[test]
fn p_06_banners_and_blank_lines_are_no_fault() {
    let engine = fake(&[
        "--on",
        "start",
        "print:Fake 1.0 by Nobody\\n\\nNUL \\0 and \\xff",
        "--option",
        "\n\noption name Hash type spin default 1 min 1 max 9\n",
        "--option",
        "info string loading\nhello",
    ]);
    let outcome = plays_well(white(engine.with("options", json!({ "Hash": 9 }))));
    assert_eq!(outcome.received_words("Alpha", "setoption"), ["setoption name Hash value 9"]);
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn p_07_no_info_line_is_needed() {
    let quiet = || fake(&["--no-info"]).with("claims", json!("assisted"));
    let outcome = plays_well(white(quiet()).black(quiet()));
    assert!(
        outcome.events_of("move").all(|event| event["score"] == Value::Null && event["time_us"].is_u64())
    );
    assert!(outcome.game().comments[0].1.ends_with('s'), "only the time is told");
}

#[test]
fn p_09_a_bad_ponder_move_is_told_and_the_move_stands() {
    let outcome = plays_well(white(fake(&["--on", "go@2", "instead:bestmove d1h5 ponder a1a8"])));
    assert_eq!(outcome.faults(), ["1 Alpha named a ponder move that is not legal"]);
    // Nobody ponders after the last move.
    let outcome = plays_well(white(fake(&["--on", "go@6", "instead:bestmove h5f7 ponder a1a8"])));
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn p_11_info_string_is_comment() {
    let comment = "info string bestmove a2a3 score cp 900 depth 99 pv a2a3\\ninfo string claim draw\\ninfo";
    let print = format!("print:{comment}");
    let outcome = plays_well(white(fake(&["--scores", "17", "--on", "go", &print])));
    for event in outcome.events_of("move").filter(|event| event["by"] == "white") {
        assert_eq!((&event["score"], &event["depth"]), (&json!({ "cp": 17 }), &json!(1)));
    }
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn any_bytes_in_an_info_line_are_harmless() {
    let print =
        "print:info depth 5 score cp 1 pv \\xff\\xfe\\0 e2e4\\ninfo score \\0cp\\ninfo depth -1 nodes x";
    let outcome = plays_well(white(fake(&["--on", "go", print])));
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn p_14_and_p_15_each_search_gets_one_position_with_all_moves_from_the_record() {
    let book = "[Event \"?\"]\n\n1. e4 e5 2. Qh5 *\n";
    let game = Match::new().set("openings", json!({ "file": "book.pgn" }));
    std::fs::write(game.dir().join("book.pgn"), book).unwrap();
    let outcome = plays_well(game);
    let moves: Vec<&str> = SCHOLARS_MATE.split(' ').collect();
    let position = |plies: usize| format!("position startpos moves {}", moves[..plies].join(" "));
    assert_eq!(outcome.received_words("Beta", "position"), [position(3), position(5)]);
    assert_eq!(outcome.received_words("Alpha", "position"), [position(4), position(6)]);
}

#[test]
fn p_15_after_a_fen_the_position_is_the_fen_and_the_moves() {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 12 40";
    let outcome = plays_well(Match::new().fen(fen).moves("a1b1 h8g8 b1b8"));
    assert_eq!(
        outcome.received_words("Alpha", "position"),
        [format!("position fen {fen}"), format!("position fen {fen} moves a1b1 h8g8"),]
    );
    assert_eq!(outcome.received_words("Beta", "position"), [format!("position fen {fen} moves a1b1")]);
}

#[test]
fn the_order_of_a_games_commands() {
    let outcome = plays_well(white(
        fake(&["--option", "option name Hash type spin default 1 min 1 max 9"])
            .with("options", json!({ "Hash": 2 }))
            .with("time_control", json!("nodes=5")),
    ));
    let received = outcome.received("Alpha");
    let words: Vec<&str> =
        received.iter().map(String::as_str).filter(|line| !line.starts_with("# ")).collect();
    assert_eq!(
        words[..7],
        [
            "uci",
            "setoption name Hash value 2",
            "isready",
            "ucinewgame",
            "isready",
            "position startpos",
            "go nodes 5",
        ]
    );
    assert_eq!(words.last(), Some(&"quit"));
    assert_eq!(words.iter().filter(|word| **word == "isready").count(), 2, "no round trips inside a game");
}

#[test]
fn p_20_a_crash_on_a_long_position_line_tells_its_length() {
    let line = long_game();
    let plies = line.len();
    let last = format!("go@{}", plies - 2 + plies % 2);
    let crash = fake(&["--on", &last, "die:11"]);
    let outcome = white(crash).moves(&line.join(" ")).fen(LONG_START).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 disconnect -"]);
    let words = outcome.game().closing_words();
    let bytes: usize =
        words.split("the position line had ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let sent = outcome.received_words("Alpha", "position").pop().unwrap();
    assert_eq!(bytes, sent.len());
    assert!(bytes > 4000);
}

const LONG_START: &str = "7k/pppppp2/8/8/8/8/PPPPPP2/7K w - - 0 1";

/// 888 plies: the kings wander in circles of three and of four squares, so that no position comes a fifth time before
/// a pawn's step makes all of them new.
fn long_game() -> Vec<String> {
    let mut game = Vec::new();
    let (white, black) = (["h1g2", "g2h2", "h2h1"], ["h8g8", "g8g7", "g7h7", "h7h8"]);
    for (rank, next) in [(2, 3), (3, 4)] {
        for file in ['a', 'b', 'c', 'd', 'e', 'f'] {
            for step in 0..36 {
                game.extend([white[step % 3].to_owned(), black[step % 4].to_owned()]);
            }
            game.push(format!("{file}{rank}{file}{next}"));
            game.push(format!("{file}{}{file}{}", 9 - rank, 9 - next));
        }
    }
    game
}

#[test]
fn p_21_what_an_engine_says_instead_of_readyok_is_told() {
    let engine = fake(&["--on", "isready", "instead:error: network net.bin not found"]);
    let game = white(engine.with("timeouts", json!({ "ready": "400ms", "quit": "300ms" })));
    let outcome = game.run().exits_with(3);
    assert!(outcome.stderr.contains("Alpha: no `readyok` within 0.4 s"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("`error: network net.bin not found`"), "{}", outcome.stderr);
    // And what it said on stderr.
    let engine = fake(&["--on", "isready", "stderr:30", "--on", "isready", "die:1"]);
    let outcome = white(engine).run().exits_with(3);
    assert!(outcome.stderr.contains("a word on stderr"), "{}", outcome.stderr);
}

#[test]
fn the_last_line_that_is_told_of_a_crash_is_the_last_one() {
    let engine = fake(&[
        "--on",
        "start",
        "print:Fake 1.0",
        "--on",
        "go@2",
        "print:panic: no memory",
        "--on",
        "go@2",
        "die:1",
    ]);
    let outcome = white(engine).run().exits_with(0);
    assert!(
        outcome.game().closing_words().ends_with("its last line was `panic: no memory`"),
        "{}",
        outcome.pgn
    );
    // A banner of long ago is not.
    let engine = fake(&["--on", "start", "print:Fake 1.0", "--on", "go@2", "die:1"]);
    let outcome = white(engine).run().exits_with(0);
    assert!(!outcome.game().closing_words().contains("Fake 1.0"), "{}", outcome.pgn);
}

#[test]
fn p_23_options_are_sent_as_they_are_declared() {
    let engine = fake(&[
        "--option",
        "option name Hash type spin default 16",
        "--option",
        "option name Threads type spin default 1 min 1 max 8",
        "--option",
        "option name Clear Hash type button",
        "--option",
        "option name Reset type button",
        "--option",
        "option name Book type string default <empty>",
        "--option",
        "option name Ownbook type check default false",
    ]);
    let options = json!({ "hash": 99999, "Clear Hash": true, "Reset": false, "Book": "", "ownbook": true, "Threads": 2 });
    let outcome = plays_well(white(engine.with("options", options)));
    assert_eq!(
        outcome.received_words("Alpha", "setoption"),
        [
            "setoption name Threads value 2",
            "setoption name Hash value 99999",
            "setoption name Clear Hash",
            "setoption name Book value <empty>",
            "setoption name Ownbook value true",
        ]
    );
}

#[test]
fn environment_folder_and_arguments_are_the_engines() {
    let engine = fake(&[]).with("env", json!({ "FAKE_WORD": "a b" })).with("dir", json!("engines"));
    let game = white(engine);
    std::fs::create_dir(game.dir().join("engines")).unwrap();
    let outcome = plays_well(game);
    let received = outcome.received("Alpha");
    assert!(received.contains(&"# env FAKE_WORD=a b".to_owned()), "{received:?}");
    let directory = outcome.path().join("engines").canonicalize().unwrap();
    assert!(received.contains(&format!("# dir {}", directory.display())), "{received:?}");
}

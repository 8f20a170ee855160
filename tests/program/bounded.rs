//! What an engine prints, or doesn't read, without end: it fills neither the referee's memory nor its patience.

use serde_json::json;

use crate::support::processes::peak_memory;
use crate::support::{Match, Outcome, fake};

const CHECKMATE: &str = "1-0 checkmate 5.1.1";
const MEBIBYTE: u64 = 1 << 20;

#[test]
fn the_referees_memory_is_bounded_whatever_an_engine_prints() {
    let game = Match::new().rounds(9).set("defaults.timeouts.start", json!("100s"));
    let wait = game.hold("go");
    // Alpha, in a new process for each game: 64 MiB without a line end, of lines, on stderr; options without end, in
    // number and in length; variations of 900 KiB; then it waits to be looked at.
    let white = fake(&[])
        .with("restart", json!("every_game"))
        .on("go#1", "bytes:67108864")
        .on("go#2", "lines:2000000")
        .on("go#3", "stderr:67108864")
        .on("uci#4", "options:200000")
        .on("uci#5", "long-lines:80:option name X type combo| var x")
        .on("uci#6", "long-lines:80:id name X|x")
        .on("go#7", "long-lines:20:info depth 1 score cp 1 pv| e2e4")
        .on("go#8", "token:921600")
        .on("go#8", "nothing")
        .on("go#9", &wait);
    let mut run = game.white(white).start();
    run.wait_until_file_has("Alpha.log", |log| {
        log.split("# start").nth(9).is_some_and(|last| last.contains("go "))
    });
    let most = peak_memory(run.id()).unwrap();
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    let mut expected = vec![CHECKMATE; 9];
    expected[0] = "0-1 protocol_violation -";
    // Black in the even games.
    expected[7] = "1-0 illegal_move 7.5.5";
    assert_eq!(outcome.endings(), expected, "{}", outcome.stderr);
    assert!(most < 100 * MEBIBYTE, "{} MiB", most / MEBIBYTE);
    for words in ["Alpha declares too many options", "Alpha floods its stderr"] {
        assert_eq!(
            outcome.stderr.matches(words).count(),
            if words.contains("options") { 2 } else { 1 },
            "{words}"
        );
    }
    assert!(outcome.stderr.len() < 10_000, "{}", outcome.stderr);
}

#[test]
fn b_12_a_flood_of_debug_text_is_told_once_with_the_engines_name() {
    let flood = fake(&[
        "--on",
        "go@2",
        "print:eval 0.35",
        "--on",
        "uci",
        "print:option",
        "--on",
        "uci",
        "print:option x",
    ]);
    let chatty = (0..6).fold(flood, |engine, _| engine.on("go@2", "text-lines:50000"));
    let outcome = Match::new().white(chatty).run().exits_with(0);
    assert_eq!((outcome.endings(), outcome.faults().len()), (vec![CHECKMATE.to_owned()], 1));
    assert_eq!(
        outcome.stderr.matches("Alpha printed a line that is not UCI").count(),
        1,
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("Alpha: 2 unreadable option lines were ignored"), "{}", outcome.stderr);
}

/// An engine that is sent more than a pipe holds.
fn burdened(rules: &[(&str, &str)]) -> Match {
    let engine = fake(&["--option", "option name Network type string default <empty>"]);
    let engine = rules.iter().fold(engine, |engine, (trigger, action)| engine.on(trigger, action));
    let limits = json!({ "ready": "900ms", "quit": "300ms" });
    let options = json!({ "Network": "x".repeat(300_000) });
    Match::new().white(engine.with("options", options).with("timeouts", limits))
}

#[test]
fn a_full_pipe_does_not_hold_the_referee_up() {
    // It reads late, but it reads.
    let outcome = burdened(&[("uci", "then:"), ("setoption", "sleep:200")]).run().exits_with(0);
    assert_eq!(outcome.endings(), [CHECKMATE]);
    assert_eq!(
        outcome.received_words("Alpha", "setoption")[0].len(),
        "setoption name Network value ".len() + 300_000
    );
    // It never reads again: at the start of a run, and when it is started anew.
    let deaf = "print:option name Network type string default x\\nuciok";
    let outcome = burdened(&[("uci", deaf), ("uci", "deaf")]).run().exits_with(3);
    assert!(outcome.stderr.contains("no `readyok` within 0.9 s"), "{}", outcome.stderr);
    let outcome =
        burdened(&[("go@2#1", "die:1"), ("uci#2", deaf), ("uci#2", "deaf")]).rounds(3).run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 disconnect -", "1-0 stall -", CHECKMATE]);
}

/// Process, game (0: none yet), number, engine, what was said.
fn dialogue(outcome: &Outcome) -> Vec<(u32, u32, u32, String, String)> {
    let log = std::fs::read_to_string(outcome.path().join("uci.log")).unwrap();
    let line = |line: &str| {
        let (place, said) = line.split_once('[')?.1.split_once("] ")?;
        let (place, number) = place.split_once(" #")?;
        let (process, game) = place.split_once(' ')?;
        let game = game.strip_prefix("game ").map_or(0, |game| game.parse().unwrap());
        let (engine, said) = said.split_once(' ')?;
        Some((process.parse().unwrap(), game, number.parse().unwrap(), engine.to_owned(), said.to_owned()))
    };
    log.lines().filter_map(line).collect()
}

#[test]
fn p_25_the_log_tells_of_each_line_which_process_and_which_game_it_belongs_to() {
    // A variation too many after the last move of the first game, and one in the second.
    let stray = "then:info depth 7 pv h5f7 stray";
    let alpha = fake(&["--on", "go@6/1#1", stray, "--on", "go@1/2", stray, "--on", "go@3/2", "die:1"]);
    let outcome = Match::new().white(alpha).rounds(3).arg("--log").arg("uci.log").run().exits_with(0);
    assert_eq!(outcome.endings(), [CHECKMATE, "1-0 disconnect -", CHECKMATE]);
    let lines = dialogue(&outcome);
    let strays = lines.iter().filter(|(.., said)| said.ends_with("stray"));
    assert_eq!(strays.map(|(_, game, ..)| *game).collect::<Vec<_>>(), [1, 2]);
    let processes: std::collections::BTreeSet<u32> = lines.iter().map(|(process, ..)| *process).collect();
    assert_eq!(processes.len(), 3, "Alpha was started twice");
    for process in processes {
        let own: Vec<_> = lines.iter().filter(|(of, ..)| *of == process).collect();
        assert!(own.iter().zip(1..).all(|((_, _, number, ..), expected)| *number == expected), "{own:?}");
        assert!(own.iter().all(|(.., engine, _)| *engine == own[0].3));
        assert_eq!((own[0].1, own[0].4.as_str()), (0, "< uci"));
    }
    // The moves of each game, as the engines were told them, are in that game.
    let games = |engine: &str| -> Vec<u32> {
        let asked = lines.iter().filter(|(.., name, said)| name == engine && said.starts_with("< go"));
        asked.map(|(_, game, ..)| *game).collect()
    };
    assert_eq!(games("Alpha"), [1, 1, 1, 1, 2, 2, 3, 3, 3, 3]);
    assert_eq!(games("Beta"), [1, 1, 1, 2, 2, 3, 3, 3]);
}

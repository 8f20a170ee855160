//! The command line: mistakes in match files, `check`, `--set`, `--dry-run`, folders, a closed stdout.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::json;
use tempfile::TempDir;

use crate::support::{Match, Outcome, Running, SCHOLARS_MATE, fake, pgn, program, sparring};

/// Runs the program on this text.
fn with_file(command: &str, text: &str, args: &[&str]) -> Outcome {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("match.yaml"), text).unwrap();
    in_dir(dir, command, args)
}

fn in_dir(dir: TempDir, command: &str, args: &[&str]) -> Outcome {
    let args = [command, "match.yaml"].iter().chain(args).map(|arg| (*arg).to_owned()).collect();
    Running::start(dir, args, "no marker".to_owned()).finish()
}

const TWO: &str = "engines:\n  - { name: A, command: [arbiter, sparring] }\n  - { name: B, command: [arbiter, sparring] }\n";

#[test]
fn mistakes_are_shown_together_with_line_excerpt_and_near_miss() {
    let text = format!("{TWO}roundz: 3\nconcurency: 2\nrounds: many\n");
    for command in ["run", "check"] {
        let outcome = with_file(command, &text, &[]).exits_with(2);
        for words in [
            "match.yaml:4:1",
            "roundz: 3",
            "did you mean `rounds`",
            "concurency",
            "`concurrency`",
            "match.yaml:6:",
        ] {
            assert!(outcome.stderr.contains(words), "{words}: {}", outcome.stderr);
        }
        assert_eq!(outcome.stdout, "");
        assert!(!outcome.path().join("match.out").exists(), "nothing was begun");
    }
}

#[test]
fn positions_that_can_not_be_played_from_are_shown_together_at_their_places() {
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let text = format!(
        "{TWO}openings:\n  fens:\n    - no position\n    - {good}\n    - 8/8/8/8/8/8/8/8 w - - 0 1\n"
    );
    for command in ["run", "check"] {
        let outcome = with_file(command, &text, &[]).exits_with(2);
        for words in ["position 1 of `fens`", "match.yaml:6:7", "position 3 of `fens`", "match.yaml:8:7"] {
            assert!(outcome.stderr.contains(words), "{command} {words}: {}", outcome.stderr);
        }
        assert!(!outcome.stderr.contains("match.yaml:7:"), "{}", outcome.stderr);
    }
}

#[test]
fn names_are_unique() {
    let outcome = with_file("run", &TWO.replace("name: B", "name: a"), &[]).exits_with(2);
    assert!(outcome.stderr.contains("match.yaml:3:"), "{}", outcome.stderr);
}

#[test]
fn a_file_that_is_not_there_and_unknown_arguments_are_usage_errors() {
    let outcome = in_dir(tempfile::tempdir().unwrap(), "run", &[]).exits_with(2);
    assert!(outcome.stderr.contains("match.yaml"), "{}", outcome.stderr);
    with_file("run", TWO, &["--bogus"]).exits_with(2);
    with_file("run", TWO, &["--resume", "--fresh"]).exits_with(2);
}

#[test]
fn a_program_that_is_not_there_is_an_error_of_the_file() {
    let outcome = Match::new().black(program(&["no-such-engine-anywhere"])).run().exits_with(2);
    assert!(outcome.stderr.contains("no-such-engine-anywhere"), "{}", outcome.stderr);
}

#[test]
fn an_option_that_the_engine_does_not_declare_is_an_error_of_the_file() {
    let lines = ["--option", "option name Hash type spin default 16 min 1 max 64"];
    let with = |options| Match::new().white(fake(&lines).with("options", options));
    for (options, words) in [
        (json!({ "Hsah": 8 }), "did you mean `Hash`"),
        (json!({ "Hash": 65 }), "must be at most 64, not 65"),
        (json!({ "Hash": "much" }), "must be a whole number"),
    ] {
        for outcome in [with(options.clone()).check(), with(options.clone()).run()] {
            let outcome = outcome.exits_with(2);
            assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
            assert!(outcome.stderr.contains("match.yaml:1:"), "{}", outcome.stderr);
            assert!(outcome.received_words("Alpha", "go").is_empty());
        }
    }
}

#[test]
fn check_shows_engines_options_and_settings_and_plays_nothing() {
    let engine = fake(&[
        "--option",
        "option name Hash type spin default 16 min 1 max 64",
        "--option",
        "option name Clear Hash type button",
    ]);
    let engine = engine.with("options", json!({ "Hash": 32 })).with("time_control", json!("40/60+0.5"));
    let outcome = Match::new().white(engine).black(sparring(&[])).rounds(3).check().exits_with(0);
    for words in [
        "3 games",
        "Alpha",
        "Fake, by Nobody",
        "40/60+0.5",
        "Hash (spin 1..64, default 16)  <- 32",
        "Clear Hash (button)",
        "Beta",
    ] {
        assert!(outcome.stdout.contains(words), "{words}: {}", outcome.stdout);
    }
    assert!(
        outcome.received_words("Alpha", "setoption").contains(&"setoption name Hash value 32".to_owned())
    );
    assert!(outcome.received_words("Alpha", "go").is_empty());
    assert!(!outcome.path().join("match.out").exists());
}

#[test]
fn check_fails_for_an_engine_that_does_not_start() {
    let outcome = Match::new().black(fake(&["--on", "start", "die:2"])).check().exits_with(3);
    assert!(
        outcome.stderr.contains("Beta") && outcome.stderr.contains("exited with status 2"),
        "{}",
        outcome.stderr
    );
    // The other engine is shown all the same.
    assert!(outcome.stdout.contains("Alpha"), "{}", outcome.stdout);
}

#[test]
fn set_changes_a_setting_and_is_checked_like_the_file() {
    let outcome = Match::new()
        .arg("--set")
        .arg("rounds=2")
        .arg("--set")
        .arg("engines.0.name=Gamma")
        .run()
        .exits_with(0);
    assert_eq!(outcome.games.len(), 2);
    assert_eq!(outcome.games[0].tag("White"), "Gamma");
    let outcome = Match::new().arg("--set").arg("roundz=2").run().exits_with(2);
    assert!(outcome.stderr.contains("`rounds`"), "{}", outcome.stderr);
}

#[test]
fn a_dry_run_shows_the_games_and_plays_none() {
    let outcome = Match::new().set("pairs", json!(true)).rounds(2).arg("--dry-run").run().exits_with(0);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{}", outcome.stdout);
    assert!(lines[1].contains("Game 1.2") && lines[1].contains("Beta – Alpha"), "{}", lines[1]);
    assert!(outcome.received("Alpha").is_empty() && !outcome.path().join("match.out").exists());
}

#[test]
fn records_of_a_finished_match_are_moved_aside() {
    let first = Match::new().run().exits_with(0);
    let pgn = first.pgn.clone();
    let second = Match::new().again_in(first).moves("f2f3 e7e5 g2g4 d8h4").run().exits_with(0);
    assert_eq!(second.endings(), ["0-1 checkmate 5.1.1"]);
    assert!(second.stderr.contains("match.out.1"), "{}", second.stderr);
    assert_eq!(fs::read_to_string(second.path().join("match.out.1/games.pgn")).unwrap(), pgn);
}

#[test]
fn a_folder_that_can_not_be_written_to_ends_the_run_before_any_game() {
    // A file stands where the folder should be: not even the superuser can write there.
    let game = Match::new();
    fs::write(game.dir().join("match.out"), "").unwrap();
    let outcome = game.run().exits_with(3);
    assert!(outcome.stderr.contains("match.out"), "{}", outcome.stderr);
    assert!(outcome.received("Alpha").is_empty());
    let outcome = Match::new().set("output", json!({ "dir": "/proc/nowhere" })).run().exits_with(3);
    assert!(outcome.stderr.contains("/proc/nowhere"), "{}", outcome.stderr);
}

#[test]
fn the_table_and_the_reasons_are_on_stdout() {
    let outcome = Match::new().rounds(2).run().exits_with(0);
    for words in [
        "Alpha against Beta: 2 games",
        "Game 1.1 (1 of 2)  Alpha – Beta  1-0  White wins by checkmate (Article 5.1.1)",
        "    2  checkmate (Article 5.1.1)",
        "match.out/games.pgn",
    ] {
        assert!(outcome.stdout.contains(words), "{words}: {}", outcome.stdout);
    }
    let quiet = Match::new().rounds(2).arg("-q").run().exits_with(0);
    assert!(!quiet.stdout.contains("Game 1.1"), "{}", quiet.stdout);
}

#[test]
fn a_log_holds_the_whole_dialogue_of_both_engines() {
    let outcome = Match::new()
        .white(fake(&["--on", "go@2", "stderr:20"]))
        .arg("--log")
        .arg("uci.log")
        .run()
        .exits_with(0);
    let log = fs::read_to_string(outcome.path().join("uci.log")).unwrap();
    let moves: Vec<&str> = SCHOLARS_MATE.split(' ').collect();
    for words in [
        "Alpha < uci",
        "Alpha > uciok",
        "Beta < isready",
        "Alpha < position startpos",
        &format!("Beta < position startpos moves {}", moves[0]),
        &format!("Beta > bestmove {}", moves[1]),
        "Alpha ! a word on stderr",
        "Beta < quit",
    ] {
        assert!(log.contains(words), "{words}: {log}");
    }
}

#[test]
fn a_closed_stdout_and_stderr_end_the_printing_and_not_the_match() {
    for close_stderr in [false, true] {
        // An engine that is told of on stderr, so that there is something to print.
        let engine = fake(&["--on", "go@2", "print:nonsense"]);
        let dir = Match::new().white(engine).rounds(4).into_dir();
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let stderr = if close_stderr { writer.try_clone().unwrap().into() } else { Stdio::null() };
        let status = Command::new(env!("CARGO_BIN_EXE_arbiter"))
            .args(["run", "match.yaml"])
            .current_dir(dir.path())
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(stderr)
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(0), "stderr closed: {close_stderr}");
        let games = pgn::read(&fs::read_to_string(dir.path().join("match.out/games.pgn")).unwrap());
        assert_eq!(games.len(), 4);
    }
}

#[test]
fn a_closed_stderr_does_not_hide_the_exit_code() {
    for (game, code) in [
        (Match::new().white(fake(&["--on", "start", "die:1"])), 3),
        (Match::new().set("roundz", json!(1)), 2),
    ] {
        let dir = game.into_dir();
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        command.args(["run", "match.yaml"]).current_dir(dir.path()).stdin(Stdio::null());
        let status = command.stdout(Stdio::null()).stderr(writer).status().unwrap();
        assert_eq!(status.code(), Some(code));
    }
}

#[test]
fn the_quickstart_plays() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/quickstart.yaml");
    let dir = tempfile::tempdir().unwrap();
    fs::copy(file, dir.path().join("match.yaml")).unwrap();
    let outcome = in_dir(dir, "run", &["--set", "defaults.time_margin=60s"]).exits_with(0);
    assert_eq!(outcome.games.len(), 6);
    assert_eq!(outcome.faults(), Vec::<String>::new());
    for game in &outcome.games {
        assert!(
            [
                "checkmate",
                "stalemate",
                "dead_position",
                "threefold_repetition",
                "fifty_move_rule",
                "fivefold_repetition"
            ]
            .contains(&game.tag("Reason")),
            "{}",
            game.closing_words()
        );
    }
}

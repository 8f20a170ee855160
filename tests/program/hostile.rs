//! What a machine or a user does to a run: no room, no descriptors, signals at the wrong moment, names that clash.

use std::fs;
use std::process::{Command, Output, Stdio};

use nix::sys::signal::Signal;
use serde_json::json;

use crate::support::{Match, fake, pgn};

/// Runs the program in a shell that sets a limit first.
fn under(limit: &str, dir: &std::path::Path, args: &str) -> Output {
    let command = format!("ulimit {limit}; exec {} {args}", env!("CARGO_BIN_EXE_arbiter"));
    Command::new("bash").args(["-c", &command]).current_dir(dir).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_finished_game_is_recorded_before_its_engines_are_ended() {
    let stubborn = fake(&["--on", "go@2", "print:bestmove 0000", "--ignore-quit", "--ignore-term"]);
    let mut run = Match::new().white(stubborn).set("defaults.timeouts.quit", json!("100s")).start();
    run.wait_for(|event| event["type"] == "game_ended");
    run.signal(Signal::SIGTERM);
    let outcome = run.finish();
    assert_eq!(outcome.games.len(), 1);
    assert_eq!(outcome.events_of("game_annulled").count(), 0);
}

#[test]
fn g_06_a_file_without_room_ends_between_games() {
    let dir = Match::new()
        .rounds(50)
        .set("output.events", json!(null))
        .set("output.database", json!(null))
        .into_dir();
    let output = under("-f 4", dir.path(), "run match.yaml");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("can't write to") && stderr.contains("games.pgn"), "{stderr}");
    let text = fs::read_to_string(dir.path().join("match.out/games.pgn")).unwrap();
    assert!(text.ends_with(" 1-0\n\n") || text.ends_with(" 0-1\n\n"), "{text}");
    let games = pgn::read(&text);
    let counted = format!("{}", games.len());
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, rows) = table.split_once("\nengine ").unwrap();
    let row = rows.lines().find(|line| line.starts_with("Alpha ")).unwrap().to_owned();
    assert_eq!(row.split_whitespace().nth(1), Some(counted.as_str()), "{table}");
}

#[test]
fn b_11_too_few_descriptors_are_told_before_the_first_game() {
    for limit in [9, 11, 20] {
        let dir = Match::new().into_dir();
        let output = under(&format!("-n {limit}"), dir.path(), "run match.yaml");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{limit}: {stderr}");
        assert!(stderr.contains("ulimit -n"), "{limit}: {stderr}");
    }
    // What is enough for one game is not for three.
    for (limit, concurrency, code) in [("-n 70", 1, 0), ("-n 70", 3, 3), ("-Sn 70", 3, 0)] {
        let dir = Match::new().rounds(3).set("concurrency", json!(concurrency)).into_dir();
        let output = under(limit, dir.path(), "run match.yaml");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{limit}, {concurrency} at once: {stderr}");
        assert_eq!(stderr.contains("lower `concurrency`"), code == 3, "{stderr}");
    }
}

#[test]
fn a_check_that_is_interrupted_leaves_no_engine() {
    let mut check = Match::new().white(fake(&["--on", "uci", "nothing"])).start_check();
    check.wait_for_line("Alpha", "uci");
    check.signal(Signal::SIGINT);
    check.finish().exits_with(130);
}

#[test]
fn records_and_the_runs_own_files_never_share_a_name() {
    for (path, value) in [
        ("output.pgn", "run.json"),
        ("output.events", "./run.json"),
        ("output.log", "run.lock"),
        ("output.pgn", "./events.jsonl"),
        ("output.log", "games.pgn"),
    ] {
        let outcome = Match::new().set(path, json!(value)).run().exits_with(2);
        assert!(outcome.stderr.contains("can't be"), "{path}: {}", outcome.stderr);
    }
    for log in ["match.yaml", "match.out/games.pgn"] {
        let outcome = Match::new().arg("--log").arg(log).run().exits_with(2);
        assert!(outcome.stderr.contains("the log can't be written to"), "{log}: {}", outcome.stderr);
    }
}

#[test]
fn a_folder_that_holds_other_files_takes_no_records() {
    for dir in [".", "./"] {
        let outcome = Match::new().set("output.dir", json!(dir)).run().exits_with(3);
        assert!(outcome.stderr.contains("choose another `output.dir`"), "{dir}: {}", outcome.stderr);
    }
    let first = Match::new().set("output.dir", json!("./match.out/")).run().exits_with(0);
    let again = Match::new().set("output.dir", json!("./match.out/")).again_in(first).run().exits_with(0);
    assert_eq!(again.games.len(), 1);
}

#[test]
fn control_characters_of_a_token_are_shown() {
    let outcome = Match::new().white(fake(&["--on", "go@2", "print:bestmove \u{1}d1h5"])).run().exits_with(0);
    assert!(outcome.stdout.contains(r"`bestmove \x01d1h5`"), "{}", outcome.stdout);
}

#[test]
fn a_script_without_its_interpreter_is_explained() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    for (text, hint) in [("#!/no/such/interpreter\n", "the interpreter"), ("echo uciok\n", "#!/bin/sh")] {
        let script = folder.path().join("engine");
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let engine = crate::support::program(&[&script.display().to_string()]);
        let outcome = Match::new().white(engine).run().exits_with(3);
        assert!(outcome.stderr.contains(hint), "{}", outcome.stderr);
    }
}

#[test]
fn brackets_without_end_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("deep.yaml"), format!("a: {}", "[".repeat(200_000))).unwrap();
    let output = under("-t 20", folder.path(), "check deep.yaml");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nested too deeply"));
}

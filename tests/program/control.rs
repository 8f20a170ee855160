//! `arbiter ctl`: a run is asked and steered while it is under way.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Output};

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::support::{Match, Outcome, Running, fake};

/// Engines that answer `go` with two moves on the board when they are let go.
fn held(name: &str) -> Match {
    let played = Match::new();
    let hold = played.hold(name);
    let waits = || fake(&["--on", "go@2", &hold]);
    played.white(waits()).black(waits())
}

fn ctl(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arbiter")).arg("ctl").arg(dir).args(args).output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Asks a run that has its socket already.
#[track_caller]
fn ask(run: &Running, request: &str) -> Value {
    let output = ctl(&run.dir().join("match.out"), &[request, "--json"]);
    let (code, stdout, stderr) = said(&output);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    serde_json::from_str(&stdout).unwrap()
}

fn wait_for_games(run: &mut Running, games: impl IntoIterator<Item = u32>) {
    for game in games {
        run.wait_for(|event| event["type"] == "move" && event["game"] == game && event["ply"] == 2);
    }
}

#[track_caller]
fn plays_every_game_once(outcome: &Outcome, games: u64) {
    let mut numbers: Vec<u64> =
        outcome.events_of("game_ended").map(|event| event["game"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert!(numbers.iter().copied().eq(1..=games), "{numbers:?}");
    assert_eq!(outcome.events_of("game_annulled").count(), 0);
}

#[test]
fn more_and_fewer_games_at_once_while_a_run_is_under_way() {
    let mut run = held("go").rounds(12).start();
    wait_for_games(&mut run, [1]);
    let raised = ask(&run, "concurrency=3");
    assert_eq!((&raised["concurrency"], &raised["joining"]), (&json!(3), &json!(2)));
    // They have come when their games have begun; the first one is still running.
    wait_for_games(&mut run, [2, 3]);
    let status = ask(&run, "status");
    assert_eq!((&status["concurrency"], &status["joining"]), (&json!(3), &json!(0)));
    assert_eq!(run.engines().len(), 6);
    let lowered = ask(&run, "concurrency=2");
    assert_eq!((&lowered["concurrency"], &lowered["running"]), (&json!(2), &json!(3)));
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    plays_every_game_once(&outcome, 12);
    assert_eq!(outcome.starts("Alpha"), 3, "each of three workers had its own");
}

#[test]
fn surplus_games_leave_when_they_are_over_and_their_engines_with_them() {
    let first = Match::new();
    // The first three games wait for their own file each, the others for the last one.
    let holds: Vec<String> = ["one", "two", "all"].iter().map(|name| first.hold(name)).collect();
    let rules = |engine| {
        ["#1", "#2", "#3"]
            .iter()
            .zip(&holds)
            .fold(engine, |engine: crate::support::EngineKeys, (process, hold)| {
                engine.on(&format!("go@2{process}"), hold)
            })
    };
    let mut run = first.white(rules(fake(&[]))).rounds(30).set("concurrency", json!(3)).start();
    wait_for_games(&mut run, [1, 3]);
    ask(&run, "concurrency=1");
    run.let_go("one");
    run.let_go("two");
    run.wait_for_engines(2);
    run.let_go("all");
    let outcome = run.finish().exits_with(0);
    plays_every_game_once(&outcome, 30);
    assert_eq!(outcome.starts("Alpha"), 3);
}

#[test]
fn an_engine_that_does_not_start_for_one_more_game_is_told_and_the_run_goes_on() {
    let played = Match::new();
    let hold = played.hold("go");
    let beta = fake(&["--on", "go@3", &hold, "--on", "uci#2", "die:7", "--on", "uci#3", "die:7"]);
    let mut run = played.black(beta).rounds(4).start();
    run.wait_for(|event| event["type"] == "move" && event["ply"] == 3);
    ask(&run, "concurrency=2");
    run.wait_for(|event| event["type"] == "engine_fault" && event["engine"] == "Beta");
    let status = ask(&run, "status");
    assert_eq!(
        (&status["concurrency"], &status["joining"], &status["state"]),
        (&json!(1), &json!(0), &json!("playing"))
    );
    let why = status["held_back"].as_str().unwrap();
    assert!(
        why.starts_with("Beta did not start for one more game at once: ") && why.contains("status 7"),
        "{why}"
    );
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    plays_every_game_once(&outcome, 4);
    assert!(outcome.stderr.contains("no more games at once: Beta did not start"), "{}", outcome.stderr);
}

#[test]
fn finish_plays_the_running_games_to_their_ends_and_stops() {
    let mut run =
        held("go").rounds(9).set("concurrency", json!(2)).set("interrupt_grace", json!("1ms")).start();
    wait_for_games(&mut run, [1, 2]);
    let output = ctl(&run.dir().join("match.out"), &["finish"]);
    assert_eq!(
        said(&output),
        (Some(0), "no new game begins; 2 running ones are played to their ends\n".to_owned(), String::new())
    );
    assert_eq!(ask(&run, "status")["state"], "finishing");
    // Nothing more can be wanted of it but that it finishes.
    let (code, _, stderr) = said(&ctl(&run.dir().join("match.out"), &["concurrency=3"]));
    assert_eq!(code, Some(3));
    assert!(stderr.contains("error: the run is coming to its end"), "{stderr}");
    run.let_go("go");
    let outcome = run.finish().exits_with(130);
    plays_every_game_once(&outcome, 2);
    assert!(outcome.stderr.contains("interrupted after 2 finished games"), "{}", outcome.stderr);
    assert!(!outcome.path().join("match.out/ctl.sock").exists());
}

#[test]
fn a_signal_cuts_short_what_was_to_be_finished() {
    let mut run = held("never").rounds(9).set("interrupt_grace", json!("100ms")).start();
    wait_for_games(&mut run, [1]);
    ask(&run, "finish");
    run.signal(Signal::SIGINT);
    let outcome = run.finish().exits_with(130);
    assert_eq!(outcome.games.len(), 0);
}

#[test]
fn the_status_tells_what_is_played() {
    let mut run = held("go").rounds(4).set("event", json!("Status test")).start();
    wait_for_games(&mut run, [1]);
    let socket = run.dir().join("match.out/ctl.sock");
    assert_eq!(socket.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let mut status = ask(&run, "status");
    let score = status["score"].take();
    assert_eq!(
        status,
        json!({
            "reply": "status", "event": "Status test", "state": "playing", "games": 4, "finished": 0,
            "concurrency": 1, "joining": 0, "score": null, "held_back": null,
            "running": [{ "game": 1, "round": "1.1", "white": "Alpha", "black": "Beta", "ply": 2 }],
        })
    );
    assert_eq!(score[0], json!({ "engine": "Alpha", "points": 0.0, "won": 0, "drawn": 0, "lost": 0 }));
    let (_, text, _) = said(&ctl(&run.dir().join("match.out"), &["status"]));
    assert_eq!(
        text,
        "Status test: playing\n0 of 4 games finished, 1 at once\nscore: Alpha 0, Beta 0\n\
         game 1 (1.1)  Alpha – Beta  ply 2\n"
    );
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    assert!(!outcome.path().join("match.out/ctl.sock").exists());
}

#[test]
fn the_status_can_be_asked_before_the_first_game() {
    let mut run = Match::new().white(fake(&["--on", "uci", "nothing"])).start();
    run.wait_for_line("Alpha", "uci");
    let status = ask(&run, "status");
    assert_eq!((&status["state"], &status["running"]), (&json!("starting"), &json!([])));
    assert_eq!(ask(&run, "finish"), json!({ "reply": "finish", "running": 0 }));
    run.finish().exits_with(130);
}

#[test]
fn without_a_run_there_is_a_clear_answer() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("match.out");
    let refused = |dir: &Path, args: &[&str], code: i32, words: &str| {
        let (exit, stdout, stderr) = said(&ctl(dir, args));
        assert_eq!((exit, stdout.as_str()), (Some(code), ""), "{stderr}");
        assert!(stderr.starts_with("error: ") && stderr.contains(words), "{stderr}");
    };
    refused(&missing, &["status"], 3, "there is no folder");
    refused(folder.path(), &["finish"], 3, "no run is under way in");
    for request in ["stop", "concurrency=0", "concurrency=many", "concurrency"] {
        refused(folder.path(), &[request], 2, request.split('=').next().unwrap());
    }
    let outcome = Match::new().run().exits_with(0);
    refused(&outcome.path().join("match.out"), &["status"], 3, "no run is under way in");
    refused(&outcome.path().join("match.yaml"), &["status"], 3, "is no folder");
}

#[test]
fn the_socket_of_a_killed_run_is_told_of_and_replaced() {
    let mut run = held("never").rounds(2).start();
    wait_for_games(&mut run, [1]);
    ask(&run, "status");
    run.kill();
    let out = run.dir().join("match.out");
    let (code, _, stderr) = said(&ctl(&out, &["status"]));
    assert_eq!(code, Some(3));
    assert!(stderr.contains("was left by one that was killed"), "{stderr}");
    run.wait_for_no_engine();
    let mut run = run.start_again(&["--resume"]);
    run.wait_for_commands("Alpha", "go", 4);
    assert_eq!(ask(&run, "status")["state"], "playing");
    run.signal(Signal::SIGTERM);
    run.finish().exits_with(130);
}

#[test]
fn clients_that_misbehave_disturb_neither_the_run_nor_others() {
    let mut run = held("go").rounds(3).start();
    wait_for_games(&mut run, [1]);
    let socket = run.dir().join("match.out/ctl.sock");
    let connect = || UnixStream::connect(&socket).unwrap();
    let answer = |mut client: UnixStream| {
        let mut text = String::new();
        client.read_to_string(&mut text).map(|_| text)
    };
    // A flood is answered after the longest line that there can be.
    let mut flood = connect();
    let written = (0..100_000).try_for_each(|_| flood.write_all(&[b'x'; 4096]));
    assert!(written.is_err(), "nobody reads on for ever");
    for (request, reply, words) in [
        (&b"nonsense\n"[..], "bad_request", "unknown request `nonsense`"),
        (b"\xff\xfe\x00\n", "bad_request", "unknown request"),
        (b"\n", "bad_request", "unknown request ``"),
        (b"concurrency=0\nstatus\n", "bad_request", "from 1 to 10000"),
        (b"status\n", "status", "playing"),
    ] {
        let mut client = connect();
        client.write_all(request).unwrap();
        let text = answer(client).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(value["reply"] == reply && text.contains(words), "{text}");
    }
    // More silent ones than are heard at a time: others wait until these are given up.
    let silent: Vec<UnixStream> = (0..8).map(|_| connect()).collect();
    let gone = connect();
    drop(gone);
    assert_eq!(ask(&run, "status")["running"][0]["ply"], 2);
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    plays_every_game_once(&outcome, 3);
    drop(silent);
}

#[test]
fn a_folder_with_a_long_path_has_its_socket_too() {
    let deep = format!("{}/{}", "a".repeat(100), "b".repeat(100));
    let played = held("go");
    let out = played.dir().join(&deep);
    let mut run = played.set("output.dir", json!(deep)).start();
    run.wait_for_commands("Alpha", "go", 2);
    let (code, stdout, stderr) = said(&ctl(&out, &["status"]));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("ply 2"), "{stdout}");
    run.let_go("go");
    run.finish().exits_with(0);
    assert!(!out.join("ctl.sock").exists());
}

#[test]
fn no_record_may_have_the_sockets_name() {
    let outcome = Match::new().set("output.pgn", json!("ctl.sock")).run().exits_with(2);
    assert!(outcome.stderr.contains("`pgn` can't be `ctl.sock`"), "{}", outcome.stderr);
}

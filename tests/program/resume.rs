//! A run that stops and goes on: every game of the schedule is there once, whatever stopped it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::json;

use crate::support::{Match, Outcome, fake, sparring};

/// The table at the end, up to what depends on time.
fn table(outcome: &Outcome) -> &str {
    let start = outcome.stdout.find("\nengine ").expect("a table");
    let table = &outcome.stdout[start..];
    table.split_once("\nTime:").map_or(table, |(table, _)| table)
}

/// Asserts that every game of the schedule is there once, in PGN and events.
#[track_caller]
fn expect_each_game_once(outcome: &Outcome, games: u32) {
    let rounds: Vec<&str> = outcome.games.iter().map(|game| game.tags["Round"].as_str()).collect();
    assert_eq!(rounds.iter().collect::<BTreeSet<_>>().len(), rounds.len(), "{rounds:?}");
    assert_eq!(rounds.len(), games as usize);
    let mut ended: Vec<u64> =
        outcome.events_of("game_ended").map(|event| event["game"].as_u64().unwrap()).collect();
    ended.sort_unstable();
    assert_eq!(ended, (1..=u64::from(games)).collect::<Vec<_>>());
}

/// Moves and results, in the order of the schedule.
fn played(outcome: &Outcome) -> Vec<(String, Vec<String>, String)> {
    let mut played: Vec<_> = outcome
        .games
        .iter()
        .map(|game| (game.tags["Round"].clone(), game.sans.clone(), game.ending()))
        .collect();
    played.sort();
    played
}

/// Numbers that look random, the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[test]
fn d_01_a_run_killed_a_hundred_times_plays_every_game_once() {
    const PAIRS: u32 = 60;
    let unbroken = Match::deterministic(PAIRS).run().exits_with(0);
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut kills = 0;
    while kills < 100 {
        let dir = Match::deterministic(PAIRS).into_dir();
        let mut dir = Some(dir);
        let outcome = loop {
            let run = Match::deterministic(PAIRS).arg("--resume").in_dir(dir.take().unwrap()).start();
            // Some before the first game, some in the middle of games, of writing, of the end.
            match run.kill_after(Duration::from_millis(dice.below(250)), kills < 100) {
                Ok(outcome) => break outcome,
                Err(left) => {
                    kills += 1;
                    dir = Some(left);
                }
            }
        };
        let outcome = outcome.exits_with(0);
        expect_each_game_once(&outcome, 2 * PAIRS);
        assert_eq!(table(&outcome), table(&unbroken));
        assert_eq!(played(&outcome), played(&unbroken));
    }
}

/// Three games; in the second one Alpha, who is Black there, waits to be let go.
fn held(game: Match) -> Match {
    let hold = game.hold("go");
    game.white(fake(&["--on", "go@5", &hold, "--ignore-quit", "--ignore-term"])).rounds(3)
}

/// Such a run, stopped in its second game.
fn stopped_after_one_game() -> Outcome {
    let mut run = held(Match::new()).arg("--set").arg("site=Hall 1").start();
    run.wait_for(|event| event["type"] == "game_started" && event["game"] == 2);
    run.signal(Signal::SIGTERM);
    let stopped = run.finish().exits_with(130);
    fs::write(stopped.path().join("go"), "").unwrap();
    stopped
}

/// The same match again, to be changed and resumed.
fn again(stopped: Outcome) -> Match {
    held(Match::new().again_in(stopped)).arg("--resume")
}

#[test]
fn d_04_u_03_a_stopped_run_says_how_to_play_on_and_does() {
    let stopped = stopped_after_one_game();
    let line = "to play on: arbiter run match.yaml --set 'site=Hall 1' --resume\n";
    assert!(stopped.stderr.contains(line), "{}", stopped.stderr);
    let outcome = again(stopped).arg("--set").arg("site=Hall 1").run().exits_with(0);
    expect_each_game_once(&outcome, 3);
    assert_eq!(outcome.events_of("match_started").last().unwrap()["resumed_after"], 1);
}

#[test]
fn a_run_stopped_before_its_first_end_begins_again_with_its_first_game() {
    let game = Match::new();
    let hold = game.hold("go");
    let mut run = game.white(fake(&["--on", "go@2", &hold])).start();
    run.wait_for(|event| event["type"] == "move" && event["ply"] == 2);
    run.signal(Signal::SIGTERM);
    let stopped = run.finish().exits_with(130);
    assert!(!stopped.stderr.contains("--resume"), "nothing to play on with: {}", stopped.stderr);
    fs::write(stopped.path().join("go"), "").unwrap();
    let game = Match::new().again_in(stopped);
    let hold = game.hold("go");
    let outcome = game.white(fake(&["--on", "go@2", &hold])).arg("--resume").run().exits_with(0);
    expect_each_game_once(&outcome, 1);
}

#[test]
fn where_nothing_was_played_a_resumed_run_begins() {
    let outcome = Match::new().arg("--resume").run().exits_with(0);
    assert!(outcome.stderr.contains("nothing to resume"), "{}", outcome.stderr);
    expect_each_game_once(&outcome, 1);
}

#[test]
fn a_match_file_with_other_rules_is_not_resumed_and_nothing_is_touched() {
    let mut stopped = stopped_after_one_game();
    let files = |outcome: &Outcome| {
        ["match.out/match.db", "match.out/games.pgn", "match.out/events.jsonl", "match.out/run.json"]
            .map(|name| fs::read(outcome.path().join(name)).unwrap())
    };
    for (path, value, words) in [
        ("rounds", json!(4), "`rounds` is 4, and was 3"),
        ("laws.dead_position", json!("off"), "`laws.dead_position` is off, and was exact"),
        ("defaults.time_control", json!("5+1"), "`engines.0.time_control` is 5+1, and was 600"),
        ("openings", json!({ "fens": ["8/8/8/4k3/8/8/3QK3/8 w - - 0 1"] }), "`openings.fens` is 8/8"),
    ] {
        let before = files(&stopped);
        stopped = again(stopped).set(path, value).run().exits_with(2);
        assert!(stopped.stderr.contains(words), "{}", stopped.stderr);
        assert!(files(&stopped) == before, "a refused run has changed its records");
    }
    expect_each_game_once(&again(stopped).run().exits_with(0), 3);
}

#[test]
fn a_book_with_other_contents_is_another_book() {
    let book = |game: Match, text: &str| {
        fs::write(game.dir().join("book.epd"), text).unwrap();
        held(game).set("openings", json!({ "file": "book.epd" }))
    };
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    let mut run = book(Match::new(), initial).start();
    run.wait_for(|event| event["type"] == "game_started" && event["game"] == 2);
    run.signal(Signal::SIGTERM);
    let stopped = run.finish().exits_with(130);
    fs::write(stopped.path().join("go"), "").unwrap();
    let other = initial.to_owned() + initial;
    let refused = book(Match::new().again_in(stopped), &other).arg("--resume").run().exits_with(2);
    assert!(refused.stderr.contains("`openings.file (its contents)`"), "{}", refused.stderr);
    let outcome = book(Match::new().again_in(refused), initial).arg("--resume").run().exits_with(0);
    expect_each_game_once(&outcome, 3);
}

#[test]
fn what_changes_no_result_may_change_on_the_way() {
    let run = again(stopped_after_one_game())
        .set("defaults.crash_budget", json!(7))
        .set("defaults.timeouts", json!({ "quit": "100ms", "start": "20s" }))
        .set("concurrency", json!(2))
        .set("event", json!("Another name"))
        .set("output", json!({ "log": "all.log" }));
    let outcome = run.run().exits_with(0);
    expect_each_game_once(&outcome, 3);
    assert!(outcome.games.iter().all(|game| game.tags["Event"] == "Another name"));
}

#[test]
fn records_that_were_torn_or_changed_are_brought_in_order() {
    let stopped = stopped_after_one_game();
    let path = |name: &str| stopped.path().join("match.out").join(name);
    let pgn = fs::read_to_string(path("games.pgn")).unwrap();
    fs::write(path("games.pgn"), pgn.replace("1-0", "0-1") + "[Event \"torn").unwrap();
    let events = fs::read_to_string(path("events.jsonl")).unwrap();
    fs::write(path("events.jsonl"), &events[..events.find("game_ended").unwrap()]).unwrap();
    let outcome = again(stopped).arg("--set").arg("site=Hall 1").run().exits_with(0);
    expect_each_game_once(&outcome, 3);
    assert!(outcome.pgn.starts_with(&pgn), "{}", outcome.pgn);
}

#[test]
fn a_database_that_is_damaged_or_missing_or_not_ours_is_left_alone() {
    for (bytes, words) in [
        (Some(&b"not a database, but longer than the sixteen bytes at the head of one"[..]), "no database"),
        (None, "match.db is missing"),
    ] {
        let stopped = stopped_after_one_game();
        let path = stopped.path().join("match.out/match.db");
        match bytes {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let pgn = stopped.pgn.clone();
        let refused = again(stopped).run().exits_with(3);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
        assert_eq!(refused.pgn, pgn);
    }
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let game = Match::new();
    let hold = game.hold("go");
    let mut first = game.white(fake(&["--on", "go", &hold])).start();
    first.wait_for(|event| event["type"] == "game_started");
    let refused = first.command(&["run", "match.yaml", "--resume"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("another run is writing to"));
    first.let_go("go");
    first.finish().exits_with(0);
}

#[test]
fn a_knockout_and_a_swiss_tournament_go_on_where_they_stopped() {
    for format in ["knockout", "swiss"] {
        let tournament = || {
            Match::new()
                .engines(["1", "2", "3", "4"].map(|depth| sparring(&["--depth", depth])))
                .set("format", json!(format))
                .set("pairs", json!(true))
                .rounds(2)
                .set("defaults.time_control", json!("depth=4"))
                .set("adjudication", json!({ "max_moves": 20 }))
        };
        let unbroken = tournament().run().exits_with(0);
        let mut dir = Some(tournament().into_dir());
        let mut dice = Dice(77);
        let outcome = loop {
            let run = tournament().arg("--resume").in_dir(dir.take().unwrap()).start();
            let least = 50 + dice.below(400);
            match run.kill_after(Duration::from_millis(least), true) {
                Ok(outcome) => break outcome.exits_with(0),
                Err(left) => dir = Some(left),
            }
        };
        assert_eq!(table(&outcome), table(&unbroken), "{format}");
        assert_eq!(played(&outcome), played(&unbroken), "{format}");
    }
}

#[test]
fn a_finished_run_has_nothing_to_resume() {
    let first = Match::new().rounds(2).run().exits_with(0);
    let (pgn, table_of_first) = (first.pgn.clone(), table(&first).to_owned());
    let second = Match::new().rounds(2).again_in(first).arg("--resume").run().exits_with(0);
    assert_eq!((second.pgn.clone(), table(&second)), (pgn, table_of_first.as_str()));
    assert_eq!(second.events_of("match_ended").count(), 1);
    // What tore the last line of the events off has taken the end of the run with it.
    let events = second.path().join("match.out/events.jsonl");
    let text = fs::read_to_string(&events).unwrap();
    fs::write(&events, &text[..text.len() - 5]).unwrap();
    let third = Match::new().rounds(2).again_in(second).arg("--resume").run().exits_with(0);
    assert_eq!(third.events_of("match_ended").count(), 1);
    expect_each_game_once(&third, 2);
}

#[test]
fn a_run_whose_folder_was_moved_is_still_the_same() {
    let dir = Match::deterministic(1).into_dir();
    let arbiter = |folder: &Path, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        command.current_dir(folder).args(args).stdin(Stdio::null()).output().unwrap()
    };
    let before = dir.path().join("before");
    fs::create_dir(&before).unwrap();
    fs::rename(dir.path().join("match.yaml"), before.join("match.yaml")).unwrap();
    let played = arbiter(&before, &["run", "match.yaml"]);
    assert_eq!(played.status.code(), Some(0), "{played:?}");
    let names: BTreeSet<_> =
        fs::read_dir(before.join("match.out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(
        names.contains(OsStr::new("match.db")) && !names.contains(OsStr::new("match.db-wal")),
        "{names:?}"
    );
    let after = dir.path().join("after");
    fs::rename(&before, &after).unwrap();
    for file in ["match.yaml", "./match.yaml"] {
        let resumed = arbiter(&after, &["run", file, "--resume"]);
        assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    }
    let elsewhere = arbiter(dir.path(), &["run", "after/match.yaml", "--resume"]);
    assert_eq!(elsewhere.status.code(), Some(0), "{elsewhere:?}");
}

#[test]
fn a_run_killed_in_the_middle_of_a_change_of_its_database_is_resumed() {
    let outcome = stopped_after_one_game();
    let records = outcome.path().join("match.out");
    let aside = tempfile::tempdir().unwrap();
    let names = ["match.db", "match.db-journal"];
    let connection = rusqlite::Connection::open(records.join("match.db")).unwrap();
    connection.execute_batch("PRAGMA cache_size = 0; BEGIN IMMEDIATE; DELETE FROM game").unwrap();
    let copy = |from: &Path, to: &Path| {
        for name in names {
            fs::copy(from.join(name), to.join(name)).unwrap();
        }
    };
    copy(&records, aside.path());
    drop(connection);
    copy(aside.path(), &records);
    let resumed = again(outcome).arg("--set").arg("site=Hall 1").run().exits_with(0);
    expect_each_game_once(&resumed, 3);
    assert_eq!(resumed.events_of("match_started").last().unwrap()["resumed_after"], 1);
}

#[test]
fn a_disk_that_is_full_stops_the_run_and_loses_no_game() {
    let run = Match::new().rounds(400).start_after("ulimit -f 64; trap '' XFSZ");
    let stopped = run.finish().exits_with(3);
    assert!(stopped.stderr.contains("can't write to"), "{}", stopped.stderr);
    let kept = stopped.games.len();
    assert!(kept > 0 && kept < 400);
    let outcome = Match::new().rounds(400).again_in(stopped).arg("--resume").run().exits_with(0);
    expect_each_game_once(&outcome, 400);
}

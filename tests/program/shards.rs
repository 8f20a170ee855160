//! A run played in parts, and merged: the same as the run played at once.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::command::{stderr, stdout};
use crate::support::pgn::{self, Game};
use crate::support::{Match, fake, program, sparring, speaker};

/// The folder of a match file, in which the program is run as often as need be.
struct Folder(TempDir);

impl Folder {
    fn of(game: Match) -> Folder {
        Folder(game.into_dir())
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Rewrites the match file.
    fn with(self, game: Match) -> Folder {
        Folder(game.in_dir(self.0).into_dir())
    }

    fn arbiter(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        command.current_dir(self.0.path()).args(arguments).output().unwrap()
    }

    #[track_caller]
    fn expect(&self, arguments: &[&str], code: i32) -> Output {
        let output = self.arbiter(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
        output
    }

    /// Plays these shards of so many.
    #[track_caller]
    fn play(&self, of: u32, indices: impl IntoIterator<Item = u32>) {
        for index in indices {
            self.expect(&["run", "match.yaml", "--shard", &format!("{index}/{of}")], 0);
        }
    }

    /// Merging is refused with these words, and leaves nothing.
    #[track_caller]
    fn expect_refusal(&self, shards: &[&str], code: i32, words: &[&str]) {
        let arguments = [&["merge", "merged"], shards].concat();
        let refused = self.expect(&arguments, code);
        for word in words {
            assert!(stderr(&refused).contains(word), "{word}: {}", stderr(&refused));
        }
        assert!(!self.path("merged").exists() && !self.path("merged.merging").exists());
    }

    fn games(&self, dir: &str) -> Vec<Game> {
        pgn::read(&fs::read_to_string(self.path(dir).join("games.pgn")).unwrap())
    }

    fn report(&self, database: &str) -> String {
        stdout(&self.expect(&["report", database], 0)).to_owned()
    }
}

/// What is the same in every run: number, players, moves, ending.
fn played(games: &[Game]) -> Vec<(String, String, String, Vec<String>, String)> {
    let tag = |game: &Game, name: &str| game.tag(name).to_owned();
    let played = games.iter().map(|game| {
        (
            tag(game, "Round"),
            tag(game, "White"),
            game.tags.get("FEN").cloned().unwrap_or_default(),
            game.sans.clone(),
            game.ending(),
        )
    });
    played.collect()
}

fn rounds(games: &[Game]) -> Vec<&str> {
    games.iter().map(|game| game.tag("Round")).collect()
}

/// A report, up to what depends on time.
fn untimed(report: &str) -> &str {
    report.split_once("\nTime:").map_or(report, |(report, _)| report)
}

#[test]
fn merged_shards_are_the_run_played_at_once() {
    let tournaments = [
        ("match", Match::deterministic(5)),
        (
            "round_robin",
            Match::deterministic(5)
                .engines(["1", "2", "3"].map(|depth| sparring(&["--depth", depth])))
                .set("format", json!("round_robin"))
                .set("pairs", json!(false))
                .rounds(2),
        ),
    ];
    for (format, game) in tournaments {
        let folder = Folder::of(game);
        folder.expect(&["run", "match.yaml"], 0);
        folder.play(3, [2, 3, 1]);
        assert!(folder.path("match.out.2-of-3/match.db").exists());
        let shards = ["match.out.3-of-3", "match.out.1-of-3/match.db", "match.out.2-of-3"];
        let merged = folder.expect(&[&["merge", "merged"][..], &shards].concat(), 0);
        let unbroken = folder.report("match.out/match.db");
        assert_eq!(untimed(&folder.report("merged/match.db")), untimed(&unbroken), "{format}");
        assert_eq!(untimed(stdout(&merged)), untimed(&unbroken), "{format}");
        assert!(unbroken.contains(" games, finished"), "{unbroken}");
        let mut whole = played(&folder.games("match.out"));
        whole.sort();
        let joined = played(&folder.games("merged"));
        assert!(joined.is_sorted(), "in the order of the schedule: {:?}", rounds(&folder.games("merged")));
        assert_eq!(joined, whole, "{format}");
        // What is written of a game from the new database is what its shard wrote.
        let of_shards: String = (1..=3)
            .map(|index| folder.path(&format!("match.out.{index}-of-3/games.pgn")))
            .map(read)
            .collect();
        let exported = folder.expect(&["export", "--pgn", "merged/match.db"], 0);
        assert_eq!(stdout(&exported), read(folder.path("merged/games.pgn")));
        for game in stdout(&exported).split("[Event").skip(1) {
            assert!(of_shards.contains(game), "{game}");
        }
    }
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_shard_says_what_it_plays_and_shows_it_before() {
    let folder = Folder::of(Match::new().set("pairs", json!(true)).rounds(5));
    let shown = folder.expect(&["run", "match.yaml", "--dry-run", "--shard", "2/3"], 0);
    let numbers: Vec<&str> =
        stdout(&shown).lines().map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(numbers, ["2.1", "2.2", "5.1", "5.2"]);
    let output = folder.expect(&["run", "match.yaml", "--shard", "2/3"], 0);
    let line = "shard 2/3: 4 games of the schedule, records in match.out.2-of-3\n";
    assert!(stderr(&output).contains(line), "{}", stderr(&output));
    assert!(stdout(&output).contains("Game 2.1 (1 of 4)"), "{}", stdout(&output));
    assert_eq!(rounds(&folder.games("match.out.2-of-3")), numbers);
    let report = folder.report("match.out.2-of-3/match.db");
    assert!(report.starts_with("Test, shard 2/3: 4 of 4 games, finished\n"), "{report}");
    assert!(!folder.path("match.out").exists());
}

#[test]
fn what_can_not_be_divided_is_refused_before_the_first_game() {
    let four = || Match::new().engines([fake(&[]), fake(&[]), fake(&[]), fake(&[])]);
    let sprt = json!({ "elo0": 0, "elo1": 200 });
    for (game, shard, words) in [
        (four().set("format", json!("knockout")), "1/2", "a knockout can't be played in shards"),
        (four().set("format", json!("swiss")), "1/2", "a Swiss tournament can't be played in shards"),
        (Match::new().set("rounds", Value::Null).set("sprt", sprt), "1/2", "set `rounds`"),
        (Match::new().rounds(2), "3/3", "shard 3/3 has no game: there are 2 games to be divided"),
        (Match::new().rounds(2).set("output.database", Value::Null), "1/2", "`output.database`"),
        (Match::new().rounds(2), "3/2", "there is no shard 3 of 2"),
        (Match::new().rounds(2), "0/2", "there is no shard 0 of 2"),
        (Match::new().rounds(2), "1", "`3/16`"),
    ] {
        let folder = Folder::of(game);
        let refused = folder.expect(&["run", "match.yaml", "--shard", shard], 2);
        assert!(stderr(&refused).contains(words), "{words}: {}", stderr(&refused));
        assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 1, "only the match file");
    }
}

#[test]
fn a_shard_is_resumed_as_what_it_is() {
    let folder = Folder::of(Match::new().rounds(4));
    folder.play(2, [1]);
    fs::rename(folder.path("match.out.1-of-2"), folder.path("match.out.2-of-2")).unwrap();
    let refused = folder.expect(&["run", "match.yaml", "--shard", "2/2", "--resume"], 2);
    let words = "match.out.2-of-2 holds shard 1/2, and can't be resumed as shard 2/2";
    assert!(stderr(&refused).contains(words), "{}", stderr(&refused));
    fs::rename(folder.path("match.out.2-of-2"), folder.path("match.out")).unwrap();
    let refused = folder.expect(&["run", "match.yaml", "--resume"], 2);
    assert!(stderr(&refused).contains("can't be resumed as the whole run"), "{}", stderr(&refused));
}

#[test]
fn missing_games_are_told_and_a_whole_run_plays_them_later() {
    let folder = Folder::of(Match::new().set("pairs", json!(true)).rounds(5));
    folder.play(4, [1, 3]);
    let shards = ["match.out.1-of-4", "match.out.3-of-4"];
    let merged = folder.expect(&[&["merge", "match.out"][..], &shards].concat(), 1);
    let line = "warning: of 4 shards these are missing, with 4 games: 2, 4\n";
    assert!(stderr(&merged).contains(line), "{}", stderr(&merged));
    assert!(stdout(&merged).starts_with("Test: 6 of 10 games, not finished\n"), "{}", stdout(&merged));
    assert_eq!(rounds(&folder.games("match.out")), ["1.1", "1.2", "3.1", "3.2", "5.1", "5.2"]);
    // Nothing is ever overwritten.
    let again = folder.expect(&[&["merge", "match.out"][..], &shards].concat(), 2);
    assert!(stderr(&again).contains("match.out is there already and not empty"), "{}", stderr(&again));
    folder.expect(&["run", "match.yaml"], 3);
    folder.expect(&["run", "match.yaml", "--resume"], 0);
    assert_eq!(folder.games("match.out").len(), 10);
    assert!(folder.report("match.out/match.db").starts_with("Test: 10 of 10 games, finished\n"));
}

#[test]
fn more_shards_than_games_are_missing_only_where_they_have_some() {
    let folder = Folder::of(Match::new().rounds(2));
    folder.play(9, [1, 2]);
    fs::create_dir(folder.path("empty")).unwrap();
    let merged = folder.expect(&["merge", "empty/", "match.out.1-of-9", "match.out.2-of-9"], 0);
    assert_eq!(stderr(&merged), "merged into empty/\n");
    // A finished run in the place of the merged one is kept aside, as that of any other run.
    let next = ["run", "match.yaml", "--set", "output.dir=empty"];
    assert!(stderr(&folder.expect(&next, 0)).contains("earlier records moved to empty.1"));
}

#[test]
fn what_does_not_belong_together_is_refused_and_leaves_nothing() {
    let game = || Match::new().rounds(6);
    let folder = Folder::of(game());
    folder.play(2, [1, 2]);
    folder.play(3, [1]);
    folder.expect(&["run", "match.yaml"], 0);
    let mine = "match.out.1-of-2";
    folder.expect_refusal(&[mine, mine], 2, &["are both shard 1/2"]);
    folder.expect_refusal(&[mine, "match.out"], 2, &["match.out/match.db is no shard"]);
    folder.expect_refusal(&["match.out"], 2, &["is no shard"]);
    folder.expect_refusal(&[mine, "match.out.1-of-3"], 2, &["match.out.1-of-3/match.db is shard 1/3"]);
    folder.expect_refusal(&[mine, "elsewhere"], 3, &["elsewhere does not exist"]);
    folder.expect_refusal(&[mine, "match.yaml"], 3, &["match.yaml is no database"]);
    folder.expect(&["merge", "merged"], 2);
    let other = |name: &str| format!("output.dir={name}");
    for (key, value, words) in [
        ("rounds", json!(8), "`rounds` is 8, not 6"),
        ("laws.dead_position", json!("off"), "`laws.dead_position` is off, not exact"),
        ("defaults.time_control", json!("5+1"), "`engines.0.time_control` is 5+1, not 600"),
        ("adjudication", json!({ "max_moves": 90 }), "`adjudication.max_moves` is 90, not without a value"),
    ] {
        let changed = Folder::of(game().set(key, value));
        let dir = changed.path("other");
        changed.expect(&["run", "match.yaml", "--shard", "2/2", "--set", &other("other")], 0);
        let dir = format!("{}.2-of-2", dir.display());
        folder.expect_refusal(&[mine, &dir], 2, &[words, &dir, mine]);
    }
}

#[test]
fn a_game_of_another_shard_is_refused() {
    let folder = Folder::of(Match::new().rounds(4));
    folder.play(2, [1, 2]);
    // As a database that was tampered with, or joined by hand, would have it.
    let database = rusqlite::Connection::open(folder.path("match.out.2-of-2/match.db")).unwrap();
    database.execute("UPDATE game SET number = 1, round = 1 WHERE number = 2", []).unwrap();
    drop(database);
    let shards = ["match.out.1-of-2", "match.out.2-of-2"];
    folder.expect_refusal(&shards, 2, &["match.out.2-of-2/match.db is shard 2/2, and holds game 1.1"]);
}

#[test]
fn programs_that_stand_elsewhere_are_only_warned_of() {
    let folder = Folder::of(Match::new().rounds(2));
    fs::copy(crate::support::fake_engine(), folder.path("alpha")).unwrap();
    let alpha = |name: &str| {
        program(&[&folder.path(name).display().to_string(), "--moves", crate::support::SCHOLARS_MATE])
    };
    let first = Folder::of(Match::new().rounds(2).white(alpha("alpha")));
    first.play(2, [1]);
    fs::rename(folder.path("alpha"), folder.path("beta")).unwrap();
    let first = first.with(Match::new().rounds(2).white(alpha("beta")));
    // The fake engine of the other side is told the folder of its log.
    first.play(2, [2]);
    let merged = first.expect(&["merge", "merged", "match.out.1-of-2", "match.out.2-of-2"], 0);
    let warning = stderr(&merged);
    assert!(warning.starts_with("warning: match.out.2-of-2/match.db: `engines.0.command` is "), "{warning}");
    assert!(
        warning.contains("/beta, not ") && warning.contains("/alpha as in match.out.1-of-2"),
        "{warning}"
    );
}

#[test]
fn a_sequential_test_is_judged_when_the_shards_are_merged() {
    // White wins every game but for those that Beta resigns.
    let tested = |black| {
        Match::new()
            .black(black)
            .set("pairs", json!(true))
            .rounds(10)
            .set("sprt", json!({ "elo0": 0, "elo1": 200, "model": "logistic" }))
    };
    let folder = Folder::of(tested(speaker(&[("go", "resign")])));
    for shard in ["1/2", "2/2"] {
        let output = folder.expect(&["run", "match.yaml", "--shard", shard], 0);
        assert_eq!(stderr(&output).matches("`sprt` is not judged in a shard").count(), 1);
        assert!(!stdout(&output).contains("LLR"), "{}", stdout(&output));
    }
    let shards = ["match.out.1-of-2", "match.out.2-of-2"];
    let merged = folder.expect(&[&["merge", "merged"][..], &shards].concat(), 0);
    assert!(stdout(&merged).contains("H1 accepted"), "{}", stdout(&merged));
    // Decided by the first eight pairs of the schedule, as in a run.
    assert!(stdout(&merged).contains("after 8 pairs"), "{}", stdout(&merged));
    let report = folder.expect(&["report", "--json", "merged/match.db"], 0);
    let report: Value = serde_json::from_str(stdout(&report)).unwrap();
    assert_eq!((&report["sprt"]["state"], &report["shard"]), (&json!("H1"), &Value::Null));
    // With a part of the games nothing is decided.
    let part = folder.expect(&["merge", "part", "match.out.2-of-2"], 1);
    assert!(!stdout(&part).contains("H1 accepted"), "{}", stdout(&part));

    let folder = Folder::of(tested(fake(&[])));
    folder.play(2, [1, 2]);
    let merged = folder.expect(&[&["merge", "merged"][..], &shards].concat(), 1);
    assert!(!stdout(&merged).contains("H1 accepted"), "{}", stdout(&merged));
}

#[test]
fn a_shard_that_was_killed_plays_on_and_is_merged() {
    // The second game of each process waits to be let go.
    let held = |game: Match| {
        let hold = game.hold("go");
        game.white(fake(&[]).on("go/2", &hold)).rounds(4)
    };
    let folder = Folder::of(held(Match::new()));
    let arguments = ["run", "match.yaml", "--shard", "2/2", "--resume"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .current_dir(folder.0.path())
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pgn = folder.path("match.out.2-of-2/games.pgn");
    let kept = || fs::metadata(&pgn).is_ok_and(|data| data.len() > 0);
    for _ in 0..30_000 {
        if kept() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(kept(), "the first game was not finished");
    child.kill().unwrap();
    child.wait().unwrap();
    let shards = ["match.out.1-of-2", "match.out.2-of-2"];
    fs::write(folder.path("go"), "").unwrap();
    folder.play(2, [1]);
    let early = folder.expect(&[&["merge", "early"][..], &shards].concat(), 1);
    let words = "warning: match.out.2-of-2/match.db: shard 2/2 has only 1 of its 2 games\n";
    assert!(stderr(&early).contains(words), "{}", stderr(&early));
    folder.expect(&arguments, 0);
    folder.expect(&[&["merge", "merged"][..], &shards].concat(), 0);
    assert_eq!(rounds(&folder.games("merged")), ["1.1", "2.1", "3.1", "4.1"]);
    folder.expect(&["run", "match.yaml"], 0);
    assert_eq!(played(&folder.games("merged")), played(&folder.games("match.out")));
}

#[test]
fn what_is_required_is_judged_of_the_whole() {
    let require = json!({ "min_score": 0.9 });
    let folder = Folder::of(Match::new().rounds(2).set("require", require));
    // Alpha wins all of the first shard and none of the second one.
    for shard in ["1/2", "2/2"] {
        let output = folder.expect(&["run", "match.yaml", "--shard", shard], 0);
        assert_eq!(stderr(&output).matches("`require` is not judged in a shard").count(), 1);
    }
    folder.expect(&["merge", "match.out", "match.out.1-of-2", "match.out.2-of-2"], 0);
    let judged = folder.expect(&["run", "match.yaml", "--resume"], 1);
    assert!(stdout(&judged).contains("at least 0.9 is required"), "{}", stdout(&judged));
}

#[test]
fn faults_come_along() {
    let faulty = fake(&[]).on("go@2/1", "print:readyok");
    let folder = Folder::of(Match::new().rounds(4).white(faulty));
    folder.play(2, [1, 2]);
    folder.expect(&["merge", "merged", "match.out.1-of-2", "match.out.2-of-2"], 0);
    for (shard, game) in
        [("match.out.1-of-2", "1.1"), ("match.out.2-of-2", "2.1"), ("match.out.1-of-2", "3.1")]
    {
        let show = |dir: &str| {
            let shown = folder.expect(&["show", "--json", &format!("{dir}/match.db"), game], 0);
            serde_json::from_str::<Value>(stdout(&shown)).unwrap()
        };
        assert_eq!(show("merged"), show(shard));
    }
    let shown = folder.expect(&["show", "--json", "merged/match.db", "1.1"], 0);
    let shown: Value = serde_json::from_str(stdout(&shown)).unwrap();
    assert_eq!(shown["faults"].as_array().unwrap().len(), 1, "{shown}");
}

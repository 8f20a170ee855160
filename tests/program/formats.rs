//! Tournaments of several engines: who meets whom, what becomes of an engine that plays no more, what the tables say.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use nix::sys::signal::Signal;
use serde_json::json;

use crate::support::processes::peak_memory;
use crate::support::{EngineKeys, Match, NAMES, Outcome, fake};

/// Ends at ply 16, the start position standing for the fifth time, unless an engine gives the game away before.
const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

/// An engine that gives the game away at its move of this number, by a token that is no move: the later, the stronger.
fn of_strength(strength: usize) -> EngineKeys {
    let give_away = "instead:bestmove 0000";
    fake(&[])
        .on(&format!("go@{}", 2 * strength), give_away)
        .on(&format!("go@{}", 2 * strength + 1), give_away)
}

/// A tournament of engines of these strengths.
fn tournament(format: &str, strengths: &[usize]) -> Match {
    Match::new()
        .engines(strengths.iter().map(|strength| of_strength(*strength)))
        .moves(SHUFFLE)
        .set("format", json!(format))
        .set("pairs", json!(true))
}

/// `number round White-Black result` of each game, in the order of their numbers.
fn games(outcome: &Outcome) -> Vec<String> {
    let mut ended: Vec<_> = outcome.events_of("game_ended").collect();
    ended.sort_by_key(|event| event["game"].as_u64());
    let shown = ended.iter().map(|event| {
        let text = |key: &str| event[key].as_str().unwrap();
        format!("{} {} {}-{} {}", event["game"], text("round"), text("white"), text("black"), text("result"))
    });
    shown.collect()
}

/// Games and points of each engine, from the PGN.
fn points_of_pgn(outcome: &Outcome) -> BTreeMap<String, (u32, f64)> {
    let mut points: BTreeMap<String, (u32, f64)> = BTreeMap::new();
    for game in &outcome.games {
        let (white, black) = match game.tag("Result") {
            "1-0" => (1.0, 0.0),
            "0-1" => (0.0, 1.0),
            "1/2-1/2" => (0.5, 0.5),
            other => panic!("{other}"),
        };
        for (side, score) in [("White", white), ("Black", black)] {
            let sums = points.entry(game.tag(side).to_owned()).or_default();
            sums.0 += 1;
            sums.1 += score;
        }
    }
    points
}

/// Games and points of each engine, from the table; in its order.
fn table(outcome: &Outcome) -> Vec<(String, (u32, f64))> {
    let lines = outcome.stdout.lines().skip_while(|line| !line.trim_start().starts_with("engine "));
    let rows = lines.skip(1).take_while(|line| !line.is_empty());
    rows.map(|row| {
        let words: Vec<&str> = row.split_whitespace().collect();
        (words[1].to_owned(), (words[2].parse().unwrap(), words[6].parse().unwrap()))
    })
    .collect()
}

fn names(table: &[(String, (u32, f64))]) -> Vec<&str> {
    table.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn d_02_a_round_robin_has_the_same_games_whatever_the_concurrency() {
    let run = |concurrency: u32| {
        tournament("round_robin", &[1, 4, 2, 5, 3]).set("concurrency", json!(concurrency)).run().exits_with(0)
    };
    let (one, three) = (run(1), run(3));
    assert_eq!(games(&one), games(&three));
    assert_eq!(games(&one).len(), 20);
    assert_eq!(
        games(&one)[..5],
        [
            "1 1.1 Beta-Epsilon 1-0",
            "2 1.2 Epsilon-Beta 0-1",
            "3 1.3 Gamma-Delta 0-1",
            "4 1.4 Delta-Gamma 1-0",
            "5 2.1 Epsilon-Gamma 1-0"
        ]
    );
    // The live file stands in the order in which games ended, under the numbers of the schedule.
    let mut rounds: Vec<&str> = three.games.iter().map(|game| game.tag("Round")).collect();
    rounds.sort_unstable();
    rounds.dedup();
    assert_eq!(rounds.len(), 20);
    let tables = |outcome: &Outcome| {
        outcome.stdout.split("engine ").nth(1).unwrap().split("\nTime").next().unwrap().to_owned()
    };
    assert_eq!(tables(&one), tables(&three));
}

#[test]
fn d_02_the_live_file_has_the_order_in_which_games_end_and_their_own_numbers() {
    let game = Match::new().rounds(3).set("concurrency", json!(2));
    let wait = game.hold("go");
    // Alpha is White in the first game, which waits for the others to end.
    let mut run = game.white(fake(&["--on", "go@0", &wait])).start();
    run.wait_for(|event| event["type"] == "game_ended" && event["game"] == 2);
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    let rounds: Vec<&str> = outcome.games.iter().map(|game| game.tag("Round")).collect();
    assert_eq!(rounds[0], "2.1");
    let ended: Vec<&str> =
        outcome.events_of("game_ended").map(|event| event["round"].as_str().unwrap()).collect();
    assert_eq!(rounds, ended);
    assert_eq!(
        games(&outcome),
        ["1 1.1 Alpha-Beta 1-0", "2 2.1 Beta-Alpha 1-0", "3 3.1 Alpha-Beta 1-0"],
        "those of the schedule"
    );
}

#[test]
fn d_07_the_table_is_that_of_the_pgn() {
    for (format, seeds) in [("round_robin", 1), ("gauntlet", 2)] {
        let outcome = tournament(format, &[1, 4, 2, 8, 8])
            .set("seeds", json!(seeds))
            .set("concurrency", json!(2))
            .run()
            .exits_with(0);
        let table = table(&outcome);
        assert_eq!(table.iter().cloned().collect::<BTreeMap<_, _>>(), points_of_pgn(&outcome));
        if format == "round_robin" {
            // Strongest first; Delta and Epsilon are equal and draw with each other.
            assert_eq!(names(&table), ["Delta", "Epsilon", "Beta", "Gamma", "Alpha"]);
            assert!(outcome.stdout.contains("Points against"), "{}", outcome.stdout);
        }
    }
}

#[test]
fn the_tables_tell_ratings_and_how_each_engines_games_ended() {
    // Alpha and Beta draw with each other, Gamma loses everything.
    let outcome = tournament("round_robin", &[8, 8, 1])
        .set("rounds", json!(2))
        .set("concurrency", json!(2))
        .run()
        .exits_with(0);
    let rows: Vec<Vec<&str>> = outcome.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [
        // Draws show no variance.
        "1 Alpha 8 4 4 0 6.0 75.0 % 0.0 n/a 12.00",
        "2 Beta 8 4 4 0 6.0 75.0 % 0.0 n/a 12.00",
        // Eight lost games: (1 - S(x))^8 is 5 %.
        "3 Gamma 8 0 0 8 0.0 0.0 % < -137.1 n/a 0.00",
        "fivefold illegal opponent",
        "engine repetitions moves forfeited",
        "Alpha 4 0 4",
        "Beta 4 0 4",
        "Gamma 0 8 0",
    ] {
        assert!(rows.contains(&row.split(' ').collect()), "{row}: {}", outcome.stdout);
    }
}

#[test]
fn seeds_of_a_gauntlet_meet_all_the_others_and_not_each_other() {
    let outcome = tournament("gauntlet", &[1, 2, 3, 4, 5]).set("seeds", json!(2)).run().exits_with(0);
    let mut met: BTreeMap<(String, String), u32> = BTreeMap::new();
    for game in &outcome.games {
        *met.entry((game.tag("White").to_owned(), game.tag("Black").to_owned())).or_default() += 1;
    }
    assert_eq!(met.len(), 12, "{met:?}");
    assert!(met.values().all(|games| *games == 1), "with each colour once: {met:?}");
    for (white, black) in met.keys() {
        let seeds = [white, black].iter().filter(|name| NAMES[..2].contains(&name.as_str())).count();
        assert_eq!(seeds, 1, "{white} {black}");
    }
}

#[test]
fn a_knockout_of_six_gives_the_first_two_byes() {
    let run = |concurrency: u32| {
        tournament("knockout", &[3, 1, 5, 2, 6, 4]).set("concurrency", json!(concurrency)).run().exits_with(0)
    };
    let (one, three) = (run(1), run(3));
    let expected = [
        "1 1.1 Delta-Epsilon 0-1",
        "2 1.2 Epsilon-Delta 1-0",
        "3 1.3 Gamma-Zeta 1-0",
        "4 1.4 Zeta-Gamma 0-1",
        "5 2.1 Alpha-Epsilon 0-1",
        "6 2.2 Epsilon-Alpha 1-0",
        "7 2.3 Beta-Gamma 0-1",
        "8 2.4 Gamma-Beta 1-0",
        "9 3.1 Epsilon-Gamma 1-0",
        "10 3.2 Gamma-Epsilon 0-1",
    ];
    assert_eq!(games(&one), expected);
    assert_eq!(games(&three), expected);
    let bracket = "\nFinal\n  3.1   Epsilon 2.0 – 0.0 Gamma\n\nWinner: Epsilon\n";
    assert!(three.stdout.contains(bracket), "{}", three.stdout);
}

#[test]
fn a_level_encounter_has_extra_pairs_and_then_the_higher_seed_advances() {
    let outcome = tournament("knockout", &[8, 1, 8]).run().exits_with(0);
    // Beta loses to Gamma; Alpha and Gamma draw the final with its four extra pairs.
    assert_eq!(outcome.games.len(), 2 + 2 + 8);
    let games = games(&outcome);
    assert_eq!(
        games[3..6],
        ["4 2.2 Gamma-Alpha 1/2-1/2", "13 2.3 Alpha-Gamma 1/2-1/2", "14 2.4 Gamma-Alpha 1/2-1/2"]
    );
    let words = "Alpha 5.0 – 5.0 Gamma  Alpha advances as the higher seed";
    assert!(outcome.stdout.contains(words), "{}", outcome.stdout);
}

#[test]
fn a_swiss_tournament_of_seven_has_no_second_meetings() {
    let run = |concurrency: u32| {
        tournament("swiss", &[1, 7, 2, 6, 3, 5, 4])
            .set("rounds", json!(3))
            .set("concurrency", json!(concurrency))
            .run()
            .exits_with(0)
    };
    let (one, three) = (run(1), run(3));
    assert_eq!(games(&one), games(&three));
    assert_eq!(games(&one).len(), 18);
    let mut met: BTreeMap<[String; 2], u32> = BTreeMap::new();
    for game in &one.games {
        let mut both = [game.tag("White").to_owned(), game.tag("Black").to_owned()];
        both.sort();
        *met.entry(both).or_default() += 1;
    }
    assert!(met.len() == 9 && met.values().all(|games| *games == 2), "{met:?}");
    let table = table(&one);
    assert_eq!(names(&table)[0], "Beta");
    // Points are those of the PGN, and two for the bye that three of them had.
    let pgn = points_of_pgn(&one);
    let byes = table.iter().filter(|(name, (_, points))| *points > pgn[name].1).count();
    assert_eq!(byes, 3);
    assert!(table.iter().all(|(name, (games, points))| {
        *games == pgn[name].0 && [0.0, 2.0].contains(&(points - pgn[name].1))
    }));
}

#[test]
fn b_14_only_the_games_of_an_engine_whose_budget_is_spent_are_not_played() {
    let crashing = fake(&["--on", "go", "die:1"]).with("crash_budget", json!(1));
    let outcome = Match::new()
        .engines([of_strength(3), crashing, of_strength(4), of_strength(5)])
        .moves(SHUFFLE)
        .set("format", json!("round_robin"))
        .set("pairs", json!(true))
        .set("rounds", json!(2))
        .run()
        .exits_with(3);
    let of_beta = |outcome: &Outcome| {
        outcome.games.iter().filter(|game| game.tag("White") == "Beta" || game.tag("Black") == "Beta").count()
    };
    assert_eq!((outcome.games.len(), of_beta(&outcome)), (12 + 2, 2));
    let words =
        "Beta has crashed or stalled in 2 games, and `crash_budget` allows 1: 10 of its games are not played";
    assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
    assert!(outcome.stdout.contains(&format!("Not played\n  {words}")), "{}", outcome.stdout);
    assert!(
        outcome.faults().iter().any(|fault| fault.starts_with("- Beta plays no more")),
        "{:?}",
        outcome.faults()
    );
}

#[test]
fn b_14_an_engine_that_is_out_loses_its_encounter() {
    let crashing = || fake(&["--on", "go", "die:1"]).with("restart", json!("never"));
    let engines = || [crashing(), of_strength(5), of_strength(4), of_strength(3)];
    let cup = |format: &str| {
        Match::new().engines(engines()).moves(SHUFFLE).set("format", json!(format)).set("pairs", json!(true))
    };
    let outcome = cup("knockout").set("rounds", json!(2)).run().exits_with(3);
    assert!(outcome.stdout.contains("Delta advances: its opponent plays no more"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("Winner: Beta"), "{}", outcome.stdout);
    assert_eq!(outcome.games.len(), 1 + 4 + 4);
    let outcome = cup("swiss").set("rounds", json!(2)).run().exits_with(3);
    assert!(outcome.stderr.contains("Alpha is gone"), "{}", outcome.stderr);
    // One game, its opponent's other one given; then three engines are left and one has a bye.
    assert_eq!(outcome.games.len(), 1 + 2 + 2);
    assert!(outcome.stdout.contains("1.0 given for games not played"), "{}", outcome.stdout);
}

#[test]
fn one_of_many_engines_that_does_not_start_ends_the_run_before_any_game() {
    let outcome = Match::new()
        .engines([fake(&[]), fake(&[]), fake(&[]), fake(&["--on", "uci", "die:1"]), fake(&[])])
        .set("format", json!("round_robin"))
        .set("concurrency", json!(2))
        .run()
        .exits_with(3);
    assert!(
        outcome.stderr.contains("Delta") && outcome.stderr.contains("no game was played"),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.events_of("game_started").count(), 0);
}

#[test]
fn b_13_only_the_engines_of_the_game_that_is_played_are_there() {
    let silent = fake(&["--on", "go@0", "nothing"]);
    // Gamma meets Delta in game 3; White, it is silent.
    let mut run = Match::new()
        .engines([fake(&[]), fake(&[]), silent, fake(&[]), fake(&[])])
        .set("format", json!("round_robin"))
        .set("pairs", json!(true))
        .start();
    run.wait_for(|event| event["type"] == "game_started" && event["game"] == 3);
    assert_eq!(run.engines().len(), 2, "{:?}", run.engines());
    run.signal(Signal::SIGTERM);
    let outcome = run.finish().exits_with(130);
    assert_eq!((outcome.starts("Alpha"), outcome.starts("Gamma")), (1, 2), "Alpha was only looked at");
    // Whoever plays two games in a row keeps its process.
    assert_eq!(outcome.starts("Beta"), 2);
}

#[test]
fn a_dry_run_shows_what_is_known_before_the_first_game() {
    let shown = |format: &str, engines: usize, rounds: u32| {
        let outcome =
            tournament(format, &vec![1; engines]).set("rounds", json!(rounds)).arg("--dry-run").run();
        outcome.exits_with(0).stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let robin = shown("round_robin", 5, 1);
    assert_eq!((robin.len(), robin[0].as_str()), (20, "Game 1.1  Beta – Epsilon  startpos"));
    let knockout = shown("knockout", 5, 1);
    assert_eq!(knockout[0], "Game 1.1  Delta – Epsilon  startpos");
    assert_eq!(knockout[2], "Game 2.1  Alpha – winner of encounter 1.1  startpos");
    assert_eq!(knockout[6], "Game 3.1  winner of encounter 2.1 – winner of encounter 2.2  startpos");
    assert!(knockout[8].contains("extra"), "{knockout:?}");
    let swiss = shown("swiss", 4, 2);
    assert_eq!(swiss[0], "Game 1.1  Alpha – Gamma  startpos");
    assert_eq!(swiss[4], "Game 2.1  board 1, paired by the results up to round 1  startpos");
    assert_eq!(swiss.len(), 8);
}

#[test]
fn d_05_engines_are_called_what_the_match_file_calls_them() {
    // Both say the same of themselves, and have the same command.
    let named = |name: &str| fake(&[]).with("name", json!(name));
    let outcome =
        Match::new().engines([named("Old  one"), named("New \"x\" {ö}")]).rounds(2).run().exits_with(0);
    let names = ["Old  one", "New \"x\" {ö}"];
    for (game, [white, black]) in outcome.games.iter().zip([names, [names[1], names[0]]]) {
        assert_eq!((game.tag("White"), game.tag("Black")), (white, black));
    }
    assert_eq!(outcome.events_of("match_started").next().unwrap()["engines"], json!(names));
    assert!(
        outcome.stdout.contains("\nOld  one ") && outcome.stdout.contains("\nNew \"x\" {ö} "),
        "{}",
        outcome.stdout
    );
    assert!(!outcome.stdout.contains("Fake") && !outcome.pgn.contains("Fake"), "what they say of themselves");
    for twins in [["A", "A"], ["A", "a"]] {
        let outcome = Match::new().engines(twins.map(named)).run().exits_with(2);
        assert!(outcome.stderr.contains("two engines are called `A`"), "{}", outcome.stderr);
        assert!(outcome.received("Alpha").is_empty(), "no engine was started");
        assert!(!outcome.path().join("match.out").exists());
    }
}

#[test]
fn d_05_engines_of_one_name_are_refused_in_every_format() {
    for format in ["round_robin", "gauntlet", "knockout", "swiss"] {
        let twin = || fake(&[]).with("name", json!("Twin"));
        let outcome = Match::new()
            .engines([twin(), fake(&[]), twin()])
            .set("format", json!(format))
            .run()
            .exits_with(2);
        assert!(outcome.stderr.contains("two engines are called `Twin`"), "{}", outcome.stderr);
    }
}

/// Games are computed when they are wanted: sixty million of them take no memory, and the first ones are there at once.
#[test]
fn a_long_schedule_takes_no_memory_and_is_shown_from_its_beginning() {
    let folder = tournament("round_robin", &[1, 1, 1]).set("rounds", json!(10_000_000)).into_dir();
    let mut program = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["run", "--dry-run", "match.yaml"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let mut numbers = (1_u32..).flat_map(|round| [format!("Game {round}.1  "), format!("Game {round}.2  ")]);
    for _ in 0..100_000 {
        let (line, number) = (lines.next().unwrap().unwrap(), numbers.next().unwrap());
        assert!(line.starts_with(&number), "{line}");
    }
    // It waits for somebody to read on, then for nobody.
    let most = peak_memory(program.id().try_into().unwrap()).unwrap();
    assert!(most < 50 << 20, "{} MiB", most >> 20);
    drop(lines);
    assert!(program.wait().unwrap().success());
}

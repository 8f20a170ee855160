//! Several games at once: the same games, the same table, each on processors of its own; what befalls one game leaves
//! the others alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use arbiter::game::observer::GameEvent;
use arbiter::platform::processors::ProcessorSet;
use arbiter::tournament::dispatcher::{RunEnd, RunResult};
use arbiter::tournament::event::{Event, Sink};
use nix::sys::signal::Signal;
use serde_json::json;

use crate::support::in_process::{self, entrant};
use crate::support::{Match, Outcome, SCHOLARS_MATE, fake};

/// Lines of different lengths: triggers such as `go@2` happen in the games of some of them only.
const BOOK: &str = "[Event \"?\"]\n\n1. e4 e5 2. Qh5 Nc6 *\n\n[Event \"?\"]\n\n1. e4 e5 *\n\n[Event \"?\"]\n\n1. e4 *\n\n\
    [Event \"?\"]\n\n1. e4 e5 2. Qh5 *\n";

fn with_book(played: Match) -> Match {
    fs::write(played.dir().join("book.pgn"), BOOK).unwrap();
    played.set("openings", json!({ "file": "book.pgn" }))
}

fn at_once(games: u32) -> Match {
    Match::new().set("concurrency", json!(games))
}

/// Engines that answer `go` with this many moves on the board by nothing.
fn silent_at(ply: u32) -> Match {
    let silent = || fake(&["--on", &format!("go@{ply}"), "nothing"]);
    Match::new().white(silent()).black(silent())
}

/// `number result reason` of each game, in the order of their numbers.
fn results(outcome: &Outcome) -> Vec<String> {
    let mut ended: Vec<_> = outcome.events_of("game_ended").collect();
    ended.sort_by_key(|event| event["game"].as_u64());
    let text = |key: &'static str| move |event: &serde_json::Value| event[key].as_str().unwrap().to_owned();
    let words = ended.iter().map(|event| {
        format!(
            "{} {} {} {}",
            event["game"],
            text("white")(event),
            text("result")(event),
            text("reason")(event)
        )
    });
    words.collect()
}

fn table(outcome: &Outcome) -> &str {
    let table = &outcome.stdout[outcome.stdout.find("engine ").unwrap()..];
    table.split("\nPGN").next().unwrap()
}

#[test]
fn three_games_at_once_give_the_same_results_as_one_at_a_time() {
    let run = |concurrency| {
        let beta = fake(&["--on", "go@2", "instead:bestmove 0000"]);
        with_book(at_once(concurrency).black(beta).rounds(12)).run().exits_with(0)
    };
    let (one, three) = (run(1), run(3));
    assert_eq!(results(&one).len(), 12);
    assert_eq!(results(&one), results(&three));
    assert_eq!(table(&one), table(&three));
    assert!(table(&three).contains("Alpha      12     9      0     3"), "{}", table(&three));
    assert_eq!(one.starts("Alpha"), 1);
    assert_eq!(three.starts("Alpha"), 3, "each game has processes of its own, which are used again");
    let lines: Vec<&str> = three.stdout.lines().filter(|line| line.starts_with("Game ")).collect();
    assert_eq!(lines.len(), 12);
    assert!(lines[11].contains("(12 of 12)") && lines[11].ends_with("[Alpha 9, Beta 3]"), "{}", lines[11]);
}

#[test]
fn games_run_at_the_same_time() {
    // Each game waits until three have begun.
    let mut run = silent_at(2).set("concurrency", json!(3)).rounds(3).start();
    for game in 1..=3 {
        run.wait_for(|event| event["type"] == "move" && event["game"] == game && event["ply"] == 2);
    }
    run.signal(Signal::SIGTERM);
    run.finish().exits_with(130);
}

#[test]
fn there_are_never_more_workers_than_games() {
    let outcome = at_once(500).rounds(2).run().exits_with(0);
    assert_eq!((outcome.games.len(), outcome.starts("Alpha")), (2, 2));
}

#[test]
fn an_interrupt_drops_all_running_games() {
    let grace = |grace: &str| {
        silent_at(2).set("concurrency", json!(3)).rounds(9).set("interrupt_grace", json!(grace))
    };
    for (signals, mut run) in [(1, grace("300ms").start()), (2, grace("1h").start())] {
        for game in 1..=3 {
            run.wait_for(|event| event["type"] == "game_started" && event["game"] == game);
        }
        match signals {
            1 => run.signal(Signal::SIGINT),
            _ => run.signal_until_it_ends(Signal::SIGINT),
        }
        let outcome = run.finish().exits_with(130);
        let mut annulled: Vec<u64> =
            outcome.events_of("game_annulled").map(|event| event["game"].as_u64().unwrap()).collect();
        annulled.sort_unstable();
        assert_eq!(annulled, [1, 2, 3]);
        assert_eq!(outcome.games.len(), 0);
    }
}

#[test]
fn an_interrupt_between_two_games_does_not_wait_for_an_engine_that_will_not_end() {
    let stubborn = fake(&["--ignore-quit", "--ignore-term"]).with("restart", json!("every_game"));
    let mut run = Match::new()
        .white(stubborn)
        .rounds(3)
        .set("defaults.timeouts.quit", json!("1h"))
        .set("interrupt_grace", json!("1h"))
        .start();
    run.wait_for(|event| event["type"] == "game_ended");
    run.signal(Signal::SIGINT);
    let outcome = run.finish().exits_with(130);
    assert_eq!(outcome.games.len(), 1);
    assert_eq!(outcome.events_of("game_annulled").count(), 0);
}

#[test]
fn b_10_a_crash_in_one_game_leaves_the_others_alone() {
    // Only the third line leaves Black the first move; there Beta, Black in the odd games, dies.
    let beta = fake(&["--on", "go@1", "die:3"]);
    let outcome = with_book(at_once(3).black(beta).rounds(8)).run().exits_with(0);
    let expected: Vec<String> = (1..=8)
        .map(|number| {
            let white = if number % 2 == 1 { "Alpha" } else { "Beta" };
            let reason = if number % 4 == 3 { "disconnect" } else { "checkmate" };
            format!("{number} {white} 1-0 {reason}")
        })
        .collect();
    assert_eq!(results(&outcome), expected);
}

#[test]
fn an_engine_gone_for_good_lets_the_other_games_end_and_begins_no_more() {
    let beta = fake(&["--on", "go@1", "die:3"]).with("restart", json!("never"));
    let outcome = with_book(at_once(2).black(beta).rounds(40)).run().exits_with(3);
    assert!(outcome.stderr.contains("Beta is gone"), "{}", outcome.stderr);
    let begun = outcome.events_of("game_started").count();
    assert_eq!(outcome.games.len(), begun, "what had begun was finished");
    assert!(begun < 40);
}

#[test]
fn an_engine_that_does_not_start_ends_the_run_before_any_game_of_any_worker() {
    let broken = fake(&["--on", "uci", "die:1"]);
    let outcome = at_once(3).black(broken).rounds(6).run().exits_with(3);
    assert!(
        outcome.stderr.contains("Beta") && outcome.stderr.contains("no game was played"),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.events_of("game_started").count(), 0);
    let picky = fake(&[]).with("options", json!({ "Bogus": 1 }));
    let outcome = at_once(3).black(picky).rounds(6).run().exits_with(2);
    assert!(outcome.stderr.contains("it has no option `Bogus`"), "{}", outcome.stderr);
}

#[test]
fn b_17_more_threads_than_processors_are_warned_of() {
    let threads = ["--option", "option name Threads type spin default 1 min 1 max 100000"];
    let greedy = |games| fake(&threads).with("options", json!({ "threads": games }));
    let outcome = at_once(2).black(greedy(50_000)).rounds(2).run().exits_with(0);
    let words = "warning: 2 games at once, 50000 to a game, need 100000 processors";
    assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
    let outcome = at_once(1).black(greedy(1)).rounds(2).run().exits_with(0);
    assert!(!outcome.stderr.contains("at once"), "{}", outcome.stderr);
}

/// Processors that a process or thread may use, as the system shows them, by the name of the directory.
fn allowed(status: &Path) -> Option<String> {
    let text = fs::read_to_string(status.join("status")).ok()?;
    let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(list.trim().to_owned())
}

fn folders(path: &Path) -> Vec<PathBuf> {
    fs::read_dir(path).unwrap().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

#[test]
fn b_17_each_game_keeps_to_a_processor_of_its_own_with_both_engines() {
    let usable = ProcessorSet::allowed().unwrap();
    let games = u32::try_from(usable.numbers().len().min(4)).unwrap();
    let mut run =
        silent_at(2).set("concurrency", json!(games)).set("affinity", json!("auto")).rounds(games).start();
    for game in 1..=games {
        run.wait_for(|event| event["type"] == "move" && event["game"] == game && event["ply"] == 2);
    }
    let program = PathBuf::from(format!("/proc/{}", run.id()));
    let own = |name: &str| {
        let threads = folders(&program.join("task"));
        let named = threads.iter().filter(|thread| {
            fs::read_to_string(thread.join("comm")).is_ok_and(|comm| comm.trim_end().starts_with(name))
        });
        named.filter_map(|thread| allowed(thread)).collect::<Vec<_>>()
    };
    let referees: BTreeSet<String> = own("game ").into_iter().collect();
    assert_eq!(referees.len(), games as usize, "processors of their own: {referees:?}");
    assert!(referees.iter().all(|list| list.parse::<usize>().is_ok()), "one each: {referees:?}");
    assert_eq!(own("arbiter"), [allowed(Path::new("/proc/self")).unwrap()], "the dispatcher is not bound");
    for engine in ["Alpha.log", "Beta.log"] {
        let log = run.dir().join(engine).display().to_string();
        let is_engine = |process: &PathBuf| {
            let arguments = fs::read(process.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&arguments).split('\0').any(|argument| argument == log)
        };
        let processes = folders(Path::new("/proc")).into_iter().filter(is_engine);
        let lists: Vec<String> = processes.filter_map(|process| allowed(&process)).collect();
        assert_eq!(lists.len(), games as usize);
        assert_eq!(lists.into_iter().collect::<BTreeSet<_>>(), referees, "{engine}");
    }
    run.signal(Signal::SIGTERM);
    run.finish().exits_with(130);
}

#[test]
fn a_processor_that_is_not_there_is_an_error_of_the_match_file() {
    let outcome = Match::new().set("affinity", json!([100_000])).run().exits_with(2);
    assert!(outcome.stderr.contains("processor 100000 is not there"), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("match.yaml:1:") && outcome.stderr.contains("it may use:"),
        "{}",
        outcome.stderr
    );
    assert!(!outcome.path().join("match.out").exists(), "nothing was begun");
    Match::new().set("affinity", json!([100_000])).check().exits_with(2);
    let first = ProcessorSet::allowed().unwrap().numbers()[0];
    let outcome = at_once(2).rounds(2).set("affinity", json!([first])).run().exits_with(0);
    assert_eq!(outcome.games.len(), 2);
    assert!(outcome.stderr.contains("1 of them may use all of these"), "{}", outcome.stderr);
}

/// Panics once, at the beginning of a game.
#[derive(Default)]
struct Faulty {
    panicked: AtomicBool,
    told: Mutex<Vec<String>>,
}

impl Sink for Faulty {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        let words = match event {
            Event::Game(game, GameEvent::Started { .. }) if game.number == 1 => {
                assert!(self.panicked.swap(true, Ordering::SeqCst), "a fault that a test wants");
                return Ok(());
            }
            Event::GameEnded(record) => format!("ended {}", record.id.number),
            Event::GameAnnulled { game, reason, .. } => format!("annulled {} {reason}", game.number),
            _ => return Ok(()),
        };
        self.told.lock().unwrap().push(words);
        Ok(())
    }
}

fn run_with(faulty: &Arc<Faulty>, workers: usize) -> RunResult {
    let sink: Arc<dyn Sink> = Arc::clone(faulty) as _;
    in_process::play(
        ["Alpha", "Beta"].map(|name| entrant(name, &["--moves", SCHOLARS_MATE])),
        3,
        workers,
        sink,
    )
}

#[test]
fn b_10_a_fault_of_our_own_costs_a_worker_and_no_game() {
    let faulty = Arc::new(Faulty::default());
    let result = run_with(&faulty, 2);
    assert_eq!((result.end, result.scoreboard.finished()), (RunEnd::Finished, 6));
    let told = faulty.told.lock().unwrap();
    assert!(told.contains(&"annulled 1 internal_error".to_owned()), "{told:?}");
    assert_eq!(told.iter().filter(|event| *event == "ended 1").count(), 1);
}

#[test]
fn a_fault_of_our_own_in_the_only_worker_ends_the_run() {
    let result = run_with(&Arc::default(), 1);
    assert!(matches!(result.end, RunEnd::Failed(words) if words.contains("fault of this program")));
    assert_eq!(result.scoreboard.finished(), 0);
}

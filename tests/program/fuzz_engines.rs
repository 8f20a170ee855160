//! Engines that say anything, through real pipes: every game has a verdict, and the referee stays whole and small.
//!
//! `FUZZ_GAMES` and `FUZZ_SEED` ask for more, or for a run that has failed once more: `scripts/fuzz-engines.sh`.

mod dialogues;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use self::dialogues::Random;
use crate::support::processes::peak_memory;
use crate::support::{EngineKeys, Match, Outcome, fake};

/// Games of one run of the program.
const GAMES: usize = 20;
/// In so many games every way to lose comes up.
const ENOUGH_GAMES: usize = 200;
/// Runs at the same time: most of them wait most of the time.
const AT_ONCE: usize = 8;
const MEBIBYTE: u64 = 1 << 20;

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

/// An engine that replays, in each of its processes, the file of that number.
fn replaying(game: &Match, files: Vec<String>) -> EngineKeys {
    let folder = game.dir().join("replay");
    std::fs::create_dir(&folder).unwrap();
    for (index, text) in files.into_iter().enumerate() {
        std::fs::write(folder.join((index + 1).to_string()), text).unwrap();
    }
    fake(&["--on", "start", &format!("replay-next:{}", folder.display())])
        .with("restart", json!("every_game"))
}

/// Plays the match, and checks that every game has a verdict and that the referee has not suffered.
#[track_caller]
fn every_game_ends(game: Match, label: &str) -> Outcome {
    let run = game.rounds(u32::try_from(GAMES).unwrap()).start();
    let id = run.id();
    let mut most = 0;
    let outcome = run.finish_watched(|| most = most.max(peak_memory(id).unwrap_or(0)));
    assert_eq!(outcome.code, 0, "{label}: {}", outcome.stderr);
    assert_eq!(outcome.games.len(), GAMES, "{label}: {}", outcome.stderr);
    assert_eq!(outcome.events_of("game_annulled").count(), 0, "{label}: {}", outcome.stderr);
    assert!(!outcome.stderr.contains("panicked"), "{label}: {}", outcome.stderr);
    assert!(most > 0 && most < 100 * MEBIBYTE, "{label}: {most} bytes");
    outcome
}

/// One run of the program with an engine that says anything; the reasons why its games ended.
fn hostile_run(index: usize) -> Vec<String> {
    let seed = number("FUZZ_SEED", 1) + index;
    let label = format!("FUZZ_SEED={seed} FUZZ_GAMES={GAMES}");
    let mut random = Random(u64::try_from(seed).unwrap());
    let game = Match::new();
    // The first process has to start, or no game is played.
    let mut files = vec![dialogues::in_pieces(true, &mut random)];
    files.extend((1..GAMES).map(|game| dialogues::hostile(game % 2 == 0, &mut random)));
    let short =
        json!({ "start": "2s", "ready": "600ms", "new_game": "300ms", "silence": "300ms", "quit": "100ms" });
    let control = if index.is_multiple_of(2) { "nodes=9" } else { "0.25+0.02" };
    let engine = replaying(&game, files)
        .with("timeouts", short)
        .with("time_control", json!(control))
        .with("ponder", json!(random.below(3) == 0))
        .with("speaks", json!(random.below(2) == 0));
    let game = if index.is_multiple_of(3) { game.arg("--log").arg("uci.log") } else { game };
    let black = fake(&[]).with("time_control", json!("nodes=9"));
    let outcome = every_game_ends(game.white(engine).black(black), &label);
    outcome.games.iter().map(|game| game.tag("Reason").to_owned()).collect()
}

#[test]
fn a_dialogue_may_come_in_any_pieces() {
    let mut random = Random(u64::try_from(number("FUZZ_SEED", 1)).unwrap());
    let game = Match::new();
    let files = (0..GAMES).map(|game| dialogues::in_pieces(game % 2 == 0, &mut random)).collect();
    let engine = replaying(&game, files);
    let outcome = every_game_ends(game.white(engine), "in pieces");
    assert_eq!(outcome.endings(), vec!["1-0 checkmate 5.1.1"; GAMES], "{}", outcome.stderr);
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

#[test]
fn whatever_an_engine_says_its_game_has_a_verdict() {
    let games = number("FUZZ_GAMES", ENOUGH_GAMES);
    let runs = games.div_ceil(GAMES);
    let next = AtomicUsize::new(0);
    let reasons = Mutex::new(BTreeMap::<String, usize>::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= runs {
                        return;
                    }
                    for reason in hostile_run(index) {
                        *reasons.lock().unwrap().entry(reason).or_default() += 1;
                    }
                }
            });
        }
    });
    let reasons = reasons.into_inner().unwrap();
    println!("{reasons:?}");
    // So many dialogues reach what they are meant to reach.
    if games < ENOUGH_GAMES {
        return;
    }
    for reason in ["checkmate", "illegal_move", "disconnect", "stall", "flag_fall"] {
        assert!(reasons.contains_key(reason), "{reasons:?}");
    }
}

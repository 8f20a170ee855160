//! Engines as processes: none outlives the program, however that ends, and none surprises it.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::support::command::{arbiter, stdout};
use crate::support::processes::{Process, open_files, pipes, threads};
use crate::support::{EngineKeys, Match, fake};

const CHECKMATE: &str = "1-0 checkmate 5.1.1";
const MATE_IN_ONE: &str = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";

/// Ends by nothing but SIGKILL, and has a child that knows no referee at all.
fn clinging() -> EngineKeys {
    fake(&["--ignore-quit", "--ignore-term", "--on", "start", "child"])
}

fn is_move(ply: u32) -> impl Fn(&Value) -> bool {
    move |event| event["type"] == "move" && event["ply"] == ply
}

#[test]
fn b_04_a_killed_run_leaves_no_engine_and_nothing_that_engines_started() {
    let thinking = clinging().on("go@2", "nothing").on("stop", "nothing");
    let mut run = Match::new().white(thinking).black(clinging()).start();
    run.wait_for(is_move(2));
    let engines = run.wait_for_engines(4);
    assert!(engines.iter().all(|engine| engine.group != Process::of(run.id()).unwrap().group));
    run.kill();
    run.expect_no_engine();
}

#[test]
fn b_04_a_run_that_is_killed_during_the_handshake_leaves_no_engine() {
    let mut run = Match::new().black(clinging().on("uci", "nothing")).start();
    run.wait_for_line("Beta", "uci");
    run.wait_for_engines(3);
    run.kill();
    run.expect_no_engine();
}

#[test]
fn b_04_a_check_that_is_killed_leaves_no_engine() {
    let mut check = Match::new().white(clinging().on("uci", "nothing")).start_check();
    check.wait_for_line("Alpha", "uci");
    check.wait_for_engines(2);
    check.kill();
    check.expect_no_engine();
}

#[test]
fn b_04_a_run_whose_terminal_is_closed_ends_its_engines() {
    let thinking = clinging().on("go@2", "nothing").on("stop", "nothing");
    let mut run = Match::new().white(thinking).black(clinging()).start();
    run.wait_for(is_move(2));
    run.wait_for_engines(4);
    run.signal(Signal::SIGHUP);
    assert_eq!(run.finish().exits_with(130).games.len(), 0);
}

#[test]
fn b_04_engines_end_with_the_program_even_where_the_watchdog_was_killed() {
    let stubborn = fake(&["--ignore-quit", "--ignore-term", "--on", "go@2", "nothing"]);
    let mut run = Match::new().white(stubborn.clone()).black(stubborn).start();
    run.wait_for(is_move(2));
    let watchdog = run.watchdog();
    kill(Pid::from_raw(watchdog.id), Signal::SIGKILL).unwrap();
    run.wait_until(|| Process::of(watchdog.id).is_none_or(|process| process.state == 'Z'));
    run.kill();
    run.expect_no_engine();
}

#[test]
fn a_run_goes_on_without_its_watchdog_and_says_so_once() {
    let game = Match::new().set("defaults.restart", json!("every_game")).rounds(3);
    let wait = game.hold("go");
    let mut run = game.white(fake(&["--on", "go@2#1", &wait])).start();
    run.wait_for(is_move(2));
    let watchdog = run.watchdog();
    kill(Pid::from_raw(watchdog.id), Signal::SIGKILL).unwrap();
    run.wait_until(|| Process::of(watchdog.id).is_none_or(|process| process.state == 'Z'));
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    assert_eq!(outcome.games.len(), 3);
    assert_eq!(outcome.stderr.matches("the watchdog can't be reached").count(), 1, "{}", outcome.stderr);
}

#[test]
fn the_watchdog_heeds_no_signal_keeps_nothing_open_and_ends_with_the_run() {
    let game = Match::new();
    let wait = game.hold("go");
    let held = game.white(fake(&["--on", "go@2", &wait]));
    // A file that the program has inherited.
    let mut run = held.start_after("exec 9<match.yaml");
    run.wait_for(is_move(2));
    let watchdog = run.watchdog();
    assert_ne!(watchdog.group, Process::of(run.id()).unwrap().group, "Ctrl-C would reach it");
    assert_eq!(open_files(watchdog.id), [0, 1, 2]);
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT] {
        kill(Pid::from_raw(watchdog.id), signal).unwrap();
    }
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    assert!(!outcome.stderr.contains("watchdog"), "{}", outcome.stderr);
    assert!(Process::of(watchdog.id).is_none_or(|process| process.name != "engine-watchdog"));
}

#[test]
fn engines_inherit_no_pipe_of_another_process() {
    let game = Match::new();
    let wait = game.hold("go");
    let mut run = game.white(fake(&["--on", "go@2", &wait])).start();
    run.wait_for(is_move(2));
    let watchdog = pipes(run.watchdog().id);
    // What the program has inherited itself is handed on.
    let inherited = pipes(std::process::id().try_into().unwrap());
    let engines = run.wait_for_engines(2);
    let [alpha, beta] = [0, 1].map(|place| &pipes(engines[place].id) - &inherited);
    assert_eq!((alpha.len(), beta.len(), watchdog.len()), (3, 3, 1));
    assert!(alpha.is_disjoint(&beta) && alpha.is_disjoint(&watchdog) && beta.is_disjoint(&watchdog));
    run.let_go("go");
    run.finish().exits_with(0);
}

#[test]
fn a_run_that_was_started_by_nohup_outlives_its_terminal() {
    let game = Match::new();
    let wait = game.hold("go");
    let mut run = game.white(fake(&["--on", "go@2", &wait])).start_after("trap '' HUP");
    run.wait_for(is_move(2));
    run.signal(Signal::SIGHUP);
    std::thread::sleep(std::time::Duration::from_millis(300));
    run.let_go("go");
    assert_eq!(run.finish().exits_with(0).endings(), [CHECKMATE]);
}

#[test]
fn b_02_an_engine_that_is_killed_from_outside_costs_one_game() {
    let mut run = Match::new().white(fake(&["--on", "go@2#1", "nothing"])).rounds(3).start();
    run.wait_for(is_move(2));
    let engines = run.wait_for_engines(2);
    let log = run.path().join("Alpha.log").display().to_string();
    let alpha = engines.iter().find(|engine| engine.args.contains(&log)).unwrap();
    kill(Pid::from_raw(alpha.id), Signal::SIGKILL).unwrap();
    let outcome = run.finish().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 disconnect -", CHECKMATE, CHECKMATE]);
    assert!(outcome.games[0].closing_words().contains("was ended by SIGKILL"), "{}", outcome.pgn);
}

#[test]
fn b_11_and_b_15_two_hundred_games_leave_no_zombie_no_child_and_no_open_file() {
    let game = Match::new().rounds(200).fen(MATE_IN_ONE).moves("f7g7");
    let engine = || fake(&["--on", "go", "child"]).with("restart", json!("every_game"));
    let white = engine().on("go@0#5", &game.hold("early")).on("go@0#199", &game.hold("late"));
    let mut run = game.white(white).black(engine()).start();
    let mut counts = Vec::new();
    for (number, file) in [(5, "early"), (199, "late")] {
        let log = run.path().join("Alpha.log");
        let searching = || {
            let text = std::fs::read_to_string(&log).unwrap_or_default();
            let mut processes = text.split("# start\n").skip(number);
            processes.next().is_some_and(|lines| lines.lines().any(|line| line.starts_with("go")))
        };
        run.wait_until(searching);
        let id = run.id();
        let zombies: Vec<Process> =
            Process::children_of(id).into_iter().filter(|child| child.state == 'Z').collect();
        assert!(zombies.is_empty(), "{zombies:?}");
        // Two engines, and the child of the one that is asked for its move.
        run.wait_for_engines(3);
        if let Some((_, early)) = counts.first() {
            // A thread that reads an ended engine's stderr may need a moment.
            run.wait_until(|| threads(id) == *early);
        }
        counts.push((open_files(id).len(), threads(id)));
        run.let_go(file);
    }
    assert_eq!(counts[0], counts[1], "open files and threads");
    assert_eq!(run.finish().exits_with(0).endings().len(), 200);
}

#[test]
fn a_stopped_engine_loses_on_time_and_is_ended() {
    let stopped = fake(&["--on", "go@2#1", "signal:STOP"]).with("time_control", json!("1"));
    let game = Match::new().white(stopped).rounds(2).set("defaults.timeouts", json!({ "quit": "300ms" }));
    let outcome = game.run().exits_with(0);
    assert_eq!(outcome.endings(), ["0-1 flag_fall 6.9", CHECKMATE]);
    assert_eq!(outcome.starts("Alpha"), 2);
}

#[test]
fn engines_are_ended_at_the_same_time() {
    let stubborn = fake(&["--ignore-quit", "--ignore-term"]);
    let game = Match::new().white(stubborn.clone()).black(stubborn);
    let outcome = game.set("defaults.timeouts", json!({ "quit": "4s" })).run().exits_with(0);
    let told: Vec<f64> =
        outcome.events_of("engine_fault").map(|event| event["t"].as_f64().unwrap()).collect();
    assert_eq!(told.len(), 2);
    assert!(told[1] - told[0] < 2.0, "{told:?}");
}

#[test]
fn the_programs_own_commands_are_not_offered() {
    let help = arbiter(&["--help"], "");
    let help = stdout(&help);
    assert!(help.contains("check") && !help.contains("launch") && !help.contains("watchdog"), "{help}");
}

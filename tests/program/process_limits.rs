//! How long engines may take, how often they may crash, what they may have, and what is told when they fail.

use serde_json::json;

use crate::support::processes::Process;
use crate::support::{EngineKeys, Match, Outcome, SCHOLARS_MATE, fake, fake_engine, program};

const CHECKMATE: &str = "1-0 checkmate 5.1.1";

fn with_limits(limits: serde_json::Value) -> EngineKeys {
    fake(&["--on", "go@2#1", "allocate:300"]).with("limits", limits)
}

#[test]
fn b_06_an_engine_has_its_time_to_clear_up_after_quit() {
    let tidy = || fake(&["--on", "quit", "sleep:700", "--on", "quit", "stderr:20"]);
    let outcome = Match::new().white(tidy().with("timeouts", json!({ "quit": "60s" }))).run().exits_with(0);
    assert_eq!(outcome.faults(), Vec::<String>::new());
    let outcome = Match::new().white(tidy().with("timeouts", json!({ "quit": "100ms" }))).run().exits_with(0);
    assert_eq!(outcome.faults(), ["- Alpha ignored quit and was killed"]);
}

#[test]
fn b_07_and_b_08_each_phase_has_its_limit_and_each_engine_its_own() {
    for (key, trigger, code, told) in [
        ("start", "uci", 3, "no `uciok` within 0.3 s"),
        ("ready", "isready:1", 3, "no `readyok` within 0.3 s"),
        ("new_game", "ucinewgame", 0, "no `readyok` within 0.3 s"),
        ("silence", "go@2", 0, "no `bestmove` within 0.3 s"),
        ("quit", "quit", 0, "ignored quit and was killed"),
    ] {
        let slow = |limit: &str| {
            let engine = fake(&["--on", trigger, "sleep:1200"]).with("time_control", json!("nodes=9"));
            Match::new()
                .white(engine.with("timeouts", json!({ key: limit })))
                .set(
                    "defaults.timeouts",
                    json!({ "start": "60s", "ready": "60s", "new_game": "60s", "quit": "60s" }),
                )
                .run()
        };
        let outcome = slow("300ms").exits_with(code);
        let all = format!("{}{}{:?}", outcome.stderr, outcome.stdout, outcome.faults());
        assert!(all.contains(told), "{key}: {all}");
        let outcome = slow("60s").exits_with(0);
        assert_eq!(outcome.endings(), [CHECKMATE], "{key}");
        assert_eq!(outcome.faults(), Vec::<String>::new(), "{key}");
    }
}

#[test]
fn b_09_exit_status_signal_closed_pipe_and_silence_are_four_causes() {
    for (action, reason, words) in [
        ("die:3", "disconnect", "exited with status 3"),
        ("signal:SEGV", "disconnect", "was ended by SIGSEGV"),
        ("close-stdout", "disconnect", "closed its stdout"),
        ("nothing", "stall", "no `bestmove` within 0.5 s"),
    ] {
        let engine = fake(&["--on", "go@2", "stderr:5", "--on", "go@2", action])
            .with("time_control", json!("nodes=9"))
            .with("timeouts", json!({ "silence": "500ms", "quit": "300ms" }));
        let outcome = Match::new().white(engine).run().exits_with(0);
        assert_eq!(outcome.endings(), [format!("0-1 {reason} -")], "{action}");
        // What was waited for a processor may stand in between.
        let told = outcome.game().closing_words();
        assert!(told.contains(words) && told.ends_with("; on stderr: a word on stderr"), "{told}");
    }
}

#[test]
fn b_16_stderr_never_blocks_an_engine_and_is_kept_in_the_log() {
    let mut chatty = fake(&[]);
    for trigger in ["start", "isready", "go", "quit"] {
        chatty = chatty.on(trigger, "stderr:150000");
    }
    let outcome = Match::new().white(chatty).arg("--log").arg("uci.log").run().exits_with(0);
    assert_eq!(outcome.endings(), [CHECKMATE]);
    let log = std::fs::read_to_string(outcome.path().join("uci.log")).unwrap();
    assert!(log.matches("Alpha ! a word on stderr").count() > 5 * 150_000 / 17);
}

#[test]
fn b_14_a_crash_budget_ends_the_run_when_it_is_overdrawn() {
    let crashing = |budget| fake(&["--on", "go", "die:1"]).with("crash_budget", json!(budget));
    let outcome = Match::new().white(crashing(Some(2))).rounds(10).run().exits_with(3);
    let lost =
        |games: &Outcome| games.endings().iter().filter(|ending| ending.contains(" disconnect ")).count();
    assert_eq!((outcome.games.len(), lost(&outcome)), (3, 3));
    for words in [
        "Alpha has crashed or stalled in 3 games, and `crash_budget` allows 2",
        "game 4.1 and those after it are not played",
    ] {
        assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
    }
    assert!(outcome.stdout.contains("disconnect"), "the table stands: {}", outcome.stdout);
    // Nothing is left unplayed where the last game overdraws it.
    let outcome = Match::new().white(crashing(Some(2))).rounds(3).run().exits_with(0);
    assert_eq!((outcome.games.len(), lost(&outcome)), (3, 3));
    // Without a budget every game is played, and so it is with one for other faults.
    let outcome = Match::new().white(crashing(None)).rounds(12).run().exits_with(0);
    assert_eq!((outcome.games.len(), lost(&outcome)), (12, 12));
    let illegal = fake(&["--on", "go", "instead:bestmove x"]);
    let outcome =
        Match::new().white(illegal).set("defaults.crash_budget", json!(0)).rounds(4).run().exits_with(0);
    assert_eq!(outcome.games.len(), 4);
}

#[test]
fn an_engine_beyond_its_memory_loses_by_disconnection() {
    let with = |limits| Match::new().white(with_limits(limits)).rounds(2).run().exits_with(0);
    let outcome = with(json!({ "memory": "150MiB" }));
    assert_eq!(outcome.endings(), ["0-1 disconnect -", CHECKMATE]);
    let words = outcome.games[0].closing_words();
    assert!(words.contains("was ended by SIGABRT"), "{words}");
    assert_eq!(with(json!({ "memory": "2GB" })).endings(), [CHECKMATE; 2]);
    assert_eq!(with(json!({})).endings(), [CHECKMATE; 2]);
}

#[test]
fn niceness_is_the_engines_and_its_childrens_and_nobody_elses() {
    let game = Match::new();
    let wait = game.hold("go");
    let nice =
        fake(&["--on", "start", "child", "--on", "go@2", &wait]).with("limits", json!({ "niceness": 19 }));
    let mut run = game.white(nice).set("defaults.timeouts", json!({ "quit": "60s" })).start();
    run.wait_for(|event| event["type"] == "move" && event["ply"] == 2);
    let own = Process::of(run.id()).unwrap().niceness;
    let mut found: Vec<i32> = run.engines().iter().map(|engine| engine.niceness).collect();
    found.sort_unstable();
    assert_eq!(found, [own, 19, 19]);
    run.let_go("go");
    run.finish().exits_with(0);
}

#[test]
fn a_niceness_that_needs_privileges_is_granted_or_refused_never_ignored() {
    let game = Match::new();
    let wait = game.hold("go");
    let eager = fake(&["--on", "uci", &wait]).with("limits", json!({ "niceness": -3 }));
    let mut run = game.white(eager).start();
    // With privileges it waits to be looked at, without them it never runs.
    let refused = run.wait_for_some(|run| {
        let granted = run.engines().iter().any(|engine| engine.niceness == -3);
        (granted || run.read("stderr").contains("error: ")).then_some(!granted)
    });
    run.let_go("go");
    let outcome = run.finish().exits_with(if refused { 3 } else { 0 });
    let told = outcome.stderr.contains("could not be started: the niceness -3 was refused");
    assert_eq!(told, refused, "{}", outcome.stderr);
}

#[test]
fn limits_that_can_not_be_are_errors_of_the_file() {
    for (limits, words) in [
        (json!({ "memory": "lots" }), "`memory` must be a size"),
        (json!({ "memory": 512 }), "too little for any engine"),
        (json!({ "niceness": 20 }), "from -20 to 19"),
        (json!({ "nicenes": 2 }), "did you mean `niceness`"),
        (json!({ "memory": "1GiB" }), ""),
    ] {
        let outcome = Match::new().set("defaults.limits", limits).check();
        let code = if words.is_empty() { 0 } else { 2 };
        let outcome = outcome.exits_with(code);
        assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
    }
    let outcome =
        Match::new().white(fake(&[]).with("limits", json!({ "memory": "1GiB", "niceness": 19 }))).check();
    assert!(outcome.stdout.contains("memory 1073741824 bytes, niceness 19"), "{}", outcome.stdout);
}

#[test]
fn u_02_blanks_in_paths_arguments_and_variables_belong_to_them() {
    let game = Match::new();
    for folder in ["engine folder", "work folder"] {
        std::fs::create_dir(game.dir().join(folder)).unwrap();
    }
    std::os::unix::fs::symlink(fake_engine(), game.dir().join("engine folder/my engine")).unwrap();
    let log = game.dir().join("a log.log").display().to_string();
    let option = "option name Two Words type string default <empty>";
    let engine = program(&["engine folder/my engine", "--option", option, "--log", &log])
        .with("args", json!(["--moves", SCHOLARS_MATE]))
        .with("dir", json!("work folder"))
        .with("env", json!({ "FAKE_WORD": " a  b" }))
        .with("options", json!({ "Two Words": "three  more words" }));
    let outcome = game.white(engine).run().exits_with(0);
    assert_eq!(outcome.endings(), [CHECKMATE]);
    let received = outcome.received("a log");
    let folder = outcome.path().join("work folder").canonicalize().unwrap();
    for line in [
        &format!("# dir {}", folder.display()),
        "# env FAKE_WORD= a  b",
        "setoption name Two Words value three  more words",
    ] {
        assert!(received.iter().any(|had| had == line), "{line}: {received:?}");
    }
}

#[test]
fn u_02_a_folder_that_is_not_there_is_told_with_its_place() {
    let outcome = Match::new().white(fake(&[]).with("dir", json!("no such folder"))).run().exits_with(2);
    assert!(
        outcome.stderr.contains("no such folder") && outcome.stderr.contains("match.yaml:1:"),
        "{}",
        outcome.stderr
    );
    // It may go later: the next start of the engine says so, and does not blame the program.
    let game = Match::new().rounds(2);
    let folder = game.dir().join("work");
    std::fs::create_dir(&folder).unwrap();
    let wait = game.hold("go");
    let engine = fake(&["--on", "go@2#1", &wait, "--on", "go@2#1", "die:1"]).with("dir", json!("work"));
    let mut run = game.white(engine).start();
    run.wait_for(|event| event["type"] == "move" && event["ply"] == 2);
    std::fs::remove_dir(&folder).unwrap();
    run.let_go("go");
    let outcome = run.finish().exits_with(0);
    let words = outcome.games[1].closing_words();
    assert!(words.contains("its folder") && words.contains("is not there"), "{words}");
}

#[test]
fn u_04_what_an_adapter_says_of_its_inner_engine_is_shown() {
    const SAID: &str = "info string inner engine not found: lc0";
    // Only what is waited for in vain has a short limit.
    let adapter = |trigger: &str, key: &str, actions: &[&str]| {
        let limits = json!({ key: "400ms" });
        let engine = fake(&[]).with("time_control", json!("nodes=9")).with("timeouts", limits);
        actions.iter().fold(engine, |engine, action| engine.on(trigger, action))
    };
    let (instead, print) = (format!("instead:{SAID}"), format!("print:{SAID}"));
    for (trigger, key, actions, code) in [
        ("uci", "start", vec![instead.as_str()], 3),
        ("isready", "ready", vec![instead.as_str()], 3),
        ("uci", "quit", vec![print.as_str(), "die:1"], 3),
        ("go@2", "quit", vec![print.as_str(), "die:1"], 0),
        ("go@2", "silence", vec![instead.as_str()], 0),
    ] {
        let outcome = Match::new().white(adapter(trigger, key, &actions)).run().exits_with(code);
        let told = if code == 0 { outcome.game().closing_words().to_owned() } else { outcome.stderr.clone() };
        assert!(told.contains(&format!("its last line was `{SAID}`")), "{trigger} {actions:?}: {told}");
    }
}

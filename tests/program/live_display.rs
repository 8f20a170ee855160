//! What a person sees of a run on a terminal, and that nobody else sees it.

use nix::sys::signal::Signal;
use serde_json::json;

use crate::support::terminal::Seen;
use crate::support::{EngineKeys, Match, Running, Terminal, fake};

const TALL: (u16, u16) = (100, 60);

fn terminal() -> Terminal {
    Terminal::new(TALL.0, TALL.1)
}

/// Waits until the terminal shows what is looked for.
fn wait_until_seen(run: &mut Running, terminal: &Terminal, wanted: impl Fn(&Seen) -> bool) {
    run.wait_until(|| wanted(&terminal.seen()));
}

/// Three games, of which the last one waits at White's second move until it is let go.
fn held_in_the_last_game() -> Match {
    let game = Match::new().rounds(3);
    let hold = game.hold("go on");
    let waits = |engine: EngineKeys| engine.with("time_control", json!("600"));
    game.white(waits(fake(&["--scores", "35", "--on", "go@2/3", &hold])))
        .black(waits(fake(&["--scores", "-20"])))
}

#[track_caller]
fn all_games_are_told(seen: &Seen) {
    let games: Vec<&String> = seen.beginning("Game ").collect();
    assert_eq!(games.len(), 3, "{}", seen.lines.join("\n"));
    for (line, number) in games.iter().zip(1..) {
        assert!(line.starts_with(&format!("Game {number}.1 ({number} of 3)  ")), "{line}");
        assert!(line.contains("White wins by checkmate (Article 5.1.1)"), "{line}");
    }
    assert_eq!(seen.beginning("engine  games").count(), 1, "the table is there once");
}

#[test]
fn a_game_is_seen_while_it_is_played_and_its_line_stays() {
    let terminal = terminal();
    let mut run = held_in_the_last_game().start_on(&terminal, &[]);
    wait_until_seen(&mut run, &terminal, |seen| {
        seen.beginning("3.1  Alpha – Beta  move  1  +0.20/").any(|line| line.contains("  clocks 9:5"))
    });
    let seen = terminal.seen();
    assert_eq!(seen.beginning("Game ").count(), 2, "{}", seen.lines.join("\n"));
    assert!(seen.has("█████████████░░░░░░░  2 of 3 games  about 0:00 left"), "{}", seen.lines.join("\n"));
    assert_eq!(seen.beginning("Alpha 1 – 1 Beta").count(), 1, "{}", seen.lines.join("\n"));
    assert!(seen.raw.contains("\x1b[32m█"), "the bar is green");
    run.let_go("go on");
    run.finish().exits_with(0);
    let seen = terminal.seen_at_the_end();
    all_games_are_told(&seen);
    seen.expect_clean();
}

#[test]
fn no_color_means_no_colour() {
    let terminal = terminal();
    let mut run = held_in_the_last_game().arg("-v").start_on(&terminal, &[("NO_COLOR", "1")]);
    wait_until_seen(&mut run, &terminal, |seen| seen.has("░  2 of 3 games"));
    run.let_go("go on");
    run.finish().exits_with(0);
    let seen = terminal.seen_at_the_end();
    let sequences = seen.raw.split('\x1b').skip(1);
    let ends = sequences.map(|rest| rest.chars().find(char::is_ascii_alphabetic));
    assert!(ends.into_iter().all(|end| end != Some('m')), "{}", seen.raw);
    seen.expect_clean();
}

#[test]
fn quiet_and_a_terminal_that_can_t_draw_see_lines_alone() {
    for (argument, term, games) in [("-q", "xterm", 0), ("--fresh", "dumb", 3), ("--fresh", "", 3)] {
        let terminal = terminal();
        Match::new().rounds(3).arg(argument).start_on(&terminal, &[("TERM", term)]).finish().exits_with(0);
        let seen = terminal.seen_at_the_end();
        assert!(!seen.raw.contains('\x1b'), "{}", seen.raw);
        assert_eq!(seen.beginning("Game ").count(), games, "{}", seen.raw);
        assert_eq!(seen.beginning("engine  games").count(), 1, "{}", seen.raw);
    }
}

#[test]
fn no_escape_sequence_comes_into_a_file() {
    let outcome = Match::new().rounds(3).arg("-vv").run().exits_with(0);
    assert!(!outcome.stdout.contains('\x1b') && !outcome.stderr.contains('\x1b'), "{}", outcome.stderr);
    assert_eq!(outcome.stdout.matches("\nGame ").count(), 3, "{}", outcome.stdout);
}

#[test]
fn results_go_to_their_file_and_live_lines_to_the_terminal() {
    let terminal = Terminal::new(200, 60);
    let mut run = held_in_the_last_game().start_with_messages_on(&terminal);
    wait_until_seen(&mut run, &terminal, |seen| seen.has("2 of 3 games"));
    run.let_go("go on");
    let outcome = run.finish().exits_with(0);
    assert_eq!(outcome.stdout.matches("\nGame ").count(), 3, "{}", outcome.stdout);
    assert!(!outcome.stdout.contains('\x1b'), "{}", outcome.stdout);
    let seen = terminal.seen_at_the_end();
    assert!(seen.lines[0].starts_with("warning: every game starts from the initial position"));
    assert!(seen.lines[1..].iter().all(String::is_empty), "{}", seen.lines.join("\n"));
    assert_eq!(seen.cursor, Some((1, 0)));
}

#[test]
fn games_at_once_leave_room_in_a_low_terminal() {
    let terminal = Terminal::new(60, 8);
    let game = Match::new().rounds(6).set("concurrency", json!(6));
    let hold = game.hold("go on");
    let waits = || fake(&["--on", "go@2", &hold]);
    let mut run = game.white(waits()).black(waits()).start_on(&terminal, &[]);
    wait_until_seen(&mut run, &terminal, |seen| seen.has("… and 3 more games"));
    run.let_go("go on");
    run.finish().exits_with(0);
    let seen = terminal.seen_at_the_end();
    assert!(seen.raw.contains("1.1  Alpha – Beta  ") && seen.raw.contains("3.1  Alpha – Beta  "));
    assert!(!seen.raw.contains("4.1  Alpha – Beta  "), "only three lines are for games");
}

#[test]
fn the_terminal_is_left_clean_by_an_interrupt() {
    let terminal = terminal();
    let mut run = held_in_the_last_game().set("interrupt_grace", json!("1h")).start_on(&terminal, &[]);
    wait_until_seen(&mut run, &terminal, |seen| seen.has("2 of 3 games"));
    run.signal_until_it_ends(Signal::SIGINT);
    run.finish().exits_with(130);
    let seen = terminal.seen_at_the_end();
    seen.expect_clean();
    assert!(seen.has("interrupted after 2 finished games"), "{}", seen.lines.join("\n"));
    assert!(seen.has("Game 3.1  dropped: interrupted"), "{}", seen.lines.join("\n"));
}

#[test]
fn the_terminal_is_left_clean_by_a_failure() {
    let terminal = terminal();
    let dies = fake(&["--on", "go@1/2", "die:1"]).with("restart", json!("never"));
    Match::new().white(dies).rounds(4).start_on(&terminal, &[]).finish().exits_with(3);
    let seen = terminal.seen_at_the_end();
    seen.expect_clean();
    assert_eq!(seen.beginning("error: ").count(), 1, "{}", seen.lines.join("\n"));
}

fn finished(games: usize) -> impl Fn(&Running) -> Option<()> {
    move |run| {
        let events = std::fs::read_to_string(run.path().join("match.out/events.jsonl")).unwrap_or_default();
        (events.matches("\"game_ended\"").count() >= games).then_some(())
    }
}

/// A run of three games on a terminal that is stopped as soon as the first one begins.
fn on_a_stopped_terminal(terminal: &Terminal, game: Match) -> Running {
    let hold = game.hold("begin");
    let mut run = game.white(fake(&["--on", "go@0/1", &hold])).start_on(terminal, &[]);
    wait_until_seen(&mut run, terminal, |seen| seen.has("0 of 3 games"));
    terminal.stop();
    run.let_go("begin");
    run
}

#[test]
fn c_10_a_terminal_that_is_stopped_stops_no_game() {
    let terminal = terminal();
    let game = Match::new().rounds(3);
    let hold = game.hold("go on");
    let mut run = on_a_stopped_terminal(&terminal, game.black(fake(&["--on", "go@3/3", &hold])));
    // Two games and the beginning of a third one are played, though not a letter can be written.
    run.wait_for_some(finished(2));
    run.wait_for(|event| event["type"] == "move" && event["game"] == 3);
    assert_eq!(terminal.seen().beginning("Game ").count(), 0);
    terminal.go_on();
    wait_until_seen(&mut run, &terminal, |seen| seen.has("2 of 3 games"));
    run.let_go("go on");
    run.finish().exits_with(0);
    let seen = terminal.seen_at_the_end();
    all_games_are_told(&seen);
    seen.expect_clean();
}

#[test]
fn a_terminal_that_stays_stopped_does_not_keep_the_program_from_ending() {
    let terminal = terminal();
    let outcome = on_a_stopped_terminal(&terminal, Match::new().rounds(3).arg("-vv")).finish().exits_with(0);
    assert_eq!(outcome.games.len(), 3);
    assert_eq!(terminal.seen().beginning("Game ").count(), 0);
}

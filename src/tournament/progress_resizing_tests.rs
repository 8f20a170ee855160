//! More and fewer games at once while others are played, and what is told of a run meanwhile.

use super::*;
use crate::tournament::status::{RunState, Status};

fn not_started(engine: usize) -> Report {
    Report::NotStarted { engine, fault: Fault::LineTooLong, words: "why".to_owned() }
}

fn status(run: &Run) -> Status {
    run.progress.status(|WorkerId(worker)| Some(10 * worker as u32))
}

fn leaves(run: &mut Run, worker: usize) -> Vec<String> {
    run.report(worker, Report::Ended { panicked: false })
}

#[test]
fn one_more_worker_has_a_game_once_it_is_ready() {
    let mut run = Run::playing(9, 1);
    assert_eq!(run.input(Input::Concurrency(3)), ["start 1", "start 2"]);
    assert_eq!(run.finishes(0, 1), ["0 plays 2"], "nobody waits for those who come");
    assert_eq!(run.report(2, Report::Ready), ["2 plays 3"]);
    assert_eq!(run.report(1, Report::Ready), ["1 plays 4"]);
    assert_eq!(run.input(Input::Concurrency(3)), [""; 0], "they are there");
    assert_eq!(status(&run).concurrency, 3);
}

#[test]
fn workers_that_are_too_many_leave_after_their_games() {
    let mut run = Run::playing(9, 3);
    assert_eq!(run.input(Input::Concurrency(1)), [""; 0], "every game is played to its end");
    assert_eq!(run.finishes(1, 2), ["retire 1"]);
    assert_eq!(leaves(&mut run, 1), [""; 0]);
    assert_eq!(run.finishes(0, 1), ["retire 0"]);
    assert_eq!(run.finishes(2, 3), ["2 plays 4"]);
    assert_eq!(leaves(&mut run, 0), [""; 0]);
    // Their places are taken again.
    assert_eq!(run.input(Input::Concurrency(4)), ["start 0", "start 1", "start 3"]);
    assert_eq!(run.report(1, Report::Ready), ["1 plays 5"]);
}

#[test]
fn who_has_not_come_yet_is_sent_home_first() {
    let mut run = Run::playing(9, 1);
    run.input(Input::Concurrency(3));
    assert_eq!(run.input(Input::Concurrency(1)), ["retire 2", "retire 1"]);
    // They say what they have to say, and it counts no more.
    assert_eq!(run.report(1, Report::Ready), [""; 0]);
    assert_eq!(run.report(2, not_started(0)), [""; 0]);
    assert_eq!(leaves(&mut run, 1), [""; 0]);
    assert_eq!(leaves(&mut run, 2), [""; 0]);
    assert_eq!(status(&run).held_back, None);
    assert_eq!(run.finishes(0, 1), ["0 plays 2"]);
}

#[test]
fn a_worker_that_can_not_join_is_told_and_ends_nothing() {
    let mut run = Run::playing(3, 1);
    assert_eq!(run.input(Input::Concurrency(3)), ["start 1", "start 2"]);
    assert_eq!(run.report(2, not_started(1)), [""; 0]);
    assert_eq!(leaves(&mut run, 2), [""; 0]);
    let told = status(&run);
    assert_eq!((told.concurrency, told.joining), (2, 1), "the other one may come yet");
    assert_eq!(told.held_back.as_deref(), Some("Beta did not start for one more game at once: why"));
    assert_eq!(run.input(Input::NotJoined(WorkerId(1), "no thread".to_owned())), [""; 0]);
    assert_eq!(status(&run).concurrency, 1);
    assert_eq!(status(&run).held_back.as_deref(), Some("no thread"));
    assert_eq!(run.input(Input::Concurrency(2)), ["start 1"]);
    assert_eq!(status(&run).held_back, None);
    assert_eq!(run.report(1, Report::Ready), ["1 plays 2"]);
    for (worker, number) in [(0, 1), (1, 2)] {
        run.finishes(worker, number);
    }
    assert_eq!(run.finishes(0, 3), ["dismiss"]);
    leaves(&mut run, 0);
    leaves(&mut run, 1);
    let told = run.heard.events.lock().unwrap().clone();
    assert!(told.contains(&"fault of Beta".to_owned()), "{told:?}");
    assert_eq!(run.progress.conclude().end, RunEnd::Finished);
}

#[test]
fn no_more_workers_come_than_there_are_games() {
    let mut run = Run::playing(3, 1);
    assert_eq!(run.input(Input::Concurrency(100)), ["start 1", "start 2"]);
    run.report(1, Report::Ready);
    run.finishes(0, 1);
    assert_eq!(run.report(2, Report::Ready), [""; 0]);
    assert_eq!(run.input(Input::Concurrency(50)), [""; 0]);
    assert_eq!(run.finishes(1, 2), [""; 0]);
    assert_eq!(run.finishes(0, 3), ["dismiss"]);
    assert_eq!(run.over(3).0, RunEnd::Finished);
}

#[test]
fn the_run_does_not_wait_for_who_comes_too_late() {
    let mut run = Run::playing(2, 1);
    run.input(Input::Concurrency(2));
    run.finishes(0, 1);
    assert_eq!(run.finishes(0, 2), ["dismiss"]);
    assert_eq!(run.report(1, not_started(1)), [""; 0]);
    let (end, _, told) = run.over(2);
    assert_eq!(end, RunEnd::Finished);
    assert_eq!(told, ["started", "ended 1", "ended 2", "over 2/2"], "nothing is told of who is not wanted");
}

#[test]
fn before_the_first_game_every_first_worker_is_waited_for_and_no_other() {
    let mut run = Run::new(9, 2);
    assert_eq!(run.input(Input::Concurrency(3)), ["start 2"]);
    assert_eq!(run.report(2, Report::Ready), [""; 0]);
    assert_eq!(run.report(0, Report::Ready), [""; 0]);
    assert_eq!(run.input(Input::Concurrency(1)), [""; 0]);
    assert_eq!(run.report(1, Report::Ready), ["retire 2", "retire 1", "0 plays 1"]);
}

#[test]
fn nothing_is_resized_once_no_new_game_begins() {
    let mut run = Run::playing(9, 1);
    run.input(Input::Interrupt(Interrupt::Finish));
    assert!(!run.progress.can_resize());
    assert_eq!(run.input(Input::Concurrency(5)), [""; 0]);
}

#[test]
fn the_last_workers_panic_ends_the_run_though_another_one_was_leaving() {
    let mut run = Run::playing(9, 2);
    run.input(Input::Concurrency(1));
    assert_eq!(run.finishes(0, 1), ["retire 0"]);
    assert_eq!(run.report(1, Report::Ended { panicked: true }), ["dismiss"]);
    leaves(&mut run, 0);
    assert!(matches!(run.progress.conclude().end, RunEnd::Failed(_)));
}

#[test]
fn the_status_tells_what_is_played_and_who_leads() {
    let mut run = Run::new(9, 2);
    assert_eq!(status(&run).state, RunState::Starting);
    run.report(0, Report::Ready);
    run.report(1, Report::Ready);
    run.finishes(0, 1);
    run.finishes(0, 3);
    let told = status(&run);
    assert_eq!((told.state, told.games, told.finished, told.concurrency), (RunState::Playing, Some(9), 2, 2));
    let running: Vec<String> = told
        .running
        .iter()
        .map(|game| format!("{} {} {} {:?}", game.id.number, game.white, game.black, game.ply))
        .collect();
    assert_eq!(running, ["2 Beta Alpha Some(10)", "4 Beta Alpha Some(0)"]);
    assert_eq!(
        told.score.iter().map(|tally| (tally.name.as_str(), tally.won)).collect::<Vec<_>>(),
        [("Alpha", 2), ("Beta", 0)]
    );
    run.input(Input::Interrupt(Interrupt::Finish));
    assert_eq!(status(&run).state, RunState::Finishing);
    run.finishes(0, 4);
    assert_eq!(run.finishes(1, 2), ["dismiss"]);
    assert_eq!(status(&run).state, RunState::Ending);
}

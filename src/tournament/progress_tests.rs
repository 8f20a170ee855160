//! The decisions of a run, driven without threads: what happens goes in, orders and events come out.

use std::sync::Mutex;

use shakmaty::{ByColor, CastlingMode, Color};

use super::*;
use crate::engine::fault::OptionFault;
use crate::game::annulment::Cause;
use crate::law::verdict::Verdict;
use crate::openings::Opening;
use crate::statistics::sprt::SprtSettings;
use crate::tournament::dispatcher::OpeningSupply;
use crate::tournament::game_slot::SlotSupply;
use crate::tournament::schedule::fixed::FixedSchedule;
use crate::tournament::schedule::{Schedule, ScheduledGame};

#[path = "progress_resizing_tests.rs"]
mod resizing;
#[path = "progress_simulation_tests.rs"]
mod simulation;
#[path = "progress_sprt_tests.rs"]
mod sprt;

const GRACE: Duration = Duration::from_secs(10);

struct Initial;

impl OpeningSupply for Initial {
    fn opening(&mut self, _: u64) -> Result<Opening, String> {
        Ok(Opening::initial(CastlingMode::Standard))
    }
}

/// Keeps what was told, as words; fails at the event that it is to fail at.
#[derive(Default)]
struct Heard {
    events: Mutex<Vec<String>>,
    counted: Mutex<u32>,
    fails_at: Option<&'static str>,
}

impl Sink for Heard {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        let words = match event {
            Event::MatchStarted { .. } => "started".to_owned(),
            Event::GameAnnulled { game, reason, .. } => format!("annulled {} {reason}", game.number),
            Event::MatchEnded { scoreboard, games, .. } => {
                let games = games.map_or("open".to_owned(), |games| games.to_string());
                format!("over {}/{games}", scoreboard.finished())
            }
            Event::Scored { game, scoreboard } => {
                *self.counted.lock().unwrap() = scoreboard.finished();
                format!("ended {}", game.id.number)
            }
            Event::Concurrency(_) => return Ok(()),
            Event::EngineFault { engine, .. } => format!("fault of {engine}"),
            other => panic!("{other:?}"),
        };
        if self.fails_at == Some(words.as_str()) {
            return Err("no room".to_owned());
        }
        self.events.lock().unwrap().push(words);
        Ok(())
    }
}

/// A run of single games between two engines, and what it has told.
struct Run {
    progress: Progress,
    heard: Arc<Heard>,
    now: Instant,
}

pub(in crate::tournament) fn game(number: u32) -> ScheduledGame {
    FixedSchedule::of_match(100, false).game(number - 1).unwrap()
}

fn id(number: u32) -> GameId {
    game(number).id
}

fn slept(number: u32) -> Report {
    let annulment = Annulment { cause: Cause::MachineSlept, detail: "for an hour".to_owned(), overrun: None };
    Report::Annulled { game: id(number), annulment: Box::new(annulment) }
}

/// Alpha, who is White in the odd games, wins.
pub(in crate::tournament) fn record(game: &ScheduledGame) -> Box<GameRecord> {
    let both = || ByColor { white: "-".to_owned(), black: "-".to_owned() };
    let name = |place: usize| ["Alpha", "Beta"][place].to_owned();
    Box::new(GameRecord {
        id: game.id,
        names: game.engines.map(name),
        time_controls: ByColor::new_with(|_| "depth=1".parse().unwrap()),
        claims: both(),
        opening: Opening::initial(CastlingMode::Standard),
        plies: Vec::new(),
        verdict: Verdict::checkmate(if game.engines.white == 0 { Color::White } else { Color::Black }),
        detail: None,
        flag_fall: None,
        dialogue: ByColor::new_with(|_| Vec::new()),
        started: jiff::ZonedDateTime::now(),
    })
}

impl Run {
    fn failing(games: u32, workers: usize, fails_at: Option<&'static str>) -> Run {
        Run::of(Schedule::of_match(games, false), None, workers, fails_at)
    }

    fn of(
        schedule: Schedule,
        sprt: Option<SprtSettings>,
        workers: usize,
        fails_at: Option<&'static str>,
    ) -> Run {
        let heard = Arc::new(Heard { fails_at, ..Heard::default() });
        let plan = RunPlan {
            event: "Test".to_owned(),
            schedule,
            openings: Box::new(Initial),
            sprt,
            earlier: None,
            concurrency: workers,
            slots: SlotSupply::Anywhere { processors: 1, each: 1 },
            make_room: Box::new(|_| Ok(None)),
            interrupt_grace: GRACE,
        };
        let names = vec!["Alpha".to_owned(), "Beta".to_owned()];
        let sink: Arc<dyn Sink> = Arc::clone(&heard) as _;
        let progress = Progress::new(plan, names, CrashBudgets::new(&[]), sink, workers);
        Run { progress, heard, now: Instant::now() }
    }

    fn new(games: u32, workers: usize) -> Run {
        Run::failing(games, workers, None)
    }

    /// Every worker is ready and has its first game.
    fn playing(games: u32, workers: usize) -> Run {
        let mut run = Run::new(games, workers);
        for worker in 0..workers {
            let orders = run.report(worker, Report::Ready);
            let expected = if worker + 1 == workers { workers } else { 0 };
            assert_eq!(orders.len(), expected, "no game before every worker is ready");
        }
        run
    }

    fn input(&mut self, input: Input) -> Vec<String> {
        let orders = self.progress.handle(input, self.now);
        let words = orders.into_iter().map(|order| match order {
            Order::Play(WorkerId(worker), assignment) => {
                format!("{worker} plays {}", assignment.game.id.number)
            }
            Order::Start(WorkerId(worker)) => format!("start {worker}"),
            Order::Retire(WorkerId(worker)) => format!("retire {worker}"),
            Order::Drop(what) => format!("drop {what:?}"),
            Order::Dismiss => "dismiss".to_owned(),
        });
        words.collect()
    }

    fn report(&mut self, worker: usize, report: Report) -> Vec<String> {
        self.input(Input::Report(WorkerId(worker), report))
    }

    fn played(&mut self, worker: usize, number: u32) -> Vec<String> {
        self.report(worker, Report::Played(record(&game(number))))
    }

    /// The worker's game is over, and its engines are seen to.
    fn finishes(&mut self, worker: usize, number: u32) -> Vec<String> {
        let mut orders = self.played(worker, number);
        if !orders.contains(&"dismiss".to_owned()) {
            orders.extend(self.report(worker, Report::Free));
        }
        orders
    }

    /// Every worker leaves; the end of the run, games finished, and all that was told.
    fn over(mut self, workers: usize) -> (RunEnd, u32, Vec<String>) {
        for worker in 0..workers {
            assert!(!self.progress.is_over());
            self.report(worker, Report::Ended { panicked: false });
        }
        assert!(self.progress.is_over());
        let RunResult { end, scoreboard, .. } = self.progress.conclude();
        let finished = scoreboard.finished();
        let won = scoreboard.standings().tallies()[0].won;
        assert_eq!(won, finished, "Alpha wins every game that counts");
        assert_eq!(*self.heard.counted.lock().unwrap(), finished, "what was told last");
        let told = self.heard.events.lock().unwrap().clone();
        (end, finished, told)
    }
}

#[test]
fn games_go_to_free_workers_in_order_and_results_come_in_any_order() {
    let mut run = Run::new(5, 3);
    assert_eq!(run.report(2, Report::Ready), [""; 0]);
    assert_eq!(run.report(0, Report::Ready), [""; 0]);
    assert_eq!(run.report(1, Report::Ready), ["0 plays 1", "1 plays 2", "2 plays 3"]);
    assert_eq!(run.played(2, 3), [""; 0], "it sees to its engines first");
    assert_eq!(run.report(2, Report::Free), ["2 plays 4"]);
    assert_eq!(run.finishes(0, 1), ["0 plays 5"]);
    assert_eq!(run.finishes(1, 2), [""; 0]);
    assert_eq!(run.finishes(0, 5), [""; 0]);
    assert_eq!(run.finishes(2, 4), ["dismiss"]);
    let (end, finished, told) = run.over(3);
    assert_eq!((end, finished), (RunEnd::Finished, 5));
    let order = ["started", "ended 3", "ended 1", "ended 2", "ended 5", "ended 4", "over 5/5"];
    assert_eq!(told, order);
}

#[test]
fn an_engine_that_does_not_start_ends_the_run_before_any_game() {
    for (fault, misconfigured) in [
        (Fault::LineTooLong, false),
        (Fault::OptionsRefused(vec![OptionFault { option: "Hash".to_owned(), words: "?".to_owned() }]), true),
    ] {
        let mut run = Run::new(5, 3);
        run.report(0, Report::Ready);
        let orders = run.report(1, Report::NotStarted { engine: 1, fault, words: "why".to_owned() });
        assert_eq!(orders, ["drop Unstarted"]);
        // The third worker had been ready before it heard of that.
        assert_eq!(run.report(2, Report::Ready), ["dismiss"]);
        let (end, finished, told) = run.over(3);
        assert_eq!((finished, told), (0, Vec::new()));
        match end {
            RunEnd::Misconfigured { engine: 1, .. } => assert!(misconfigured),
            RunEnd::Failed(words) => {
                assert_eq!((words.as_str(), misconfigured), ("Beta: why; no game was played", false))
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_annulled_game_is_played_again_before_the_next_of_the_schedule() {
    let mut run = Run::playing(4, 2);
    assert_eq!(run.report(1, slept(2)), [""; 0]);
    assert_eq!(run.report(1, Report::Free), ["1 plays 2"]);
    assert_eq!(run.finishes(0, 1), ["0 plays 3"]);
    // Whoever is free first takes it, the last game too.
    assert_eq!(run.report(0, slept(3)), [""; 0]);
    assert_eq!(run.finishes(1, 2), ["1 plays 3"]);
    assert_eq!(run.report(0, Report::Free), ["0 plays 4"]);
    assert_eq!(run.finishes(0, 4), [""; 0]);
    assert_eq!(run.report(1, slept(3)), ["0 plays 3"]);
    assert_eq!(run.report(1, Report::Free), [""; 0]);
    assert_eq!(run.finishes(0, 3), ["dismiss"]);
    let (end, finished, told) = run.over(2);
    assert_eq!((end, finished), (RunEnd::Finished, 4));
    let annulled = told.iter().filter(|event| event.starts_with("annulled")).cloned().collect::<Vec<_>>();
    assert_eq!(
        annulled,
        ["annulled 2 machine_slept", "annulled 3 machine_slept", "annulled 3 machine_slept"]
    );
}

#[test]
fn the_first_interrupt_lets_running_games_end_within_the_time_of_grace() {
    let mut run = Run::playing(9, 3);
    assert_eq!(run.input(Input::Interrupt(Interrupt::FinishSoon)), ["drop Unstarted"]);
    assert_eq!(run.progress.drop_at(), Some(run.now + GRACE));
    // The second worker had not begun, the first one ends its game, the third one doesn't.
    assert_eq!(run.report(1, Report::Dropped { game: id(2), begun: false }), [""; 0]);
    assert_eq!(run.finishes(0, 1), [""; 0]);
    assert_eq!(run.input(Input::Tick), ["drop Everything"]);
    assert_eq!(run.progress.drop_at(), None);
    assert_eq!(run.report(2, Report::Dropped { game: id(3), begun: true }), ["dismiss"]);
    let (end, finished, told) = run.over(3);
    assert_eq!((end, finished), (RunEnd::Interrupted, 1));
    assert_eq!(told, ["started", "ended 1", "annulled 3 interrupted", "over 1/9"]);
}

#[test]
fn games_that_are_to_be_finished_have_all_the_time_they_need() {
    let mut run = Run::playing(9, 2);
    assert_eq!(run.input(Input::Interrupt(Interrupt::Finish)), ["drop Unstarted"]);
    assert_eq!(run.progress.drop_at(), None);
    assert_eq!(run.finishes(0, 1), [""; 0]);
    // Whoever has less patience is heard, and nobody takes that back.
    assert_eq!(run.input(Input::Interrupt(Interrupt::FinishSoon)), ["drop Unstarted"]);
    let drop_at = run.progress.drop_at();
    assert_eq!(drop_at, Some(run.now + GRACE));
    run.input(Input::Interrupt(Interrupt::Finish));
    assert_eq!(run.progress.drop_at(), drop_at);
    assert_eq!(run.finishes(1, 2), ["dismiss"]);
    assert_eq!(run.input(Input::Interrupt(Interrupt::Finish)), [""; 0], "the engines end in peace");
    let (end, finished, told) = run.over(2);
    assert_eq!((end, finished), (RunEnd::Interrupted, 2));
    assert_eq!(told, ["started", "ended 1", "ended 2", "over 2/9"]);
}

#[test]
fn engines_that_end_after_an_interrupt_do_not_use_up_the_time_of_grace() {
    let mut run = Run::playing(9, 1);
    run.played(0, 1);
    assert_eq!(run.input(Input::Interrupt(Interrupt::FinishSoon)), ["drop Unstarted", "dismiss"]);
    assert_eq!(run.progress.drop_at(), Some(run.now + FAREWELL));
    assert_eq!(run.over(1).0, RunEnd::Interrupted);
}

#[test]
fn a_second_interrupt_drops_everything() {
    let mut run = Run::playing(9, 2);
    run.input(Input::Interrupt(Interrupt::FinishSoon));
    assert_eq!(run.input(Input::Interrupt(Interrupt::Now)), ["drop Everything"]);
    run.report(0, Report::Dropped { game: id(1), begun: true });
    // A game that had ended when the request came is kept.
    assert_eq!(run.played(1, 2), ["dismiss"]);
    let (end, finished, _) = run.over(2);
    assert_eq!((end, finished), (RunEnd::Interrupted, 1));
}

#[test]
fn an_interrupt_after_the_last_game_only_hurries_the_engines() {
    let mut run = Run::playing(1, 1);
    assert_eq!(run.played(0, 1), ["dismiss"]);
    assert_eq!(run.input(Input::Interrupt(Interrupt::FinishSoon)), ["drop Everything"]);
    assert_eq!(run.over(1).0, RunEnd::Finished);
}

#[test]
fn an_engine_that_is_gone_for_good_ends_the_run_after_the_running_games() {
    let mut run = Run::playing(9, 2);
    assert_eq!(run.report(0, Report::EngineGone { game: id(1), engine: 1 }), [""; 0]);
    assert_eq!(run.report(0, Report::Free), [""; 0]);
    assert_eq!(run.finishes(1, 2), ["dismiss"]);
    let (end, finished, told) = run.over(2);
    let RunEnd::Failed(words) = end else { panic!("{end:?}") };
    assert!(words.starts_with("Beta is gone"), "{words}");
    assert_eq!(
        (finished, told),
        (1, ["started", "fault of Beta", "ended 2", "over 1/9"].map(str::to_owned).to_vec())
    );
}

#[test]
fn a_game_that_can_not_be_recorded_is_not_counted_and_stops_the_others() {
    let mut run = Run::playing(9, 2);
    assert_eq!(run.report(1, Report::RecordFailed("no room".to_owned())), ["drop Everything"]);
    run.report(0, Report::Dropped { game: id(1), begun: true });
    let (end, finished, told) = run.over(2);
    assert_eq!((end, finished), (RunEnd::Failed("no room".to_owned()), 0));
    assert_eq!(told, ["started", "annulled 1 run_failed", "over 0/9"]);
}

#[test]
fn an_interrupt_during_the_last_games_interrupts_nothing() {
    for interrupt in [Interrupt::Finish, Interrupt::FinishSoon] {
        let mut run = Run::playing(2, 2);
        assert_eq!(run.input(Input::Interrupt(interrupt)), ["drop Unstarted"]);
        run.finishes(0, 1);
        assert_eq!(run.finishes(1, 2), ["dismiss"]);
        let (end, finished, _) = run.over(2);
        assert_eq!((end, finished), (RunEnd::Finished, 2), "{interrupt:?}");
    }
    let mut run = Run::playing(2, 2);
    run.input(Input::Interrupt(Interrupt::FinishSoon));
    run.finishes(0, 1);
    run.report(1, Report::Dropped { game: id(2), begun: true });
    assert_eq!(run.over(2).0, RunEnd::Interrupted, "one of them was dropped");
}

#[test]
fn a_start_that_can_not_be_recorded_ends_the_run_before_the_first_game() {
    let mut run = Run::failing(9, 1, Some("started"));
    assert_eq!(run.report(0, Report::Ready), ["drop Everything", "dismiss"]);
    let (end, finished, told) = run.over(1);
    assert_eq!((end, finished), (RunEnd::Failed("no room".to_owned()), 0));
    assert_eq!(told, ["over 0/9"]);
}

#[test]
fn another_worker_takes_the_game_of_one_that_panics() {
    let mut run = Run::playing(3, 2);
    assert_eq!(run.report(0, Report::Ended { panicked: true }), [""; 0]);
    assert_eq!(run.finishes(1, 2), ["1 plays 1"]);
    assert_eq!(run.finishes(1, 1), ["1 plays 3"]);
    assert_eq!(run.finishes(1, 3), ["dismiss"]);
    assert_eq!(run.report(1, Report::Ended { panicked: false }), [""; 0]);
    assert!(run.progress.is_over());
    let told = run.heard.events.lock().unwrap().clone();
    assert!(told.contains(&"annulled 1 internal_error".to_owned()), "{told:?}");
    assert_eq!(run.progress.conclude().end, RunEnd::Finished);
}

#[test]
fn the_second_panic_or_the_last_workers_ends_the_run() {
    let mut run = Run::playing(9, 3);
    run.report(0, Report::Ended { panicked: true });
    run.report(1, Report::Ended { panicked: true });
    assert_eq!(run.finishes(2, 3), ["dismiss"]);
    run.report(2, Report::Ended { panicked: false });
    assert!(matches!(run.progress.conclude().end, RunEnd::Failed(words) if words.contains("fault")));
    let mut run = Run::playing(9, 1);
    run.report(0, Report::Ended { panicked: true });
    assert!(run.progress.is_over());
    assert!(matches!(run.progress.conclude().end, RunEnd::Failed(_)));
}

#[test]
fn without_a_thread_for_a_worker_nothing_is_played() {
    let mut run = Run::new(9, 1);
    assert_eq!(run.input(Input::NoThread("limit".to_owned())), ["drop Everything"]);
    let (end, _, told) = run.over(1);
    assert_eq!((end, told), (RunEnd::Failed("no thread for the games: limit".to_owned()), Vec::new()));
}

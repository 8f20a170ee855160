//! A run that its sequential test ends.

use proptest::prelude::*;

use super::*;
use crate::openings::PerOpening;
use crate::statistics::sequence::{Accepted, Decision};
use crate::statistics::sprt::{Model, SprtState};

/// Decided by 5 pairs won or 5 lost.
fn settings(pentanomial: bool) -> SprtSettings {
    SprtSettings::new((-120.0, 120.0), 0.05, 0.05, Model::Logistic, pentanomial).unwrap()
}

fn pairs() -> FixedSchedule {
    let Schedule::Fixed(fixed) = Schedule::open_ended_match(true, PerOpening::Pair) else { unreachable!() };
    fixed
}

/// A game of an open-ended match of pairs, with its result for Alpha.
fn finished(number: u32, alpha: Score) -> FinishedGame {
    let ScheduledGame { id, engines, .. } = pairs().game(number - 1).unwrap();
    let record = verdict(&engines, alpha);
    FinishedGame { id, engines, verdict: record }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Score {
    Won,
    Drawn,
    Lost,
}

fn verdict(engines: &ByColor<usize>, alpha: Score) -> Verdict {
    let color = if engines.white == 0 { Color::White } else { Color::Black };
    match alpha {
        Score::Won => Verdict::checkmate(color),
        Score::Drawn => Verdict::stalemate(),
        Score::Lost => Verdict::checkmate(!color),
    }
}

fn played(assignment: &Assignment, alpha: Score) -> Report {
    let mut record = record(&assignment.game);
    record.verdict = verdict(&assignment.game.engines, alpha);
    Report::Played(record)
}

/// A run whose games end in an order of one's choice.
struct Tested {
    run: Run,
    playing: Vec<Option<Assignment>>,
    dropped: bool,
    dismissed: bool,
}

impl Tested {
    fn new(workers: usize, pentanomial: bool) -> Tested {
        let schedule = Schedule::open_ended_match(true, PerOpening::Pair);
        let run = Run::of(schedule, Some(settings(pentanomial)), workers, None);
        let mut tested = Tested { run, playing: vec![None; workers], dropped: false, dismissed: false };
        (0..workers).for_each(|worker| tested.report(worker, Report::Ready));
        tested
    }

    fn report(&mut self, worker: usize, report: Report) {
        for order in self.run.progress.handle(Input::Report(WorkerId(worker), report), self.run.now) {
            match order {
                Order::Play(WorkerId(worker), assignment) => {
                    assert!(!self.dropped && !self.dismissed, "no new game once it is decided");
                    self.playing[worker] = Some(assignment);
                }
                Order::Drop(Dropping::Everything) => self.dropped = true,
                Order::Dismiss => self.dismissed = true,
                other => panic!("{other:?}"),
            }
        }
    }

    /// The game of this number ends.
    fn ends(&mut self, number: u32, alpha: Score) {
        let of = |game: &Option<Assignment>| {
            game.as_ref().is_some_and(|assignment| assignment.game.id.number == number)
        };
        let worker = self.playing.iter().position(of).unwrap();
        let assignment = self.playing[worker].take().unwrap();
        self.report(worker, played(&assignment, alpha));
        if !self.dropped && !self.dismissed {
            self.report(worker, Report::Free);
        }
    }

    fn result(mut self) -> (RunResult, Vec<String>) {
        for worker in 0..self.playing.len() {
            if let Some(assignment) = self.playing[worker].take() {
                self.report(worker, Report::Dropped { game: assignment.game.id, begun: true });
            }
            self.report(worker, Report::Ended { panicked: false });
        }
        assert!(self.dismissed && self.run.progress.is_over());
        let told = self.run.heard.events.lock().unwrap().clone();
        (self.run.progress.conclude(), told)
    }
}

#[test]
fn s_07_a_test_ends_an_open_ended_match_and_drops_what_is_still_played() {
    let mut tested = Tested::new(3, true);
    for number in 1..=9 {
        tested.ends(number, Score::Won);
    }
    assert!(!tested.dropped, "4 pairs decide nothing");
    // Games 11 and 12 are being played.
    tested.ends(10, Score::Won);
    assert!(tested.dropped && !tested.dismissed);
    let (result, told) = tested.result();
    assert_eq!((result.end, result.scoreboard.finished()), (RunEnd::Decided, 10));
    assert_eq!(result.scoreboard.test().unwrap().state(), SprtState::H1);
    assert!(told.ends_with(&["annulled 11 sprt_decided", "annulled 12 sprt_decided"].map(str::to_owned)));
}

#[test]
fn s_03_early_ends_of_later_games_decide_nothing() {
    let mut tested = Tested::new(2, true);
    tested.ends(1, Score::Drawn);
    // Game 2 goes on and on, while Alpha wins six pairs.
    for number in 3..=14 {
        tested.ends(number, Score::Won);
    }
    let test = tested.run.progress.scoreboard.test().unwrap();
    assert_eq!((test.state(), test.counts.samples()), (SprtState::Continue, 0));
    // It ends, and the pairs that waited for it are counted one by one, as far as it takes.
    tested.ends(2, Score::Drawn);
    let (result, _) = tested.result();
    let Decision { accepted, counts, .. } = result.scoreboard.test().unwrap().decision.unwrap();
    // The sixth of the pairs that were won comes after the decision.
    assert_eq!((accepted, counts.samples()), (Accepted::H1, 5));
    assert_eq!(result.scoreboard.finished(), 14, "the table has every game");
}

#[test]
fn games_that_are_not_paired_count_one_by_one() {
    let mut tested = Tested::new(1, false);
    for number in 1..=4 {
        tested.ends(number, Score::Lost);
    }
    tested.ends(5, Score::Lost);
    assert!(!tested.dropped, "nothing was being played: the engines end in peace");
    let (result, _) = tested.result();
    let Decision { accepted, counts, .. } = result.scoreboard.test().unwrap().decision.unwrap();
    assert_eq!((accepted, counts.samples()), (Accepted::H0, 5));
}

#[test]
fn an_interrupt_after_the_decision_only_hurries_and_before_it_tells_the_end() {
    let mut tested = Tested::new(2, true);
    (1..=10).for_each(|number| tested.ends(number, Score::Won));
    tested.run.input(Input::Interrupt(Interrupt::Finish));
    assert_eq!(tested.result().0.end, RunEnd::Decided);

    let mut tested = Tested::new(2, true);
    (1..=9).for_each(|number| tested.ends(number, Score::Won));
    assert_eq!(tested.run.input(Input::Interrupt(Interrupt::Finish)), ["drop Unstarted"]);
    // The games that are being played may end, and the first of them decides.
    tested.ends(10, Score::Won);
    assert!(tested.dropped);
    let (result, told) = tested.result();
    assert_eq!(result.end, RunEnd::Interrupted);
    assert_eq!(result.scoreboard.test().unwrap().state(), SprtState::H1);
    assert_eq!(told.last().unwrap(), "annulled 11 sprt_decided");
}

#[test]
fn results_of_an_earlier_run_can_decide_before_the_first_game() {
    let schedule = Schedule::open_ended_match(true, PerOpening::Pair);
    let mut run = Run::of(schedule, Some(settings(true)), 2, None);
    for number in (1..=10).rev() {
        run.progress.take_up(&finished(number, Score::Won)).unwrap();
    }
    assert!(run.progress.take_up(&finished(3, Score::Won)).unwrap_err().contains("number 3"));
    assert_eq!(run.report(0, Report::Ready), ["drop Unstarted"]);
    assert_eq!(run.report(1, Report::Ended { panicked: false }), ["dismiss"]);
    run.report(0, Report::Ended { panicked: false });
    let result = run.progress.conclude();
    assert_eq!((result.end, result.scoreboard.finished()), (RunEnd::Decided, 10));
    assert!(run.heard.events.lock().unwrap().is_empty());
}

#[test]
fn what_an_earlier_run_has_played_does_not_come_again() {
    let schedule = Schedule::open_ended_match(true, PerOpening::Pair);
    let mut run = Run::of(schedule, Some(settings(true)), 2, None);
    for number in [1, 3] {
        run.progress.take_up(&finished(number, Score::Won)).unwrap();
    }
    run.report(0, Report::Ready);
    assert_eq!(run.report(1, Report::Ready), ["0 plays 2", "1 plays 4"]);
}

#[test]
fn an_engine_that_withdraws_ends_an_open_ended_match_at_once() {
    let schedule = Schedule::open_ended_match(true, PerOpening::Pair);
    let mut run = Run::of(schedule, Some(settings(true)), 1, None);
    assert_eq!(run.report(0, Report::Ready), ["0 plays 1"]);
    assert_eq!(run.report(0, Report::EngineGone { game: id(1), engine: 1 }), ["dismiss"]);
    let RunEnd::Failed(words) = run.progress.conclude().end else { panic!("not failed") };
    assert!(words.ends_with("game 1.1 and those after it are not played"), "{words}");
}

proptest! {
    /// Whichever of the running games ends first: the decision is that of a run of one game after another.
    #[test]
    fn s_03_the_decision_does_not_depend_on_the_order_in_which_games_end(
        scores in prop::collection::vec(prop::sample::select(vec![Score::Won, Score::Drawn, Score::Lost]), 240),
        bias in 0_u32..3,
        choices in prop::collection::vec(0_usize..60, 240),
        workers in 2_usize..7,
        pentanomial in any::<bool>(),
    ) {
        // A third of the games as chance wants them, so that most runs are decided.
        let score = |number: u32| match (number % 3, bias) {
            (0, _) | (_, 1) => scores[number as usize % scores.len()],
            (_, 0) => Score::Won,
            _ => Score::Lost,
        };
        let run = |workers: usize| {
            let mut tested = Tested::new(workers, pentanomial);
            for choice in &choices {
                let playing: Vec<u32> = tested.playing.iter().flatten().map(|game| game.game.id.number).collect();
                if tested.dropped || tested.dismissed {
                    break;
                }
                let number = playing[choice % playing.len()];
                tested.ends(number, score(number));
            }
            tested.run.progress.scoreboard.test().unwrap().decision
        };
        let (one, many) = (run(1), run(workers));
        if let (Some(one), Some(many)) = (one, many) {
            prop_assert_eq!(one, many);
        } else {
            // Games that have not ended may hold the decision of the same results up, never change it.
            prop_assert!(many.is_none() || one.is_some());
        }
    }
}

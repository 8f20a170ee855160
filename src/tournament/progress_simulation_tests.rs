//! A run among workers that behave as they promise, in an order that chance decides.

use proptest::prelude::*;

use super::*;

/// A worker as the dispatcher's partner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Model {
    Starting,
    /// It starts, and is wanted no more.
    Unwanted,
    Idle,
    /// It has no game, and is to leave.
    Retired,
    Preparing(u32),
    Begun(u32),
    Clearing,
    Gone,
}

/// Workers that behave as [`crate::tournament::worker`] promises, in an order that chance decides.
struct Simulation {
    run: Run,
    workers: Vec<Model>,
    dropping: Dropping,
    dismissed: bool,
    handed_out: Vec<u32>,
    begun: Vec<u32>,
    panics: u32,
    interrupts: u32,
}

impl Simulation {
    fn input(&mut self, input: Input) {
        for order in self.run.progress.handle(input, self.run.now) {
            match order {
                Order::Play(WorkerId(worker), assignment) => {
                    assert_eq!(self.workers[worker], Model::Idle);
                    assert!(self.dropping == Dropping::Nothing && !self.dismissed);
                    self.handed_out.push(assignment.game.id.number);
                    self.workers[worker] = Model::Preparing(assignment.game.id.number);
                }
                Order::Start(WorkerId(worker)) => {
                    assert!(self.dropping == Dropping::Nothing && !self.dismissed);
                    match self.workers.get_mut(worker) {
                        Some(model) => assert_eq!(std::mem::replace(model, Model::Starting), Model::Gone),
                        None => self.workers.push(Model::Starting),
                    }
                    assert!(worker < self.workers.len(), "a place is left out");
                }
                Order::Retire(WorkerId(worker)) => {
                    self.workers[worker] = match self.workers[worker] {
                        Model::Starting => Model::Unwanted,
                        Model::Idle => Model::Retired,
                        ref other => panic!("{other:?} retires"),
                    };
                }
                Order::Drop(what) => self.dropping = self.dropping.max(what),
                Order::Dismiss => {
                    assert!(!std::mem::replace(&mut self.dismissed, true), "dismissed twice");
                }
            }
        }
    }

    fn report(&mut self, worker: usize, report: Report) {
        self.input(Input::Report(WorkerId(worker), report));
    }

    fn leave(&mut self, worker: usize) {
        self.workers[worker] = Model::Gone;
        self.report(worker, Report::Ended { panicked: false });
    }

    /// Whether games are played while it starts.
    fn joins(&self, worker: usize) -> bool {
        self.run.progress.slots[worker] == Slot::Joining
    }

    /// No more games at once than wanted, and as many where there are games.
    fn check_boards(&self) {
        let at = |wanted: fn(&Model) -> bool| self.workers.iter().filter(|model| wanted(model)).count();
        if self.run.progress.begun && self.run.progress.can_resize() {
            assert!(
                at(|model| *model == Model::Starting || *model == Model::Idle)
                    <= self.run.progress.concurrency.max(1)
            );
        }
    }

    /// The worker's next step.
    fn step(&mut self, worker: usize, annuls: bool) {
        let unstarted = self.dropping >= Dropping::Unstarted;
        let everything = self.dropping == Dropping::Everything;
        match self.workers[worker].clone() {
            Model::Gone => {}
            Model::Starting | Model::Unwanted | Model::Clearing if unstarted => self.leave(worker),
            Model::Retired => self.leave(worker),
            // The order comes before or after it has said that it is ready.
            Model::Unwanted => {
                if annuls {
                    self.report(worker, Report::Ready);
                }
                self.leave(worker);
            }
            Model::Starting if self.dismissed => self.leave(worker),
            Model::Starting if annuls && self.joins(worker) => {
                let (fault, words) = (Fault::LineTooLong, "why".to_owned());
                self.report(worker, Report::NotStarted { engine: 0, fault, words });
                self.leave(worker);
            }
            Model::Starting => {
                self.workers[worker] = Model::Idle;
                self.report(worker, Report::Ready);
            }
            Model::Idle if self.dismissed => self.leave(worker),
            Model::Idle => {}
            Model::Preparing(number) if unstarted => {
                self.report(worker, Report::Dropped { game: id(number), begun: false });
                self.leave(worker);
            }
            Model::Preparing(number) => {
                self.begun.push(number);
                self.workers[worker] = Model::Begun(number);
            }
            Model::Begun(number) if everything => {
                self.report(worker, Report::Dropped { game: id(number), begun: true });
                self.leave(worker);
            }
            Model::Begun(number) => {
                self.workers[worker] = Model::Clearing;
                let annulled = slept(number);
                let report = if annuls { annulled } else { Report::Played(record(&game(number))) };
                self.report(worker, report);
            }
            Model::Clearing => {
                self.workers[worker] = Model::Idle;
                self.report(worker, Report::Free);
            }
        }
    }

    fn chance(&mut self, number: u16) {
        let worker = usize::from(number) % self.workers.len();
        match number / 16 {
            0 if self.workers[worker] != Model::Gone => {
                self.panics += 1;
                self.workers[worker] = Model::Gone;
                self.report(worker, Report::Ended { panicked: true });
            }
            1 => {
                self.interrupts += 1;
                self.input(Input::Interrupt(Interrupt::FinishSoon));
            }
            2 => {
                self.interrupts += 1;
                self.input(Input::Interrupt(Interrupt::Now));
            }
            3 if self.run.progress.drop_at().is_some() => self.input(Input::Tick),
            4 => {
                self.interrupts += 1;
                self.input(Input::Interrupt(Interrupt::Finish));
            }
            5..=9 => self.input(Input::Concurrency(1 + usize::from(number) % 6)),
            what => self.step(worker, what % 8 == 0),
        }
    }

    fn check(self) {
        let told = self.run.heard.events.lock().unwrap().clone();
        let times = |wanted: &str| told.iter().filter(|event| *event == wanted).count();
        let RunResult { end, scoreboard, .. } = self.run.progress.conclude();
        let games = scoreboard.finished() as usize;
        let mut firsts: Vec<u32> = Vec::new();
        self.handed_out.iter().for_each(|number| {
            if !firsts.contains(number) {
                firsts.push(*number);
            }
        });
        assert!(
            firsts.iter().copied().eq(1..=firsts.len() as u32),
            "not in the schedule's order: {firsts:?}"
        );
        let mut sum = 0;
        for number in 1..=GAMES {
            let ended = times(&format!("ended {number}"));
            assert!(ended <= 1, "game {number} is recorded {ended} times");
            assert!(ended == 1 || end != RunEnd::Finished, "game {number} is missing");
            let begun = self.begun.iter().filter(|begun| **begun == number).count();
            let annulled =
                told.iter().filter(|event| event.starts_with(&format!("annulled {number} "))).count();
            assert!(begun <= ended + annulled, "game {number} began {begun} times");
            sum += ended;
        }
        assert_eq!(sum, games);
        match (self.interrupts, self.panics) {
            (0, 0) => assert_eq!(end, RunEnd::Finished),
            (_, 0) => assert!(matches!(end, RunEnd::Finished | RunEnd::Interrupted), "{end:?}"),
            (0, _) => assert!(matches!(end, RunEnd::Finished | RunEnd::Failed(_)), "{end:?}"),
            _ => {}
        }
    }
}

const GAMES: u32 = 7;

proptest! {
    /// Whatever comes when: nothing hangs, and every game is played once or it is told why not.
    #[test]
    fn every_game_is_finished_once_or_explained(workers in 1_usize..5, chances in prop::collection::vec(0_u16..2000, 0..120)) {
        let mut simulation = Simulation {
            run: Run::new(GAMES, workers),
            workers: vec![Model::Starting; workers],
            dropping: Dropping::Nothing,
            dismissed: false,
            handed_out: Vec::new(),
            begun: Vec::new(),
            panics: 0,
            interrupts: 0,
        };
        for number in chances {
            simulation.chance(number);
            simulation.check_boards();
        }
        for _ in 0..10 * GAMES {
            (0..simulation.workers.len()).for_each(|worker| simulation.step(worker, false));
        }
        prop_assert!(simulation.run.progress.is_over(), "{:?}", simulation.workers);
        simulation.check();
    }
}

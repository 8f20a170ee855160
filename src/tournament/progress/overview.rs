//! How the run stands, for whoever asks.

use super::{Progress, Slot};
use crate::tournament::status::{RunState, RunningGame, Status};
use crate::tournament::worker::WorkerId;

impl Progress {
    /// How the run stands. `ply` tells how far a worker's game is, `None` where that has not begun.
    pub fn status(&self, ply: impl Fn(WorkerId) -> Option<u32>) -> Status {
        let mut running: Vec<RunningGame> = self
            .slots
            .iter()
            .enumerate()
            .filter_map(|(worker, slot)| {
                let Slot::Playing(assignment) = slot else { return None };
                let names = assignment.game.engines.map(|engine| self.names[engine].clone());
                let (white, black) = (names.white, names.black);
                Some(RunningGame { id: assignment.game.id, white, black, ply: ply(WorkerId(worker)) })
            })
            .collect();
        running.sort_unstable_by_key(|game| game.id.number);
        Status {
            event: self.plan.event.clone(),
            state: self.state(),
            games: self.plan.schedule.games(),
            finished: self.scoreboard.finished(),
            concurrency: self.concurrency,
            joining: self.slots.iter().filter(|slot| **slot == Slot::Joining).count(),
            running,
            score: self.scoreboard.standings().tallies().to_vec(),
            held_back: self.held_back.clone(),
        }
    }

    fn state(&self) -> RunState {
        match &self.ending {
            Some(_) if self.dismissed => RunState::Ending,
            Some(_) => RunState::Finishing,
            None if self.begun => RunState::Playing,
            None => RunState::Starting,
        }
    }
}

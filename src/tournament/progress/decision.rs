//! Counting results, and the sequential test that they decide.

use super::{Dropping, Order, Progress, Slot};
use crate::tournament::dispatcher::RunEnd;
use crate::tournament::event::SPRT_DECIDED;
use crate::tournament::finished_game::FinishedGame;

impl Progress {
    /// Counts a finished game, and ends the run if that decides its test.
    pub(super) fn count(&mut self, game: &FinishedGame) -> Result<(), String> {
        let was_decided = self.is_decided();
        self.scoreboard.add(game).map_err(|twice| format!("a fault of this program: {twice}"))?;
        self.plan.schedule.finished(game.id, game.result());
        if self.is_decided() && !was_decided {
            self.end(RunEnd::Decided);
            // Whatever comes of the games that are being played changes nothing.
            if self.is_playing() {
                self.drop_everything();
            } else if self.slots.contains(&Slot::Starting) {
                self.orders.push(Order::Drop(Dropping::Unstarted));
            }
        }
        Ok(())
    }

    pub(super) fn is_decided(&self) -> bool {
        self.scoreboard.test().is_some_and(|test| test.decision.is_some())
    }

    /// Why a game that was being played is dropped.
    pub(super) fn reason_to_drop(&self) -> &'static str {
        match &self.ending {
            Some(RunEnd::Decided | RunEnd::Interrupted) if self.is_decided() => SPRT_DECIDED,
            Some(RunEnd::Interrupted) => "interrupted",
            _ => "run_failed",
        }
    }
}

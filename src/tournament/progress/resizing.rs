//! More or fewer games at once, while others are played.

use std::num::NonZeroU32;

use super::{Order, Progress, Slot};
use crate::tournament::event::Event;
use crate::tournament::worker::WorkerId;

impl Progress {
    /// Whether there may be more or fewer games at once from now on: not when no new one begins.
    pub fn can_resize(&self) -> bool {
        self.ending.is_none()
    }

    /// Sees to it that so many games can be played at once; what is surely not meant, in words.
    ///
    /// # Errors
    /// They can't be, in words.
    pub fn make_room(&self, games: NonZeroU32) -> Result<Option<String>, String> {
        (self.plan.make_room)(games.get().min(self.games_left().max(1)))
    }

    /// So many games at once from now on, at least one. Those that are under way are played to their ends, whatever it is.
    pub(super) fn resize(&mut self, concurrency: usize) {
        self.concurrency = concurrency.max(1);
        self.held_back = None;
        if !self.can_resize() {
            return;
        }
        let wanted = self.concurrency.min(self.games_left() as usize);
        for _ in self.boards()..wanted {
            let worker = self.slots.iter().position(|slot| *slot == Slot::Gone);
            let worker = worker.unwrap_or_else(|| {
                self.slots.push(Slot::Gone);
                self.slots.len() - 1
            });
            self.slots[worker] = Slot::Joining;
            self.orders.push(Order::Start(WorkerId(worker)));
        }
        self.tell_concurrency();
    }

    /// Sends home the workers that are too many: first who hasn't come yet, then who has no game.
    pub(super) fn retire(&mut self) {
        let surplus = self.boards().saturating_sub(self.concurrency);
        let kinds = [Slot::Joining, Slot::Free];
        let leaving: Vec<usize> = kinds
            .iter()
            .flat_map(|kind| self.slots.iter().enumerate().rev().filter(move |(_, slot)| *slot == kind))
            .map(|(worker, _)| worker)
            .take(surplus)
            .collect();
        for worker in leaving {
            self.slots[worker] = Slot::Leaving;
            self.orders.push(Order::Retire(WorkerId(worker)));
        }
    }

    /// A worker that was to join can't: there are no more games at once than before.
    pub(super) fn not_joined(&mut self, words: String) {
        if !self.can_resize() {
            return;
        }
        tracing::warn!("no more games at once: {words}");
        self.concurrency = self.boards().max(1);
        self.held_back = Some(words);
        self.tell_concurrency();
    }

    /// An engine did not start for a worker that was to join.
    pub(super) fn engine_not_joined(&mut self, engine: usize, words: &str) {
        // Nobody waits for it any more.
        if !self.can_resize() {
            return;
        }
        let name = &self.names[engine];
        let fault = format!("did not start for one more game at once: {words}");
        let told = self.sink.receive(&Event::EngineFault { engine: name, fault: &fault });
        self.not_joined(format!("{name} {fault}"));
        if let Err(failure) = told {
            self.fail_at_once(failure);
        }
    }

    fn tell_concurrency(&mut self) {
        if let Err(failure) = self.sink.receive(&Event::Concurrency(self.concurrency)) {
            self.fail_at_once(failure);
        }
    }

    /// Games without a verdict, those that are being played among them.
    fn games_left(&self) -> u32 {
        self.plan.schedule.len().saturating_sub(self.scoreboard.finished())
    }

    /// Workers that play, will play, or could.
    fn boards(&self) -> usize {
        self.slots.iter().filter(|slot| !matches!(slot, Slot::Leaving | Slot::Gone)).count()
    }
}

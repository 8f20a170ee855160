//! The workers of a run: started, told what to do, waited for.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use tokio::sync::{Semaphore, mpsc, watch};

use crate::tournament::game_slot::{GameSlot, SlotSupply};
use crate::tournament::progress::{Input, Order};
use crate::tournament::worker::{
    self, Dropping, Links, Report, WorkerContext, WorkerHandle, WorkerId, started_first,
};

/// The ends of the workers' channels.
pub(super) struct Workers {
    /// By their places; a place stays empty where no worker could be started.
    seats: BTreeMap<WorkerId, Seat>,
    pub(super) reports: mpsc::UnboundedReceiver<(WorkerId, Report)>,
    slots: SlotSupply,
    context: WorkerContext,
    dropping: watch::Sender<Dropping>,
    links: Links,
}

/// A worker and its place.
struct Seat {
    slot: GameSlot,
    handle: WorkerHandle,
    /// Its thread has said that it ends: another worker may take the place.
    ended: bool,
}

impl Workers {
    /// So many workers, or as many as the system has threads for, and what it said to the first one too many.
    pub(super) fn start(
        number: usize,
        slots: SlotSupply,
        context: WorkerContext,
    ) -> (Workers, Option<String>) {
        let (reporter, reports) = mpsc::unbounded_channel();
        let (dropping, asked) = watch::channel(Dropping::Nothing);
        let at_once = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let starting = Arc::new(Semaphore::new(at_once));
        let links = Links { reporter, dropping: asked, starting };
        let engines = context.entrants.len();
        let mut workers = Workers { seats: BTreeMap::new(), reports, slots, context, dropping, links };
        for (id, slot) in workers.slots.slots(number).into_iter().enumerate() {
            let first = started_first(engines, WorkerId(id), number);
            if let Err(error) = workers.seat(WorkerId(id), slot, first) {
                return (workers, Some(error.to_string()));
            }
        }
        (workers, None)
    }

    /// Does what is decided.
    ///
    /// # Errors
    /// A worker can't be started, as the news of it.
    pub(super) fn carry_out(&mut self, order: Order) -> Result<(), Input> {
        match order {
            Order::Play(id, assignment) => {
                if let Some(Seat { handle, .. }) = self.seats.get(&id) {
                    handle.ply.reset();
                    // A worker that has ended meanwhile has said so.
                    let _ = handle.assignments.as_ref().map(|games| games.send(assignment));
                }
            }
            Order::Start(id) => self.add(id).map_err(|error| Input::NotJoined(id, error.to_string()))?,
            Order::Retire(id) => {
                if let Some(seat) = self.seats.get_mut(&id) {
                    seat.handle.assignments = None;
                }
            }
            Order::Drop(what) => {
                self.dropping.send_modify(|asked| *asked = what.max(*asked));
            }
            Order::Dismiss => self.seats.values_mut().for_each(|seat| seat.handle.assignments = None),
        }
        Ok(())
    }

    /// One more worker, in the place of one that has ended or in a new one.
    fn add(&mut self, id: WorkerId) -> std::io::Result<()> {
        let there = self.seats.values().filter(|seat| !seat.ended);
        let slot = self.slots.another(&there.map(|seat| &seat.slot).collect::<Vec<_>>());
        // Of two engines it needs both; of more it will be told which.
        let first = match self.context.entrants.len() {
            engines @ 0..=2 => (0..engines).collect(),
            _ => Vec::new(),
        };
        self.seat(id, slot, first)
    }

    fn seat(&mut self, id: WorkerId, slot: GameSlot, first: Vec<usize>) -> std::io::Result<()> {
        let handle = worker::start(id, slot.clone(), first, self.context.clone(), self.links.clone())?;
        let seat = Seat { slot, handle, ended: false };
        if let Some(old) = self.seats.insert(id, seat) {
            // It has said that it ends.
            let _ = old.handle.thread.join();
        }
        Ok(())
    }

    /// This worker's thread has said that it ends.
    pub(super) fn ended(&mut self, id: WorkerId) {
        if let Some(seat) = self.seats.get_mut(&id) {
            seat.ended = true;
        }
    }

    /// How many there are.
    pub(super) fn number(&self) -> usize {
        self.seats.len()
    }

    /// How far this worker's game is.
    pub(super) fn ply(&self, id: WorkerId) -> Option<u32> {
        self.seats.get(&id).and_then(|seat| seat.handle.ply.get())
    }

    /// Every thread has said that it ends.
    pub(super) fn join(self) {
        for seat in self.seats.into_values() {
            // A panic has been reported.
            let _ = seat.handle.thread.join();
        }
    }
}

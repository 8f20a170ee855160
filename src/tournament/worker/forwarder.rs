//! Hands a game's events on, and keeps what went wrong on the way.

use std::cell::Cell;
use std::sync::Arc;

use super::{Assignment, PlyCounter, Report};
use crate::game::annulment::Annulment;
use crate::game::game_id::GameId;
use crate::game::observer::{GameEvent, Observer};
use crate::game::record::GameRecord;
use crate::tournament::event::{Event, Sink};

/// Hands a game's events to the run's listeners and keeps the first failure.
pub(super) struct Forwarder<'a> {
    pub(super) sink: Arc<dyn Sink>,
    /// Set once the game is announced.
    pub(super) begun: &'a Cell<bool>,
    /// Kept up to date with the game.
    pub(super) ply: Arc<PlyCounter>,
    pub(super) failure: Option<String>,
}

impl Forwarder<'_> {
    /// The game, unless something of it could not be kept.
    pub(super) fn report(self, record: Box<GameRecord>) -> Report {
        self.failure.map_or(Report::Played(record), Report::RecordFailed)
    }

    /// That the game is void, unless something of it could not be kept.
    pub(super) fn report_annulled(self, assignment: &Assignment, annulment: Box<Annulment>) -> Report {
        let annulled = Report::Annulled { game: assignment.game.id, annulment };
        self.failure.map_or(annulled, Report::RecordFailed)
    }
}

impl Observer for Forwarder<'_> {
    fn observe(&mut self, game: GameId, event: GameEvent<'_>) {
        match event {
            GameEvent::Started { .. } => {
                self.begun.set(true);
                self.ply.set(0);
            }
            GameEvent::Ply { ply, .. } => self.ply.set(ply),
            _ => {}
        }
        if let Err(failure) = self.sink.receive(&Event::Game(game, event)) {
            self.failure.get_or_insert(failure);
        }
    }
}

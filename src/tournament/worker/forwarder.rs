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
    /// Tells that the game is over, and reports it unless something of it could not be kept. Its records are made here,
    /// on the processor where it was played: no other game waits for them.
    pub(super) fn report(self, record: Box<GameRecord>) -> Report {
        let kept = self.failure.map_or_else(|| self.sink.receive(&Event::GameEnded(&record)), Err);
        kept.map_or_else(Report::RecordFailed, |()| Report::Played(record))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::progress::tests::{game, record};

    /// Refuses whatever is told of a game's end.
    struct Full;

    impl Sink for Full {
        fn receive(&self, event: &Event<'_>) -> Result<(), String> {
            match event {
                Event::GameEnded(_) => Err("no room".to_owned()),
                _ => Ok(()),
            }
        }
    }

    #[test]
    fn a_game_that_can_not_be_recorded_is_not_reported_as_played() {
        let begun = Cell::new(true);
        let ply = Arc::new(PlyCounter::default());
        let forwarder = Forwarder { sink: Arc::new(Full), begun: &begun, ply, failure: None };
        let report = forwarder.report(record(&game(1)));
        assert!(matches!(&report, Report::RecordFailed(words) if words == "no room"), "{report:?}");
    }
}

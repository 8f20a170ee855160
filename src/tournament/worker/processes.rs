//! Which engines' processes a worker keeps: those of the game that it plays, and no others. An engine of another pairing
//! that is badly behaved while it waits would take processors from the game; so it is ended before the game begins, and
//! started anew when it is needed. A worker that waits for long keeps none.

use std::time::Duration;

use shakmaty::ByColor;
use tokio::sync::mpsc;

use super::{Assignment, Dropping, Event, Worker, WorkerId, asked_to_drop, ending};
use crate::engine::fault::StartFailure;
use crate::engine::misbehaviour::Misbehaviour;

/// How long a worker's engines may wait for its next game: no longer than that before others take its last ones.
const IDLE: Duration = Duration::from_secs(30);

/// The engines that a worker starts before the first game, by their places: each one is started once by some worker, so
/// that one that doesn't start ends the run before any game. Of two engines each worker needs both in any case.
pub fn started_first(engines: usize, worker: WorkerId, workers: usize) -> Vec<usize> {
    if engines <= 2 {
        return (0..engines).collect();
    }
    (worker.0..engines).step_by(workers.max(1)).collect()
}

impl Worker {
    /// Starts the engines that this worker starts before the first game, and keeps the last two.
    pub(super) async fn start_first(&mut self) -> Result<(), (usize, StartFailure)> {
        let mut kept: Vec<usize> = Vec::new();
        for place in self.first.clone() {
            if kept.len() == 2 {
                let ended = self.take_engines(|place| place == kept[0]);
                for (place, misbehaviours) in ending::quit_all(ended).await {
                    // It will be told in the records if it happens in the match.
                    self.warn_of(place, &misbehaviours);
                }
                kept.remove(0);
            }
            self.start_engine(place).await.map_err(|failure| (place, failure))?;
            kept.push(place);
        }
        Ok(())
    }

    /// Ends every engine that doesn't play the next game.
    pub(super) async fn end_others(&mut self, playing: ByColor<usize>) {
        self.quit(|place| place != playing.white && place != playing.black).await;
    }

    /// Ends every engine.
    pub(super) async fn quit_all(&mut self) {
        self.quit(|_| true).await;
    }

    /// The next game; `None`: there is none any more. While it waits for long, its engines are ended.
    pub(super) async fn next_game(
        &mut self,
        assigned: &mut mpsc::UnboundedReceiver<Assignment>,
        played: bool,
    ) -> Option<Assignment> {
        // Before the first game it waits for other workers to start their engines.
        if !played {
            return assigned.recv().await;
        }
        if let Ok(assignment) = tokio::time::timeout(IDLE, assigned.recv()).await {
            return assignment;
        }
        let mut dropping = self.dropping.clone();
        tokio::select! {
            biased;
            () = asked_to_drop(&mut dropping, Dropping::Unstarted) => {}
            () = self.quit_all() => {}
        }
        assigned.recv().await
    }

    async fn quit(&mut self, which: impl Fn(usize) -> bool) {
        let ended = self.take_engines(which);
        for (place, misbehaviours) in ending::quit_all(ended).await {
            self.warn_of(place, &misbehaviours);
            let engine = &self.context.entrants[place].rules.name;
            for misbehaviour in misbehaviours {
                let fault = Event::EngineFault { engine, fault: misbehaviour.words() };
                if let Err(failure) = self.context.sink.receive(&fault) {
                    self.reporter.send(super::Report::RecordFailed(failure));
                }
            }
        }
    }

    fn take_engines(&mut self, which: impl Fn(usize) -> bool) -> Vec<(usize, super::Engine)> {
        let engines = self.engines.iter_mut().enumerate().filter(|(place, _)| which(*place));
        engines.filter_map(|(place, engine)| Some((place, engine.take()?))).collect()
    }

    fn warn_of(&self, place: usize, misbehaviours: &[Misbehaviour]) {
        for misbehaviour in misbehaviours {
            tracing::warn!("{} {}", self.context.entrants[place].rules.name, misbehaviour.words());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_many_engines_is_started_once_before_the_first_game() {
        for (engines, workers) in [(3, 1), (3, 2), (10, 4), (5, 8), (100, 7)] {
            let mut started: Vec<usize> =
                (0..workers).flat_map(|worker| started_first(engines, WorkerId(worker), workers)).collect();
            started.sort_unstable();
            assert!(started.into_iter().eq(0..engines), "{engines} {workers}");
        }
        assert_eq!(started_first(2, WorkerId(3), 4), [0, 1], "each worker needs both of two");
    }
}

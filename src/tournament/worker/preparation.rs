//! Engines on their way to a game, and what becomes of one that does not come.

use std::sync::Arc;
use std::time::Instant;

use shakmaty::{ByColor, Color};

use super::Worker;
use super::forwarder::Forwarder;
use crate::engine::dialogue_tail::Extent;
use crate::engine::fault::{Fault, StartFailure};
use crate::engine::misbehaviour::Misbehaviour;
use crate::game::game_id::GameId;
use crate::game::observer::{GameEvent, Observer};
use crate::game::plan::GamePlan;
use crate::game::record::GameRecord;
use crate::law::verdict::Forfeit;
use crate::openings::Opening;
use crate::tournament::entrant::RestartPolicy;

/// Why a game has no engine to play it.
pub(super) enum Absence {
    /// It did not come back: it loses this game.
    Forfeits(StartFailure),
    /// By its restart policy it plays no more.
    Gone,
}

impl Worker {
    /// Brings an engine to the start of a new game, in a new process where the old one is gone.
    pub(super) async fn prepare(
        &mut self,
        place: usize,
        game: GameId,
        observer: &mut Forwarder<'_>,
    ) -> Result<(), Absence> {
        let entrants = Arc::clone(&self.context.entrants);
        let entrant = &entrants[place];
        let mut last_lines = Vec::new();
        if let Some(engine) = &mut self.engines[place] {
            match engine.new_game(game.number).await {
                Ok(()) => return Ok(()),
                Err(fault) => {
                    let words = engine.fault_words(&fault).await;
                    last_lines = engine.last_lines(Instant::now(), Extent::Whole);
                    tracing::warn!("{} between two games: {words}", entrant.rules.name);
                    let misbehaviour = Misbehaviour::GoneBetweenGames;
                    observer
                        .observe(game, GameEvent::Misbehaviour { engine: &entrant.rules.name, misbehaviour });
                    self.end_engines(&[place], game, observer).await;
                }
            }
        }
        if entrant.restart == RestartPolicy::Never && self.gone[place] {
            return Err(Absence::Gone);
        }
        let came = self.come_back(place, game).await;
        self.gone[place] = came.is_err();
        came.map_err(|mut failure| {
            if failure.last_lines.is_empty() {
                failure.last_lines = last_lines;
            }
            Absence::Forfeits(failure)
        })
    }

    async fn come_back(&mut self, place: usize, game: GameId) -> Result<(), StartFailure> {
        self.start_engine(place).await?;
        let Some(mut engine) = self.engines[place].take() else { return Ok(()) };
        match engine.new_game(game.number).await {
            Ok(()) => {
                self.engines[place] = Some(engine);
                Ok(())
            }
            Err(fault) => Err(engine.give_up(fault).await),
        }
    }

    /// A game that an engine forfeits by not coming to the board.
    pub(super) fn unplayed(
        &self,
        plan: &GamePlan,
        places: ByColor<usize>,
        absent: Color,
        failure: StartFailure,
    ) -> GameRecord {
        let StartFailure { fault, words, last_lines } = failure;
        let forfeit =
            if matches!(fault, Fault::Stalled { .. }) { Forfeit::Stall } else { Forfeit::Disconnect };
        let rules = places.map(|place| &self.context.entrants[place].rules);
        let state = plan.laws.state(&plan.opening);
        // White is called first: where it is Black who does not come, White has been told of the game.
        let present = self.engines[places.white].as_ref().filter(|_| absent == Color::Black);
        let of_white = present.map(|engine| engine.last_lines(Instant::now(), Extent::Whole));
        let dialogue = match absent {
            Color::White => ByColor { white: last_lines, black: Vec::new() },
            Color::Black => ByColor { white: of_white.unwrap_or_default(), black: last_lines },
        };
        GameRecord {
            id: plan.id,
            names: rules.map(|rules| rules.name.clone()),
            time_controls: rules.map(|rules| rules.time_control.clone()),
            claims: rules.map(|rules| rules.claims.to_string()),
            opening: Opening { book: Vec::new(), ..plan.opening.clone() },
            plies: Vec::new(),
            verdict: state.rule_forfeit(absent, forfeit),
            detail: Some(format!("it did not come back for this game: {words}")),
            flag_fall: None,
            dialogue,
            started: jiff::ZonedDateTime::now(),
        }
    }
}

//! The games that are being played, as far as they have told. A game only stores here, and never waits.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};

use crate::engine::message::Score;
use crate::game::game_id::GameId;
use crate::game::record::PlyRecord;

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningGame {
    /// Its place in the schedule.
    pub id: GameId,
    /// The engines' names.
    pub names: ByColor<Arc<str>>,
    /// When it began.
    pub begun: Instant,
    /// Plies before its first one, counted from the move 1 of White: its start position's move number.
    pub plies_before: u32,
    /// Plies played, those of the book included.
    pub plies: u32,
    /// The last score that an engine told, and whose.
    pub score: Option<ToldScore>,
    /// What each clock showed after its owner's last move; `None` before that, or without a clock.
    pub clocks: ByColor<Option<Duration>>,
}

/// A score as an engine told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToldScore {
    /// Who told it.
    pub by: Color,
    /// From its own side.
    pub score: Score,
    /// Its depth in plies.
    pub depth: Option<u32>,
}

impl RunningGame {
    /// A game before its first ply.
    pub fn new(id: GameId, names: ByColor<&str>, fen: Option<&str>, begun: Instant) -> RunningGame {
        RunningGame {
            id,
            names: names.map(Arc::from),
            begun,
            plies_before: fen.map_or(0, plies_before),
            plies: 0,
            score: None,
            clocks: ByColor { white: None, black: None },
        }
    }

    /// Takes a ply in.
    pub fn note(&mut self, ply: u32, by: Color, record: &PlyRecord) {
        self.plies = ply;
        let Some(search) = &record.search else { return };
        *self.clocks.get_mut(by) = search.clock;
        if let Some(score) = search.score {
            self.score = Some(ToldScore { by, score, depth: search.depth });
        }
    }

    /// The number of the last move, as PGN gives it; `None` before the first one.
    pub fn move_number(&self) -> Option<u32> {
        let last = self.plies.checked_sub(1)?;
        Some(self.plies_before.saturating_add(last) / 2 + 1)
    }
}

/// From the side to move and the move number of a FEN.
fn plies_before(fen: &str) -> u32 {
    let mut fields = fen.split_whitespace();
    let black = u32::from(fields.nth(1) == Some("b"));
    let number: u32 = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
    number.saturating_sub(1).saturating_mul(2).saturating_add(black)
}

/// The games that are being played: a place for each, with a lock of its own that nobody holds for longer than it takes
/// to copy a game.
pub struct Board {
    places: Vec<Mutex<Option<RunningGame>>>,
}

impl Board {
    /// Room for so many games at once.
    pub fn new(games: usize) -> Board {
        // Twice as many: a game that meets a held lock goes on to the next place.
        let places = games.max(1).saturating_mul(2).next_power_of_two();
        Board { places: (0..places).map(|_| Mutex::new(None)).collect() }
    }

    /// A game begins. Never waits; in the worst case the game is not shown.
    pub fn begin(&self, game: RunningGame) {
        if let Some(mut place) = self.free_now(game.id.number, |place| place.is_none()) {
            *place = Some(game);
        }
    }

    /// A ply was played. Never waits; what can't be stored at once is made good by the next ply.
    pub fn note(&self, number: u32, ply: u32, by: Color, record: &PlyRecord) {
        let mut place = self.free_now(number, |place| holds(place, number));
        if let Some(Some(game)) = place.as_deref_mut() {
            game.note(ply, by, record);
        }
    }

    /// A game is over; what was known of it.
    pub fn end(&self, number: u32) -> Option<RunningGame> {
        self.places_from_home(number).find_map(|place| {
            let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
            if holds(&place, number) { place.take() } else { None }
        })
    }

    /// The games as they are now, by their numbers.
    pub fn games(&self) -> Vec<RunningGame> {
        let copy =
            |place: &Mutex<Option<RunningGame>>| place.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut games: Vec<RunningGame> = self.places.iter().filter_map(copy).collect();
        games.sort_by_key(|game| game.id.number);
        games
    }

    /// The first place that is wanted, of those that nobody holds at this moment.
    fn free_now(
        &self,
        number: u32,
        wanted: impl Fn(&Option<RunningGame>) -> bool,
    ) -> Option<MutexGuard<'_, Option<RunningGame>>> {
        self.places_from_home(number).find_map(|place| match place.try_lock() {
            Ok(place) => wanted(&place).then_some(place),
            Err(TryLockError::Poisoned(place)) => Some(place.into_inner()).filter(|place| wanted(place)),
            Err(TryLockError::WouldBlock) => None,
        })
    }

    /// All places, beginning where a game of this number is put if it can be.
    fn places_from_home(&self, number: u32) -> impl Iterator<Item = &Mutex<Option<RunningGame>>> {
        let (before, from) = self.places.split_at(number as usize % self.places.len());
        from.iter().chain(before)
    }
}

fn holds(place: &Option<RunningGame>, number: u32) -> bool {
    place.as_ref().is_some_and(|game| game.id.number == number)
}

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;

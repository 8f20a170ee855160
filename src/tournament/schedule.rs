//! Which games are played: all of them known before the first.

use shakmaty::ByColor;

use crate::game::game_id::GameId;

/// A game to be played, by the engines' places in the match file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its place in the schedule.
    pub id: GameId,
    /// The engines' places, from 0.
    pub engines: ByColor<usize>,
    /// Which opening, counted from 0: both games of a pair share one.
    pub opening: u64,
}

/// The schedule of a match between two engines, in the order of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchSchedule {
    rounds: u32,
    games_per_round: u32,
}

impl MatchSchedule {
    /// With `pairs`, each round is two games with the same opening and colours reversed; else it is one game, and
    /// the colours alternate from round to round.
    pub fn new(rounds: u32, pairs: bool) -> MatchSchedule {
        MatchSchedule { rounds, games_per_round: if pairs { 2 } else { 1 } }
    }

    /// Games planned.
    pub fn len(&self) -> u32 {
        self.rounds.saturating_mul(self.games_per_round)
    }

    /// Whether nothing is planned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game of this index, from 0; `None` beyond the end.
    pub fn game(&self, index: u32) -> Option<ScheduledGame> {
        if index >= self.len() {
            return None;
        }
        let round = index / self.games_per_round;
        let game = index % self.games_per_round;
        let reversed = index % 2 == 1;
        let engines = if reversed { ByColor { white: 1, black: 0 } } else { ByColor { white: 0, black: 1 } };
        let id = GameId { number: index + 1, round: round + 1, game: game + 1 };
        Some(ScheduledGame { id, engines, opening: u64::from(round) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(schedule: MatchSchedule) -> Vec<(String, usize, u64)> {
        (0..schedule.len())
            .filter_map(|index| schedule.game(index))
            .map(|game| (game.id.to_string(), game.engines.white, game.opening))
            .collect()
    }

    #[test]
    fn d_06_both_games_of_a_pair_share_their_opening() {
        let expected = [("1.1", 0, 0), ("1.2", 1, 0), ("2.1", 0, 1), ("2.2", 1, 1)];
        assert_eq!(
            games(MatchSchedule::new(2, true)),
            expected.map(|(id, white, opening)| (id.to_owned(), white, opening))
        );
    }

    #[test]
    fn without_pairs_the_colours_alternate() {
        let expected = [("1.1", 0, 0), ("2.1", 1, 1), ("3.1", 0, 2)];
        assert_eq!(
            games(MatchSchedule::new(3, false)),
            expected.map(|(id, white, opening)| (id.to_owned(), white, opening))
        );
    }

    #[test]
    fn the_schedule_ends() {
        assert_eq!(MatchSchedule::new(2, true).game(4), None);
    }
}

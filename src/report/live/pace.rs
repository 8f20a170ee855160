//! How long a run will still take.

use std::time::Duration;

/// How long games have taken so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    games: u32,
    total: Duration,
}

impl Pace {
    /// A game took so long.
    pub fn add(&mut self, game: Duration) {
        self.games += 1;
        self.total = self.total.saturating_add(game);
    }

    /// The time until `unfinished` games are over, `at_once` of them being played at a time. `ages` are those of the
    /// games that are being played: each is taken to last as long as the finished ones did on average. `None` as long
    /// as none is finished.
    pub fn time_left(&self, unfinished: u32, ages: &[Duration], at_once: usize) -> Option<Duration> {
        let mean = self.total.checked_div(self.games)?.as_secs_f64();
        let rests = ages.iter().map(|age| (mean - age.as_secs_f64()).max(0.0));
        let to_begin = unfinished.saturating_sub(u32::try_from(ages.len()).unwrap_or(u32::MAX));
        let shared = (f64::from(to_begin) * mean + rests.clone().sum::<f64>()) / at_once.max(1) as f64;
        // The last games can't be shared out.
        let last = if to_begin > 0 { mean } else { rests.fold(0.0, f64::max) };
        Duration::try_from_secs_f64(shared.max(last)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn pace(games: &[u64]) -> Pace {
        let mut pace = Pace::default();
        games.iter().for_each(|game| pace.add(seconds(*game)));
        pace
    }

    #[test]
    fn nothing_is_known_before_a_game_is_over() {
        assert_eq!(pace(&[]).time_left(10, &[seconds(3)], 1), None);
    }

    #[test]
    fn games_at_once_share_what_is_left() {
        let pace = pace(&[50, 70]);
        assert_eq!(pace.time_left(10, &[], 1), Some(seconds(600)));
        assert_eq!(pace.time_left(10, &[], 5), Some(seconds(120)));
        // Two under way, of which 60 s are left together, and eight to come.
        assert_eq!(pace.time_left(10, &[seconds(20), seconds(40)], 2), Some(seconds((8 * 60 + 60) / 2)));
    }

    #[test]
    fn the_last_games_take_their_time() {
        let pace = pace(&[60]);
        assert_eq!(pace.time_left(2, &[seconds(10), seconds(30)], 64), Some(seconds(50)));
        assert_eq!(pace.time_left(1, &[seconds(500)], 4), Some(seconds(0)), "longer than the others did");
        assert_eq!(pace.time_left(1, &[], 64), Some(seconds(60)));
        assert_eq!(pace.time_left(0, &[], 1), Some(seconds(0)));
    }
}

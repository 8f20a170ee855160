//! How the engines kept their time in a run: flags that fell, and what their moves took beyond what they counted
//! themselves. The memory it takes does not grow with the games.

use std::time::Duration;

use shakmaty::{Color, Position};

use crate::game::annulment::Cause;
use crate::game::evidence::{Overrun, spoiled_move};
use crate::game::record::GameRecord;
use crate::law::verdict::Reason;

/// One engine's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineTimes {
    /// The engine's name.
    pub name: String,
    /// Moves that it made on a clock or a limit, book moves apart.
    pub moves: u64,
    /// Flags that fell, whatever the result.
    pub flag_falls: u32,
    /// Those that fell after it had waited for a processor for so long that this may be why.
    pub spoiled_flag_falls: u32,
    /// Moves close to their limit during which it waited so.
    pub spoiled_moves: u32,
    /// The referee's time less the engine's own, of the moves for which it told one.
    pub overhead: Overhead,
}

/// How the engines of a run kept their time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timekeeping {
    engines: Vec<EngineTimes>,
    annulled: u32,
    annulled_oversubscribed: u32,
}

impl Timekeeping {
    /// Nothing played yet.
    pub fn new(names: impl IntoIterator<Item = String>) -> Timekeeping {
        let engine = |name| EngineTimes {
            name,
            moves: 0,
            flag_falls: 0,
            spoiled_flag_falls: 0,
            spoiled_moves: 0,
            overhead: Overhead::default(),
        };
        let engines = names.into_iter().map(engine).collect();
        Timekeeping { engines, annulled: 0, annulled_oversubscribed: 0 }
    }

    /// Counts a finished game in.
    pub fn add(&mut self, game: &GameRecord) {
        let first = game.opening.start.turn();
        for color in Color::ALL {
            let name = game.names.get(color);
            let Some(engine) = self.engine_mut(name) else { continue };
            let skipped = usize::from(color != first);
            for search in game.plies.iter().skip(skipped).step_by(2).filter_map(|ply| ply.search.as_ref()) {
                engine.moves += 1;
                if let Some(overhead) = search.times.overhead(search.time) {
                    engine.overhead.add(overhead);
                }
                engine.spoiled_moves += u32::from(spoiled_move(&search.times, search.time));
            }
            if *game.verdict.reason() == Reason::FlagFall && game.verdict.by() == Some(color) {
                engine.flag_falls += 1;
                engine.spoiled_flag_falls += u32::from(game.flag_fall.as_ref().is_some_and(Overrun::spoiled));
            }
        }
    }

    /// Counts a game that was annulled and is played again.
    pub fn add_annulled(&mut self, cause: Cause) {
        self.annulled += 1;
        self.annulled_oversubscribed += u32::from(cause == Cause::Oversubscribed);
    }

    /// The engine of this name.
    pub fn engine_mut(&mut self, name: &str) -> Option<&mut EngineTimes> {
        self.engines.iter_mut().find(|engine| engine.name == name)
    }

    /// In the order of the match file.
    pub fn engines(&self) -> &[EngineTimes] {
        &self.engines
    }

    /// Games that were annulled and played again.
    pub fn annulled(&self) -> u32 {
        self.annulled
    }

    /// Those among them in which the machine was oversubscribed.
    pub fn annulled_oversubscribed(&self) -> u32 {
        self.annulled_oversubscribed
    }
}

/// Times in buckets that grow with them: each is known to a sixteenth of itself, the longest exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overhead {
    buckets: Vec<u64>,
    moves: u64,
    worst: Duration,
}

/// Buckets for each doubling of the time.
const STEPS: u64 = 16;
/// As many as there are for 64 bits of microseconds.
const BUCKETS: usize = 61 * 16;

impl Default for Overhead {
    fn default() -> Overhead {
        Overhead { buckets: vec![0; BUCKETS], moves: 0, worst: Duration::ZERO }
    }
}

impl Overhead {
    /// Counts a move in.
    pub fn add(&mut self, overhead: Duration) {
        self.buckets[bucket(microseconds(overhead))] += 1;
        self.moves += 1;
        self.worst = self.worst.max(overhead);
    }

    /// Moves counted.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The longest; `None` without moves.
    pub fn worst(&self) -> Option<Duration> {
        (self.moves > 0).then_some(self.worst)
    }

    /// So many of a thousand moves took no longer, rounded up by at most a sixteenth; `None` without moves.
    pub fn per_mille(&self, of_a_thousand: u64) -> Option<Duration> {
        let wanted = (u128::from(self.moves) * u128::from(of_a_thousand)).div_ceil(1000);
        let mut seen = 0;
        let index = self.buckets.iter().position(|count| {
            seen += u128::from(*count);
            seen > 0 && seen >= wanted
        })?;
        Some(Duration::from_micros(end_of(index)).min(self.worst))
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The first 16 buckets are of one microsecond each; from there 16 buckets make a doubling.
fn bucket(microseconds: u64) -> usize {
    let doublings = u64::from(microseconds.max(1).ilog2()).saturating_sub(4);
    usize::try_from(doublings * STEPS + (microseconds >> doublings)).unwrap_or(BUCKETS - 1).min(BUCKETS - 1)
}

/// The longest time in a bucket, in microseconds.
fn end_of(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < 2 * STEPS {
        return bucket;
    }
    let doublings = bucket / STEPS - 1;
    ((bucket % STEPS + STEPS) << doublings) | ((1 << doublings) - 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{ByColor, CastlingMode};

    use super::*;
    use crate::engine::search_watch::SearchTimes;
    use crate::game::game_id::GameId;
    use crate::game::record::{PlyRecord, SearchRecord};
    use crate::law::verdict::{Forfeit, MatingChance, Verdict};
    use crate::openings::Opening;

    #[test]
    fn c_11_the_worst_is_exact_and_the_99th_percentile_nearly() {
        let mut overhead = Overhead::default();
        assert_eq!((overhead.worst(), overhead.per_mille(990)), (None, None));
        for microseconds in 1..=1000 {
            overhead.add(Duration::from_micros(microseconds));
        }
        overhead.add(Duration::from_micros(123_456));
        assert_eq!((overhead.moves(), overhead.worst()), (1001, Some(Duration::from_micros(123_456))));
        let percentile = overhead.per_mille(990).unwrap().as_micros();
        assert!((990..=990 + 990 / 16).contains(&percentile), "{percentile}");
        assert_eq!(overhead.per_mille(1000), overhead.worst());
    }

    #[test]
    fn one_move_is_its_own_percentile() {
        let mut overhead = Overhead::default();
        overhead.add(Duration::from_micros(777));
        assert_eq!(overhead.per_mille(990), Some(Duration::from_micros(777)));
        assert_eq!(overhead.per_mille(1), Some(Duration::from_micros(777)));
    }

    #[test]
    fn each_move_is_its_movers_whoever_begins() {
        let search = |engine| SearchRecord {
            time: Duration::from_millis(100),
            times: SearchTimes { engine, ..SearchTimes::default() },
            ..SearchRecord::default()
        };
        let ply = |search| PlyRecord {
            uci: String::new(),
            san: String::new(),
            search,
            offers_draw: false,
            remark: None,
        };
        let fen = shakmaty::fen::Fen::from_ascii(b"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7").unwrap();
        let game = GameRecord {
            id: GameId { number: 1, round: 1, game: 1 },
            names: ByColor { white: "Alpha".to_owned(), black: "Beta".to_owned() },
            time_controls: ByColor::new_with(|_| "60".parse().unwrap()),
            claims: ByColor::default(),
            opening: Opening {
                start: fen.into_position(CastlingMode::Standard).unwrap(),
                ..Opening::initial(CastlingMode::Standard)
            },
            // Black's book move, White's move, Black's.
            plies: vec![
                ply(None),
                ply(Some(search(Some(Duration::from_millis(90))))),
                ply(Some(search(None))),
            ],
            verdict: Verdict::forfeit(Color::Black, Forfeit::FlagFall, MatingChance::Possible),
            detail: None,
            flag_fall: None,
            dialogue: ByColor::new_with(|_| Vec::new()),
            started: jiff::ZonedDateTime::now(),
        };
        let mut times = Timekeeping::new(["Beta".to_owned(), "Alpha".to_owned()]);
        times.add(&game);
        let [beta, alpha] = times.engines() else { panic!("two engines") };
        assert_eq!((beta.flag_falls, beta.overhead.moves()), (1, 0));
        assert_eq!((alpha.flag_falls, alpha.overhead.worst()), (0, Some(Duration::from_millis(10))));
    }

    proptest! {
        #[test]
        fn every_time_has_a_bucket_that_ends_a_sixteenth_later_at_most(bits in 0u32..64, low in any::<u64>()) {
            let time = (1u64 << bits) | (low & ((1u64 << bits) - 1));
            let index = bucket(time);
            prop_assert!(index < BUCKETS);
            let end = end_of(index);
            prop_assert!(end >= time && u128::from(end) <= u128::from(time) + u128::from(time) / 16, "{} {}", time, end);
            prop_assert!(index == 0 || end_of(index - 1) < time);
        }
    }
}

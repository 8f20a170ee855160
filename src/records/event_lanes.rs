//! Events on their way to the file, in memory: games that are played at the same time do not wait for each other, and
//! their lines leave in the order of their times all the same.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::events::{self, EventClock};
use crate::tournament::event::Event;

/// More than there are games at once on most machines.
const LANES: usize = 16;

/// The lines of threads side by side.
pub(super) struct Lanes {
    clock: EventClock,
    lanes: [Mutex<Lane>; LANES],
}

/// Lines in the order of their times.
#[derive(Default)]
struct Lane {
    lines: Vec<u8>,
    /// The time of each line in nanoseconds, and where it ends.
    ends: Vec<(u64, usize)>,
}

/// How full a lane is, in bytes.
pub(super) struct Filling {
    pub before: usize,
    pub after: usize,
}

/// Lines that have left their lanes.
#[derive(Default)]
pub(super) struct Taken {
    lanes: [Lane; LANES],
}

impl Lanes {
    pub fn new(clock: EventClock) -> Lanes {
        Lanes { clock, lanes: Default::default() }
    }

    /// Takes an event in.
    ///
    /// # Errors
    /// What can't be told in JSON is a fault of this program.
    pub fn append(&self, event: &Event<'_>) -> serde_json::Result<Filling> {
        let mut lane = self.lane(own_lane());
        // Read while the lane is held, so that its times never go back.
        let now = self.clock.elapsed();
        let before = lane.lines.len();
        events::append(&mut lane.lines, now, event)?;
        let after = lane.lines.len();
        if after > before {
            lane.ends.push((nanoseconds(now), after));
        }
        Ok(Filling { before, after })
    }

    /// Appends all lines to `out` that were there when this was called, in the order of their times; true if later ones
    /// stay in `taken` for the next time.
    pub fn take(&self, taken: &mut Taken, out: &mut Vec<u8>) -> bool {
        let until = nanoseconds(self.clock.elapsed());
        for (place, taken) in taken.lanes.iter_mut().enumerate() {
            taken.take_over(&mut self.lane(place));
        }
        taken.merge(until, out)
    }

    fn lane(&self, place: usize) -> MutexGuard<'_, Lane> {
        self.lanes[place].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lane {
    fn take_over(&mut self, other: &mut Lane) {
        if self.ends.is_empty() {
            return std::mem::swap(self, other);
        }
        let before = self.lines.len();
        self.lines.append(&mut other.lines);
        self.ends.extend(other.ends.drain(..).map(|(time, end)| (time, before + end)));
    }
}

impl Taken {
    fn merge(&mut self, until: u64, out: &mut Vec<u8>) -> bool {
        // Which line is next, and where it begins.
        let mut next = [(0, 0); LANES];
        let next_time = |next: &[(usize, usize); LANES], place: usize| -> Option<u64> {
            let (time, _) = *self.lanes[place].ends.get(next[place].0)?;
            (time <= until).then_some(time)
        };
        let filled: Vec<usize> = (0..LANES).filter(|place| !self.lanes[*place].ends.is_empty()).collect();
        while let Some((_, place)) =
            filled.iter().filter_map(|place| Some((next_time(&next, *place)?, *place))).min()
        {
            let (line, start) = next[place];
            let (_, end) = self.lanes[place].ends[line];
            out.extend_from_slice(&self.lanes[place].lines[start..end]);
            next[place] = (line + 1, end);
        }
        for (lane, (lines, bytes)) in self.lanes.iter_mut().zip(next) {
            lane.lines.drain(..bytes);
            lane.ends.drain(..lines);
            lane.ends.iter_mut().for_each(|(_, end)| *end -= bytes);
        }
        self.lanes.iter().any(|lane| !lane.ends.is_empty())
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Each thread has a lane of its own as long as there are enough, so that none waits for another.
fn own_lane() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static LANE: usize = THREADS.fetch_add(1, Ordering::Relaxed) % LANES);
    LANE.with(|lane| *lane)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::game::game_id::GameId;

    fn annulled(number: u32, detail: &str) -> Event<'_> {
        let game = GameId { number, round: 1, game: 1 };
        Event::GameAnnulled { game, reason: detail, annulment: None }
    }

    /// The games and the reasons of lines, and whether their times stand in order.
    fn read(lines: &[u8]) -> (Vec<(u64, String)>, bool) {
        let lines: Vec<serde_json::Value> = lines
            .split_inclusive(|byte| *byte == b'\n')
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect();
        let sorted = lines.is_sorted_by_key(|line| line["t"].as_f64().unwrap());
        let named = lines
            .iter()
            .map(|line| (line["game"].as_u64().unwrap(), line["reason"].as_str().unwrap().to_owned()))
            .collect();
        (named, sorted)
    }

    #[test]
    fn what_is_not_kept_leaves_no_line() {
        let lanes = Lanes::new(EventClock::start());
        let filling = lanes.append(&Event::Concurrency(3)).unwrap();
        assert_eq!((filling.before, filling.after), (0, 0));
        let mut out = Vec::new();
        assert!(!lanes.take(&mut Taken::default(), &mut out));
        assert!(out.is_empty());
    }

    #[test]
    fn lines_of_games_side_by_side_leave_once_and_in_order_while_more_come() {
        const LINES: usize = 3000;
        let lanes = Lanes::new(EventClock::start());
        let over = AtomicBool::new(false);
        let (mut taken, mut out) = (Taken::default(), Vec::new());
        std::thread::scope(|scope| {
            let games: Vec<_> = (1..=4)
                .map(|game| {
                    let lanes = &lanes;
                    scope.spawn(move || {
                        for line in 0..LINES {
                            lanes.append(&annulled(game, &line.to_string())).unwrap();
                        }
                    })
                })
                .collect();
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    lanes.take(&mut taken, &mut out);
                }
                assert!(
                    !lanes.take(&mut taken, &mut out),
                    "nothing is held back once nothing comes any more"
                );
            });
            games.into_iter().for_each(|game| game.join().unwrap());
            over.store(true, Ordering::Relaxed);
        });
        let (lines, sorted) = read(&out);
        assert!(sorted);
        for game in 1..=4 {
            let reasons: Vec<&str> =
                lines.iter().filter(|line| line.0 == game).map(|line| line.1.as_str()).collect();
            let expected: Vec<String> = (0..LINES).map(|line| line.to_string()).collect();
            assert_eq!(reasons, expected, "game {game}");
        }
    }

    #[test]
    fn a_line_that_comes_meanwhile_waits_for_the_next_time() {
        let lanes = Lanes::new(EventClock::start());
        lanes.append(&annulled(1, "first")).unwrap();
        let until = nanoseconds(lanes.clock.elapsed());
        lanes.append(&annulled(2, "second")).unwrap();
        let (mut taken, mut out) = (Taken::default(), Vec::new());
        for (place, lane) in taken.lanes.iter_mut().enumerate() {
            lane.take_over(&mut lanes.lane(place));
        }
        assert!(taken.merge(until, &mut out));
        assert_eq!(read(&out).0, [(1, "first".to_owned())]);
        lanes.append(&annulled(1, "third")).unwrap();
        assert!(!lanes.take(&mut taken, &mut out));
        let rest = ["first", "second", "third"].map(str::to_owned);
        assert_eq!(read(&out).0.into_iter().map(|(_, reason)| reason).collect::<Vec<_>>(), rest);
    }
}

//! The evidence of time as `events.jsonl` has it: stamps of moves, flag falls, how engines kept their time.

use std::time::Duration;

use serde::Serialize;

use crate::engine::search_watch::{ProcessorWait, SearchTimes};
use crate::game::evidence::{Limit, Overrun};
use crate::tournament::timekeeping::{EngineTimes, Timekeeping};

/// The stamps of a search, in microseconds from the one before `go` was written.
#[derive(Serialize)]
pub(super) struct Stamps {
    #[serde(skip_serializing_if = "Option::is_none")]
    written_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_us: Option<u64>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    waits: Option<Waits>,
}

/// What was waited for processors in the last `watched_us` of a search.
#[derive(Serialize)]
struct Waits {
    waited_for_processor_us: u64,
    waited_all_threads_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    referee_waited_us: Option<u64>,
    watched_us: u64,
}

/// A flag fall.
#[derive(Serialize)]
pub(super) struct FlagFall {
    limit_us: u64,
    margin_us: u64,
    used_us: u64,
    late_us: u64,
    answered: bool,
    #[serde(flatten)]
    stamps: Stamps,
}

/// How one engine kept its time.
#[derive(Serialize)]
pub(super) struct EngineTime<'a> {
    name: &'a str,
    flag_falls: u32,
    spoiled_flag_falls: u32,
    spoiled_moves: u32,
    overhead_moves: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    overhead_p99_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overhead_worst_us: Option<u64>,
}

pub(super) fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Stamps {
    pub fn of(times: &SearchTimes) -> Stamps {
        let SearchTimes { written, first_byte, engine, waited } = times;
        Stamps {
            written_us: written.map(microseconds),
            first_us: first_byte.map(microseconds),
            engine_us: engine.map(microseconds),
            waits: waited.as_deref().map(|ProcessorWait { longest, total, referee, watched }| Waits {
                waited_for_processor_us: microseconds(*longest),
                waited_all_threads_us: microseconds(*total),
                referee_waited_us: referee.map(microseconds),
                watched_us: microseconds(*watched),
            }),
        }
    }
}

impl EngineTime<'_> {
    fn of(times: &EngineTimes) -> EngineTime<'_> {
        let EngineTimes { name, moves: _, flag_falls, spoiled_flag_falls, spoiled_moves, overhead } = times;
        EngineTime {
            name,
            flag_falls: *flag_falls,
            spoiled_flag_falls: *spoiled_flag_falls,
            spoiled_moves: *spoiled_moves,
            overhead_moves: overhead.moves(),
            overhead_p99_us: overhead.per_mille(990).map(microseconds),
            overhead_worst_us: overhead.worst().map(microseconds),
        }
    }
}

impl FlagFall {
    /// `None` where no clock ran.
    pub fn of(overrun: &Overrun) -> Option<FlagFall> {
        let Limit::Clock { left, margin } = overrun.limit else { return None };
        Some(FlagFall {
            limit_us: microseconds(left),
            margin_us: microseconds(margin),
            used_us: microseconds(overrun.used),
            late_us: microseconds(overrun.late()),
            answered: overrun.answered,
            stamps: Stamps::of(&overrun.times),
        })
    }
}

/// Each engine, in the order of the match file.
pub(super) fn engine_times(timekeeping: &Timekeeping) -> Vec<EngineTime<'_>> {
    timekeeping.engines().iter().map(EngineTime::of).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn c_16_a_flag_fall_is_told_with_all_its_figures() {
        let us = Duration::from_micros;
        let waited = ProcessorWait { longest: us(190), total: us(740), referee: None, watched: us(654) };
        let overrun = Overrun {
            limit: Limit::Clock { left: us(1000), margin: us(100) },
            used: us(1204),
            answered: false,
            times: SearchTimes {
                written: Some(us(15)),
                first_byte: Some(us(80)),
                engine: None,
                waited: Some(Box::new(waited)),
            },
        };
        let expected = json!({
            "limit_us": 1000, "margin_us": 100, "used_us": 1204, "late_us": 104, "answered": false,
            "written_us": 15, "first_us": 80, "waited_for_processor_us": 190, "waited_all_threads_us": 740,
            "watched_us": 654,
        });
        assert_eq!(serde_json::to_value(FlagFall::of(&overrun)).unwrap(), expected);
        let silence = Overrun { limit: Limit::Silence(us(1000)), ..overrun };
        assert!(FlagFall::of(&silence).is_none());
    }
}

//! What can be told of a search's time: its stamps, and whether the engine was kept from running near its limit.

use std::time::{Duration, Instant};

use crate::platform::schedstat::{self, ThreadWaits};

/// When things happened in a search, counted from the stamp before `go` was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchTimes {
    /// The pipe had taken the whole of `position` and `go`; `None`: it never did.
    pub written: Option<Duration>,
    /// The first read after `go` returned; `None`: the engine printed nothing.
    pub first_byte: Option<Duration>,
    /// What the engine said it had used, in its last `info … time`.
    pub engine: Option<Duration>,
    /// What was waited for processors; only of searches that came close to their limit.
    pub waited: Option<Box<ProcessorWait>>,
}

impl SearchTimes {
    /// What a search took beyond what the engine counted itself; `None` where it told no time, or one that can't be
    /// of this search alone. Engines count whole milliseconds, and may round up.
    pub fn overhead(&self, used: Duration) -> Option<Duration> {
        let engine = self.engine?;
        (engine <= used + Duration::from_millis(1)).then(|| used.saturating_sub(engine))
    }
}

/// How long threads could have run and did not, in the last part of a search: a lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessorWait {
    /// The engine's thread that waited longest.
    pub longest: Duration,
    /// All of the engine's threads together.
    pub total: Duration,
    /// The referee's thread that reads this engine.
    pub referee: Option<Duration>,
    /// How much of the search, up to its end, these figures are of.
    pub watched: Duration,
}

/// Watches the search that is under way.
///
/// The scheduler's counters only tell something as a difference, and reading them at each `go` would cost every move
/// for the sake of a few. So they are read first when half of the limit is gone, which most searches never see, and
/// again at the end of a search that has used nine tenths of its limit. The waits told are those of that last part,
/// and its length is told with them: what was waited before it is not known.
#[derive(Debug)]
pub struct SearchWatch {
    started: Instant,
    limit: Duration,
    first_look: FirstLook,
    waited: Option<ProcessorWait>,
}

#[derive(Debug)]
enum FirstLook {
    /// None: there is no limit that is worth it, or the system tells nothing.
    Never,
    At(Instant),
    Taken {
        at: Instant,
        engine: ThreadWaits,
        referee: Option<Duration>,
    },
}

/// Within a shorter limit the reading itself would cost a noticeable part.
const SHORTEST_LIMIT: Duration = Duration::from_millis(10);

impl SearchWatch {
    /// No search yet.
    pub fn new() -> SearchWatch {
        SearchWatch {
            started: Instant::now(),
            limit: Duration::ZERO,
            first_look: FirstLook::Never,
            waited: None,
        }
    }

    /// A search was started.
    pub fn start(&mut self, at: Instant) {
        self.started = at;
        self.first_look = FirstLook::Never;
        self.waited = None;
    }

    /// Until then the search may last.
    pub fn limit(&mut self, deadline: Instant) {
        self.limit = deadline.saturating_duration_since(self.started);
        if self.limit >= SHORTEST_LIMIT {
            self.first_look = FirstLook::At(self.started + self.limit / 2);
        }
    }

    /// When to wake: for the first look, or at the deadline.
    pub fn next_alarm(&self, deadline: Instant) -> Instant {
        match self.first_look {
            FirstLook::At(at) => at.min(deadline),
            FirstLook::Never | FirstLook::Taken { .. } => deadline,
        }
    }

    /// Takes the first look once it is time.
    pub fn look_if_due(&mut self, now: Instant, process_id: Option<u32>) {
        let FirstLook::At(at) = self.first_look else { return };
        if now < at {
            return;
        }
        // Past the limit nothing is left to watch.
        let process_id = process_id.filter(|_| now < self.started + self.limit);
        self.first_look = match process_id.and_then(ThreadWaits::of_process) {
            Some(engine) => FirstLook::Taken { at: now, engine, referee: schedstat::of_this_thread() },
            None => FirstLook::Never,
        };
    }

    /// The search is over.
    pub fn end(&mut self, now: Instant, process_id: Option<u32>) {
        let first = std::mem::replace(&mut self.first_look, FirstLook::Never);
        let close = now.saturating_duration_since(self.started) > self.limit.mul_f64(0.9);
        let FirstLook::Taken { at, engine, referee } = first else { return };
        if !close {
            return;
        }
        let watched = now.saturating_duration_since(at);
        let own = schedstat::of_this_thread().zip(referee).map(|(now, then)| now.saturating_sub(then));
        self.waited = process_id.and_then(ThreadWaits::of_process).map(|later| {
            let between = later.since(&engine, watched);
            ProcessorWait { longest: between.longest, total: between.total, referee: own, watched }
        });
    }

    /// How long after the start of the search that was.
    pub fn offset(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.started)
    }

    /// What was waited in the search that is over; `None` if it was not close to its limit, or nothing is known.
    pub fn waited(&self) -> Option<ProcessorWait> {
        self.waited
    }
}

impl Default for SearchWatch {
    fn default() -> SearchWatch {
        SearchWatch::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn watch(limit: Duration) -> (SearchWatch, Instant) {
        let (mut watch, start) = (SearchWatch::new(), Instant::now());
        watch.start(start);
        watch.limit(start + limit);
        (watch, start)
    }

    #[test]
    fn a_search_that_is_not_close_to_its_limit_reads_nothing_twice() {
        let me = Some(std::process::id());
        let (mut watch, start) = watch(SECOND * 100);
        assert_eq!(watch.next_alarm(start + SECOND * 100), start + SECOND * 50);
        watch.look_if_due(start + SECOND * 49, me);
        assert!(matches!(watch.first_look, FirstLook::At(_)), "not yet");
        watch.look_if_due(start + SECOND * 50, me);
        assert_eq!(watch.next_alarm(start + SECOND * 100), start + SECOND * 100);
        watch.end(start + SECOND * 89, me);
        assert_eq!(watch.waited(), None);
    }

    #[test]
    fn a_wait_is_told_with_the_time_it_is_of() {
        let me = Some(std::process::id());
        let (mut watch, start) = watch(SECOND * 100);
        watch.look_if_due(start + SECOND * 60, me);
        let known = matches!(watch.first_look, FirstLook::Taken { .. });
        watch.end(start + SECOND * 95, me);
        assert_eq!(watch.waited().map(|waited| waited.watched), known.then_some(SECOND * 35));
        watch.start(start + SECOND * 200);
        assert_eq!(watch.waited(), None, "that was another search");
    }

    #[test]
    fn where_nothing_is_told_nothing_is_said() {
        let (mut watch, start) = watch(SECOND * 100);
        watch.look_if_due(start + SECOND * 60, None);
        watch.end(start + SECOND * 99, None);
        assert_eq!(watch.waited(), None);
    }

    #[test]
    fn who_wakes_only_after_the_limit_has_seen_nothing() {
        let (mut watch, start) = watch(SECOND * 100);
        watch.look_if_due(start + SECOND * 103, Some(std::process::id()));
        assert!(matches!(watch.first_look, FirstLook::Never));
    }

    #[test]
    fn c_11_overhead_is_what_the_engine_did_not_count() {
        let told = |milliseconds| SearchTimes {
            engine: Some(Duration::from_millis(milliseconds)),
            ..SearchTimes::default()
        };
        let used = Duration::from_micros(100_500);
        assert_eq!(told(98).overhead(used), Some(Duration::from_micros(2500)));
        assert_eq!(told(101).overhead(used), Some(Duration::ZERO), "rounded up");
        assert_eq!(told(5000).overhead(used), None, "not of this search alone");
        assert_eq!(SearchTimes::default().overhead(used), None);
    }
}

//! What can be proven when more time went by than there was: limit, stamps, waits, in figures and in words.

use std::time::Duration;

use crate::engine::search_watch::{ProcessorWait, SearchTimes};

/// The time that a search had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A clock, or a fixed time for the move.
    Clock {
        /// What was left for this move.
        left: Duration,
        /// What is forgiven on top of it.
        margin: Duration,
    },
    /// No clock: the patience with a silent engine.
    Silence(Duration),
}

/// A search that outlasted its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// What there was.
    pub limit: Limit,
    /// What was used: up to the late `bestmove`, or until it was noticed that none had come.
    pub used: Duration,
    /// A `bestmove` came, too late.
    pub answered: bool,
    /// The stamps of the search.
    pub times: SearchTimes,
}

/// Shorter waits are what any machine does.
const NOTABLE_WAIT: Duration = Duration::from_millis(1);

impl Limit {
    fn total(self) -> Duration {
        match self {
            Limit::Clock { left, margin } => left.saturating_add(margin),
            Limit::Silence(patience) => patience,
        }
    }
}

impl Overrun {
    /// Whether a clock ran out, rather than the patience with a silent engine.
    pub fn is_flag_fall(&self) -> bool {
        matches!(self.limit, Limit::Clock { .. })
    }

    /// How long after the limit the referee looked. It wakes at the limit, so where no `bestmove` came this is its own
    /// delay; where one came, the engine's lateness cannot be more than this.
    pub fn late(&self) -> Duration {
        self.used.saturating_sub(self.limit.total())
    }

    /// The engine could not run when it wanted to, for so long that this may be why its flag fell: for more than a
    /// tenth of the time used or, where a `bestmove` came, for as long as the overdraft. There the referee's own waits
    /// count too, since it may have read in time what it read late.
    pub fn spoiled(&self) -> bool {
        let Some(waited) = &self.times.waited else { return false };
        let referee = waited.referee.filter(|_| self.answered).unwrap_or_default();
        let longest = waited.longest.max(referee);
        self.is_flag_fall()
            && longest >= NOTABLE_WAIT
            && (more_than_a_tenth(longest, self.used) || (self.answered && longest >= self.late()))
    }

    /// For messages: `1.204 s used of 1.100 s; the engine waited 0.190 s for a processor in the last 0.654 s`.
    pub fn words(&self) -> String {
        let mut words = match self.limit {
            Limit::Clock { left, margin } => flag_fall_words(self.used, left, margin),
            Limit::Silence(patience) => format!("no `bestmove` within {} s", patience.as_secs_f64()),
        };
        if let Some(waited) = &self.times.waited {
            words.push_str(&wait_words(waited));
        }
        words
    }
}

/// A move that came close to its limit, and whose engine could not run for more than a tenth of its time.
pub fn spoiled_move(times: &SearchTimes, used: Duration) -> bool {
    let longest = times.waited.as_ref().map_or(Duration::ZERO, |waited| waited.longest);
    longest >= NOTABLE_WAIT && more_than_a_tenth(longest, used)
}

fn more_than_a_tenth(part: Duration, whole: Duration) -> bool {
    part.saturating_mul(10) > whole
}

/// `1.204 s used of 1.100 s`, with as many digits as it takes to tell the two apart.
fn flag_fall_words(used: Duration, left: Duration, margin: Duration) -> String {
    let digits = if used.as_millis() == left.as_millis() { 6 } else { 3 };
    let margin = match margin.as_secs_f64() {
        0.0 => String::new(),
        seconds => format!(" and a margin of {seconds} s"),
    };
    format!("{:.digits$} s used of {:.digits$} s{margin}", used.as_secs_f64(), left.as_secs_f64())
}

fn wait_words(waited: &ProcessorWait) -> String {
    let ProcessorWait { longest, total, referee: _, watched } = waited;
    let threads = if total.as_millis() == longest.as_millis() {
        String::new()
    } else {
        format!(" (all its threads together {:.3} s)", total.as_secs_f64())
    };
    format!(
        "; the engine waited {:.3} s for a processor{threads} in the last {:.3} s",
        longest.as_secs_f64(),
        watched.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn waited(longest: u32, referee: u32) -> Option<Box<ProcessorWait>> {
        let longest = MS * longest;
        Some(Box::new(ProcessorWait {
            longest,
            total: longest,
            referee: Some(MS * referee),
            watched: MS * 654,
        }))
    }

    fn overrun(used: u32, answered: bool, waited: Option<Box<ProcessorWait>>) -> Overrun {
        Overrun {
            limit: Limit::Clock { left: MS * 1100, margin: Duration::ZERO },
            used: MS * used,
            answered,
            times: SearchTimes { waited, ..SearchTimes::default() },
        }
    }

    #[test]
    fn c_11_a_flag_fall_tells_what_the_engine_waited_only_where_that_is_known() {
        assert_eq!(overrun(1204, true, None).words(), "1.204 s used of 1.100 s");
        let known = "1.204 s used of 1.100 s; the engine waited 0.190 s for a processor in the last 0.654 s";
        assert_eq!(overrun(1204, true, waited(190, 0)).words(), known);
        let none = "1.204 s used of 1.100 s; the engine waited 0.000 s for a processor in the last 0.654 s";
        assert_eq!(overrun(1204, true, waited(0, 0)).words(), none, "that the machine was idle is told too");
        let mut threads = overrun(1204, true, waited(190, 0));
        threads.times.waited.as_mut().unwrap().total = MS * 740;
        assert!(
            threads
                .words()
                .contains("0.190 s for a processor (all its threads together 0.740 s) in the last")
        );
    }

    #[test]
    fn a_small_overrun_and_a_margin_are_told_apart() {
        let mut close = overrun(1100, true, None);
        close.used += Duration::from_micros(20);
        assert_eq!(close.words(), "1.100020 s used of 1.100000 s");
        close.limit = Limit::Clock { left: MS * 1000, margin: MS * 50 };
        assert_eq!(close.words(), "1.100 s used of 1.000 s and a margin of 0.05 s");
        assert_eq!(close.late(), Duration::from_micros(50_020));
    }

    #[test]
    fn spoiled_is_what_the_waits_may_explain() {
        for (used, answered, engine, referee, spoiled) in [
            (1204, true, 104, 0, true),
            (1204, true, 103, 0, false),
            (1204, true, 0, 104, true),
            (1300, true, 131, 0, true),
            (1101, true, 0, 0, false),
            // Nobody knows how late the move would have come.
            (1101, false, 50, 0, false),
            (1101, false, 111, 0, true),
            (1300, false, 0, 200, false),
        ] {
            let overrun = overrun(used, answered, waited(engine, referee));
            assert_eq!(overrun.spoiled(), spoiled, "{used} {answered} {engine} {referee}");
        }
        assert!(!overrun(1204, true, None).spoiled(), "nothing is known");
    }
}

//! One side's chess clock: time left, periods, increment, flag fall. Elapsed time is an argument; no system clock is
//! read here.

use std::time::Duration;

use super::time_control::{Period, Periods, TimeControl, Timing};

/// The clock of one player. It starts at base plus increment; after each completed move the increment is added, and
/// with the last move of a period the next one's base, both only once the flag test is passed.
#[derive(Clone, Debug)]
pub struct ChessClock {
    margin: Duration,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Clock(Running),
    MoveTime(Duration),
    Unlimited,
}

#[derive(Clone, Debug)]
struct Running {
    periods: Periods,
    index: usize,
    moves_made: u32,
    left: Duration,
}

/// A move completed in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InTime {
    /// What was overdrawn within the margin and is forgiven: the clock was set to 0 before the increment.
    pub forgiven: Duration,
}

/// More time used than was left, margin included (Article 6.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFall {
    /// Time used for the move.
    pub used: Duration,
    /// Time that was left for it, without the margin.
    pub left: Duration,
}

impl ChessClock {
    /// A clock before its first move. `margin` is forgiven at each move.
    pub fn new(control: &TimeControl, margin: Duration) -> ChessClock {
        let kind = match &control.timing {
            Timing::Clock(periods) => {
                let first = periods.get(0);
                Kind::Clock(Running {
                    periods: periods.clone(),
                    index: 0,
                    moves_made: 0,
                    left: first.base.saturating_add(first.increment),
                })
            }
            Timing::MoveTime(time) => Kind::MoveTime(*time),
            Timing::Unlimited => Kind::Unlimited,
        };
        ChessClock { margin, kind }
    }

    /// The time left; `None` where no chess clock runs.
    pub fn left(&self) -> Option<Duration> {
        match &self.kind {
            Kind::Clock(running) => Some(running.left),
            Kind::MoveTime(_) | Kind::Unlimited => None,
        }
    }

    /// The fixed time for each move, if that is the control.
    pub fn move_time(&self) -> Option<Duration> {
        match self.kind {
            Kind::MoveTime(time) => Some(time),
            Kind::Clock(_) | Kind::Unlimited => None,
        }
    }

    /// The increment of the running period; zero where no chess clock runs.
    pub fn increment(&self) -> Duration {
        match &self.kind {
            Kind::Clock(running) => running.period().increment,
            Kind::MoveTime(_) | Kind::Unlimited => Duration::ZERO,
        }
    }

    /// The moves that this side has to make before its next period, the coming one included; at least 1.
    pub fn moves_to_go(&self) -> Option<u32> {
        match &self.kind {
            Kind::Clock(running) => running.period().moves.map(|moves| moves.get() - running.moves_made),
            Kind::MoveTime(_) | Kind::Unlimited => None,
        }
    }

    /// How long after `go` the flag falls, margin included; `None`: never.
    pub fn limit(&self) -> Option<Duration> {
        self.allowance().map(|time| time.saturating_add(self.margin))
    }

    /// Charges a completed move.
    ///
    /// # Errors
    /// [`FlagFall`] when more was used than was left plus the margin; the clock stays as it was.
    pub fn charge(&mut self, used: Duration) -> Result<InTime, FlagFall> {
        let Some(left) = self.allowance() else { return Ok(InTime { forgiven: Duration::ZERO }) };
        if used > left.saturating_add(self.margin) {
            return Err(FlagFall { used, left });
        }
        if let Kind::Clock(running) = &mut self.kind {
            running.complete_move(used);
        }
        Ok(InTime { forgiven: used.saturating_sub(left) })
    }

    /// Charges time that was used without completing a move: it is gone, no increment is added and no move counted.
    ///
    /// # Errors
    /// As [`ChessClock::charge`].
    pub fn charge_attempt(&mut self, used: Duration) -> Result<(), FlagFall> {
        let Some(left) = self.allowance() else { return Ok(()) };
        if used > left.saturating_add(self.margin) {
            return Err(FlagFall { used, left });
        }
        if let Kind::Clock(running) = &mut self.kind {
            running.left = left.saturating_sub(used);
        }
        Ok(())
    }

    /// Adds time as a penalty for the opponent (Articles 7.5.5 and 9.5.3); says whether there is a clock to add it to.
    pub fn add(&mut self, time: Duration) -> bool {
        match &mut self.kind {
            Kind::Clock(running) => {
                running.left = running.left.saturating_add(time);
                true
            }
            Kind::MoveTime(_) | Kind::Unlimited => false,
        }
    }

    fn allowance(&self) -> Option<Duration> {
        match &self.kind {
            Kind::Clock(running) => Some(running.left),
            Kind::MoveTime(time) => Some(*time),
            Kind::Unlimited => None,
        }
    }
}

impl Running {
    fn period(&self) -> Period {
        self.periods.get(self.index)
    }

    fn complete_move(&mut self, used: Duration) {
        let period = self.period();
        self.left = self.left.saturating_sub(used).saturating_add(period.increment);
        self.moves_made += 1;
        if period.moves.is_some_and(|moves| self.moves_made >= moves.get()) {
            self.index += 1;
            self.moves_made = 0;
            self.left = self.left.saturating_add(self.period().base);
        }
    }
}

/// What the opponent gains by an illegal move or a wrong claim under this control: two minutes (Articles 7.5.5 and
/// 9.5.3), or one minute at rapid and blitz controls, where base of the first period and 60 increments come to less
/// than 60 minutes (A.3, B.3). Nothing without a clock.
pub fn penalty(control: &TimeControl) -> Duration {
    let Timing::Clock(periods) = &control.timing else { return Duration::ZERO };
    let first = periods.get(0);
    let thinking_time = first.base.saturating_add(first.increment.saturating_mul(60));
    let minutes = if thinking_time < Duration::from_secs(60 * 60) { 1 } else { 2 };
    Duration::from_secs(60 * minutes)
}

/// Time as engines are told it: whole milliseconds, rounded down, at least 1.
pub fn wire_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(control: &str, margin_ms: u32) -> ChessClock {
        ChessClock::new(&control.parse().unwrap(), MS * margin_ms)
    }

    #[test]
    fn starts_at_base_plus_increment_and_adds_it_after_each_move() {
        let mut clock = clock("10+0.1", 0);
        assert_eq!(clock.left(), Some(MS * 10_100));
        clock.charge(MS * 600).unwrap();
        assert_eq!(clock.left(), Some(MS * 9600));
    }

    #[test]
    fn c_08_the_next_period_comes_after_the_flag_test() {
        let mut clock = clock("2/1:20", 0);
        clock.charge(MS * 400).unwrap();
        assert_eq!(clock.clone().charge(MS * 601), Err(FlagFall { used: MS * 601, left: MS * 600 }));
        clock.charge(MS * 600).unwrap();
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(MS * 20_000), None));
    }

    #[test]
    fn c_07_moves_to_go_counts_down_and_starts_again() {
        let mut clock = clock("3/10+0.1", 0);
        let mut seen = Vec::new();
        for _ in 0..7 {
            seen.push(clock.moves_to_go().unwrap());
            clock.charge(MS).unwrap();
        }
        assert_eq!(seen, [3, 2, 1, 3, 2, 1, 3]);
    }

    #[test]
    fn c_05_the_margin_forgives_and_the_clock_is_never_negative() {
        let mut clock = clock("1+0.5", 50);
        clock.charge(MS * 1400).unwrap();
        assert_eq!(clock.left(), Some(MS * 600));
        assert_eq!(clock.limit(), Some(MS * 650));
        assert_eq!(clock.charge(MS * 650), Ok(InTime { forgiven: MS * 50 }));
        assert_eq!(clock.left(), Some(MS * 500));
        assert!(clock.charge(MS * 551).is_err());
    }

    #[test]
    fn c_02_fixed_move_time_is_a_limit() {
        let mut clock = clock("movetime=100ms", 20);
        assert_eq!(clock.charge(MS * 120), Ok(InTime { forgiven: MS * 20 }));
        assert_eq!(clock.charge(MS * 121), Err(FlagFall { used: MS * 121, left: MS * 100 }));
    }

    #[test]
    fn no_clock_no_flag() {
        let mut clock = clock("nodes=1000", 0);
        assert_eq!((clock.limit(), clock.left()), (None, None));
        assert!(clock.charge(MS * 1_000_000).is_ok());
    }

    #[test]
    fn an_attempt_costs_its_time_and_counts_no_move() {
        let mut clock = clock("3/10+0.1", 0);
        clock.charge_attempt(MS * 400).unwrap();
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(MS * 9700), Some(3)));
        assert!(clock.charge_attempt(MS * 9701).is_err());
        assert!(clock.add(MS * 60_000));
        assert_eq!(clock.left(), Some(MS * 69_700));
    }

    #[test]
    fn article_9_5_3_the_penalty_depends_on_the_pace() {
        for (control, seconds) in [
            ("10+0.1", 60),
            ("60m", 120),
            ("50m+10", 120),
            ("59m+0.9", 60),
            ("40/120m:20/60m", 120),
            ("nodes=1", 0),
        ] {
            assert_eq!(penalty(&control.parse().unwrap()), Duration::from_secs(seconds), "{control}");
        }
    }

    #[test]
    fn c_06_the_wire_never_tells_less_than_a_millisecond() {
        assert_eq!(wire_milliseconds(Duration::ZERO), 1);
        assert_eq!(wire_milliseconds(Duration::from_micros(1999)), 1);
        assert_eq!(wire_milliseconds(Duration::from_micros(2000)), 2);
    }

    proptest! {
        #[test]
        fn what_is_used_and_left_is_what_was_granted(
            moves in 1u32..6, base_ms in 1u64..5000, increment_ms in 0u64..500,
            uses in proptest::collection::vec(0u64..3000, 1..60),
        ) {
            let control = format!("{moves}/{base_ms}ms+{increment_ms}ms");
            let mut clock = clock(&control, 0);
            let mut granted = base_ms + increment_ms;
            let mut used_ms = 0;
            for (index, attempt) in uses.into_iter().enumerate() {
                let Ok(_) = clock.charge(Duration::from_millis(attempt)) else {
                    prop_assert!(attempt > granted - used_ms);
                    return Ok(());
                };
                used_ms += attempt;
                granted += increment_ms;
                if (index as u32 + 1).is_multiple_of(moves) {
                    granted += base_ms;
                }
                prop_assert_eq!(clock.left(), Some(Duration::from_millis(granted - used_ms)));
            }
        }
    }
}

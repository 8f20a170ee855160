//! One side's chess clock: time left, periods, increment, delay, flag fall. Elapsed time is an argument; no system
//! clock is read here.

use std::time::Duration;

use super::time_control::{Bonus, Period, Periods, TimeControl, Timing};

/// The clock of one player. It starts at base plus increment; after each completed move the increment is added, and
/// with the last move of a period the next one's base, both only once the flag test is passed.
///
/// A delay is time that a move may take without costing anything, each move anew. Under a simple delay the clock
/// stands still so long; a Bronstein clock runs at once, shows the delay as part of what is left, and gives back after
/// the move what was used of it. What may be used is the same.
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
    /// The time left, without what is `free`.
    reserve: Duration,
    /// What is left of the delay for the coming move.
    free: Duration,
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
                    reserve: first.base.saturating_add(first.bonus.increment()),
                    free: first.bonus.delay(),
                })
            }
            Timing::MoveTime(time) => Kind::MoveTime(*time),
            Timing::Unlimited => Kind::Unlimited,
        };
        ChessClock { margin, kind }
    }

    /// The time left, as the clock shows it: with a Bronstein delay, without a simple one. `None` where no chess clock
    /// runs.
    pub fn left(&self) -> Option<Duration> {
        match &self.kind {
            Kind::Clock(running) => Some(match running.period().bonus {
                Bonus::Bronstein(_) => running.usable(),
                Bonus::None | Bonus::Increment(_) | Bonus::Delay(_) => running.reserve,
            }),
            Kind::MoveTime(_) | Kind::Unlimited => None,
        }
    }

    /// What the coming move may take before the flag falls, without the margin: the time left and the delay. `None`
    /// where no chess clock runs.
    pub fn usable(&self) -> Option<Duration> {
        match &self.kind {
            Kind::Clock(running) => Some(running.usable()),
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

    /// The increment or the delay of the running period; zero where no chess clock runs.
    pub fn bonus(&self) -> Duration {
        match &self.kind {
            Kind::Clock(running) => running.period().bonus.time(),
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
            running.spend(used);
        }
        Ok(())
    }

    /// Adds time as a penalty for the opponent (Articles 7.5.5 and 9.5.3); says whether there is a clock to add it to.
    pub fn add(&mut self, time: Duration) -> bool {
        match &mut self.kind {
            Kind::Clock(running) => {
                running.reserve = running.reserve.saturating_add(time);
                true
            }
            Kind::MoveTime(_) | Kind::Unlimited => false,
        }
    }

    fn allowance(&self) -> Option<Duration> {
        match &self.kind {
            Kind::Clock(running) => Some(running.usable()),
            Kind::MoveTime(time) => Some(*time),
            Kind::Unlimited => None,
        }
    }
}

impl Running {
    fn period(&self) -> Period {
        self.periods.get(self.index)
    }

    fn usable(&self) -> Duration {
        self.reserve.saturating_add(self.free)
    }

    /// The delay first, then the time left.
    fn spend(&mut self, used: Duration) {
        self.reserve = self.reserve.saturating_sub(used.saturating_sub(self.free));
        self.free = self.free.saturating_sub(used);
    }

    fn complete_move(&mut self, used: Duration) {
        let period = self.period();
        self.spend(used);
        self.reserve = self.reserve.saturating_add(period.bonus.increment());
        self.moves_made += 1;
        if period.moves.is_some_and(|moves| self.moves_made >= moves.get()) {
            self.index += 1;
            self.moves_made = 0;
            self.reserve = self.reserve.saturating_add(self.period().base);
        }
        self.free = self.period().bonus.delay();
    }
}

/// What the opponent gains by an illegal move or a wrong claim under this control: two minutes (Articles 7.5.5 and
/// 9.5.3), or one minute at rapid and blitz controls, where base of the first period and 60 increments come to less
/// than 60 minutes (A.3, B.3); a delay counts as an increment does. Nothing without a clock.
pub fn penalty(control: &TimeControl) -> Duration {
    let Timing::Clock(periods) = &control.timing else { return Duration::ZERO };
    let first = periods.get(0);
    let thinking_time = first.base.saturating_add(first.bonus.time().saturating_mul(60));
    let minutes = if thinking_time < Duration::from_secs(60 * 60) { 1 } else { 2 };
    Duration::from_secs(60 * minutes)
}

/// Time as engines are told it: whole milliseconds, rounded down, at least 1.
pub fn wire_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
#[path = "chess_clock_tests.rs"]
mod tests;

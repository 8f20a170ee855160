//! How long to think: the limits of a `go` command turned into a soft and a hard budget. Pure: the present
//! moment is always an argument.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color, uci::UciMove};

/// The clock of one side as a `go` command states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    /// Time left, absent if the command doesn't name it. A negative time is read as zero.
    pub remaining: Option<Duration>,
    /// Time added after each move.
    pub increment: Duration,
}

/// Everything a `go` command may limit. Absent means not limited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// `wtime`, `winc`, `btime`, `binc`.
    pub clocks: ByColor<SideClock>,
    /// `movestogo`: moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// `movetime`: think for this long.
    pub move_time: Option<Duration>,
    /// `nodes`: visit no more positions than this.
    pub nodes: Option<u64>,
    /// `depth`: complete this iteration, then answer.
    pub depth: Option<u32>,
    /// `mate`: look for a mate in at most this many moves.
    pub mate: Option<u32>,
    /// `infinite`: don't answer before `stop`.
    pub infinite: bool,
    /// `ponder`: don't answer before `ponderhit` or `stop`.
    pub ponder: bool,
    /// `searchmoves`: consider only these; empty means all.
    pub search_moves: Vec<UciMove>,
}

/// What the engine's options say about the use of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePolicy {
    /// Kept back for whatever lies between this process and the clock.
    pub move_overhead: Duration,
    /// The opponent's time is used as well, so a little more of ours may be spent.
    pub pondering_expected: bool,
}

/// How long a search may take; absent means not limited by time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// Start no further iteration after this.
    pub soft: Option<Duration>,
    /// Abandon the iteration after this.
    pub hard: Option<Duration>,
}

/// Moves a game is expected to last still, when the time control doesn't say.
const EXPECTED_MOVES: u32 = 30;

impl TimeBudget {
    /// The budget of `side`. `move_time` beats the clock; with both, the smaller hard limit holds.
    ///
    /// With a clock, the hard limit is at most a quarter of what is left (more only just before a time
    /// control), so that a stall of the machine of several times the budget doesn't cost the game.
    pub fn new(limits: &SearchLimits, side: Color, policy: TimePolicy) -> TimeBudget {
        let clock = limits.clocks.get(side);
        let by_clock = clock
            .remaining
            .map(|remaining| TimeBudget::from_clock(remaining, clock.increment, limits.moves_to_go, policy));
        let by_move_time = limits.move_time.map(|time| {
            let budget = time.saturating_sub(policy.move_overhead.min(time / 2));
            TimeBudget { soft: Some(budget), hard: Some(budget) }
        });
        match (by_move_time, by_clock) {
            (Some(fixed), Some(clocked)) if clocked.hard < fixed.hard => clocked,
            (Some(fixed), _) => fixed,
            (None, Some(clocked)) => clocked,
            (None, None) => TimeBudget::default(),
        }
    }

    fn from_clock(
        remaining: Duration,
        increment: Duration,
        moves_to_go: Option<u32>,
        policy: TimePolicy,
    ) -> TimeBudget {
        let usable = remaining.saturating_sub(policy.move_overhead.min(remaining.mul_f64(0.75)));
        let moves_left = moves_to_go.map_or(EXPECTED_MOVES, |moves| moves.clamp(1, EXPECTED_MOVES));
        let fair_share = usable / moves_left + increment.mul_f64(0.75);
        let fair_share = if policy.pondering_expected { fair_share.mul_f64(1.25) } else { fair_share };
        let largest_part = 1.0 / f64::from(moves_left.min(4)).max(1.5);
        let hard = (fair_share * 3).min(usable.mul_f64(largest_part));
        TimeBudget { soft: Some(fair_share.mul_f64(0.6).min(hard)), hard: Some(hard) }
    }

    /// The budget of a forced move: long enough for a score, no longer.
    #[must_use]
    pub fn for_forced_move(self) -> TimeBudget {
        TimeBudget { soft: self.soft.map(|soft| soft / 10), hard: self.hard }
    }
}

/// The engine's own clock during one search.
#[derive(Clone, Copy, Debug)]
pub struct SearchClock {
    started: Instant,
    /// When the budget began to count; absent while pondering.
    counted_from: Option<Instant>,
    budget: TimeBudget,
}

impl SearchClock {
    /// A clock started when the `go` command was read. A pondering engine's budget isn't counted yet.
    pub fn new(started: Instant, budget: TimeBudget, pondering: bool) -> SearchClock {
        SearchClock { started, counted_from: (!pondering).then_some(started), budget }
    }

    /// The opponent played the expected move: from now on the budget counts.
    pub fn ponder_hit(&mut self, now: Instant) {
        self.counted_from.get_or_insert(now);
    }

    /// Whether the search is still on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.counted_from.is_none()
    }

    /// Time since the `go` command.
    pub fn elapsed(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.started)
    }

    /// Whether a further iteration should not be started.
    pub fn soft_limit_reached(&self, now: Instant) -> bool {
        self.reached(self.budget.soft, now)
    }

    /// Whether the search must be abandoned.
    pub fn hard_limit_reached(&self, now: Instant) -> bool {
        self.reached(self.budget.hard, now)
    }

    fn reached(&self, limit: Option<Duration>, now: Instant) -> bool {
        match (limit, self.counted_from) {
            (Some(limit), Some(from)) => now.saturating_duration_since(from) >= limit,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: TimePolicy =
        TimePolicy { move_overhead: Duration::from_millis(10), pondering_expected: false };

    fn clocked(remaining_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> SearchLimits {
        let clock = SideClock {
            remaining: Some(Duration::from_millis(remaining_ms)),
            increment: Duration::from_millis(increment_ms),
        };
        SearchLimits {
            clocks: ByColor { white: clock, black: SideClock::default() },
            moves_to_go,
            ..SearchLimits::default()
        }
    }

    #[test]
    fn budget_never_exceeds_the_clock() {
        for remaining in [0, 1, 5, 11, 50, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 50, 1_000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let limits = clocked(remaining, increment, moves_to_go);
                    let budget = TimeBudget::new(&limits, Color::White, POLICY);
                    let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                    assert!(soft <= hard, "{limits:?}");
                    assert!(hard.as_secs_f64() * 1.49 <= remaining as f64 / 1000.0, "{limits:?} {hard:?}");
                }
            }
        }
    }

    #[test]
    fn fast_game_never_runs_out_even_if_each_move_stalls() {
        let mut remaining = Duration::from_millis(1_000);
        for _ in 0..500 {
            let limits = clocked(remaining.as_millis() as u64, 50, None);
            let hard = TimeBudget::new(&limits, Color::White, POLICY).hard.unwrap();
            let spent = hard + Duration::from_millis(25);
            assert!(spent < remaining, "flag falls with {remaining:?}");
            remaining = remaining - spent + Duration::from_millis(50);
        }
    }

    #[test]
    fn move_time_keeps_the_overhead_back() {
        let limits = SearchLimits { move_time: Some(Duration::from_millis(100)), ..SearchLimits::default() };
        let budget = TimeBudget::new(&limits, Color::White, POLICY);
        assert_eq!(budget.hard, Some(Duration::from_millis(90)));
        let tiny = SearchLimits { move_time: Some(Duration::from_millis(4)), ..SearchLimits::default() };
        assert_eq!(TimeBudget::new(&tiny, Color::White, POLICY).hard, Some(Duration::from_millis(2)));
    }

    #[test]
    fn other_sides_clock_is_not_ours() {
        assert_eq!(TimeBudget::new(&clocked(1_000, 0, None), Color::Black, POLICY), TimeBudget::default());
    }

    #[test]
    fn budget_counts_from_the_ponder_hit() {
        let start = Instant::now();
        let second = Duration::from_secs(1);
        let budget = TimeBudget { soft: Some(second), hard: Some(second) };
        let mut clock = SearchClock::new(start, budget, true);
        assert!(!clock.hard_limit_reached(start + second * 9));
        clock.ponder_hit(start + second * 9);
        assert!(!clock.hard_limit_reached(start + second * 9));
        assert!(clock.hard_limit_reached(start + second * 10));
        assert_eq!(clock.elapsed(start + second * 10), second * 10);
    }
}

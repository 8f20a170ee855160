use proptest::prelude::*;

use super::*;
use crate::clock::time_control::BonusKind;

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

#[test]
fn c_03_exactly_the_margin_is_no_overrun_and_one_nanosecond_more_is() {
    for control in ["movetime=100ms", "100ms", "40ms delay=60ms", "40ms bronstein=60ms"] {
        let clock = clock(control, 20);
        assert!(clock.clone().charge(MS * 120).is_ok(), "{control}");
        assert!(clock.clone().charge(MS * 120 + Duration::from_nanos(1)).is_err(), "{control}");
    }
}

#[test]
fn an_increment_alone_is_a_clock() {
    // Another runner never updated the clock of `0+inc`.
    let mut clock = clock("0+0.3", 0);
    clock.charge(MS * 100).unwrap();
    assert_eq!(clock.left(), Some(MS * 500));
    assert_eq!(clock.charge(MS * 501), Err(FlagFall { used: MS * 501, left: MS * 500 }));
}

#[test]
fn under_a_simple_delay_the_clock_starts_late_and_what_is_not_used_is_lost() {
    let mut clock = clock("10 delay=3", 0);
    assert_eq!(
        (clock.left(), clock.usable(), clock.limit()),
        (Some(MS * 10_000), Some(MS * 13_000), Some(MS * 13_000))
    );
    for (used, left) in [(0, 10_000), (2999, 10_000), (3000, 10_000), (3001, 9999), (12_999, 0), (3000, 0)] {
        clock.charge(MS * used).unwrap();
        assert_eq!(clock.left(), Some(MS * left), "{used}");
    }
    assert_eq!(clock.charge(MS * 3001), Err(FlagFall { used: MS * 3001, left: MS * 3000 }));
}

#[test]
fn under_a_bronstein_delay_the_time_used_is_given_back_up_to_it() {
    let mut clock = clock("10 bronstein=3", 0);
    for (used, left) in
        [(0, 13_000), (2999, 13_000), (3000, 13_000), (3001, 12_999), (12_999, 3000), (3000, 3000)]
    {
        clock.charge(MS * used).unwrap();
        assert_eq!((clock.left(), clock.usable()), (Some(MS * left), Some(MS * left)), "{used}");
    }
    assert!(clock.charge(MS * 3001).is_err());
}

#[test]
fn the_margin_comes_after_the_delay_and_what_is_overdrawn_is_forgiven() {
    let mut clock = clock("1 delay=0.5", 100);
    assert_eq!(clock.limit(), Some(MS * 1600));
    assert_eq!(clock.charge(MS * 1580), Ok(InTime { forgiven: MS * 80 }));
    assert_eq!((clock.left(), clock.usable()), (Some(Duration::ZERO), Some(MS * 500)));
    assert!(clock.charge(MS * 601).is_err());
}

#[test]
fn each_period_has_its_own_bonus() {
    let mut clock = clock("1/10+1:1/5:20 delay=0:2:0 bronstein=0:0:3", 0);
    clock.charge(MS * 1000).unwrap();
    assert_eq!(
        (clock.left(), clock.usable(), clock.bonus()),
        (Some(MS * 16_000), Some(MS * 18_000), MS * 2000)
    );
    clock.charge(MS * 3000).unwrap();
    assert_eq!((clock.left(), clock.bonus(), clock.moves_to_go()), (Some(MS * 38_000), MS * 3000, None));
}

#[test]
fn a_move_made_anew_has_only_what_is_left_of_its_delay() {
    let mut clock = clock("10 delay=3", 0);
    clock.charge_attempt(MS * 2000).unwrap();
    assert_eq!((clock.left(), clock.usable()), (Some(MS * 10_000), Some(MS * 11_000)));
    clock.charge_attempt(MS * 2000).unwrap();
    assert_eq!((clock.left(), clock.usable()), (Some(MS * 9000), Some(MS * 9000)));
    clock.charge(MS * 1000).unwrap();
    assert_eq!((clock.left(), clock.usable()), (Some(MS * 8000), Some(MS * 11_000)));
}

/// A period in nanoseconds and how it is written.
fn any_period() -> impl Strategy<Value = Period> {
    let kind = prop_oneof![
        Just(None),
        Just(Some(Bonus::Increment as BonusKind)),
        Just(Some(Bonus::Delay as BonusKind)),
        Just(Some(Bonus::Bronstein as BonusKind)),
    ];
    (1_u32..5, 1_u64..3_000_000, kind, 0_u64..500_000).prop_map(|(moves, base, kind, bonus)| Period {
        moves: std::num::NonZeroU32::new(moves),
        base: Duration::from_micros(base),
        bonus: kind.map_or(Bonus::None, |kind| kind(Duration::from_micros(bonus))),
    })
}

proptest! {
    /// The book-keeping of all kinds of clock in one formula: what is left is the bases and increments granted so far,
    /// and what was given back of delays or forgiven, less what was used; until it is less than nothing and the flag
    /// has fallen.
    #[test]
    fn what_is_used_and_left_is_what_was_granted(
        periods in proptest::collection::vec(any_period(), 1..4), open in any::<bool>(), margin_us in 0_u64..50_000,
        uses in proptest::collection::vec(0_u64..1_000_000, 1..60),
    ) {
        let mut periods = periods;
        if open {
            periods.last_mut().unwrap().moves = None;
        }
        let margin = Duration::from_micros(margin_us);
        let timing = Timing::Clock(Periods::new(periods.clone()).unwrap());
        let control = TimeControl { timing, nodes: None, depth: None, mate: None };
        let mut clock = ChessClock::new(&control, margin);
        let mut granted = periods[0].base + periods[0].bonus.increment();
        let (mut used, mut index, mut moves) = (Duration::ZERO, 0, 0);
        for attempt in uses {
            let attempt = Duration::from_micros(attempt);
            let period = periods[index];
            let usable = granted + period.bonus.delay() - used;
            let Ok(in_time) = clock.charge(attempt) else {
                prop_assert!(attempt > usable + margin);
                return Ok(());
            };
            prop_assert!(attempt <= usable + margin);
            prop_assert_eq!(in_time.forgiven, attempt.saturating_sub(usable));
            used += attempt;
            granted += period.bonus.increment() + attempt.min(period.bonus.delay()) + in_time.forgiven;
            moves += 1;
            if period.moves.is_some_and(|due| due.get() == moves) {
                (index, moves) = ((index + 1).min(periods.len() - 1), 0);
                granted += periods[index].base;
            }
            let bonus = periods[index].bonus;
            prop_assert_eq!(clock.usable(), Some(granted - used + bonus.delay()));
            let shown = if matches!(bonus, Bonus::Bronstein(_)) { bonus.delay() } else { Duration::ZERO };
            prop_assert_eq!(clock.left(), Some(granted - used + shown));
        }
    }

    #[test]
    fn both_kinds_of_delay_grant_the_same(
        base_ms in 1_u64..3000, delay_ms in 0_u64..500, uses in proptest::collection::vec(0_u64..700, 1..40),
    ) {
        let mut simple = clock(&format!("3/{base_ms}ms delay={delay_ms}ms"), 0);
        let mut bronstein = clock(&format!("3/{base_ms}ms bronstein={delay_ms}ms"), 0);
        for used in uses {
            let used = Duration::from_millis(used);
            prop_assert_eq!(simple.charge(used), bronstein.charge(used));
            prop_assert_eq!(simple.usable(), bronstein.usable());
        }
    }
}

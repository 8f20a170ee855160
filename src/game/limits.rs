//! What `go` tells an engine of the clocks and of its limits.
//!
//! UCI knows increments and no delays. A delay, simple or Bronstein, is told as what an engine can count on:
//!
//! - `wtime`/`btime` is all that the coming move may take before the flag falls: the time left *and* the delay, of the
//!   opponent's clock, too. Without the delay an engine would play the last moves of a long game at once though it has
//!   seconds for each; more than that would lose it the game.
//! - `winc`/`binc` is the delay: it comes again with each move. An engine that takes the delay or longer finds its next
//!   `wtime` just where an increment would have put it; one that answers sooner finds less, for what is not used of a
//!   delay is lost.
//!
//! Both kinds of delay look the same to an engine, as they grant the same time. The margin is never told.

use std::num::{NonZeroU32, NonZeroU64};

use shakmaty::{ByColor, Color};

use crate::clock::chess_clock::{ChessClock, wire_milliseconds};
use crate::clock::time_control::TimeControl;
use crate::engine::command::{SearchLimits, SideClock};

/// What `go` tells the side to move: both clocks where it plays by one, and its own limits.
pub(super) fn search_limits(
    side: Color,
    clocks: &ByColor<ChessClock>,
    control: &TimeControl,
) -> SearchLimits {
    let own = clocks.get(side);
    let told = |clock: &ChessClock| {
        own.usable().and(clock.usable()).map(|usable| SideClock {
            remaining_ms: wire_milliseconds(usable),
            increment_ms: u64::try_from(clock.bonus().as_millis()).unwrap_or(u64::MAX),
        })
    };
    SearchLimits {
        white: told(&clocks.white),
        black: told(&clocks.black),
        moves_to_go: own.moves_to_go(),
        move_time_ms: own.move_time().map(wire_milliseconds),
        nodes: control.nodes.map(NonZeroU64::get),
        depth: control.depth.map(NonZeroU32::get),
        mate: control.mate.map(NonZeroU32::get),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    fn clocks(white: &str, black: &str) -> ByColor<ChessClock> {
        let clock = |text: &str| ChessClock::new(&control(text), Duration::ZERO);
        ByColor { white: clock(white), black: clock(black) }
    }

    fn told(remaining_ms: u64, increment_ms: u64) -> Option<SideClock> {
        Some(SideClock { remaining_ms, increment_ms })
    }

    #[test]
    fn go_tells_an_engine_without_a_clock_no_times() {
        // Nor does one with a clock hear of an opponent's that doesn't exist, such as a depth's (another runner told
        // 4.6e18 ms).
        for black in ["nodes=500", "depth=5", "movetime=1", "inf"] {
            let clocks = clocks("10+0.1", black);
            let limits = search_limits(Color::White, &clocks, &control("10+0.1"));
            assert_eq!((limits.white, limits.black, limits.nodes), (told(10_100, 100), None, None));
            let limits = search_limits(Color::Black, &clocks, &control(black));
            assert_eq!((limits.white, limits.black, limits.moves_to_go), (None, None, None), "{black}");
        }
        let limits = search_limits(Color::Black, &clocks("10", "nodes=500"), &control("nodes=500"));
        assert_eq!(limits, SearchLimits { nodes: Some(500), ..SearchLimits::default() });
    }

    #[test]
    fn every_limit_that_is_combined_is_sent() {
        let text = "2/10+1 nodes=5 depth=6 mate=7";
        let limits = search_limits(Color::White, &clocks(text, "10"), &control(text));
        let expected = SearchLimits {
            white: told(11_000, 1000),
            black: told(10_000, 0),
            moves_to_go: Some(2),
            move_time_ms: None,
            nodes: Some(5),
            depth: Some(6),
            mate: Some(7),
        };
        assert_eq!(limits, expected);
        let text = "movetime=30ms nodes=5";
        let limits = search_limits(Color::White, &clocks(text, "10"), &control(text));
        assert_eq!(
            limits,
            SearchLimits { move_time_ms: Some(30), nodes: Some(5), ..SearchLimits::default() }
        );
    }

    #[test]
    fn the_opponents_clock_has_its_increment_already() {
        let mut clocks = clocks("10+1", "10+2");
        clocks.white.charge(MS * 400).unwrap();
        let limits = search_limits(Color::Black, &clocks, &control("10+2"));
        assert_eq!((limits.white, limits.black), (told(11_600, 1000), told(12_000, 2000)));
    }

    #[test]
    fn a_delay_is_told_as_time_that_can_be_used_and_comes_again() {
        for text in ["10 delay=3", "10 bronstein=3"] {
            let mut clocks = clocks(text, text);
            let limits = search_limits(Color::White, &clocks, &control(text));
            assert_eq!((limits.white, limits.black), (told(13_000, 3000), told(13_000, 3000)));
            // Half a second of the delay is lost, and of ten seconds three cost nothing.
            clocks.white.charge(MS * 2500).unwrap();
            clocks.black.charge(MS * 10_000).unwrap();
            let limits = search_limits(Color::Black, &clocks, &control(text));
            assert_eq!((limits.white, limits.black), (told(13_000, 3000), told(6_000, 3000)));
        }
    }

    #[test]
    fn every_millisecond_is_told_as_it_was_written() {
        // Another runner was one millisecond off for half of these.
        for ms in 1..2000_u64 {
            let text = format!("{}.{:03}+{}.{:03}", ms / 1000, ms % 1000, ms / 1000, ms % 1000);
            let limits = search_limits(Color::White, &clocks(&text, "1"), &control(&text));
            assert_eq!(limits.white, told(2 * ms, ms), "{text}");
            let text = format!("movetime={}.{:03}", ms / 1000, ms % 1000);
            let limits = search_limits(Color::White, &clocks(&text, "1"), &control(&text));
            assert_eq!(limits.move_time_ms, Some(ms), "{text}");
        }
    }

    fn any_control() -> impl Strategy<Value = String> {
        let bonus = prop_oneof![Just(""), Just("+"), Just(" delay="), Just(" bronstein=")];
        (1_u32..4, 0_u64..400_000, bonus, 1_u64..400_000).prop_map(|(moves, base_us, bonus, bonus_us)| {
            let us = |us: u64| format!("{}.{:06}", us / 1_000_000, us % 1_000_000);
            let bonus = if bonus.is_empty() { String::new() } else { bonus.to_owned() + &us(bonus_us) };
            format!("{moves}/{}{bonus}", us(base_us.max(1)))
        })
    }

    proptest! {
        /// Whatever has been used: a time told is at least 1, no more than what can be used (but for that 1), and more
        /// time used never means that more is told; `movestogo` is at least 1.
        #[test]
        fn c_05_and_c_06_what_is_told_can_be_used_and_is_never_less_than_one(
            text in any_control(), margin_ms in 0_u32..300, uses in prop::collection::vec(0_u64..600_000, 0..30),
        ) {
            let control = control(&text);
            let clock = ChessClock::new(&control, MS * margin_ms);
            let mut clocks = ByColor { white: clock.clone(), black: clock };
            for used in uses {
                let used = Duration::from_micros(used);
                let mut slower = clocks.clone();
                if clocks.white.charge(used).is_err() {
                    break;
                }
                let limits = search_limits(Color::White, &clocks, &control);
                let usable = clocks.white.usable().unwrap();
                let white = limits.white.unwrap();
                prop_assert!(white.remaining_ms >= 1 && limits.moves_to_go >= Some(1));
                prop_assert!(u128::from(white.remaining_ms) <= usable.as_millis().max(1));
                prop_assert!(usable.as_millis() < u128::from(white.remaining_ms) + 1);
                prop_assert_eq!(limits.black, search_limits(Color::Black, &clocks, &control).black);
                if slower.white.charge(used + MS).is_ok() {
                    let slower = search_limits(Color::White, &slower, &control).white.unwrap();
                    prop_assert!(slower.remaining_ms <= white.remaining_ms);
                }
            }
        }
    }
}

//! How long the machine has slept: what the clock that counts sleep is ahead of the one that doesn't.

use std::time::Duration;

/// How long the machine has slept since it was started: at least and at most. The two differ by what passed between
/// the readings of the clocks. `None` where the system has no such clocks.
#[cfg(target_os = "linux")]
pub fn time_asleep() -> Option<(Duration, Duration)> {
    use nix::time::{ClockId, clock_gettime};
    let read = |clock| clock_gettime(clock).ok().map(Duration::from);
    let before = read(ClockId::CLOCK_MONOTONIC)?;
    let with_sleep = read(ClockId::CLOCK_BOOTTIME)?;
    let after = read(ClockId::CLOCK_MONOTONIC)?;
    Some((with_sleep.saturating_sub(after), with_sleep.saturating_sub(before)))
}

/// Not told here.
#[cfg(not(target_os = "linux"))]
pub fn time_asleep() -> Option<(Duration, Duration)> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_is_awake_sleeps_no_more() {
        let (before, after) = (time_asleep().unwrap(), time_asleep().unwrap());
        assert!(before.0 <= before.1);
        assert!(after.0.saturating_sub(before.1).is_zero(), "{before:?} {after:?}");
    }
}

//! A deadline that costs nothing to move later.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::time::Sleep;

/// One timer for many deadlines. Moving it later only means that it wakes once too early and is set again, so that
/// a deadline per move needs no work on the timer wheel.
#[derive(Debug)]
pub struct Alarm {
    sleep: Pin<Box<Sleep>>,
}

impl Alarm {
    /// Needs a running tokio runtime with a timer.
    pub fn new() -> Alarm {
        Alarm { sleep: Box::pin(tokio::time::sleep_until(Instant::now().into())) }
    }

    /// Ready when `deadline` has passed.
    pub fn poll(&mut self, deadline: Instant, context: &mut Context<'_>) -> Poll<()> {
        if self.sleep.deadline().into_std() > deadline {
            self.sleep.as_mut().reset(deadline.into());
        }
        while self.sleep.as_mut().poll(context).is_ready() {
            if Instant::now() >= deadline {
                return Poll::Ready(());
            }
            self.sleep.as_mut().reset(deadline.into());
        }
        Poll::Pending
    }
}

impl Default for Alarm {
    fn default() -> Alarm {
        Alarm::new()
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use super::*;

    #[test]
    fn rings_at_the_deadline_asked_for_last() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut alarm = Alarm::new();
            let start = Instant::now();
            for milliseconds in [5, 40, 20] {
                let deadline = start + Duration::from_millis(milliseconds);
                poll_fn(|context| alarm.poll(deadline, context)).await;
                assert!(Instant::now() >= deadline, "{milliseconds} ms");
            }
        });
    }
}

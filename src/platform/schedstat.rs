//! How long threads could have run and were not let: the scheduler's counters, where the system tells them (Linux).

use std::fs;
use std::time::Duration;

/// Processes and threads of one engine that are looked at; beyond that nothing is told.
const MOST_THREADS: usize = 1024;

/// How long each thread of a process, and of its children, has waited for a processor since it began.
///
/// The counter of a thread grows when a wait ends: one that is under way is not in it yet. A thread that has ended
/// has taken its counter with it. So differences of two readings tell less than was waited, never more, but for a
/// wait that was under way at the first one, which counts whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadWaits(Vec<(u32, Duration)>);

/// What was waited between two readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitedBetween {
    /// By the thread that waited longest.
    pub longest: Duration,
    /// By all threads together.
    pub total: Duration,
}

impl ThreadWaits {
    /// Reads the counters of a process and of the processes that it started; some microseconds for each thread.
    /// `None` where the system doesn't tell, or the process is gone.
    pub fn of_process(process_id: u32) -> Option<ThreadWaits> {
        let (mut waits, mut has_run) = (Vec::new(), false);
        let mut processes = vec![process_id];
        while let Some(process) = processes.pop() {
            let threads = match fs::read_dir(format!("/proc/{process}/task")) {
                Ok(threads) => threads,
                Err(_) if process == process_id => return None,
                // A child that has ended since.
                Err(_) => continue,
            };
            for thread in threads.flatten() {
                if waits.len() + processes.len() >= MOST_THREADS {
                    return None;
                }
                let Some(id) = thread.file_name().to_str().and_then(|name| name.parse().ok()) else {
                    continue;
                };
                let Ok(text) = fs::read_to_string(thread.path().join("schedstat")) else { continue };
                let (ran, waited) = parse(&text)?;
                has_run |= !ran.is_zero();
                waits.push((id, waited));
                if let Ok(children) = fs::read_to_string(thread.path().join("children")) {
                    processes
                        .extend(children.split_ascii_whitespace().filter_map(|id| id.parse::<u32>().ok()));
                }
            }
        }
        // A kernel that keeps no such statistics writes zeros.
        has_run.then_some(ThreadWaits(waits))
    }

    /// What was waited since an earlier reading; no thread can have waited longer than the time in between.
    pub fn since(&self, earlier: &ThreadWaits, time_between: Duration) -> WaitedBetween {
        let mut between = WaitedBetween::default();
        for (id, waited) in &self.0 {
            let before = earlier.0.iter().find(|(other, _)| other == id).map(|(_, waited)| *waited);
            // A smaller counter belongs to a new thread with an old number.
            let waited = waited.checked_sub(before.unwrap_or_default()).unwrap_or(*waited).min(time_between);
            between.longest = between.longest.max(waited);
            between.total = between.total.saturating_add(waited);
        }
        between
    }
}

/// How long the calling thread has waited for a processor since it began; `None` where the system doesn't tell.
pub fn of_this_thread() -> Option<Duration> {
    let (ran, waited) = parse(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)?;
    (!ran.is_zero()).then_some(waited)
}

/// Time on a processor and time waited for one.
fn parse(text: &str) -> Option<(Duration, Duration)> {
    let mut nanoseconds =
        text.split_ascii_whitespace().map(|word| word.parse().ok().map(Duration::from_nanos));
    Some((nanoseconds.next()??, nanoseconds.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn the_second_number_is_the_wait() {
        assert_eq!(
            parse("97365 3487878 2\n"),
            Some((Duration::from_nanos(97365), Duration::from_nanos(3_487_878)))
        );
        assert_eq!((parse(""), parse("1"), parse("1 x 2")), (None, None, None));
    }

    #[test]
    fn threads_are_matched_by_their_number() {
        let earlier = ThreadWaits(vec![(1, MS * 100), (2, MS * 50), (3, MS * 900)]);
        // Thread 2 has ended, 3 is another one by now, 4 is new.
        let later = ThreadWaits(vec![(1, MS * 130), (3, MS * 5), (4, MS * 7)]);
        assert_eq!(later.since(&earlier, MS * 500), WaitedBetween { longest: MS * 30, total: MS * 42 });
    }

    #[test]
    fn nobody_waits_longer_than_the_time_in_between() {
        let waits = |waited| ThreadWaits(vec![(1, waited)]);
        assert_eq!(waits(MS * 90).since(&waits(MS * 10), MS * 60).longest, MS * 60);
    }

    #[test]
    fn an_engine_behind_a_shell_is_seen() {
        let told = of_this_thread().is_some() && fs::exists("/proc/thread-self/children").unwrap_or(false);
        if !told {
            return eprintln!("SKIPPED: this system doesn't tell");
        }
        let mut shell = std::process::Command::new("sh").args(["-c", "sleep 60; true"]).spawn().unwrap();
        let start = std::time::Instant::now();
        let seen = || ThreadWaits::of_process(shell.id()).map_or(0, |waits| waits.0.len());
        while seen() < 2 && start.elapsed() < Duration::from_secs(50) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let seen = seen();
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", shell.id())).unwrap();
        for process in children.split_ascii_whitespace().chain([shell.id().to_string().as_str()]) {
            std::process::Command::new("kill").arg(process).status().unwrap();
        }
        shell.wait().unwrap();
        assert_eq!(seen, 2);
    }

    #[test]
    fn a_process_that_is_gone_tells_nothing() {
        assert_eq!(ThreadWaits::of_process(u32::MAX), None);
    }
}

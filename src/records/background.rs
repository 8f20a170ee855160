//! A thread that brings to a file, a moment later and many at a time, what games only leave in memory.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long something may stay in memory.
const DELAY: Duration = Duration::from_millis(20);

/// What such a thread does.
pub(super) trait Work: Send + Sync + 'static {
    /// Brings everything to its place; true if more has come meanwhile.
    fn bring(&self) -> bool;
}

/// The handle of the thread; dropping it waits until everything is in its place.
pub(super) struct Background<W> {
    /// What it works on.
    pub work: Arc<W>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    wanted: Mutex<Wanted>,
    something: Condvar,
}

/// What the thread is to do.
#[derive(Default)]
struct Wanted {
    bring: bool,
    end: bool,
}

impl<W: Work> Background<W> {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn start(name: &str, work: W) -> std::io::Result<Background<W>> {
        let (work, shared) = (Arc::new(work), Arc::new(Shared::default()));
        let (its_work, its_shared) = (Arc::clone(&work), Arc::clone(&shared));
        let thread =
            std::thread::Builder::new().name(name.to_owned()).spawn(move || its_shared.serve(&*its_work))?;
        Ok(Background { work, shared, thread: Some(thread) })
    }

    /// There is something to be brought to its place.
    pub fn ask(&self) {
        let mut wanted = self.shared.wanted();
        // Whoever asks while others have is served along.
        if !std::mem::replace(&mut wanted.bring, true) {
            self.shared.something.notify_one();
        }
    }
}

impl<W> Drop for Background<W> {
    fn drop(&mut self) {
        self.shared.wanted().end = true;
        self.shared.something.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, work: &impl Work) {
        loop {
            let waiting = self.something.wait_while(self.wanted(), |wanted| !wanted.bring && !wanted.end);
            let wanted = waiting.unwrap_or_else(PoisonError::into_inner);
            // More comes soon, and is brought along; the end is not waited for.
            let more = self.something.wait_timeout_while(wanted, DELAY, |wanted| !wanted.end);
            let (mut wanted, _) = more.unwrap_or_else(PoisonError::into_inner);
            wanted.bring = false;
            let end = wanted.end;
            drop(wanted);
            if work.bring() {
                self.wanted().bring = true;
            } else if end {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// What waits, and what was brought.
    #[derive(Default)]
    struct Parcels {
        waiting: AtomicU32,
        brought: AtomicU32,
    }

    impl Work for Parcels {
        /// One at a time.
        fn bring(&self) -> bool {
            let waiting = self.waiting.load(Ordering::SeqCst);
            if waiting > 0 {
                self.waiting.fetch_sub(1, Ordering::SeqCst);
                self.brought.fetch_add(1, Ordering::SeqCst);
            }
            waiting > 1
        }
    }

    #[test]
    fn what_was_asked_for_is_brought_without_another_word() {
        let background = Background::start("parcels", Parcels::default()).unwrap();
        for brought in 1..=3 {
            background.work.waiting.fetch_add(1, Ordering::SeqCst);
            background.ask();
            while background.work.brought.load(Ordering::SeqCst) < brought {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    #[test]
    fn all_of_it_is_brought_before_the_thread_ends() {
        let background = Background::start("parcels", Parcels::default()).unwrap();
        background.work.waiting.store(30, Ordering::SeqCst);
        let work = Arc::clone(&background.work);
        drop(background);
        assert_eq!(work.brought.load(Ordering::SeqCst), 30);
    }
}

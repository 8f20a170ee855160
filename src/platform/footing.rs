//! The processor that a game's thread keeps to while its engines answer at once.
//!
//! The system likes to run a process where the thread runs that has woken it up. As long as the threads of games wander,
//! two of them meet on one processor with all engines on another one, and each line wakes up a processor, which takes
//! several times as long as such an answer. An engine that thinks is waited for wherever the system likes.

use std::cell::RefCell;

use super::processors::ProcessorSet;

thread_local!(static FOOTING: RefCell<Option<Footing>> = const { RefCell::new(None) });

/// So many answers in a row came at once when a thread stays where it is.
const ENOUGH: u32 = 32;

struct Footing {
    all: ProcessorSet,
    own: ProcessorSet,
    at_once: u32,
    stays: bool,
}

/// This thread is one of those that play games, the one of this number: it may keep to a processor. Nothing comes of it
/// where there is only one.
pub fn offer(number: usize) {
    // Runs side by side begin at different ones.
    let number = number.wrapping_add(std::process::id() as usize);
    let footing = match ProcessorSet::allowed() {
        Ok(all) if all.numbers().len() > 1 => {
            let own = all.numbers().iter().skip(number % all.numbers().len()).take(1).copied().collect();
            Some(Footing { all, own, at_once: 0, stays: false })
        }
        Ok(_) => None,
        Err(error) => {
            tracing::warn!("a game's thread can't keep to a processor: {error}");
            None
        }
    };
    FOOTING.set(footing);
}

/// An answer has come; at once, unless the thread has been told to leave since it was asked for.
pub fn keep() {
    FOOTING.with_borrow_mut(|place| {
        let Some(footing) = place else { return };
        footing.at_once = footing.at_once.saturating_add(1);
        if footing.at_once >= ENOUGH && !footing.stays {
            footing.stays = true;
            give_up_after_failure(footing.own.keep_this_thread(), place);
        }
    });
}

/// Whether this thread stays on one processor for now.
pub fn is_kept() -> bool {
    FOOTING.with_borrow(|place| place.as_ref().is_some_and(|footing| footing.stays))
}

/// This thread, and what it starts from now on, may run wherever it could before.
pub fn leave() {
    FOOTING.with_borrow_mut(|place| {
        let Some(footing) = place else { return };
        footing.at_once = 0;
        if std::mem::take(&mut footing.stays) {
            give_up_after_failure(footing.all.keep_this_thread(), place);
        }
    });
}

fn give_up_after_failure(result: std::io::Result<()>, place: &mut Option<Footing>) {
    if let Err(error) = result {
        tracing::warn!("a game's thread can't change its processors any more: {error}");
        *place = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed() -> usize {
        ProcessorSet::allowed().unwrap().numbers().len()
    }

    #[test]
    fn a_thread_stays_while_answers_come_at_once_and_no_longer() {
        let before = allowed();
        for number in 0..before {
            std::thread::spawn(move || {
                (0..2 * ENOUGH).for_each(|_| keep());
                assert_eq!(allowed(), before, "nothing was offered");
                offer(number);
                for _ in 0..2 {
                    (1..ENOUGH).for_each(|_| keep());
                    assert_eq!(allowed(), before);
                    assert!(!is_kept());
                    keep();
                    assert!(is_kept());
                    assert_eq!(allowed(), 1);
                    leave();
                    assert_eq!(allowed(), before);
                }
            })
            .join()
            .unwrap();
        }
    }
}

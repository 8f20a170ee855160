//! When a game is void: the machine slept, the referee stood still, or there were not enough processors.

use std::time::Duration;

use super::evidence::Overrun;

/// Why a game counts for nothing and is played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The machine slept while the game was played.
    MachineSlept,
    /// The referee itself did not run when the limit passed: it was stopped, or its machine was.
    RefereeStopped,
    /// The engine whose flag fell had waited for a processor.
    Oversubscribed,
}

impl Cause {
    /// All of them.
    pub const ALL: [Cause; 3] = [Cause::MachineSlept, Cause::RefereeStopped, Cause::Oversubscribed];

    /// The machine name.
    pub fn name(self) -> &'static str {
        match self {
            Cause::MachineSlept => "machine_slept",
            Cause::RefereeStopped => "referee_stopped",
            Cause::Oversubscribed => "oversubscribed",
        }
    }
}

/// A game that counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annulment {
    /// Why.
    pub cause: Cause,
    /// The same in words, with figures.
    pub detail: String,
    /// The overrun that it set aside, where there was one.
    pub overrun: Option<Overrun>,
}

/// What follows from a flag fall for which the machine may be to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Oversubscribed {
    /// It counts; the report at the end warns.
    #[default]
    Warn,
    /// The game is played again, at most [`MOST_REPLAYS`] times.
    Replay,
}

/// How often a game may have been annulled before an oversubscribed machine is no reason any more.
pub const MOST_REPLAYS: u32 = 3;
/// The same for a machine that slept and a referee that was stopped: an engine that stops the referee in each game must
/// not keep a run from its end.
pub const MOST_ANNULMENTS: u32 = 10;
/// Who wakes so much later than at the limit, without having waited for a processor, has been stopped.
const STOPPED: Duration = Duration::from_secs(1);
/// What counts as sleep.
const ASLEEP: Duration = Duration::from_millis(100);

/// How long the machine has slept since it was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeAsleep {
    /// At least.
    pub at_least: Duration,
    /// At most.
    pub at_most: Duration,
}

/// How it is found out whether a machine is fit to play on, and what follows if not.
#[derive(Clone, Copy, Debug)]
pub struct MachineRules {
    /// What follows from a flag fall on an oversubscribed machine.
    pub oversubscribed: Oversubscribed,
    /// Reads how long the machine has slept; `None` where that can't be known.
    pub time_asleep: fn() -> Option<TimeAsleep>,
}

impl Default for MachineRules {
    fn default() -> MachineRules {
        MachineRules { oversubscribed: Oversubscribed::Warn, time_asleep: || None }
    }
}

/// Rules on one game's machine: made when it begins, asked when it is over.
#[derive(Clone, Copy, Debug)]
pub struct MachineCheck {
    rules: MachineRules,
    asleep_before: Option<TimeAsleep>,
    /// How often the game was annulled already.
    replays: u32,
}

impl MachineCheck {
    /// The game begins.
    pub fn begin(rules: MachineRules, replays: u32) -> MachineCheck {
        MachineCheck { rules, asleep_before: (rules.time_asleep)(), replays }
    }

    /// The game is over, by an overrun or otherwise: whether it is void.
    pub fn annulment(&self, overrun: Option<&Overrun>) -> Option<Annulment> {
        if self.replays >= MOST_ANNULMENTS {
            return None;
        }
        let annulled = |cause, detail| Annulment { cause, detail, overrun: overrun.cloned() };
        if let Some(slept) = self.slept().filter(|slept| *slept >= ASLEEP) {
            let detail = format!("the machine slept for {:.3} s", slept.as_secs_f64());
            return Some(annulled(Cause::MachineSlept, detail));
        }
        let overrun = overrun?;
        if stopped(overrun) {
            let late = overrun.late().as_secs_f64();
            let detail = format!(
                "the referee was stopped and looked {late:.3} s after the limit; {}",
                overrun.words()
            );
            return Some(annulled(Cause::RefereeStopped, detail));
        }
        let replay = self.rules.oversubscribed == Oversubscribed::Replay && self.replays < MOST_REPLAYS;
        (replay && overrun.spoiled()).then(|| {
            annulled(
                Cause::Oversubscribed,
                format!("a flag fell on an oversubscribed machine: {}", overrun.words()),
            )
        })
    }

    /// The words of an overrun, and that it counts where it would have been annulled, had that not happened too often.
    pub fn words(&self, overrun: &Overrun) -> String {
        let words = overrun.words();
        if self.replays >= MOST_ANNULMENTS && stopped(overrun) {
            return format!("{words}; annulled {} times already, so this one counts", self.replays);
        }
        let spent = self.rules.oversubscribed == Oversubscribed::Replay && self.replays >= MOST_REPLAYS;
        if spent && overrun.spoiled() {
            let times = self.replays;
            format!(
                "{words}; annulled {times} times already on an oversubscribed machine, so this one counts"
            )
        } else {
            words
        }
    }

    /// For how long the machine has surely slept since the game began.
    fn slept(&self) -> Option<Duration> {
        let (before, after) = self.asleep_before.zip((self.rules.time_asleep)())?;
        Some(after.at_least.saturating_sub(before.at_most))
    }
}

/// The referee looked long after the limit, and a lack of processors does not explain it.
fn stopped(overrun: &Overrun) -> bool {
    let late = overrun.late();
    let waited = overrun.times.waited.as_ref().and_then(|waited| waited.referee).unwrap_or_default();
    late > STOPPED && waited < late / 2
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::engine::search_watch::{ProcessorWait, SearchTimes};
    use crate::game::evidence::Limit;

    const MS: Duration = Duration::from_millis(1);
    const SECOND: Duration = Duration::from_secs(1);

    thread_local! {
        /// The virtual clock: how far the one that counts sleep is ahead.
        static AHEAD: Cell<Duration> = const { Cell::new(SECOND) };
    }

    fn virtual_clock() -> Option<TimeAsleep> {
        // The readings may be 50 ms apart.
        Some(TimeAsleep { at_least: AHEAD.get() - MS * 50, at_most: AHEAD.get() })
    }

    fn begin(oversubscribed: Oversubscribed, replays: u32) -> MachineCheck {
        MachineCheck::begin(MachineRules { oversubscribed, time_asleep: virtual_clock }, replays)
    }

    /// An overrun of a limit of a second, in milliseconds, with what engine and referee waited.
    fn overrun(used: u32, engine: u32, referee: u32) -> Overrun {
        let (used, engine, referee) = (MS * used, MS * engine, MS * referee);
        let waited =
            ProcessorWait { longest: engine, total: engine, referee: Some(referee), watched: SECOND };
        Overrun {
            limit: Limit::Clock { left: SECOND, margin: Duration::ZERO },
            used,
            answered: true,
            times: SearchTimes { waited: Some(Box::new(waited)), ..SearchTimes::default() },
        }
    }

    fn cause(check: &MachineCheck, overrun: Option<&Overrun>) -> Option<&'static str> {
        check.annulment(overrun).map(|annulment| annulment.cause.name())
    }

    #[test]
    fn c_13_a_game_in_which_the_machine_slept_is_void_however_it_ended() {
        let check = begin(Oversubscribed::Warn, 0);
        assert_eq!(cause(&check, None), None);
        AHEAD.set(SECOND + MS * 120);
        assert_eq!(cause(&check, None), None, "no sleep that can be proven");
        AHEAD.set(SECOND * 8);
        let annulment = check.annulment(None).unwrap();
        assert_eq!(
            (annulment.cause, annulment.detail.as_str()),
            (Cause::MachineSlept, "the machine slept for 6.950 s")
        );
        let fallen = overrun(3000, 0, 0);
        assert_eq!(cause(&check, Some(&fallen)), Some("machine_slept"));
        assert_eq!(cause(&begin(Oversubscribed::Warn, 0), None), None, "it slept before this game");
    }

    #[test]
    fn c_13_a_referee_that_was_stopped_blames_nobody() {
        let check = begin(Oversubscribed::Warn, 0);
        assert_eq!(cause(&check, Some(&overrun(2500, 0, 0))), Some("referee_stopped"));
        assert_eq!(cause(&check, Some(&overrun(1900, 0, 0))), None, "it may be the engine");
        assert_eq!(cause(&check, Some(&overrun(2500, 0, 900))), None, "it waited for a processor");
        let mut silent = overrun(2500, 0, 0);
        silent.limit = Limit::Silence(SECOND);
        silent.times.waited = None;
        assert_eq!(cause(&check, Some(&silent)), Some("referee_stopped"));
    }

    #[test]
    fn c_13_no_game_is_void_for_ever() {
        let (often, too_often) = (MOST_ANNULMENTS - 1, MOST_ANNULMENTS);
        let fallen = overrun(2500, 0, 0);
        assert_eq!(cause(&begin(Oversubscribed::Warn, often), Some(&fallen)), Some("referee_stopped"));
        let last = begin(Oversubscribed::Warn, too_often);
        assert_eq!(cause(&last, Some(&fallen)), None);
        assert!(last.words(&fallen).ends_with("; annulled 10 times already, so this one counts"));
        let before = AHEAD.get();
        AHEAD.set(before + SECOND * 8);
        assert_eq!(cause(&last, None), None);
    }

    #[test]
    fn c_10_a_flag_that_fell_on_an_oversubscribed_machine_is_annulled_where_asked_for_and_not_for_ever() {
        let spoiled = overrun(1100, 150, 0);
        assert_eq!(cause(&begin(Oversubscribed::Warn, 0), Some(&spoiled)), None);
        for replays in 0..MOST_REPLAYS {
            let check = begin(Oversubscribed::Replay, replays);
            assert_eq!(cause(&check, Some(&spoiled)), Some("oversubscribed"));
            assert_eq!(check.words(&spoiled), spoiled.words());
        }
        let last = begin(Oversubscribed::Replay, MOST_REPLAYS);
        assert_eq!(cause(&last, Some(&spoiled)), None);
        assert!(
            last.words(&spoiled)
                .ends_with("annulled 3 times already on an oversubscribed machine, so this one counts")
        );
        let honest = overrun(1100, 20, 0);
        assert_eq!(cause(&begin(Oversubscribed::Replay, 0), Some(&honest)), None);
        assert_eq!(last.words(&honest), honest.words());
    }
}

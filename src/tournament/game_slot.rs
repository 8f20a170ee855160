//! The slots in which games are played at once, and the processors that each of them keeps to.

use crate::platform::processors::ProcessorSet;

/// A place where one game at a time is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSlot {
    /// Where its thread and its engines run; `None`: wherever the system puts them.
    pub processors: Option<ProcessorSet>,
}

/// What an engine of a game keeps busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineLoad {
    /// Threads of its search.
    pub threads: usize,
    /// It thinks on the opponent's time.
    pub ponders: bool,
}

/// The processors that any game between two of these engines keeps busy at a time. Only one engine thinks at a time,
/// unless one of them ponders; the referee's thread wakes up when neither does.
pub fn processors_per_game(engines: &[EngineLoad]) -> usize {
    let mut threads: Vec<usize> = engines.iter().map(|engine| engine.threads).collect();
    threads.sort_unstable_by(|a, b| b.cmp(a));
    let at_once = if engines.iter().any(|engine| engine.ponders) { 2 } else { 1 };
    threads.iter().take(at_once).sum::<usize>().max(1)
}

/// Gives each of so many slots its own processors, `each` in number: referee and engines share them. What they would
/// lose by waking up on another processor is more than they could gain by it.
///
/// Physical cores go first: a second processor of a core is only used when every core has a game, or to complete the
/// set of a game whose sets don't fit on cores of their own. Where the processors don't suffice, the surplus slots may
/// use all of them: the system then finds the idlest.
fn allot(cores: &[ProcessorSet], slots: usize, each: usize) -> Vec<GameSlot> {
    let by_core = || cores.iter().flat_map(|core| core.numbers().iter().copied());
    let on_cores_of_their_own = slots.saturating_mul(each) <= cores.len();
    let order: Vec<usize> = if each == 1 || on_cores_of_their_own {
        let most = cores.iter().map(|core| core.numbers().len()).max().unwrap_or(0);
        let nth = |n: usize| cores.iter().filter_map(move |core| core.numbers().get(n).copied());
        (0..most).flat_map(nth).collect()
    } else {
        by_core().collect()
    };
    let own = order.chunks_exact(each.max(1)).map(|numbers| numbers.iter().copied().collect());
    let all: ProcessorSet = by_core().collect();
    own.chain(std::iter::repeat(all))
        .take(slots)
        .map(|processors| GameSlot { processors: Some(processors) })
        .collect()
}

/// Where the games of a run can be played: a slot for each of them, and for one more while others are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotSupply {
    /// Wherever the system puts them.
    Anywhere {
        /// How many processors it has for this process.
        processors: usize,
        /// How many a game keeps busy.
        each: usize,
    },
    /// Each on processors of its own.
    OnProcessors {
        /// The processors that may be used, by core.
        cores: Vec<ProcessorSet>,
        /// How many a game keeps busy.
        each: usize,
    },
}

impl SlotSupply {
    /// The slots of so many games that begin together.
    pub fn slots(&self, number: usize) -> Vec<GameSlot> {
        match self {
            SlotSupply::Anywhere { .. } => vec![GameSlot { processors: None }; number],
            SlotSupply::OnProcessors { cores, each } => allot(cores, number, *each),
        }
    }

    /// A slot for one more game beside those in these slots, which keep what they have. Cores that no game uses go first.
    pub fn another(&self, taken: &[&GameSlot]) -> GameSlot {
        let SlotSupply::OnProcessors { cores, each } = self else {
            return GameSlot { processors: None };
        };
        let all: ProcessorSet = cores.iter().flat_map(|core| core.numbers()).copied().collect();
        // A game that may use every processor has none of its own.
        let own = taken.iter().filter_map(|slot| slot.processors.as_ref()).filter(|set| **set != all);
        let used: ProcessorSet = own.flat_map(ProcessorSet::numbers).copied().collect();
        let is_free = |number: &&usize| !used.numbers().contains(number);
        let (whole, broken): (Vec<_>, Vec<_>) =
            cores.iter().partition(|core| core.numbers().iter().all(|number| is_free(&number)));
        let found: Vec<usize> = if whole.len() >= *each {
            whole.iter().filter_map(|core| core.numbers().first()).copied().collect()
        } else {
            let rest = broken.iter().flat_map(|core| core.numbers().iter().filter(is_free));
            whole.iter().flat_map(|core| core.numbers()).chain(rest).copied().collect()
        };
        let processors = found.get(..*each).map_or(all, |found| found.iter().copied().collect());
        GameSlot { processors: Some(processors) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allotted(cores: &[&[usize]], slots: usize, each: usize) -> Vec<String> {
        let cores: Vec<ProcessorSet> = cores.iter().map(|core| core.iter().copied().collect()).collect();
        let slots = allot(&cores, slots, each);
        slots.into_iter().map(|slot| slot.processors.unwrap().to_string()).collect()
    }

    #[test]
    fn single_processors_are_taken_from_different_cores_first() {
        let cores: &[&[usize]] = &[&[0, 2], &[1, 3]];
        assert_eq!(allotted(cores, 2, 1), ["0", "1"]);
        assert_eq!(allotted(cores, 4, 1), ["0", "1", "2", "3"]);
        // A core of which one processor is not allowed.
        assert_eq!(allotted(&[&[2], &[1, 3]], 3, 1), ["2", "1", "3"]);
    }

    #[test]
    fn several_processors_are_cores_where_these_suffice_and_share_cores_else() {
        let cores: &[&[usize]] = &[&[0, 4], &[1, 5], &[2, 6], &[3, 7]];
        assert_eq!(allotted(cores, 2, 2), ["0, 1", "2, 3"]);
        assert_eq!(allotted(cores, 3, 2), ["0, 4", "1, 5", "2, 6"]);
        assert_eq!(allotted(cores, 1, 3), ["0, 1, 2"]);
    }

    #[test]
    fn surplus_slots_may_use_every_processor() {
        assert_eq!(allotted(&[&[0], &[1]], 3, 1), ["0", "1", "0, 1"]);
        assert_eq!(allotted(&[&[0], &[1], &[2]], 2, 2), ["0, 1", "0, 1, 2"]);
        assert_eq!(allotted(&[&[0], &[1]], 1, 4), ["0, 1"]);
    }

    fn one_more(cores: &[&[usize]], taken: &[&[usize]], each: usize) -> String {
        let set = |numbers: &&[usize]| numbers.iter().copied().collect::<ProcessorSet>();
        let supply = SlotSupply::OnProcessors { cores: cores.iter().map(set).collect(), each };
        let slot = |numbers| GameSlot { processors: Some(set(numbers)) };
        let taken: Vec<GameSlot> = taken.iter().map(slot).collect();
        supply.another(&taken.iter().collect::<Vec<_>>()).processors.unwrap().to_string()
    }

    #[test]
    fn one_more_game_gets_processors_that_no_other_has() {
        let cores: &[&[usize]] = &[&[0, 2], &[1, 3]];
        assert_eq!(one_more(cores, &[], 1), "0");
        assert_eq!(one_more(cores, &[&[0]], 1), "1", "a core that nobody uses");
        assert_eq!(one_more(cores, &[&[0], &[1]], 1), "2");
        assert_eq!(one_more(cores, &[&[1], &[2]], 1), "0");
        assert_eq!(one_more(cores, &[&[0], &[1], &[2], &[3]], 1), "0, 1, 2, 3", "all are taken");
        assert_eq!(one_more(cores, &[&[0, 1, 2, 3]], 1), "0", "a game that may use all has none of its own");
        assert_eq!(one_more(cores, &[], 2), "0, 1");
        assert_eq!(one_more(cores, &[&[0]], 2), "1, 3");
        assert_eq!(one_more(cores, &[&[0], &[1]], 2), "2, 3");
        assert_eq!(one_more(cores, &[&[0], &[1, 3]], 2), "0, 1, 2, 3");
    }

    #[test]
    fn games_added_one_by_one_get_what_they_would_have_got_together() {
        let cores: Vec<ProcessorSet> = (0..4).map(|core| [core, core + 4].into_iter().collect()).collect();
        let supply = SlotSupply::OnProcessors { cores, each: 1 };
        let mut slots: Vec<GameSlot> = Vec::new();
        for number in 1..=8 {
            slots.push(supply.another(&slots.iter().collect::<Vec<_>>()));
            assert_eq!(slots, supply.slots(number));
        }
    }

    #[test]
    fn engines_that_ponder_think_at_the_same_time() {
        let engine = |threads, ponders| EngineLoad { threads, ponders };
        for (engines, processors) in [
            ([engine(1, false), engine(1, false)], 1),
            ([engine(4, false), engine(2, false)], 4),
            ([engine(4, true), engine(2, false)], 6),
            ([engine(1, true), engine(1, true)], 2),
        ] {
            assert_eq!(processors_per_game(&engines), processors, "{engines:?}");
        }
        assert_eq!(processors_per_game(&[engine(1, true), engine(3, true), engine(2, true)]), 5);
    }
}

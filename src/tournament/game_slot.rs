//! The slots in which games are played at once, and the processors that each of them keeps to.

use crate::platform::processors::ProcessorSet;

/// A place where one game at a time is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSlot {
    /// Where its thread and its engines run; `None`: wherever the system puts them.
    pub processors: Option<ProcessorSet>,
    /// There is a processor to spare for the referee, which then waits awake for answers that come at once.
    pub stays_awake: bool,
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
pub fn allot(cores: &[ProcessorSet], slots: usize, each: usize) -> Vec<GameSlot> {
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
        .map(|processors| GameSlot { processors: Some(processors), stays_awake: false })
        .collect()
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

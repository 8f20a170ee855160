//! Which engines can be compared: who met whom, and who took points off whom.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;
use petgraph::visit::{Dfs, Reversed};

use super::crosstable::Crosstable;

/// Engines that have met, directly or by way of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Those whose ratings are finite among each other: the largest set in which each took points off each, directly
    /// or by way of others. Empty where no two did.
    pub core: Vec<usize>,
    /// Each other engine of the group, and where it stands.
    pub outside: Vec<(usize, Side)>,
}

/// Where an engine stands beside the core of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// It took points off the core, which took none off it.
    Above,
    /// The reverse.
    Below,
    /// Neither took points off the other.
    Apart,
}

/// The group of the most engines; `None` where no games have been played, or where two groups are equally large.
pub(super) fn largest_group(table: &Crosstable, engines: usize) -> Option<Group> {
    let mut met = UnionFind::new(engines);
    for (engine, opponent) in pairings(table, engines) {
        met.union(engine, opponent);
    }
    let mut groups = vec![Vec::new(); engines];
    for (engine, representative) in met.into_labeling().into_iter().enumerate() {
        groups[representative].push(engine);
    }
    groups.sort_by_key(Vec::len);
    let largest = groups.pop().filter(|group| group.len() > 1)?;
    let is_tied = groups.pop().is_some_and(|second| second.len() == largest.len());
    (!is_tied).then(|| group(table, engines, &largest))
}

/// The group of these engines and its core. A finite maximum of the likelihood exists only within a set in which points
/// flow both ways across each division (Ford 1957, "Solution of a ranking problem from binary comparisons").
fn group(table: &Crosstable, engines: usize, members: &[usize]) -> Group {
    let took_points: DiGraph<(), (), usize> = DiGraph::from_edges(
        pairings(table, engines)
            .filter(|(engine, opponent)| table.record(*engine, *opponent).half_points() > 0),
    );
    let mut cores: Vec<Vec<usize>> = kosaraju_scc(&took_points)
        .into_iter()
        .map(|core| core.into_iter().map(NodeIndex::index).collect::<Vec<_>>())
        // Who took points off each other has met, and so is in one group as a whole.
        .filter(|core| core.len() > 1 && members.contains(&core[0]))
        .collect();
    cores.iter_mut().for_each(|core| core.sort_unstable());
    // The first of the largest, so that the order of the engines decides a tie.
    let core =
        cores.into_iter().max_by_key(|core| (core.len(), std::cmp::Reverse(core[0]))).unwrap_or_default();
    let Some(anchor) = core.first().map(|engine| NodeIndex::new(*engine)) else {
        let apart = members.iter().map(|engine| (*engine, Side::Apart)).collect();
        return Group { core, outside: apart };
    };
    let mut below = Dfs::new(&took_points, anchor);
    while below.next(&took_points).is_some() {}
    let mut above = Dfs::new(Reversed(&took_points), anchor);
    while above.next(Reversed(&took_points)).is_some() {}
    let side = |engine: usize| match (above.discovered.contains(engine), below.discovered.contains(engine)) {
        (true, _) => Side::Above,
        (_, true) => Side::Below,
        _ => Side::Apart,
    };
    let outside = members
        .iter()
        .filter(|engine| !core.contains(engine))
        .map(|engine| (*engine, side(*engine)))
        .collect();
    Group { core, outside }
}

/// All who have met, each pairing from both sides.
fn pairings(table: &Crosstable, engines: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..engines).flat_map(|engine| table.opponents(engine).map(move |(opponent, _)| (engine, opponent)))
}

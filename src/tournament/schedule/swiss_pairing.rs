//! The pairings of a round of a Swiss tournament: a function of the results so far, after the basic rules of the FIDE
//! Handbook (C.04.1) and the order in which the Dutch system (C.04.3) looks for opponents.
//!
//! In the order of their weight: nobody has a second bye while another engine can have it; as few engines as possible
//! meet again, none while that can be avoided; engines of equal score meet, the upper half of a score group the lower
//! half in order; whoever finds no opponent there goes down to the next group. Colours don't change who meets.

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};

/// An engine before a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its place in the match file.
    pub engine: usize,
    /// Its score, byes included.
    pub half_points: u64,
    /// Whom it has met.
    pub met: Vec<usize>,
    /// It has had a bye.
    pub had_bye: bool,
    /// Encounters begun with White, less those begun with Black.
    pub colours: i32,
    /// It had White in the first game of its last encounter.
    pub last_white: Option<bool>,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pairings {
    /// White and Black of the first games.
    pub boards: Vec<[usize; 2]>,
    /// Who has no opponent.
    pub bye: Option<usize>,
}

/// Pairs a round.
pub(super) fn pair(mut entries: Vec<Entry>) -> Pairings {
    entries.sort_by_key(|entry| (std::cmp::Reverse(entry.half_points), entry.engine));
    let mut rest: Vec<&Entry> = entries.iter().collect();
    let bye = bye(&rest);
    rest.retain(|entry| Some(entry.engine) != bye);
    let mut first_meetings = most_first_meetings(&rest);
    let mut boards = Vec::new();
    while rest.len() >= 2 {
        let opponent = opponent(&rest, first_meetings);
        let (one, other) = (rest[0], rest[opponent]);
        first_meetings -= usize::from(!one.has_met(other));
        boards.push(with_colours(one, other, boards.len()));
        rest.remove(opponent);
        rest.remove(0);
    }
    Pairings { boards, bye }
}

impl Entry {
    fn has_met(&self, other: &Entry) -> bool {
        self.met.contains(&other.engine)
    }
}

/// The lowest one that has had none and whose absence makes nobody meet again, as far as possible.
fn bye(entries: &[&Entry]) -> Option<usize> {
    if entries.len().is_multiple_of(2) {
        return None;
    }
    let without = |engine: usize| -> Vec<&Entry> {
        entries.iter().copied().filter(|entry| entry.engine != engine).collect()
    };
    let everybody_had_one = entries.iter().all(|entry| entry.had_bye);
    let mut best: Option<(usize, usize)> = None;
    for entry in entries.iter().rev().filter(|entry| !entry.had_bye || everybody_had_one) {
        let meetings = most_first_meetings(&without(entry.engine));
        if best.is_none_or(|(most, _)| meetings > most) {
            best = Some((meetings, entry.engine));
        }
        if meetings == entries.len() / 2 {
            break;
        }
    }
    best.map(|(_, engine)| engine)
}

/// The index of the first one's opponent: the first in the order of preference that leaves `first_meetings` possible.
fn opponent(rest: &[&Entry], first_meetings: usize) -> usize {
    let group = rest.iter().take_while(|entry| entry.half_points == rest[0].half_points).count();
    let half = (group / 2).max(1);
    let preferred = (half..group).chain((1..half).rev()).chain(group..rest.len());
    let can_meet = |index: &usize| {
        let first = usize::from(!rest[0].has_met(rest[*index]));
        // Nobody may meet again where everybody can have a new opponent.
        if first == 0 && first_meetings == rest.len() / 2 {
            return false;
        }
        let others: Vec<&Entry> = rest
            .iter()
            .enumerate()
            .filter(|(place, _)| *place != 0 && place != index)
            .map(|(_, entry)| *entry)
            .collect();
        first + most_first_meetings(&others) == first_meetings
    };
    preferred.clone().find(can_meet).unwrap_or(1)
}

/// How many pairs of engines that have not met yet there can be at the same time.
fn most_first_meetings(entries: &[&Entry]) -> usize {
    let number = entries.len();
    let all = number / 2;
    let most_met = entries.iter().map(|entry| entry.met.len()).max().unwrap_or(0);
    // By Dirac's theorem, where everybody can still meet half of the others there is a way around through all of them.
    if number <= 1 || 2 * (number - 1).saturating_sub(most_met) >= number {
        return all;
    }
    let mut graph = UnGraph::<(), ()>::default();
    let nodes: Vec<NodeIndex> = entries.iter().map(|_| graph.add_node(())).collect();
    for (index, entry) in entries.iter().enumerate() {
        for (other, _) in
            entries.iter().enumerate().skip(index + 1).filter(|(_, other)| !entry.has_met(other))
        {
            graph.add_edge(nodes[index], nodes[other], ());
        }
    }
    maximum_matching(&graph).len()
}

/// White for whoever has begun with it less often, then for whoever had Black last; else by turns from board to board,
/// the higher one with White on the first.
fn with_colours(higher: &Entry, lower: &Entry, board: usize) -> [usize; 2] {
    let white = higher.colours.cmp(&lower.colours).then(higher.last_white.cmp(&lower.last_white));
    let higher_has_white = match white {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Greater => false,
        std::cmp::Ordering::Equal => board.is_multiple_of(2),
    };
    if higher_has_white { [higher.engine, lower.engine] } else { [lower.engine, higher.engine] }
}

#[cfg(test)]
#[path = "swiss_pairing_tests.rs"]
mod tests;

//! Which engines can be compared: who met whom, and who took points off whom.

use super::crosstable::{Crosstable, EngineIndex, points_of};

/// Engines that have met, directly or by way of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Those whose ratings are finite among each other: the largest set in which each took points off each, directly
    /// or by way of others.
    pub core: Vec<EngineIndex>,
    /// Each other engine of the group, and where it stands.
    pub outside: Vec<(EngineIndex, Side)>,
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

/// The groups, each with its core. A finite maximum of the likelihood exists only within a set in which points flow both
/// ways across each division (Ford 1957, "Solution of a ranking problem from binary comparisons").
pub(super) fn groups(table: &Crosstable) -> Vec<Group> {
    let engines = table.engines();
    let took: Vec<Vec<bool>> = (0..engines).map(|engine| reached(table, engine, took_points)).collect();
    let mut grouped = vec![false; engines];
    let mut groups = Vec::new();
    for first in 0..engines {
        if grouped[first] {
            continue;
        }
        let met = reached(table, first, have_met);
        let members: Vec<EngineIndex> = (0..engines).filter(|engine| met[*engine]).collect();
        for member in &members {
            grouped[*member] = true;
        }
        groups.push(group(&members, &took));
    }
    groups
}

fn group(members: &[EngineIndex], took: &[Vec<bool>]) -> Group {
    let class_of = |engine: EngineIndex| -> Vec<EngineIndex> {
        members.iter().copied().filter(|other| took[engine][*other] && took[*other][engine]).collect()
    };
    // The first of the largest, so that the order of the engines decides a tie.
    let classes = members.iter().rev().map(|engine| class_of(*engine));
    let core = classes.max_by_key(Vec::len).unwrap_or_default();
    let anchor = core.first().copied();
    let side = |engine: EngineIndex| match anchor {
        Some(anchor) if took[engine][anchor] => Side::Above,
        Some(anchor) if took[anchor][engine] => Side::Below,
        _ => Side::Apart,
    };
    let outside = members.iter().copied().filter(|engine| !core.contains(engine));
    let outside = outside.map(|engine| (engine, side(engine))).collect();
    Group { core, outside }
}

fn took_points(table: &Crosstable, engine: EngineIndex, opponent: EngineIndex) -> bool {
    points_of(&table.record(engine, opponent)) > 0.0
}

fn have_met(table: &Crosstable, engine: EngineIndex, opponent: EngineIndex) -> bool {
    table.record(engine, opponent).games() > 0
}

/// What can be reached from an engine by steps of a kind; it reaches itself.
fn reached(
    table: &Crosstable,
    from: EngineIndex,
    step: fn(&Crosstable, EngineIndex, EngineIndex) -> bool,
) -> Vec<bool> {
    let mut reached = vec![false; table.engines()];
    reached[from] = true;
    let mut open = vec![from];
    while let Some(engine) = open.pop() {
        for (other, mark) in reached.iter_mut().enumerate() {
            if !*mark && step(table, engine, other) {
                *mark = true;
                open.push(other);
            }
        }
    }
    reached
}

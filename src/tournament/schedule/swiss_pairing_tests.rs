use proptest::prelude::*;

use super::*;

fn fresh(engines: usize) -> Vec<Entry> {
    (0..engines).map(|engine| Entry { engine, ..Entry::default() }).collect()
}

#[test]
fn the_upper_half_meets_the_lower_half_in_the_first_round() {
    let Pairings { boards, bye } = pair(fresh(7));
    assert_eq!((boards, bye), (vec![[0, 3], [4, 1], [2, 5]], Some(6)));
}

#[test]
fn equal_scores_meet_and_who_is_left_goes_down() {
    let mut entries = fresh(6);
    for (engine, half_points, met) in [(0, 2, 3), (1, 2, 4), (2, 2, 5), (3, 0, 0), (4, 0, 1), (5, 0, 2)] {
        entries[engine].half_points = half_points;
        entries[engine].met = vec![met];
    }
    // 0 meets 1; 2 goes down and meets the highest there that it has not met.
    let mut boards = pair(entries).boards;
    boards.iter_mut().for_each(|board| board.sort_unstable());
    assert_eq!(boards, [[0, 1], [2, 3], [4, 5]]);
}

#[test]
fn white_is_for_whoever_had_it_less() {
    let mut entries = fresh(4);
    entries[0].colours = 1;
    entries[1].last_white = Some(true);
    entries[3].last_white = Some(false);
    assert_eq!(pair(entries).boards, [[2, 0], [3, 1]]);
}

#[test]
fn nobody_has_a_second_bye_before_everybody_has_had_one() {
    let mut entries = fresh(3);
    entries[2].had_bye = true;
    assert_eq!(pair(entries.clone()).bye, Some(1));
    entries[1].had_bye = true;
    entries[0].had_bye = true;
    assert_eq!(pair(entries).bye, Some(2));
}

/// Tries everything.
fn naive_most(entries: &[&Entry]) -> usize {
    let [first, rest @ ..] = entries else { return 0 };
    let alone = naive_most(rest);
    let with = (0..rest.len()).filter(|index| !first.has_met(rest[*index])).map(|index| {
        let others: Vec<&Entry> =
            rest.iter().enumerate().filter(|(place, _)| *place != index).map(|(_, entry)| *entry).collect();
        1 + naive_most(&others)
    });
    with.max().unwrap_or(0).max(alone)
}

proptest! {
    #[test]
    fn meetings_are_repeated_only_where_that_can_not_be_avoided(
        engines in 2_usize..9,
        met in prop::collection::vec((0_usize..8, 0_usize..8), 0..40),
        scores in prop::collection::vec(0_u64..5, 8),
    ) {
        let mut entries = fresh(engines);
        for (one, other) in met.into_iter().filter(|(one, other)| one != other && *one < engines && *other < engines) {
            if !entries[one].met.contains(&other) {
                entries[one].met.push(other);
                entries[other].met.push(one);
            }
        }
        entries.iter_mut().zip(scores).for_each(|(entry, score)| entry.half_points = score);
        let most = naive_most(&entries.iter().collect::<Vec<_>>());
        let Pairings { boards, bye } = pair(entries.clone());
        let again = boards.iter().filter(|[one, other]| entries[*one].met.contains(other)).count();
        prop_assert_eq!(boards.len() - again, most, "{:?}", boards);
        let mut seen: Vec<usize> = boards.iter().flatten().copied().chain(bye).collect();
        seen.sort_unstable();
        prop_assert!(seen.into_iter().eq(0..engines));
    }
}

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::tournament::schedule::Schedule;

fn laid_out(plan: &Plan) -> Result<FixedSchedule, ScheduleError> {
    match Schedule::new(plan)? {
        Schedule::Fixed(fixed) => Ok(fixed),
        other => panic!("{other:?}"),
    }
}

fn games(schedule: &FixedSchedule) -> Vec<ScheduledGame> {
    (0..schedule.len()).filter_map(|index| schedule.game(index)).collect()
}

/// `round.game`, White, opening.
fn shown(schedule: &FixedSchedule) -> Vec<(String, usize, u64)> {
    let shown = |game: ScheduledGame| (game.id.to_string(), game.engines.white, game.opening);
    games(schedule).into_iter().map(shown).collect()
}

fn plan(format: Format, engines: usize, rounds: u32, pairs: bool) -> Plan {
    Plan { format, engines, rounds, pairs, openings: PerOpening::Pair }
}

#[test]
fn d_06_both_games_of_a_pair_share_their_opening() {
    let expected = [("1.1", 0, 0), ("1.2", 1, 0), ("2.1", 0, 1), ("2.2", 1, 1)];
    let expected = expected.map(|(id, white, opening)| (id.to_owned(), white, opening));
    assert_eq!(shown(&FixedSchedule::of_match(2, true)), expected);
}

#[test]
fn without_pairs_the_colours_alternate() {
    let expected = [("1.1", 0, 0), ("2.1", 1, 1), ("3.1", 0, 2)];
    let expected = expected.map(|(id, white, opening)| (id.to_owned(), white, opening));
    assert_eq!(shown(&FixedSchedule::of_match(3, false)), expected);
}

#[test]
fn the_schedule_ends() {
    let mut schedule = FixedSchedule::of_match(2, true);
    assert_eq!(schedule.game(4), None);
    for number in 1..=4 {
        let Upcoming::Game(game) = schedule.upcoming() else { panic!("{schedule:?}") };
        assert_eq!(game.id.number, number);
        assert_eq!(schedule.upcoming(), Upcoming::Game(game), "it comes until it is handed out");
        schedule.pass(game.id);
    }
    assert_eq!(schedule.upcoming(), Upcoming::Over);
}

#[test]
fn a_round_robin_goes_by_rounds_and_numbers_them_through_all_cycles() {
    let schedule = laid_out(&plan(Format::RoundRobin, 4, 2, true)).unwrap();
    let games = games(&schedule);
    let of = |id: &str| {
        let game = games.iter().find(|game| game.id.to_string() == id).unwrap();
        (game.engines.white, game.engines.black, game.opening)
    };
    assert_eq!((games.len(), of("1.1"), of("1.2"), of("1.3")), (24, (0, 3, 0), (3, 0, 0), (1, 2, 1)));
    assert_eq!((of("4.1"), of("6.4")), ((0, 3, 6), (0, 2, 11)));
}

#[test]
fn o_08_with_an_opening_per_round_every_pairing_plays_the_same_ones() {
    let shared = Plan { openings: PerOpening::Round, ..plan(Format::RoundRobin, 5, 3, true) };
    let schedule = laid_out(&shared).unwrap();
    assert_eq!(schedule.openings(), 3);
    let mut met: BTreeMap<(usize, usize), Vec<u64>> = BTreeMap::new();
    for game in games(&schedule) {
        met.entry((game.engines.white, game.engines.black)).or_default().push(game.opening);
    }
    assert_eq!(met.len(), 20);
    assert!(met.values().all(|openings| *openings == [0, 1, 2]), "{met:?}");
}

#[test]
fn seeds_of_a_gauntlet_do_not_meet_each_other() {
    let schedule = laid_out(&plan(Format::Gauntlet { seeds: 2 }, 5, 1, false)).unwrap();
    let met: Vec<(usize, usize)> =
        games(&schedule).iter().map(|game| (game.engines.white, game.engines.black)).collect();
    assert_eq!(met, [(0, 2), (1, 3), (3, 0), (4, 1), (0, 4), (1, 2)]);
}

#[test]
fn the_games_of_an_engine_that_has_withdrawn_do_not_come() {
    let mut schedule = laid_out(&plan(Format::RoundRobin, 3, 1, true)).unwrap();
    let Upcoming::Game(first) = schedule.upcoming() else { panic!("{schedule:?}") };
    schedule.pass(first.id);
    schedule.withdraw(2);
    schedule.cancel(first.id, 2);
    let mut come = Vec::new();
    while let Upcoming::Game(game) = schedule.upcoming() {
        come.push(game.id.to_string());
        schedule.pass(game.id);
    }
    assert_eq!(come, ["2.1", "2.2"]);
    assert_eq!(schedule.unplayed(2), Unplayed { games: 4, first: Some(first.id) });
    assert_eq!(schedule.unplayed(0), Unplayed::default());
}

#[test]
fn what_can_not_be_laid_out_is_refused() {
    assert_eq!(
        laid_out(&plan(Format::RoundRobin, 100, 10_000_000, true)).unwrap_err(),
        ScheduleError::TooLong(99_000_000_000)
    );
    for (format, engines) in [(Format::RoundRobin, 1), (Format::Gauntlet { seeds: 3 }, 3)] {
        assert_eq!(laid_out(&plan(format, engines, 1, true)).unwrap_err(), ScheduleError::NoPairing(engines));
    }
}

/// The same schedule, laid out round by round instead of computed from an index.
fn naive(plan: &Plan) -> Vec<(u32, u32, usize, usize, u64)> {
    let mut games = Vec::new();
    let (mut round, mut pairing) = (0, 0);
    for cycle in 0..plan.rounds {
        for pairings in naive_rounds(plan) {
            round += 1;
            let mut game = 0;
            for (first, second) in pairings {
                let opening = if plan.openings == PerOpening::Pair { pairing } else { u64::from(cycle) };
                pairing += 1;
                let swapped = !plan.pairs && cycle % 2 == 1;
                let (white, black) = if swapped { (second, first) } else { (first, second) };
                game += 1;
                games.push((round, game, white, black, opening));
                if plan.pairs {
                    game += 1;
                    games.push((round, game, black, white, opening));
                }
            }
        }
    }
    games
}

/// The rounds of a cycle: a round robin by turning a circle of which one stays in its place.
fn naive_rounds(plan: &Plan) -> Vec<Vec<(usize, usize)>> {
    let engines = plan.engines;
    match plan.format {
        Format::Gauntlet { seeds } => {
            let others = engines - seeds;
            let turns = seeds.max(others);
            let meet = |turn: usize| {
                let mut pairings: Vec<(usize, usize)> = (0..seeds)
                    .flat_map(|seed| (0..others).map(move |other| (seed, other)))
                    .filter(|(seed, other)| {
                        if seeds <= others {
                            (seed + turn) % others == *other
                        } else {
                            (other + turn) % seeds == *seed
                        }
                    })
                    .collect();
                pairings.sort_by_key(|(seed, other)| if seeds <= others { *seed } else { *other });
                let colours = |(seed, other): (usize, usize)| {
                    if turn.is_multiple_of(2) { (seed, seeds + other) } else { (seeds + other, seed) }
                };
                pairings.into_iter().map(colours).collect()
            };
            (0..turns).map(meet).collect()
        }
        _ => {
            let even = engines + engines % 2;
            let half = even / 2;
            let mut circle: Vec<usize> = (0..even - 1).collect();
            let mut rounds = Vec::new();
            for round in 0..even - 1 {
                let fixed = even - 1;
                let top = if round.is_multiple_of(2) { (circle[0], fixed) } else { (fixed, circle[0]) };
                let rest = (1..half).map(|step| (circle[step], circle[even - 1 - step]));
                let all = std::iter::once(top).chain(rest);
                rounds.push(all.filter(|(a, b)| *a < engines && *b < engines).collect());
                circle.rotate_left(half % (even - 1).max(1));
            }
            rounds
        }
    }
}

fn any_plan() -> impl Strategy<Value = Plan> {
    let format = prop_oneof![Just(None), (1_usize..6).prop_map(Some)];
    (format, 2_usize..14, 1_u32..5, any::<bool>(), any::<bool>()).prop_map(
        |(seeds, engines, rounds, pairs, per_round)| Plan {
            format: seeds
                .map_or(Format::RoundRobin, |seeds| Format::Gauntlet { seeds: seeds.min(engines - 1) }),
            engines,
            rounds,
            pairs,
            openings: if per_round { PerOpening::Round } else { PerOpening::Pair },
        },
    )
}

proptest! {
    #[test]
    fn a_game_of_an_index_is_that_of_the_schedule_laid_out(plan in any_plan()) {
        let schedule = laid_out(&plan).unwrap();
        let computed: Vec<_> = games(&schedule)
            .iter()
            .map(|game| (game.id.round, game.id.game, game.engines.white, game.engines.black, game.opening))
            .collect();
        prop_assert_eq!(&computed, &naive(&plan));
        let numbers: Vec<u32> = games(&schedule).iter().map(|game| game.id.number).collect();
        prop_assert!(numbers.into_iter().eq(1..=schedule.len()));
        let most = computed.iter().map(|(.., opening)| opening + 1).max();
        prop_assert_eq!(most, Some(schedule.openings()));
    }

    #[test]
    fn every_pairing_meets_equally_often_with_balanced_colours(plan in any_plan()) {
        let schedule = laid_out(&plan).unwrap();
        let mut met: BTreeMap<(usize, usize), (u32, u32)> = BTreeMap::new();
        let mut whites = vec![0_i32; plan.engines];
        let mut seen: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for game in games(&schedule) {
            let (white, black) = (game.engines.white, game.engines.black);
            prop_assert!(white != black && white < plan.engines && black < plan.engines);
            let colours = met.entry((white.min(black), white.max(black))).or_default();
            if white < black { colours.0 += 1 } else { colours.1 += 1 }
            whites[white] += 1;
            whites[black] -= 1;
            seen.entry(game.id.round).or_default().extend([white, black]);
        }
        let expected = match plan.format {
            Format::Gauntlet { seeds } => seeds * (plan.engines - seeds),
            _ => plan.engines * (plan.engines - 1) / 2,
        };
        prop_assert_eq!(met.len(), expected);
        let each = plan.rounds * games_per_pairing(plan.pairs);
        for (first, second) in met.values() {
            prop_assert_eq!(first + second, each);
            prop_assert!(first.abs_diff(*second) <= each % 2, "{:?}", met);
        }
        let most = match (plan.pairs || plan.rounds % 2 == 0, plan.format) {
            (true, _) => 0,
            (false, Format::Gauntlet { .. }) => 2,
            (false, _) => 1,
        };
        prop_assert!(whites.iter().all(|balance| balance.abs() <= most), "{:?}", whites);
        for (round, mut engines) in seen {
            let games = engines.len();
            engines.sort_unstable();
            engines.dedup();
            let each = if plan.pairs { 2 } else { 1 };
            prop_assert_eq!(engines.len() * each, games, "round {}", round);
        }
    }
}

#[test]
fn games_of_a_long_schedule_take_no_memory_and_the_last_is_as_near_as_the_first() {
    let schedule = laid_out(&plan(Format::RoundRobin, 100, 200_000, true)).unwrap();
    assert_eq!(schedule.len(), 1_980_000_000);
    let last = schedule.game(schedule.len() - 1).unwrap();
    assert_eq!((last.id.number, last.id.round, last.id.game), (1_980_000_000, 19_800_000, 100));
    assert_eq!(schedule.passed.len(), 0);
}

/// A million games go by as a run takes them, in some hundredths of a second, and none of them is kept.
#[test]
fn a_million_games_are_handed_out_at_once() {
    for plan in [
        plan(Format::RoundRobin, 100, 101, true),
        plan(Format::Match, 2, 500_000, true),
        plan(Format::Gauntlet { seeds: 3 }, 100, 1718, true),
    ] {
        let mut schedule = laid_out(&plan).unwrap();
        let mut handed_out = 0_u32;
        while let Upcoming::Game(game) = schedule.upcoming() {
            schedule.pass(game.id);
            handed_out += 1;
            assert!(schedule.passed.is_empty(), "nothing is kept");
        }
        assert_eq!(handed_out, schedule.len());
        assert!(handed_out >= 999_000, "{handed_out}");
    }
}

/// Which games a schedule gives out, in its order.
fn given_out(schedule: &mut FixedSchedule) -> Vec<ScheduledGame> {
    let mut given_out = Vec::new();
    while let Upcoming::Game(game) = schedule.upcoming() {
        schedule.pass(game.id);
        given_out.push(game);
    }
    given_out
}

proptest! {
    /// Every game is in one part, as it is in the whole, and both games of a pair are in the same one.
    #[test]
    fn shards_are_a_partition_of_the_schedule(
        kind in 0..3_usize,
        engines in 2..7_usize,
        rounds in 1..6_u32,
        pairs: bool,
        of in 1..40_u32,
    ) {
        let format = [Format::Match, Format::RoundRobin, Format::Gauntlet { seeds: 1 }][kind];
        let engines = if kind == 0 { 2 } else { engines };
        let whole = laid_out(&plan(format, engines, rounds, pairs)).unwrap();
        let units = whole.len() / games_per_pairing(pairs);
        let mut all: Vec<(u32, ScheduledGame)> = Vec::new();
        for index in 1..=of {
            let shard = Shard::new(index, of).unwrap();
            let only = match whole.clone().only(shard) {
                Ok(only) => only,
                Err(refused) => {
                    prop_assert!(index > units, "{:?}", refused);
                    continue;
                }
            };
            let planned = games(&only);
            prop_assert_eq!(planned.len(), only.len() as usize);
            prop_assert_eq!(only.game(only.len()), None);
            prop_assert_eq!(&given_out(&mut only.clone()), &planned);
            for game in &planned {
                let unit = (game.id.number - 1) / games_per_pairing(pairs) + 1;
                prop_assert_eq!((unit - 1) % of, index - 1);
            }
            all.extend(planned.into_iter().map(|game| (index, game)));
        }
        all.sort_by_key(|(_, game)| game.id.number);
        let joined: Vec<ScheduledGame> = all.iter().map(|(_, game)| *game).collect();
        prop_assert_eq!(joined, games(&whole));
    }
}

#[test]
fn games_of_other_shards_and_those_played_before_do_not_come() {
    let mut shard = FixedSchedule::of_match(10, true).only(Shard::new(2, 4).unwrap()).unwrap();
    let numbers = |games: Vec<ScheduledGame>| games.iter().map(|game| game.id.number).collect::<Vec<u32>>();
    assert_eq!(numbers(given_out(&mut shard.clone())), [3, 4, 11, 12, 19, 20]);
    for number in [1, 4, 12, 20] {
        shard.finished(GameId { number, round: number.div_ceil(2), game: 2 - number % 2 }, GameResult::Draw);
    }
    assert_eq!(numbers(given_out(&mut shard)), [3, 11, 19]);
}

#[test]
fn what_results_decide_is_not_divided() {
    let shard = Shard::new(1, 2).unwrap();
    for format in [Format::Knockout, Format::Swiss] {
        let schedule = Schedule::new(&plan(format, 4, 1, true)).unwrap();
        assert!(matches!(schedule.only(shard), Err(NotDivisible::Pairings(_))));
    }
    let endless = Schedule::open_ended_match(true, PerOpening::Pair);
    assert_eq!(endless.only(shard).unwrap_err(), NotDivisible::OpenEnded);
    let last = Shard::new(3, 3).unwrap();
    let few = Schedule::of_match(2, true).only(last).unwrap_err();
    assert_eq!(
        few.to_string(),
        "shard 3/3 has no game: there are 2 pairs of games to be divided, so take 2 shards at most"
    );
}

#[test]
fn a_shard_of_the_longest_schedule_numbers_its_games_right() {
    let whole = laid_out(&plan(Format::RoundRobin, 100, 200_000, true)).unwrap();
    let shard = Shard::new(4_000_000, 4_000_000).unwrap();
    let only = whole.clone().only(shard).unwrap();
    let last = only.game(only.len() - 1).unwrap();
    assert_eq!(whole.game(last.id.number - 1), Some(last));
    assert_eq!(last.id.number, 988_000_000 / 4_000_000 * 8_000_000);
    assert_eq!(only.game(only.len()), None);
}

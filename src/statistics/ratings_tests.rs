//! Ratings: known answers, engines without a finite rating, and tables that must not upset the fit.

use proptest::prelude::*;

use super::super::counts::{Counts, GameOutcome, Trinomial};
use super::super::elo::score_of_elo;
use super::super::summary::{MatchSummary, OneSided};
use super::*;

fn table(records: &[(usize, usize, [u64; 3])]) -> Crosstable {
    let mut table = Crosstable::default();
    for (engine, opponent, [wins, draws, losses]) in records {
        let games = Trinomial::new(*wins, *draws, *losses).unwrap();
        table.add_games([*engine, *opponent], games).unwrap();
    }
    table
}

fn rated(engines: usize, records: &[(usize, usize, [u64; 3])]) -> Ratings {
    Ratings::of(&table(records), engines).unwrap()
}

fn elos(ratings: &Ratings) -> Vec<f64> {
    ratings.all().iter().map(|rating| rating.elo().unwrap()).collect()
}

#[test]
fn two_engines_have_the_difference_of_their_match() {
    let ratings = rated(2, &[(0, 1, [60, 50, 30])]);
    let summary = MatchSummary::of(&Counts::Games(Trinomial::new(60, 50, 30).unwrap()));
    let (elo, error) = ratings.difference(0, 1).unwrap();
    assert!((elo - summary.elo.unwrap()).abs() < 1e-9);
    // The match's error is half an interval, this one a slope: equal but for the curve of the scale.
    assert!((error.unwrap() / summary.elo_error.unwrap() - 1.0).abs() < 0.01, "{error:?}");
    assert!((elos(&ratings)[0] + elos(&ratings)[1]).abs() < 1e-9, "the mean is 0");
}

/// The defining property: everybody made the points that the ratings expect.
fn assert_points_are_expected(table: &Crosstable, ratings: &Ratings, engine: usize) {
    let expected: f64 = table
        .opponents(engine)
        .map(|(other, games)| {
            games.games() as f64 * score_of_elo(ratings.difference(engine, other).unwrap().0)
        })
        .sum();
    let points: f64 = table.opponents(engine).map(|(_, games)| games.half_points() as f64 / 2.0).sum();
    assert!((points - expected).abs() < 1e-6 * points.max(1.0), "engine {engine}: {points} {expected}");
}

#[test]
fn everybody_made_the_points_that_are_expected() {
    let table = table(&[(0, 1, [9, 5, 2]), (1, 2, [4, 6, 6]), (2, 3, [900, 40, 3]), (0, 3, [1, 0, 0])]);
    let ratings = Ratings::of(&table, 4).unwrap();
    for engine in 0..4 {
        assert_points_are_expected(&table, &ratings, engine);
    }
}

#[test]
fn a_chain_adds_up() {
    // 75 % at each step is 190.85 Elo, however many steps there are.
    let records: Vec<_> = (0..20).map(|engine| (engine, engine + 1, [60, 30, 10])).collect();
    let ratings = rated(21, &records);
    let (elo, error) = ratings.difference(0, 20).unwrap();
    assert!((elo - 20.0 * 190.848_501_887_865).abs() < 1e-6, "{elo}");
    let one_step = ratings.difference(0, 1).unwrap().1.unwrap();
    assert!((error.unwrap() / one_step - 20f64.sqrt()).abs() < 1e-6, "independent errors add in squares");
}

#[test]
fn engines_that_won_or_lost_everything_have_a_limit() {
    let ratings = rated(4, &[(0, 1, [10, 0, 0]), (1, 2, [5, 3, 2]), (2, 3, [4, 0, 0])]);
    let [Rating::Above { limit: Some(above) }, .., Rating::Below { limit: Some(below) }] = ratings.all()
    else {
        panic!("{ratings:?}");
    };
    let [first, second] = [1, 2].map(|engine| ratings.all()[engine].elo().unwrap());
    assert!(first > second && ratings.difference(0, 1).is_none());
    // What the figures of a match say of ten wins, and of four losses.
    let match_limit = |wins| MatchSummary::of(&Counts::Games(Trinomial::new(wins, 0, 0).unwrap())).one_sided;
    assert!(matches!(match_limit(10), Some(OneSided::Above(limit)) if (above - first - limit).abs() < 1e-9));
    assert!(matches!(match_limit(4), Some(OneSided::Above(limit)) if (below - second + limit).abs() < 1e-9));
}

#[test]
fn a_limit_is_where_the_product_of_all_chances_is_five_per_cent() {
    let ratings = rated(4, &[(0, 1, [6, 0, 0]), (0, 2, [3, 0, 0]), (1, 2, [90, 5, 5]), (2, 3, [1, 1, 2])]);
    let Rating::Above { limit: Some(limit) } = ratings.all()[0] else { panic!("{ratings:?}") };
    let [first, second] = [1, 2].map(|engine| score_of_elo(limit - ratings.all()[engine].elo().unwrap()));
    assert!((first.powi(6) * second.powi(3) - 0.05).abs() < 1e-9);
}

#[test]
fn an_engine_that_only_beat_one_that_won_everything_has_no_limit() {
    let ratings = rated(4, &[(0, 1, [2, 0, 0]), (1, 2, [2, 0, 0]), (2, 3, [1, 0, 1])]);
    assert_eq!(ratings.all()[0], Rating::Above { limit: None });
    assert!(matches!(ratings.all()[1], Rating::Above { limit: Some(_) }));
}

#[test]
fn where_nobody_took_points_off_each_other_nobody_has_a_rating() {
    let ratings = rated(3, &[(0, 1, [1, 0, 0]), (0, 2, [1, 0, 0]), (1, 2, [1, 0, 0])]);
    assert_eq!(ratings.all(), [Rating::Unknown; 3]);
    assert_eq!(rated(2, &[]).all(), [Rating::Unknown; 2]);
    assert!(rated(0, &[]).all().is_empty());
}

#[test]
fn engines_without_games_against_the_others_have_no_rating() {
    let games = [(0, 1, [3, 2, 1]), (2, 3, [1, 2, 3]), (3, 4, [1, 0, 1])];
    let ratings = rated(6, &games);
    assert_eq!(ratings.all()[..2], [Rating::Unknown; 2]);
    assert_eq!(ratings.all()[5], Rating::Unknown);
    assert_eq!(ratings.difference(0, 1), None);
    let sum: f64 = [2, 3, 4].iter().map(|engine| ratings.all()[*engine].elo().unwrap()).sum();
    assert!(sum.abs() < 1e-9);
    assert_eq!(rated(6, &games[..2]).all(), [Rating::Unknown; 6], "neither two is the rest");
}

#[test]
fn two_that_only_beat_one_from_outside_the_core_are_unknown() {
    // 3 and 4 met only 5, whom both beat; 5 lost to the core too.
    let records =
        [(0, 1, [1, 1, 1]), (1, 2, [1, 1, 1]), (2, 5, [4, 0, 0]), (3, 5, [4, 0, 0]), (4, 5, [4, 0, 0])];
    let ratings = rated(6, &records);
    assert_eq!(ratings.all()[3..5], [Rating::Unknown; 2]);
    assert!(matches!(ratings.all()[5], Rating::Below { limit: Some(_) }));
}

#[test]
fn drawn_games_alone_tell_no_error() {
    let ratings = rated(2, &[(0, 1, [0, 40, 0])]);
    assert_eq!(ratings.all(), [Rating::Estimated { elo: 0.0, error: None }; 2]);
}

#[test]
fn draws_make_ratings_more_certain() {
    let error = |wins, draws| rated(2, &[(0, 1, [wins, draws, wins])]).difference(0, 1).unwrap().1.unwrap();
    assert!((error(10, 80) / error(50, 0) - 0.2f64.sqrt()).abs() < 1e-9);
}

#[test]
fn what_can_not_be_computed_is_an_error() {
    // One game connects pairings whose games are more than the digits of a number.
    let records = [(0, 1, [1 << 59, 0, 1 << 59]), (1, 2, [1, 0, 1]), (2, 3, [1 << 59, 0, 1])];
    assert_eq!(Ratings::of(&table(&records), 4).unwrap_err(), NotConverged);
    // With as many as can be played it is found.
    let records = [(0, 1, [1 << 30, 0, 1 << 30]), (1, 2, [1, 0, 1]), (2, 3, [1 << 30, 0, 1])];
    let ratings = rated(4, &records);
    for engine in 0..4 {
        assert_points_are_expected(&table(&records), &ratings, engine);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any crosstable, with gaps, shut-outs and as many games as can be numbered: no NaN, and the points are those expected.
    #[test]
    fn any_crosstable_can_be_rated(
        engines in 1..8usize,
        results in prop::collection::vec((0..8usize, 0..8usize, 0..3usize, 0..32u32), 0..40),
    ) {
        let mut crosstable = Crosstable::default();
        for (engine, opponent, kind, magnitude) in results {
            let mut counts = [0; 3];
            counts[kind] = 1u64 << magnitude;
            let games = Trinomial::new(counts[0], counts[1], counts[2]).unwrap();
            crosstable.add_games([engine % engines, opponent % engines], games).unwrap();
        }
        let ratings = Ratings::of(&crosstable, engines).unwrap();
        for (engine, rating) in ratings.all().iter().enumerate() {
            match rating {
                Rating::Estimated { elo, error } => {
                    prop_assert!(elo.is_finite() && error.is_none_or(f64::is_finite));
                }
                Rating::Above { limit } | Rating::Below { limit } => prop_assert!(limit.is_none_or(f64::is_finite)),
                Rating::Unknown => {}
            }
            let mut others = crosstable.opponents(engine);
            if rating.elo().is_some() && others.all(|(other, _)| ratings.difference(engine, other).is_some()) {
                assert_points_are_expected(&crosstable, &ratings, engine);
            }
        }
    }

    /// One more win lifts the winner.
    #[test]
    fn a_win_lifts(records in prop::collection::vec([1..30u64, 0..30u64, 1..30u64], 3)) {
        let mut crosstable = table(&[(0, 1, records[0]), (1, 2, records[1]), (2, 0, records[2])]);
        let before = Ratings::of(&crosstable, 3).unwrap().difference(0, 1).unwrap().0;
        crosstable.add([0, 1], GameOutcome::Win);
        prop_assert!(Ratings::of(&crosstable, 3).unwrap().difference(0, 1).unwrap().0 > before);
    }
}

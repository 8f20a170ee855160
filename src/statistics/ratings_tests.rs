//! Ratings: known answers, engines without a finite rating, and tables that must not upset the fit.

use proptest::prelude::*;

use super::super::counts::{Counts, GameOutcome, Trinomial};
use super::super::elo::score_of_elo;
use super::super::summary::MatchSummary;
use super::*;

fn table(engines: usize, records: &[(usize, usize, [u64; 3])]) -> Crosstable {
    let mut table = Crosstable::new(engines);
    for (engine, opponent, [wins, draws, losses]) in records {
        let games = Trinomial::new(*wins, *draws, *losses).unwrap();
        table.add_games(*engine, *opponent, games).unwrap();
    }
    table
}

fn elos(ratings: &Ratings) -> Vec<f64> {
    ratings.all().iter().map(|rating| rating.elo().unwrap()).collect()
}

#[test]
fn two_engines_have_the_difference_of_their_match() {
    let table = table(2, &[(0, 1, [60, 50, 30])]);
    let ratings = Ratings::of(&table, Prior::None);
    let summary = MatchSummary::of(&Counts::Games(Trinomial::new(60, 50, 30).unwrap()));
    let (elo, error) = ratings.difference(0, 1).unwrap();
    assert!((elo - summary.elo.unwrap()).abs() < 1e-9);
    // The match's error is half an interval, this one a slope: equal but for the curve of the scale.
    assert!((error.unwrap() / summary.elo_error.unwrap() - 1.0).abs() < 0.01, "{error:?}");
    assert!((elos(&ratings)[0] + elos(&ratings)[1]).abs() < 1e-9, "the mean is 0");
}

/// The defining property: everybody made the points that the ratings expect.
fn assert_points_are_expected(table: &Crosstable, ratings: &Ratings, engine: usize) {
    let games = |opponent| table.record(engine, opponent).games() as f64;
    let expected: f64 = table
        .opponents(engine)
        .filter_map(|opponent| Some(games(opponent) * score_of_elo(ratings.difference(engine, opponent)?.0)))
        .sum();
    let points = table.points(engine);
    assert!((points - expected).abs() < 1e-6 * points.max(1.0), "engine {engine}: {points} {expected}");
}

#[test]
fn everybody_made_the_points_that_are_expected() {
    let table = table(4, &[(0, 1, [9, 5, 2]), (1, 2, [4, 6, 6]), (2, 3, [900, 40, 3]), (0, 3, [1, 0, 0])]);
    let ratings = Ratings::of(&table, Prior::None);
    for engine in 0..4 {
        assert_points_are_expected(&table, &ratings, engine);
    }
}

#[test]
fn a_chain_adds_up() {
    // 75 % at each step is 190.85 Elo, however many steps there are.
    let records: Vec<_> = (0..20).map(|engine| (engine, engine + 1, [60, 30, 10])).collect();
    let ratings = Ratings::of(&table(21, &records), Prior::None);
    let (elo, error) = ratings.difference(0, 20).unwrap();
    assert!((elo - 20.0 * 190.848_501_887_865).abs() < 1e-6, "{elo}");
    let one_step = ratings.difference(0, 1).unwrap().1.unwrap();
    assert!((error.unwrap() / one_step - 20f64.sqrt()).abs() < 1e-6, "independent errors add in squares");
}

#[test]
fn engines_that_won_or_lost_everything_have_no_finite_rating() {
    let table = table(4, &[(0, 1, [10, 0, 0]), (1, 2, [5, 3, 2]), (2, 3, [4, 0, 0])]);
    let ratings = Ratings::of(&table, Prior::None);
    assert_eq!(ratings.all()[0], Rating::Above);
    assert_eq!(ratings.all()[3], Rating::Below);
    assert!(ratings.all()[1].elo() > ratings.all()[2].elo());
    assert_eq!(ratings.difference(0, 1), None);
    let with_prior = Ratings::of(&table, Prior::VirtualDraws(2.0));
    let elos = elos(&with_prior);
    assert!(elos.is_sorted_by(|stronger, weaker| stronger > weaker), "{elos:?}");
}

#[test]
fn groups_that_never_met_are_kept_apart() {
    let table = table(6, &[(0, 1, [3, 2, 1]), (2, 3, [1, 2, 3]), (3, 4, [1, 0, 1])]);
    let ratings = Ratings::of(&table, Prior::None);
    assert_eq!(ratings.group(0), ratings.group(1));
    assert_ne!(ratings.group(1), ratings.group(2));
    assert_eq!(ratings.difference(0, 2), None);
    assert_eq!(ratings.all()[5], Rating::Unplayed);
    let sum: f64 = [2, 3, 4].iter().map(|engine| ratings.all()[*engine].elo().unwrap()).sum();
    assert!(sum.abs() < 1e-9);
}

#[test]
fn two_that_only_beat_the_core_from_outside_are_apart() {
    // 3 and 4 met only 5, whom both beat; 5 lost to the core too.
    let records =
        [(0, 1, [1, 1, 1]), (1, 2, [1, 1, 1]), (2, 5, [4, 0, 0]), (3, 5, [4, 0, 0]), (4, 5, [4, 0, 0])];
    let ratings = Ratings::of(&table(6, &records), Prior::None);
    assert_eq!(ratings.all()[3..], [Rating::Apart, Rating::Apart, Rating::Below]);
}

#[test]
fn drawn_games_alone_tell_no_error() {
    let ratings = Ratings::of(&table(2, &[(0, 1, [0, 40, 0])]), Prior::None);
    assert_eq!(ratings.all(), [Rating::Estimated { elo: 0.0, error: None }; 2]);
}

#[test]
fn draws_make_ratings_more_certain() {
    let error = |wins, draws| {
        let ratings = Ratings::of(&table(2, &[(0, 1, [wins, draws, wins])]), Prior::None);
        ratings.difference(0, 1).unwrap().1.unwrap()
    };
    assert!((error(10, 80) / error(50, 0) - 0.2f64.sqrt()).abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any crosstable, with gaps, shut-outs and huge counts: no NaN, and the points are those expected.
    #[test]
    fn any_crosstable_can_be_rated(
        engines in 1..8usize,
        results in prop::collection::vec((0..8usize, 0..8usize, 0..3usize, 0..40u32), 0..40),
    ) {
        let mut crosstable = Crosstable::new(engines);
        for (engine, opponent, kind, magnitude) in results {
            let (engine, opponent) = (engine % engines, opponent % engines);
            if engine != opponent {
                let mut counts = [0; 3];
                counts[kind] = 1u64 << magnitude;
                let games = Trinomial::new(counts[0], counts[1], counts[2]).unwrap();
                crosstable.add_games(engine, opponent, games).unwrap();
            }
        }
        for prior in [Prior::None, Prior::VirtualDraws(2.0)] {
            let ratings = Ratings::of(&crosstable, prior);
            for (engine, rating) in ratings.all().iter().enumerate() {
                if let Rating::Estimated { elo, error } = rating {
                    prop_assert!(elo.is_finite() && error.is_none_or(f64::is_finite));
                } else {
                    prop_assert!(prior == Prior::None || *rating == Rating::Unplayed);
                }
                let all_rated = crosstable.opponents(engine).all(|other| ratings.difference(engine, other).is_some());
                if prior == Prior::None && rating.elo().is_some() && all_rated {
                    assert_points_are_expected(&crosstable, &ratings, engine);
                }
            }
        }
    }

    /// One more win lifts the winner.
    #[test]
    fn a_win_lifts(records in prop::collection::vec([1..30u64, 0..30u64, 1..30u64], 3)) {
        let mut crosstable =
            table(3, &[(0, 1, records[0]), (1, 2, records[1]), (2, 0, records[2])]);
        let before = Ratings::of(&crosstable, Prior::None).difference(0, 1).unwrap().0;
        crosstable.add(0, 1, GameOutcome::Win).unwrap();
        prop_assert!(Ratings::of(&crosstable, Prior::None).difference(0, 1).unwrap().0 > before);
    }
}

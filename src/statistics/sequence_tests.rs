//! Order of arrival, frozen decisions, and error rates of simulated matches.

use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::super::elo::NORMALIZED_UNIT;
use super::super::sprt::Model;
use super::*;

fn settings(elo0: f64, elo1: f64, model: Model) -> SprtSettings {
    SprtSettings::new((elo0, elo1), 0.05, 0.05, model, true).unwrap()
}

const OUTCOMES: [PairOutcome; 6] = [
    PairOutcome::TwoLosses,
    PairOutcome::LossAndDraw,
    PairOutcome::WinAndLoss,
    PairOutcome::TwoDraws,
    PairOutcome::WinAndDraw,
    PairOutcome::TwoWins,
];

/// S-03: a result behind a gap does not count, however good it is.
#[test]
fn s_03_results_count_in_the_order_of_the_schedule() {
    let mut test = SequentialTest::new(settings(0.0, 50.0, Model::Logistic));
    for index in 1..200 {
        assert_eq!(test.record(index, PairOutcome::TwoWins), Ok(SprtState::Continue));
    }
    assert_eq!((test.counted(), test.waiting()), (0, 199));
    assert_eq!(test.record(0, PairOutcome::TwoLosses), Ok(SprtState::H1));
    assert_eq!((test.counted(), test.waiting()), (200, 0));
    let decided_at = test.decision().unwrap().counts.samples();
    assert!(decided_at < 200, "frozen at the first crossing, not at the last result: {decided_at}");
}

/// S-03: late results never un-decide.
#[test]
fn s_03_a_decision_stays() {
    let mut test = SequentialTest::new(settings(0.0, 50.0, Model::Logistic));
    let mut index = 0;
    while test.state() == SprtState::Continue {
        test.record(index, PairOutcome::TwoWins).unwrap();
        index += 1;
    }
    let decision = *test.decision().unwrap();
    for late in index..index + 1_000 {
        test.record(late, PairOutcome::TwoLosses).unwrap();
    }
    assert_eq!((test.state(), test.decision()), (SprtState::H1, Some(&decision)));
    assert!(test.llr().unwrap() < test.settings().lower(), "what is counted now would say H0");
    assert_eq!(decision.counts.samples(), index as u64);
    assert_eq!(test.counts().samples(), index as u64 + 1_000);
}

#[test]
fn a_result_is_counted_once() {
    let mut test = SequentialTest::new(settings(0.0, 5.0, Model::Normalized));
    test.record(0, GameOutcome::Win).unwrap();
    test.record(5, GameOutcome::Win).unwrap();
    for index in [0, 5] {
        let error = test.record(index, GameOutcome::Loss).unwrap_err();
        assert_eq!(error, CountedTwice { index });
    }
    assert_eq!(test.counts(), Counts::Games(Trinomial::new(1, 0, 0).unwrap()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// The order of arrival changes nothing: neither the decision nor where it fell.
    #[test]
    fn the_order_of_arrival_changes_nothing(
        (order, outcomes) in prop::collection::vec(0..6usize, 1..120).prop_flat_map(|outcomes| {
            (Just((0..outcomes.len()).collect::<Vec<_>>()).prop_shuffle(), Just(outcomes))
        })
    ) {
        let settings = settings(-20.0, 60.0, Model::Normalized);
        let (mut in_order, mut shuffled) = (SequentialTest::new(settings), SequentialTest::new(settings));
        for (index, outcome) in outcomes.iter().enumerate() {
            in_order.record(index, OUTCOMES[*outcome]).unwrap();
        }
        for index in order {
            shuffled.record(index, OUTCOMES[outcomes[index]]).unwrap();
        }
        prop_assert_eq!(in_order.decision(), shuffled.decision());
        prop_assert_eq!(in_order.counts(), shuffled.counts());
        prop_assert_eq!(shuffled.waiting(), 0);
    }
}

/// A law of pair outcomes, tilted until its normalized Elo is the wanted one.
fn law_with(normalized_elo: f64) -> [f64; 6] {
    const BASE: [f64; 6] = [0.03, 0.2, 0.14, 0.4, 0.2, 0.03];
    const SCORES: [f64; 6] = [0.0, 0.25, 0.5, 0.5, 0.75, 1.0];
    let tilted = |tilt: f64| {
        let weights: [f64; 6] = std::array::from_fn(|cell| BASE[cell] * (tilt * SCORES[cell]).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let elo_of = |law: [f64; 6]| {
        let mean: f64 = law.iter().zip(SCORES).map(|(p, score)| p * score).sum();
        let variance: f64 = law.iter().zip(SCORES).map(|(p, score)| p * (score - mean).powi(2)).sum();
        NORMALIZED_UNIT * (mean - 0.5) / (2.0 * variance).sqrt()
    };
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if elo_of(tilted(middle)) < normalized_elo { low = middle } else { high = middle }
    }
    tilted(low)
}

/// Plays a match until it is decided.
fn simulate(settings: SprtSettings, law: &[f64; 6], random: &mut ChaCha8Rng) -> Decision {
    let mut test = SequentialTest::new(settings);
    for index in 0.. {
        let mut left = f64::from(random.next_u32()) / 2f64.powi(32);
        let outcome = law.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        test.record(index, OUTCOMES[outcome.unwrap_or(5)]).unwrap();
        if let Some(decision) = test.decision() {
            return *decision;
        }
    }
    unreachable!("the schedule is endless")
}

/// At a true Elo of `elo0` H1 is accepted with a chance of alpha at most, and H0 at `elo1` with beta: of 2,000 tests
/// 100 each, and by chance not more than 130 (three standard deviations, 9.75 each). The test can fail the other way
/// too: rates far below would mean that it plays too long.
#[test]
fn error_rates_are_as_promised() {
    const TESTS: usize = 2_000;
    let settings = settings(0.0, 80.0, Model::Normalized);
    for (seed, elo, wrong) in [(1, settings.elo0(), Accepted::H1), (2, settings.elo1(), Accepted::H0)] {
        let law = law_with(elo);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let decisions: Vec<Decision> = (0..TESTS).map(|_| simulate(settings, &law, &mut random)).collect();
        let errors = decisions.iter().filter(|decision| decision.accepted == wrong).count();
        let pairs: u64 = decisions.iter().map(|decision| decision.counts.samples()).sum();
        println!("true Elo {elo}: {errors} errors, {} pairs a test", pairs / TESTS as u64);
        assert!((40..=130).contains(&errors), "true Elo {elo}: {errors} errors of {TESTS}");
    }
}

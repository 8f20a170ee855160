//! Match statistics against the figures of other programs, and what must hold for any counts.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may end by a panic")]

use std::path::Path;

use arbiter::statistics::block;
use arbiter::statistics::counts::{Counts, Pentanomial, Trinomial};
use arbiter::statistics::sprt::{Model, SprtSettings};
use arbiter::statistics::summary::MatchSummary;
use proptest::prelude::*;
use serde_json::Value;

#[path = "support/shared.rs"]
mod shared;

/// One line of the vectors: counts, settings, what a program says of them, and the exact LLR.
struct Vector(Value);

impl Vector {
    fn id(&self) -> &str {
        self.0["id"].as_str().unwrap()
    }

    fn number(&self, name: &str) -> f64 {
        self.0[name].as_f64().unwrap()
    }

    fn whole_numbers(&self, name: &str) -> Option<Vec<u64>> {
        let numbers = self.0.get(name)?.as_array()?;
        Some(numbers.iter().map(|number| number.as_u64().unwrap()).collect())
    }

    fn counts(&self) -> Counts {
        if let Some(cells) = self.whole_numbers("penta") {
            let won_and_lost = self.0["wl"].as_u64().unwrap();
            return Counts::Pairs(Pentanomial::with_split(cells.try_into().unwrap(), won_and_lost).unwrap());
        }
        let games = self.whole_numbers("wdl").unwrap();
        Counts::Games(Trinomial::new(games[0], games[1], games[2]).unwrap())
    }

    fn settings(&self) -> SprtSettings {
        let bounds = (self.number("elo0"), self.number("elo1"));
        let model = self.0["model"].as_str().unwrap().parse().unwrap();
        SprtSettings::new(bounds, self.number("alpha"), self.number("beta"), model, true).unwrap()
    }

    /// The program's figure; `None` where it has none, or NaN, or an infinite one.
    fn expected(&self, name: &str) -> Option<f64> {
        self.0["expect"][name].as_f64()
    }

    fn printed(&self) -> Vec<&str> {
        let lines = self.0.get("printed").and_then(Value::as_array);
        lines.into_iter().flatten().map(|line| line.as_str().unwrap()).collect()
    }
}

fn vectors(file: &Path) -> Vec<Vector> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().map(|line| Vector(serde_json::from_str(line).unwrap())).collect()
}

fn close(got: f64, expected: f64, tolerance: f64) -> bool {
    (got - expected).abs() <= tolerance * expected.abs().max(1.0)
}

/// The LLR is the exact one, whichever program the line is of; the bounds are everybody's.
fn assert_llr(vector: &Vector) {
    let settings = vector.settings();
    let (llr, exact) = (settings.llr(&vector.counts()).unwrap(), vector.number("exact_llr"));
    assert!(close(llr, exact, 1e-6), "{}: LLR {llr}, exact {exact}", vector.id());
    if vector.0["by"] != "fastchess" {
        return;
    }
    for (name, bound) in [("lower", settings.lower()), ("upper", settings.upper())] {
        assert!(close(bound, vector.expected(name).unwrap(), 1e-9), "{}: {name} {bound}", vector.id());
    }
    if let Some(theirs) = vector.expected("llr") {
        let line = block::llr_line(&settings, Ok(theirs));
        assert_eq!(line, unsigned_zeros(vector.printed().last().unwrap()), "{}", vector.id());
    }
}

/// The figures are fastchess's where it has some.
fn assert_figures(vector: &Vector) {
    let summary = MatchSummary::of(&vector.counts());
    for (name, figure) in [
        ("elo", summary.elo),
        ("elo_error", summary.elo_error),
        ("nelo", summary.nelo),
        ("nelo_error", summary.nelo_error),
        ("los", summary.los),
    ] {
        match (figure, vector.expected(name)) {
            (None, None) => {}
            (Some(figure), Some(theirs)) if close(figure, theirs, 1e-9) => {}
            (figure, theirs) => panic!("{}: {name} {figure:?}, fastchess {theirs:?}", vector.id()),
        }
    }
}

/// The printed lines too, but for those whose figures mean nothing.
fn assert_lines(vector: &Vector) -> usize {
    let summary = MatchSummary::of(&vector.counts());
    let ours = block::figures(&summary);
    let theirs = vector.printed();
    let mut compared = 0;
    for (our, their) in ours.iter().zip(theirs) {
        let of_spread = their.starts_with("Elo") || their.starts_with("LOS");
        if their.contains("nan") || (of_spread && !summary.has_variance) {
            continue;
        }
        assert_eq!(*our, unsigned_zeros(their), "{}", vector.id());
        compared += 1;
    }
    compared
}

/// Without the sign that fastchess leaves on a zero.
fn unsigned_zeros(line: &str) -> String {
    line.replace("-0.00 ", "0.00 ").replace("-0.00,", "0.00,").replace("(-0.0%)", "(0.0%)")
}

fn assert_vectors(file: &Path, least_lines: usize) {
    let mut compared = 0;
    for vector in vectors(file) {
        assert_llr(&vector);
        if vector.0["by"] == "fastchess" {
            assert_figures(&vector);
            compared += assert_lines(&vector);
        }
    }
    assert!(compared >= least_lines, "only {compared} printed lines were compared");
}

#[test]
fn figures_of_other_programs_where_they_are_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_vectors(&root.join("tests/data/statistics-sample.jsonl"), 100);
    if let Some(all) = shared::shared("vectors/statistics.jsonl") {
        assert_vectors(&all, 500);
    }
}

/// S-01: a finite LLR where other programs hang, or answer NaN.
#[test]
fn s_01_one_sided_matches_and_wide_bounds_have_a_finite_llr() {
    for (cells, bounds, exact, digits) in [
        ([144, 3, 1, 0, 0], (-1500.0, -500.0), -6.721_260_399_622, 1e-9),
        ([1, 0, 0, 0, 0], (-1500.0, -500.0), -0.043_772_449_860, 1e-9),
        ([0, 32, 929, 0, 0], (-202.9, 38.9), 324.93, 0.006),
    ] {
        let settings = SprtSettings::new(bounds, 0.05, 0.05, Model::Normalized, true).unwrap();
        let llr = settings.llr(&Counts::Pairs(Pentanomial::new(cells).unwrap())).unwrap();
        assert!((llr - exact).abs() < digits, "{cells:?}: {llr}");
    }
    // fastchess never returns from this one.
    let settings = SprtSettings::new((-224.94, -71.5), 0.05, 0.05, Model::Normalized, true).unwrap();
    assert!(settings.llr(&Counts::Pairs(Pentanomial::new([0, 0, 0, 0, 1]).unwrap())).unwrap() > 0.0);
}

/// S-02: paired openings make single games look less certain than they are; the pentanomial test counts by pair.
#[test]
fn s_02_pairs_are_tested_as_pairs() {
    let pairs = Pentanomial::with_split([365, 16_618, 36_229, 16_974, 390], 36_029).unwrap();
    let llr = |pentanomial| {
        let settings = SprtSettings::new((0.0, 2.0), 0.05, 0.05, Model::Normalized, pentanomial).unwrap();
        settings.llr(&Counts::Pairs(pairs)).unwrap()
    };
    assert!((llr(true) - 2.250_367_703_547).abs() < 1e-9);
    let games = Counts::Games(pairs.games().unwrap());
    let settings = SprtSettings::new((0.0, 2.0), 0.05, 0.05, Model::Normalized, true).unwrap();
    assert_eq!(llr(false), settings.llr(&games).unwrap());
    assert!(llr(false) < 1.0);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for (bounds, alpha, beta, words) in [
        ((2.0, 0.0), 0.05, 0.05, "`elo0` must be less than `elo1`, but 2 is not less than 0"),
        ((1.0, 1.0), 0.05, 0.05, "`elo0` must be less than `elo1`"),
        ((f64::NAN, 1.0), 0.05, 0.05, "`elo0` must be a number from -10000 to 10000, not NaN"),
        ((0.0, f64::INFINITY), 0.05, 0.05, "`elo1` must be a number from -10000 to 10000, not inf"),
        (
            (0.0, 1.0),
            0.0,
            0.05,
            "`alpha` is a chance of error: it must be greater than 0 and less than 0.5, not 0",
        ),
        (
            (0.0, 1.0),
            0.05,
            5.0,
            "`beta` is a chance of error: it must be greater than 0 and less than 0.5, not 5",
        ),
        ((0.0, 1.0), f64::NAN, 0.05, "`alpha` is a chance of error"),
    ] {
        let error = SprtSettings::new(bounds, alpha, beta, Model::Normalized, true).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert!("elo".parse::<Model>().unwrap_err().to_string().contains("normalized, logistic or bayesian"));
}

/// Counts of every size, empty cells among them.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![
        2 => Just(0u64),
        2 => 0..10u64,
        3 => 0..1_000u64,
        1 => 0..1_000_000u64,
        1 => (0..57u32).prop_map(|bits| 1u64 << bits),
    ]
}

fn counts() -> impl Strategy<Value = Counts> {
    let pairs = (prop::array::uniform5(count()), 0.0..=1.0).prop_map(|(cells, part)| {
        let won_and_lost = (cells[2] as f64 * part) as u64;
        Counts::Pairs(Pentanomial::with_split(cells, won_and_lost.min(cells[2])).unwrap())
    });
    let games = prop::array::uniform3(count())
        .prop_map(|[wins, draws, losses]| Counts::Games(Trinomial::new(wins, draws, losses).unwrap()));
    prop_oneof![2 => pairs, 1 => games]
}

fn model() -> impl Strategy<Value = Model> {
    prop::sample::select(Model::ALL.to_vec())
}

fn bounds() -> impl Strategy<Value = (f64, f64)> {
    let width = prop_oneof![4 => 0.1..20.0, 2 => 1.0..400.0, 1 => 1.0..5_000.0];
    (prop_oneof![4 => -20.0..20.0, 1 => -5_000.0..5_000.0f64], width)
        .prop_map(|(elo0, width)| (elo0, elo0 + width))
}

fn settings((elo0, elo1): (f64, f64), model: Model) -> SprtSettings {
    SprtSettings::new((elo0, elo1), 0.05, 0.05, model, true).unwrap()
}

/// The greatest error that the digits of a sum over so many samples allow.
fn rounding(counts: &Counts) -> f64 {
    1e-8 + 1e-13 * counts.samples() as f64
}

fn all_figures(summary: &MatchSummary) -> Vec<Option<f64>> {
    vec![
        summary.score,
        summary.elo,
        summary.elo_error,
        summary.elo_interval.and_then(|interval| interval.low),
        summary.elo_interval.and_then(|interval| interval.high),
        summary.nelo,
        summary.nelo_error,
        summary.los,
        summary.regularised_los,
        summary.draw_ratio,
        summary.even_pairs_ratio,
        summary.pairs_ratio,
        summary.wl_dd_ratio,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn never_nan(counts in counts(), bounds in bounds(), model in model()) {
        let summary = MatchSummary::of(&counts);
        for figure in all_figures(&summary) {
            prop_assert!(figure.is_none_or(f64::is_finite), "{:?}", summary);
        }
        let test = settings(bounds, model);
        let llr = test.llr(&counts);
        prop_assert!(llr.is_ok_and(f64::is_finite), "{:?}", llr);
        for line in block::figures(&summary).into_iter().chain([block::llr_line(&test, llr)]) {
            prop_assert!(!line.to_lowercase().contains("nan"), "{}", line);
        }
    }

    /// Swapping the engines negates Elo, and the LLR if the hypotheses are swapped too.
    #[test]
    fn symmetric(counts in counts(), (elo0, elo1) in bounds(), model in model()) {
        let (one, other) = (MatchSummary::of(&counts), MatchSummary::of(&counts.mirrored()));
        for (figure, mirrored) in [(one.elo, other.elo), (one.nelo, other.nelo)] {
            prop_assert_eq!(figure.is_some(), mirrored.is_some());
            let (figure, mirrored) = (figure.unwrap_or(0.0), mirrored.unwrap_or(0.0));
            prop_assert!(close(figure, -mirrored, 1e-9), "{} {}", figure, mirrored);
        }
        prop_assert_eq!(one.elo_error.is_some(), other.elo_error.is_some());
        prop_assert!(one.los.zip(other.los).is_none_or(|(one, other)| close(one + other, 1.0, 1e-12)));
        let llr = settings((elo0, elo1), model).llr(&counts).unwrap();
        let mirrored = settings((-elo1, -elo0), model).llr(&counts.mirrored()).unwrap();
        let tolerance = rounding(&counts) + 1e-9 * llr.abs();
        prop_assert!((llr + mirrored).abs() <= tolerance, "{} {}", llr, mirrored);
    }

    /// One more win raises Elo, and the LLR of the logistic test, whose hypotheses are about the mean.
    #[test]
    fn monotone(cells in prop::array::uniform5(1..2_000u64), bounds in (-800.0..0.0, 1.0..800.0)) {
        let mut more = cells;
        more[4] += 1;
        let pairs = |cells| Counts::Pairs(Pentanomial::new(cells).unwrap());
        let elo = |cells| MatchSummary::of(&pairs(cells)).elo.unwrap();
        prop_assert!(elo(more) > elo(cells));
        let test = settings(bounds, Model::Logistic);
        prop_assert!(test.llr(&pairs(more)).unwrap() > test.llr(&pairs(cells)).unwrap());
    }

    /// Around an even score and with ordinary bounds the normalized LLR rises with a win as well. It need not elsewhere:
    /// a win far from the others widens the spread that this scale measures by.
    #[test]
    fn monotone_in_ordinary_matches(
        even in 50..500u64, uneven in 50..500u64, tilt in -20..20i64, (elo0, elo1) in (-5.0..0.0, 0.1..5.0),
    ) {
        let cells = [10, (uneven as i64 + tilt) as u64, even, uneven, 10];
        let mut more = cells;
        more[3] += 1;
        let test = settings((elo0, elo1), Model::Normalized);
        let llr = |cells| test.llr(&Counts::Pairs(Pentanomial::new(cells).unwrap())).unwrap();
        prop_assert!(llr(more) > llr(cells));
    }

    /// n times the counts: the same Elo, n times the LLR.
    #[test]
    fn scales(cells in prop::array::uniform5(1..5_000u64), times in 2..50u64, bounds in bounds(), model in model()) {
        let pairs = |factor: u64| {
            let cells: [u64; 5] = cells.map(|count| count * factor);
            Counts::Pairs(Pentanomial::with_split(cells, cells[2] / 2 / factor * factor).unwrap())
        };
        let (one, many) = (MatchSummary::of(&pairs(1)), MatchSummary::of(&pairs(times)));
        prop_assert!(close(many.elo.unwrap(), one.elo.unwrap(), 1e-9));
        prop_assert!(close(many.nelo.unwrap(), one.nelo.unwrap(), 1e-9));
        prop_assert!(many.nelo_error < one.nelo_error);
        let test = settings(bounds, model);
        let scaled = test.llr(&pairs(1)).unwrap() * times as f64;
        let llr = test.llr(&pairs(times)).unwrap();
        if model != Model::Bayesian || cells[2] / 2 * times == cells[2] * times / 2 {
            prop_assert!((llr - scaled).abs() <= rounding(&pairs(times)) + 1e-9 * scaled.abs(), "{} {}", llr, scaled);
        }
    }
}

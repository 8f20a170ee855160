//! `sprt`, and what it does to `rounds`.

use super::*;
use crate::statistics::sprt::{Model, SprtSettings};

fn sprt(lines: &str) -> Option<SprtSettings> {
    parsed(&format!("{TWO}{lines}\n")).settings.sprt
}

#[test]
fn a_test_has_defaults() {
    assert_eq!(sprt(""), None);
    assert_eq!(sprt("sprt: null"), None);
    let defaults = SprtSettings::new((0.0, 5.0), 0.05, 0.05, Model::Normalized, true).unwrap();
    assert_eq!(sprt("sprt: {}"), Some(defaults));
    let all = "sprt: {elo0: -1.75, elo1: .25, alpha: 1e-1, beta: 0.2, model: bayesian, pentanomial: false}";
    let expected = SprtSettings::new((-1.75, 0.25), 0.1, 0.2, Model::Bayesian, false).unwrap();
    assert_eq!(sprt(all), Some(expected));
}

#[test]
fn s_07_without_rounds_a_test_makes_the_match_open_ended() {
    let rounds = |lines: &str| parsed(&format!("{TWO}{lines}\n")).settings.rounds.map(|rounds| rounds.get());
    assert_eq!(rounds(""), Some(1));
    assert_eq!(rounds("sprt: {elo1: 2}"), None);
    assert_eq!(rounds("sprt: {elo1: 2}\nrounds: null"), None);
    assert_eq!(rounds("sprt: {elo1: 2}\nrounds: 500"), Some(500));
}

#[test]
fn impossible_tests_are_refused_where_they_stand() {
    for (keys, column, error) in [
        ("elo0: 5, elo1: 0", 23, "`elo0` must be less than `elo1`, but 5 is not less than 0"),
        ("elo0: 7", 14, "`elo0` must be less than `elo1`, but 7 is not less than 5"),
        ("elo1: 20000", 14, "`elo1` must be a number from -10000 to 10000, not 20000"),
        ("alpha: 0", 15, "`alpha` is a chance of error: it must be greater than 0 and less than 0.5, not 0"),
        (
            "beta: 0.5",
            14,
            "`beta` is a chance of error: it must be greater than 0 and less than 0.5, not 0.5",
        ),
        ("elo0: x", 14, "`elo0` must be a number, not `x`"),
        ("elo0: .nan", 14, "`elo0` must be a number, not `.nan`"),
        ("elo1: .inf", 14, "`elo1` must be a number, not `.inf`"),
        ("model: elo", 15, "`model` must be `normalized`, `logistic` or `bayesian`, not `elo`"),
        ("pentanomial: 1", 21, "`pentanomial` must be `true` or `false`, not `1`"),
    ] {
        let text = format!("{TWO}sprt: {{{keys}}}");
        let errors = parse(&text, "match.yaml", Path::new("/base")).unwrap_err().errors;
        assert_eq!(errors.len(), 1, "{keys}: {errors:?}");
        assert_eq!(errors[0].message, error);
        assert_eq!(errors[0].place.map(|place| (place.line, place.column)), Some((4, column)), "{keys}");
    }
    assert_eq!(error_of("sprt: 5"), "`sprt` must be a mapping of keys to values, not `5`");
}

#[test]
fn a_test_is_between_two_engines() {
    let three = TWO.to_owned() + "  - { name: C, command: c }\n";
    for (format, error) in [
        ("round_robin", "`sprt` tests two engines, and these are 3"),
        ("gauntlet", "`sprt` tests two engines, and these are 3"),
        ("knockout", "`sprt` tests two engines, and a knockout is between more"),
        ("swiss", "`sprt` tests two engines, and a Swiss tournament is between more"),
    ] {
        assert_eq!(messages(&format!("{three}format: {format}\nsprt: {{}}\n")), [error], "{format}");
    }
    for format in ["match", "round_robin", "gauntlet"] {
        assert!(sprt(&format!("format: {format}\nsprt: {{}}")).is_some(), "{format}");
    }
}

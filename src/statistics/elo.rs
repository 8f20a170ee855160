//! The logistic Elo scale (Elo 1978) and the normalized one (Van den Bergh).

/// Elo of one unit of normalized t, 800/ln 10 (Van den Bergh, "Comments on normalized Elo").
pub const NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The normal quantile of a two-sided interval of 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The Elo difference that belongs to a mean score of 0 to 1: −400·log₁₀(1/s − 1). Infinite at 0 and 1, NaN beyond.
pub fn elo_of_score(score: f64) -> f64 {
    // Adding 0 drops the sign of −0, which an even score would have.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The same from the shares of the points that both sides made, of which one may be too near to 1 to be told from it.
pub fn elo_of_shares(own: f64, other: f64) -> f64 {
    400.0 * (own / other).log10()
}

/// The mean score that belongs to an Elo difference: 1/(1 + 10^(−e/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Φ, the distribution function of the standard normal law, exact in both tails.
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for (elo, score) in [(0.0, 0.5), (190.848_501_887_865, 0.75), (-190.848_501_887_865, 0.25)] {
            assert!((elo_of_score(score) - elo).abs() < 1e-9, "{elo}");
            assert!((score_of_elo(elo) - score).abs() < 1e-15, "{elo}");
        }
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(elo_of_score(0.5).is_sign_positive());
    }

    #[test]
    fn the_normal_law_keeps_its_tails() {
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-15);
        assert!((normal_cdf(-10.0) / 7.619_853_024_160_527e-24 - 1.0).abs() < 1e-12);
    }
}

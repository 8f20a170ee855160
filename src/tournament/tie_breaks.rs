//! The sums that break ties, after the FIDE Handbook (C.07). Scores are half-points, so that products of two are
//! quarter-points.

/// Sonneborn-Berger, in quarter-points: what was scored against each opponent, times that opponent's score.
/// `given` is what came without a game; it counts as scored against an opponent of the engine's own score.
pub fn sonneborn_berger(
    results: impl Iterator<Item = (usize, u64)>,
    given: u64,
    engine: usize,
    scores: &[u64],
) -> u64 {
    let score = |engine: usize| scores.get(engine).copied().unwrap_or(0);
    results.map(|(opponent, half_points)| half_points * score(opponent)).sum::<u64>() + given * score(engine)
}

/// Buchholz, in half-points: the opponents' scores. A round without an opponent counts as one against an opponent of
/// the engine's own score.
pub fn buchholz(opponents: impl Iterator<Item = usize>, byes: usize, engine: usize, scores: &[u64]) -> u64 {
    let score = |engine: usize| scores.get(engine).copied().unwrap_or(0);
    opponents.map(score).sum::<u64>() + byes as u64 * score(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_round_robin_by_hand() {
        // A beats B, draws with C; B beats C: A 1.5, B 1, C 0.5.
        let scores = [3, 2, 1];
        let berger =
            |engine, results: &[(usize, u64)]| sonneborn_berger(results.iter().copied(), 0, engine, &scores);
        assert_eq!(berger(0, &[(1, 2), (2, 1)]), 5, "1 × 1 + ½ × ½ is 1¼");
        assert_eq!(berger(1, &[(0, 0), (2, 2)]), 2);
        assert_eq!(berger(2, &[(0, 1), (1, 0)]), 3);
    }

    #[test]
    fn a_bye_counts_as_a_meeting_with_an_equal() {
        let scores = [4, 2, 3];
        assert_eq!(buchholz([1, 2].into_iter(), 0, 0, &scores), 5);
        assert_eq!(buchholz([0].into_iter(), 1, 2, &scores), 7);
        assert_eq!(sonneborn_berger([(0, 1)].into_iter(), 2, 2, &scores), 10);
    }
}

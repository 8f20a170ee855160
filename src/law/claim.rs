//! Draw claims (Articles 9.2 and 9.3): what the side to move may claim, and when the referee claims it.

use super::policy::{ClaimPolicies, ClaimPolicy};
use super::verdict::ClaimRule;

/// Occurrences of a position that allow a claim (Article 9.2).
pub const THREEFOLD: u32 = 3;
/// Plies without pawn move or capture that allow a claim (Article 9.3).
pub const FIFTY_MOVES: u32 = 100;

/// What an engine last said of the position it was asked about, from its own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Centipawns.
    Centipawns(i32),
    /// It mates.
    Mates,
    /// It is mated.
    Mated,
}

impl ClaimPolicies {
    /// The policy for one rule.
    pub fn of(&self, rule: ClaimRule) -> ClaimPolicy {
        match rule {
            ClaimRule::Threefold => self.threefold,
            ClaimRule::FiftyMove => self.fifty_move,
        }
    }

    /// Whether the engine claims for itself under one of the rules.
    pub fn by_engine(&self) -> bool {
        self.threefold == ClaimPolicy::Engine || self.fifty_move == ClaimPolicy::Engine
    }

    /// Whether a claim in words is heard under at least one of the rules.
    pub fn hears_claims(&self) -> bool {
        self.threefold != ClaimPolicy::Never || self.fifty_move != ClaimPolicy::Never
    }

    /// Whether a correct claim that has appeared is made before the engine is asked for a move.
    pub fn claims_before_search(&self, rule: ClaimRule) -> bool {
        self.of(rule) == ClaimPolicy::Always
    }

    /// Whether a correct claim is made when the engine's move comes, given the last score that it sent with it and
    /// whether it has claimed a draw in words.
    pub fn claims_with_move(&self, rule: ClaimRule, evaluation: Option<Evaluation>, claimed: bool) -> bool {
        match self.of(rule) {
            ClaimPolicy::Always => true,
            ClaimPolicy::Never => false,
            ClaimPolicy::Engine => claimed,
            ClaimPolicy::Assisted => match evaluation {
                _ if claimed => true,
                Some(Evaluation::Centipawns(score)) => score <= self.threshold_cp,
                Some(Evaluation::Mated) => true,
                Some(Evaluation::Mates) | None => false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policies(policy: ClaimPolicy, threshold_cp: i32) -> ClaimPolicies {
        ClaimPolicies { threefold: policy, fifty_move: policy, threshold_cp }
    }

    #[test]
    fn assisted_claims_follow_the_engines_own_score() {
        let assisted = policies(ClaimPolicy::Assisted, -20);
        let cases = [
            (Some(Evaluation::Centipawns(-20)), true),
            (Some(Evaluation::Centipawns(-19)), false),
            (Some(Evaluation::Mated), true),
            (Some(Evaluation::Mates), false),
            (None, false),
        ];
        for (evaluation, claims) in cases {
            assert_eq!(
                assisted.claims_with_move(ClaimRule::Threefold, evaluation, false),
                claims,
                "{evaluation:?}"
            );
        }
    }

    #[test]
    fn an_engine_that_claims_for_itself_is_taken_at_its_word() {
        let own = policies(ClaimPolicy::Engine, 0);
        assert!(own.claims_with_move(ClaimRule::FiftyMove, None, true));
        let assisted = policies(ClaimPolicy::Assisted, 0);
        assert!(assisted.claims_with_move(ClaimRule::FiftyMove, Some(Evaluation::Mates), true));
        assert!(!policies(ClaimPolicy::Never, 0).claims_with_move(ClaimRule::FiftyMove, None, true));
        assert!(!own.claims_with_move(ClaimRule::FiftyMove, Some(Evaluation::Mated), false));
    }

    #[test]
    fn only_always_claims_before_the_search() {
        for (policy, claims) in [
            (ClaimPolicy::Always, true),
            (ClaimPolicy::Never, false),
            (ClaimPolicy::Assisted, false),
            (ClaimPolicy::Engine, false),
        ] {
            assert_eq!(policies(policy, 0).claims_before_search(ClaimRule::FiftyMove), claims);
        }
    }
}

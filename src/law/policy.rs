//! What the match's laws leave to settings: dead-position rule, claim policies, presets.

use std::fmt;

/// How dead positions (Article 5.2.2) are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DeadPositionRule {
    /// Neither side can mate by any series of legal moves, decided exactly.
    #[default]
    Exact,
    /// Only the four material cases: K v K, K+B v K, K+N v K, and bishops of one square colour.
    Material,
    /// Never: the game goes on until another rule ends it.
    Off,
}

/// What an illegal move costs (Article 7.5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum IllegalMovePolicy {
    /// The first one loses: the practice of engine matches.
    #[default]
    Loses,
    /// The first one costs time and the move is to be made anew; the second one loses.
    OverTheBoard,
}

/// When the referee claims a draw (Articles 9.2 and 9.3) for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimPolicy {
    /// As soon as a correct claim exists.
    Always,
    /// Never: only the automatic rules end the game.
    Never,
    /// When the engine's own last score of this search is at or below the threshold.
    Assisted,
    /// The engine claims for itself, by `info string claim draw`.
    Engine,
}

impl fmt::Display for ClaimPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClaimPolicy::Always => "always",
            ClaimPolicy::Never => "never",
            ClaimPolicy::Assisted => "assisted",
            ClaimPolicy::Engine => "engine",
        })
    }
}

/// One engine's claim policies, one for each rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimPolicies {
    /// For threefold repetition (Article 9.2).
    pub threefold: ClaimPolicy,
    /// For the fifty-move rule (Article 9.3).
    pub fifty_move: ClaimPolicy,
    /// For `assisted`: the highest score, in centipawns from the engine's side, at which it claims.
    pub threshold_cp: i32,
}

impl fmt::Display for ClaimPolicies {
    /// One word where both rules have the same policy: `assisted`; else `threefold assisted, fifty moves always`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ClaimPolicies { threefold, fifty_move, threshold_cp: _ } = self;
        if threefold == fifty_move {
            threefold.fmt(f)
        } else {
            write!(f, "threefold {threefold}, fifty moves {fifty_move}")
        }
    }
}

//! What the end of a game was for one of its engines: the outcomes that are counted for each of them.

use shakmaty::Color;

use crate::law::verdict::{GameResult, Reason, Verdict};

/// How a game ended for an engine. Every game is exactly one of these for each of its engines; what an engine did to
/// lose counts so where the result is a draw, too, because its opponent could not mate (Articles 6.9, 7.5.5, 5.1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It gave mate.
    MateGiven,
    /// It was mated.
    MateReceived,
    /// A draw by stalemate, whoever was left without a move.
    Stalemate,
    /// A draw.
    DeadPosition,
    /// A draw.
    FivefoldRepetition,
    /// A draw.
    SeventyFiveMoveRule,
    /// A draw, whoever claimed it and however.
    ThreefoldRepetition,
    /// A draw, whoever claimed it and however.
    FiftyMoveRule,
    /// A draw.
    Agreement,
    /// It resigned.
    Resigned,
    /// Its flag fell.
    FlagFall,
    /// Its move was illegal.
    IllegalMove,
    /// It broke UCI.
    ProtocolViolation,
    /// Its process ended.
    Disconnect,
    /// It did not answer.
    Stall,
    /// Its opponent did one of the six things before.
    OpponentForfeited,
    /// A setting of the match gave it the game.
    AdjudicatedWin,
    /// A setting of the match called the game drawn.
    AdjudicatedDraw,
    /// A setting of the match gave the game to its opponent.
    AdjudicatedLoss,
}

impl Outcome {
    /// What this verdict is for the engine that has this colour.
    pub fn of(verdict: &Verdict, color: Color) -> Outcome {
        let own = verdict.by() == Some(color);
        let forfeited = |outcome| if own { outcome } else { Outcome::OpponentForfeited };
        match verdict.reason() {
            Reason::Checkmate if own => Outcome::MateGiven,
            Reason::Checkmate => Outcome::MateReceived,
            Reason::Stalemate => Outcome::Stalemate,
            Reason::DeadPosition => Outcome::DeadPosition,
            Reason::FivefoldRepetition => Outcome::FivefoldRepetition,
            Reason::SeventyFiveMoveRule => Outcome::SeventyFiveMoveRule,
            Reason::ThreefoldRepetition(_) => Outcome::ThreefoldRepetition,
            Reason::FiftyMoveRule(_) => Outcome::FiftyMoveRule,
            Reason::Agreement => Outcome::Agreement,
            Reason::Resignation => forfeited(Outcome::Resigned),
            Reason::FlagFall => forfeited(Outcome::FlagFall),
            Reason::IllegalMove => forfeited(Outcome::IllegalMove),
            Reason::ProtocolViolation => forfeited(Outcome::ProtocolViolation),
            Reason::Disconnect => forfeited(Outcome::Disconnect),
            Reason::Stall => forfeited(Outcome::Stall),
            Reason::Adjudication(_) => match verdict.result() {
                GameResult::Draw => Outcome::AdjudicatedDraw,
                result if result.winner() == Some(color) => Outcome::AdjudicatedWin,
                _ => Outcome::AdjudicatedLoss,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::adjudication::{Adjudication, TableAnswer};
    use crate::law::verdict::{ClaimBasis, ClaimRule, Forfeit, MatingChance};

    /// For White and for Black.
    fn both(verdict: &Verdict) -> [Outcome; 2] {
        [Color::White, Color::Black].map(|color| Outcome::of(verdict, color))
    }

    #[test]
    fn a_game_is_one_thing_for_each_engine() {
        assert_eq!(both(&Verdict::checkmate(Color::Black)), [Outcome::MateReceived, Outcome::MateGiven]);
        assert_eq!(both(&Verdict::stalemate()), [Outcome::Stalemate; 2]);
        let claimed = Verdict::claimed_draw(ClaimRule::FiftyMove, ClaimBasis::Appeared, Color::White);
        assert_eq!(both(&claimed), [Outcome::FiftyMoveRule; 2]);
        for opponent in [MatingChance::Possible, MatingChance::Impossible] {
            for (forfeit, own) in [
                (Forfeit::FlagFall, Outcome::FlagFall),
                (Forfeit::IllegalMove, Outcome::IllegalMove),
                (Forfeit::Disconnect, Outcome::Disconnect),
                (Forfeit::Stall, Outcome::Stall),
                (Forfeit::ProtocolViolation, Outcome::ProtocolViolation),
                (Forfeit::Resignation, Outcome::Resigned),
            ] {
                let verdict = Verdict::forfeit(Color::White, forfeit, opponent);
                assert_eq!(both(&verdict), [own, Outcome::OpponentForfeited], "{verdict}");
            }
        }
        for (answer, expected) in [
            (TableAnswer::Wins(Color::White), [Outcome::AdjudicatedWin, Outcome::AdjudicatedLoss]),
            (TableAnswer::Wins(Color::Black), [Outcome::AdjudicatedLoss, Outcome::AdjudicatedWin]),
            (TableAnswer::Draw, [Outcome::AdjudicatedDraw; 2]),
        ] {
            let verdict = Verdict::adjudicated(Adjudication::Tablebase(answer), MatingChance::Possible);
            assert_eq!(both(&verdict), expected, "{verdict}");
        }
    }
}

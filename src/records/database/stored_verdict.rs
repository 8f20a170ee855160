//! A verdict as text: JSON that says which constructor of [`Verdict`] made it, so that nothing else can be read back.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::law::adjudication::{Adjudication, DrawRule, ResignRule, TableAnswer};
use crate::law::verdict::{ClaimBasis, ClaimRule, Forfeit, GameResult, MatingChance, Reason, Verdict};

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Side {
    White,
    Black,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub(super) enum StoredVerdict {
    Checkmate {
        by: Side,
    },
    Stalemate,
    DeadPosition,
    FivefoldRepetition,
    SeventyFiveMoveRule,
    ThreefoldRepetition {
        by: Side,
        intended: Option<String>,
    },
    FiftyMoveRule {
        by: Side,
        intended: Option<String>,
    },
    FlagFall {
        by: Side,
        opponent: Chance,
    },
    IllegalMove {
        by: Side,
        opponent: Chance,
    },
    Disconnect {
        by: Side,
        opponent: Chance,
    },
    Stall {
        by: Side,
        opponent: Chance,
    },
    ProtocolViolation {
        by: Side,
        opponent: Chance,
    },
    Resignation {
        by: Side,
        opponent: Chance,
    },
    Agreement {
        by: Side,
    },
    AdjudicationDraw {
        from_move: NonZeroU32,
        count: NonZeroU32,
        centipawns: u32,
        reset_on_zeroing: bool,
    },
    AdjudicationResign {
        loser: Side,
        count: NonZeroU32,
        centipawns: NonZeroU32,
        two_sided: bool,
        winner: Chance,
    },
    AdjudicationTablebase {
        wins: Option<Side>,
        too_long: bool,
        winner: Chance,
    },
    AdjudicationMoveLimit {
        moves: NonZeroU32,
    },
}

/// Whether the side that gains by a verdict can still mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Chance {
    CanMate,
    CannotMate,
    Unsettled,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl From<Chance> for MatingChance {
    fn from(chance: Chance) -> MatingChance {
        match chance {
            Chance::CanMate => MatingChance::Possible,
            Chance::CannotMate => MatingChance::Impossible,
            Chance::Unsettled => MatingChance::Unsettled,
        }
    }
}

impl Chance {
    /// What a verdict that somebody gains by says of that side.
    fn of(verdict: &Verdict) -> Chance {
        if verdict.result() == GameResult::Draw {
            Chance::CannotMate
        } else if verdict.is_unsettled() {
            Chance::Unsettled
        } else {
            Chance::CanMate
        }
    }
}

impl StoredVerdict {
    /// `None` for a verdict that lacks the side it is about, which no constructor makes.
    pub(super) fn of(verdict: &Verdict) -> Option<StoredVerdict> {
        let opponent = Chance::of(verdict);
        let by = || verdict.by().map(Side::from);
        let intended = |basis: &ClaimBasis| match basis {
            ClaimBasis::Appeared => None,
            ClaimBasis::Intended(san) => Some(san.clone()),
        };
        Some(match verdict.reason() {
            Reason::Checkmate => StoredVerdict::Checkmate { by: by()? },
            Reason::Stalemate => StoredVerdict::Stalemate,
            Reason::DeadPosition => StoredVerdict::DeadPosition,
            Reason::FivefoldRepetition => StoredVerdict::FivefoldRepetition,
            Reason::SeventyFiveMoveRule => StoredVerdict::SeventyFiveMoveRule,
            Reason::ThreefoldRepetition(basis) => {
                StoredVerdict::ThreefoldRepetition { by: by()?, intended: intended(basis) }
            }
            Reason::FiftyMoveRule(basis) => {
                StoredVerdict::FiftyMoveRule { by: by()?, intended: intended(basis) }
            }
            Reason::FlagFall => StoredVerdict::FlagFall { by: by()?, opponent },
            Reason::IllegalMove => StoredVerdict::IllegalMove { by: by()?, opponent },
            Reason::Disconnect => StoredVerdict::Disconnect { by: by()?, opponent },
            Reason::Stall => StoredVerdict::Stall { by: by()?, opponent },
            Reason::ProtocolViolation => StoredVerdict::ProtocolViolation { by: by()?, opponent },
            Reason::Resignation => StoredVerdict::Resignation { by: by()?, opponent },
            Reason::Agreement => StoredVerdict::Agreement { by: by()? },
            Reason::Adjudication(adjudication) => StoredVerdict::of_adjudication(*adjudication, opponent),
        })
    }

    fn of_adjudication(adjudication: Adjudication, winner: Chance) -> StoredVerdict {
        match adjudication {
            Adjudication::Draw(DrawRule { from_move, count, centipawns, reset_on_zeroing }) => {
                StoredVerdict::AdjudicationDraw { from_move, count, centipawns, reset_on_zeroing }
            }
            Adjudication::Resign { loser, rule: ResignRule { count, centipawns, two_sided } } => {
                StoredVerdict::AdjudicationResign {
                    loser: loser.into(),
                    count,
                    centipawns,
                    two_sided,
                    winner,
                }
            }
            Adjudication::Tablebase(answer) => {
                let (wins, too_long) = match answer {
                    TableAnswer::Wins(side) => (Some(side.into()), false),
                    TableAnswer::Draw => (None, false),
                    TableAnswer::TooLong => (None, true),
                };
                StoredVerdict::AdjudicationTablebase { wins, too_long, winner }
            }
            Adjudication::MoveLimit(moves) => StoredVerdict::AdjudicationMoveLimit { moves },
        }
    }

    /// The verdict itself.
    pub(super) fn restored(self) -> Verdict {
        let forfeit =
            |by: Side, forfeit, opponent: Chance| Verdict::forfeit(by.into(), forfeit, opponent.into());
        let claimed = |rule, by: Side, intended: Option<String>| {
            let basis = intended.map_or(ClaimBasis::Appeared, ClaimBasis::Intended);
            Verdict::claimed_draw(rule, basis, by.into())
        };
        match self {
            StoredVerdict::Checkmate { by } => Verdict::checkmate(by.into()),
            StoredVerdict::Stalemate => Verdict::stalemate(),
            StoredVerdict::DeadPosition => Verdict::dead_position(),
            StoredVerdict::FivefoldRepetition => Verdict::fivefold_repetition(),
            StoredVerdict::SeventyFiveMoveRule => Verdict::seventy_five_move_rule(),
            StoredVerdict::ThreefoldRepetition { by, intended } => {
                claimed(ClaimRule::Threefold, by, intended)
            }
            StoredVerdict::FiftyMoveRule { by, intended } => claimed(ClaimRule::FiftyMove, by, intended),
            StoredVerdict::FlagFall { by, opponent } => forfeit(by, Forfeit::FlagFall, opponent),
            StoredVerdict::IllegalMove { by, opponent } => forfeit(by, Forfeit::IllegalMove, opponent),
            StoredVerdict::Disconnect { by, opponent } => forfeit(by, Forfeit::Disconnect, opponent),
            StoredVerdict::Stall { by, opponent } => forfeit(by, Forfeit::Stall, opponent),
            StoredVerdict::ProtocolViolation { by, opponent } => {
                forfeit(by, Forfeit::ProtocolViolation, opponent)
            }
            StoredVerdict::Resignation { by, opponent } => forfeit(by, Forfeit::Resignation, opponent),
            StoredVerdict::Agreement { by } => Verdict::agreement(by.into()),
            StoredVerdict::AdjudicationDraw { from_move, count, centipawns, reset_on_zeroing } => {
                let rule = DrawRule { from_move, count, centipawns, reset_on_zeroing };
                Verdict::adjudicated(Adjudication::Draw(rule), MatingChance::Possible)
            }
            StoredVerdict::AdjudicationResign { loser, count, centipawns, two_sided, winner } => {
                let rule = ResignRule { count, centipawns, two_sided };
                Verdict::adjudicated(Adjudication::Resign { loser: loser.into(), rule }, winner.into())
            }
            StoredVerdict::AdjudicationTablebase { wins, too_long, winner } => {
                let answer = match wins {
                    Some(side) => TableAnswer::Wins(side.into()),
                    None if too_long => TableAnswer::TooLong,
                    None => TableAnswer::Draw,
                };
                Verdict::adjudicated(Adjudication::Tablebase(answer), winner.into())
            }
            StoredVerdict::AdjudicationMoveLimit { moves } => {
                Verdict::adjudicated(Adjudication::MoveLimit(moves), MatingChance::Possible)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every verdict that the constructors can make, each kind once for each side and chance.
    fn all() -> Vec<Verdict> {
        let mut all = vec![
            Verdict::stalemate(),
            Verdict::dead_position(),
            Verdict::fivefold_repetition(),
            Verdict::seventy_five_move_rule(),
        ];
        let chances = [MatingChance::Possible, MatingChance::Impossible, MatingChance::Unsettled];
        let count = NonZeroU32::new(7).unwrap();
        for side in Color::ALL {
            all.extend([Verdict::checkmate(side), Verdict::agreement(side)]);
            for rule in [ClaimRule::Threefold, ClaimRule::FiftyMove] {
                for basis in [ClaimBasis::Appeared, ClaimBasis::Intended("Nf3".to_owned())] {
                    all.push(Verdict::claimed_draw(rule, basis, side));
                }
            }
            for chance in chances {
                for forfeit in [
                    Forfeit::FlagFall,
                    Forfeit::IllegalMove,
                    Forfeit::Disconnect,
                    Forfeit::Stall,
                    Forfeit::ProtocolViolation,
                    Forfeit::Resignation,
                ] {
                    all.push(Verdict::forfeit(side, forfeit, chance));
                }
                let resign = ResignRule { count, two_sided: true, ..ResignRule::default() };
                for adjudication in [
                    Adjudication::Resign { loser: side, rule: resign },
                    Adjudication::Tablebase(TableAnswer::Wins(side)),
                    Adjudication::Tablebase(TableAnswer::Draw),
                    Adjudication::Tablebase(TableAnswer::TooLong),
                    Adjudication::Draw(DrawRule { count, reset_on_zeroing: true, ..DrawRule::default() }),
                    Adjudication::MoveLimit(count),
                ] {
                    all.push(Verdict::adjudicated(adjudication, chance));
                }
            }
        }
        all
    }

    #[test]
    fn every_verdict_comes_back_as_it_was() {
        for verdict in all() {
            let text = serde_json::to_string(&StoredVerdict::of(&verdict).unwrap()).unwrap();
            let read: StoredVerdict = serde_json::from_str(&text).unwrap();
            assert_eq!(read.restored(), verdict, "{text}");
            assert!(text.contains(&format!("\"reason\":\"{}\"", verdict.reason().name())), "{text}");
        }
    }
}

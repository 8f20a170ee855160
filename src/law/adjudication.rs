//! What a match may settle without the Laws: its rules of adjudication, what they found, the same in words.

use std::fmt;
use std::num::NonZeroU32;

use shakmaty::Color;

use super::verdict::{GameResult, side_name};

/// A draw by scores: both sides' scores were near 0 for some full moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The full move of the game, as the position counts them, that has to be complete.
    pub from_move: NonZeroU32,
    /// Consecutive moves of each side.
    pub count: NonZeroU32,
    /// The greatest distance from 0, in centipawns.
    pub centipawns: u32,
    /// A capture or pawn move starts the count anew, and is the first to be counted.
    pub reset_on_zeroing: bool,
}

impl Default for DrawRule {
    fn default() -> DrawRule {
        DrawRule { from_move: fixed(40), count: fixed(8), centipawns: 10, reset_on_zeroing: false }
    }
}

impl fmt::Display for DrawRule {
    /// `draw from move 40 on, both scores within 0.10 for 8 moves`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule { from_move, count, centipawns, reset_on_zeroing } = self;
        write!(f, "draw from move {from_move} on, both scores within {} ", pawns(*centipawns))?;
        write!(f, "for {}", moves(*count))?;
        f.write_str(if *reset_on_zeroing { " without capture or pawn move between them" } else { "" })
    }
}

/// A loss by scores: a side's own scores were bad for some of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Consecutive moves of the losing side; with `two_sided` of the other side too.
    pub count: NonZeroU32,
    /// How bad, in centipawns.
    pub centipawns: NonZeroU32,
    /// The opponent's scores have to say the same.
    pub two_sided: bool,
}

impl Default for ResignRule {
    fn default() -> ResignRule {
        ResignRule { count: fixed(3), centipawns: fixed(600), two_sided: false }
    }
}

impl fmt::Display for ResignRule {
    /// `resign at -6.00 or less for 3 moves, if the opponent agrees`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResignRule { count, centipawns, two_sided } = self;
        write!(f, "resign at -{} or less for {}", pawns(centipawns.get()), moves(*count))?;
        f.write_str(if *two_sided { ", if the opponent's score agrees" } else { "" })
    }
}

/// What endgame tables say of a position, the halfmove clock taken into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableAnswer {
    /// This side wins.
    Wins(Color),
    /// Neither side wins.
    Draw,
    /// A side wins, but not before the fifty-move rule can be claimed: a draw.
    TooLong,
}

/// Which rule of adjudication ended a game, on which grounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// By scores near 0.
    Draw(DrawRule),
    /// By the bad scores of a side.
    Resign {
        /// The side that its own scores call lost.
        loser: Color,
        /// How bad and how long.
        rule: ResignRule,
    },
    /// By endgame tables.
    Tablebase(TableAnswer),
    /// Both engines have played so many moves.
    MoveLimit(NonZeroU32),
}

impl Adjudication {
    /// The machine name.
    pub fn name(self) -> &'static str {
        match self {
            Adjudication::Draw(_) => "adjudication_draw",
            Adjudication::Resign { .. } => "adjudication_resign",
            Adjudication::Tablebase(_) => "adjudication_tablebase",
            Adjudication::MoveLimit(_) => "adjudication_move_limit",
        }
    }

    /// Who wins by it, if that side can still mate.
    pub fn winner(self) -> Option<Color> {
        match self {
            Adjudication::Resign { loser, .. } => Some(!loser),
            Adjudication::Tablebase(TableAnswer::Wins(side)) => Some(side),
            Adjudication::Draw(_)
            | Adjudication::Tablebase(TableAnswer::Draw | TableAnswer::TooLong)
            | Adjudication::MoveLimit(_) => None,
        }
    }

    /// `White wins by adjudication: …`; where the side that would win can't mate the result is a draw.
    pub(super) fn words(self, f: &mut fmt::Formatter<'_>, result: GameResult) -> fmt::Result {
        match result.winner() {
            Some(side) => write!(f, "{} wins by adjudication: ", side_name(side))?,
            None => f.write_str("Draw by adjudication: ")?,
        }
        match self {
            Adjudication::Draw(rule) => {
                write!(f, "both scores within {} for {}", pawns(rule.centipawns), moves(rule.count))
            }
            Adjudication::Resign { loser, rule } => {
                let (size, winner) = (pawns(rule.centipawns.get()), side_name(!loser));
                write!(f, "{}'s score was -{size} or less ", side_name(loser))?;
                if rule.two_sided {
                    write!(f, "and {winner}'s +{size} or more ")?;
                }
                write!(f, "for {}", moves(rule.count))?;
                if result == GameResult::Draw { write!(f, ", but {winner} cannot mate") } else { Ok(()) }
            }
            Adjudication::Tablebase(TableAnswer::Wins(_)) => f.write_str("a tablebase win"),
            Adjudication::Tablebase(TableAnswer::Draw) => f.write_str("a tablebase draw"),
            Adjudication::Tablebase(TableAnswer::TooLong) => {
                f.write_str("a tablebase win that takes longer than the fifty-move rule allows")
            }
            Adjudication::MoveLimit(limit) => write!(f, "the engines have played {}", moves(limit)),
        }
    }
}

/// `6.00`
fn pawns(centipawns: u32) -> String {
    format!("{}.{:02}", centipawns / 100, centipawns % 100)
}

fn moves(count: NonZeroU32) -> String {
    if count == NonZeroU32::MIN { "1 move".to_owned() } else { format!("{count} moves") }
}

const fn fixed(number: u32) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(number - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_in_words() {
        assert_eq!(
            DrawRule::default().to_string(),
            "draw from move 40 on, both scores within 0.10 for 8 moves"
        );
        let reset = DrawRule { reset_on_zeroing: true, count: fixed(1), ..DrawRule::default() };
        assert!(reset.to_string().ends_with("for 1 move without capture or pawn move between them"));
        assert_eq!(ResignRule::default().to_string(), "resign at -6.00 or less for 3 moves");
        let agreed = ResignRule { two_sided: true, ..ResignRule::default() };
        assert!(agreed.to_string().ends_with("for 3 moves, if the opponent's score agrees"));
    }
}

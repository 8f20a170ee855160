//! How a game ended: result, reason and article together, and the same in words.

use std::fmt;

use shakmaty::Color;

use super::adjudication::Adjudication;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
}

impl GameResult {
    /// The win of one side.
    pub fn win_of(side: Color) -> GameResult {
        side.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
    }

    /// The side that won, if one did.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
        }
    }

    /// As PGN writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a draw claim stands on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimBasis {
    /// The condition holds already (Articles 9.2.2, 9.3.2).
    Appeared,
    /// The named move, in SAN, would bring it about (Articles 9.2.1, 9.3.1); it is not played.
    Intended(String),
}

/// Why a game ended. Each variant's article is in the Laws of 1 January 2023.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Article 5.1.1.
    Checkmate,
    /// Article 5.2.1.
    Stalemate,
    /// Article 5.2.2: neither side can mate by any series of legal moves.
    DeadPosition,
    /// Article 9.6.1, automatic.
    FivefoldRepetition,
    /// Article 9.6.2, automatic; a mate on the same move goes first.
    SeventyFiveMoveRule,
    /// Articles 9.2.1 and 9.2.2, claimed.
    ThreefoldRepetition(ClaimBasis),
    /// Articles 9.3.1 and 9.3.2, claimed.
    FiftyMoveRule(ClaimBasis),
    /// Article 6.9.
    FlagFall,
    /// Article 7.5.5; engine practice is that the first one loses.
    IllegalMove,
    /// Tournament rule: the engine's process ended or closed its output.
    Disconnect,
    /// Tournament rule: the engine stopped answering where no clock runs.
    Stall,
    /// Tournament rule: the engine broke UCI so that the game can't go on.
    ProtocolViolation,
    /// Article 5.1.2.
    Resignation,
    /// Article 5.2.3: an offer, accepted.
    Agreement,
    /// Tournament rule: a setting of the match ended the game.
    Adjudication(Adjudication),
}

impl Reason {
    /// The machine name.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::DeadPosition => "dead_position",
            Reason::FivefoldRepetition => "fivefold_repetition",
            Reason::SeventyFiveMoveRule => "seventy_five_move_rule",
            Reason::ThreefoldRepetition(_) => "threefold_repetition",
            Reason::FiftyMoveRule(_) => "fifty_move_rule",
            Reason::FlagFall => "flag_fall",
            Reason::IllegalMove => "illegal_move",
            Reason::Disconnect => "disconnect",
            Reason::Stall => "stall",
            Reason::ProtocolViolation => "protocol_violation",
            Reason::Resignation => "resignation",
            Reason::Agreement => "agreement",
            Reason::Adjudication(adjudication) => adjudication.name(),
        }
    }

    /// Whether an engine's failure ended the game, not what happened on the board.
    pub fn is_fault(&self) -> bool {
        match self {
            Reason::FlagFall
            | Reason::IllegalMove
            | Reason::Disconnect
            | Reason::Stall
            | Reason::ProtocolViolation => true,
            Reason::Checkmate
            | Reason::Stalemate
            | Reason::DeadPosition
            | Reason::FivefoldRepetition
            | Reason::SeventyFiveMoveRule
            | Reason::ThreefoldRepetition(_)
            | Reason::FiftyMoveRule(_)
            | Reason::Resignation
            | Reason::Agreement
            | Reason::Adjudication(_) => false,
        }
    }

    /// The article of the Laws, `None` for tournament rules.
    pub fn article(&self) -> Option<&'static str> {
        match self {
            Reason::Checkmate => Some("5.1.1"),
            Reason::Stalemate => Some("5.2.1"),
            Reason::DeadPosition => Some("5.2.2"),
            Reason::FivefoldRepetition => Some("9.6.1"),
            Reason::SeventyFiveMoveRule => Some("9.6.2"),
            Reason::ThreefoldRepetition(ClaimBasis::Intended(_)) => Some("9.2.1"),
            Reason::ThreefoldRepetition(ClaimBasis::Appeared) => Some("9.2.2"),
            Reason::FiftyMoveRule(ClaimBasis::Intended(_)) => Some("9.3.1"),
            Reason::FiftyMoveRule(ClaimBasis::Appeared) => Some("9.3.2"),
            Reason::FlagFall => Some("6.9"),
            Reason::IllegalMove => Some("7.5.5"),
            Reason::Resignation => Some("5.1.2"),
            Reason::Agreement => Some("5.2.3"),
            Reason::Disconnect | Reason::Stall | Reason::ProtocolViolation | Reason::Adjudication(_) => None,
        }
    }

    /// The value of the PGN standard's `Termination` tag.
    pub fn pgn_termination(&self) -> &'static str {
        match self {
            Reason::FlagFall => "time forfeit",
            Reason::IllegalMove | Reason::ProtocolViolation => "rules infraction",
            Reason::Disconnect | Reason::Stall => "abandoned",
            Reason::Adjudication(_) => "adjudication",
            _ => "normal",
        }
    }
}

/// What a side did that loses the game, unless the opponent can't mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeit {
    /// Article 6.9.
    FlagFall,
    /// Article 7.5.5.
    IllegalMove,
    /// The engine's process ended or closed its output.
    Disconnect,
    /// The engine stopped answering where no clock runs.
    Stall,
    /// The engine broke UCI so that the game can't go on.
    ProtocolViolation,
    /// Article 5.1.2.
    Resignation,
}

/// Whether a side can still give mate by some series of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatingChance {
    /// It can.
    Possible,
    /// It can't.
    Impossible,
    /// The search's budget was spent first; treated as possible, and said.
    Unsettled,
}

/// A rule under which a draw can be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimRule {
    /// Article 9.2.
    Threefold,
    /// Article 9.3.
    FiftyMove,
}

impl ClaimRule {
    /// The reason of a game that ends by this claim.
    pub fn reason(self, basis: ClaimBasis) -> Reason {
        match self {
            ClaimRule::Threefold => Reason::ThreefoldRepetition(basis),
            ClaimRule::FiftyMove => Reason::FiftyMoveRule(basis),
        }
    }
}

/// How a game ended. Result, reason, article and the acting side always belong together: it is made only by the
/// constructors below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    result: GameResult,
    reason: Reason,
    by: Option<Color>,
    /// The game counts as lost only because nobody knows whether the opponent can still mate.
    unsettled: bool,
}

impl Verdict {
    /// Mate on the board, given by `winner` (Article 5.1.1).
    pub fn checkmate(winner: Color) -> Verdict {
        Verdict {
            result: GameResult::win_of(winner),
            reason: Reason::Checkmate,
            by: Some(winner),
            unsettled: false,
        }
    }

    /// The side to move has no legal move and is not in check (Article 5.2.1).
    pub fn stalemate() -> Verdict {
        Verdict::automatic_draw(Reason::Stalemate)
    }

    /// Neither side can mate (Article 5.2.2).
    pub fn dead_position() -> Verdict {
        Verdict::automatic_draw(Reason::DeadPosition)
    }

    /// The same position for the fifth time (Article 9.6.1).
    pub fn fivefold_repetition() -> Verdict {
        Verdict::automatic_draw(Reason::FivefoldRepetition)
    }

    /// 150 plies without pawn move or capture (Article 9.6.2).
    pub fn seventy_five_move_rule() -> Verdict {
        Verdict::automatic_draw(Reason::SeventyFiveMoveRule)
    }

    /// A correct claim by `claimant`.
    pub fn claimed_draw(rule: ClaimRule, basis: ClaimBasis, claimant: Color) -> Verdict {
        Verdict { result: GameResult::Draw, reason: rule.reason(basis), by: Some(claimant), unsettled: false }
    }

    /// `side` did what loses the game; where the opponent can't mate it is a draw (5.1.2, 6.9, 7.5.5 and, for
    /// tournament rules, by analogy).
    pub fn forfeit(side: Color, forfeit: Forfeit, opponent: MatingChance) -> Verdict {
        let reason = match forfeit {
            Forfeit::FlagFall => Reason::FlagFall,
            Forfeit::IllegalMove => Reason::IllegalMove,
            Forfeit::Disconnect => Reason::Disconnect,
            Forfeit::Stall => Reason::Stall,
            Forfeit::ProtocolViolation => Reason::ProtocolViolation,
            Forfeit::Resignation => Reason::Resignation,
        };
        let result = match opponent {
            MatingChance::Impossible => GameResult::Draw,
            MatingChance::Possible | MatingChance::Unsettled => GameResult::win_of(!side),
        };
        Verdict { result, reason, by: Some(side), unsettled: opponent == MatingChance::Unsettled }
    }

    /// `accepting` takes the opponent's offer (Article 5.2.3).
    pub fn agreement(accepting: Color) -> Verdict {
        Verdict { result: GameResult::Draw, reason: Reason::Agreement, by: Some(accepting), unsettled: false }
    }

    /// A setting of the match ended the game; where the side that would win can't mate it is a draw (by analogy with
    /// 5.1.2). `winner` says whether it can, and counts only where there is one.
    pub fn adjudicated(adjudication: Adjudication, winner: MatingChance) -> Verdict {
        let won = adjudication.winner().filter(|_| winner != MatingChance::Impossible);
        Verdict {
            result: won.map_or(GameResult::Draw, GameResult::win_of),
            reason: Reason::Adjudication(adjudication),
            by: None,
            unsettled: won.is_some() && winner == MatingChance::Unsettled,
        }
    }

    fn automatic_draw(reason: Reason) -> Verdict {
        Verdict { result: GameResult::Draw, reason, by: None, unsettled: false }
    }

    /// Who won.
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Why, with its article.
    pub fn reason(&self) -> &Reason {
        &self.reason
    }

    /// The side that mated, claimed or forfeited; `None` for draws that nobody brings about, and for adjudications.
    pub fn by(&self) -> Option<Color> {
        self.by
    }

    /// The article of the Laws, `None` for tournament rules.
    pub fn article(&self) -> Option<&'static str> {
        self.reason.article()
    }

    /// Whether the game counts as lost only because nobody knows whether the opponent can still mate.
    pub fn is_unsettled(&self) -> bool {
        self.unsettled
    }
}

/// `White`, `Black`.
pub fn side_name(side: Color) -> &'static str {
    side.fold_wb("White", "Black")
}

impl fmt::Display for Verdict {
    /// One sentence without full stop: `Draw by fivefold repetition (Article 9.6.1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = self.by.map_or("", side_name);
        match &self.reason {
            Reason::Checkmate => write!(f, "{by} wins by checkmate")?,
            Reason::Stalemate => f.write_str("Draw by stalemate")?,
            Reason::DeadPosition => f.write_str("Draw by dead position")?,
            Reason::FivefoldRepetition => f.write_str("Draw by fivefold repetition")?,
            Reason::SeventyFiveMoveRule => f.write_str("Draw by the seventy-five-move rule")?,
            Reason::ThreefoldRepetition(basis) => claim_words(f, "threefold repetition", by, basis)?,
            Reason::FiftyMoveRule(basis) => claim_words(f, "the fifty-move rule", by, basis)?,
            Reason::Agreement => write!(f, "Draw by agreement, accepted by {by}")?,
            Reason::FlagFall => self.forfeit_words(f, "loses on time", "flag fell")?,
            Reason::IllegalMove => self.forfeit_words(f, "loses by an illegal move", "move was illegal")?,
            Reason::Disconnect => self.forfeit_words(f, "loses by disconnection", "engine disconnected")?,
            Reason::Stall => self.forfeit_words(f, "loses by a stall", "engine stalled")?,
            Reason::ProtocolViolation => {
                self.forfeit_words(f, "loses by a protocol violation", "engine broke UCI")?
            }
            Reason::Resignation => self.forfeit_words(f, "resigns", "resignation came")?,
            Reason::Adjudication(adjudication) => adjudication.words(f, self.result)?,
        }
        if let Some(article) = self.article() {
            write!(f, " (Article {article})")?;
        }
        match self.result.winner().filter(|_| self.unsettled) {
            Some(side) => write!(f, "; whether {} can still mate was not settled", side_name(side)),
            None => Ok(()),
        }
    }
}

fn claim_words(f: &mut fmt::Formatter<'_>, rule: &str, by: &str, basis: &ClaimBasis) -> fmt::Result {
    match basis {
        ClaimBasis::Appeared => write!(f, "Draw by {rule}, claimed by {by}"),
        ClaimBasis::Intended(san) => {
            write!(f, "Draw by {rule}, claimed by {by} with the intended move {san}")
        }
    }
}

impl Verdict {
    fn forfeit_words(&self, f: &mut fmt::Formatter<'_>, lost: &str, happened: &str) -> fmt::Result {
        let by = self.by.map_or("", side_name);
        match self.by {
            Some(side) if self.result == GameResult::Draw => {
                write!(f, "Draw: {by}'s {happened}, but {} cannot mate", side_name(!side))
            }
            _ => write!(f, "{by} {lost}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::law::adjudication::{DrawRule, ResignRule, TableAnswer};

    #[test]
    fn verdicts_in_words() {
        let intended = ClaimBasis::Intended("Nf3".to_owned());
        let cases = [
            (Verdict::checkmate(Color::Black), "Black wins by checkmate (Article 5.1.1)"),
            (Verdict::fivefold_repetition(), "Draw by fivefold repetition (Article 9.6.1)"),
            (
                Verdict::claimed_draw(ClaimRule::Threefold, intended, Color::White),
                "Draw by threefold repetition, claimed by White with the intended move Nf3 (Article 9.2.1)",
            ),
            (
                Verdict::claimed_draw(ClaimRule::FiftyMove, ClaimBasis::Appeared, Color::Black),
                "Draw by the fifty-move rule, claimed by Black (Article 9.3.2)",
            ),
            (
                Verdict::forfeit(Color::White, Forfeit::FlagFall, MatingChance::Possible),
                "White loses on time (Article 6.9)",
            ),
            (
                Verdict::forfeit(Color::White, Forfeit::FlagFall, MatingChance::Impossible),
                "Draw: White's flag fell, but Black cannot mate (Article 6.9)",
            ),
            (
                Verdict::forfeit(Color::Black, Forfeit::Disconnect, MatingChance::Possible),
                "Black loses by disconnection",
            ),
        ];
        for (verdict, words) in cases {
            assert_eq!(verdict.to_string(), words);
        }
    }

    #[test]
    fn adjudications_in_words() {
        use MatingChance::{Impossible, Possible, Unsettled};
        let resign = |two_sided| Adjudication::Resign {
            loser: Color::Black,
            rule: ResignRule { two_sided, ..ResignRule::default() },
        };
        let lost = "Black's score was -6.00 or less for 3 moves";
        let both = "Black's score was -6.00 or less and White's +6.00 or more for 3 moves";
        let limit = Adjudication::MoveLimit(NonZeroU32::MIN);
        for (adjudication, chance, words) in [
            (resign(false), Possible, format!("White wins by adjudication: {lost}")),
            (resign(true), Possible, format!("White wins by adjudication: {both}")),
            (resign(false), Impossible, format!("Draw by adjudication: {lost}, but White cannot mate")),
            (
                resign(false),
                Unsettled,
                format!("White wins by adjudication: {lost}; whether White can still mate was not settled"),
            ),
            (
                Adjudication::Draw(DrawRule::default()),
                Impossible,
                "Draw by adjudication: both scores within 0.10 for 8 moves".to_owned(),
            ),
            (
                Adjudication::Tablebase(TableAnswer::Wins(Color::White)),
                Possible,
                "White wins by adjudication: a tablebase win".to_owned(),
            ),
            (limit, Unsettled, "Draw by adjudication: the engines have played 1 move".to_owned()),
        ] {
            let verdict = Verdict::adjudicated(adjudication, chance);
            assert_eq!(verdict.to_string(), words);
            let expected = if words.starts_with("White") { GameResult::WhiteWins } else { GameResult::Draw };
            assert_eq!(verdict.result(), expected, "{words}");
            assert_eq!((verdict.article(), verdict.by()), (None, None));
            assert_eq!(verdict.reason().pgn_termination(), "adjudication");
            assert!(verdict.reason().name().starts_with("adjudication_"));
        }
    }

    #[test]
    fn g_11_the_words_agree_with_the_result() {
        for side in Color::ALL {
            for forfeit in [
                Forfeit::FlagFall,
                Forfeit::IllegalMove,
                Forfeit::Disconnect,
                Forfeit::Stall,
                Forfeit::ProtocolViolation,
                Forfeit::Resignation,
            ] {
                let lost = Verdict::forfeit(side, forfeit, MatingChance::Possible);
                assert_eq!(lost.result().winner(), Some(!side));
                assert!(lost.to_string().starts_with(side_name(side)), "{lost}");
                let drawn = Verdict::forfeit(side, forfeit, MatingChance::Impossible);
                assert_eq!(drawn.result(), GameResult::Draw);
                assert!(drawn.to_string().starts_with("Draw"), "{drawn}");
                assert_eq!(drawn.article(), lost.article());
            }
        }
    }
}

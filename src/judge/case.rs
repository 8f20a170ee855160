//! One game to judge, as JSON lines and the command line give it.

use shakmaty::{CastlingMode, Chess};

use super::review::{Event, EventFault, JudgeOptions, Judgement, Review};
use crate::law::game_state::GameState;
use crate::law::notation::fen::{self, FenError};
use crate::law::verdict::side_name;

/// A start position, moves and what happened then.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The start position; `None` for the initial one.
    pub fen: Option<String>,
    /// The moves, in UCI notation.
    pub moves: Vec<String>,
    /// Chess960: castling is written as king takes rook.
    pub chess960: bool,
    /// What happened at the last position.
    pub event: Option<Event>,
}

/// Why a case can't be judged. Each message starts with the field.
#[derive(Debug, thiserror::Error)]
pub enum CaseFault {
    /// The start position can't be played from.
    #[error("field `fen`: {0}")]
    Fen(#[from] FenError),
    /// A move that the Laws don't allow.
    #[error(
        "field `moves`: `{token}` at ply {ply} is not a legal move for {side} in `{position}`{hint}",
        token = excerpt(token)
    )]
    IllegalMove {
        /// The move as it was given.
        token: String,
        /// The ply that it would have led to: 1 for the first move.
        ply: u32,
        /// The side to move.
        side: &'static str,
        /// The position before it.
        position: String,
        /// What may be meant.
        hint: String,
    },
    /// An event that can't have happened.
    #[error("field `event`: {0}")]
    Event(#[from] EventFault),
}

/// Judges a case.
///
/// # Errors
/// A start position that can't be played from, a move that isn't legal, an event of the wrong side. Moves after the
/// end of the game are not looked at.
pub fn judge(case: &Case, options: &JudgeOptions) -> Result<Judgement, CaseFault> {
    let mode = CastlingMode::from_chess960(case.chess960);
    let (start, notes) = start_position(case.fen.as_deref(), mode)?;
    let mut review = Review::new(GameState::new(start, mode, options.dead_position), options);
    for token in &case.moves {
        if review.is_over() {
            break;
        }
        let played = review
            .state()
            .legal_move(token.as_bytes(), false)
            .ok_or_else(|| illegal_move(review.state(), token))?;
        review.play(played);
    }
    Ok(review.close(case.event)?.with_notes(notes))
}

/// A start position, and what was left out of its FEN in words.
///
/// # Errors
/// See [`fen::parse`].
pub fn start_position(text: Option<&str>, mode: CastlingMode) -> Result<(Chess, Vec<String>), FenError> {
    let Some(text) = text else { return Ok((Chess::default(), Vec::new())) };
    let parsed = fen::parse(text, mode)?;
    Ok((parsed.chess, parsed.repairs.iter().map(ToString::to_string).collect()))
}

fn illegal_move(state: &GameState, token: &str) -> CaseFault {
    let mode = state.castling_mode();
    CaseFault::IllegalMove {
        token: token.to_owned(),
        ply: state.ply() + 1,
        side: side_name(state.turn()),
        position: fen::write(state.chess(), mode),
        hint: castling_hint(state, token).unwrap_or_default(),
    }
}

/// Castling in the notation of the other kind of chess is the likeliest mistake.
fn castling_hint(state: &GameState, token: &str) -> Option<String> {
    use crate::law::notation::uci_move;
    use shakmaty::uci::UciMove;
    let mode = state.castling_mode();
    let other = CastlingMode::from_chess960(mode.is_standard());
    let castling = state
        .legal_moves()
        .iter()
        .find(|legal| legal.is_castle() && UciMove::from_move(**legal, other).to_string() == token)?;
    let kind = if mode.is_standard() { "outside Chess960" } else { "in Chess960" };
    Some(format!("; {kind} this castling is `{}`", uci_move::write(*castling, mode)))
}

/// The start of a text that may be of any length, for a message.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::law::verdict::Forfeit;

    fn case(fen: Option<&str>, moves: &str) -> Case {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        Case { fen: fen.map(str::to_owned), moves, ..Case::default() }
    }

    fn judged(case: &Case) -> Judgement {
        judge(case, &JudgeOptions::default()).unwrap()
    }

    fn end(case: &Case) -> Option<(u32, String)> {
        judged(case).end().map(|end| (end.ply, end.verdict.to_string()))
    }

    fn fault(case: &Case) -> String {
        judge(case, &JudgeOptions::default()).unwrap_err().to_string()
    }

    #[test]
    fn moves_after_the_end_are_not_judged() {
        let played_on = case(None, "f2f3 e7e5 g2g4 d8h4 e1e2 nonsense");
        assert_eq!(end(&played_on), Some((4, "Black wins by checkmate (Article 5.1.1)".to_owned())));
        assert_eq!(judged(&played_on).state().ply(), 4);
    }

    #[test]
    fn article_6_9_a_flag_against_a_bare_king_is_a_draw() {
        let mut flagged = case(Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), "e2e4 e8e7 e4e5");
        flagged.event = Some(Event { forfeit: Forfeit::FlagFall, side: Color::Black });
        assert_eq!(end(&flagged), Some((3, "Black loses on time (Article 6.9)".to_owned())));
        flagged.moves.push("e7e6".to_owned());
        flagged.event = Some(Event { forfeit: Forfeit::FlagFall, side: Color::White });
        let words = "Draw: White's flag fell, but Black cannot mate (Article 6.9)";
        assert_eq!(end(&flagged), Some((4, words.to_owned())));
    }

    #[test]
    fn an_event_after_the_end_changes_nothing() {
        let mut mated = case(None, "f2f3 e7e5 g2g4 d8h4");
        mated.event = Some(Event { forfeit: Forfeit::FlagFall, side: Color::Black });
        assert_eq!(end(&mated), Some((4, "Black wins by checkmate (Article 5.1.1)".to_owned())));
    }

    #[test]
    fn only_the_side_to_move_lets_its_flag_fall_or_plays_an_illegal_move() {
        for (forfeit, possible) in [
            (Forfeit::FlagFall, false),
            (Forfeit::IllegalMove, false),
            (Forfeit::Resignation, true),
            (Forfeit::Disconnect, true),
        ] {
            let mut wrong = case(None, "e2e4");
            wrong.event = Some(Event { forfeit, side: Color::White });
            let judged = judge(&wrong, &JudgeOptions::default());
            assert_eq!(judged.is_ok(), possible, "{forfeit:?}");
            if let Err(fault) = judged {
                assert!(fault.to_string().starts_with("field `event`: it is Black's move"), "{fault}");
            }
        }
    }

    #[test]
    fn faults_name_the_field_the_move_and_the_ply() {
        assert_eq!(
            fault(&case(None, "e2e4 e7e5 e4e5")),
            "field `moves`: `e4e5` at ply 3 is not a legal move for White in \
             `rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2`"
        );
        assert_eq!(
            fault(&case(Some("4k3/8/8/8/8/8/8/8 w - - 0 1"), "")),
            "field `fen`: invalid FEN `4k3/8/8/8/8/8/8/8 w - - 0 1`: a king is missing"
        );
        let castling = fault(&case(Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "e1h1"));
        assert!(castling.ends_with("; outside Chess960 this castling is `e1g1`"), "{castling}");
        let mut chess960 = case(Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "e1g1");
        chess960.chess960 = true;
        assert!(fault(&chess960).ends_with("; in Chess960 this castling is `e1h1`"));
    }

    #[test]
    fn r_07_a_claimable_draw_ends_nothing() {
        let repeated = case(None, &"g1f3 g8f6 f3g1 f6g8 ".repeat(2));
        assert_eq!(end(&repeated), None);
        assert_eq!(judged(&repeated).claims().len(), 3);
    }

    #[test]
    fn r_04_a_legal_en_passant_capture_makes_a_different_position_for_claims() {
        let start = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
        let cycle = "e8d8 e1d1 d8e8 d1e1 ";
        let third_like = judged(&case(Some(start), &format!("e2e4 {}", cycle.repeat(2))));
        assert_eq!(third_like.state().occurrences(), 2, "the first one had the capture");
        let claims: Vec<_> = third_like.claims().iter().map(|claim| (claim.ply, &claim.basis)).collect();
        let with_e1d1 = ListedBasis::Intended(vec!["e8d8".to_owned()]);
        assert_eq!(claims, [(9, &with_e1d1)], "another position, and the move is named");
    }

    use crate::judge::review::ListedBasis;

    #[test]
    fn r_12_a_quiet_move_at_99_plies_is_a_correct_claim_and_at_98_none() {
        let claims = |clock: u32| {
            judged(&case(Some(&format!("7k/8/8/8/8/8/7P/K7 w - - {clock} 90")), "")).claims().to_vec()
        };
        assert!(claims(98).is_empty());
        let at_99 = claims(99);
        let moves = ["a1a2", "a1b1", "a1b2"].map(str::to_owned).to_vec();
        assert_eq!(at_99.len(), 1);
        assert_eq!(at_99[0].basis, ListedBasis::Intended(moves));
        assert_eq!(at_99[0].reason().article(), Some("9.3.1"));
    }

    #[test]
    fn r_27_mate_then_stalemate_then_dead() {
        let reason = |fen: &str, moves: &str| end(&case(Some(fen), moves)).map(|(_, words)| words).unwrap();
        assert_eq!(
            reason("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1", ""),
            "Black wins by checkmate (Article 5.1.1)"
        );
        assert_eq!(reason("8/7P/8/4k3/8/8/8/K7 w - - 0 1", "h7h8b"), "Draw by dead position (Article 5.2.2)");
    }

    #[test]
    fn chess960_from_the_initial_position_castles_king_takes_rook() {
        let mut chess960 = case(None, "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1h1 e8h8");
        chess960.chess960 = true;
        let judged = judged(&chess960);
        let fen = fen::write(judged.state().chess(), CastlingMode::Chess960);
        assert_eq!(fen, "rnbq1rk1/ppppppbp/5np1/8/8/5NP1/PPPPPPBP/RNBQ1RK1 w - - 4 5");
    }
}

//! The audit of a PGN game: what the Laws say against what the file says.

use shakmaty::{CastlingMode, Color};

use super::case::{excerpt, start_position};
use super::mating::CanMate;
use super::pgn_game::{FileResult, PgnFault, PgnGame};
use super::review::{JudgeOptions, Judgement, Review};
use crate::law::game_state::GameState;
use crate::law::notation::{fen, san};
use crate::law::verdict::{GameResult, side_name};

/// Whether the file's result is one that the Laws allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// It is.
    Agrees,
    /// It is not, and why.
    Breaks(String),
    /// The file gives no result (`*`, or none at all).
    NoOpinion,
}

impl Agreement {
    /// `true`, `false`, or nothing where the file has no opinion.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Agreement::Agrees => Some(true),
            Agreement::Breaks(_) => Some(false),
            Agreement::NoOpinion => None,
        }
    }
}

/// A game that has been audited.
#[derive(Debug)]
pub struct Audited {
    /// What the Laws say.
    pub judgement: Judgement,
    /// Whether the file's result agrees.
    pub agreement: Agreement,
    /// Moves that the file has after the game was over.
    pub plies_after_end: usize,
}

/// The file's own result: that of the tag, or of the movetext where the tag has none.
pub fn file_result(game: &PgnGame) -> Option<FileResult> {
    match tagged_result(game) {
        Some(known @ FileResult::Known(_)) => Some(known),
        open => game.terminator.or(open),
    }
}

/// Judges a game and compares.
///
/// # Errors
/// What can't be read or isn't legal before the end of the game, with its line.
pub fn audit(game: &PgnGame, options: &JudgeOptions) -> Result<Audited, PgnFault> {
    let mode = castling_mode(game)?;
    let at_start = |what: String| PgnFault { line: game.line, what };
    let (start, notes) =
        start_position(game.tag("FEN"), mode).map_err(|fault| at_start(format!("tag `FEN`: {fault}")))?;
    let mut review = Review::new(GameState::new(start, mode, options.dead_position), options);
    for token in &game.moves {
        if review.is_over() {
            break;
        }
        let state = review.state();
        let played = san::find(&token.text, state.chess(), state.legal_moves(), mode).map_err(|fault| {
            let position = fen::write(state.chess(), mode);
            let (ply, side) = (state.ply() + 1, side_name(state.turn()));
            let what = format!("`{}` at ply {ply} {fault} for {side} in `{position}`", excerpt(&token.text));
            PgnFault { line: token.line, what }
        })?;
        review.play(played);
    }
    if let Some(fault) = &game.fault {
        return Err(fault.clone());
    }
    let judgement = review.close(None).map_err(|fault| at_start(fault.to_string()))?;
    let judgement = judgement.with_notes(game.notes.iter().cloned()).with_notes(notes);
    let plies_after_end = game.moves.len() - judgement.state().ply() as usize;
    Ok(Audited { agreement: agreement(game, &judgement), judgement, plies_after_end })
}

fn tagged_result(game: &PgnGame) -> Option<FileResult> {
    FileResult::parse(game.tag("Result")?)
}

fn castling_mode(game: &PgnGame) -> Result<CastlingMode, PgnFault> {
    let Some(variant) = game.tag("Variant") else { return Ok(CastlingMode::Standard) };
    let plain: String =
        variant.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    match plain.as_str() {
        "" | "standard" | "normal" | "chess" | "fromposition" => Ok(CastlingMode::Standard),
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "frc" | "freestyle" => {
            Ok(CastlingMode::Chess960)
        }
        _ => {
            let what = format!("tag `Variant`: `{}` is not played by the Laws of Chess", excerpt(variant));
            Err(PgnFault { line: game.line, what })
        }
    }
}

fn agreement(game: &PgnGame, judgement: &Judgement) -> Agreement {
    let Some(FileResult::Known(result)) = file_result(game) else { return Agreement::NoOpinion };
    if let Some(FileResult::Known(other)) = game.terminator
        && other != result
    {
        return Agreement::Breaks(format!(
            "the Result tag says {result}, but the movetext ends with {other}"
        ));
    }
    match (judgement.end(), result.winner()) {
        (Some(end), _) if end.verdict.result() == result => Agreement::Agrees,
        (Some(end), _) => {
            Agreement::Breaks(format!("{result}, but at ply {} the game was over: {}", end.ply, end.verdict))
        }
        // By agreement or by a claim.
        (None, None) => Agreement::Agrees,
        (None, Some(winner)) => decided_off_the_board(game, judgement, result, winner),
    }
}

/// A win without mate came by resignation, by time or by a fault of the loser's: all of them need a winner who can
/// still mate. Adjudicators and forfeits that are tournament rules don't give more than that.
fn decided_off_the_board(
    game: &PgnGame,
    judgement: &Judgement,
    result: GameResult,
    winner: Color,
) -> Agreement {
    if *judgement.chances().can_mate.get(winner) != CanMate::No {
        return Agreement::Agrees;
    }
    let winner = side_name(winner);
    let article = match game.tag("Termination").map(str::to_ascii_lowercase).as_deref() {
        Some("time forfeit") => " (Article 6.9)",
        Some("rules infraction") => " (Article 7.5.5)",
        Some("abandoned" | "adjudication") => "",
        _ => " (Articles 5.1.2 and 6.9)",
    };
    Agreement::Breaks(format!("{result}, but {winner} cannot mate: a draw{article}"))
}

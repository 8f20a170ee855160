//! A judgement as a text for readers, with the board.

use std::fmt::Write as _;

use shakmaty::{Board, Color, File, Piece, Position, Rank, Role, Square};

use super::mating::CanMate;
use super::review::{End, Judgement, ListedBasis, ListedClaim};
use crate::law::notation::fen;
use crate::law::verdict::{Reason, Verdict, side_name};

/// The last position that was judged, what ended the game there, what can be claimed and who can still mate (unless
/// no move is legal), then
/// the claims on the way. `moves_given` tells how many moves there were.
pub fn text(judgement: &Judgement, moves_given: usize) -> String {
    let state = judgement.state();
    let mut text = board(state.chess().board());
    let mut line = |words: String| {
        text.push_str(&words);
        text.push('\n');
    };
    line(format!("\n{}", fen::write(state.chess(), state.castling_mode())));
    for note in judgement.notes() {
        line(format!("Note: {note}."));
    }
    line(format!("\n{} to move. {}", side_name(state.turn()), ruling(judgement.end())));
    let ply = state.ply();
    if (ply as usize) < moves_given {
        line(format!("The game was over after {ply} of {moves_given} plies; the rest is not judged."));
    }
    let (now, before): (Vec<_>, Vec<_>) = judgement.claims().iter().partition(|claim| claim.ply == ply);
    for claim in now {
        line(format!("{} may claim a draw by {}.", side_name(claim.by), claim_words(claim)));
    }
    line(format!(
        "This position has occurred {}; halfmove clock {}.",
        times(state.occurrences()),
        state.halfmove_clock()
    ));
    if !state.legal_moves().is_empty() {
        line(chances(judgement));
    }
    if !before.is_empty() {
        line("\nClaims on the way:".to_owned());
        for claim in before {
            line(format!("  ply {}, {}: {}", claim.ply, side_name(claim.by), claim_words(claim)));
        }
    }
    text
}

/// Why a side can or can't mate: the mating line, or the proof in words.
pub fn reasons(judgement: &Judgement) -> String {
    let mut text = String::new();
    let chances = judgement.chances();
    for side in Color::ALL {
        let name = side_name(side);
        let words = match (chances.helpmate.get(side), chances.proof.get(side)) {
            (Some(line), _) if line.is_empty() => format!("{name} has mated."),
            (Some(line), _) => format!("{name} can mate: {}", line.join(" ")),
            (None, Some(proof)) => format!("{name} cannot mate. {}", proof.explain()),
            (None, None) if *chances.can_mate.get(side) == CanMate::Unknown => {
                format!("Whether {name} can mate was not settled within the budget: `--max-nodes` raises it.")
            }
            (None, None) => continue,
        };
        text.push_str(&format!("\n{words}\n"));
    }
    if let Some(ply) = judgement.dead_since() {
        text.push_str(&format!("\nThe position is dead since ply {ply}.\n"));
    }
    text
}

fn ruling(end: Option<&End>) -> String {
    let Some(End { verdict, .. }) = end else {
        return "No rule ends the game here.".to_owned();
    };
    let why = match verdict.reason() {
        Reason::Checkmate => match verdict.result().winner() {
            Some(winner) => format!("Checkmate: {} wins", side_name(winner)),
            None => "Checkmate".to_owned(),
        },
        Reason::Stalemate => "Stalemate: no legal move and no check, a draw".to_owned(),
        Reason::DeadPosition => "Dead position: no series of legal moves mates either king".to_owned(),
        Reason::FivefoldRepetition => "Fivefold repetition: a draw".to_owned(),
        Reason::SeventyFiveMoveRule => {
            "Seventy-five-move rule: 150 plies without pawn move or capture, a draw".to_owned()
        }
        _ => return format!("{verdict}."),
    };
    format!("{why}{}.", article(verdict))
}

fn article(verdict: &Verdict) -> String {
    verdict.article().map(|article| format!(" (Article {article})")).unwrap_or_default()
}

fn claim_words(claim: &ListedClaim) -> String {
    let reason = claim.reason();
    let rule =
        if reason.name() == "fifty_move_rule" { "the fifty-move rule" } else { "threefold repetition" };
    let article = reason.article().unwrap_or_default();
    match &claim.basis {
        ListedBasis::Appeared => format!("{rule} as it stands (Article {article})"),
        ListedBasis::Intended(moves) => {
            format!("{rule} with the intended move {} (Article {article})", moves.join(" or "))
        }
    }
}

fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn chances(judgement: &Judgement) -> String {
    let mut words = String::from("Can still mate:");
    for (side, separator) in [(Color::White, ","), (Color::Black, ".")] {
        let answer: CanMate = *judgement.chances().can_mate.get(side);
        // Writing to a string never fails.
        let _ = write!(words, " {} {}{separator}", side_name(side), answer.as_str());
    }
    words
}

fn board(board: &Board) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.char());
        for file in File::ALL {
            text.push(' ');
            text.push(board.piece_at(Square::from_coords(file, rank)).map_or('·', figurine));
        }
        text.push('\n');
    }
    text.push_str("  a b c d e f g h\n");
    text
}

fn figurine(piece: Piece) -> char {
    let (white, black) = match piece.role {
        Role::King => ('♔', '♚'),
        Role::Queen => ('♕', '♛'),
        Role::Rook => ('♖', '♜'),
        Role::Bishop => ('♗', '♝'),
        Role::Knight => ('♘', '♞'),
        Role::Pawn => ('♙', '♟'),
    };
    piece.color.fold_wb(white, black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::case::{Case, judge};
    use crate::judge::review::JudgeOptions;

    fn explained(fen: Option<&str>, moves: &str) -> String {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let given = moves.len();
        let case = Case { fen: fen.map(str::to_owned), moves, ..Case::default() };
        text(&judge(&case, &JudgeOptions::default()).unwrap(), given)
    }

    #[test]
    fn a_dead_position_in_words() {
        let expected = "\
8 · · · · ♚ · · ·
7 · · · · · · · ·
6 · · · · · · · ·
5 · · · · · · · ·
4 · · · · · · · ·
3 · · · · · · · ·
2 · · · · · · · ·
1 · · · · ♔ ♗ · ·
  a b c d e f g h

4k3/8/8/8/8/8/8/4KB2 w - - 0 1

White to move. Dead position: no series of legal moves mates either king (Article 5.2.2).
This position has occurred once; halfmove clock 0.
Can still mate: White no, Black no.
";
        assert_eq!(explained(Some("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"), ""), expected);
    }

    #[test]
    fn claims_now_and_on_the_way() {
        let text = explained(None, &"g1f3 g8f6 f3g1 f6g8 ".repeat(2));
        for sentence in [
            "White to move. No rule ends the game here.\n",
            "White may claim a draw by threefold repetition as it stands (Article 9.2.2).\n",
            "White may claim a draw by threefold repetition with the intended move g1f3 (Article 9.2.1).\n",
            "This position has occurred 3 times; halfmove clock 8.\n",
            "Can still mate: White yes, Black yes.\n",
            "Claims on the way:\n  ply 7, Black: threefold repetition with the intended move f6g8 (Article 9.2.1)\n",
        ] {
            assert!(text.contains(sentence), "{sentence}{text}");
        }
    }

    #[test]
    fn moves_after_the_end_are_said_to_be_unjudged() {
        let text = explained(None, "f2f3 e7e5 g2g4 d8h4 a2a3");
        assert!(text.contains("White to move. Checkmate: Black wins (Article 5.1.1).\n"), "{text}");
        assert!(text.contains("The game was over after 4 of 5 plies; the rest is not judged.\n"), "{text}");
        assert!(!text.contains("Can still mate"), "{text}");
    }

    #[test]
    fn what_a_fen_lost_is_said() {
        let text = explained(Some("4k3/8/8/8/8/8/4P3/4K3 w K - 0 1"), "");
        assert!(text.contains("Note: a castling right without its king and rook was dropped.\n"), "{text}");
    }
}

//! The material rule: what never mates whatever stands where, as long as the game is not already over.

use shakmaty::{Board, Color};

use super::squares::DARK;

/// Whether `side` can never give mate with the men on the board, by the men alone.
///
/// Three cases, each kept by every move (no pawn is left that could change the kinds of pieces):
///
/// - only the king is left;
/// - king and one knight, and the other side has nothing but queens. With its king on (0,0) and the knight on
///   (1,2) a queen on (0,1) or (1,1) would take the knight, so both must be empty and guarded by the mating king,
///   which therefore stands on (0,2); then (1,0) is not guarded, and a queen there takes the knight too;
/// - king and bishops of one square colour, and the other side has neither a knight nor a bishop of the other
///   colour. The check comes through a neighbour n of the king; the two squares next to both king and n have the
///   other colour: the mating king cannot guard both, and a rook or queen there is never pinned and captures or
///   interposes on n. One-coloured bishops never give double check.
///
/// The board must not be one on which mate already stands.
#[must_use]
pub fn material_cannot_mate(board: &Board, side: Color) -> bool {
    let own = u64::from(board.by_color(side));
    let other = u64::from(board.by_color(!side));
    let pawns = u64::from(board.pawns());
    let heavy = u64::from(board.rooks_and_queens());
    let knights = u64::from(board.knights());
    let bishops = u64::from(board.bishops());
    let minors = own & (knights | bishops);
    if own & (pawns | heavy) != 0 {
        return false;
    }
    if minors == 0 {
        return true;
    }
    if other & pawns != 0 {
        return false;
    }
    if minors & knights != 0 {
        let lone = minors & (minors - 1) == 0;
        return lone && other & (knights | bishops | u64::from(board.rooks())) == 0;
    }
    let dark = minors & DARK;
    if dark != 0 && dark != minors {
        return false;
    }
    let other_colour = if dark != 0 { !DARK } else { DARK };
    other & (knights | (bishops & other_colour)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cannot(board: &str, side: Color) -> bool {
        material_cannot_mate(&board.parse::<shakmaty::fen::Fen>().unwrap().as_setup().board, side)
    }

    #[test]
    fn the_four_dead_material_cases_hold_for_both() {
        for board in [
            "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
            "4b3/8/4k3/6b1/8/3KB3/3B4/8 w - - 0 1",
        ] {
            let verdicts = (cannot(board, Color::White), cannot(board, Color::Black));
            let one_coloured = !board.starts_with("4b3");
            assert_eq!(verdicts, (one_coloured, one_coloured), "{board}");
        }
        assert!(cannot("8/4b3/4k3/6b1/8/3KB3/8/B7 w - - 0 1", Color::White));
    }

    #[test]
    fn a_lone_minor_piece_needs_help() {
        assert!(cannot("8/8/4k3/4q3/8/3KN3/8/8 w - - 0 1", Color::White));
        assert!(!cannot("8/8/4k3/4r3/8/3KN3/8/8 w - - 0 1", Color::White));
        assert!(!cannot("8/8/4k3/4p3/8/3KN3/8/8 w - - 0 1", Color::White));
        assert!(cannot("8/8/4k3/4r3/8/3KB3/8/8 w - - 0 1", Color::White));
        assert!(!cannot("8/8/4k3/4n3/8/3KB3/8/8 w - - 0 1", Color::White));
        assert!(!cannot("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", Color::White));
    }
}

//! Dead positions by material alone, and who has material to mate with.

use shakmaty::{Chess, Color, Position};

/// Whether `side` could mate with this material if the opponent helped.
///
/// False only for a bare king, a lone knight against nothing but queens, and bishops of one square colour against
/// no pawn, knight or bishop of the other colour. It looks at no square otherwise, so `true` promises nothing.
pub fn has_mating_material(chess: &Chess, side: Color) -> bool {
    !chess.has_insufficient_material(side)
}

/// The four material cases of Article 5.2.2: K v K, K+B v K, K+N v K, and kings with any number of bishops that all
/// stand on squares of one colour.
pub fn is_dead(chess: &Chess) -> bool {
    let board = chess.board();
    // Pawns, rooks and queens settle it for nearly every position of a game.
    if (board.pawns() | board.rooks_and_queens()).any() {
        return false;
    }
    let minors = board.occupied() & !board.kings();
    if minors.count() <= 1 {
        return true;
    }
    let bishops = board.bishops();
    minors == bishops && (!bishops.intersects(dark_squares()) || !bishops.intersects(!dark_squares()))
}

fn dark_squares() -> shakmaty::Bitboard {
    shakmaty::Bitboard::DARK_SQUARES
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::law::notation::fen;

    fn dead(text: &str) -> bool {
        is_dead(&fen::parse(text, CastlingMode::Standard).unwrap().chess)
    }

    #[test]
    fn r_29_any_number_of_bishops_on_one_colour_is_dead() {
        for text in [
            "3K4/1b6/8/kB5B/8/8/8/8 w - - 0 1",
            "8/4BK2/2k5/8/1B6/8/8/8 b - - 0 1",
            "B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1",
            "5K2/8/8/1B6/8/k7/6b1/8 w - - 0 1",
            "8/8/8/4k3/5b2/3K4/8/2B5 w - - 0 1",
        ] {
            assert!(dead(text), "{text}");
        }
    }

    #[test]
    fn article_5_2_2_the_four_material_cases() {
        for text in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KB2 b - - 0 1",
        ] {
            assert!(dead(text), "{text}");
        }
    }

    #[test]
    fn r_30_opposite_bishops_and_minor_pieces_are_not_dead() {
        for text in [
            "7k/8/7K/2Bb4/8/8/8/8 b - - 0 1",
            "4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1",
            "4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1",
            "4k3/8/8/8/8/8/7P/4K3 w - - 0 1",
        ] {
            assert!(!dead(text), "{text}");
        }
    }

    #[test]
    fn r_34_mating_material_is_seen_on_every_square() {
        for square in shakmaty::Square::ALL {
            let mut board = shakmaty::Board::empty();
            let kings: Vec<_> =
                [shakmaty::Square::A1, shakmaty::Square::C1, shakmaty::Square::E4, shakmaty::Square::G7]
                    .into_iter()
                    .filter(|king| {
                        *king != square
                            && !shakmaty::attacks::rook_attacks(square, board.occupied()).contains(*king)
                    })
                    .collect();
            let [white, black] = [kings[0], kings[kings.len() - 1]];
            board.set_piece_at(white, Color::White.king());
            board.set_piece_at(black, Color::Black.king());
            board.set_piece_at(square, Color::White.rook());
            let setup = shakmaty::Setup { board, turn: Color::Black, ..shakmaty::Setup::empty() };
            let Ok(chess) = setup.position::<Chess>(CastlingMode::Standard) else { continue };
            assert!(has_mating_material(&chess, Color::White), "rook on {square}");
            assert!(!has_mating_material(&chess, Color::Black), "rook on {square}");
        }
    }
}

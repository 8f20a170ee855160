//! Castling in Chess960, square by square: the Laws' conditions (Article 3.8.2 and Guideline II) written out once more
//! here, against what the move generator finds legal.

use proptest::prelude::*;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, File, FromSetup, Move, Piece, Position, PositionError, Rank,
    Role, Setup, Square,
};

use super::game_state::GameState;
use super::notation::{fen, uci_move};
use super::policy::DeadPositionRule;
use super::verdict::Reason;

/// Where king and rook end, by the side on which the rook stands.
fn targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = if rook > king { (File::G, File::F) } else { (File::C, File::D) };
    (Square::from_coords(king_file, king.rank()), Square::from_coords(rook_file, king.rank()))
}

/// From one square to the other, both included.
fn way(from: Square, to: Square) -> Bitboard {
    shakmaty::attacks::between(from, to).with(from).with(to)
}

/// White's castling with this rook, the right to it granted: every square of both ways is empty but for the two, and
/// no square that the king stands on, crosses or reaches is attacked.
fn may_castle(board: &Board, king: Square, rook: Square) -> bool {
    let (king_to, rook_to) = targets(king, rook);
    let others = board.occupied().without(king).without(rook);
    let attacked =
        |square: Square, occupied: Bitboard| (board.attacks_to(square, Color::Black, occupied)).any();
    let free = (others & (way(king, king_to) | way(rook, rook_to))).is_empty();
    let safe = way(king, king_to).into_iter().all(|square| !attacked(square, board.occupied()));
    // A rook that leaves must not have kept a check away (Article 3.9.2).
    free && safe && !attacked(king_to, others.with(king_to).with(rook_to))
}

/// The position with White to move, if it is one.
fn chess(board: &Board, rights: Bitboard) -> Option<Chess> {
    let setup = Setup { board: board.clone(), castling_rights: rights, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// Compares the generator with the conditions for each of White's rooks, and looks at what castling leads to. Whether
/// it was legal with any.
fn check(board: &Board, king: Square, rooks: &[Square]) -> bool {
    let Some(chess) = chess(board, rooks.iter().copied().collect()) else { return false };
    let legal = chess.legal_moves();
    let mut any = false;
    for &rook in rooks {
        let castling = Move::Castle { king, rook };
        let expected = may_castle(board, king, rook);
        any |= expected;
        let text = format!("{king}{rook}");
        let shown = fen::write(&chess, CastlingMode::Chess960);
        assert_eq!(legal.contains(&castling), expected, "{text} in {shown}");
        // The notation finds it, and nothing else by it.
        let found = uci_move::find(text.as_bytes(), &legal, CastlingMode::Chess960, false);
        assert_eq!(found, expected.then_some(castling), "{text} in {shown}");
        if expected {
            assert_eq!(uci_move::write(castling, CastlingMode::Chess960).to_string(), text);
            let mut after = chess.clone();
            after.play_unchecked(castling);
            let (king_to, rook_to) = targets(king, rook);
            let (white_king, rook_there) = (Role::King.of(Color::White), Role::Rook.of(Color::White));
            assert_eq!(after.board().piece_at(king_to), Some(white_king), "{text} in {shown}");
            assert_eq!(after.board().piece_at(rook_to), Some(rook_there), "{text} in {shown}");
            let pieces = board.occupied().count();
            assert_eq!(after.board().occupied().count(), pieces, "{text} in {shown}");
            assert!(!after.castles().has_color(Color::White), "the right is gone");
        }
    }
    any
}

fn on_first(file: usize) -> Square {
    Square::from_coords(File::new(u32::try_from(file).unwrap()), Rank::First)
}

fn bare(king: Square, rooks: &[Square]) -> Board {
    let mut board = Board::empty();
    board.set_piece_at(king, Role::King.of(Color::White));
    for rook in rooks {
        board.set_piece_at(*rook, Role::Rook.of(Color::White));
    }
    board
}

/// Every king between two rooks: three files out of eight.
fn kings_and_rooks() -> impl Iterator<Item = (Square, [Square; 2])> {
    (0..8).flat_map(|left| {
        (left + 1..8).flat_map(move |king| {
            (king + 1..8).map(move |right| (on_first(king), [on_first(left), on_first(right)]))
        })
    })
}

/// A black king that is in nobody's way.
fn with_black_king(mut board: Board) -> Option<Board> {
    let free = [Square::A8, Square::H8, Square::E8].into_iter().find(|square| {
        board.piece_at(*square).is_none()
            && board.attacks_to(*square, Color::White, board.occupied()).is_empty()
    })?;
    board.set_piece_at(free, Role::King.of(Color::Black));
    Some(board)
}

#[test]
fn p_17_with_nothing_between_every_king_castles_to_both_sides() {
    let mut seen = 0;
    for (king, rooks) in kings_and_rooks() {
        let board = with_black_king(bare(king, &rooks)).unwrap();
        for rook in rooks {
            // Both rooks are there: one may stand where the other, or the king, is to go.
            let (king_to, rook_to) = targets(king, rook);
            let other = rooks.into_iter().find(|other| *other != rook).unwrap();
            let blocked = (way(king, king_to) | way(rook, rook_to)).contains(other);
            assert_eq!(may_castle(&board, king, rook), !blocked);
        }
        check(&board, king, &rooks);
        seen += 1;
    }
    assert_eq!(seen, 56);
}

#[test]
fn p_17_one_piece_anywhere_square_by_square() {
    let mut legal = [0_u32; 2];
    for (king, rooks) in kings_and_rooks() {
        for &rook in &rooks {
            let board = bare(king, &[rook]);
            for square in Square::ALL.into_iter().filter(|square| board.piece_at(*square).is_none()) {
                for color in Color::ALL {
                    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                        if role == Role::Pawn
                            && (square.rank() == Rank::First || square.rank() == Rank::Eighth)
                        {
                            continue;
                        }
                        let mut board = board.clone();
                        board.set_piece_at(square, Piece { color, role });
                        let Some(board) = with_black_king(board) else { continue };
                        legal[usize::from(check(&board, king, &[rook]))] += 1;
                    }
                }
            }
        }
    }
    // Both answers are common, so that neither can be the only one.
    assert!(legal[0] > 5_000 && legal[1] > 5_000, "{legal:?}");
}

#[test]
fn p_17_named_cases() {
    for (position, token, good) in [
        // The king on its target square already, the rook on its, both exchanged, next to each other.
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", true),
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", true),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", true),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1", true),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", true),
        ("4k3/8/8/8/8/8/8/1K5R w H - 0 1", "b1h1", true),
        // A man on the king's way, on the rook's, beside both.
        ("4k3/8/8/8/8/8/8/1K3N1R w H - 0 1", "b1h1", false),
        ("4k3/8/8/8/8/8/8/RN1K4 w A - 0 1", "d1a1", false),
        ("4k3/8/8/8/8/8/8/NRK5 w B - 0 1", "c1b1", true),
        ("4k3/8/8/8/8/8/8/1RKN4 w B - 0 1", "c1b1", false),
        // In check, through it, into it; an attack on the rook's way alone is no obstacle.
        ("k3r3/8/8/8/8/8/8/4K2R w H - 0 1", "e1h1", false),
        ("k4r2/8/8/8/8/8/8/4K2R w H - 0 1", "e1h1", false),
        ("k5r1/8/8/8/8/8/8/4K2R w H - 0 1", "e1h1", false),
        ("k6r/8/8/8/8/8/8/4K2R w H - 0 1", "e1h1", true),
        ("1r5k/8/8/8/8/8/8/R3K3 w A - 0 1", "e1a1", true),
        // The rook has kept a check away.
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", "c1b1", false),
        ("4k3/8/8/8/8/8/8/r1RK4 w C - 0 1", "d1c1", false),
        // The king's move is no castling, and castling no king's move.
        ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "e1g1", false),
        ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", true),
        // Another rook has no right.
        ("4k3/8/8/8/8/8/8/4K1RR w H - 0 1", "e1g1", false),
    ] {
        let chess = fen::parse(position, CastlingMode::Chess960).unwrap().chess;
        let found = uci_move::find(token.as_bytes(), &chess.legal_moves(), CastlingMode::Chess960, false);
        assert_eq!(found.is_some(), good, "{token} in {position}");
    }
}

#[test]
fn p_17_castling_does_not_parry_a_mate() {
    // A rook that could come between king and check by castling.
    let mated = fen::parse("6k1/8/8/8/8/8/5PPP/4r1KR w H - 0 1", CastlingMode::Chess960).unwrap().chess;
    let state = GameState::new(mated, CastlingMode::Chess960, DeadPositionRule::Exact);
    assert_eq!(state.end().map(|verdict| verdict.reason().clone()), Some(Reason::Checkmate));
}

#[test]
fn p_18_castling_mates_and_the_kings_move_to_the_same_square_does_not() {
    for rights in ["K", "H"] {
        let position = format!("4rkr1/4p1p1/8/8/8/8/8/5K1R w {rights} - 0 1");
        let start = fen::parse(&position, CastlingMode::Chess960).unwrap().chess;
        let state = GameState::new(start, CastlingMode::Chess960, DeadPositionRule::Exact);
        let end = |token: &[u8]| {
            let played = state.legal_move(token, false).unwrap();
            let successor = state.successor(played);
            (state.san_of(played, &successor), successor.end().map(|verdict| verdict.reason().clone()))
        };
        assert_eq!(end(b"f1h1"), ("O-O#".to_owned(), Some(Reason::Checkmate)));
        assert_eq!(end(b"f1g1"), ("Kg1".to_owned(), None));
    }
}

/// The pieces of an array by its number, 0 to 959: bishops on both colours, then queen, knights, and rook, king, rook
/// on what is left.
fn array(number: usize) -> [Role; 8] {
    let mut files = [None; 8];
    files[number % 4 * 2 + 1] = Some(Role::Bishop);
    files[number / 4 % 4 * 2] = Some(Role::Bishop);
    let nth_free =
        |files: &[Option<Role>; 8], nth: usize| (0..8).filter(|file| files[*file].is_none()).nth(nth);
    let queen = nth_free(&files, number / 16 % 6).unwrap();
    files[queen] = Some(Role::Queen);
    let pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    let (first, second) = pairs.clone().nth(number / 96).unwrap();
    let knights = [nth_free(&files, first).unwrap(), nth_free(&files, second).unwrap()];
    for knight in knights {
        files[knight] = Some(Role::Knight);
    }
    for role in [Role::Rook, Role::King, Role::Rook] {
        let file = nth_free(&files, 0).unwrap();
        files[file] = Some(role);
    }
    files.map(Option::unwrap)
}

/// The king and the rooks of an array.
fn king_and_rooks(number: usize) -> (Square, [Square; 2]) {
    let files = array(number);
    let of = |role: Role| (0..8).filter(|file| files[*file] == role).map(on_first).collect::<Vec<_>>();
    let rooks = of(Role::Rook);
    (of(Role::King)[0], [rooks[0], rooks[1]])
}

#[test]
fn the_arrays_are_the_960_ones() {
    let all: std::collections::HashSet<[Role; 8]> = (0..960).map(array).collect();
    assert_eq!(all.len(), 960);
    use Role::{Bishop, King, Knight, Queen, Rook};
    assert_eq!(array(518), [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]);
    for number in 0..960 {
        let (king, rooks) = king_and_rooks(number);
        assert!(rooks[0] < king && king < rooks[1], "{number}");
    }
}

#[test]
fn p_17_each_of_the_960_arrays_castles_once_the_others_are_gone() {
    for number in 0..960 {
        let (king, rooks) = king_and_rooks(number);
        for rook in rooks {
            let board = with_black_king(bare(king, &[rook])).unwrap();
            assert!(check(&board, king, &[rook]), "array {number}, {king}{rook}");
        }
    }
}

proptest! {
    #[test]
    fn p_17_any_pieces_around_any_array(
        number in 0_usize..960,
        pieces in prop::collection::vec((0_u32..64, 0_usize..5, any::<bool>()), 0..10),
        black_king in 16_u32..64,
    ) {
        let (king, rooks) = king_and_rooks(number);
        let mut board = bare(king, &rooks);
        for (square, role, white) in pieces {
            let square = Square::new(square);
            let role = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen][role];
            let edge = square.rank() == Rank::First || square.rank() == Rank::Eighth;
            if board.piece_at(square).is_none() && !(edge && role == Role::Pawn) {
                board.set_piece_at(square, Piece { color: Color::from_white(white), role });
            }
        }
        if board.piece_at(Square::new(black_king)).is_none() {
            board.set_piece_at(Square::new(black_king), Role::King.of(Color::Black));
            check(&board, king, &rooks);
        }
    }
}

//! Cheap signs that a position is an ordinary one, where nothing is to be proved: many legal moves, or men that the
//! fixpoint is sure to leave free. They only save work: what they do not tell is computed.

use shakmaty::{Bitboard, Chess, Color, Position, Role, attacks};

use super::regions::flood;
use super::squares::{
    diagonal_steps, file_fill, king_steps, knight_steps, pawn_captures, pawn_pushes, steps,
};

/// Whether there are surely more than `count` legal moves, without making a list of them.
///
/// Counts only moves that are legal beyond doubt: when there is no check, those of the men that are not pinned, and
/// the steps of the king to squares that are not attacked.
pub(super) fn surely_more_than(position: &Chess, count: u32) -> bool {
    let board = position.board();
    let (own, other) = (position.us(), position.them());
    let Some(free) = free_to_move(position) else { return false };
    let pawns = u64::from(free & board.pawns());
    let turn = position.turn();
    let mut sum = (pawn_pushes(turn, pawns) & !u64::from(board.occupied())).count_ones()
        + (pawn_captures(turn, pawns) & u64::from(other)).count_ones();
    let mut add = |men: Bitboard, reach: fn(shakmaty::Square, Bitboard) -> Bitboard| {
        for square in free & men {
            if sum > count {
                return;
            }
            sum += u64::from(reach(square, board.occupied()) & !own).count_ones();
        }
    };
    add(board.queens(), attacks::queen_attacks);
    add(board.rooks(), attacks::rook_attacks);
    add(board.bishops(), attacks::bishop_attacks);
    add(board.knights(), |square, _| attacks::knight_attacks(square));
    if sum > count {
        return true;
    }
    let king = u64::from(own & board.kings());
    let steps = king_steps(king) & !u64::from(own);
    sum + steps.count_ones() > count && sum + (steps & !attacked(position, king)).count_ones() > count
}

/// The men of the side to move that are not pinned; nothing when it is in check.
fn free_to_move(position: &Chess) -> Option<Bitboard> {
    let board = position.board();
    let (own, other) = (position.us(), position.them());
    let king = board.king_of(position.turn())?;
    let leapers = (attacks::knight_attacks(king) & board.knights())
        | (attacks::pawn_attacks(position.turn(), king) & board.pawns());
    if !(leapers & other).is_empty() {
        return None;
    }
    let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
        | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
    let mut free = own;
    for sniper in snipers & other {
        let between = attacks::between(king, sniper) & board.occupied();
        if between.is_empty() {
            return None;
        }
        if !between.more_than_one() {
            free &= !between;
        }
    }
    Some(free)
}

/// The squares that the side not to move attacks; the squares of `through` do not block.
fn attacked(position: &Chess, through: u64) -> u64 {
    let board = position.board();
    let other = position.them();
    let of = |men: Bitboard| u64::from(men & other);
    let occupied = board.occupied() & !Bitboard(through);
    let mut seen = king_steps(of(board.kings()))
        | pawn_captures(!position.turn(), of(board.pawns()))
        | knight_steps(of(board.knights()));
    for square in other & board.rooks_and_queens() {
        seen |= u64::from(attacks::rook_attacks(square, occupied));
    }
    for square in other & board.bishops_and_queens() {
        seen |= u64::from(attacks::bishop_attacks(square, occupied));
    }
    seen
}

/// Whether the fixpoint of a position is sure to leave the mate to `side` open.
///
/// Regions only grow. So one that a man has on the board as it is, every other man standing still, is part of its
/// region in the fixpoint; and [`can_be_mated`](super::mating::can_be_mated) holds for the square of the enemy king
/// if it and its neighbours are attacked from such regions.
pub(super) fn surely_open(position: &Chess, side: Color) -> bool {
    let board = position.board();
    let own = u64::from(board.by_color(side));
    let of = |men: Bitboard| own & u64::from(men);
    let pawns = of(board.pawns());
    if pawns & !file_fill(!side, board.occupied().into()) != 0 {
        return true; // it promotes, and then attacks every square
    }
    let king = u64::from(board.kings()) & !own;
    let ring = king_steps(king);
    let open = !own & !king;
    let mut seen = pawn_captures(side, pawns);
    let pieces = [
        (Role::Queen, of(board.queens())),
        (Role::Rook, of(board.rooks())),
        (Role::Knight, of(board.knights())),
    ];
    for (role, men) in pieces {
        if men != 0 {
            let area = flood(role, men, open);
            seen |= area | (steps(role, area) & king);
            if (ring | king) & !seen == 0 {
                return true;
            }
        }
    }
    let bishops = of(board.bishops());
    if bishops != 0 {
        let area = flood(Role::Bishop, bishops, open);
        seen |= area | (diagonal_steps(area) & king);
    }
    (ring | king) & !seen == 0
}

/// Whether some pawn has no enemy pawn in front of it on its file.
pub(super) fn has_free_pawn(position: &Chess) -> bool {
    let board = position.board();
    let white = u64::from(board.pawns() & board.white());
    let black = u64::from(board.pawns() & board.black());
    white & !file_fill(Color::Black, black) != 0 || black & !file_fill(Color::White, white) != 0
}

/// The pawns of both sides that could be pushed.
pub(super) fn pawn_moves(position: &Chess) -> u32 {
    let board = position.board();
    let of = |color: Color| {
        let pawns = u64::from(board.pawns() & board.by_color(color));
        (pawn_pushes(color, pawns) & !u64::from(board.occupied())).count_ones()
    };
    of(Color::White) + of(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::super::mating::can_be_mated;
    use super::super::quick::{quick_look, quick_look_among};
    use super::super::regions::{Promotion, Regions};
    use super::*;
    use proptest::prelude::*;

    fn after(choices: &[u8]) -> Vec<Chess> {
        let mut position = Chess::default();
        let mut met = vec![position.clone()];
        for choice in choices {
            let moves = position.legal_moves();
            let Some(m) = moves.get(usize::from(*choice) % moves.len().max(1)) else { break };
            position.play_unchecked(*m);
            met.push(position.clone());
        }
        met
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn signs_agree_with_what_they_stand_for(choices in prop::collection::vec(any::<u8>(), 0..200)) {
            for position in after(&choices) {
                let legal = position.legal_moves();
                prop_assert_eq!(quick_look(&position), quick_look_among(&position, &legal, false));
                let moves = legal.len();
                for count in [0, 3, 8, 15, 30] {
                    prop_assert!(!surely_more_than(&position, count) || moves > count as usize, "{position:?}");
                }
                let regions = Regions::of(&position, Promotion::Allowed);
                for side in Color::ALL {
                    prop_assert!(!surely_open(&position, side) || can_be_mated(&regions, side), "{position:?}");
                }
            }
        }
    }
}

//! Sets of squares as plain 64-bit masks, a1 = bit 0, and the steps of the pieces on whole sets.

use shakmaty::{Color, Role};

/// All squares but those of the a-file.
pub(super) const NOT_A: u64 = !0x0101_0101_0101_0101;
/// All squares but those of the h-file.
pub(super) const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_AB: u64 = NOT_A & (NOT_A << 1);
const NOT_GH: u64 = NOT_H & (NOT_H >> 1);

/// The dark squares (a1 is dark).
pub(super) const DARK: u64 = 0xAA55_AA55_AA55_AA55;
/// The four corners.
pub(super) const CORNERS: [u8; 4] = [0, 7, 56, 63];

/// One step in each of the eight directions: four diagonal, then four along ranks and files.
pub(super) const DIRECTIONS: [fn(u64) -> u64; 8] = [
    |x| (x & NOT_H) << 9,
    |x| (x & NOT_A) << 7,
    |x| (x & NOT_H) >> 7,
    |x| (x & NOT_A) >> 9,
    |x| x << 8,
    |x| x >> 8,
    |x| (x & NOT_H) << 1,
    |x| (x & NOT_A) >> 1,
];

/// The mask of one square.
#[inline]
pub(super) const fn bit(square: u8) -> u64 {
    1 << square
}

/// The squares of a set, lowest first.
#[inline]
pub(super) fn each(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(square)
    })
}

/// Every square one king's step from some square of the set.
#[inline]
pub(super) const fn king_steps(x: u64) -> u64 {
    let sides = ((x & NOT_H) << 1) | ((x & NOT_A) >> 1);
    let row = x | sides;
    sides | (row << 8) | (row >> 8)
}

/// Every square one diagonal step from some square of the set.
#[inline]
pub(super) const fn diagonal_steps(x: u64) -> u64 {
    let sides = ((x & NOT_H) << 1) | ((x & NOT_A) >> 1);
    (sides << 8) | (sides >> 8)
}

/// Every square one step along a rank or file from some square of the set.
#[inline]
pub(super) const fn straight_steps(x: u64) -> u64 {
    ((x & NOT_H) << 1) | ((x & NOT_A) >> 1) | (x << 8) | (x >> 8)
}

/// Every square a knight's move from some square of the set.
#[inline]
pub(super) const fn knight_steps(x: u64) -> u64 {
    let one = ((x & NOT_H) << 1) | ((x & NOT_A) >> 1);
    let two = ((x & NOT_GH) << 2) | ((x & NOT_AB) >> 2);
    (one << 16) | (one >> 16) | (two << 8) | (two >> 8)
}

/// Every square that pawns of `color` on the set attack.
#[inline]
pub(super) const fn pawn_captures(color: Color, x: u64) -> u64 {
    let sides = ((x & NOT_H) << 1) | ((x & NOT_A) >> 1);
    match color {
        Color::White => sides << 8,
        Color::Black => sides >> 8,
    }
}

/// Every square one push ahead of pawns of `color` on the set.
#[inline]
pub(super) const fn pawn_pushes(color: Color, x: u64) -> u64 {
    match color {
        Color::White => x << 8,
        Color::Black => x >> 8,
    }
}

/// The last rank of `color`.
#[inline]
pub(super) const fn last_rank(color: Color) -> u64 {
    match color {
        Color::White => 0xFF << 56,
        Color::Black => 0xFF,
    }
}

/// The start rank of the pawns of `color`.
#[inline]
pub(super) const fn pawn_rank(color: Color) -> u64 {
    match color {
        Color::White => 0xFF << 8,
        Color::Black => 0xFF << 48,
    }
}

/// The file of a square, as a mask.
#[inline]
pub(super) const fn file_of(square: u8) -> u64 {
    0x0101_0101_0101_0101 << (square & 7)
}

/// The squares in front of a pawn of `color` on `square`, on its own file.
#[inline]
pub(super) const fn ahead(color: Color, square: u8) -> u64 {
    match color {
        Color::White => 0x0101_0101_0101_0100 << square,
        Color::Black => (0x0101_0101_0101_0101 << (square & 7)) & (bit(square) - 1),
    }
}

/// The squares in front of pawns of `color` on the set, on their own files.
#[inline]
pub(super) const fn file_fill(color: Color, x: u64) -> u64 {
    let one = pawn_pushes(color, x);
    match color {
        Color::White => {
            let two = one | one << 8;
            let four = two | two << 16;
            four | four << 32
        }
        Color::Black => {
            let two = one | one >> 8;
            let four = two | two >> 16;
            four | four >> 32
        }
    }
}

/// One step of a knight, bishop, rook, queen or king from any square of the set; the captures of a (white) pawn
/// are no step, so a pawn has none here.
#[inline]
pub(super) const fn steps(role: Role, x: u64) -> u64 {
    match role {
        Role::Pawn => 0,
        Role::Knight => knight_steps(x),
        Role::Bishop => diagonal_steps(x),
        Role::Rook => straight_steps(x),
        Role::Queen => diagonal_steps(x) | straight_steps(x),
        Role::King => king_steps(x),
    }
}

/// The directions a slider moves in; none for the other pieces.
#[inline]
pub(super) fn slides(role: Role) -> &'static [fn(u64) -> u64] {
    match role {
        Role::Bishop => &DIRECTIONS[..4],
        Role::Rook => &DIRECTIONS[4..],
        Role::Queen => &DIRECTIONS,
        _ => &[],
    }
}

/// King's distance between two squares.
#[inline]
pub(super) const fn distance(a: u8, b: u8) -> u32 {
    let files = (a & 7).abs_diff(b & 7);
    let ranks = (a >> 3).abs_diff(b >> 3);
    if files > ranks { files as u32 } else { ranks as u32 }
}

/// The rank of a square as `color` counts it: 0 is its own back rank.
#[inline]
pub(super) const fn rank_for(color: Color, square: u8) -> u32 {
    match color {
        Color::White => (square >> 3) as u32,
        Color::Black => 7 - (square >> 3) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Bitboard, Square, attacks};

    #[test]
    fn steps_of_one_square_are_the_attacks_on_the_full_board() {
        for square in Square::ALL {
            let x = bit(square as u8);
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                let one = attacks::attacks(square, role.of(Color::White), Bitboard::FULL);
                assert_eq!(steps(role, x), u64::from(one), "{role:?} on {square}");
            }
            for color in Color::ALL {
                assert_eq!(pawn_captures(color, x), u64::from(attacks::pawn_attacks(color, square)));
            }
        }
    }

    #[test]
    fn steps_of_two_neighbours_contain_both() {
        let pair = bit(27) | bit(28);
        assert_eq!(king_steps(pair) & pair, pair);
    }

    #[test]
    fn ahead_is_on_the_own_file_only() {
        assert_eq!(ahead(Color::White, 8), file_of(0) & !0xFFFF);
        assert_eq!(ahead(Color::Black, 55), file_of(7) & !(0xFFFF << 48));
        assert_eq!(ahead(Color::White, 60), 0);
        assert_eq!(ahead(Color::Black, 3), 0);
    }
}

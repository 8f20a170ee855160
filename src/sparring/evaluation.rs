//! What a position is worth without looking ahead, in centipawns.
//!
//! Material, piece placement, mobility, pawns and kings, each with a middlegame and an endgame value; the
//! pieces left on the board decide how the two are mixed.

use std::ops::{AddAssign, Sub};
use std::sync::LazyLock;

use shakmaty::{Bitboard, Board, ByRole, Chess, Color, File, Position, Role, Square, attacks};

/// No evaluation leaves ± this, however odd the position: everything beyond is a mate score.
pub const EVALUATION_LIMIT: i32 = 20_000;

/// A middlegame and an endgame value.
#[derive(Clone, Copy, Default)]
struct Tapered {
    middlegame: i32,
    endgame: i32,
}

const fn tapered(middlegame: i32, endgame: i32) -> Tapered {
    Tapered { middlegame, endgame }
}

impl Tapered {
    fn times(self, factor: i32) -> Tapered {
        tapered(self.middlegame * factor, self.endgame * factor)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        self.middlegame += other.middlegame;
        self.endgame += other.endgame;
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    fn sub(self, other: Tapered) -> Tapered {
        tapered(self.middlegame - other.middlegame, self.endgame - other.endgame)
    }
}

const MATERIAL: ByRole<Tapered> = ByRole {
    pawn: tapered(85, 110),
    knight: tapered(330, 300),
    bishop: tapered(345, 320),
    rook: tapered(480, 530),
    queen: tapered(1000, 970),
    king: tapered(0, 0),
};

/// Material and placement of a piece on each square, as White sees the board.
static PIECE_VALUES: LazyLock<ByRole<[Tapered; 64]>> = LazyLock::new(|| {
    ByRole::new_with(|role| {
        let mut values = [*MATERIAL.get(role); 64];
        for (square, value) in Square::ALL.into_iter().zip(&mut values) {
            *value += placement(role, square);
        }
        values
    })
});

const TEMPO: i32 = 10;
const BISHOP_PAIR: Tapered = tapered(30, 45);
const DOUBLED_PAWN: Tapered = tapered(-8, -18);
const ISOLATED_PAWN: Tapered = tapered(-12, -12);
const OPEN_FILE_ROOK: Tapered = tapered(28, 12);
const HALF_OPEN_FILE_ROOK: Tapered = tapered(14, 8);
const SHIELD_PAWN: Tapered = tapered(10, 0);
/// By relative rank.
const PASSED_PAWN: [Tapered; 8] = [
    tapered(0, 0),
    tapered(2, 8),
    tapered(5, 15),
    tapered(12, 35),
    tapered(30, 65),
    tapered(60, 110),
    tapered(100, 180),
    tapered(0, 0),
];
/// For each square a piece may go to, beyond its usual number.
const MOBILITY: ByRole<(i32, Tapered)> = ByRole {
    pawn: (0, tapered(0, 0)),
    knight: (4, tapered(5, 4)),
    bishop: (6, tapered(4, 4)),
    rook: (7, tapered(2, 4)),
    queen: (13, tapered(1, 2)),
    king: (0, tapered(0, 0)),
};
/// For each square next to the enemy king that a piece attacks.
const KING_ATTACK: ByRole<i32> = ByRole { pawn: 0, knight: 7, bishop: 6, rook: 8, queen: 8, king: 0 };
/// How much of the middlegame each piece stands for; all pieces together make `FULL_PHASE`.
const PHASE: ByRole<i32> = ByRole { pawn: 0, knight: 1, bishop: 1, rook: 2, queen: 4, king: 0 };
const FULL_PHASE: i32 = 24;

/// The value of the position for the side to move.
pub fn evaluate(position: &Chess) -> i32 {
    let board = position.board();
    let (side, opponent) = (position.turn(), position.turn().other());
    let value = side_value(board, side) - side_value(board, opponent);
    let phase: i32 = PHASE
        .zip_role()
        .into_iter()
        .map(|(role, weight)| weight * board.by_role(role).count() as i32)
        .sum::<i32>()
        .min(FULL_PHASE);
    let mixed = (value.middlegame * phase + value.endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    let mixed = mixed + drive_to_edge(board, side) - drive_to_edge(board, opponent) + TEMPO;
    // Nearing the fifty-move rule, an advantage that doesn't progress is worth less.
    let halfmoves = position.halfmoves().min(100) as i32;
    (mixed * (220 - halfmoves) / 220).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
}

fn side_value(board: &Board, side: Color) -> Tapered {
    let own = board.by_color(side);
    let their_pawns = board.pawns() & board.by_color(side.other());
    let attacked_by_pawns = pawn_attacks(their_pawns, side.other());
    let target = !own & !attacked_by_pawns;
    let king_zone = board.king_of(side.other()).map_or(Bitboard::EMPTY, attacks::king_attacks);
    let mut value = Tapered::default();
    for (role, values) in PIECE_VALUES.as_ref().zip_role() {
        let (usual, per_square) = *MOBILITY.get(role);
        for square in board.by_role(role) & own {
            value += values[side.fold_wb(square, square.flip_vertical()).to_usize()];
            if matches!(role, Role::Pawn | Role::King) {
                continue;
            }
            let reach = attacks::attacks(square, role.of(side), board.occupied());
            value += per_square.times((reach & target).count() as i32 - usual);
            value += tapered(KING_ATTACK.get(role) * (reach & king_zone).count() as i32, 0);
        }
    }
    if (board.bishops() & own).more_than_one() {
        value += BISHOP_PAIR;
    }
    value += pawn_structure(board, side);
    value += rooks_on_files(board, side);
    value += king_shield(board, side);
    value
}

fn pawn_attacks(pawns: Bitboard, side: Color) -> Bitboard {
    let step = side.fold_wb(8, -8);
    let forward = pawns.shift(step);
    (forward & !Bitboard::from_file(File::H)).shift(1) | (forward & !Bitboard::from_file(File::A)).shift(-1)
}

/// The file and its neighbours.
fn files_around(file: File) -> Bitboard {
    [-1, 0, 1]
        .into_iter()
        .filter_map(|step| file.offset(step))
        .fold(Bitboard::EMPTY, |files, file| files | Bitboard::from_file(file))
}

/// The ranks strictly before a square, as its side sees them.
fn ranks_ahead(square: Square, side: Color) -> Bitboard {
    let rank = square.rank().to_u32();
    match side {
        Color::White => Bitboard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => Bitboard((1 << (8 * rank)) - 1),
    }
}

fn relative_rank(square: Square, side: Color) -> usize {
    side.fold_wb(square, square.flip_vertical()).rank().to_usize()
}

fn pawn_structure(board: &Board, side: Color) -> Tapered {
    let pawns = board.pawns() & board.by_color(side);
    let their_pawns = board.pawns() & board.by_color(side.other());
    let mut value = Tapered::default();
    for square in pawns {
        let file = Bitboard::from_file(square.file());
        let around = files_around(square.file());
        let ahead = ranks_ahead(square, side);
        if (pawns & file & ahead).any() {
            value += DOUBLED_PAWN;
        } else if (their_pawns & around & ahead).is_empty() {
            value += passed_pawn(board, square, side);
        }
        if (pawns & around & !file).is_empty() {
            value += ISOLATED_PAWN;
        }
    }
    value
}

/// A passed pawn is worth more the further it is, and the nearer to its own king than to the other.
fn passed_pawn(board: &Board, square: Square, side: Color) -> Tapered {
    let rank = relative_rank(square, side);
    let mut value = PASSED_PAWN[rank];
    let distance = |king: Option<Square>| king.map_or(0, |king| king.distance(square) as i32);
    let kings = distance(board.king_of(side.other())) - distance(board.king_of(side));
    value += tapered(0, 2 * kings * rank as i32);
    value
}

fn rooks_on_files(board: &Board, side: Color) -> Tapered {
    let own_pawns = board.pawns() & board.by_color(side);
    let mut value = Tapered::default();
    for square in board.rooks() & board.by_color(side) {
        let file = Bitboard::from_file(square.file());
        if (board.pawns() & file).is_empty() {
            value += OPEN_FILE_ROOK;
        } else if (own_pawns & file).is_empty() {
            value += HALF_OPEN_FILE_ROOK;
        }
    }
    value
}

fn king_shield(board: &Board, side: Color) -> Tapered {
    let Some(king) = board.king_of(side) else { return Tapered::default() };
    if relative_rank(king, side) > 1 {
        return Tapered::default();
    }
    let beyond_third_rank = ranks_ahead(side.fold_wb(Square::A3, Square::A6), side);
    let shield = files_around(king.file()) & ranks_ahead(king, side) & !beyond_third_rank;
    SHIELD_PAWN.times((board.pawns() & board.by_color(side) & shield).count() as i32)
}

/// Against a bare king: the nearer it is to the edge, and the kings to each other, the nearer is mate.
fn drive_to_edge(board: &Board, side: Color) -> i32 {
    let pieces = board.by_color(side) & !board.kings() & !board.pawns();
    let can_mate = (pieces & board.rooks_and_queens()).any() || pieces.more_than_one();
    let bare_king = board.by_color(side.other()).count() == 1;
    match (board.king_of(side), board.king_of(side.other())) {
        (Some(own), Some(their)) if bare_king && can_mate => {
            200 + 12 * (6 - centre_closeness(their)) + 6 * (14 - steps_between(own, their))
        }
        _ => 0,
    }
}

fn steps_between(a: Square, b: Square) -> i32 {
    (a.file().distance(b.file()) + a.rank().distance(b.rank())) as i32
}

/// 0 in a corner to 6 in the centre.
fn centre_closeness(square: Square) -> i32 {
    let (file, rank) = (square.file().to_u32() as i32, square.rank().to_u32() as i32);
    file.min(7 - file) + rank.min(7 - rank)
}

/// Where a white piece stands well, said by rule.
fn placement(role: Role, square: Square) -> Tapered {
    let closeness = centre_closeness(square);
    let rank = square.rank().to_u32() as i32;
    let file = square.file().to_u32() as i32;
    let inner_file = file.min(7 - file);
    let undeveloped = if rank == 0 { 12 } else { 0 };
    match role {
        Role::Pawn => {
            let advance = rank - 1;
            tapered(3 * advance + inner_file * 3 * advance.min(3) - 4, advance * advance * 2)
        }
        Role::Knight => tapered(7 * closeness - 22 - undeveloped, 6 * closeness - 20),
        Role::Bishop => tapered(3 * closeness - 8 - undeveloped, 3 * closeness - 8),
        Role::Rook => {
            let seventh = if rank == 6 { 20 } else { 0 };
            tapered(3 * inner_file - 4 + seventh, seventh)
        }
        Role::Queen => tapered(closeness - 3, 4 * closeness - 12),
        Role::King => {
            let shelter = match (rank, inner_file) {
                (0, 1 | 2) if file != 5 => 32,
                (0, 0) => 18,
                (0, _) => 0,
                (1, _) => -18,
                _ => -30 - 10 * rank,
            };
            tapered(shelter, 8 * closeness - 24)
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, PositionError, fen::Fen};

    use super::*;

    fn value(fen: &str) -> i32 {
        let fen: Fen = fen.parse().unwrap();
        let position =
            fen.into_position(CastlingMode::Standard).or_else(PositionError::ignore_too_much_material);
        evaluate(&position.unwrap())
    }

    #[test]
    fn start_is_equal_but_for_the_move() {
        assert_eq!(evaluate(&Chess::default()), TEMPO);
    }

    #[test]
    fn both_colours_are_judged_alike() {
        let white = "r1bqk2r/pp3ppp/2n2n2/2bp4/8/P1N1PN2/1P3PPP/R1BQKB1R w KQkq - 0 1";
        let fen: Fen = white.parse().unwrap();
        let mirrored = Fen::try_from_setup(fen.as_setup().clone().into_mirrored()).unwrap();
        assert_eq!(value(white), value(&mirrored.to_string()));
    }

    #[test]
    fn passed_pawn_and_bare_king() {
        assert!(value("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1") > value("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"));
        assert!(value("7k/8/5K2/8/8/8/8/1R6 w - - 0 1") > value("8/8/8/4k3/8/8/8/KR6 w - - 0 1"));
    }

    #[test]
    fn odd_material_stays_within_the_limit() {
        let fen = "kb6/pp6/8/3QQQQQ/3QQQQQ/3QQQQQ/3QQQQQ/K2QQQQQ";
        assert_eq!(value(&format!("{fen} w - - 0 1")), EVALUATION_LIMIT);
        assert_eq!(value(&format!("{fen} b - - 0 1")), -EVALUATION_LIMIT);
    }
}

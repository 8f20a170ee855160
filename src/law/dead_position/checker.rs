//! A checker of proofs. It shares nothing with the search but the move generation: every rule is stated here once
//! more, square by square and as plainly as possible, and the evidence is compared with it.

mod projection;
mod regions;
mod tempo;

use std::collections::HashSet;
use std::fmt;

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square};

use super::proof::{ClosedSet, Leaf, MaterialProof, Proof};

/// What is wrong with a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// There are legal moves, or a mate by the side stands on the board.
    NotOver,
    /// The men on the board are not those of the material rule.
    Material,
    /// The proof speaks of another side.
    OtherSide,
    /// The regions are not those of the men on the board.
    OtherMen,
    /// The man on this square may leave its region.
    Leaves(Square),
    /// The king may be mated on this square.
    MateOn(Square),
    /// An abstract position that can come about is not in the set.
    MissingState(String),
    /// An abstract position may stand for a mate.
    MayBeMate(String),
    /// A position that can be reached is not in the set.
    MissingPosition(String),
    /// A legal move gives mate.
    Mate(String),
    /// The tempo rule does not apply to this position.
    NoRace,
    /// The moves are counted wrongly.
    Miscounted,
    /// A position that ends a branch has no proof.
    NoLeafProof(Leaf),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::NotOver => f.write_str("there are legal moves, or the side has given mate"),
            ProofError::Material => f.write_str("the men are not those of the material rule"),
            ProofError::OtherSide => f.write_str("the proof speaks of the other side"),
            ProofError::OtherMen => f.write_str("the regions belong to other men"),
            ProofError::Leaves(square) => write!(f, "the man on {square} may leave its region"),
            ProofError::MateOn(square) => write!(f, "the king may be mated on {square}"),
            ProofError::MissingState(state) => write!(f, "the set lacks the abstract position {state}"),
            ProofError::MayBeMate(state) => write!(f, "the abstract position {state} may be a mate"),
            ProofError::MissingPosition(board) => write!(f, "the set lacks the position {board}"),
            ProofError::Mate(board) => write!(f, "there is a mate in {board}"),
            ProofError::NoRace => f.write_str("the tempo rule does not apply"),
            ProofError::Miscounted => f.write_str("the moves are counted wrongly"),
            ProofError::NoLeafProof(leaf) => write!(f, "a branch ends without its proof ({leaf:?})"),
        }
    }
}

impl std::error::Error for ProofError {}

/// Checks that `proof` shows that `side` can never mate from `position`.
///
/// # Errors
///
/// The first fault found in the proof.
pub fn check(position: &Chess, side: Color, proof: &Proof) -> Result<(), ProofError> {
    if matches!(proof, Proof::NoMoves) {
        let mated = position.is_checkmate() && position.turn() != side;
        let over = position.legal_moves().is_empty() && !mated;
        return if over { Ok(()) } else { Err(ProofError::NotOver) };
    }
    if position.is_checkmate() && position.turn() != side {
        return Err(ProofError::NotOver);
    }
    match proof {
        Proof::NoMoves => Ok(()),
        Proof::Material(case) => check_material(position.board(), side, *case),
        Proof::Regions(proof) => {
            same_side(proof.side, side)?;
            let men = regions::Men::matching(position, proof)?;
            men.check_closed(position, true)?;
            men.check_no_mate(side, true)
        }
        Proof::Projection(proof) => {
            same_side(proof.regions.side, side)?;
            projection::check(position, side, proof)
        }
        Proof::Tempo(proof) => {
            same_side(proof.regions.side, side)?;
            tempo::check(position, side, proof)
        }
        Proof::ClosedSet(set) => {
            same_side(set.side(), side)?;
            check_closed_set(position, set)
        }
    }
}

fn same_side(proof: Color, side: Color) -> Result<(), ProofError> {
    if proof == side { Ok(()) } else { Err(ProofError::OtherSide) }
}

/// The squares of the men of one kind.
fn of(board: &Board, color: Color, role: Role) -> Vec<Square> {
    board.by_piece(role.of(color)).into_iter().collect()
}

fn check_material(board: &Board, side: Color, case: MaterialProof) -> Result<(), ProofError> {
    let has = |color: Color, roles: &[Role]| roles.iter().any(|role| !of(board, color, *role).is_empty());
    let no_more = |roles: &[Role]| !has(side, roles);
    let holds = match case {
        MaterialProof::KingOnly(color) => {
            color == side && no_more(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen])
        }
        MaterialProof::LoneKnight(color) => {
            color == side
                && no_more(&[Role::Pawn, Role::Bishop, Role::Rook, Role::Queen])
                && of(board, side, Role::Knight).len() == 1
                && !has(!side, &[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook])
        }
        MaterialProof::Bishops(color) => {
            let light = |color| of(board, color, Role::Bishop).into_iter().map(Square::is_light);
            let mut all = light(side).chain(light(!side));
            let first = light(side).next();
            color == side
                && no_more(&[Role::Pawn, Role::Knight, Role::Rook, Role::Queen])
                && !has(!side, &[Role::Pawn, Role::Knight])
                && all.all(|colour| Some(colour) == first)
        }
    };
    if holds { Ok(()) } else { Err(ProofError::Material) }
}

fn check_closed_set(root: &Chess, set: &ClosedSet) -> Result<(), ProofError> {
    let known: HashSet<&Chess> = set.positions().map(|(position, _)| position).collect();
    let name = |position: &Chess| position.board().to_string();
    if !known.contains(root) {
        return Err(ProofError::MissingPosition(name(root)));
    }
    for (position, leaf) in set.positions() {
        if let Some(leaf) = leaf {
            let proof = set.prove_leaf(position, leaf).ok_or(ProofError::NoLeafProof(leaf))?;
            check(position, set.side(), &proof)?;
            continue;
        }
        if position.is_checkmate() && position.turn() != set.side() {
            return Err(ProofError::Mate(name(position)));
        }
        for m in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(m);
            if !known.contains(&next) {
                return Err(ProofError::MissingPosition(name(&next)));
            }
        }
    }
    Ok(())
}

/// The square one step of files and ranks away, if it is on the board.
fn step(square: Square, files: i32, ranks: i32) -> Option<Square> {
    let file = square.file().offset(files)?;
    let rank = square.rank().offset(ranks)?;
    Some(Square::from_coords(file, rank))
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The single steps of a piece that is no pawn.
fn steps_of(role: Role) -> Vec<(i32, i32)> {
    match role {
        Role::Pawn => Vec::new(),
        Role::Knight => KNIGHT.to_vec(),
        Role::Bishop => DIAGONAL.to_vec(),
        Role::Rook => STRAIGHT.to_vec(),
        Role::Queen | Role::King => [STRAIGHT, DIAGONAL].concat(),
    }
}

/// The squares next to one.
fn neighbours(square: Square) -> Vec<Square> {
    steps_of(Role::King).into_iter().filter_map(|(files, ranks)| step(square, files, ranks)).collect()
}

/// The two squares, or one at the edge, that a pawn attacks.
fn pawn_attacks(color: Color, square: Square) -> Vec<Square> {
    let forward = color.fold_wb(1, -1);
    [-1, 1].into_iter().filter_map(|side| step(square, side, forward)).collect()
}

fn pawn_push(color: Color, square: Square) -> Option<Square> {
    step(square, 0, color.fold_wb(1, -1))
}

/// Whether each of `squares` can get a man of its own, where a man may stand on the squares of its set.
fn can_fill(squares: &[Square], men: &[Bitboard]) -> bool {
    let Some((first, rest)) = squares.split_first() else { return true };
    (0..men.len()).any(|i| {
        let mut others = men.to_vec();
        let man = others.swap_remove(i);
        man.contains(*first) && can_fill(rest, &others)
    })
}

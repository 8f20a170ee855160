//! The tempo count, counted again.

use shakmaty::{Bitboard, Chess, Color, Position, Role, Square};

use super::regions::Men;
use super::{ProofError, pawn_push};
use crate::law::dead_position::proof::{ManRegion, TempoProof};

/// Checks the regions up to the first promotion, that they leave no mate, and that no promotion comes in time.
pub(super) fn check(position: &Chess, side: Color, proof: &TempoProof) -> Result<(), ProofError> {
    if position.castles().any() || position.legal_ep_square().is_some() {
        return Err(ProofError::NoRace);
    }
    if proof.regions.men.iter().any(|man| man.promotes) {
        return Err(ProofError::NoRace);
    }
    let men = Men::matching(position, &proof.regions)?;
    men.check_closed(position, false)?;
    men.check_no_mate(side, false)?;
    let (waiter, runner) = (proof.waiter, !proof.waiter);
    if !men.of(waiter).all(waits) || !men.of(runner).all(runs) {
        return Err(ProofError::NoRace);
    }
    let spare: u32 = men.of(waiter).map(|man| spare_moves(&men, man)).sum();
    let available = if position.turn() == waiter { spare } else { spare + 1 };
    let king = men.king(runner)?;
    let needed = men.of(runner).filter_map(|man| moves_to_promote(&men, man, king)).min();
    let in_time = needed.is_some_and(|needed| needed <= available);
    if available != proof.available || needed != proof.needed || in_time {
        return Err(ProofError::Miscounted);
    }
    Ok(())
}

fn on_file(man: &ManRegion) -> bool {
    man.region.into_iter().all(|at| at.file() == man.square.file())
}

fn may_arrive(man: &ManRegion) -> bool {
    let last = (!man.piece.color).backrank();
    man.region.into_iter().any(|at| at.rank() == last)
}

fn stands_still(man: &ManRegion) -> bool {
    man.region == Bitboard::from(man.square)
}

fn waits(man: &ManRegion) -> bool {
    match man.piece.role {
        Role::Pawn => on_file(man) && !may_arrive(man),
        _ => stands_still(man),
    }
}

fn runs(man: &ManRegion) -> bool {
    match man.piece.role {
        Role::Pawn => on_file(man),
        Role::King => true,
        _ => stands_still(man),
    }
}

/// The squares in front of a pawn, nearest first.
fn in_front(man: &ManRegion) -> Vec<Square> {
    std::iter::successors(pawn_push(man.piece.color, man.square), |at| pawn_push(man.piece.color, *at))
        .collect()
}

/// Moves that a waiter's man has at most: squares of its region in front of it, and before the pawn that faces it.
fn spare_moves(men: &Men<'_>, man: &ManRegion) -> u32 {
    if man.piece.role != Role::Pawn {
        return 0;
    }
    let faces =
        |at: &Square| men.of(!man.piece.color).any(|foe| foe.square == *at && foe.piece.role == Role::Pawn);
    let free = in_front(man).into_iter().take_while(|at| !faces(at)).count();
    (free as u32).min(man.region.count() as u32 - 1)
}

/// Moves that a runner's pawn needs at least to promote, its king's walk to the men in its way included.
fn moves_to_promote(men: &Men<'_>, pawn: &ManRegion, king: &ManRegion) -> Option<u32> {
    if pawn.piece.role != Role::Pawn || !may_arrive(pawn) {
        return None;
    }
    let front = in_front(pawn);
    let doubled = pawn.square.rank() == pawn.piece.color.relative_rank(shakmaty::Rank::Second);
    let pushes = front.len() as u32 - u32::from(doubled);
    let in_way = men.of(!pawn.piece.color).filter(|man| front.contains(&man.square));
    let walk = in_way
        .into_iter()
        .take(4)
        .map(|man| {
            let places = man.region & king.region;
            places.into_iter().map(|at| king.square.distance(at)).min().unwrap_or(99)
        })
        .max();
    Some(pushes + walk.unwrap_or(0))
}

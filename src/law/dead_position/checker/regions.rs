//! Regions: closed under everything that men can do, and without a square for a mate.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, Position, Role, Square};

use super::{ProofError, can_fill, neighbours, pawn_attacks, pawn_push, step, steps_of};
use crate::law::dead_position::proof::{ManRegion, RegionProof};

/// The men of a proof, found to be those on the board.
pub(super) struct Men<'a> {
    pub men: &'a [ManRegion],
    /// Squares of the men that never move and are never taken, by the regions.
    pub staying: Bitboard,
}

impl<'a> Men<'a> {
    /// Checks that the proof speaks of exactly the men on the board, each inside its region.
    pub fn matching(position: &Chess, proof: &'a RegionProof) -> Result<Men<'a>, ProofError> {
        let on_board = |man: &ManRegion| position.board().piece_at(man.square) == Some(man.piece);
        let squares: Bitboard = proof.men.iter().map(|man| man.square).collect();
        let all = squares == position.board().occupied() && squares.count() == proof.men.len();
        if !all || !proof.men.iter().all(|man| on_board(man) && man.region.contains(man.square)) {
            return Err(ProofError::OtherMen);
        }
        let mut men = Men { men: &proof.men, staying: Bitboard::EMPTY };
        men.staying = proof.men.iter().filter(|man| men.stays(man)).map(|man| man.square).collect();
        Ok(men)
    }

    pub fn of(&self, color: Color) -> impl Iterator<Item = &'a ManRegion> {
        self.men.iter().filter(move |man| man.piece.color == color)
    }

    pub fn king(&self, color: Color) -> Result<&'a ManRegion, ProofError> {
        self.of(color).find(|man| man.piece.role == Role::King).ok_or(ProofError::OtherMen)
    }

    fn stays(&self, man: &ManRegion) -> bool {
        let takable = man.piece.role != Role::King
            && self.of(!man.piece.color).any(|taker| self.may_take(taker, man.square));
        man.region == Bitboard::from(man.square) && !man.promotes && !takable
    }

    /// Whether a man may ever take something on `square`.
    pub fn may_take(&self, man: &ManRegion, square: Square) -> bool {
        man.promotes
            || match man.piece.role {
                Role::Pawn => {
                    let seen = |from| pawn_attacks(man.piece.color, from).contains(&square);
                    man.region.into_iter().any(seen)
                }
                _ => man.region.contains(square),
            }
    }

    fn staying_man(&self, square: Square) -> Option<&'a ManRegion> {
        self.men.iter().find(|man| man.square == square && self.staying.contains(square))
    }

    /// Whether a man of `color` may enter `square` at all: no staying man of its own, nor the staying enemy king.
    fn may_enter(&self, color: Color, square: Square) -> bool {
        self.staying_man(square).is_none_or(|man| man.piece.color != color && man.piece.role != Role::King)
    }

    /// Whether a staying man of `color` attacks `square` from next to it (or by a knight's move) at all times.
    fn always_guarded(&self, color: Color, square: Square) -> bool {
        let guards = |man: &ManRegion| match man.piece.role {
            Role::Pawn => pawn_attacks(color, man.square).contains(&square),
            role => steps_of(role).into_iter().any(|(f, r)| step(man.square, f, r) == Some(square)),
        };
        self.of(color).any(|man| self.staying.contains(man.square) && guards(man))
    }

    /// Checks that no man can leave its region; with `promotion`, also that pawns on the last rank count as promoted.
    pub fn check_closed(&self, position: &Chess, promotion: bool) -> Result<(), ProofError> {
        for man in self.men {
            for from in man.region {
                let leaves = match man.piece.role {
                    Role::Pawn => self.pawn_leaves(man, from),
                    _ => self.piece_leaves(man, from),
                };
                if leaves {
                    return Err(ProofError::Leaves(man.square));
                }
            }
            let last = (!man.piece.color).backrank();
            let arrives = man.piece.role == Role::Pawn && man.region.into_iter().any(|at| at.rank() == last);
            if promotion && arrives && !man.promotes {
                return Err(ProofError::Leaves(man.square));
            }
        }
        self.check_castling(position)?;
        self.check_en_passant(position)
    }

    fn piece_leaves(&self, man: &ManRegion, from: Square) -> bool {
        let color = man.piece.color;
        steps_of(man.piece.role).into_iter().filter_map(|(f, r)| step(from, f, r)).any(|to| {
            let barred = man.piece.role == Role::King && self.always_guarded(!color, to);
            self.may_enter(color, to) && !barred && !man.region.contains(to)
        })
    }

    fn pawn_leaves(&self, man: &ManRegion, from: Square) -> bool {
        let color = man.piece.color;
        let push = pawn_push(color, from).filter(|to| !self.staying.contains(*to) && !self.locked(man, *to));
        let prey = |to: &Square| {
            let enemies = self.of(!color).filter(|enemy| enemy.piece.role != Role::King);
            enemies.into_iter().any(|enemy| enemy.promotes || enemy.region.contains(*to))
        };
        let captures = pawn_attacks(color, from).into_iter().filter(prey);
        push.into_iter().chain(captures).any(|to| self.may_enter(color, to) && !man.region.contains(to))
    }

    /// Whether `to` is the square of the next enemy pawn on the file, where both pawns stay on the file and the
    /// enemy pawn can never be taken: then this pawn never gets there.
    fn locked(&self, man: &ManRegion, to: Square) -> bool {
        let color = man.piece.color;
        let mut ahead = pawn_push(color, man.square);
        let next = loop {
            let Some(at) = ahead else { return false };
            let here = |foe: &&ManRegion| foe.square == at && foe.piece == (!color).pawn();
            if let Some(foe) = self.men.iter().find(here) {
                break foe;
            }
            ahead = pawn_push(color, at);
        };
        let file = Bitboard::from_file(man.square.file());
        let takable = |at| self.of(color).any(|taker| self.may_take(taker, at));
        next.square == to
            && man.region.is_subset(file)
            && next.region.is_subset(file)
            && !next.region.into_iter().any(takable)
    }

    fn check_castling(&self, position: &Chess) -> Result<(), ProofError> {
        for color in Color::ALL {
            for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                let Some(rook) = position.castles().rook(color, side) else { continue };
                if (position.castles().path(color, side) & self.staying).any() {
                    continue;
                }
                let king = self.king(color)?;
                let rook = self.men.iter().find(|man| man.square == rook).ok_or(ProofError::OtherMen)?;
                if !king.region.contains(side.king_to(color)) || !rook.region.contains(side.rook_to(color)) {
                    return Err(ProofError::Leaves(king.square));
                }
            }
        }
        Ok(())
    }

    /// A pawn that may be taken in passing now must count as standing on the square that it passed.
    fn check_en_passant(&self, position: &Chess) -> Result<(), ProofError> {
        let Some(passed) = position.legal_ep_square() else { return Ok(()) };
        let pusher = !position.turn();
        let pawn = self.of(pusher).find(|man| Some(man.square) == pawn_push(pusher, passed));
        match pawn {
            Some(pawn) if pawn.region.contains(passed) => Ok(()),
            Some(pawn) => Err(ProofError::Leaves(pawn.square)),
            None => Err(ProofError::OtherMen),
        }
    }

    /// Whether a man other than the king may ever attack `square`.
    ///
    /// It could move there, or does so but for a staying man of its own or the staying king that it attacks; and a
    /// line piece sees through that king.
    pub fn may_attack(&self, man: &ManRegion, square: Square) -> bool {
        if man.promotes || man.piece.role == Role::Pawn {
            return self.may_take(man, square);
        }
        let color = man.piece.color;
        let king_on = |at: Square| self.staying_man(at).is_some_and(|it| it.piece == (!color).king());
        let own_on = |at: Square| self.staying_man(at).is_some_and(|it| it.piece.color == color);
        let from_region = |(f, r): (i32, i32)| {
            let back = step(square, -f, -r);
            let one = back.is_some_and(|at| man.region.contains(at)) && (own_on(square) || king_on(square));
            let slides = man.piece.role != Role::Knight;
            let two = slides
                && back.is_some_and(king_on)
                && back.and_then(|at| step(at, -f, -r)).is_some_and(|at| man.region.contains(at));
            one || two
        };
        man.region.contains(square) || steps_of(man.piece.role).into_iter().any(from_region)
    }

    /// Checks that there is no square on which the other king may be mated by `side`; without `promotion`, by the
    /// men as they are.
    pub fn check_no_mate(&self, side: Color, promotion: bool) -> Result<(), ProofError> {
        debug_assert!(promotion || self.men.iter().all(|man| !man.promotes));
        let attacked: Bitboard = Square::ALL
            .into_iter()
            .filter(|square| {
                let pieces = self.of(side).filter(|man| man.piece.role != Role::King);
                pieces.into_iter().any(|man| self.may_attack(man, *square))
            })
            .collect();
        let blockers: Vec<Bitboard> = self
            .of(!side)
            .filter(|man| man.piece.role != Role::King)
            .map(|man| if man.promotes { Bitboard::FULL } else { man.region })
            .collect();
        let own_king = self.king(side)?.region;
        for at in self.king(!side)?.region & attacked {
            let open: Vec<Square> = neighbours(at)
                .into_iter()
                .filter(|next| {
                    let own = self.staying_man(*next).is_some_and(|man| man.piece.color == side);
                    !attacked.contains(*next) && !own
                })
                .collect();
            let far_enough = |place: &Square| *place != at && !neighbours(at).contains(place);
            let left_by = |place: Square| -> Vec<Square> {
                open.iter().copied().filter(|next| !neighbours(place).contains(next)).collect()
            };
            let helped =
                own_king.into_iter().filter(far_enough).any(|place| can_fill(&left_by(place), &blockers));
            if helped || can_fill(&open, &blockers) {
                return Err(ProofError::MateOn(at));
            }
        }
        Ok(())
    }
}

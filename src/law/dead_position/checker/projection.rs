//! Abstract positions: the set holds every successor, and none of it may be a mate.

use std::collections::HashSet;

use shakmaty::{Bitboard, ByColor, Chess, Color, Position, Role, Square};

use super::regions::Men;
use super::{ProofError, can_fill, neighbours, pawn_attacks, pawn_push, step, steps_of};
use crate::law::dead_position::proof::{AbstractPosition, ManRegion, ProjectionProof};

/// Checks the regions, that the set starts with the position and that it is closed without a possible mate.
pub(super) fn check(position: &Chess, side: Color, proof: &ProjectionProof) -> Result<(), ProofError> {
    if position.castles().any() {
        return Err(ProofError::OtherMen);
    }
    let men = Men::matching(position, &proof.regions)?;
    men.check_closed(position, true)?;
    let world = World::new(&men, side, &proof.exact)?;
    let known: HashSet<&AbstractPosition> = proof.states.iter().collect();
    let start = world.start(position, &proof.exact);
    if !known.contains(&start) {
        return Err(ProofError::MissingState(format!("{start:?}")));
    }
    for state in &proof.states {
        let mut successors = Vec::new();
        Scene::new(&world, state).moves(&mut successors);
        for (next, left) in successors {
            let scene = Scene::new(&world, &next);
            if scene.surely_in_check(state.turn) {
                continue;
            }
            if state.turn == side && scene.may_be_mate(left) {
                return Err(ProofError::MayBeMate(format!("{next:?}")));
            }
            if !known.contains(&next) {
                return Err(ProofError::MissingState(format!("{next:?}")));
            }
        }
    }
    Ok(())
}

/// What does not change: which men are exact, fixed and relaxed.
struct World<'a> {
    side: Color,
    men: &'a Men<'a>,
    exact: Vec<ManRegion>,
    fixed: Vec<ManRegion>,
    relaxed: Vec<ManRegion>,
}

impl<'a> World<'a> {
    fn new(men: &'a Men<'a>, side: Color, exact: &[Square]) -> Result<World<'a>, ProofError> {
        let find = |square: &Square| men.men.iter().find(|man| man.square == *square).copied();
        let exact: Option<Vec<ManRegion>> = exact.iter().map(find).collect();
        let exact = exact.ok_or(ProofError::OtherMen)?;
        let piece = |man: &ManRegion| !matches!(man.piece.role, Role::Pawn | Role::King);
        if !exact.iter().all(piece) {
            return Err(ProofError::OtherMen);
        }
        let others = men.men.iter().filter(|man| piece(man) && !exact.contains(man)).copied();
        let (fixed, relaxed) = others.partition(|man| men.staying.contains(man.square));
        Ok(World { side, men, exact, fixed, relaxed })
    }

    fn start(&self, position: &Chess, exact: &[Square]) -> AbstractPosition {
        let board = position.board();
        let king = |color| board.king_of(color).unwrap_or(Square::A1);
        let passed = position.maybe_ep_square().filter(|passed| {
            let beside = |at: Square| board.piece_at(at) == Some(position.turn().pawn());
            pawn_attacks(!position.turn(), *passed).into_iter().any(beside)
        });
        AbstractPosition {
            pawns: ByColor::new_with(|color: Color| board.by_piece(color.pawn())),
            kings: ByColor::new_with(king),
            turn: position.turn(),
            passed,
            promoted: ByColor { white: false, black: false },
            exact: exact.iter().copied().map(Some).collect(),
        }
    }

    fn relaxed_of(&self, color: Color) -> impl Iterator<Item = &ManRegion> {
        self.relaxed.iter().filter(move |man| man.piece.color == color)
    }
}

/// What stands on a square for certain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thing {
    Pawn(Color),
    King(Color),
    Exact(usize),
    Fixed(usize),
}

/// An abstract position, laid out.
struct Scene<'a> {
    world: &'a World<'a>,
    state: &'a AbstractPosition,
    board: [Option<Thing>; 64],
}

/// The square that an exact man left with the last move; `None` after a move of something relaxed.
type Left = Option<Square>;

impl<'a> Scene<'a> {
    fn new(world: &'a World<'a>, state: &'a AbstractPosition) -> Scene<'a> {
        let mut board = [None; 64];
        for color in Color::ALL {
            for at in *state.pawns.get(color) {
                board[at.to_usize()] = Some(Thing::Pawn(color));
            }
            board[state.kings.get(color).to_usize()] = Some(Thing::King(color));
        }
        for (i, man) in world.fixed.iter().enumerate() {
            board[man.square.to_usize()] = Some(Thing::Fixed(i));
        }
        for (i, at) in state.exact.iter().enumerate() {
            if let Some(at) = at {
                board[at.to_usize()] = Some(Thing::Exact(i));
            }
        }
        Scene { world, state, board }
    }

    fn at(&self, square: Square) -> Option<Thing> {
        self.board[square.to_usize()]
    }

    fn color(&self, thing: Thing) -> Color {
        match thing {
            Thing::Pawn(color) | Thing::King(color) => color,
            Thing::Exact(i) => self.world.exact[i].piece.color,
            Thing::Fixed(i) => self.world.fixed[i].piece.color,
        }
    }

    /// Whether a relaxed man of `color` may stand on `square`.
    fn relaxed_on(&self, color: Color, square: Square) -> bool {
        *self.state.promoted.get(color) || self.world.relaxed_of(color).any(|man| man.region.contains(square))
    }

    fn relaxed_attack(&self, color: Color, square: Square) -> bool {
        *self.state.promoted.get(color)
            || self.world.relaxed_of(color).any(|man| self.world.men.may_attack(man, square))
    }

    /// The squares that a piece attacks from `from`, as far as the things that are certain let it; `through` does
    /// not stop it.
    fn attacks(&self, role: Role, from: Square, through: Option<Square>) -> Vec<Square> {
        let mut seen = Vec::new();
        for (files, ranks) in steps_of(role) {
            let mut at = from;
            while let Some(next) = step(at, files, ranks) {
                seen.push(next);
                let stops = self.at(next).is_some() && through != Some(next);
                if stops || matches!(role, Role::Knight | Role::King) {
                    break;
                }
                at = next;
            }
        }
        seen
    }

    /// The exact and fixed pieces of a colour and their squares.
    fn pieces(&self, color: Color) -> Vec<(Role, Square)> {
        let exact = self.world.exact.iter().zip(&self.state.exact);
        let exact = exact.filter_map(|(man, at)| at.map(|at| (man.piece, at)));
        let fixed = self.world.fixed.iter().map(|man| (man.piece, man.square));
        exact
            .chain(fixed)
            .filter(|(piece, _)| piece.color == color)
            .map(|(piece, at)| (piece.role, at))
            .collect()
    }

    fn surely_in_check(&self, color: Color) -> bool {
        let king = *self.state.kings.get(color);
        let pawns = *self.state.pawns.get(!color);
        if pawns.into_iter().any(|pawn| pawn_attacks(!color, pawn).contains(&king)) {
            return true;
        }
        let empty = |at: Square| Color::ALL.into_iter().all(|color| !self.relaxed_on(color, at));
        let between = |from| shakmaty::attacks::between(from, king);
        self.pieces(!color).into_iter().any(|(role, from)| {
            self.attacks(role, from, None).contains(&king) && between(from).into_iter().all(empty)
        })
    }

    fn may_be_mate(&self, left: Left) -> bool {
        let (us, them) = (self.world.side, !self.world.side);
        let king = *self.state.kings.get(them);
        let mut seen: Vec<Square> = neighbours(*self.state.kings.get(us));
        let mut check = false;
        for pawn in *self.state.pawns.get(us) {
            seen.extend(pawn_attacks(us, pawn));
            check |= pawn_attacks(us, pawn).contains(&king);
        }
        for (role, from) in self.pieces(us) {
            let attacks = self.attacks(role, from, Some(king));
            check |= attacks.contains(&king);
            seen.extend(attacks);
        }
        check |= match left {
            None => self.relaxed_attack(us, king),
            Some(left) => self.uncovered(us, king, left),
        };
        let open: Vec<Square> = neighbours(king)
            .into_iter()
            .filter(|at| !seen.contains(at) && !self.relaxed_attack(us, *at))
            .filter(|at| self.at(*at).is_none_or(|thing| self.color(thing) == us))
            .collect();
        if !check || open.iter().any(|at| self.at(*at).is_some()) {
            return false;
        }
        let blockers: Vec<Bitboard> = self.world.relaxed_of(them).map(|man| man.region).collect();
        *self.state.promoted.get(them) || can_fill(&open, &blockers)
    }

    /// Whether a relaxed line piece may attack the king through the square just left.
    fn uncovered(&self, color: Color, king: Square, left: Square) -> bool {
        steps_of(Role::Queen).into_iter().any(|(files, ranks)| {
            let straight = files == 0 || ranks == 0;
            let fits = |role| role == Role::Queen || role == if straight { Role::Rook } else { Role::Bishop };
            let slider_on = |at: Square| {
                let slider = |man: &ManRegion| fits(man.piece.role) && man.region.contains(at);
                *self.state.promoted.get(color) || self.world.relaxed_of(color).any(slider)
            };
            let (mut at, mut passed) = (king, false);
            while let Some(next) = step(at, files, ranks) {
                if passed && slider_on(next) {
                    return true;
                }
                if self.at(next).is_some() {
                    return false;
                }
                passed |= next == left;
                at = next;
            }
            false
        })
    }

    fn moves(&self, next: &mut Vec<(AbstractPosition, Left)>) {
        let us = self.state.turn;
        let mobile =
            *self.state.promoted.get(us) || self.world.relaxed_of(us).any(|man| man.region.count() > 1);
        if mobile {
            next.push((self.after(None), None));
        }
        for prey in Square::ALL {
            if self.takable(prey) && self.relaxed_on(us, prey) {
                next.push((self.after(Some(prey)), None));
            }
        }
        self.king_moves(next);
        self.exact_moves(next);
        for pawn in *self.state.pawns.get(us) {
            self.pawn_moves(pawn, next);
        }
    }

    /// Whether an enemy pawn or exact man stands on a square.
    fn takable(&self, square: Square) -> bool {
        self.at(square).is_some_and(|thing| {
            matches!(thing, Thing::Pawn(_) | Thing::Exact(_)) && self.color(thing) != self.state.turn
        })
    }

    /// The state after a move that takes what stands on `taken`, nothing else being changed yet.
    fn after(&self, taken: Option<Square>) -> AbstractPosition {
        let mut next = AbstractPosition { turn: !self.state.turn, passed: None, ..self.state.clone() };
        match taken.and_then(|at| self.at(at).map(|thing| (at, thing))) {
            Some((at, Thing::Pawn(color))) => next.pawns.get_mut(color).discard(at),
            Some((_, Thing::Exact(i))) => next.exact[i] = None,
            _ => {}
        }
        next
    }

    /// Whether an exact man to move may go to a square: empty of certain things, or a man that can be taken.
    fn may_go(&self, to: Square) -> bool {
        self.at(to).is_none() || self.takable(to)
    }

    fn king_moves(&self, next: &mut Vec<(AbstractPosition, Left)>) {
        let us = self.state.turn;
        let (from, enemy) = (*self.state.kings.get(us), *self.state.kings.get(!us));
        let region = self.world.men.king(us).map_or(Bitboard::FULL, |king| king.region);
        for to in neighbours(from) {
            if region.contains(to) && self.may_go(to) && !neighbours(enemy).contains(&to) {
                let mut state = self.after(Some(to));
                *state.kings.get_mut(us) = to;
                next.push((state, Some(from)));
            }
        }
    }

    fn exact_moves(&self, next: &mut Vec<(AbstractPosition, Left)>) {
        for (i, man) in self.world.exact.iter().enumerate() {
            let Some(from) = self.state.exact[i].filter(|_| man.piece.color == self.state.turn) else {
                continue;
            };
            for to in self.attacks(man.piece.role, from, None) {
                if man.region.contains(to) && self.may_go(to) {
                    let mut state = self.after(Some(to));
                    state.exact[i] = Some(to);
                    next.push((state, Some(from)));
                }
            }
        }
    }

    fn pawn_moves(&self, from: Square, next: &mut Vec<(AbstractPosition, Left)>) {
        let us = self.state.turn;
        let pawns = self.world.men.of(us).filter(|man| man.piece.role == Role::Pawn);
        let region = pawns.fold(Bitboard::EMPTY, |all, man| all | man.region);
        let free = |to: &Square| self.at(*to).is_none() && region.contains(*to);
        if let Some(one) = pawn_push(us, from).filter(free) {
            next.push(self.pawn_to(from, one, None));
            let start = from.rank() == us.relative_rank(shakmaty::Rank::Second);
            if let Some(two) = pawn_push(us, one).filter(free).filter(|_| start) {
                let (mut state, left) = self.pawn_to(from, two, None);
                let beside = |at: Square| self.state.pawns.get(!us).contains(at);
                state.passed = Some(one).filter(|one| pawn_attacks(us, *one).into_iter().any(beside));
                next.push((state, left));
            }
        }
        for to in pawn_attacks(us, from).into_iter().filter(|to| region.contains(*to)) {
            let relaxed = self.at(to).is_none() && self.relaxed_on(!us, to);
            if self.takable(to) || relaxed {
                next.push(self.pawn_to(from, to, Some(to)));
            }
            if self.state.passed == Some(to) {
                let (state, _) = self.pawn_to(from, to, pawn_push(!us, to));
                next.push((state, None));
            }
        }
    }

    fn pawn_to(&self, from: Square, to: Square, taken: Option<Square>) -> (AbstractPosition, Left) {
        let us = self.state.turn;
        let mut state = self.after(taken);
        state.pawns.get_mut(us).discard(from);
        if to.rank() == (!us).backrank() {
            *state.promoted.get_mut(us) = true;
            return (state, None);
        }
        state.pawns.get_mut(us).add(to);
        (state, Some(from))
    }
}

//! The moves of the projection, and the test whether a state may be mate.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::mating::distinct_places;
use super::projection::{NOWHERE, Projection, State};
use super::regions::index;
use super::squares::{bit, each, king_steps, last_rank, pawn_captures, pawn_pushes, pawn_rank};

/// How a state came about: what the check in it may come from.
#[derive(Clone, Copy)]
enum Move {
    /// Something relaxed moved or appeared: it may check by itself or uncover anything.
    Relaxed,
    /// An exact man left this square.
    From(u8),
}

/// The states after one move; the buffer is used again.
#[derive(Default)]
pub(super) struct Successors {
    pub states: Vec<State>,
    open: bool,
}

fn attacks_from(role: Role, square: u8, occupied: u64) -> u64 {
    let square = Square::new(u32::from(square));
    attacks::attacks(square, role.of(Color::White), Bitboard(occupied)).into()
}

fn between(a: u8, b: u8) -> u64 {
    attacks::between(Square::new(u32::from(a)), Square::new(u32::from(b))).into()
}

impl Successors {
    /// Makes all moves from `state`. True as soon as one may give mate; the list is then incomplete.
    pub fn fill(&mut self, projection: &Projection, state: &State) -> bool {
        self.states.clear();
        self.open = false;
        let board = Occupancy::of(projection, state);
        self.relaxed_moves(projection, state);
        self.king_moves(projection, state, &board);
        self.exact_moves(projection, state, &board);
        for pawn in each(state.pawns[index(state.turn)]) {
            self.pawn_moves(projection, state, &board, pawn);
        }
        self.open
    }

    fn push(&mut self, projection: &Projection, mut state: State, how: Move) {
        let mover = state.turn;
        state.turn = !mover;
        if self.open || surely_attacked(projection, &state, mover) {
            return;
        }
        if mover == projection.side && may_be_mate(projection, &state, how) {
            self.open = true;
        }
        self.states.push(state);
    }

    fn relaxed_moves(&mut self, projection: &Projection, state: &State) {
        let relaxed = projection.relaxed(state, state.turn);
        let quiet = State { passed: NOWHERE, ..*state };
        if relaxed.mobile {
            self.push(projection, quiet, Move::Relaxed);
        }
        let enemy = !state.turn;
        let exact = projection.exact.iter().zip(&state.exact);
        let prey = exact
            .filter(|(man, square)| man.color == enemy && **square != NOWHERE)
            .fold(state.pawns[index(enemy)], |all, (_, square)| all | bit(*square));
        for square in each(prey & relaxed.region) {
            self.push(projection, without(projection, quiet, enemy, square), Move::Relaxed);
        }
    }

    fn king_moves(&mut self, projection: &Projection, state: &State, board: &Occupancy) {
        let (us, them) = (index(state.turn), index(!state.turn));
        let king = state.kings[us];
        let targets = king_steps(bit(king))
            & projection.king_region[us]
            & !board.all[us]
            & !board.fixed[them]
            & !king_steps(bit(state.kings[them]));
        for to in each(targets & !bit(state.kings[them])) {
            let mut next = without(projection, State { passed: NOWHERE, ..*state }, !state.turn, to);
            next.kings[us] = to;
            self.push(projection, next, Move::From(king));
        }
    }

    fn exact_moves(&mut self, projection: &Projection, state: &State, board: &Occupancy) {
        let (us, them) = (index(state.turn), index(!state.turn));
        for (i, man) in projection.exact.iter().enumerate() {
            let from = state.exact[i];
            if man.color != state.turn || from == NOWHERE {
                continue;
            }
            let targets = attacks_from(man.role, from, board.all[0] | board.all[1])
                & man.region
                & !board.all[us]
                & !board.fixed[them]
                & !bit(state.kings[them]);
            for to in each(targets) {
                let mut next = without(projection, State { passed: NOWHERE, ..*state }, !state.turn, to);
                next.exact[i] = to;
                self.push(projection, next, Move::From(from));
            }
        }
    }

    fn pawn_moves(&mut self, projection: &Projection, state: &State, board: &Occupancy, pawn: u8) {
        let (us, them) = (index(state.turn), index(!state.turn));
        let region = projection.pawn_region[us];
        let free = !(board.all[0] | board.all[1]);
        let one = pawn_pushes(state.turn, bit(pawn)) & free & region;
        if one != 0 {
            self.pawn_arrives(projection, state, pawn, one.trailing_zeros() as u8);
            let two = pawn_pushes(state.turn, one) & free & region;
            if bit(pawn) & pawn_rank(state.turn) != 0 && two != 0 {
                let mut next = moved(state, pawn, two.trailing_zeros() as u8);
                if pawn_captures(state.turn, one) & state.pawns[them] != 0 {
                    next.passed = one.trailing_zeros() as u8;
                }
                self.push(projection, next, Move::From(pawn));
            }
        }
        let relaxed = projection.relaxed(state, !state.turn).region & free;
        let prey = (board.all[them] & !board.fixed[them] & !bit(state.kings[them])) | relaxed;
        let targets = pawn_captures(state.turn, bit(pawn)) & region;
        for to in each(targets & prey) {
            let next = without(projection, *state, !state.turn, to);
            self.pawn_arrives(projection, &next, pawn, to);
        }
        if state.passed != NOWHERE && targets & bit(state.passed) != 0 {
            let mut next = moved(state, pawn, state.passed);
            next.pawns[them] &= !pawn_pushes(!state.turn, bit(state.passed));
            self.push(projection, next, Move::Relaxed);
        }
    }

    fn pawn_arrives(&mut self, projection: &Projection, state: &State, pawn: u8, to: u8) {
        let mut next = moved(state, pawn, to);
        if bit(to) & last_rank(state.turn) == 0 {
            return self.push(projection, next, Move::From(pawn));
        }
        next.pawns[index(state.turn)] &= !bit(to);
        next.promoted[index(state.turn)] = true;
        self.push(projection, next, Move::Relaxed);
    }
}

fn moved(state: &State, pawn: u8, to: u8) -> State {
    let mut next = State { passed: NOWHERE, ..*state };
    next.pawns[index(state.turn)] ^= bit(pawn) | bit(to);
    next
}

/// The state without the pawn or exact man of `color` on `square`, if one is there.
fn without(projection: &Projection, mut state: State, color: Color, square: u8) -> State {
    state.pawns[index(color)] &= !bit(square);
    for (place, man) in state.exact.iter_mut().zip(&projection.exact) {
        if man.color == color && *place == square {
            *place = NOWHERE;
        }
    }
    state
}

/// The squares of what is exact in a state.
struct Occupancy {
    all: [u64; 2],
    fixed: [u64; 2],
}

impl Occupancy {
    fn of(projection: &Projection, state: &State) -> Occupancy {
        let mut fixed = [0; 2];
        for man in &projection.fixed {
            fixed[index(man.color)] |= bit(man.square);
        }
        let mut all = [0, 1].map(|i| fixed[i] | state.pawns[i] | bit(state.kings[i]));
        for (man, &square) in projection.exact.iter().zip(&state.exact) {
            if square != NOWHERE {
                all[index(man.color)] |= bit(square);
            }
        }
        Occupancy { all, fixed }
    }
}

/// The exact and fixed men of a colour: what each is and where it stands.
fn exact_men<'a>(
    projection: &'a Projection,
    state: &'a State,
    color: Color,
) -> impl Iterator<Item = (Role, u8)> + 'a {
    let exact = projection.exact.iter().zip(state.exact).filter(|(_, square)| *square != NOWHERE);
    let fixed = projection.fixed.iter().map(|man| (man, man.square));
    exact.chain(fixed).filter(move |(man, _)| man.color == color).map(|(man, square)| (man.role, square))
}

/// Whether the king of `color` is attacked wherever the relaxed men are.
fn surely_attacked(projection: &Projection, state: &State, color: Color) -> bool {
    let king = state.kings[index(color)];
    if pawn_captures(!color, state.pawns[index(!color)]) & bit(king) != 0 {
        return true;
    }
    let board = Occupancy::of(projection, state);
    let relaxed =
        projection.relaxed(state, Color::White).region | projection.relaxed(state, Color::Black).region;
    exact_men(projection, state, !color).any(|(role, square)| {
        attacks_from(role, square, board.all[0] | board.all[1]) & bit(king) != 0
            && between(square, king) & relaxed == 0
    })
}

/// Whether the state, with the side to be mated to move, may stand for a mate.
fn may_be_mate(projection: &Projection, state: &State, how: Move) -> bool {
    let (us, them) = (projection.side, !projection.side);
    let king = state.kings[index(them)];
    let board = Occupancy::of(projection, state);
    let occupied = board.all[0] | board.all[1];
    let relaxed = projection.relaxed(state, us);
    let mut guarded = pawn_captures(us, state.pawns[index(us)]);
    let mut check = guarded & bit(king) != 0;
    for (role, square) in exact_men(projection, state, us) {
        let seen = attacks_from(role, square, occupied & !bit(king));
        check |= seen & bit(king) != 0;
        guarded |= seen;
    }
    check |= match how {
        Move::Relaxed => relaxed.attacks & bit(king) != 0,
        Move::From(from) => uncovers(king, from, occupied, relaxed.diagonal, relaxed.straight),
    };
    if !check {
        return false;
    }
    guarded |= king_steps(bit(state.kings[index(us)])) | relaxed.attacks;
    let open = king_steps(bit(king)) & !guarded & !board.all[index(them)];
    if open == 0 {
        return true;
    }
    if open & board.all[index(us)] != 0 {
        return false;
    }
    state.promoted[index(them)] || distinct_places(&projection.relaxed[index(them)].regions, open)
}

/// Whether a line from the king through the square just left is open and may end at a relaxed slider.
fn uncovers(king: u8, from: u8, occupied: u64, diagonal: u64, straight: u64) -> bool {
    let beyond = |role, sliders: u64| {
        let line = attacks_from(role, king, occupied) & sliders;
        each(line).any(|square| between(king, square) & bit(from) != 0)
    };
    beyond(Role::Bishop, diagonal) || beyond(Role::Rook, straight)
}

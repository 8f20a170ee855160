//! Greedy play by both sides towards a mate: a cheap way to `yes` for nearly every ordinary position.

use shakmaty::{Board, Chess, Color, Move, Position, Role, Square, attacks};

use super::force::Force;
use super::squares::{CORNERS, ahead, bit, distance, each, rank_for};

/// Games tried from one position.
pub(super) const GAMES: u64 = 16;
const PLIES: usize = 60;

/// Xorshift with a multiplication: noise that is the same on every machine.
struct Noise(u64);

impl Noise {
    fn below_power(&mut self, bits: u32) -> i32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as i32
    }
}

/// What one game aims at.
struct Plan {
    side: Color,
    corner: u8,
    /// Odd games bring the king to the pawn that blocks the own cheapest pawn.
    escort: bool,
}

/// Plays one game of at most 60 plies; the mating line, if it came to one. Counts plies and probes in `nodes`.
pub(super) fn play(root: &Chess, side: Color, seed: u64, nodes: &mut u64) -> Option<Vec<Move>> {
    let mut noise = Noise(0x5DEE_CE66_D1CE_4E5B ^ (seed + 1).wrapping_mul(0xD134_2543_DE82_EF95));
    let plan = Plan { side, corner: choose_corner(root, side, seed, &mut noise), escort: seed % 2 == 1 };
    let mut position = root.clone();
    let mut line = Vec::new();
    for ply in 0..=PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return (position.turn() != side && position.is_check()).then_some(line);
        }
        if ply == PLIES {
            break;
        }
        let force = Force::of(position.board(), side);
        if position.turn() == side
            && let Some(mate) = probe(&position, &moves, &force, nodes)
        {
            line.push(mate);
            return Some(line);
        }
        let best = choose(&position, &moves, &Guide::new(&position, &plan, force), &mut noise);
        position.play_unchecked(best);
        line.push(best);
        *nodes += 1;
    }
    None
}

/// The move with the best score, some noise added.
fn choose(position: &Chess, moves: &[Move], guide: &Guide, noise: &mut Noise) -> Move {
    let own = position.turn() == guide.plan.side;
    let own_king = Square::new(u32::from(guide.force.own_king));
    let checks = Checks::of(position.board(), !guide.plan.side, own_king);
    let mut best = (i32::MIN, moves[0]);
    for m in moves {
        let score = if own { guide.own_move(&Step::of(m)) } else { guide.other_move(&checks, &Step::of(m)) };
        let score = score + noise.below_power(3);
        if score > best.0 {
            best = (score, *m);
        }
    }
    best.1
}

fn choose_corner(root: &Chess, side: Color, seed: u64, noise: &mut Noise) -> u8 {
    let force = Force::of(root.board(), side);
    let any = force.own_heavy || force.must_promote();
    let allowed = if any { [true; 4] } else { force.corners(root.board()) };
    let mut best = (i32::MAX, CORNERS[0]);
    for (i, corner) in CORNERS.into_iter().enumerate() {
        let stray = if seed == 0 { 0 } else { noise.below_power(4) };
        let cost = 4 * distance(force.other_king, corner) as i32 + stray;
        if allowed[i] && cost < best.0 {
            best = (cost, corner);
        }
    }
    best.1
}

/// A move taken apart.
struct Step {
    role: Role,
    from: u8,
    to: u8,
    capture: Option<Role>,
    promotion: Option<Role>,
}

impl Step {
    fn of(m: &Move) -> Step {
        let (role, from, to, capture, promotion) = match *m {
            Move::Normal { role, from, capture, to, promotion } => (role, from, to, capture, promotion),
            _ => (m.role(), m.from().unwrap_or(m.to()), m.to(), m.capture(), m.promotion()),
        };
        Step { role, from: from as u8, to: to as u8, capture, promotion }
    }

    /// What stands on the target square afterwards.
    fn arrives(&self) -> Role {
        self.promotion.unwrap_or(self.role)
    }
}

/// The squares, by role, from which a man would give check.
struct Checks([u64; 8]);

impl Checks {
    /// For men of `color` against a king.
    fn of(board: &Board, color: Color, king: Square) -> Checks {
        let diagonal = attacks::bishop_attacks(king, board.occupied());
        let straight = attacks::rook_attacks(king, board.occupied());
        let mut squares = [0; 8];
        squares[Role::Pawn as usize] = attacks::pawn_attacks(!color, king).into();
        squares[Role::Knight as usize] = attacks::knight_attacks(king).into();
        squares[Role::Bishop as usize] = diagonal.into();
        squares[Role::Rook as usize] = straight.into();
        squares[Role::Queen as usize] = (diagonal | straight).into();
        Checks(squares)
    }

    fn given_by(&self, step: &Step) -> bool {
        self.0[step.arrives() as usize & 7] & bit(step.to) != 0
    }
}

/// Tries every move that checks directly and returns one that mates.
fn probe(position: &Chess, moves: &[Move], force: &Force, nodes: &mut u64) -> Option<Move> {
    let board = position.board();
    let king = Square::new(u32::from(force.other_king));
    let checks = Checks::of(board, force.side, king);
    for m in moves {
        if checks.given_by(&Step::of(m)) {
            *nodes += 1;
            if has_flight(board, m, force.side, king) {
                continue;
            }
            let mut after = position.clone();
            after.play_unchecked(*m);
            if after.is_checkmate() {
                return Some(*m);
            }
        }
    }
    None
}

/// Whether the king surely has a square to go to after a move.
fn has_flight(board: &Board, m: &Move, side: Color, king: Square) -> bool {
    let Move::Normal { role, from, to, promotion, .. } = *m else { return false };
    let occupied = board.occupied().without(from).without(king).with(to);
    let moved = attacks::attacks(to, promotion.unwrap_or(role).of(side), occupied);
    let own = board.by_color(!side).without(to);
    let squares = attacks::king_attacks(king) & !own & !moved;
    squares.into_iter().any(|square| board.attacks_to(square, side, occupied).without(from).is_empty())
}

/// The scores of one ply's moves.
struct Guide<'a> {
    plan: &'a Plan,
    force: Force,
    must_promote: bool,
    few_left: bool,
    own_queen_like: bool,
    /// The enemy pawn that the king walks to, in escort games.
    target: Option<u8>,
    /// Squares in front of the own pawns, in escort games.
    lanes: u64,
    other_pawn_needed: bool,
}

impl<'a> Guide<'a> {
    fn new(position: &Chess, plan: &'a Plan, force: Force) -> Guide<'a> {
        let must_promote = force.must_promote();
        let escort = plan.escort && must_promote;
        let lanes = if escort {
            each(force.own & force.pawns).fold(0, |all, pawn| all | ahead(plan.side, pawn))
        } else {
            0
        };
        let minors = u64::from(position.board().knights() | position.board().bishops());
        Guide {
            plan,
            must_promote,
            few_left: force.other.count_ones() <= 5,
            own_queen_like: force.own_heavy || force.own & force.pawns != 0,
            target: if escort { force.best_pawn().and_then(|(_, target)| target) } else { None },
            lanes,
            other_pawn_needed: !force.own_heavy
                && force.own & force.pawns == 0
                && (force.own & minors).count_ones() == 1,
            force,
        }
    }

    fn own_move(&self, step: &Step) -> i32 {
        let Step { role, from, to, .. } = *step;
        let mut score = match step.promotion {
            Some(Role::Queen) => 60,
            Some(Role::Rook) => 30,
            _ => 0,
        };
        if let Some(taken) = step.capture {
            let wanted = match taken {
                Role::Queen => true,
                Role::Pawn => !self.other_pawn_needed && !self.few_left,
                _ => false,
            };
            score += if self.own_queen_like || wanted { 25 } else { -20 };
        }
        match role {
            Role::Pawn if !self.force.own_heavy => score + 8 + rank_for(self.plan.side, to) as i32,
            Role::King => score + self.own_king_move(from, to),
            _ => score - i32::from(self.lanes & bit(to) != 0) * 4,
        }
    }

    fn own_king_move(&self, from: u8, to: u8) -> i32 {
        if let Some(target) = self.target {
            let nearer = distance(from, target) as i32 - distance(to, target) as i32;
            return 9 * nearer - 8 * i32::from(self.lanes & bit(to) != 0);
        }
        let lane = 8 * i32::from(self.lanes & bit(to) != 0);
        let off = |square: u8| (distance(square, self.plan.corner) as i32 - 2).abs();
        9 * (off(from) - off(to)) - 3 * i32::from(off(to) >= off(from)) - lane
    }

    fn other_move(&self, checks: &Checks, step: &Step) -> i32 {
        let Step { role, from, to, .. } = *step;
        let mut score = 0;
        if let Some(taken) = step.capture {
            score -= match taken {
                Role::Queen => 60,
                Role::Rook => 50,
                Role::Pawn if self.force.own_heavy => 5,
                Role::Pawn => 40,
                _ if self.force.own_heavy => 8,
                _ => 45,
            };
        }
        score += match step.promotion {
            Some(Role::Queen) => -20,
            Some(Role::Rook) => -5,
            Some(_) => 5,
            None => 0,
        };
        if self.lanes != 0 {
            let weight = if role == Role::King { 12 } else { 14 };
            score -= weight * i32::from(self.lanes & bit(to) != 0);
            score += 8 * i32::from(self.lanes & bit(from) != 0);
        }
        match role {
            Role::Pawn if self.other_pawn_needed => score + 15,
            Role::King if self.lanes == 0 || !self.must_promote => score + self.other_king_move(from, to),
            Role::King => score,
            _ => score - 12 * i32::from(checks.given_by(step)),
        }
    }

    fn other_king_move(&self, from: u8, to: u8) -> i32 {
        let corner = self.plan.corner;
        let nearer = distance(from, corner) as i32 - distance(to, corner) as i32;
        10 * nearer + 3 * i32::from(from == corner)
    }
}

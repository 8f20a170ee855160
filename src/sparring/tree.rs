//! Below the root: principal variation search with quiescence.

use std::time::Instant;

use shakmaty::{Chess, EnPassantMode, Move, Position, Role, zobrist::Zobrist64};

use super::evaluation::evaluate;
use super::game_line::play;
use super::move_ordering::MoveOrdering;
use super::search::{SearchHost, Signal};
use super::time_use::SearchClock;
use super::transposition::{Bound, Entry, PackedMove, TranspositionTable};

/// The score of a side mated at the root is minus this; each ply of delay costs one.
pub const MATE: i32 = 30_000;
/// Scores beyond ± this are mates.
pub const MATE_BOUND: i32 = MATE - 1_000;
/// Beyond every score.
pub const INFINITE: i32 = 31_000;
/// No line gets longer.
pub const MOST_PLIES: usize = 128;

const DRAW: i32 = 0;
/// The clock and the inbox are looked at whenever so many positions have been visited.
const NODES_BETWEEN_POLLS: u64 = 1024;
/// What a capture may gain beyond the captured piece, at most, in quiescence.
const DELTA_MARGIN: i32 = 200;

/// The scores that still matter: more than `alpha`, less than `beta`.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// What the side to move has already.
    pub alpha: i32,
    /// What the opponent will not allow.
    pub beta: i32,
}

impl Window {
    /// The same for the opponent.
    fn reversed(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The window that only asks "more than alpha?".
    fn zero(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    fn is_zero(self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The move.
    pub chess_move: Move,
    /// How many were tried before it.
    pub index: usize,
    /// Whether it may be searched less deep if it comes late.
    pub reducible: bool,
}

/// Neither capture nor promotion.
pub fn is_quiet(chess_move: Move) -> bool {
    !chess_move.is_capture() && !chess_move.is_promotion()
}

/// The best line found from each ply on.
pub struct Lines(Vec<Vec<Move>>);

impl Lines {
    fn new() -> Lines {
        Lines((0..=MOST_PLIES).map(|_| Vec::with_capacity(MOST_PLIES)).collect())
    }

    fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line of `ply` is now this move and the line of the next ply.
    pub fn extend(&mut self, ply: usize, first: Move) {
        let (before, after) = self.0.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(first);
        before[ply].extend_from_slice(&after[0]);
    }

    /// The line from the root.
    pub fn principal(&self) -> &[Move] {
        &self.0[0]
    }
}

/// What is kept from one search to the next.
pub struct Memory {
    /// Results by position.
    pub table: TranspositionTable,
    /// Knowledge of quiet moves.
    pub ordering: MoveOrdering,
    /// Lines by ply.
    pub lines: Lines,
    /// The keys of the game's positions and of those on the way to the present node.
    pub keys: Vec<Zobrist64>,
}

impl Memory {
    /// With a table of that many mebibytes.
    pub fn new(mebibytes: usize) -> Memory {
        Memory {
            table: TranspositionTable::new(mebibytes),
            ordering: MoveOrdering::new(MOST_PLIES),
            lines: Lines::new(),
            keys: Vec::new(),
        }
    }
}

/// One search in progress.
pub struct Tree<'a, H> {
    /// Table, ordering and lines.
    pub memory: &'a mut Memory,
    /// Who asked for the search.
    pub host: &'a mut H,
    /// When to stop.
    pub clock: SearchClock,
    /// Positions visited.
    pub nodes: u64,
    /// Visit no more than this.
    pub node_limit: u64,
    /// The furthest ply reached.
    pub selective_depth: usize,
    /// The results are void from here on.
    pub stopped: bool,
    /// The host wants the answer now.
    pub told_to_stop: bool,
    /// Where the root stands in the keys.
    pub root_index: usize,
    /// Whether to skip nothing on mere likelihood, as befits the search for a mate.
    pub exhaustive: bool,
    /// A halfmove clock of this is a draw.
    pub draw_halfmoves: u32,
}

impl<H: SearchHost> Tree<'_, H> {
    /// Counts the visit of a position. False if the search is over.
    fn enter(&mut self, ply: usize) -> bool {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        if self.stopped {
            return false;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes.is_multiple_of(NODES_BETWEEN_POLLS) {
            self.attend();
        }
        !self.stopped
    }

    fn attend(&mut self) {
        match self.host.poll() {
            Signal::Nothing => {}
            Signal::PonderHit(at) => self.clock.ponder_hit(at),
            Signal::Stop => self.told_to_stop = true,
        }
        self.stopped |= self.told_to_stop || self.clock.hard_limit_reached(Instant::now());
    }

    /// Plays a move and searches what follows: the first fully, the others first for a mere "is it better?".
    pub fn search_move(
        &mut self,
        position: &Chess,
        candidate: Candidate,
        depth: i32,
        ply: usize,
        window: Window,
    ) -> i32 {
        let key = self.memory.keys.last().copied().unwrap_or_default();
        let (child, child_key) = play(position, key, candidate.chess_move);
        self.memory.keys.push(child_key);
        let score = self.search_child(&child, candidate, depth - 1, ply + 1, window);
        self.memory.keys.pop();
        score
    }

    fn search_child(
        &mut self,
        child: &Chess,
        candidate: Candidate,
        depth: i32,
        ply: usize,
        window: Window,
    ) -> i32 {
        if candidate.index == 0 {
            return -self.negamax(child, depth, ply, window.reversed(), true);
        }
        let reduction = if candidate.reducible { late_move_reduction(depth, candidate.index) } else { 0 };
        let zero = window.zero().reversed();
        let mut score = -self.negamax(child, depth - reduction, ply, zero, true);
        if score > window.alpha && reduction > 0 {
            score = -self.negamax(child, depth, ply, zero, true);
        }
        if score > window.alpha && score < window.beta {
            score = -self.negamax(child, depth, ply, window.reversed(), true);
        }
        score
    }

    fn negamax(&mut self, position: &Chess, depth: i32, ply: usize, window: Window, may_pass: bool) -> i32 {
        self.memory.lines.clear(ply);
        let in_check = position.is_check();
        let depth = depth + i32::from(in_check);
        if self.is_drawn(position) {
            self.enter(ply);
            return DRAW;
        }
        if depth <= 0 || ply + 1 >= MOST_PLIES {
            return self.quiescence(position, ply, window);
        }
        if !self.enter(ply) {
            return DRAW;
        }
        let key = self.memory.keys.last().copied().unwrap_or_default();
        let entry = self.memory.table.probe(key);
        if window.is_zero() {
            if let Some(score) = entry.and_then(|entry| usable_score(entry, depth, ply, window)) {
                return score;
            }
            if !in_check && let Some(score) = self.prune(position, depth, ply, window, may_pass) {
                return score;
            }
        }
        let table_move = entry.map_or_else(PackedMove::default, |entry| entry.best);
        self.search_all_moves(position, depth, ply, window, table_move)
    }

    fn search_all_moves(
        &mut self,
        position: &Chess,
        depth: i32,
        ply: usize,
        mut window: Window,
        table_move: PackedMove,
    ) -> i32 {
        let in_check = position.is_check();
        let legal_moves = position.legal_moves();
        if legal_moves.is_empty() {
            return score_without_moves(in_check, ply);
        }
        let (mut best_score, mut best_move, mut bound) = (-INFINITE, table_move, Bound::Upper);
        let moves = self.memory.ordering.ordered(position, legal_moves, table_move, ply);
        for (index, chess_move) in moves.enumerate() {
            let quiet = is_quiet(chess_move);
            let candidate =
                Candidate { chess_move, index, reducible: quiet && !in_check && !self.exhaustive };
            let score = self.search_move(position, candidate, depth, ply, window);
            if self.stopped {
                return DRAW;
            }
            best_score = best_score.max(score);
            if score > window.alpha {
                window.alpha = score;
                best_move = chess_move.into();
                bound = Bound::Exact;
                self.memory.lines.extend(ply, chess_move);
            }
            if score >= window.beta {
                bound = Bound::Lower;
                if quiet {
                    self.memory.ordering.reward(position.turn(), chess_move, ply, depth);
                }
                break;
            }
            if quiet {
                self.memory.ordering.punish(position.turn(), chess_move, depth / 2);
            }
        }
        let key = self.memory.keys.last().copied().unwrap_or_default();
        let score = score_to_table(best_score, ply);
        self.memory.table.store(key, Entry { best: best_move, score, depth, bound });
        best_score
    }

    /// Cuts off a node that is so good that even standing still, or passing, would do.
    fn prune(
        &mut self,
        position: &Chess,
        depth: i32,
        ply: usize,
        window: Window,
        may_pass: bool,
    ) -> Option<i32> {
        let beta = window.beta;
        if beta.abs() >= MATE_BOUND || self.exhaustive {
            return None;
        }
        let standing = evaluate(position);
        if depth <= 4 && standing - 90 * depth >= beta {
            return Some(standing);
        }
        if !may_pass || depth < 3 || standing < beta || may_be_in_zugzwang(position) {
            return None;
        }
        let passed = position.clone().swap_turn().ok()?;
        self.memory.keys.push(passed.zobrist_hash(EnPassantMode::Legal));
        let reply = Window { alpha: beta - 1, beta }.reversed();
        let score = -self.negamax(&passed, depth - 3 - depth / 4, ply + 1, reply, false);
        self.memory.keys.pop();
        (!self.stopped && score >= beta).then_some(beta)
    }

    /// Goes on with captures and queenings, or evasions of check, until the position is quiet.
    fn quiescence(&mut self, position: &Chess, ply: usize, mut window: Window) -> i32 {
        if !self.enter(ply) {
            return DRAW;
        }
        let in_check = position.is_check();
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return score_without_moves(in_check, ply);
        }
        if position.is_insufficient_material() {
            return DRAW;
        }
        let standing = evaluate(position);
        if ply + 1 >= MOST_PLIES {
            return standing;
        }
        let mut best_score = -INFINITE;
        if !in_check {
            if standing >= window.beta {
                return standing;
            }
            best_score = standing;
            window.alpha = window.alpha.max(standing);
            moves.retain(|m| worth_a_look(position, *m, window.alpha - standing));
        }
        for chess_move in self.memory.ordering.ordered(position, moves, PackedMove::default(), ply) {
            let mut child = position.clone();
            child.play_unchecked(chess_move);
            let score = -self.quiescence(&child, ply + 1, window.reversed());
            if self.stopped {
                return DRAW;
            }
            best_score = best_score.max(score);
            window.alpha = window.alpha.max(score);
            if score >= window.beta {
                break;
            }
        }
        best_score
    }

    /// Fifty-move rule, dead by material, or a position that came before: once in this search, or twice in
    /// the game. Mate beats the fifty-move rule.
    fn is_drawn(&self, position: &Chess) -> bool {
        if position.halfmoves() >= self.draw_halfmoves && !position.is_checkmate() {
            return true;
        }
        if position.board().occupied().count() <= 4 && position.is_insufficient_material() {
            return true;
        }
        let keys = &self.memory.keys;
        let Some(present) = keys.len().checked_sub(1) else { return false };
        let mut in_game = 0;
        for distance in (4..=position.halfmoves() as usize).step_by(2) {
            let Some(index) = present.checked_sub(distance) else { break };
            if keys[index] == keys[present] {
                in_game += 1;
                if index >= self.root_index || in_game == 2 {
                    return true;
                }
            }
        }
        false
    }
}

/// With a single minor piece or less, having to move may be what loses.
fn may_be_in_zugzwang(position: &Chess) -> bool {
    let pieces = position.us() & !position.board().pawns() & !position.board().kings();
    !pieces.more_than_one() && (pieces & position.board().rooks_and_queens()).is_empty()
}

fn late_move_reduction(depth: i32, index: usize) -> i32 {
    match (depth, index) {
        (..2, _) | (_, ..3) => 0,
        (2..6, 3..10) => 1,
        (2..6, _) | (_, 3..16) => 2,
        _ => 3,
    }
}

/// Mate at this ply, or stalemate.
fn score_without_moves(in_check: bool, ply: usize) -> i32 {
    if in_check { ply as i32 - MATE } else { DRAW }
}

/// Whether a capture or queening can raise the score by what is missing, and doesn't just lose a piece to a pawn.
fn worth_a_look(position: &Chess, chess_move: Move, missing: i32) -> bool {
    if chess_move.promotion() == Some(Role::Queen) {
        return true;
    }
    let Some(victim) = chess_move.capture() else { return false };
    if chess_move.is_promotion() {
        return false;
    }
    let (gain, stake) = (rough_value(victim), rough_value(chess_move.role()));
    let guards = shakmaty::attacks::pawn_attacks(position.turn(), chess_move.to());
    let guarded_by_pawn = (guards & position.their(Role::Pawn)).any();
    gain + DELTA_MARGIN >= missing && (gain + 50 >= stake || !guarded_by_pawn)
}

fn rough_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 1000,
        Role::King => 0, // its captures are legal, so nothing is at stake
    }
}

/// Mates are stored as distance from the position, but used as distance from the root.
fn score_to_table(score: i32, ply: usize) -> i32 {
    match score {
        MATE_BOUND.. => score + ply as i32,
        score if score <= -MATE_BOUND => score - ply as i32,
        _ => score,
    }
}

fn usable_score(entry: Entry, depth: i32, ply: usize, window: Window) -> Option<i32> {
    let score = match entry.score {
        MATE_BOUND.. => entry.score - ply as i32,
        score if score <= -MATE_BOUND => score + ply as i32,
        score => score,
    };
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    (decides && entry.depth >= depth).then_some(score)
}

//! The root of the search: iterative deepening, the choice of a move, and the talk with whoever asked.

use std::time::{Duration, Instant};

use shakmaty::{Chess, Move, Position, zobrist::Zobrist64};

use super::evaluation::evaluate;
use super::game_line::{GameLine, find_legal_move};
use super::time_use::{SearchClock, SearchLimits, TimeBudget, TimePolicy};
use super::transposition::{PackedMove, TranspositionTable};
use super::tree::{Candidate, INFINITE, MATE, MATE_BOUND, Memory, Tree, Window, is_quiet};

/// No iteration is deeper.
pub const MOST_DEPTH: u32 = 64;

/// With a seed, root scores are blurred by at most so many centipawns.
const NOISE: i32 = 6;

/// What may reach a search from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Signal {
    /// Go on.
    Nothing,
    /// The opponent played the expected move, at that time.
    PonderHit(Instant),
    /// Answer now.
    Stop,
}

/// Whoever asked for a search.
pub trait SearchHost {
    /// What has arrived since the last call; returns at once.
    fn poll(&mut self) -> Signal;
    /// Waits for the next signal.
    fn wait(&mut self) -> Signal;
    /// Takes note of a result.
    fn report(&mut self, progress: &Progress<'_>);
}

/// What an `info` line tells.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The iteration.
    pub depth: u32,
    /// The furthest ply reached.
    pub selective_depth: usize,
    /// For the side to move.
    pub score: i32,
    /// Positions visited.
    pub nodes: u64,
    /// Since `go`.
    pub elapsed: Duration,
    /// Use of the transposition table, in permill.
    pub permill_full: usize,
    /// The best line.
    pub line: &'a [Move],
}

/// What to search, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// From the `go` command.
    pub limits: &'a SearchLimits,
    /// When the `go` command was read.
    pub started: Instant,
    /// How to use the time.
    pub time_policy: TimePolicy,
    /// The depth limit that always holds.
    pub max_depth: Option<u32>,
    /// Zero: always the same move; otherwise a little variety.
    pub seed: u64,
}

/// The answer to `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move to play; absent if there is none.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
}

#[derive(Clone, Copy)]
struct RootMove {
    chess_move: Move,
    /// Added to the score when moves are compared, never when it is reported.
    noise: i32,
}

/// The best of the root moves so far.
struct Best {
    depth: u32,
    score: i32,
    line: Vec<Move>,
}

/// Searches one position after another.
pub struct Searcher {
    memory: Memory,
}

impl Searcher {
    /// With a transposition table of that many mebibytes.
    pub fn new(mebibytes: usize) -> Searcher {
        Searcher { memory: Memory::new(mebibytes) }
    }

    /// Replaces the transposition table by an empty one of another size.
    pub fn resize_table(&mut self, mebibytes: usize) {
        self.memory.table = TranspositionTable::new(mebibytes);
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.memory.table.clear();
    }

    /// Chooses a move, telling the host of each iteration.
    pub fn search<H: SearchHost>(&mut self, game: &GameLine, task: Task<'_>, host: &mut H) -> Choice {
        let position = game.position();
        self.memory.table.start_search();
        self.memory.ordering.clear();
        self.memory.keys.clear();
        self.memory.keys.extend_from_slice(game.keys());
        let moves = self.root_moves(game, task);
        let budget = budget(position, moves.len(), task);
        let mut tree = Tree {
            root_index: self.memory.keys.len().saturating_sub(1),
            memory: &mut self.memory,
            host,
            clock: SearchClock::new(task.started, budget, task.limits.ponder),
            nodes: 0,
            node_limit: task.limits.nodes.unwrap_or(u64::MAX),
            selective_depth: 0,
            stopped: false,
            told_to_stop: false,
            exhaustive: task.limits.mate.is_some(),
            draw_halfmoves: draw_halfmoves(position),
        };
        let best = deepen(&mut tree, position, moves, task);
        wait_for_leave(&mut tree, task.limits.infinite);
        Choice { best: best.line.first().copied(), ponder: best.line.get(1).copied() }
    }

    fn root_moves(&self, game: &GameLine, task: Task<'_>) -> Vec<RootMove> {
        let position = game.position();
        let wanted: Vec<Move> =
            task.limits.search_moves.iter().filter_map(|&m| find_legal_move(position, m)).collect();
        let mut legal = position.legal_moves();
        if !wanted.is_empty() {
            legal.retain(|m| wanted.contains(m));
        }
        let key = game.keys().last().copied().unwrap_or_default();
        let ordering = &self.memory.ordering;
        let known = self.memory.table.probe(key).map_or_else(PackedMove::default, |entry| entry.best);
        ordering
            .ordered(position, legal, known, 0)
            .map(|chess_move| RootMove { chess_move, noise: noise(task.seed, key, chess_move.into()) })
            .collect()
    }
}

fn budget(position: &Chess, moves: usize, task: Task<'_>) -> TimeBudget {
    let budget = TimeBudget::new(task.limits, position.turn(), task.time_policy);
    match moves {
        _ if task.limits.infinite => TimeBudget::default(),
        1 if task.limits.move_time.is_none() => budget.for_forced_move(),
        _ => budget,
    }
}

/// Usually the fifty-move rule. Where nobody claimed it, the seventy-five-move rule, and then none.
fn draw_halfmoves(root: &Chess) -> u32 {
    match root.halfmoves() {
        ..100 => 100,
        100..150 => 150,
        150.. => u32::MAX,
    }
}

/// The same for the same seed, position and move, whatever was searched before.
fn noise(seed: u64, key: Zobrist64, chess_move: PackedMove) -> i32 {
    if seed == 0 {
        return 0;
    }
    // SplitMix64's output function.
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key.0.wrapping_add(chess_move.bits());
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    (bits % (2 * NOISE as u64 + 1)) as i32 - NOISE
}

fn blurred(score: i32, noise: i32) -> i32 {
    if score.abs() < MATE_BOUND { score + noise } else { score }
}

fn deepen<H: SearchHost>(
    tree: &mut Tree<'_, H>,
    position: &Chess,
    mut moves: Vec<RootMove>,
    task: Task<'_>,
) -> Best {
    let mut best = Best { depth: 0, score: evaluate(position), line: Vec::new() };
    let Some(first) = moves.first() else {
        best.score = if position.is_check() { -MATE } else { 0 };
        report(tree, &best);
        return best;
    };
    best.line.push(first.chess_move);
    for depth in 1..=depth_limit(task) {
        let found = iterate(tree, position, &mut moves, depth);
        if let Some(found) = found {
            best = found;
            report(tree, &best);
        } else if depth == 1 {
            report(tree, &best);
        }
        if tree.stopped || enough(tree, &best, task) {
            break;
        }
    }
    best
}

fn depth_limit(task: Task<'_>) -> u32 {
    let by_mate = task.limits.mate.map(|moves| moves.saturating_mul(2).saturating_add(1));
    [task.limits.depth, task.max_depth, by_mate]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(MOST_DEPTH)
        .clamp(1, MOST_DEPTH)
}

/// Searches all root moves to one depth. Absent if stopped before anything better than the last iteration's
/// result was known.
fn iterate<H: SearchHost>(
    tree: &mut Tree<'_, H>,
    position: &Chess,
    moves: &mut [RootMove],
    depth: u32,
) -> Option<Best> {
    let mut best: Option<Best> = None;
    let mut best_value = -INFINITE;
    let mut best_index = 0;
    for (index, &RootMove { chess_move, noise }) in moves.iter().enumerate() {
        let alpha = if index == 0 { -INFINITE } else { blurred(best_value, -noise) };
        let window = Window { alpha, beta: INFINITE };
        let reducible = is_quiet(chess_move) && !position.is_check() && !tree.exhaustive;
        let candidate = Candidate { chess_move, index, reducible };
        let score = tree.search_move(position, candidate, depth as i32, 0, window);
        if tree.stopped {
            break;
        }
        let value = blurred(score, noise);
        if index == 0 || value > best_value {
            best_value = value;
            best_index = index;
            tree.memory.lines.extend(0, chess_move);
            best = Some(Best { depth, score, line: tree.memory.lines.principal().to_vec() });
        }
    }
    if let Some(tried) = moves.get_mut(..=best_index) {
        tried.rotate_right(1);
    }
    best
}

/// Whether another iteration would be a waste, or not allowed.
fn enough<H: SearchHost>(tree: &Tree<'_, H>, best: &Best, task: Task<'_>) -> bool {
    let limits = task.limits;
    let mate_within = |moves| best.score >= MATE_BOUND && (MATE - best.score + 1) / 2 <= moves;
    if limits.mate.is_some_and(|moves| mate_within(i32::try_from(moves).unwrap_or(i32::MAX))) {
        return true;
    }
    let clocked = limits.move_time.is_none() && limits.clocks.iter().any(|clock| clock.remaining.is_some());
    let mate_is_certain = best.score.abs() >= MATE_BOUND && best.depth as i32 > 2 * (MATE - best.score.abs());
    (clocked && mate_is_certain && !tree.clock.is_pondering())
        || tree.clock.soft_limit_reached(Instant::now())
}

fn report<H: SearchHost>(tree: &mut Tree<'_, H>, best: &Best) {
    let progress = Progress {
        depth: best.depth,
        selective_depth: tree.selective_depth,
        score: best.score,
        nodes: tree.nodes,
        elapsed: tree.clock.elapsed(Instant::now()),
        permill_full: tree.memory.table.permill_full(),
        line: &best.line,
    };
    tree.host.report(&progress);
}

/// The search is through, but the answer isn't due: before `stop`, or `ponderhit` if that is what it waits for.
fn wait_for_leave<H: SearchHost>(tree: &mut Tree<'_, H>, infinite: bool) {
    while !tree.told_to_stop && (infinite || tree.clock.is_pondering()) {
        match tree.host.wait() {
            Signal::Nothing => {}
            Signal::PonderHit(at) => tree.clock.ponder_hit(at),
            Signal::Stop => tree.told_to_stop = true,
        }
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;

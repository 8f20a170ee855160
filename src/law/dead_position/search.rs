//! The full search: static rules, greedy games, then a best-first search of the graph of positions that ends with a
//! mate, or with every reachable position looked at.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::material::material_cannot_mate;
use super::mating::{can_be_mated, mating_squares};
use super::position_set::{ExactSet, PositionKey};
use super::projection;
use super::proof::{ClosedSet, Leaf, Proof};
use super::queues::{Heuristics, Mixed, Queues, signature};
use super::regions::{Promotion, Regions};
use super::rollout;
use super::tempo::Race;
use super::wide::surely_open;

/// Nodes after which the projections are tried.
const LADDER_AT: u64 = 5_000;
/// States per projection.
const LADDER_CAP: usize = 1_000;
/// Nodes up to which the oldest positions do not get a turn.
const YOUNG: u64 = 2_000;

/// A series of legal moves that ends with the mate.
pub type Helpmate = Vec<Move>;

/// Whether a side can still mate.
#[derive(Clone, Debug)]
pub enum CanMate {
    /// It can, by these moves.
    Yes(Helpmate),
    /// It cannot, for this reason.
    No(Proof),
    /// Not decided within the budget.
    Unknown,
}

impl CanMate {
    /// Whether it is proved that the side cannot mate.
    #[must_use]
    pub fn is_no(&self) -> bool {
        matches!(self, CanMate::No(_))
    }

    /// Whether a mating line is known.
    #[must_use]
    pub fn is_yes(&self) -> bool {
        matches!(self, CanMate::Yes(_))
    }
}

/// What [`can_mate`] found, and at what cost.
#[derive(Clone, Debug)]
#[must_use]
pub struct Answer {
    /// The answer.
    pub can_mate: CanMate,
    /// Legal moves made, or half as many abstract ones, while looking for it.
    pub nodes: u64,
}

/// Decides whether some series of legal moves, both sides helping, ends with `side` giving mate.
///
/// Looks at no more than about `max_nodes` positions. Clocks and repetitions play no part.
///
/// ```
/// use arbiter::law::dead_position::{CanMate, can_mate};
/// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
///
/// let fen: Fen = "8/5k2/8/8/8/2K1N3/8/8 w - - 0 1".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert!(matches!(can_mate(&position, Color::White, 100_000).can_mate, CanMate::No(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn can_mate(position: &Chess, side: Color, max_nodes: u64) -> Answer {
    let mut nodes = 0;
    let can_mate = decide(position, side, max_nodes, &mut nodes);
    Answer { can_mate, nodes }
}

fn decide(position: &Chess, side: Color, max_nodes: u64, nodes: &mut u64) -> CanMate {
    if let Some(ended) = ended(position, side) {
        return ended;
    }
    if material_cannot_mate(position.board(), side) {
        return CanMate::No(Proof::of_material(position, side));
    }
    let grown = || Regions::of(position, Promotion::Allowed);
    let mut regions = None;
    if !surely_open(position, side) {
        let regions = regions.insert(grown());
        if !can_be_mated(regions, side) {
            return CanMate::No(Proof::of_regions(regions, side));
        }
    }
    for seed in 0..rollout::GAMES {
        if *nodes >= max_nodes {
            return CanMate::Unknown;
        }
        if let Some(line) = rollout::play(position, side, seed, nodes) {
            return CanMate::Yes(line);
        }
    }
    let mut search = Search::new(position, side, max_nodes, Some(regions.unwrap_or_else(grown)));
    search.nodes = *nodes;
    let can_mate = search.run();
    *nodes = search.nodes;
    can_mate
}

/// The same question answered by nothing but making moves: no rule, no greedy game. For cross-checks.
pub fn raw_search(position: &Chess, side: Color, max_nodes: u64) -> Answer {
    if let Some(can_mate) = ended(position, side) {
        return Answer { can_mate, nodes: 0 };
    }
    let mut search = Search::new(position, side, max_nodes, None);
    let can_mate = search.run();
    Answer { can_mate, nodes: search.nodes }
}

fn ended(position: &Chess, side: Color) -> Option<CanMate> {
    if !position.legal_moves().is_empty() {
        return None;
    }
    let mated = position.is_check() && position.turn() != side;
    Some(if mated { CanMate::Yes(Vec::new()) } else { CanMate::No(Proof::NoMoves) })
}

/// A position of the graph.
#[derive(Debug)]
struct Node {
    position: Chess,
    signature: u64,
    parent: u32,
    by: Option<Move>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Expanded,
    Pruned(Leaf),
}

struct Search {
    side: Color,
    max_nodes: u64,
    nodes: u64,
    graph: Vec<Node>,
    seen: ExactSet<4>,
    queues: Queues,
    heuristics: Heuristics,
    races: HashMap<u64, Option<Box<Race>>, BuildHasherDefault<Mixed>>,
    /// The fixpoint of the root; without it no rule is used.
    regions: Option<Regions>,
    ladder_tried: bool,
}

impl Search {
    fn new(root: &Chess, side: Color, max_nodes: u64, regions: Option<Regions>) -> Search {
        let mating = regions.as_ref().map_or(!0, |regions| mating_squares(regions, side));
        let mut search = Search {
            side,
            max_nodes,
            nodes: 0,
            graph: Vec::new(),
            seen: ExactSet::new(),
            queues: Queues::default(),
            heuristics: Heuristics::new(side, mating),
            races: HashMap::default(),
            ladder_tried: regions.is_none(),
            regions,
        };
        let node = Node {
            position: root.clone(),
            signature: signature(root.board()),
            parent: 0,
            by: None,
            state: State::Waiting,
        };
        search.seen.insert(PositionKey::of(root));
        search.add(node, Role::King, Square::A1);
        search
    }

    fn run(&mut self) -> CanMate {
        if let State::Pruned(Leaf::Tempo) = self.graph[0].state
            && let Some(proof) = Proof::of_tempo(&self.graph[0].position, self.side)
        {
            return CanMate::No(proof);
        }
        loop {
            if self.nodes >= self.max_nodes {
                return CanMate::Unknown;
            }
            if !self.ladder_tried && self.nodes >= LADDER_AT {
                self.ladder_tried = true;
                if let Some(proof) = self.project() {
                    return CanMate::No(proof);
                }
            }
            let Some(id) = self.queues.pop(self.nodes < YOUNG) else {
                return CanMate::No(self.exhausted());
            };
            if self.graph[id as usize].state == State::Waiting
                && let Some(line) = self.expand(id)
            {
                return CanMate::Yes(line);
            }
        }
    }

    fn project(&mut self) -> Option<Proof> {
        let regions = self.regions.as_ref()?;
        let root = &self.graph[0].position;
        let closed = projection::ladder(root, regions, self.side, LADDER_CAP, &mut self.nodes)?;
        Some(Proof::of_projection(regions, self.side, closed))
    }

    fn exhausted(&mut self) -> Proof {
        let positions = self.graph.drain(..).map(|node| match node.state {
            State::Pruned(leaf) => (node.position, Some(leaf)),
            _ => (node.position, None),
        });
        Proof::ClosedSet(ClosedSet { side: self.side, positions: positions.collect() })
    }

    fn expand(&mut self, id: u32) -> Option<Helpmate> {
        self.graph[id as usize].state = State::Expanded;
        let (position, signature) = {
            let node = &self.graph[id as usize];
            (node.position.clone(), node.signature)
        };
        for m in &position.legal_moves() {
            let mut child = position.clone();
            child.play_unchecked(*m);
            self.nodes += 1;
            if !self.seen.insert(PositionKey::of(&child)) {
                continue;
            }
            if child.turn() != self.side && child.is_checkmate() {
                return Some(self.line_to(id, *m));
            }
            let signature = if m.is_zeroing() { self::signature(child.board()) } else { signature };
            let node = Node { position: child, signature, parent: id, by: Some(*m), state: State::Waiting };
            self.add(node, m.promotion().unwrap_or(m.role()), m.to());
        }
        None
    }

    fn add(&mut self, mut node: Node, role: Role, to: Square) {
        let id = self.graph.len() as u32;
        if let Some(leaf) = self.prune(&node) {
            node.state = State::Pruned(leaf);
        } else {
            let position = &node.position;
            let priorities =
                self.heuristics.rate(position.board(), position.turn(), node.signature, role, to);
            self.queues.push(id, priorities);
        }
        self.graph.push(node);
    }

    /// The rule by which no position after this one is a mate, if one applies.
    fn prune(&mut self, node: &Node) -> Option<Leaf> {
        self.regions.as_ref()?;
        let position = &node.position;
        if node.by.is_some_and(|m| m.is_capture() || m.is_promotion())
            && material_cannot_mate(position.board(), self.side)
        {
            return Some(Leaf::Material);
        }
        if node.by.is_some_and(|m| m.is_zeroing())
            && !surely_open(position, self.side)
            && !can_be_mated(&Regions::of(position, Promotion::Allowed), self.side)
        {
            return Some(Leaf::Regions);
        }
        let race =
            self.races.entry(node.signature).or_insert_with(|| Race::of(position, self.side).map(Box::new));
        let decided = race.as_ref().is_some_and(|race| race.decides(position));
        decided.then_some(Leaf::Tempo)
    }

    fn line_to(&self, id: u32, last: Move) -> Helpmate {
        let mut line = vec![last];
        let mut node = &self.graph[id as usize];
        while let Some(m) = node.by {
            line.push(m);
            node = &self.graph[node.parent as usize];
        }
        line.reverse();
        line
    }
}

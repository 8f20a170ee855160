//! In which order to try the moves: the better the order, the more the search may skip.

use shakmaty::{Chess, Color, Move, MoveList, Position, Role};

use super::transposition::PackedMove;

/// No position has more legal moves (shakmaty's `MoveList` holds as many).
const MOST_MOVES: usize = 270;

/// The history score never leaves ± this.
const HISTORY_LIMIT: i32 = 16_000;

const TABLE_MOVE: i32 = 1_000_000;
const CAPTURE: i32 = 200_000;
const QUEENING: i32 = 190_000;
const KILLERS: [i32; 2] = [100_000, 90_000];
const UNDERPROMOTION: i32 = -50_000;

/// What the search has learnt about quiet moves.
pub struct MoveOrdering {
    killers: Vec<[PackedMove; 2]>,
    /// Indexed by colour, origin and destination.
    history: Vec<i16>,
}

impl MoveOrdering {
    /// Nothing learnt yet; plies from 0 to `plies - 1`.
    pub fn new(plies: usize) -> MoveOrdering {
        MoveOrdering { killers: vec![[PackedMove::default(); 2]; plies], history: vec![0; 2 * 64 * 64] }
    }

    /// Forgets everything, in place.
    pub fn clear(&mut self) {
        self.killers.fill([PackedMove::default(); 2]);
        self.history.fill(0);
    }

    /// A quiet move refuted the opponent's play: try it early from now on.
    pub fn reward(&mut self, side: Color, quiet: Move, ply: usize, depth: i32) {
        let packed = PackedMove::from(quiet);
        if let Some([first, second]) = self.killers.get_mut(ply)
            && *first != packed
        {
            *second = *first;
            *first = packed;
        }
        self.adjust_history(side, quiet, (depth * depth * 16).min(HISTORY_LIMIT));
    }

    /// A quiet move was tried before the one that refuted the opponent's play, in vain.
    pub fn punish(&mut self, side: Color, quiet: Move, depth: i32) {
        self.adjust_history(side, quiet, -(depth * depth * 16).min(HISTORY_LIMIT));
    }

    /// The more a move is trusted already, the less a further success adds.
    fn adjust_history(&mut self, side: Color, quiet: Move, amount: i32) {
        let value = &mut self.history[history_index(side, quiet)];
        let old = i32::from(*value);
        *value = (old + amount - old * amount.abs() / HISTORY_LIMIT) as i16;
    }

    /// The moves in order: table move, captures (most valuable victim, least valuable attacker), queenings,
    /// killers, the rest by history.
    pub fn ordered(
        &self,
        position: &Chess,
        moves: MoveList,
        table_move: PackedMove,
        ply: usize,
    ) -> OrderedMoves {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let mut scores = [0; MOST_MOVES];
        for (score, &candidate) in scores.iter_mut().zip(&moves) {
            *score = self.score(position.turn(), candidate, table_move, killers);
        }
        OrderedMoves { moves, scores, next: 0 }
    }

    fn score(&self, side: Color, candidate: Move, table_move: PackedMove, killers: [PackedMove; 2]) -> i32 {
        let packed = PackedMove::from(candidate);
        if packed == table_move {
            TABLE_MOVE
        } else if candidate.promotion().is_some_and(|role| role != Role::Queen) {
            UNDERPROMOTION
        } else if let Some(victim) = candidate.capture() {
            CAPTURE + rank_of_value(victim) * 16 - rank_of_value(candidate.role())
        } else if candidate.is_promotion() {
            QUEENING
        } else if packed == killers[0] {
            KILLERS[0]
        } else if packed == killers[1] {
            KILLERS[1]
        } else {
            i32::from(self.history[history_index(side, candidate)])
        }
    }
}

fn history_index(side: Color, quiet: Move) -> usize {
    let from = quiet.from().map_or(0, |square| square.to_usize());
    ((side as usize) << 12) | (from << 6) | quiet.to().to_usize()
}

/// The pieces in the order of their value; equals the discriminant, pawn 1 to king 6.
fn rank_of_value(role: Role) -> i32 {
    role as i32
}

/// The moves of a position, best first, sorted no further than they are asked for.
pub struct OrderedMoves {
    moves: MoveList,
    scores: [i32; MOST_MOVES],
    next: usize,
}

impl Iterator for OrderedMoves {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let rest = self.next..self.moves.len().min(MOST_MOVES);
        // The first of equals, so that the order never depends on anything but the position.
        let best = rest.rev().max_by_key(|&index| self.scores[index])?;
        self.moves.swap(self.next, best);
        self.scores.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn order(fen: &str, ordering: &MoveOrdering, table_move: PackedMove) -> Vec<String> {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        ordering
            .ordered(&position, position.legal_moves(), table_move, 0)
            .map(|m| UciMove::from_standard(m).to_string())
            .collect()
    }

    #[test]
    fn pawn_takes_queen_comes_first_and_nothing_is_lost() {
        let fen = "4k3/8/8/3q1r2/4P3/8/8/3RK3 w - - 0 1";
        let moves = order(fen, &MoveOrdering::new(4), PackedMove::default());
        assert_eq!(moves[..3], ["e4d5", "d1d5", "e4f5"]);
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        assert_eq!(moves.len(), position.legal_moves().len());
    }

    #[test]
    fn table_move_then_killer_then_history() {
        let position = Chess::default();
        let find = |text: &str| text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        let mut ordering = MoveOrdering::new(4);
        ordering.reward(Color::White, find("a2a3"), 0, 5);
        ordering.reward(Color::White, find("h2h3"), 1, 4);
        ordering.punish(Color::White, find("b1c3"), 4);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let moves = order(start, &ordering, find("g1h3").into());
        assert_eq!(moves[..3], ["g1h3", "a2a3", "h2h3"]);
        assert_eq!(moves.last().map(String::as_str), Some("b1c3"));
    }
}

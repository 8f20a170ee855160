//! A long game that every runner plays to the same end.

use std::collections::HashMap;

use arbiter::law::game_state::GameState;
use arbiter::law::notation::uci_move;
use arbiter::law::policy::DeadPositionRule;
use shakmaty::{CastlingMode, Chess, Position};

/// A game of random moves that ends by mate after about so many plies, and that no runner's draw rules end before:
/// no placement occurs three times, no fifty moves without a capture or a pawn move. The same in every run.
pub fn game_to_mate(plies: std::ops::RangeInclusive<usize>) -> Vec<String> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    loop {
        let mut state = GameState::new(Chess::default(), CastlingMode::Standard, DeadPositionRule::Material);
        let mut moves = Vec::new();
        let mut seen = HashMap::new();
        while state.end().is_none() && moves.len() < *plies.end() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Captures and pawn moves are saved up for when the fifty-move rule would come near: that makes games long.
            let saving = state.halfmove_clock() < 90 && !random.is_multiple_of(6);
            let legal = state.legal_moves();
            let wanted: Vec<_> =
                legal.iter().filter(|played| played.is_zeroing() != saving).copied().collect();
            let pool = if wanted.is_empty() { legal } else { &wanted };
            let played = pool[(random >> 33) as usize % pool.len()];
            moves.push(uci_move::write(played, CastlingMode::Standard).to_string());
            state.play(played);
            let placement = (state.chess().board().clone(), state.turn());
            let times = seen.entry(placement).or_insert(0);
            *times += 1;
            if *times >= 3 || state.halfmove_clock() >= 99 {
                break;
            }
        }
        let mated = state.chess().is_checkmate();
        if mated && plies.contains(&moves.len()) {
            return moves;
        }
    }
}

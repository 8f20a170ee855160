//! What follows from what an engine sent: pure rulings on the Laws and the claim policies.

use shakmaty::Move;

use crate::engine::message::Score;
use crate::law::claim::Evaluation;
use crate::law::game_state::{GameState, Successor};
use crate::law::policy::ClaimPolicies;
use crate::law::verdict::{ClaimRule, Forfeit, Verdict};

const CLAIM_RULES: [ClaimRule; 2] = [ClaimRule::Threefold, ClaimRule::FiftyMove];

/// What a completed `bestmove` leads to.
#[derive(Clone, Debug)]
#[must_use]
pub enum Ruling {
    /// The move is made; it may end the game by itself.
    Play(Move, Box<Successor>),
    /// A draw is claimed; an intended move is not made.
    Claim(Verdict),
    /// The token is no legal move.
    Illegal(Verdict),
    /// There is no token.
    Bare(Verdict),
}

/// The claim that is made before the side to move is asked for a move, if its policy is `always`.
pub fn claim_before_search(state: &GameState, policies: &ClaimPolicies) -> Option<Verdict> {
    CLAIM_RULES
        .into_iter()
        .filter(|rule| policies.claims_before_search(*rule))
        .find_map(|rule| state.claim(rule))
}

/// Rules on a `bestmove` that came in time. In this order: no move, an illegal move, a move that ends the game by
/// itself, an appeared claim, an intended claim; else the move is played.
pub fn rule_on_best_move(
    state: &GameState,
    token: &[u8],
    king_takes_rook: bool,
    policies: &ClaimPolicies,
    score: Option<Score>,
) -> Ruling {
    let side = state.turn();
    if token.is_empty() {
        return Ruling::Bare(state.rule_forfeit(side, Forfeit::ProtocolViolation));
    }
    let Some(played) = state.legal_move(token, king_takes_rook) else {
        return Ruling::Illegal(state.rule_forfeit(side, Forfeit::IllegalMove));
    };
    let successor = state.successor(played);
    if successor.end().is_some() {
        return Ruling::Play(played, Box::new(successor));
    }
    let evaluation = score.map(evaluation);
    let claimed = |rule: &ClaimRule| policies.claims_with_move(*rule, evaluation);
    let appeared = CLAIM_RULES.into_iter().filter(claimed).find_map(|rule| state.claim(rule));
    let claim = appeared.or_else(|| {
        CLAIM_RULES.into_iter().filter(claimed).find_map(|rule| state.claim_with(rule, &successor))
    });
    claim.map_or_else(|| Ruling::Play(played, Box::new(successor)), Ruling::Claim)
}

fn evaluation(score: Score) -> Evaluation {
    match score {
        Score::Centipawns(centipawns) => Evaluation::Centipawns(centipawns),
        Score::MateIn(moves) if moves > 0 => Evaluation::Mates,
        Score::MateIn(_) => Evaluation::Mated,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::law::notation::fen;
    use crate::law::policy::{ClaimPolicy, DeadPositionRule};

    const SHUFFLED: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";

    fn played(text: &str, moves: &str) -> GameState {
        let start = fen::parse(text, CastlingMode::Standard).unwrap().chess;
        let mut state = GameState::new(start, CastlingMode::Standard, DeadPositionRule::Material);
        for token in moves.split_ascii_whitespace() {
            let legal = state.legal_move(token.as_bytes(), false).unwrap();
            state.play(legal);
        }
        state
    }

    fn initial(moves: &str) -> GameState {
        played("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", moves)
    }

    fn policies(policy: ClaimPolicy) -> ClaimPolicies {
        ClaimPolicies { threefold: policy, fifty_move: policy, threshold_cp: 0 }
    }

    fn rule(state: &GameState, token: &str, policy: ClaimPolicy, score: Option<i32>) -> String {
        let score = score.map(Score::Centipawns);
        match rule_on_best_move(state, token.as_bytes(), false, &policies(policy), score) {
            Ruling::Play(_, successor) => successor.end().map_or("play".to_owned(), ToString::to_string),
            Ruling::Claim(verdict) | Ruling::Illegal(verdict) | Ruling::Bare(verdict) => verdict.to_string(),
        }
    }

    #[test]
    fn r_08_a_claim_is_made_between_the_move_sent_and_the_move_made() {
        let state = initial(SHUFFLED);
        let words =
            "Draw by threefold repetition, claimed by Black with the intended move Ng8 (Article 9.2.1)";
        assert_eq!(rule(&state, "f6g8", ClaimPolicy::Assisted, Some(0)), words);
        assert_eq!(rule(&state, "f6g8", ClaimPolicy::Assisted, Some(1)), "play");
        assert_eq!(rule(&state, "f6g8", ClaimPolicy::Assisted, None), "play");
        assert_eq!(rule(&state, "f6g8", ClaimPolicy::Never, Some(-500)), "play");
    }

    #[test]
    fn an_appeared_claim_goes_before_an_intended_one() {
        let state = initial(&format!("{SHUFFLED} f6g8"));
        let words = "Draw by threefold repetition, claimed by White (Article 9.2.2)";
        assert_eq!(rule(&state, "g1f3", ClaimPolicy::Assisted, Some(-1)), words);
        assert_eq!(claim_before_search(&state, &policies(ClaimPolicy::Always)).unwrap().to_string(), words);
    }

    #[test]
    fn r_07_a_claimable_draw_ends_nothing_by_itself() {
        let state = initial(&format!("{SHUFFLED} f6g8"));
        assert_eq!(claim_before_search(&state, &policies(ClaimPolicy::Assisted)), None);
        assert_eq!(rule(&state, "e2e4", ClaimPolicy::Assisted, Some(30)), "play");
    }

    #[test]
    fn r_10_no_draw_is_taken_for_a_move_that_mates() {
        let state = played("k7/8/1K6/8/8/8/8/7R w - - 99 90", "");
        assert_eq!(
            rule(&state, "h1h8", ClaimPolicy::Always, Some(0)),
            "White wins by checkmate (Article 5.1.1)"
        );
        let words =
            "Draw by the fifty-move rule, claimed by White with the intended move Rh2 (Article 9.3.1)";
        assert_eq!(rule(&state, "h1h2", ClaimPolicy::Always, Some(0)), words);
    }

    #[test]
    fn an_illegal_token_forfeits_before_any_claim() {
        let state = initial(&format!("{SHUFFLED} f6g8"));
        let words = "White loses by an illegal move (Article 7.5.5)";
        for token in ["e2e5", "0000", "(none)", "Nf3"] {
            assert_eq!(rule(&state, token, ClaimPolicy::Always, Some(-100)), words, "{token}");
        }
        assert_eq!(rule(&state, "", ClaimPolicy::Always, None), "White loses by a protocol violation");
    }
}

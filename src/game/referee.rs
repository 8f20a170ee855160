//! What follows from what an engine sent: pure rulings on the Laws and the claim policies.

use shakmaty::Move;

use crate::engine::message::Score;
use crate::engine::search_report::Statements;
use crate::law::claim::Evaluation;
use crate::law::game_state::{GameState, Successor};
use crate::law::policy::ClaimPolicies;
use crate::law::verdict::{ClaimRule, Forfeit, Verdict};

const CLAIM_RULES: [ClaimRule; 2] = [ClaimRule::Threefold, ClaimRule::FiftyMove];

/// What a completed `bestmove` leads to.
#[derive(Clone, Debug)]
#[must_use]
pub enum Ruling {
    /// The move is made; it may end the game by itself. A claim that came with it was wrong if `claim_denied`.
    Play {
        /// The move.
        played: Move,
        /// The position after it.
        successor: Box<Successor>,
        /// A wrong claim came with it (Article 9.5.3).
        claim_denied: bool,
    },
    /// The game ends before the move: by a claim, an acceptance, a resignation.
    End(Verdict),
    /// The token is no legal move.
    Illegal,
    /// There is no token.
    Bare,
}

/// What an engine sent in one search, as far as rulings depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// The token after `bestmove`; empty if there is none.
    pub token: &'a [u8],
    /// The last exact score of this search.
    pub score: Option<Score>,
    /// What it said; nothing where it may not speak.
    pub statements: Statements,
    /// The opponent's last move came with an offer of a draw, which can be accepted.
    pub may_accept: bool,
}

/// The claim that is made before the side to move is asked for a move, if its policy is `always`.
pub fn claim_before_search(state: &GameState, policies: &ClaimPolicies) -> Option<Verdict> {
    CLAIM_RULES
        .into_iter()
        .filter(|rule| policies.claims_before_search(*rule))
        .find_map(|rule| state.claim(rule))
}

/// Rules on a `bestmove` that came in time. In this order: a resignation or an acceptance, which were said before it;
/// no move, an illegal move, a move that ends the game by itself, an appeared claim, an intended claim; else the move
/// is played.
pub fn rule_on_best_move(
    state: &GameState,
    sent: Sent<'_>,
    king_takes_rook: bool,
    policies: &ClaimPolicies,
) -> Ruling {
    let side = state.turn();
    if sent.statements.resigns {
        return Ruling::End(state.rule_forfeit(side, Forfeit::Resignation));
    }
    if sent.statements.accepts_draw && sent.may_accept {
        return Ruling::End(Verdict::agreement(side));
    }
    if sent.token.is_empty() {
        return Ruling::Bare;
    }
    let Some(played) = state.legal_move(sent.token, king_takes_rook) else { return Ruling::Illegal };
    let successor = Box::new(state.successor(played));
    if successor.end().is_some() {
        return Ruling::Play { played, successor, claim_denied: false };
    }
    let evaluation = sent.score.map(evaluation);
    let claims_draw = sent.statements.claims_draw;
    let claimed = |rule: &ClaimRule| policies.claims_with_move(*rule, evaluation, claims_draw);
    let appeared = CLAIM_RULES.into_iter().filter(claimed).find_map(|rule| state.claim(rule));
    let claim = appeared.or_else(|| {
        CLAIM_RULES.into_iter().filter(claimed).find_map(|rule| state.claim_with(rule, &successor))
    });
    match claim {
        Some(verdict) => Ruling::End(verdict),
        None => {
            // What could be claimed, but by this engine's policy isn't, is no wrong claim.
            let correct = |rule: ClaimRule| state.may_claim(rule) || state.may_claim_with(rule, &successor);
            let claim_denied =
                claims_draw && policies.hears_claims() && !CLAIM_RULES.into_iter().any(correct);
            Ruling::Play { played, successor, claim_denied }
        }
    }
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
        words(state, token, policy, score, Statements::default(), false)
    }

    fn words(
        state: &GameState,
        token: &str,
        policy: ClaimPolicy,
        score: Option<i32>,
        statements: Statements,
        may_accept: bool,
    ) -> String {
        let score = score.map(Score::Centipawns);
        let sent = Sent { token: token.as_bytes(), score, statements, may_accept };
        match rule_on_best_move(state, sent, false, &policies(policy)) {
            Ruling::Play { claim_denied: true, .. } => "claim denied, play".to_owned(),
            Ruling::Play { successor, .. } => successor.end().map_or("play".to_owned(), ToString::to_string),
            Ruling::End(verdict) => verdict.to_string(),
            Ruling::Illegal => "illegal".to_owned(),
            Ruling::Bare => "bare".to_owned(),
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
        for token in ["e2e5", "0000", "(none)", "Nf3"] {
            assert_eq!(rule(&state, token, ClaimPolicy::Always, Some(-100)), "illegal", "{token}");
        }
        assert_eq!(rule(&state, "", ClaimPolicy::Always, None), "bare");
    }

    #[test]
    fn article_9_5_3_an_engines_own_claim_is_granted_or_denied() {
        let claim = Statements { claims_draw: true, ..Statements::default() };
        let engine = |state: &GameState, token| words(state, token, ClaimPolicy::Engine, None, claim, false);
        let state = initial(SHUFFLED);
        let granted =
            "Draw by threefold repetition, claimed by Black with the intended move Ng8 (Article 9.2.1)";
        assert_eq!(engine(&state, "f6g8"), granted);
        assert_eq!(engine(&state, "e7e5"), "claim denied, play");
        assert_eq!(rule(&state, "f6g8", ClaimPolicy::Engine, Some(-900)), "play", "it has claimed nothing");
    }

    #[test]
    fn r_11_a_wrong_claim_does_not_lose_the_game() {
        let claim = Statements { claims_draw: true, ..Statements::default() };
        let state = played("7k/8/8/8/8/8/R7/K7 w - - 97 90", "");
        assert_eq!(words(&state, "a2b2", ClaimPolicy::Engine, None, claim, false), "claim denied, play");
    }

    #[test]
    fn r_12_a_claim_at_99_with_a_quiet_move_is_correct() {
        let claim = Statements { claims_draw: true, ..Statements::default() };
        let state = played("7k/8/8/8/8/8/R7/K7 w - - 99 90", "");
        let granted =
            "Draw by the fifty-move rule, claimed by White with the intended move Rb2 (Article 9.3.1)";
        assert_eq!(words(&state, "a2b2", ClaimPolicy::Engine, None, claim, false), granted);
    }

    #[test]
    fn article_5_1_2_a_resignation_against_a_bare_king_is_a_draw() {
        let resigns = Statements { resigns: true, ..Statements::default() };
        let rule = |text| words(&played(text, ""), "a2b2", ClaimPolicy::Never, None, resigns, false);
        assert_eq!(rule("6rk/8/8/8/8/8/R7/K7 w - - 0 1"), "White resigns (Article 5.1.2)");
        let drawn = "Draw: White's resignation came, but Black cannot mate (Article 5.1.2)";
        assert_eq!(rule("7k/8/8/8/8/8/R7/K7 w - - 0 1"), drawn);
    }

    #[test]
    fn article_5_2_3_an_acceptance_needs_an_offer() {
        let accepts = Statements { accepts_draw: true, ..Statements::default() };
        let rule = |may_accept| words(&initial(""), "e2e4", ClaimPolicy::Never, None, accepts, may_accept);
        assert_eq!(rule(true), "Draw by agreement, accepted by White (Article 5.2.3)");
        assert_eq!(rule(false), "play");
    }
}

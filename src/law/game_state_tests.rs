use shakmaty::CastlingMode;

use super::*;
use crate::law::notation::fen;
use crate::law::verdict::{GameResult, MatingChance, Reason};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn state(text: &str) -> GameState {
    let parsed = fen::parse(text, CastlingMode::Standard).unwrap();
    GameState::new(parsed.chess, CastlingMode::Standard, DeadPositionRule::Exact)
}

fn played(text: &str, moves: &str) -> GameState {
    let mut state = state(text);
    for token in moves.split_ascii_whitespace() {
        assert!(state.end().is_none(), "over before {token}: {:?}", state.end());
        let legal = state.legal_move(token.as_bytes(), false);
        state.play(legal.unwrap_or_else(|| panic!("{token} is not legal")));
    }
    state
}

/// Plays SAN without move numbers, for cases that are known in that form.
fn played_san(text: &str, moves: &str) -> GameState {
    let mut state = state(text);
    for token in moves.split_ascii_whitespace() {
        let san: shakmaty::san::SanPlus = token.parse().unwrap();
        let legal = san.san.to_move(state.chess()).unwrap_or_else(|_| panic!("{token} is not legal"));
        state.play(legal);
    }
    state
}

fn reason(state: &GameState) -> Option<&'static str> {
    state.end().map(|verdict| verdict.reason().name())
}

#[test]
fn article_5_1_1_checkmate() {
    let mated = played(START, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(mated.end().map(Verdict::result), Some(GameResult::BlackWins));
    assert_eq!(reason(&mated), Some("checkmate"));
}

#[test]
fn article_5_2_1_stalemate() {
    assert_eq!(reason(&state("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")), Some("stalemate"));
}

#[test]
fn article_9_6_1_fivefold_needs_no_consecutive_positions() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    let fourth = played(START, &shuffle.repeat(3));
    assert_eq!((fourth.occurrences(), reason(&fourth)), (4, None));
    let detour = format!("{}b1c3 b8c6 c3b1 c6b8", shuffle.repeat(3));
    let fifth = played(START, &detour);
    assert_eq!((fifth.occurrences(), reason(&fifth)), (5, Some("fivefold_repetition")));
}

#[test]
fn article_9_6_2_seventy_five_moves_and_r_14_counts_plies() {
    assert_eq!(reason(&played("7k/8/8/8/8/8/R7/K7 w - - 148 90", "a2b2")), None);
    assert_eq!(
        reason(&played("7k/8/8/8/8/8/R7/K7 w - - 148 90", "a2b2 h8g8")),
        Some("seventy_five_move_rule")
    );
    let fifty_plies = state("7k/8/8/8/8/8/R7/K7 w - - 50 90");
    assert!(!fifty_plies.may_claim(ClaimRule::FiftyMove));
}

#[test]
fn r_13_mate_on_the_hundredth_or_hundred_and_fiftieth_ply_wins() {
    for clock in [99, 149] {
        let mated = played(&format!("k7/8/1K6/8/8/8/8/7R w - - {clock} 90"), "h1h8");
        assert_eq!(reason(&mated), Some("checkmate"), "at {clock}");
    }
}

#[test]
fn r_17_stalemate_goes_before_seventy_five_moves() {
    assert_eq!(reason(&played("7k/5Q2/8/6K1/8/8/8/8 w - - 149 90", "g5g6")), Some("stalemate"));
}

#[test]
fn r_01_a_pinned_capturer_makes_no_different_position() {
    // After e2e4 the black pawn on d4 is pinned on its file: en passant is not possible.
    let state = played("3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1", "e2e4 d8c8 a1b1 c8d8 b1a1");
    assert_eq!(state.occurrences(), 2);
}

#[test]
fn r_02_an_illegal_en_passant_square_in_the_start_fen_is_none() {
    let state = played("3k4/8/8/8/3pP3/8/8/K2R4 b - e3 0 1", "d8c8 a1b1 c8d8 b1a1");
    assert_eq!(state.occurrences(), 2);
}

#[test]
fn r_03_a_lost_castling_right_starts_the_count_anew() {
    let state = played("r3k3/8/8/8/8/8/8/4K2R w q - 0 1", "h1g1 e8d8 g1h1 d8e8 h1g1 e8d8 g1h1 d8e8");
    assert_eq!(state.occurrences(), 2, "the start position had the right, the two later ones not");
}

#[test]
fn r_04_a_legal_en_passant_capture_makes_a_different_position() {
    let state = played("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 e8d8 e1d1 d8e8 d1e1");
    assert_eq!(state.occurrences(), 1);
}

#[test]
fn r_05_a_double_step_beside_no_pawn_leaves_no_square() {
    let state = played(START, "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(state.occurrences(), 2);
}

#[test]
fn r_06_a_claim_ahead_is_not_an_occurrence() {
    let state = played(START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    assert!(!state.may_claim(ClaimRule::Threefold));
    assert_eq!(state.claimable_moves(ClaimRule::Threefold), ["f6g8"]);
}

#[test]
fn r_09_a_fifty_move_claim_can_be_made_ahead_at_99() {
    let state = state("7k/8/8/8/8/8/R6P/K7 w - - 99 90");
    assert!(!state.may_claim(ClaimRule::FiftyMove));
    let moves = state.claimable_moves(ClaimRule::FiftyMove);
    assert!(moves.contains(&"a2b2".to_owned()));
    assert!(!moves.contains(&"h2h3".to_owned()), "a pawn move zeroes the clock");
}

#[test]
fn r_10_a_move_that_mates_is_never_offered_as_a_claim() {
    let state = state("k7/8/1K6/8/8/8/8/7R w - - 99 90");
    assert!(!state.claimable_moves(ClaimRule::FiftyMove).contains(&"h1h8".to_owned()));
}

#[test]
fn r_15_every_capture_pawn_move_and_promotion_zeroes_the_clock() {
    for (text, token) in [
        ("4k3/P7/8/8/8/8/8/4K3 w - - 40 60", "a7a8q"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 40 60", "e5d6"),
        ("4k3/8/8/8/8/8/3p4/4K3 w - - 40 60", "e1d2"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 40 60", "e2e4"),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 40 60", "a7b8n"),
    ] {
        assert_eq!(played(text, token).halfmove_clock(), 0, "{token}");
    }
}

#[test]
fn r_18_the_third_occurrence_is_a_claim_and_the_game_goes_on() {
    let third = played(START, &"g1f3 g8f6 f3g1 f6g8 ".repeat(2));
    assert!(third.may_claim(ClaimRule::Threefold));
    assert_eq!(third.end(), None);
}

#[test]
fn r_20_the_right_to_castle_counts_where_castling_is_impossible() {
    let moves = "e4 c6 Nf3 Qa5 Bb5 Qxb5 Nc3 Qa6 Nb1 Qb5 Rg1 Qa6 Rh1 Qb5";
    let state = played_san(START, moves);
    assert_eq!(state.occurrences(), 1, "White has lost the king-side right since");
}

#[test]
fn r_27_mate_goes_before_dead_and_a_dead_position_before_check() {
    assert_eq!(reason(&state("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1")), Some("checkmate"));
    let promoted = played("8/7P/8/4k3/8/8/8/K7 w - - 0 1", "h7h8b");
    assert_eq!(reason(&promoted), Some("dead_position"));
}

#[test]
fn r_38_a_dead_position_goes_before_repetition_and_counters() {
    assert_eq!(reason(&state("4k3/8/8/8/8/8/8/4KB2 w - - 200 120")), Some("dead_position"));
}

#[test]
fn forfeits_against_a_bare_king_are_draws() {
    let state = state("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let flag = state.rule_forfeit(Color::White, Forfeit::FlagFall);
    assert_eq!((flag.result(), flag.reason()), (GameResult::Draw, &Reason::FlagFall));
    assert_eq!(flag.article(), Some("6.9"));
    let loss = state.rule_forfeit(Color::Black, Forfeit::FlagFall);
    assert_eq!(loss.result(), GameResult::WhiteWins);
}

#[test]
fn a_mate_on_the_board_stands_before_any_forfeit() {
    let mated = played(START, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(mated.rule_forfeit(Color::White, Forfeit::FlagFall), Verdict::checkmate(Color::Black));
}

#[test]
fn r_21_a_forced_recapture_into_bare_kings_is_dead() {
    assert_eq!(reason(&played("8/8/8/8/8/k7/1p6/2K5 w - - 0 1", "c1b1")), None);
    assert_eq!(reason(&state("8/8/8/8/8/1k6/1q6/K7 w - - 0 1")), Some("checkmate"));
    // The only legal move takes the last piece.
    assert_eq!(reason(&state("k7/8/8/8/8/8/1q6/K7 w - - 0 1")), Some("dead_position"));
}

#[test]
fn r_22_all_replies_lead_to_dead_material() {
    assert_eq!(reason(&state("7k/6Q1/8/8/8/8/8/K7 b - - 0 1")), Some("dead_position"));
}

#[test]
fn r_23_lines_forced_into_stalemate_are_dead_at_the_first_such_ply_and_not_before() {
    let start = "k1q5/7Q/K1P5/PP6/8/8/8/8 w - - 0 1";
    assert_eq!(reason(&state(start)), None);
    assert_eq!(reason(&played(start, "h7b7")), Some("dead_position"));
}

#[test]
fn r_23_a_ruling_looks_once_more_for_a_dead_position() {
    // The last free move of the bishop's side is gone, in a pawn structure that was searched when it was not.
    let closed = played("2b5/kp1p4/1P1P4/B7/8/8/8/K7 b - - 0 1", "a7a8");
    assert_eq!(closed.rule_forfeit(Color::White, Forfeit::FlagFall), Verdict::dead_position());
    let claim = Verdict::claimed_draw(ClaimRule::FiftyMove, ClaimBasis::Appeared, Color::White);
    assert_eq!(closed.confirmed(claim.clone()), Verdict::dead_position());
    assert_eq!(state(START).confirmed(claim.clone()), claim);
    let stalemate = state("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(stalemate.confirmed(Verdict::stalemate()), Verdict::stalemate());
}

#[test]
fn r_36_a_forced_line_may_leave_only_one_side_able_to_mate() {
    let forced = state("7R/8/8/3k4/8/8/1q6/K7 w - - 0 1");
    assert_eq!(forced.end(), None);
    assert_eq!(forced.rule_forfeit(Color::White, Forfeit::FlagFall).result(), GameResult::Draw);
    assert_eq!(forced.mating_chance(Color::White), MatingChance::Possible);
}

#[test]
fn r_24_a_sealed_pawn_wall_is_dead() {
    assert_eq!(reason(&state("3k4/8/8/1p1p1p1p/1P1P1P1P/8/8/3K4 w - - 0 1")), Some("dead_position"));
}

#[test]
fn r_25_behind_a_wall_each_side_is_decided_by_itself() {
    let walled = state("7b/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N7 b - - 0 1");
    assert_eq!(walled.end(), None);
    assert_eq!(walled.mating_chance(Color::White), MatingChance::Possible);
    assert_eq!(walled.mating_chance(Color::Black), MatingChance::Impossible);
}

#[test]
fn r_26_a_winnable_position_is_never_called_dead() {
    let winnable = state("8/p2p3b/Pk1P4/RP1p4/PKpP4/1pP5/1P6/8 b - - 0 1");
    assert_eq!(winnable.end(), None);
    assert_eq!(winnable.mating_chance(Color::White), MatingChance::Possible);
}

#[test]
fn r_28_move_counters_do_not_make_a_position_dead() {
    assert_eq!(reason(&state("7k/8/8/8/8/8/R7/K7 w - - 149 120")), None);
}

#[test]
fn r_31_and_r_32_a_flag_is_a_draw_where_the_opponent_cannot_mate() {
    let flagged = |text: &str, side| state(text).rule_forfeit(side, Forfeit::FlagFall).result();
    assert_eq!(flagged("7k/8/8/8/8/8/R7/K7 w - - 0 1", Color::White), GameResult::Draw);
    // K+N against K+P: a helpmate exists; against a bare king none does.
    assert_eq!(flagged("7k/7p/8/8/8/8/8/KN6 b - - 0 1", Color::Black), GameResult::WhiteWins);
    assert_eq!(flagged("6k1/8/8/8/8/8/8/KN5R w - - 0 1", Color::White), GameResult::Draw);
}

#[test]
fn r_33_lone_minor_pieces_against_bigger_ones() {
    let flagged = |text: &str| state(text).rule_forfeit(Color::Black, Forfeit::FlagFall).result();
    let cases = [
        ("B6k/8/8/8/8/2K5/8/6r1 b - - 0 1", GameResult::Draw),
        ("B6k/8/8/8/8/2K5/8/6q1 b - - 0 1", GameResult::Draw),
        ("N6k/8/8/8/8/2K5/8/6q1 b - - 0 1", GameResult::Draw),
        ("N6k/8/8/8/8/2K5/8/6r1 b - - 0 1", GameResult::WhiteWins),
        ("N6k/8/8/8/8/2K5/8/6b1 b - - 0 1", GameResult::WhiteWins),
        ("N6k/8/8/8/8/2K5/8/6n1 b - - 0 1", GameResult::WhiteWins),
        ("B6k/8/8/8/8/2K5/8/6n1 b - - 0 1", GameResult::WhiteWins),
        ("B6k/8/8/8/8/2K5/8/6b1 b - - 0 1", GameResult::WhiteWins),
    ];
    for (text, result) in cases {
        assert_eq!(flagged(text), result, "{text}");
    }
}

#[test]
fn r_35_the_exception_for_an_illegal_move_says_so() {
    let verdict = state("7k/8/8/8/8/8/R7/K7 w - - 0 1").rule_forfeit(Color::White, Forfeit::IllegalMove);
    assert_eq!(verdict.to_string(), "Draw: White's move was illegal, but Black cannot mate (Article 7.5.5)");
}

#[test]
fn a_budget_that_is_spent_counts_as_able_to_mate_and_is_said() {
    let parsed = fen::parse("1k6/1P1p1p1p/BP6/1P5p/8/8/3P1PKP/8 w - - 0 1", CastlingMode::Standard).unwrap();
    let state =
        GameState::with_search_budget(parsed.chess, CastlingMode::Standard, DeadPositionRule::Exact, 1_000);
    let verdict = state.rule_forfeit(Color::White, Forfeit::FlagFall);
    assert_eq!(verdict.result(), GameResult::BlackWins);
    assert!(verdict.to_string().ends_with("; whether Black can still mate was not settled"), "{verdict}");
}

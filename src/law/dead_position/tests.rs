//! Tests of the rules, each by itself, on positions that show what it is for and where it must be silent.

use shakmaty::{Bitboard, CastlingMode, Chess, Color, Position, PositionError, Square, fen::Fen};

use super::checker::{ProofError, check};
use super::position_set::PositionKey;
use super::regions::{Promotion, Regions};
use super::*;

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap()
}

fn region(position: &Chess, square: Square) -> Bitboard {
    let regions = Regions::of(position, Promotion::Allowed);
    let man = regions.men().iter().find(|man| man.square == square as u8).unwrap();
    Bitboard(man.region)
}

fn assert_mates(fen: &str, side: Color, nodes: u64) {
    let start = position(fen);
    let CanMate::Yes(line) = can_mate(&start, side, nodes).can_mate else { panic!("{side} mates in {fen}") };
    let end = line.iter().fold(start, |position, m| position.play(*m).unwrap());
    assert!(end.is_checkmate() && end.turn() != side, "{fen}");
}

fn proof(fen: &str, side: Color) -> Proof {
    let start = position(fen);
    let CanMate::No(proof) = can_mate(&start, side, 1_000_000).can_mate else {
        panic!("{side} cannot mate in {fen}")
    };
    assert_eq!(check(&start, side, &proof), Ok(()), "{fen}");
    proof
}

const WALL: &str = "7k/8/8/p1p1p1p1/P1P1P1P1/8/8/4bB1K b - - 0 1";

#[test]
fn white_mates_where_the_reference_program_says_it_cannot() {
    assert_mates("8/p2p3b/Pk1P4/RP1p4/PKpP4/1pP5/1P6/8 b - - 0 1", Color::White, 100_000);
}

#[test]
fn the_square_of_a_frozen_king_can_be_attacked() {
    let fen = "K1k5/P1PpB3/3P4/8/b7/8/8/8 w - - 0 1";
    assert!(!regions_cannot_mate(&position(fen), Color::Black));
    assert_mates(fen, Color::Black, 10_000);
}

#[test]
fn three_checkers_do_no_harm() {
    let odd = position("8/8/8/k7/3b4/2K5/1bqP4/r7 w - - 0 1");
    for side in Color::ALL {
        let answer = can_mate(&odd, side, 10_000);
        assert!(!matches!(answer.can_mate, CanMate::Unknown));
    }
    let _ = quick_look(&odd);
}

#[test]
fn a_line_through_a_pawn_is_no_discovered_check() {
    let walled = "k1b5/1p1p4/1PpP4/2Pp4/N1pP4/1pP1B3/1P1B4/K7 w - - 0 1";
    assert!(matches!(proof(walled, Color::White), Proof::Projection(_) | Proof::ClosedSet(_)));
}

#[test]
fn pawns_face_to_face_lock_each_other() {
    let walled = position(WALL);
    assert_eq!(region(&walled, Square::A4), Bitboard::from(Square::A4));
    assert!(regions_cannot_mate(&walled, Color::White) && regions_cannot_mate(&walled, Color::Black));
}

#[test]
fn a_lock_is_off_when_the_pawn_in_front_can_be_taken() {
    for fen in ["7k/8/8/p7/P7/8/8/7K w - - 0 1", "k7/p1p5/P1P5/8/8/8/8/K1B5 w - - 0 1"] {
        let free = position(fen);
        let pawn = if fen.starts_with('7') { Square::A4 } else { Square::A6 };
        assert!(region(&free, pawn).contains(Square::A8), "{fen}");
    }
    let light_bishop = position("k7/pp6/P7/1P6/8/8/8/K4B2 w - - 0 1");
    assert!(region(&light_bishop, Square::F1).is_disjoint(Bitboard::DARK_SQUARES));
}

#[test]
fn castling_moves_king_and_rook_that_stand_in_each_others_way() {
    // Every other man is shut in; only castling frees king and rook, which trade places.
    let free = position("6k1/8/8/8/8/4pPpP/4P1P1/4NKR1 w G - 0 1");
    assert!(region(&free, Square::G1).contains(Square::F1) && region(&free, Square::F1).contains(Square::G1));
}

#[test]
fn a_pawn_that_can_be_taken_in_passing_is_not_frozen() {
    let passed = position("7k/8/8/1pP5/1P6/8/8/K7 w - b6 0 1");
    assert!(region(&passed, Square::C5).contains(Square::B6));
}

#[test]
fn a_mate_by_taking_in_passing_is_found() {
    assert_mates("8/8/8/1p6/kPp5/2P5/K1P5/8 b - b3 0 1", Color::Black, 100_000);
}

#[test]
fn the_tempo_count_settles_a_lost_race() {
    let race = "1k6/1P5p/BP3p2/1P6/8/6K1/5P1P/8 w - - 0 1";
    let start = position(race);
    assert!(!regions_cannot_mate(&start, Color::Black));
    let won = "1k6/1P1p1p1p/BP6/1P5p/8/8/3P1PKP/8 w - - 0 1";
    assert!(!tempo_cannot_mate(&position(won), Color::Black));
    assert_mates(won, Color::Black, 1_000_000);
    let _ = proof(race, Color::Black);
}

#[test]
fn the_tempo_count_is_silent_where_a_piece_moves_or_a_pawn_can_pass() {
    assert!(!tempo_cannot_mate(&Chess::default(), Color::White));
    assert!(!tempo_cannot_mate(&position("1k6/1P5p/BP3p2/1P6/4N3/6K1/5P1P/8 w - - 0 1"), Color::Black));
}

#[test]
fn no_rule_denies_what_a_promotion_brings() {
    for fen in ["8/4k3/8/8/8/8/4P3/4K3 w - - 0 1", "8/8/8/8/k7/p7/8/K7 b - - 0 1"] {
        let start = position(fen);
        for side in Color::ALL {
            if start.board().by_color(side).count() > 1 {
                assert!(!regions_cannot_mate(&start, side) && !projection_cannot_mate(&start, side, 10_000));
                assert_mates(fen, side, 100_000);
            }
        }
    }
}

#[test]
fn the_endings_that_material_counters_get_wrong_are_not_dead() {
    for fen in [
        "8/8/3k4/3n4/8/3K4/3B4/8 w - - 0 1",
        "8/8/3k4/3n4/8/3K4/3N4/8 w - - 0 1",
        "8/8/3k4/3b4/8/3K4/3B4/8 w - - 0 1",
    ] {
        assert_mates(fen, Color::White, 100_000);
        assert_mates(fen, Color::Black, 100_000);
    }
    assert_mates("8/8/3k4/8/8/3K4/3NN3/8 w - - 0 1", Color::White, 100_000);
}

#[test]
fn stalemate_and_mate_end_the_question() {
    let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert!(matches!(can_mate(&stalemate, Color::White, 9).can_mate, CanMate::No(Proof::NoMoves)));
    assert!(quick_look(&stalemate).is_dead());
    let mate = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert!(can_mate(&mate, Color::White, 9).can_mate.is_yes());
    let look = quick_look(&mate);
    assert_eq!((look.cannot_mate.white, look.cannot_mate.black), (None, Some(QuickProof::NoMoves)));
}

#[test]
fn a_spent_budget_is_unknown_and_never_no() {
    let fen = "8/8/5p2/2p1pPk1/2PbP1Bb/2pBp1p1/2P1P1P1/5BRK b - - 0 1";
    let answer = can_mate(&position(fen), Color::White, 2_000);
    assert!(matches!(answer.can_mate, CanMate::Unknown));
    assert!(answer.nodes >= 2_000 && answer.nodes < 4_000);
}

#[test]
fn the_look_flags_what_it_leaves_open_in_a_walled_position() {
    let look = quick_look(&position("k1b5/1p1p4/1P1P4/B7/8/2B5/8/K7 w - - 0 1"));
    assert!(!look.is_dead() && look.worth_a_search);
    assert!(!quick_look(&Chess::default()).worth_a_search);
}

#[test]
fn keys_tell_apart_what_the_law_tells_apart() {
    let of = |fen: &str| PositionKey::of(&position(fen));
    assert_ne!(of("r3k3/8/8/8/8/8/8/4K3 b q - 0 1"), of("r3k3/8/8/8/8/8/8/4K3 b - - 0 1"));
    assert_ne!(of("r3k3/8/8/8/8/8/8/4K3 b q - 0 1"), of("r3k3/8/8/8/8/8/8/4K3 w q - 0 1"));
    assert_ne!(of("7k/8/8/1pP5/8/8/8/K7 w - b6 0 1"), of("7k/8/8/1pP5/8/8/8/K7 w - - 0 1"));
    assert_eq!(of("7k/8/8/1p6/8/8/8/K7 w - b6 0 1"), of("7k/8/8/1p6/8/8/8/K7 w - - 9 33"));
    assert_ne!(of("7k/8/8/8/8/8/8/KQ6 w - - 0 1"), of("7k/8/8/8/8/8/8/Kq6 w - - 0 1"));
}

#[test]
fn proofs_say_why() {
    let words = proof(WALL, Color::White).explain();
    assert!(words.contains("White's bishop can only reach"), "{words}");
    assert!(words.contains("Black's king never leaves"), "{words}");
    assert_eq!(
        proof("8/8/3k4/8/8/3K4/8/8 w - - 0 1", Color::White).explain(),
        "White has only the king left."
    );
}

#[test]
fn a_proof_of_another_position_or_side_fails() {
    let regions = proof(WALL, Color::White);
    let moved = position(WALL).play(position(WALL).legal_moves()[0]).unwrap();
    assert_eq!(check(&moved, Color::White, &regions), Err(ProofError::OtherMen));
    assert_eq!(check(&position(WALL), Color::Black, &regions), Err(ProofError::OtherSide));
    assert_eq!(check(&Chess::default(), Color::White, &Proof::NoMoves), Err(ProofError::NotOver));
    let material = Proof::Material(MaterialProof::KingOnly(Color::White));
    assert_eq!(check(&Chess::default(), Color::White, &material), Err(ProofError::Material));
}

#[test]
fn a_region_made_smaller_fails() {
    let walled = position(WALL);
    let Proof::Regions(whole) = proof(WALL, Color::White) else { panic!("not by regions") };
    for i in 0..whole.men.len() {
        for square in whole.men[i].region {
            let mut smaller = whole.clone();
            smaller.men[i].region.discard(square);
            assert!(check(&walled, Color::White, &Proof::Regions(smaller)).is_err(), "{square}");
        }
    }
}

#[test]
fn a_set_with_a_gap_fails() {
    let fen = "k1b5/1p1p4/1P1P4/B7/8/2B5/8/K7 w - - 0 1";
    let start = position(fen);
    match proof(fen, Color::White) {
        Proof::Projection(whole) => {
            for gap in (0..whole.states.len()).step_by(7) {
                let mut holed = whole.clone();
                holed.states.remove(gap);
                assert!(check(&start, Color::White, &Proof::Projection(holed)).is_err());
            }
        }
        Proof::ClosedSet(whole) => {
            for gap in (0..whole.positions.len()).step_by(97) {
                let mut holed = whole.clone();
                holed.positions.remove(gap);
                assert!(check(&start, Color::White, &Proof::ClosedSet(holed)).is_err());
            }
        }
        other => panic!("{}", other.explain()),
    }
}

#[test]
fn a_tempo_proof_with_another_count_fails() {
    let fen = "1k6/1P3p1p/BP1p4/1P6/3P4/8/5PKP/8 w - - 0 1";
    let start = position(fen);
    let Some(Proof::Tempo(count)) = Proof::of_tempo(&start, Color::Black) else { return };
    for available in [count.available + 1, count.available + 99] {
        let wrong = Proof::Tempo(TempoProof { available, ..count.clone() });
        assert_eq!(check(&start, Color::Black, &wrong), Err(ProofError::Miscounted));
    }
}

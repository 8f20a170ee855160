//! The dead-position search against itself: with and without its rules, mirrored, one ply on; and against the
//! enumeration of small endings. `scripts/fuzz-dead-positions.sh` does the same at length.

#[path = "support/endings.rs"]
mod endings;
#[path = "support/dead_positions.rs"]
mod support;

use arbiter::law::dead_position::{CanMate, can_mate};
use shakmaty::{Chess, Color, Position};
use support::{Random, Verdict, cases, cross_check, fen_of, parse, random_position};

const FULL_NODES: u64 = 20_000;
const RAW_NODES: u64 = 5_000;

fn pool() -> Vec<Chess> {
    let sample = include_str!("data/unwinnability-fuzz-sample.txt");
    cases(sample).into_iter().map(|case| case.position).collect()
}

#[test]
fn no_way_of_asking_contradicts_another() {
    let pool = pool();
    let mut random = Random(2026);
    let (mut no, mut faults) = (0, Vec::new());
    for _ in 0..80 {
        let position = random_position(&mut random, &pool);
        for side in Color::ALL {
            let checked = cross_check(&position, side, FULL_NODES, RAW_NODES);
            no += u32::from(checked.full == Verdict::No);
            let named =
                checked.faults.into_iter().map(|fault| format!("{side} {}: {fault}", fen_of(&position)));
            faults.extend(named);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(no > 10, "only {no} answers were no: the positions test nothing");
}

#[test]
fn positions_of_the_sample_pass_the_cross_checks() {
    for position in pool().iter().step_by(20) {
        for side in Color::ALL {
            let faults = cross_check(position, side, FULL_NODES, RAW_NODES).faults;
            assert!(faults.is_empty(), "{side} {}: {}", fen_of(position), faults.join("; "));
        }
    }
}

#[test]
fn a_random_game_is_never_dead_while_a_mate_comes() {
    let mut random = Random(77);
    for _ in 0..20 {
        let mut played = vec![Chess::default()];
        while let Some(last) = played.last() {
            let moves = last.legal_moves();
            if moves.is_empty() || played.len() > 200 {
                break;
            }
            let next = last.clone().play(moves[random.below(moves.len())]).unwrap();
            played.push(next);
        }
        let last = played.last().unwrap();
        if last.is_checkmate() {
            for position in &played {
                assert!(!can_mate(position, !last.turn(), 1_000).can_mate.is_no(), "{}", fen_of(position));
            }
        }
    }
}

#[test]
fn king_and_pawn_against_king_agree_with_the_enumeration() {
    endings::compare_all("KPvK", 41);
}

#[test]
fn small_endings_agree_with_the_raw_search_on_a_sample() {
    for ending in endings::ENDINGS {
        endings::compare_sample(ending, 25);
    }
}

#[test]
fn a_mate_on_the_board_stands_and_its_giver_can_mate() {
    let mated = parse("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").unwrap();
    let answer = can_mate(&mated, Color::White, 100);
    assert!(matches!(answer.can_mate, CanMate::Yes(line) if line.is_empty()));
    assert!(can_mate(&mated, Color::Black, 100).can_mate.is_no());
}

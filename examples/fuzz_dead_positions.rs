//! Asks random questions in every way and looks for contradictions.
//!
//! `fuzz_dead_positions [QUESTIONS] [SEED] [FILE...]`: positions of the files are mutated too.
//! Ends with status 1 if there was a contradiction.

#[path = "../tests/support/dead_positions.rs"]
mod support;

use shakmaty::{Chess, Color};
use support::{Random, Verdict, cases, cross_check, fen_of, random_position};

const FULL_NODES: u64 = 60_000;
const RAW_NODES: u64 = 60_000;

fn main() -> std::process::ExitCode {
    let mut args = std::env::args().skip(1);
    let questions: u64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let seed: u64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let pool: Vec<Chess> = args
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .flat_map(|text| cases(&text))
        .map(|case| case.position)
        .collect();
    let mut random = Random(seed);
    let (mut no, mut raw_no, mut open, mut faulty) = (0_u64, 0_u64, 0_u64, 0_u64);
    for asked in 0..questions.div_ceil(2) {
        let position = random_position(&mut random, &pool);
        for side in Color::ALL {
            let checked = cross_check(&position, side, FULL_NODES, RAW_NODES);
            no += u64::from(checked.full == Verdict::No);
            raw_no += u64::from(checked.full == Verdict::No && checked.raw == Verdict::No);
            if checked.full == Verdict::Unknown {
                open += 1;
                println!("open: {side} {}", fen_of(&position));
            }
            faulty += u64::from(!checked.faults.is_empty());
            for fault in checked.faults {
                println!("FAULT: {side} {}: {fault}", fen_of(&position));
            }
        }
        if asked % 5_000 == 4_999 {
            println!(
                "{} questions, {no} no ({raw_no} by the raw search too), {open} open, {faulty} faulty",
                2 * asked + 2
            );
        }
    }
    println!("{questions} questions, {no} no ({raw_no} by the raw search too), {open} open, {faulty} faulty");
    if faulty == 0 { std::process::ExitCode::SUCCESS } else { std::process::ExitCode::FAILURE }
}

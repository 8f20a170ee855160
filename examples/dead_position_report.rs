//! Answers the files of test positions and prints how well and how fast.
//!
//! `dead_position_report [--nodes N] [--open] FILE...`

use std::time::{Duration, Instant};

use arbiter::law::dead_position::{CanMate, can_mate, checker, quick_look};
use shakmaty::{CastlingMode, Chess, Color, Position, PositionError, fen::Fen};

fn parse(fen: &str) -> Option<Chess> {
    let fen: Fen = fen.parse().ok()?;
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .ok()
}

fn replays(position: &Chess, side: Color, line: &[shakmaty::Move]) -> bool {
    let mut position = position.clone();
    for m in line {
        match position.play(*m) {
            Ok(next) => position = next,
            Err(_) => return false,
        }
    }
    position.is_checkmate() && position.turn() != side
}

#[derive(Default)]
struct Totals {
    questions: u64,
    wrong: u64,
    yes: u64,
    no: u64,
    unknown: [u64; 4],
    nodes: u64,
    most: u64,
    time: Duration,
    longest: Duration,
}

fn main() {
    let mut nodes = 1_000_000;
    let mut open = false;
    let mut check = false;
    let mut quick = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--nodes" => nodes = args.next().and_then(|n| n.parse().ok()).unwrap_or(nodes),
            "--open" => open = true,
            "--check" => check = true,
            "--quick" => quick = true,
            file if quick => quick_report(file),
            file => report(file, nodes, open, check),
        }
    }
}

fn report(file: &str, max: u64, open: bool, check: bool) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut t = Totals::default();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        let b = line.as_bytes();
        let labelled = b[2] == b' ' && line[..2].chars().all(|c| "WB-".contains(c));
        let fen = if labelled { &line[3..] } else { line };
        let Some(position) = parse(fen) else {
            println!("refused: {line}");
            continue;
        };
        let questions: Vec<(Color, Option<bool>)> = if labelled {
            vec![(Color::White, Some(b[0] == b'W')), (Color::Black, Some(b[1] == b'B'))]
        } else {
            vec![(!position.turn(), None)]
        };
        for (side, expected) in questions {
            let start = Instant::now();
            let answer = can_mate(&position, side, max);
            let spent = start.elapsed();
            t.time += spent;
            t.longest = t.longest.max(spent);
            t.questions += 1;
            t.nodes += answer.nodes;
            t.most = t.most.max(answer.nodes);
            let right = match &answer.can_mate {
                CanMate::Yes(moves) => {
                    t.yes += 1;
                    expected != Some(false) && replays(&position, side, moves)
                }
                CanMate::No(proof) => {
                    t.no += 1;
                    if check && let Err(fault) = checker::check(&position, side, proof) {
                        println!("PROOF {side} {line}: {fault}");
                        t.wrong += 1;
                    }
                    expected != Some(true)
                }
                CanMate::Unknown => {
                    t.unknown[expected.map_or(2, usize::from)] += 1;
                    if open {
                        println!("unknown ({expected:?}): {side} {fen}");
                    }
                    true
                }
            };
            if !right {
                t.wrong += 1;
                println!("WRONG: {side} {line}");
            }
            if open && answer.nodes > 100_000 {
                println!("{} nodes: {side} {line}", answer.nodes);
            }
        }
    }
    println!(
        "{file}: {} questions, {} wrong, {} yes, {} no, unknown {:?}, {} nodes (most {}), {:.2?} ({:.1} us each, longest {:.2?})",
        t.questions,
        t.wrong,
        t.yes,
        t.no,
        t.unknown,
        t.nodes,
        t.most,
        t.time,
        t.time.as_secs_f64() * 1e6 / t.questions as f64,
        t.longest
    );
}

/// Time that this thread has spent on a processor.
fn on_cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
}

fn quick_report(file: &str) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut positions = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        let b = line.as_bytes();
        let labelled = b[2] == b' ' && line[..2].chars().all(|c| "WB-".contains(c));
        let fen = if labelled { &line[3..] } else { line };
        if let Some(position) = parse(fen) {
            positions.push((position, labelled.then(|| (b[0] == b'W', b[1] == b'B')), line));
        }
    }
    let mut best = Duration::MAX;
    let mut longest = Duration::ZERO;
    let mut worth = 0;
    let mut generation = Duration::MAX;
    for _ in 0..7 {
        let start = on_cpu();
        for _ in 0..10 {
            for (position, ..) in &positions {
                std::hint::black_box(position.legal_moves());
            }
        }
        generation = generation.min((on_cpu() - start) / 10);
    }
    println!("move generation {:.3} us", generation.as_secs_f64() * 1e6 / positions.len() as f64);
    for _ in 0..7 {
        let start = on_cpu();
        for _ in 0..10 {
            worth = 0;
            for (position, ..) in &positions {
                worth += u32::from(std::hint::black_box(quick_look(position)).worth_a_search);
            }
        }
        best = best.min((on_cpu() - start) / 10);
    }
    let (mut no, mut proved, mut wrong, mut left) = (0, 0, 0, 0);
    for (position, expected, line) in &positions {
        let mut short = Duration::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            let _ = std::hint::black_box(quick_look(position));
            short = short.min(start.elapsed());
        }
        longest = longest.max(short);
        let look = quick_look(position);
        if let Some((w, b)) = expected {
            let mut open_no = false;
            for (can, cannot) in [(w, look.cannot_mate.white), (b, look.cannot_mate.black)] {
                if !can {
                    no += 1;
                    proved += u32::from(cannot.is_some());
                    open_no |= cannot.is_none();
                }
                if *can && cannot.is_some() {
                    wrong += 1;
                    println!("WRONG {line}");
                }
            }
            left += u32::from(open_no && !look.worth_a_search);
        } else {
            proved += u32::from(look.cannot_mate.iter().any(Option::is_some));
        }
    }
    println!(
        "quick {file}: {} positions, {wrong} wrong, {proved} proved of {no} no ({:.1} %), {:.3} us each, longest {longest:.1?}, worth a search {worth}, open no without that flag {left}",
        positions.len(),
        100.0 * proved as f64 / f64::from(no.max(1)),
        best.as_secs_f64() * 1e6 / positions.len() as f64
    );
}

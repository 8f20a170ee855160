//! Answers files of positions and prints how well and how fast: in full, then by the every-ply look.
//!
//! `dead_position_report [--nodes N] [--check] [--open] [--quick] FILE...`
//!
//! A line of a file is a FEN, with `WB`, `W-`, `-B` or `--` in front where it is known who can mate. Without it the
//! question is asked for the side not to move. `--check` verifies every proof, `--open` names what is left open or
//! costs more than 100,000 nodes, `--quick` leaves the full search out.

#[path = "../tests/support/dead_positions.rs"]
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use arbiter::law::dead_position::{CanMate, can_mate, checker, quick_look};
use shakmaty::{Color, Position};
use support::{Case, cases, replays};

const DEAR: u64 = 100_000;
/// Rounds of which the fastest counts, and passes over the file in each.
const ROUNDS: u32 = 5;
const PASSES: u32 = 10;

struct Settings {
    nodes: u64,
    check: bool,
    open: bool,
    quick: bool,
}

fn main() {
    let mut settings = Settings { nodes: 1_000_000, check: false, open: false, quick: false };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--nodes" => settings.nodes = args.next().and_then(|n| n.parse().ok()).unwrap_or(settings.nodes),
            "--check" => settings.check = true,
            "--open" => settings.open = true,
            "--quick" => settings.quick = true,
            file => report(file, &settings),
        }
    }
}

fn report(file: &str, settings: &Settings) {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(fault) => return eprintln!("{file}: {fault}"),
    };
    let cases = cases(&text);
    println!("{file}: {} positions", cases.len());
    if !settings.quick {
        full(&cases, settings);
    }
    quick(&cases);
}

#[derive(Default)]
struct Totals {
    questions: u32,
    wrong: u32,
    yes: u32,
    no: u32,
    unknown: u32,
    nodes: u64,
    most: u64,
    longest: Duration,
    plies: usize,
}

fn full(cases: &[Case], settings: &Settings) {
    let mut totals = Totals::default();
    let started = on_processor();
    for case in cases {
        for side in Color::ALL {
            let expected = case.can.map(|can| can[usize::from(side.is_black())]);
            if expected.is_some() || side != case.position.turn() {
                ask(case, side, expected, settings, &mut totals);
            }
        }
    }
    let time = on_processor().saturating_sub(started);
    let Totals { questions, wrong, yes, no, unknown, nodes, most, longest, plies } = totals;
    println!("  full: {questions} questions, {wrong} wrong, {unknown} unknown, {yes} yes, {no} no");
    println!(
        "  full: {nodes} nodes (most {most}), {:.2} s on the processor{}, {:.1} us a question, slowest {longest:.1?}, \
         longest line {plies} plies",
        time.as_secs_f64(),
        if settings.check { " with the checks" } else { "" },
        time.as_secs_f64() * 1e6 / f64::from(questions.max(1)),
    );
}

fn ask(case: &Case, side: Color, expected: Option<bool>, settings: &Settings, totals: &mut Totals) {
    let started = Instant::now();
    let answer = can_mate(&case.position, side, settings.nodes);
    totals.longest = totals.longest.max(started.elapsed());
    totals.questions += 1;
    totals.nodes += answer.nodes;
    totals.most = totals.most.max(answer.nodes);
    let right = match &answer.can_mate {
        CanMate::Yes(line) => {
            totals.yes += 1;
            totals.plies = totals.plies.max(line.len());
            expected != Some(false) && replays(&case.position, side, line)
        }
        CanMate::No(proof) => {
            totals.no += 1;
            expected != Some(true) && (!settings.check || checker::check(&case.position, side, proof).is_ok())
        }
        CanMate::Unknown => {
            totals.unknown += 1;
            true
        }
    };
    if !right {
        totals.wrong += 1;
        println!("  WRONG: {side} {}", case.fen);
    }
    let open = matches!(answer.can_mate, CanMate::Unknown);
    if settings.open && (open || answer.nodes > DEAR) {
        println!("  {}: {} nodes, {side} {}", if open { "open" } else { "dear" }, answer.nodes, case.fen);
    }
}

fn quick(cases: &[Case]) {
    let (mut no, mut proved, mut wrong, mut unflagged, mut worth) = (0_u32, 0_u32, 0_u32, 0_u32, 0_u32);
    let mut longest = Duration::ZERO;
    for case in cases {
        let mut shortest = Duration::MAX;
        for _ in 0..3 {
            let started = Instant::now();
            let _ = black_box(quick_look(black_box(&case.position)));
            shortest = shortest.min(started.elapsed());
        }
        longest = longest.max(shortest);
        let look = quick_look(&case.position);
        worth += u32::from(look.worth_a_search);
        for (color, i) in [(Color::White, 0), (Color::Black, 1)] {
            let found = look.cannot_mate.get(color).is_some();
            proved += u32::from(found);
            let Some(can) = case.can.map(|can| can[i]) else { continue };
            no += u32::from(!can);
            wrong += u32::from(can && found);
            unflagged += u32::from(!can && !found && !look.worth_a_search);
        }
    }
    let looks = timed(cases, |case| {
        let _ = black_box(quick_look(black_box(&case.position)));
    });
    let moves = timed(cases, |case| {
        black_box(black_box(&case.position).legal_moves());
    });
    let share = if no == 0 {
        String::new()
    } else {
        format!(" of {no} ({:.1} %)", 100.0 * f64::from(proved) / f64::from(no))
    };
    println!(
        "  every-ply look: {proved} no proved{share}, {wrong} wrong, {looks:.3} us for both sides (legal moves alone {moves:.3}), longest {longest:.1?}"
    );
    println!(
        "  every-ply look: {worth} positions worth a full search; {unflagged} no neither proved nor flagged"
    );
}

/// Microseconds a case.
fn timed(cases: &[Case], mut work: impl FnMut(&Case)) -> f64 {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let started = on_processor();
        for _ in 0..PASSES {
            cases.iter().for_each(&mut work);
        }
        best = best.min(on_processor().saturating_sub(started));
    }
    best.as_secs_f64() * 1e6 / f64::from(PASSES) / cases.len().max(1) as f64
}

/// Time that this thread has spent on a processor; the time of day where the system does not tell.
fn on_processor() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| START.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

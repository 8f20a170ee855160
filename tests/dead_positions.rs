//! The dead-position search on files of positions whose answers are known.
//!
//! The committed sample is always asked. The large files lie beside the repository; where they are absent the test
//! says so and passes, except in CI.

#[path = "support/dead_positions.rs"]
mod support;

#[path = "support/shared.rs"]
mod shared;

use std::path::Path;

use arbiter::law::dead_position::quick_look;
use shakmaty::Color;
use support::{Case, Verdict, answer, cases};

const NODES: u64 = 1_000_000;

fn shared(name: &str) -> Option<String> {
    let path = shared::shared(&format!("vectors/{name}"))?;
    Some(std::fs::read_to_string(path).unwrap_or_else(|fault| panic!("{name}: {fault}")))
}

/// Asks both questions of each case; all wrong, unproved and unknown answers, and the counts of `no` in full and by
/// the every-ply look.
fn ask(cases: &[Case]) -> (Vec<String>, u32, u32) {
    let (mut faults, mut no, mut quick_no) = (Vec::new(), 0, 0);
    for case in cases {
        let look = quick_look(&case.position);
        for (color, i) in [(Color::White, 0), (Color::Black, 1)] {
            if case.can.is_none() && color == shakmaty::Position::turn(&case.position) {
                continue;
            }
            let mut found = Vec::new();
            let verdict = answer(&case.position, color, NODES, &mut found);
            let quick = look.cannot_mate.get(color).is_some();
            no += u32::from(verdict == Verdict::No);
            quick_no += u32::from(quick);
            if quick && verdict != Verdict::No {
                found.push(format!("the every-ply look says no, the search {verdict:?}"));
            }
            match case.can {
                Some(can) if verdict != if can[i] { Verdict::Yes } else { Verdict::No } => {
                    found.push(format!("{verdict:?} is wrong"));
                }
                None if verdict == Verdict::Unknown => found.push("left open".to_owned()),
                _ => {}
            }
            faults.extend(found.into_iter().map(|fault| format!("{color} {}: {fault}", case.fen)));
        }
    }
    (faults, no, quick_no)
}

fn assert_answered(text: &str) -> (u32, u32) {
    let (faults, no, quick_no) = ask(&cases(text));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    (no, quick_no)
}

#[test]
fn the_committed_sample_is_answered_rightly() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/unwinnability-fuzz-sample.txt");
    assert_answered(&std::fs::read_to_string(path).unwrap());
}

#[test]
fn the_public_test_file_is_answered_rightly() {
    let Some(text) = shared("unwinnability.txt") else { return };
    let (no, quick_no) = assert_answered(&text);
    assert!(quick_no * 100 >= no * 83, "the every-ply look proves {quick_no} of {no}");
}

#[test]
fn the_fuzz_file_is_answered_rightly() {
    let Some(text) = shared("unwinnability-fuzz.txt") else { return };
    assert_answered(&text);
}

#[test]
fn positions_of_games_lost_on_time_are_all_answered() {
    let Some(text) = shared("lichess-timeouts.txt") else { return };
    assert_answered(&text);
}

//! The program from outside: real processes, real pipes, the files that it leaves. One binary, so that it is linked
//! once; `cargo test --test program misbehaviour` runs one part.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may end by a panic")]

#[path = "../support/mod.rs"]
mod support;

mod adjudication;
mod book_cases;
mod books;
mod bounded;
mod chess960;
mod clock_evidence;
mod clocks;
mod concurrency;
mod config_cli;
mod control;
mod dead_positions;
mod edge_cases;
mod formats;
mod fuzz_engines;
mod hostile;
mod interrupts;
mod last_lines;
mod live_display;
mod matches;
mod misbehaviour;
mod misbehaviours;
mod offers;
mod over_the_board;
mod pgn_records;
mod pondering;
mod process_limits;
mod processes;
mod protocol;
mod real_engines;
mod requirements;
mod resume;
mod same_verdict;
mod shards;
mod speaking;
mod sprt;
mod stored;
mod sync;

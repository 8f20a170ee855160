//! The Laws without engines: what ends a game, when, by which article, what could be claimed, who can still mate.
//!
//! [`case::judge`] judges one [`case::Case`]. Around it: a stream of cases as JSON lines ([`jsonl`], by
//! what [`json_lines`] has for any such stream), the audit of a
//! PGN file ([`pgn_audit`]), and a text for readers ([`explain`]). [`args::run`] is the command `arbiter judge`.
//!
//! ```
//! use arbiter::judge::case::{Case, judge};
//! use arbiter::judge::review::JudgeOptions;
//!
//! let case = Case { moves: ["f2f3", "e7e5", "g2g4", "d8h4"].map(String::from).to_vec(), ..Case::default() };
//! let judgement = judge(&case, &JudgeOptions::default())?;
//! let end = judgement.end().ok_or("not over")?;
//! assert_eq!((end.ply, end.verdict.reason().name()), (4, "checkmate"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod args;
pub mod case;
pub mod explain;
mod ignored_fields;
pub mod json;
pub mod json_lines;
pub mod jsonl;
mod line_input;
pub mod mating;
pub mod pgn_audit;
pub mod pgn_game;
pub mod pgn_reader;
pub mod pgn_report;
pub mod review;

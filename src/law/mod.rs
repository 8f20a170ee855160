//! The Laws of Chess, pure: no I/O, no clock, no runtime.
//!
//! FIDE Laws in force since 1 January 2023; every rule names its article. Start at [`game_state::GameState`],
//! which knows at each ply what has ended the game and what may be claimed:
//!
//! ```
//! use arbiter::law::game_state::GameState;
//! use arbiter::law::notation::fen;
//! use arbiter::law::policy::DeadPositionRule;
//! use shakmaty::CastlingMode;
//!
//! let start = fen::parse("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", CastlingMode::Standard)?;
//! let mut state = GameState::new(start.chess, CastlingMode::Standard, DeadPositionRule::Exact);
//! assert!(state.end().is_none());
//! let quiet = state.legal_move(b"g5h6", false).ok_or("g5h6 is not legal")?;
//! state.play(quiet);
//! assert_eq!(state.end().map(|verdict| verdict.reason().article()), Some(Some("5.2.1")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod adjudication;
#[cfg(test)]
mod castling_tests;
pub mod claim;
pub mod dead_position;
pub mod game_state;
pub mod material;
mod mating_knowledge;
pub mod notation;
pub mod policy;
pub mod repetition;
pub mod verdict;

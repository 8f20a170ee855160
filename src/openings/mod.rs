//! Where games start: books of positions (EPD, FEN lists), of games (PGN) and of moves (Polyglot), compressed or not,
//! and the order of their use.
//!
//! A book is not held in memory: opening it makes an index of offsets in one pass, and entries are read and parsed
//! when they are wanted; a compressed one is unpacked to a temporary file first. [`Openings`] is the whole of it for a schedule; which opening a pair gets is a function of
//! file, seed and pair number alone:
//!
//! ```
//! use arbiter::openings::{Openings, OpeningsSource, OpeningsSpec};
//!
//! let fens = vec!["4k3/8/8/8/8/8/4P3/4K3 w - -".to_owned()];
//! let (mut openings, warnings) = Openings::open(&OpeningsSpec::new(OpeningsSource::Fens(fens)))?;
//! let drawn = openings.opening_for_pair(7)?; // one entry: every pair gets it
//! assert_eq!(drawn.opening.fen.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
//! assert!(warnings.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod book;
pub mod opening;
pub mod order;
pub mod problem;

mod checked_book;
mod epd;
mod index;
mod packed;
mod per_opening;
mod pgn;
mod polyglot;
mod report;
mod scan;
mod source;
mod spec;
mod supply;
mod walk;
mod walked_book;
mod zip_member;
mod zstd_frames;

pub use opening::Opening;
pub use packed::PackedFault;
pub use per_opening::PerOpening;
pub use problem::{BadEntry, BadFen, Fault, OpeningsError, Unit, Warning};
pub use spec::{BadLines, OpeningsSource, OpeningsSpec, Sequence};
pub use supply::{Drawn, Openings};

//! Match statistics, pure: counts in, figures out.
//!
//! Of two engines: what is counted ([`counts`]), its figures ([`summary`]), the sequential test ([`sprt`]) and its
//! decision while results come in ([`sequence`]), and the lines that fastchess prints ([`block`]). Of many: who scored
//! what against whom ([`crosstable`]), and ratings ([`ratings`]).
//!
//! ```
//! use arbiter::statistics::counts::{Counts, Pentanomial};
//! use arbiter::statistics::sprt::{Model, SprtSettings, SprtState};
//! use arbiter::statistics::summary::MatchSummary;
//!
//! let counts = Counts::Pairs(Pentanomial::new([379, 10170, 21828, 10640, 343])?);
//! let settings = SprtSettings::new((0.0, 2.0), 0.05, 0.05, Model::Normalized, true)?;
//! assert_eq!(settings.state(settings.llr(&counts)?), SprtState::H1);
//! assert_eq!(MatchSummary::of(&counts).elo.map(|elo| format!("{elo:.2}")), Some("1.59".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod block;
mod connected;
mod constrained;
pub mod counts;
pub mod crosstable;
pub mod elo;
pub mod ratings;
mod sample;
pub mod sequence;
pub mod sprt;
pub mod summary;
mod tilt;

//! Arbiter: the referee between two UCI chess engines.
//!
//! Read from the Laws upwards: [`law`] (what ends a game), [`openings`] (where games start), [`clock`] (whose time is
//! up), [`engine`] (processes that speak UCI), [`game`] (two of them at a board), [`tournament`] (many games),
//! [`records`] and [`report`] (what is kept and shown), [`control`] (what is asked of a run under way). [`judge`]
//! applies the Laws to games without engines, [`sparring`] is the small engine that comes with the program,
//! [`statistics`] says what results prove. A module imports only from those that it needs below it; `scripts/layers.sh`
//! checks that.

pub mod cli;
pub mod clock;
pub mod config;
pub mod control;
pub mod engine;
pub mod exit_code;
pub mod game;
pub mod judge;
pub mod law;
pub mod openings;
pub mod platform;
pub mod records;
pub mod report;
pub mod signal;
pub mod sparring;
pub mod statistics;
pub mod tournament;

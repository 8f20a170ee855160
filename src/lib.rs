//! Arbiter: the referee between two UCI chess engines.

pub mod clock;
pub mod engine;
pub mod game;
pub mod law;
pub mod platform;
pub mod tournament;

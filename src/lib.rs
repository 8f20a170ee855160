//! Arbiter: the referee between two UCI chess engines.

pub mod engine;
pub mod law;
pub mod platform;

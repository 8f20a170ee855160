//! Arbiter: the referee between two UCI chess engines.

pub mod law;

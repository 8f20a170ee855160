//! The Laws of Chess, pure: no I/O, no clock, no runtime.

pub mod dead_position;

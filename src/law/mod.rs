//! The Laws of Chess, pure: no I/O, no clock, no runtime.

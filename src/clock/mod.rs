//! Time controls and durations, pure: values and text only, no system clock is ever read here.

pub mod chess_clock;
pub mod duration;
mod period;
pub mod time_control;

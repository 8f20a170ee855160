//! Time controls and durations, pure: values and text only, no system clock is ever read here.

pub mod duration;
pub mod time_control;

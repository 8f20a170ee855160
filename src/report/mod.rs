//! What a person sees of a run: a line for each game, live lines on a terminal, a table at the end.

pub mod console;
pub mod counted;
pub mod display;
pub mod live;
mod painter;
mod rounds;
pub mod screen;
pub mod summary;
pub mod tables;
pub mod timekeeping;

//! What a person sees of a run: a line for each game, live lines on a terminal, tables and figures at the end.

pub mod console;
pub mod counted;
pub mod display;
pub mod evidence;
pub mod live;
pub mod match_figures;
mod outcomes;
mod painter;
mod rounds;
pub mod screen;
pub mod summary;
pub mod tables;
pub mod timekeeping;

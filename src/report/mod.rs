//! What a person sees of a run: a line for each game, tables and figures at the end.

pub mod console;
pub mod counted;
pub mod match_figures;
mod rounds;
pub mod summary;
pub mod tables;
pub mod timekeeping;

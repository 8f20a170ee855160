//! What a person sees of a run: a line for each game, a table at the end.

pub mod console;
pub mod counted;
mod outcomes;
mod rounds;
pub mod summary;
pub mod tables;
pub mod timekeeping;

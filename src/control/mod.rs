//! Control of a run while it is under way: requests by a socket in the run's folder, one line each, one JSON object back.

pub mod client;
pub mod command;
pub mod reply;
pub mod server;

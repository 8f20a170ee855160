//! What is kept of a run: the PGN, the event log, and the folder in which they stand.

pub mod database;
mod event_file;
mod event_lanes;
pub mod events;
pub mod junit;
pub mod merge;
mod move_event;
mod openings_used;
pub mod pgn;
pub mod recorder;
pub mod restore;
pub mod run_dir;
mod sprt_standing;
mod time_control_tags;
mod time_evidence;

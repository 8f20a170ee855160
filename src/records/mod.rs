//! What is kept of a run: the PGN, the event log, and the folder in which they stand.

mod background;
pub mod database;
mod event_file;
mod event_lanes;
pub mod events;
pub mod junit;
pub mod merge;
mod move_event;
mod openings_used;
pub mod pgn;
mod pgn_file;
pub mod recorder;
pub mod restore;
pub mod run_dir;
mod sprt_standing;
mod time_control_tags;
mod time_evidence;

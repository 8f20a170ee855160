//! A match of many games: the schedule, the workers that play it, and who leads.

pub mod crash_budget;
pub mod dispatcher;
pub mod earlier;
mod ending;
pub mod entrant;
pub mod event;
pub mod finished_game;
pub mod game_slot;
pub mod head_to_head;
pub mod outcome;
pub mod progress;
pub mod ranking;
pub mod schedule;
pub mod scoreboard;
pub mod standings;
pub mod status;
pub mod tie_breaks;
pub mod timekeeping;
pub mod withdrawal;
pub mod worker;

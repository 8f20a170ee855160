//! One game: two engines, their clocks, and the referee between them.

pub mod adjudication;
pub mod annulment;
pub mod conduct;
pub mod evidence;
pub mod game_id;
mod limits;
pub mod observer;
pub mod plan;
pub mod player;
pub mod record;
pub mod referee;
pub mod tablebase;
pub mod tables_found;

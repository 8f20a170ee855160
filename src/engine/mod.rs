//! UCI engines as processes: started, spoken to, read and ended whatever they do.
//!
//! [`session::Engine`] is the whole: a child in its own process group ([`process`]), lines read and stamped
//! ([`link`], [`line_buffer`]), the words of the protocol ([`command`], [`message`], [`option`]).

pub mod alarm;
pub mod command;
pub mod dialogue;
pub mod dialogue_tail;
pub mod fault;
pub mod guard;
pub mod launch;
pub mod line_buffer;
pub mod link;
pub mod message;
pub mod misbehaviour;
mod move_sync;
pub mod open_search;
pub mod option;
pub mod process;
pub mod search_report;
pub mod search_watch;
pub mod session;
pub mod standard_error;
pub mod watchdog;

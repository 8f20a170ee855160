//! What differs between systems; the only place for system calls.

pub mod process_group;

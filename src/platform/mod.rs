//! What differs between systems; the only place for system calls.

pub mod become_program;
pub mod descriptors;
pub mod footing;
pub mod local_socket;
pub mod own_process;
pub mod process_group;
pub mod processors;
pub mod schedstat;
pub mod suspension;
pub mod terminal;

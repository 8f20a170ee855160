//! Terminals and pipes.

use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;

use rustix::termios::tcgetwinsize;

/// Columns and rows of the terminal at stderr; `None` where there is none, or it doesn't know.
pub fn size_of_stderr() -> Option<(u16, u16)> {
    let size = tcgetwinsize(rustix::stdio::stderr()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
}

/// Whether somebody reads what is written here.
pub fn is_pipe(stream: &impl AsFd) -> bool {
    let file = stream.as_fd().try_clone_to_owned().map(File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

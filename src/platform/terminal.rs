//! Terminals.

use rustix::termios::tcgetwinsize;

/// Columns and rows of the terminal at stderr; `None` where there is none, or it doesn't know.
pub fn size_of_stderr() -> Option<(u16, u16)> {
    let size = tcgetwinsize(rustix::stdio::stderr()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
}

//! A terminal as the drawing library sees it: what belongs together is written at once, lines are no longer than what
//! stands in them, and a terminal that is gone is no error.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::TermLike;

use super::frame::Size;

/// A terminal to draw on.
pub struct Canvas {
    size: fn() -> Size,
    drawing: Mutex<Drawing>,
}

struct Drawing {
    terminal: Box<dyn Write + Send>,
    /// What is not written yet.
    pending: String,
    line: Line,
}

/// Where the cursor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// At a place to write at.
    Open,
    /// Behind a line that is complete, and has to be left before the next one.
    Complete,
}

impl Canvas {
    /// `size` tells the terminal's size as it is now.
    pub fn new(size: fn() -> Size, terminal: Box<dyn Write + Send>) -> Canvas {
        let drawing = Drawing { terminal, pending: String::new(), line: Line::Open };
        Canvas { size, drawing: Mutex::new(drawing) }
    }

    fn draw(&self, act: impl FnOnce(&mut Drawing)) -> io::Result<()> {
        act(&mut self.drawing.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }

    fn moved(&self, steps: usize, direction: char) -> io::Result<()> {
        self.draw(|drawing| {
            if steps > 0 {
                drawing.pending.push_str(&format!("\x1b[{steps}{direction}"));
            }
        })
    }
}

impl TermLike for Canvas {
    fn width(&self) -> u16 {
        u16::try_from((self.size)().columns).unwrap_or(u16::MAX)
    }

    fn height(&self) -> u16 {
        u16::try_from((self.size)().rows).unwrap_or(u16::MAX)
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.moved(lines, 'A')
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.moved(lines, 'B')
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.moved(columns, 'C')
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.moved(columns, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.draw(|drawing| {
            drawing.pending.push_str(text);
            drawing.pending.push('\n');
        })
    }

    /// The library ends a line by spaces up to the terminal's width. With them, a terminal that is made narrower would
    /// break every line in two, and the lines could not be taken away any more.
    fn write_str(&self, text: &str) -> io::Result<()> {
        self.draw(|drawing| {
            if text.bytes().all(|byte| byte == b' ') {
                drawing.line = Line::Complete;
                return;
            }
            if drawing.line == Line::Complete {
                drawing.pending.push_str("\r\n");
            }
            drawing.line = Line::Open;
            drawing.pending.push_str(text);
        })
    }

    fn clear_line(&self) -> io::Result<()> {
        self.draw(|drawing| drawing.pending.push_str("\r\x1b[2K"))
    }

    fn flush(&self) -> io::Result<()> {
        self.draw(|drawing| {
            drawing.line = Line::Open;
            let mut drawn = std::mem::take(&mut drawing.pending);
            if !drawn.is_empty() {
                // The `^C` that a terminal echoes must not begin a line of its own, which would move all others.
                drawn.push('\r');
                let _ = drawing.terminal.write_all(drawn.as_bytes()).and_then(|()| drawing.terminal.flush());
            }
        })
    }
}

impl fmt::Debug for Canvas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canvas").field("size", &(self.size)()).finish_non_exhaustive()
    }
}

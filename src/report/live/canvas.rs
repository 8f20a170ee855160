//! A terminal as the drawing library sees it: what belongs together is written at once, and a terminal that is gone
//! is no error.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::TermLike;

use super::frame::Size;

/// Draws to stderr.
#[derive(Debug)]
pub struct Canvas {
    size: fn() -> Size,
    pending: Mutex<String>,
}

impl Canvas {
    /// `size` tells the terminal's size as it is now.
    pub fn new(size: fn() -> Size) -> Canvas {
        Canvas { size, pending: Mutex::new(String::new()) }
    }

    fn add(&self, text: &str) -> io::Result<()> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
        Ok(())
    }

    fn moved(&self, lines: usize, direction: char) -> io::Result<()> {
        match lines {
            0 => Ok(()),
            lines => self.add(&format!("\x1b[{lines}{direction}")),
        }
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
        self.add(text)?;
        self.add("\n")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.add(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.add("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        let mut drawn = std::mem::take(&mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner));
        if !drawn.is_empty() {
            // The `^C` that a terminal echoes must not begin a line of its own, which would move all others.
            drawn.push('\r');
            let _ = io::stderr().write_all(drawn.as_bytes());
        }
        Ok(())
    }
}

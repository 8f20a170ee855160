//! Draws the live lines below what has been written, and takes them away again.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::live::Live;
use super::live::canvas::Canvas;
use super::live::frame::{self, Colours, Size};

/// Draws the live lines of a run on stderr.
pub struct Painter {
    live: Arc<Live>,
    size: fn() -> Size,
    colours: Colours,
    drawn: Option<Drawn>,
}

/// What is on the terminal now.
struct Drawn {
    bar: ProgressBar,
    lines: Vec<String>,
}

impl Painter {
    /// `size` tells the terminal's size as it is now.
    pub fn new(live: Arc<Live>, size: fn() -> Size, colours: Colours) -> Painter {
        Painter { live, size, colours, drawn: None }
    }

    /// Draws the run as it is now, if that looks different. `write` writes to the same terminal, above the lines.
    pub fn paint(&mut self, now: Instant, write: Option<impl FnOnce()>) {
        let lines = self
            .live
            .snapshot(now)
            .map(|snapshot| frame::render(&snapshot, (self.size)(), self.colours))
            .filter(|lines| !lines.is_empty());
        let Some(lines) = lines else {
            self.clear();
            if let Some(write) = write {
                write();
            }
            return;
        };
        match (&self.drawn, write) {
            (Some(drawn), Some(write)) => drawn.bar.suspend(write),
            (None, Some(write)) => write(),
            (_, None) => {}
        }
        let drawn = self
            .drawn
            .get_or_insert_with(|| Drawn { bar: bar(self.size, Box::new(io::stderr())), lines: Vec::new() });
        if drawn.lines != lines {
            drawn.bar.set_message(lines.join("\n"));
            drawn.lines = lines;
        }
    }

    /// Takes the lines away.
    pub fn clear(&mut self) {
        if let Some(drawn) = self.drawn.take() {
            drawn.bar.finish_and_clear();
        }
    }
}

fn bar(size: fn() -> Size, terminal: Box<dyn io::Write + Send>) -> ProgressBar {
    let target = ProgressDrawTarget::term_like(Box::new(Canvas::new(size, terminal)));
    let bar = ProgressBar::with_draw_target(None, target);
    // A template that can't fail: a bar of the library's own is not in it.
    match ProgressStyle::with_template("{msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, MutexGuard};

    use super::*;

    /// Keeps what is drawn.
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Paper {
        fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
            self.0.lock().unwrap()
        }

        fn seen(&self) -> (String, (u16, u16)) {
            let mut parser = vt100::Parser::new(10, 20, 0);
            parser.process(&self.bytes());
            (parser.screen().contents(), parser.screen().cursor_position())
        }
    }

    impl io::Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.bytes().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_replaced_give_way_and_go() {
        let paper = Paper::default();
        let bar = bar(|| Size { columns: 20, rows: 10 }, Box::new(paper.clone()));
        bar.set_message("one\ntwo\nthree");
        assert_eq!(paper.seen(), ("one\ntwo\nthree".to_owned(), (2, 0)));
        bar.set_message("twenty columns, here\nand here is the end\n\x1b[32m██\x1b[0m\nx");
        assert_eq!(paper.seen().0, "twenty columns, here\nand here is the end\n██\nx");
        bar.suspend(|| paper.bytes().extend_from_slice(b"said\r\n"));
        assert_eq!(paper.seen().0, "said\ntwenty columns, here\nand here is the end\n██\nx");
        bar.set_message("short");
        assert_eq!(paper.seen(), ("said\nshort".to_owned(), (1, 0)));
        bar.finish_and_clear();
        assert_eq!(paper.seen(), ("said".to_owned(), (1, 0)));
    }

    #[test]
    fn no_line_is_filled_up() {
        let paper = Paper::default();
        let bar = bar(|| Size { columns: 20, rows: 10 }, Box::new(paper.clone()));
        bar.set_message("one\ntwo");
        assert_eq!(String::from_utf8_lossy(&paper.bytes()), "one\r\ntwo\r");
    }
}

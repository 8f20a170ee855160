//! Draws the live lines below what has been written, and takes them away again.

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
        let drawn = self.drawn.get_or_insert_with(|| Drawn { bar: bar(self.size), lines: Vec::new() });
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

fn bar(size: fn() -> Size) -> ProgressBar {
    let target = ProgressDrawTarget::term_like(Box::new(Canvas::new(size)));
    let bar = ProgressBar::with_draw_target(None, target);
    // The style that can't fail: a template without a bar of the library's own.
    match ProgressStyle::with_template("{msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

//! How a run is seen: what is written where, and by whom.

use std::fmt::Display as Words;
use std::io::{self, Write};
use std::sync::Arc;

use super::live::Live;
use super::live::frame::{Colours, Size};
use super::painter::Painter;
use super::screen::{Device, Outlet, Screen, Stream};

/// Where a run writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Devices {
    /// Behind stdout: results.
    pub stdout: Device,
    /// Behind stderr: everything else.
    pub stderr: Device,
}

/// The live lines of a run.
pub struct LiveLines {
    /// What is to be seen.
    pub live: Arc<Live>,
    /// Tells the size of the terminal at stderr.
    pub size: fn() -> Size,
    /// Whether colours are wanted.
    pub colours: Colours,
}

/// How a run is seen. Dropping it waits for what is still to be written, but not for a terminal that takes nothing.
pub struct Display {
    results: Outlet,
    /// `None`: written at once.
    messages: Option<Outlet>,
    results_screen: Screen,
    /// A thread of its own for messages; `None`: they are written by that of the results, or at once.
    _messages_screen: Option<Screen>,
}

impl Display {
    /// One thread writes to a terminal, whichever way the text comes, and to a pipe whose reader may do so too; a file
    /// has one of its own.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start(devices: Devices, lines: Option<LiveLines>) -> io::Result<Display> {
        let Devices { stdout, stderr } = devices;
        if stderr != Device::Terminal {
            return Ok(Display::of(Screen::start(stdout, None)?, None, None));
        }
        let painter = lines.map(|lines| Painter::new(lines.live, lines.size, lines.colours));
        let screen = Screen::start(stdout, painter)?;
        let messages = Some(screen.outlet(Stream::Stderr));
        match stdout {
            Device::Terminal | Device::Pipe => Ok(Display::of(screen, messages, None)),
            Device::Other => Ok(Display::of(Screen::start(stdout, None)?, messages, Some(screen))),
        }
    }

    fn of(results_screen: Screen, messages: Option<Outlet>, messages_screen: Option<Screen>) -> Display {
        let results = results_screen.outlet(Stream::Stdout);
        Display { results, messages, results_screen, _messages_screen: messages_screen }
    }

    /// A way to stdout.
    pub fn results(&self) -> Outlet {
        self.results.clone()
    }

    /// A way to a stderr that must not be waited for.
    pub fn messages(&self) -> Option<Outlet> {
        self.messages.clone()
    }

    /// Writes to stdout.
    pub fn print(&self, text: String) {
        self.results.send(text);
    }

    /// Writes to stderr, after what was written to stdout: both may be one file.
    pub fn tell(&self, words: impl Words) {
        self.results_screen.settle();
        match &self.messages {
            Some(messages) => messages.send(words.to_string()),
            // One that is closed loses the words, not the match and its exit code.
            None => drop(write!(io::stderr(), "{words}")),
        }
    }
}

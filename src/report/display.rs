//! How a run is seen: what is written where, and by whom.

use std::fmt::Display as Words;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use super::live::Live;
use super::live::frame::{Colours, Size};
use super::painter::Painter;
use super::screen::{Neighbour, Outlet, Patience, Screen, Stream};

/// A terminal that takes nothing for so long holds up the program's end no longer.
const TERMINAL_PATIENCE: Duration = Duration::from_secs(5);

/// What stands behind stdout or stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// A person looks at it.
    Terminal,
    /// Somebody reads it who may write to the terminal himself, as `tee` does.
    Pipe,
    /// A file.
    Other,
}

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
    /// One thread writes to a terminal, whichever way the text comes; a file has one of its own.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start(devices: Devices, lines: Option<LiveLines>) -> io::Result<Display> {
        let terminal = Patience::WhileTaken(TERMINAL_PATIENCE);
        let patience = |device| if device == Device::Terminal { terminal } else { Patience::Endless };
        if devices.stderr != Device::Terminal {
            let screen = Screen::start(None, patience(devices.stdout))?;
            return Ok(Display::of(screen, None, None));
        }
        let neighbour = if devices.stdout == Device::Pipe { Neighbour::Reader } else { Neighbour::Nobody };
        let painter = lines.map(|lines| (Painter::new(lines.live, lines.size, lines.colours), neighbour));
        if devices.stdout == Device::Other {
            let messages = Screen::start(painter, terminal)?;
            let outlet = messages.outlet(Stream::Stderr);
            return Ok(Display::of(Screen::start(None, Patience::Endless)?, Some(outlet), Some(messages)));
        }
        let screen = Screen::start(painter, patience(devices.stdout))?;
        let messages = Some(screen.outlet(Stream::Stderr));
        Ok(Display::of(screen, messages, None))
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

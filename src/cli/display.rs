//! How a run is seen, by what stdout and stderr are and what the environment wants.

use std::env;
use std::io::IsTerminal;
use std::os::fd::AsFd;
use std::sync::Arc;

use crate::platform::terminal;
use crate::report::display::{Devices, Display, LiveLines};
use crate::report::live::Live;
use crate::report::live::frame::{Colours, Size};
use crate::report::screen::Device;

/// How a run is seen.
pub struct View {
    /// What is wanted.
    pub progress: Progress,
    /// Writes it.
    pub display: Display,
    /// What has to hear of the run, so that live lines can be drawn; `None`: there are none.
    pub live: Option<Arc<Live>>,
}

/// What is wanted to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// How the run goes on.
    Shown,
    /// Only how it ends: `-q`.
    Quiet,
}

/// Starts the display of a run with so many games at once. Live lines are for a person at a terminal that can move its
/// cursor.
///
/// # Errors
/// The system refuses a thread.
pub fn start(progress: Progress, games_at_once: u32) -> std::io::Result<View> {
    let devices = Devices { stdout: device(&std::io::stdout()), stderr: device(&std::io::stderr()) };
    let drawable = devices.stderr == Device::Terminal && moves_its_cursor();
    let live = (drawable && progress == Progress::Shown).then(|| Arc::new(Live::new(games_at_once as usize)));
    let lines = live.clone().map(|live| LiveLines { live, size, colours: colours() });
    Ok(View { progress, display: Display::start(devices, lines)?, live })
}

fn device(stream: &(impl IsTerminal + AsFd)) -> Device {
    match terminal::is_pipe(stream) {
        _ if stream.is_terminal() => Device::Terminal,
        true => Device::Pipe,
        false => Device::Other,
    }
}

fn moves_its_cursor() -> bool {
    env::var_os("TERM").is_some_and(|term| term != "dumb" && !term.is_empty())
}

/// As <https://no-color.org> has it.
pub fn colours() -> Colours {
    match env::var_os("NO_COLOR") {
        Some(value) if !value.is_empty() => Colours::None,
        _ => Colours::Shown,
    }
}

/// A terminal that doesn't know its size has the usual one.
fn size() -> Size {
    let (columns, rows) = terminal::size_of_stderr().unwrap_or((80, 24));
    Size { columns: columns.into(), rows: rows.into() }
}

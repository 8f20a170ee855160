//! Where log lines go: warnings to stderr, everything to a file where one is asked for.

use std::fs::File;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

/// Starts logging. `verbose` counts `-v`: warnings only, what happens, the engines' dialogue. The file gets all of it.
///
/// # Errors
/// The log file can't be written, in words.
pub fn start(verbose: u8, file: Option<&Path>) -> Result<(), String> {
    let targets = match verbose {
        0 => Targets::new().with_default(LevelFilter::WARN),
        1 => Targets::new().with_default(LevelFilter::INFO),
        _ => Targets::new().with_default(LevelFilter::DEBUG),
    };
    let colours =
        std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let stderr = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(colours)
        .with_target(false)
        .without_time()
        .with_filter(targets);
    let log = file.map(open).transpose()?.map(|file| {
        let everything = Targets::new().with_default(LevelFilter::DEBUG);
        fmt::layer().with_writer(Mutex::new(file)).with_ansi(false).with_target(false).with_filter(everything)
    });
    tracing_subscriber::registry().with(stderr).with(log).try_init().map_err(|error| error.to_string())
}

fn open(path: &Path) -> Result<File, String> {
    let words = |error: std::io::Error| format!("can't write the log to {}: {error}", path.display());
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(words)?;
    }
    File::options().create(true).append(true).open(path).map_err(words)
}

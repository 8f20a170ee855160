//! Where log lines go: warnings to stderr, everything to a file where one is asked for.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use super::display;
use crate::report::live::frame::Colours;
use crate::report::screen::Outlet;

/// Starts logging. `verbose` counts `-v`: warnings only, what happens, the engines' dialogue. The file gets all of it.
/// `stderr` is the way to it that nobody has to wait for; without one log lines are written to it at once.
///
/// # Errors
/// The log file can't be written, in words.
pub fn start(verbose: u8, file: Option<&Path>, stderr: Option<Outlet>) -> Result<(), String> {
    let targets = match verbose {
        0 => Targets::new().with_default(LevelFilter::WARN),
        1 => Targets::new().with_default(LevelFilter::INFO),
        _ => Targets::new().with_default(LevelFilter::DEBUG),
    };
    let colours = std::io::stderr().is_terminal() && display::colours() == Colours::Shown;
    let writer = match stderr {
        Some(outlet) => BoxMakeWriter::new(move || outlet.clone()),
        None => BoxMakeWriter::new(std::io::stderr),
    };
    let stderr = fmt::layer()
        .with_writer(writer)
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
    let mut file = File::options().create(true).append(true).read(true).open(path).map_err(words)?;
    if file.metadata().is_ok_and(|metadata| metadata.is_file()) && !is_log(&mut file).map_err(words)? {
        return Err(format!("{} is a file of another kind: choose another name for the log", path.display()));
    }
    Ok(file)
}

/// Whether a file is empty or begins as a log does, with a date and a time.
fn is_log(file: &mut File) -> std::io::Result<bool> {
    let mut start = Vec::new();
    file.take(11).read_to_end(&mut start)?;
    let pattern = b"0000-00-00T";
    let alike = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
    Ok(start.is_empty() || start.len() == pattern.len() && start.iter().zip(pattern).all(alike))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_logs_are_appended_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for (text, taken) in
            [("", true), ("2026-11-30T00:28:17Z DEBUG", true), ("import sys\nx", false), ("x", false)]
        {
            std::fs::write(&path, text).unwrap();
            assert_eq!(open(&path).is_ok(), taken, "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}

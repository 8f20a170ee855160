//! The asking end of the socket.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use super::command::Command;
use crate::config::settings::CONTROL_SOCKET;
use crate::platform::local_socket::connect_in;

/// How long a run may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why there is no answer; in words, after which nothing else need be said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoAnswer(String);

/// Asks the run that keeps its records in this folder; its answer, one line.
///
/// # Errors
/// There is no such run, or it does not answer.
pub fn ask(folder: &Path, command: Command) -> Result<String, NoAnswer> {
    let shown = folder.display();
    let mut stream = connect_in(folder, CONTROL_SOCKET).map_err(|error| NoAnswer(no_run(folder, &error)))?;
    let silent = |error: io::Error| {
        NoAnswer(match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                format!("the run in {shown} does not answer within {} s", PATIENCE.as_secs())
            }
            _ => format!("the run in {shown} does not answer: {error}"),
        })
    };
    stream.set_read_timeout(Some(PATIENCE)).map_err(silent)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(silent)?;
    stream.write_all(format!("{command}\n").as_bytes()).map_err(silent)?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).map_err(silent)?;
    if line.ends_with('\n') {
        return Ok(line);
    }
    Err(NoAnswer(format!("the run in {shown} has ended before it answered")))
}

fn no_run(folder: &Path, error: &io::Error) -> String {
    let shown = folder.display();
    match error.kind() {
        ErrorKind::NotFound if !folder.exists() => format!("there is no folder {shown}"),
        ErrorKind::NotADirectory => {
            format!("{shown} is no folder: the one with the records of a run is meant")
        }
        ErrorKind::NotFound => format!("no run is under way in {shown}"),
        ErrorKind::ConnectionRefused => {
            format!("no run is under way in {shown}: its `{CONTROL_SOCKET}` was left by one that was killed")
        }
        _ => format!("the run in {shown} can't be asked: {error}"),
    }
}

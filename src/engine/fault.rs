//! What can go wrong with an engine, in types and in words.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use super::dialogue_tail::DialogueLine;
use crate::platform::process_group::signal_name;

/// How an engine's line of communication ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// Its process ended.
    Exited(ExitStatus),
    /// It closed its stdout; its process may live on.
    StdoutClosed,
    /// It no longer reads its stdin.
    StdinClosed,
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Closed::Exited(status) => f.write_str(&exit_words(*status)),
            Closed::StdoutClosed => f.write_str("closed its stdout"),
            Closed::StdinClosed => f.write_str("closed its stdin"),
        }
    }
}

fn exit_words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(signal)) => format!("was ended by {}", signal_name(signal)),
        (None, None) => "ended".to_owned(),
    }
}

/// A fault after which the engine's process can't be used any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The process or one of its pipes ended.
    #[error("the engine {0}")]
    Disconnected(Closed),
    /// No answer in time where no chess clock runs.
    #[error("no `{awaited}` within {}", seconds(*.limit))]
    Stalled {
        /// The word that should have come.
        awaited: &'static str,
        /// The limit, a setting.
        limit: Duration,
    },
    /// A line longer than [`super::line_buffer::LINE_CAP`].
    #[error("a line longer than 1 MiB")]
    LineTooLong,
    /// The operating system refused to start the program.
    #[error("could not be started: {0}")]
    NotStarted(String),
    /// The settings name an option that the engine doesn't declare, or a value that it doesn't allow.
    #[error("{}", option_words(.0))]
    OptionsRefused(Vec<OptionFault>),
}

/// Why an engine can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartFailure {
    /// What went wrong.
    pub fault: Fault,
    /// The same in words, with the exit status and the engine's last words.
    pub words: String,
    /// The last lines of the dialogue with it.
    pub last_lines: Vec<DialogueLine>,
}

/// A setting that doesn't fit what the engine declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionFault {
    /// The option's name as the settings have it.
    pub option: String,
    /// What is wrong, in words, after the engine's name.
    pub words: String,
}

fn option_words(faults: &[OptionFault]) -> String {
    faults.iter().map(|fault| fault.words.as_str()).collect::<Vec<_>>().join("; ")
}

fn seconds(limit: Duration) -> String {
    format!("{} s", limit.as_secs_f64())
}

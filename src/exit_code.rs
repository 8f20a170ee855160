//! The program's exit codes, which scripts rely on.

use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, and every requirement of the match file is met.
    Done,
    /// Done, with a requirement not met.
    RequirementNotMet,
    /// Bad usage or bad configuration.
    Usage,
    /// The match could not be played or not be finished.
    NotPlayed,
    /// Interrupted; what is finished is kept.
    Interrupted,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::RequirementNotMet => 1,
            Exit::Usage => 2,
            Exit::NotPlayed => 3,
            Exit::Interrupted => 130,
        }
    }
}

impl Exit {
    /// The graver of two: the one with the greater number.
    #[must_use]
    pub fn max_by_code(self, other: Exit) -> Exit {
        if other.code() > self.code() { other } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

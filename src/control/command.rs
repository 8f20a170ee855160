//! What can be asked of a run, as it is written.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::config::settings::MOST_GAMES_AT_ONCE;

/// A request to a run that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Tell how it stands.
    Status,
    /// Begin no new game, play the running ones to their ends, and stop.
    Finish,
    /// Play so many games at once.
    Concurrency(NonZeroU32),
}

impl FromStr for Command {
    type Err = String;

    fn from_str(text: &str) -> Result<Command, String> {
        match text.split_once('=') {
            None if text == "status" => Ok(Command::Status),
            None if text == "finish" => Ok(Command::Finish),
            Some(("concurrency", value)) => {
                let games = value.parse().ok().filter(|games: &NonZeroU32| games.get() <= MOST_GAMES_AT_ONCE);
                games.map(Command::Concurrency).ok_or_else(|| {
                    format!(
                        "`concurrency` must be a whole number from 1 to {MOST_GAMES_AT_ONCE}, not `{}`",
                        excerpt(value)
                    )
                })
            }
            _ => Err(format!(
                "unknown request `{}`: `status`, `finish` and `concurrency=N` are known",
                excerpt(text)
            )),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Status => f.write_str("status"),
            Command::Finish => f.write_str("finish"),
            Command::Concurrency(games) => write!(f, "concurrency={games}"),
        }
    }
}

fn excerpt(text: &str) -> String {
    const LENGTH: usize = 40;
    let mut shown: String = text.chars().filter(|letter| !letter.is_control()).take(LENGTH).collect();
    if text.chars().count() > LENGTH {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_as_it_is_written() {
        for text in ["status", "finish", "concurrency=1", "concurrency=10000"] {
            assert_eq!(text.parse::<Command>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_can_not_be_meant_is_refused_with_what_can() {
        for text in
            ["concurrency=0", "concurrency=10001", "concurrency=-1", "concurrency=", "concurrency=two"]
        {
            let error = text.parse::<Command>().unwrap_err();
            assert!(
                error.starts_with("`concurrency` must be a whole number from 1 to 10000, not `"),
                "{error}"
            );
        }
        for text in ["", "stop", "concurrency", "Status", "status=1", "finish now"] {
            let error = text.parse::<Command>().unwrap_err();
            assert!(error.starts_with(&format!("unknown request `{text}`: `status`")), "{error}");
        }
        let long = "x".repeat(10_000).parse::<Command>().unwrap_err();
        assert!(long.len() < 200, "{long}");
    }
}

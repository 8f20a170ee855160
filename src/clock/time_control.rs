//! Time controls: what an engine may use for its moves, from text such as `40/60+0.5:20/30` and back.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::duration::{DurationError, LONGEST, duration_text, parse_duration, seconds_text};

/// All that limits an engine's searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The clock, a fixed time for each move, or neither.
    pub timing: Timing,
    /// The most nodes of one search.
    pub nodes: Option<NonZeroU64>,
    /// The greatest depth of one search.
    pub depth: Option<NonZeroU32>,
}

/// How time limits an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// A chess clock.
    Clock(Periods),
    /// The same time for each move, nothing carried over.
    MoveTime(Duration),
    /// No limit of time.
    Unlimited,
}

/// The periods of a chess clock: at least one, each but the last with a number of moves.
///
/// A last period with a number of moves is repeated for ever; one without lasts to the end of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Periods(Vec<Period>);

/// One period of a chess clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The moves to be made in it; `None`: all that remain.
    pub moves: Option<NonZeroU32>,
    /// The time added when it begins.
    pub base: Duration,
    /// The time added after each of its moves.
    pub increment: Duration,
}

/// Why a text, or a list of periods, is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimeControlError {
    /// Nothing but blanks.
    #[error(
        "a time control is missing, such as `60+0.6`, `40/60+0.5`, `movetime=100ms`, `nodes=20000` or `inf`"
    )]
    Empty,
    /// A part that is no clock and no limit.
    #[error("`{0}` is not a time control, such as `60+0.6`, `40/60+0.5:20/30` or `5:00+3`")]
    NotAClock(String),
    /// `name=value` with a name that doesn't exist.
    #[error("there is no limit called `{0}`: use `movetime=100ms`, `nodes=20000` or `depth=8`")]
    UnknownLimit(String),
    /// Nodes, depth or moves that are not a number from 1.
    #[error("`{text}` is not a number of {what}: use a whole number from 1 to {most}")]
    NotACount {
        /// `nodes`, `plies of depth` or `moves`.
        what: &'static str,
        /// What stands there.
        text: String,
        /// The largest number accepted.
        most: u64,
    },
    /// The same limit, or two clocks, in one text.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A chess clock and a fixed time for each move: they contradict each other.
    #[error("a clock and `movetime` can't be combined: give one of them")]
    ClockAndMoveTime,
    /// `inf` with anything else.
    #[error("`inf` stands alone: it means that nothing limits the search")]
    InfiniteWithLimits,
    /// No time at all.
    #[error("`{0}` gives no time at all: a base, an increment or both must be above 0, such as `60+0.6`")]
    NoTime(String),
    /// A period before the last without a number of moves.
    #[error("`{0}` needs a number of moves, as in `40/60`: only the last period may go without one")]
    MovesMissing(String),
    /// Minutes and seconds that aren't.
    #[error("`{0}` is not minutes and seconds, such as `5:00`; periods need moves, as in `40/60:20/30`")]
    NotMinutes(String),
    /// A part that is no duration.
    #[error(transparent)]
    Duration(#[from] DurationError),
}

impl Periods {
    /// Checks that there is a period, that only the last may go without moves, and that each gives time.
    ///
    /// # Errors
    /// Names the period at fault.
    pub fn new(periods: Vec<Period>) -> Result<Periods, TimeControlError> {
        let Some((_, before_last)) = periods.split_last() else { return Err(TimeControlError::Empty) };
        if let Some(open) = before_last.iter().find(|period| period.moves.is_none()) {
            return Err(TimeControlError::MovesMissing(open.to_string()));
        }
        for period in &periods {
            if period.base.is_zero() && period.increment.is_zero() {
                return Err(TimeControlError::NoTime(period.to_string()));
            }
            if let Some(long) = [period.base, period.increment].into_iter().find(|time| *time > LONGEST) {
                return Err(DurationError::TooLong(duration_text(long)).into());
            }
        }
        Ok(Periods(periods))
    }

    /// The periods in order; never empty.
    pub fn as_slice(&self) -> &[Period] {
        &self.0
    }

    /// The period of this index, counted from 0; beyond the last one, the last one again.
    pub fn get(&self, index: usize) -> Period {
        self.0[index.min(self.0.len() - 1)]
    }
}

impl TimeControl {
    /// Combines timing and limits.
    ///
    /// # Errors
    /// When a fixed time for each move is 0 or too long.
    pub fn new(
        timing: Timing,
        nodes: Option<NonZeroU64>,
        depth: Option<NonZeroU32>,
    ) -> Result<TimeControl, TimeControlError> {
        match timing {
            Timing::MoveTime(time) if time.is_zero() => {
                Err(TimeControlError::NoTime("movetime=0".to_owned()))
            }
            Timing::MoveTime(time) if time > LONGEST => {
                Err(DurationError::TooLong(duration_text(time)).into())
            }
            timing => Ok(TimeControl { timing, nodes, depth }),
        }
    }

    /// The value of the PGN tag `TimeControl`: `40/60+0.5:20/30`, `60+0.6`; `-` without a clock.
    pub fn pgn_tag(&self) -> String {
        match &self.timing {
            Timing::Clock(periods) => periods.to_string(),
            Timing::MoveTime(_) | Timing::Unlimited => "-".to_owned(),
        }
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let mut parts = Parts::default();
        let mut any = false;
        for part in text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty()) {
            parts.add(part)?;
            any = true;
        }
        if any { parts.finish() } else { Err(TimeControlError::Empty) }
    }
}

/// The parts of a time control seen so far.
#[derive(Default)]
struct Parts {
    clock: Option<Periods>,
    move_time: Option<Duration>,
    nodes: Option<NonZeroU64>,
    depth: Option<NonZeroU32>,
    infinite: Option<()>,
}

impl Parts {
    fn add(&mut self, part: &str) -> Result<(), TimeControlError> {
        let Some((name, value)) = part.split_once('=') else {
            return if part == "inf" {
                once(&mut self.infinite, (), "`inf`")
            } else {
                once(&mut self.clock, part.parse()?, "a clock")
            };
        };
        match name {
            "movetime" => once(&mut self.move_time, parse_duration(value)?, "`movetime`"),
            "nodes" => once(&mut self.nodes, count(value, "nodes", u64::MAX)?, "`nodes`"),
            "depth" => once(&mut self.depth, small_count(value, "plies of depth")?, "`depth`"),
            _ => Err(TimeControlError::UnknownLimit(name.to_owned())),
        }
    }

    fn finish(self) -> Result<TimeControl, TimeControlError> {
        let limited = self.nodes.is_some() || self.depth.is_some();
        let timing = match (self.clock, self.move_time, self.infinite) {
            (Some(_), Some(_), _) => return Err(TimeControlError::ClockAndMoveTime),
            (None, None, Some(())) if !limited => Timing::Unlimited,
            (_, _, Some(())) => return Err(TimeControlError::InfiniteWithLimits),
            (Some(periods), None, None) => Timing::Clock(periods),
            (None, Some(time), None) => Timing::MoveTime(time),
            (None, None, None) => Timing::Unlimited,
        };
        TimeControl::new(timing, self.nodes, self.depth)
    }
}

fn once<T>(slot: &mut Option<T>, value: T, what: &'static str) -> Result<(), TimeControlError> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(TimeControlError::Twice(what)),
    }
}

fn count(text: &str, what: &'static str, most: u64) -> Result<NonZeroU64, TimeControlError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number: &NonZeroU64| digits && number.get() <= most);
    number.ok_or_else(|| TimeControlError::NotACount { what, text: text.to_owned(), most })
}

fn small_count(text: &str, what: &'static str) -> Result<NonZeroU32, TimeControlError> {
    let most = u64::from(u32::MAX);
    NonZeroU32::try_from(count(text, what, most)?).map_err(|_| TimeControlError::NotACount {
        what,
        text: text.to_owned(),
        most,
    })
}

/// Where a `/` occurs, `:` separates periods; where none does, one `:` is minutes:seconds.
impl FromStr for Periods {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Periods, TimeControlError> {
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(TimeControlError::NotAClock(text.to_owned()));
        }
        if text.contains('/') {
            return Periods::new(text.split(':').map(moves_and_time).collect::<Result<_, _>>()?);
        }
        let (base, increment) = base_and_increment(text);
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => minutes_and_seconds(minutes, seconds)
                .ok_or_else(|| TimeControlError::NotMinutes(base.to_owned()))?,
            None => parse_duration(base)?,
        };
        Periods::new(vec![Period { moves: None, base, increment: increment_time(increment)? }])
    }
}

/// `40/60+0.5`, or `60+0.5` in the last period.
fn moves_and_time(text: &str) -> Result<Period, TimeControlError> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(small_count(moves, "moves")?), time),
        None => (None, text),
    };
    let (base, increment) = base_and_increment(time);
    Ok(Period { moves, base: parse_duration(base)?, increment: increment_time(increment)? })
}

fn base_and_increment(text: &str) -> (&str, Option<&str>) {
    text.split_once('+').map_or((text, None), |(base, increment)| (base, Some(increment)))
}

fn increment_time(text: Option<&str>) -> Result<Duration, DurationError> {
    text.map_or(Ok(Duration::ZERO), parse_duration)
}

/// `5` and `00`, or `5` and `07.5`: two digits of seconds, below 60.
fn minutes_and_seconds(minutes: &str, seconds: &str) -> Option<Duration> {
    let whole = seconds.split('.').next()?;
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(minutes) || !plain(whole) || whole.len() != 2 || seconds.ends_with(char::is_alphabetic) {
        return None;
    }
    let seconds = parse_duration(seconds).ok().filter(|seconds| seconds.as_secs() < 60)?;
    parse_duration(&format!("{minutes}m")).ok()?.checked_add(seconds).filter(|sum| *sum <= LONGEST)
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        f.write_str(&seconds_text(self.base))?;
        if !self.increment.is_zero() {
            write!(f, "+{}", seconds_text(self.increment))?;
        }
        Ok(())
    }
}

impl fmt::Display for Periods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ":" };
            write!(f, "{separator}{period}")?;
        }
        Ok(())
    }
}

/// As the match file writes it; reading the text back gives the same value.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let timing = match &self.timing {
            Timing::Clock(periods) => Some(periods.to_string()),
            Timing::MoveTime(time) => Some(format!("movetime={}", duration_text(*time))),
            Timing::Unlimited => None,
        };
        let nodes = self.nodes.map(|nodes| format!("nodes={nodes}"));
        let depth = self.depth.map(|depth| format!("depth={depth}"));
        let parts: Vec<String> = [timing, nodes, depth].into_iter().flatten().collect();
        f.write_str(&if parts.is_empty() { "inf".to_owned() } else { parts.join(" ") })
    }
}

#[cfg(test)]
#[path = "time_control_tests.rs"]
mod tests;

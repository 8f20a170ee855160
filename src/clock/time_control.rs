//! Time controls: what an engine may use for its moves, from text such as `40/60+0.5:20/30` or `60 delay=3` and back.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::duration::{DurationError, LONGEST, duration_text, parse_duration};
pub use super::period::{Bonus, BonusKind, DELAYS, Period, Periods};
use super::period::{add_delays, read_periods};

/// All that limits an engine's searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The clock, a fixed time for each move, or neither.
    pub timing: Timing,
    /// The most nodes of one search.
    pub nodes: Option<NonZeroU64>,
    /// The greatest depth of one search.
    pub depth: Option<NonZeroU32>,
    /// The moves within which a mate is looked for (`go mate N`).
    pub mate: Option<NonZeroU32>,
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
    #[error("there is no limit called `{0}`: use `movetime=100ms`, `nodes=20000`, `depth=8` or `mate=5`")]
    UnknownLimit(String),
    /// The same, with a name that does exist and is nearly the same.
    #[error("there is no limit called `{name}`: did you mean `{near}`?")]
    NearMiss {
        /// What stands there.
        name: String,
        /// What was surely meant.
        near: &'static str,
    },
    /// The name of a limit without a value.
    #[error("`{0}` needs a value, as in `{0}={example}`", example = example_of(.0))]
    ValueMissing(&'static str),
    /// Time that runs from one side to the other, which no other control here does.
    #[error(
        "hourglass clocks are not supported: use an increment (`60+0.6`), a delay (`60 delay=3`) or a Bronstein \
         delay (`60 bronstein=3`)"
    )]
    Hourglass,
    /// A delay and no clock that it could hold up.
    #[error("`{0}` needs a clock, as in `60 {0}=3`")]
    DelayWithoutClock(&'static str),
    /// Neither one delay for all periods nor one for each.
    #[error(
        "`{name}` has {values} values and the clock has {}: give one value for all periods, or one for each, with \
         `0` for none",
        counted_periods(.periods)
    )]
    DelayCount {
        /// `delay` or `bronstein`.
        name: &'static str,
        /// How many values it has.
        values: usize,
        /// How many periods there are.
        periods: usize,
    },
    /// More than one kind of extra time for the same moves.
    #[error(
        "an increment and a delay, or two kinds of delay, can't be combined in one period: give one of them"
    )]
    TwoBonuses,
    /// Nodes, depth, mate or moves that are not a number from 1.
    #[error("`{text}` is not a number of {what}: use a whole number from 1 to {most}")]
    NotACount {
        /// `nodes`, `plies of depth`, `moves to mate` or `moves`.
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
    #[error("`{0}` gives no time at all: a base, an increment or a delay must be above 0, such as `60+0.6`")]
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

impl TimeControl {
    /// Combines timing and limits.
    ///
    /// # Errors
    /// When a fixed time for each move is 0 or too long.
    pub fn new(
        timing: Timing,
        nodes: Option<NonZeroU64>,
        depth: Option<NonZeroU32>,
        mate: Option<NonZeroU32>,
    ) -> Result<TimeControl, TimeControlError> {
        match timing {
            Timing::MoveTime(time) if time.is_zero() => {
                Err(TimeControlError::NoTime("movetime=0".to_owned()))
            }
            Timing::MoveTime(time) if time > LONGEST => {
                Err(DurationError::TooLong(duration_text(time)).into())
            }
            timing => Ok(TimeControl { timing, nodes, depth, mate }),
        }
    }

    /// Whether anything ends a search: time, or a limit that the engine keeps.
    pub fn is_limited(&self) -> bool {
        self.timing != Timing::Unlimited
            || self.nodes.is_some()
            || self.depth.is_some()
            || self.mate.is_some()
    }

    /// The value of the PGN tag `TimeControl`: `40/60+0.5:20/30`, `60+0.6`; `-` without a clock, `?` with a delay, for
    /// which PGN has no form.
    pub fn pgn_tag(&self) -> String {
        match &self.timing {
            Timing::Clock(_) if self.has_delay() => "?".to_owned(),
            Timing::Clock(periods) => periods.to_string(),
            Timing::MoveTime(_) | Timing::Unlimited => "-".to_owned(),
        }
    }

    /// Whether a period has a delay, simple or Bronstein.
    pub fn has_delay(&self) -> bool {
        matches!(&self.timing, Timing::Clock(periods) if periods.has_delay())
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
    clock: Option<Vec<Period>>,
    delays: [Option<Vec<Duration>>; DELAYS.len()],
    move_time: Option<Duration>,
    nodes: Option<NonZeroU64>,
    depth: Option<NonZeroU32>,
    mate: Option<NonZeroU32>,
    infinite: Option<()>,
}

/// The names of limits, each with a value that shows how it is written.
const LIMITS: [(&str, &str); 6] = [
    ("movetime", "100ms"),
    ("nodes", "20000"),
    ("depth", "8"),
    ("mate", "5"),
    ("delay", "3"),
    ("bronstein", "3"),
];

fn example_of(name: &str) -> &'static str {
    LIMITS.iter().find(|(limit, _)| *limit == name).map_or("1", |(_, example)| example)
}

fn counted_periods(number: &usize) -> String {
    if *number == 1 { "1 period".to_owned() } else { format!("{number} periods") }
}

impl Parts {
    fn add(&mut self, part: &str) -> Result<(), TimeControlError> {
        let Some((name, value)) = part.split_once('=') else { return self.add_word(part) };
        match name {
            "movetime" => once(&mut self.move_time, parse_duration(value)?, "`movetime`"),
            "nodes" => once(&mut self.nodes, count(value, "nodes", u64::MAX)?, "`nodes`"),
            "depth" => once(&mut self.depth, small_count(value, "plies of depth")?, "`depth`"),
            "mate" => once(&mut self.mate, small_count(value, "moves to mate")?, "`mate`"),
            "delay" => once(&mut self.delays[0], durations(value)?, "`delay`"),
            "bronstein" => once(&mut self.delays[1], durations(value)?, "`bronstein`"),
            _ => Err(unknown_limit(name)),
        }
    }

    fn add_word(&mut self, word: &str) -> Result<(), TimeControlError> {
        if word == "inf" {
            return once(&mut self.infinite, (), "`inf`");
        }
        if word == "hourglass" {
            return Err(TimeControlError::Hourglass);
        }
        if let Some((name, _)) = LIMITS.iter().find(|(name, _)| *name == word) {
            return Err(TimeControlError::ValueMissing(name));
        }
        once(&mut self.clock, read_periods(word)?, "a clock")
    }

    fn finish(self) -> Result<TimeControl, TimeControlError> {
        let limited = self.nodes.is_some() || self.depth.is_some() || self.mate.is_some();
        let mut clock = self.clock;
        for ((name, kind), times) in DELAYS.into_iter().zip(self.delays) {
            match (&mut clock, times) {
                (_, None) => {}
                (Some(periods), Some(times)) => add_delays(periods, name, &times, kind)?,
                (None, Some(_)) => return Err(TimeControlError::DelayWithoutClock(name)),
            }
        }
        let timing = match (clock, self.move_time, self.infinite) {
            (Some(_), Some(_), _) => return Err(TimeControlError::ClockAndMoveTime),
            (None, None, Some(())) if !limited => Timing::Unlimited,
            (_, _, Some(())) => return Err(TimeControlError::InfiniteWithLimits),
            (Some(periods), None, None) => Timing::Clock(Periods::new(periods)?),
            (None, Some(time), None) => Timing::MoveTime(time),
            (None, None, None) => Timing::Unlimited,
        };
        TimeControl::new(timing, self.nodes, self.depth, self.mate)
    }
}

/// `3`, or one for each period: `3:0:2.5s`.
fn durations(text: &str) -> Result<Vec<Duration>, DurationError> {
    text.split(':').map(parse_duration).collect()
}

fn unknown_limit(name: &str) -> TimeControlError {
    let shown = name.to_lowercase();
    if shown == "hourglass" {
        return TimeControlError::Hourglass;
    }
    // Long texts are no words, and comparing them costs the square of their length.
    let near = LIMITS
        .into_iter()
        .filter(|_| shown.len() <= 20)
        .map(|(limit, _)| (strsim::damerau_levenshtein(&shown, limit), limit))
        .filter(|(distance, limit)| *distance <= (limit.len() / 3).max(1))
        .min();
    match near {
        Some((_, near)) => TimeControlError::NearMiss { name: name.to_owned(), near },
        None => TimeControlError::UnknownLimit(name.to_owned()),
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

/// A whole number from 1.
pub(super) fn small_count(text: &str, what: &'static str) -> Result<NonZeroU32, TimeControlError> {
    let most = u64::from(u32::MAX);
    NonZeroU32::try_from(count(text, what, most)?).map_err(|_| TimeControlError::NotACount {
        what,
        text: text.to_owned(),
        most,
    })
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
        let mate = self.mate.map(|mate| format!("mate={mate}"));
        let parts: Vec<String> = [timing, nodes, depth, mate].into_iter().flatten().collect();
        f.write_str(&if parts.is_empty() { "inf".to_owned() } else { parts.join(" ") })
    }
}

#[cfg(test)]
#[path = "time_control_tests.rs"]
mod tests;

//! The periods of a chess clock: how many moves, how much time, and what each move brings on top of it.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use super::duration::{DurationError, LONGEST, duration_text, parse_duration, seconds_text};
use super::time_control::{TimeControlError, small_count};

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
    /// What each of its moves brings on top of that.
    pub bonus: Bonus,
}

/// The extra time that comes with every move: one of these, never two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bonus {
    /// Nothing.
    #[default]
    None,
    /// Added after each move, used or not (Fischer).
    Increment(Duration),
    /// The clock starts to run only after it; what is not used of it is lost (simple or US delay).
    Delay(Duration),
    /// The time used is given back after the move, up to this. It can be used for each move, the first one included,
    /// so that it grants what a simple delay grants: the two differ in what the clock shows.
    Bronstein(Duration),
}

impl Bonus {
    /// Its length, whatever its kind.
    pub fn time(self) -> Duration {
        match self {
            Bonus::None => Duration::ZERO,
            Bonus::Increment(time) | Bonus::Delay(time) | Bonus::Bronstein(time) => time,
        }
    }

    /// What is added after a move.
    pub fn increment(self) -> Duration {
        match self {
            Bonus::Increment(time) => time,
            Bonus::None | Bonus::Delay(_) | Bonus::Bronstein(_) => Duration::ZERO,
        }
    }

    /// What a move may take without costing anything.
    pub fn delay(self) -> Duration {
        match self {
            Bonus::Delay(time) | Bonus::Bronstein(time) => time,
            Bonus::None | Bonus::Increment(_) => Duration::ZERO,
        }
    }

    /// This one or the other, where at most one of them is more than nothing.
    ///
    /// # Errors
    /// [`TimeControlError::TwoBonuses`].
    pub fn or(self, other: Bonus) -> Result<Bonus, TimeControlError> {
        match (self.normal(), other.normal()) {
            (one, Bonus::None) | (Bonus::None, one) => Ok(one),
            _ => Err(TimeControlError::TwoBonuses),
        }
    }

    /// A bonus of no time is none.
    fn normal(self) -> Bonus {
        if self.time().is_zero() { Bonus::None } else { self }
    }
}

impl Periods {
    /// Checks that there is a period, that only the last may go without moves, and that each gives time.
    ///
    /// # Errors
    /// Names the period at fault.
    pub fn new(mut periods: Vec<Period>) -> Result<Periods, TimeControlError> {
        let Some((_, before_last)) = periods.split_last() else { return Err(TimeControlError::Empty) };
        if let Some(open) = before_last.iter().find(|period| period.moves.is_none()) {
            return Err(TimeControlError::MovesMissing(open.to_string()));
        }
        for period in &mut periods {
            period.bonus = period.bonus.normal();
            if period.base.is_zero() && period.bonus == Bonus::None {
                return Err(TimeControlError::NoTime(period.to_string()));
            }
            if let Some(long) = [period.base, period.bonus.time()].into_iter().find(|time| *time > LONGEST) {
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

    /// Whether a move of any period has a delay, simple or Bronstein.
    pub fn has_delay(&self) -> bool {
        self.0.iter().any(|period| !period.bonus.delay().is_zero())
    }

    /// The delays of one kind as words of the text form take them, one for each period; `None` without any.
    fn delays(&self, kind: BonusKind) -> Option<String> {
        let times: Vec<Duration> = self
            .0
            .iter()
            .map(|period| match period.bonus.delay() {
                time if kind(time) == period.bonus => time,
                _ => Duration::ZERO,
            })
            .collect();
        let first = *times.first()?;
        if times.iter().all(Duration::is_zero) {
            return None;
        }
        let shown = if times.iter().all(|time| *time == first) { &times[..1] } else { &times[..] };
        Some(shown.iter().map(|time| seconds_text(*time)).collect::<Vec<_>>().join(":"))
    }
}

/// Reads `40/60+0.5:20/30`: where a `/` occurs, `:` separates periods; where none does, one `:` is minutes:seconds.
/// Delays are words of their own and come later.
pub(super) fn read_periods(text: &str) -> Result<Vec<Period>, TimeControlError> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(TimeControlError::NotAClock(text.to_owned()));
    }
    if text.contains('/') {
        return text.split(':').map(moves_and_time).collect();
    }
    let (base, increment) = base_and_increment(text);
    let base = match base.split_once(':') {
        Some((minutes, seconds)) => minutes_and_seconds(minutes, seconds)
            .ok_or_else(|| TimeControlError::NotMinutes(base.to_owned()))?,
        None => parse_duration(base)?,
    };
    Ok(vec![Period { moves: None, base, bonus: increment_of(increment)? }])
}

/// Gives the periods the delays of one word: one value for all of them, or one for each.
pub(super) fn add_delays(
    periods: &mut [Period],
    name: &'static str,
    times: &[Duration],
    kind: BonusKind,
) -> Result<(), TimeControlError> {
    if times.len() != 1 && times.len() != periods.len() {
        return Err(TimeControlError::DelayCount { name, values: times.len(), periods: periods.len() });
    }
    for (period, time) in periods.iter_mut().zip(times.iter().cycle()) {
        period.bonus = period.bonus.or(kind(*time))?;
    }
    Ok(())
}

/// `40/60+0.5`, or `60+0.5` in the last period.
fn moves_and_time(text: &str) -> Result<Period, TimeControlError> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(small_count(moves, "moves")?), time),
        None => (None, text),
    };
    let (base, increment) = base_and_increment(time);
    Ok(Period { moves, base: parse_duration(base)?, bonus: increment_of(increment)? })
}

fn base_and_increment(text: &str) -> (&str, Option<&str>) {
    text.split_once('+').map_or((text, None), |(base, increment)| (base, Some(increment)))
}

fn increment_of(text: Option<&str>) -> Result<Bonus, DurationError> {
    text.map_or(Ok(Bonus::None), |text| parse_duration(text).map(Bonus::Increment))
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

/// Without delays, which the text form has as words after the periods.
impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        f.write_str(&seconds_text(self.base))?;
        match self.bonus.increment() {
            Duration::ZERO => Ok(()),
            increment => write!(f, "+{}", seconds_text(increment)),
        }
    }
}

/// `40/60+0.5:20/30`, or with delays `40/60:20/30 delay=3`, `40/60:20/30 delay=3:2`.
impl fmt::Display for Periods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ":" };
            write!(f, "{separator}{period}")?;
        }
        for (name, kind) in DELAYS {
            if let Some(times) = self.delays(kind) {
                write!(f, " {name}={times}")?;
            }
        }
        Ok(())
    }
}

/// A kind of bonus, waiting for its time.
pub type BonusKind = fn(Duration) -> Bonus;

/// The words for delays, in the text form and as keys of the mapping.
pub const DELAYS: [(&str, BonusKind); 2] = [("delay", Bonus::Delay), ("bronstein", Bonus::Bronstein)];

//! Durations as the match file writes them: `250ms`, `2.5s`, `5m`, `1h`; a bare number is seconds.
//!
//! The arithmetic is exact decimal arithmetic: `0.3` is three hundred milliseconds, not a float near it.

use std::time::Duration;

use thiserror::Error;

/// The longest duration that is accepted: ten thousand hours.
pub const LONGEST: Duration = Duration::from_secs(10_000 * 3600);

const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// Why a text is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DurationError {
    /// Nothing but blanks.
    #[error("a duration is missing, such as `250ms`, `2.5s`, `5m` or `1h`")]
    Empty,
    /// A minus sign.
    #[error("a duration can't be negative: `{0}`")]
    Negative(String),
    /// No decimal number in front.
    #[error("`{0}` is not a duration, such as `250ms`, `2.5s`, `5m` or `1h`; a bare number is seconds")]
    NotANumber(String),
    /// A number with a unit that doesn't exist.
    #[error("`{unit}` in `{text}` is not a unit of time: use `ms`, `s`, `m` or `h`")]
    UnknownUnit {
        /// The whole text.
        text: String,
        /// What follows the number.
        unit: String,
    },
    /// More digits than nanoseconds can hold.
    #[error("`{0}` has more digits than nanoseconds can hold")]
    TooFine(String),
    /// Longer than [`LONGEST`].
    #[error("`{0}` is longer than 10000 hours, the most that is accepted")]
    TooLong(String),
}

/// Reads a duration: a decimal number, then `ms`, `s`, `m`, `h` or nothing (seconds).
///
/// # Errors
/// Says which part of the text is wrong, and how a duration is written.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(DurationError::Empty);
    }
    if text.starts_with('-') {
        return Err(DurationError::Negative(text.to_owned()));
    }
    let number_end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(number_end);
    let (whole, fraction) = split_number(number).ok_or_else(|| DurationError::NotANumber(text.to_owned()))?;
    let (nanos_per_unit, most_digits) = match unit {
        "ms" => (1_000_000, 6),
        "" | "s" => (NANOS_PER_SECOND, 9),
        "m" => (60 * NANOS_PER_SECOND, 9),
        "h" => (3600 * NANOS_PER_SECOND, 9),
        _ => return Err(unknown_unit(text, unit)),
    };
    if fraction.len() > most_digits {
        return Err(DurationError::TooFine(text.to_owned()));
    }
    let too_long = || DurationError::TooLong(text.to_owned());
    // At most nine digits of fraction, so the scale is exact and small.
    let scale = 10_u128.pow(u32::try_from(fraction.len()).map_err(|_| too_long())?);
    let mantissa = decimal(whole)
        .and_then(|whole| whole.checked_mul(scale))
        .and_then(|whole| whole.checked_add(decimal(fraction)?))
        .and_then(|mantissa| mantissa.checked_mul(nanos_per_unit))
        .ok_or_else(too_long)?;
    if !mantissa.is_multiple_of(scale) {
        return Err(DurationError::TooFine(text.to_owned()));
    }
    from_nanos(mantissa / scale).ok_or_else(too_long)
}

/// The digits before and after the point; `None` unless there is at least one on each side of a point.
fn split_number(number: &str) -> Option<(&str, &str)> {
    match number.split_once('.') {
        None if number.is_empty() => None,
        None => Some((number, "")),
        Some((whole, fraction)) if whole.is_empty() || fraction.is_empty() || fraction.contains('.') => None,
        Some(parts) => Some(parts),
    }
}

/// The value of a run of ASCII digits (none: zero); `None` when it is too large.
fn decimal(digits: &str) -> Option<u128> {
    digits
        .bytes()
        .try_fold(0_u128, |sum, digit| sum.checked_mul(10)?.checked_add(u128::from(digit.wrapping_sub(b'0'))))
}

fn unknown_unit(text: &str, unit: &str) -> DurationError {
    if unit.chars().all(char::is_alphabetic) {
        DurationError::UnknownUnit { text: text.to_owned(), unit: unit.to_owned() }
    } else {
        DurationError::NotANumber(text.to_owned())
    }
}

/// `None` beyond [`LONGEST`].
fn from_nanos(nanos: u128) -> Option<Duration> {
    let seconds = u64::try_from(nanos / NANOS_PER_SECOND).ok()?;
    let rest = u32::try_from(nanos % NANOS_PER_SECOND).ok()?;
    let duration = Duration::new(seconds, rest);
    (duration <= LONGEST).then_some(duration)
}

/// Seconds as an exact decimal number without unit: `60`, `0.5`.
pub fn seconds_text(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match duration.subsec_nanos() {
        0 => seconds.to_string(),
        nanos => format!("{seconds}.{}", format!("{nanos:09}").trim_end_matches('0')),
    }
}

/// A duration as a person would write it, exact, with its unit: `100ms`, `10s`, `2.5s`.
pub fn duration_text(duration: Duration) -> String {
    let nanos = duration.subsec_nanos();
    if duration.as_secs() == 0 && nanos != 0 && nanos.is_multiple_of(1_000_000) {
        format!("{}ms", nanos / 1_000_000)
    } else {
        format!("{}s", seconds_text(duration))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_are_exact() {
        for (text, nanos) in [
            ("0", 0),
            ("0ms", 0),
            ("10", 10_000_000_000),
            ("0.3", 300_000_000),
            ("0.1", 100_000_000),
            ("250ms", 250_000_000),
            ("2.5s", 2_500_000_000),
            ("5m", 300_000_000_000),
            ("1h", 3_600_000_000_000),
            ("0.5m", 30_000_000_000),
            ("0.000000001", 1),
            ("0.000001ms", 1),
            ("  7s  ", 7_000_000_000),
            ("10000h", 36_000_000_000_000_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn bad_durations_say_why() {
        for (text, error) in [
            ("", "a duration is missing, such as `250ms`, `2.5s`, `5m` or `1h`"),
            ("-5s", "a duration can't be negative: `-5s`"),
            ("5x", "`x` in `5x` is not a unit of time: use `ms`, `s`, `m` or `h`"),
            ("0.0000000001", "`0.0000000001` has more digits than nanoseconds can hold"),
            ("0.0000001ms", "`0.0000001ms` has more digits than nanoseconds can hold"),
            ("10001h", "`10001h` is longer than 10000 hours, the most that is accepted"),
        ] {
            assert_eq!(parse_duration(text).unwrap_err().to_string(), error, "{text}");
        }
        let huge = "9".repeat(200);
        assert_eq!(parse_duration(&huge), Err(DurationError::TooLong(huge.clone())));
        for text in
            ["nan", "NaN", "inf", ".inf", "+5", ".5", "5.", "1.2.3", "1e3", "ten", "s", "5 s", "٣", "1_0"]
        {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_are_written_with_their_unit() {
        for (millis, text) in [(0, "0s"), (100, "100ms"), (10_000, "10s"), (2_500, "2.5s"), (60_000, "60s")] {
            assert_eq!(duration_text(Duration::from_millis(millis)), text);
        }
    }

    proptest! {
        #[test]
        fn written_durations_read_back(nanos in 0..=36_000_000_000_000_000_u64) {
            let duration = Duration::from_nanos(nanos);
            prop_assert_eq!(parse_duration(&duration_text(duration)), Ok(duration));
            prop_assert_eq!(parse_duration(&seconds_text(duration)), Ok(duration));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,20}|[0-9.]{0,60}(ms|s|m|h)?") {
            let _ = parse_duration(&text);
        }
    }
}

//! The options of the engine, as UCI declares and sets them.

use std::time::Duration;

use super::search::MOST_DEPTH;
use super::time_use::TimePolicy;

/// The greatest seed that every UCI program can send.
pub const MOST_SEED: u64 = i32::MAX as u64;

const MOST_HASH: u64 = 1024;
const MOST_OVERHEAD: u64 = 5000;

/// What may be set from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// `Hash`: size of the transposition table in mebibytes.
    pub hash: usize,
    /// `Move Overhead`, in milliseconds.
    pub move_overhead: u64,
    /// `MaxDepth`: never search deeper; absent where the option is 0.
    pub max_depth: Option<u32>,
    /// `Seed`: zero plays the same move each time.
    pub seed: u64,
    /// `Ponder`: the runner will let the engine think on the opponent's time.
    pub ponder: bool,
    /// `UCI_Chess960`: castling is written as king takes rook.
    pub chess960: bool,
}

/// What a `setoption` changed, where more than a number has to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Change {
    /// Takes effect at the next `go`.
    None,
    /// The table has another size.
    ResizeTable,
    /// The table is to be emptied.
    ClearTable,
    /// Positions are to be read in another way.
    CastlingMode,
}

impl Options {
    /// The options as the command line leaves them.
    pub fn new(max_depth: Option<u32>, seed: u64) -> Options {
        Options { hash: 16, move_overhead: 10, max_depth, seed, ponder: false, chess960: false }
    }

    /// The `option` lines of the handshake.
    pub fn declarations(&self) -> [String; 7] {
        let depth = self.max_depth.unwrap_or(0);
        [
            format!("option name Hash type spin default {} min 1 max {MOST_HASH}", self.hash),
            "option name Clear Hash type button".to_owned(),
            format!("option name Ponder type check default {}", self.ponder),
            format!("option name UCI_Chess960 type check default {}", self.chess960),
            format!(
                "option name Move Overhead type spin default {} min 0 max {MOST_OVERHEAD}",
                self.move_overhead
            ),
            format!("option name MaxDepth type spin default {depth} min 0 max {MOST_DEPTH}"),
            format!("option name Seed type spin default {} min 0 max {MOST_SEED}", self.seed),
        ]
    }

    /// Sets an option by its name, in whatever case. A value out of range is refused.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, String> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = spin(name, value, 1, MOST_HASH)? as usize;
                return Ok(Change::ResizeTable);
            }
            "clear hash" => return Ok(Change::ClearTable),
            "uci_chess960" => {
                self.chess960 = check(name, value)?;
                return Ok(Change::CastlingMode);
            }
            "ponder" => self.ponder = check(name, value)?,
            "move overhead" => self.move_overhead = spin(name, value, 0, MOST_OVERHEAD)?,
            "maxdepth" => {
                let depth = spin(name, value, 0, u64::from(MOST_DEPTH))? as u32;
                self.max_depth = (depth > 0).then_some(depth);
            }
            "seed" => self.seed = spin(name, value, 0, MOST_SEED)?,
            _ => return Err(format!("no such option: {name}")),
        }
        Ok(Change::None)
    }

    /// How to use the time.
    pub fn time_policy(&self) -> TimePolicy {
        TimePolicy {
            move_overhead: Duration::from_millis(self.move_overhead),
            pondering_expected: self.ponder,
        }
    }
}

fn spin(name: &str, value: Option<&str>, least: u64, most: u64) -> Result<u64, String> {
    value
        .and_then(|text| text.parse().ok())
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| format!("{name} must be a number from {least} to {most}; unchanged"))
}

fn check(name: &str, value: Option<&str>) -> Result<bool, String> {
    match value.map(str::to_ascii_lowercase).as_deref() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(format!("{name} must be true or false; unchanged")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_values_are_taken_and_bad_ones_refused() {
        let mut options = Options::new(None, 0);
        assert_eq!(options.set("hash", Some("64")), Ok(Change::ResizeTable));
        assert_eq!(options.set("CLEAR HASH", None), Ok(Change::ClearTable));
        assert_eq!(options.set("UCI_Chess960", Some("true")), Ok(Change::CastlingMode));
        assert_eq!(options.set("MaxDepth", Some("0")), Ok(Change::None));
        assert_eq!(options.set("Seed", Some("7")), Ok(Change::None));
        let before = options;
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("1025")),
            ("Hash", None),
            ("Move Overhead", Some("-1")),
            ("MaxDepth", Some("65")),
            ("Ponder", Some("maybe")),
            ("Contempt", Some("20")),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value:?}");
        }
        assert_eq!(options, before);
        assert_eq!((options.hash, options.max_depth, options.seed, options.chess960), (64, None, 7, true));
    }

    #[test]
    fn declared_defaults_are_the_values_used() {
        let lines = Options::new(Some(3), 99).declarations();
        assert!(lines.contains(&"option name MaxDepth type spin default 3 min 0 max 64".to_owned()));
        assert!(lines.contains(&"option name Seed type spin default 99 min 0 max 2147483647".to_owned()));
    }
}

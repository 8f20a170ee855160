//! A part of a schedule that is played by itself, on another machine: every so many-th pair of games.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of several parts of a schedule: of the pairs of games (single games, where they are not paired), counted from 1,
/// the `index`-th and every `of`-th after it. All parts together are the schedule, and no game is in two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Numbers", into = "Numbers")]
pub struct Shard {
    of: NonZeroU32,
    /// From 1 to `of`.
    index: NonZeroU32,
}

/// [`Shard`] as it is stored.
#[derive(Serialize, Deserialize)]
struct Numbers {
    index: u32,
    of: u32,
}

/// Why there is no such part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It is not written as two numbers.
    #[error("a shard is written as `3/16`: which one, and of how many")]
    Malformed,
    /// There are not so many.
    #[error("there is no shard {index} of {of}: shards are numbered from 1")]
    NoSuch {
        /// Which one.
        index: u32,
        /// Of how many.
        of: u32,
    },
}

/// Why a schedule can't be played in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotDivisible {
    /// Its pairings depend on results.
    #[error(
        "a {0} can't be played in shards, since its pairings depend on results: run it on one machine, with \
         `concurrency`"
    )]
    Pairings(&'static str),
    /// How long it is depends on results.
    #[error("a match without `rounds` can't be played in shards, since results end it: set `rounds`")]
    OpenEnded,
    /// There are fewer pairs than parts.
    #[error(
        "shard {shard} has no game: there are {parts} {what} to be divided, so take {parts} shards at most"
    )]
    Empty {
        /// Which part.
        shard: Shard,
        /// How many pairs or games there are.
        parts: u32,
        /// What they are.
        what: &'static str,
    },
}

impl Shard {
    /// The `index`-th of `of` parts, counted from 1.
    ///
    /// # Errors
    /// [`ShardError::NoSuch`].
    pub fn new(index: u32, of: u32) -> Result<Shard, ShardError> {
        match (NonZeroU32::new(index), NonZeroU32::new(of)) {
            (Some(first), Some(parts)) if first <= parts => Ok(Shard { of: parts, index: first }),
            _ => Err(ShardError::NoSuch { index, of }),
        }
    }

    /// Which part, from 1.
    pub fn index(self) -> u32 {
        self.index.get()
    }

    /// How many parts there are.
    pub fn of(self) -> u32 {
        self.of.get()
    }

    /// How many of so many units are in this part.
    pub(super) fn share(self, units: u32) -> u32 {
        units / self.of + u32::from(units % self.of >= self.index.get())
    }

    /// The place in the schedule of the part's unit of this place, both from 0; `None` beyond all numbers.
    pub(super) fn unit(self, own: u32) -> Option<u32> {
        own.checked_mul(self.of.get())?.checked_add(self.index.get() - 1)
    }

    /// The place in the part of the unit of this place in the schedule, both from 0; `None`: it is in another part.
    pub(super) fn own(self, unit: u32) -> Option<u32> {
        (unit % self.of == self.index.get() - 1).then(|| unit / self.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let number = |digits: &str| digits.parse::<u32>().map_err(|_| ShardError::Malformed);
        let (index, of) = text.split_once('/').ok_or(ShardError::Malformed)?;
        Shard::new(number(index)?, number(of)?)
    }
}

impl TryFrom<Numbers> for Shard {
    type Error = ShardError;

    fn try_from(Numbers { index, of }: Numbers) -> Result<Shard, ShardError> {
        Shard::new(index, of)
    }
}

impl From<Shard> for Numbers {
    fn from(shard: Shard) -> Numbers {
        Numbers { index: shard.index(), of: shard.of() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_written_as_two_numbers() {
        let shard: Shard = "3/16".parse().unwrap();
        assert_eq!((shard.index(), shard.of(), shard.to_string()), (3, 16, "3/16".to_owned()));
        for text in ["", "3", "3/", "/16", "3/16/2", "-1/4", "a/b", "3 of 16"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError::Malformed), "{text}");
        }
        for (text, index, of) in [("0/4", 0, 4), ("5/4", 5, 4), ("1/0", 1, 0)] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError::NoSuch { index, of }));
        }
    }

    #[test]
    fn a_stored_shard_comes_back_and_an_impossible_one_does_not() {
        let shard = Shard::new(3, 16).unwrap();
        let text = serde_json::to_string(&shard).unwrap();
        assert_eq!(text, r#"{"index":3,"of":16}"#);
        assert_eq!(serde_json::from_str::<Shard>(&text).unwrap(), shard);
        assert!(serde_json::from_str::<Shard>(r#"{"index":17,"of":16}"#).is_err());
    }
}

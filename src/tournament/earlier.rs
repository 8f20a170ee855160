//! What an earlier run of the same schedule has played, for one that goes on with it.

use crate::game::annulment::Cause;
use crate::game::record::GameRecord;

/// The records of an earlier run.
pub trait EarlierGames {
    /// Hands over each finished game, in the order in which they ended, up to the first error: so every one comes after
    /// those that its pairing depends on.
    ///
    /// # Errors
    /// What `take` says, or a game can't be read, in words.
    fn each(&self, take: &mut dyn FnMut(&GameRecord) -> Result<(), String>) -> Result<(), String>;

    /// Whether the end of that run stands in all its records.
    ///
    /// # Errors
    /// It can't be read, in words.
    fn is_concluded(&self) -> Result<bool, String>;

    /// The games that were annulled, by their numbers, and why.
    ///
    /// # Errors
    /// They can't be read, in words.
    fn annulments(&self) -> Result<Vec<(u32, Cause)>, String>;
}

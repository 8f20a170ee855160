//! Syzygy endgame tables: which there are, and what they say of a position with its halfmove clock.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Mutex;

use shakmaty::{Chess, Color, Position};
use shakmaty_syzygy::{AmbiguousWdl, SyzygyError, Tablebase, Wdl};

use super::tables_found::TablesFound;
use crate::law::adjudication::TableAnswer;
use crate::law::claim::FIFTY_MOVES;

/// The most men, kings included, that Syzygy tables know.
pub const MOST_MEN: usize = 7;

/// Endgame tables, shared by the games of a run. Files are opened when they are first needed.
pub struct Tables {
    tables: Tablebase<Chess>,
    /// The most men, kings included, at which a position is looked up.
    men: usize,
    /// Wins count however long they take.
    ignore_fifty: bool,
    /// Of what a warning has been given.
    told: Mutex<BTreeSet<String>>,
}

/// Why there are no tables.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// A folder can't be listed.
    #[error("the folder {folder} can't be read: {error}", folder = folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// There are none.
    #[error("no Syzygy table (`KQvK.rtbw` and its like) was found in {0}")]
    None(String),
}

impl Tables {
    /// Looks through the folders. Positions are looked up with at most `men` men, kings included; `None`: with as many
    /// as there are tables for.
    ///
    /// # Errors
    /// A folder can't be read, or there is no table in any.
    pub fn open(
        folders: &[PathBuf],
        men: Option<usize>,
        ignore_fifty: bool,
    ) -> Result<(Tables, TablesFound), TablesError> {
        let mut tables = Tablebase::new();
        let mut found = TablesFound::default();
        for folder in folders {
            let unreadable = |error| TablesError::Folder { folder: folder.clone(), error };
            for entry in std::fs::read_dir(folder).map_err(unreadable)? {
                let path = entry.map_err(unreadable)?.path();
                let wanted = found.note(&path).filter(|table| men.is_none_or(|men| table.men <= men));
                if let Some(table) = wanted
                    && let Err(error) = tables.add_file(&path)
                {
                    found.leave_out(&path, table.kind, &error);
                }
            }
        }
        let Some(most) = found.most_men() else {
            let shown: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            return Err(TablesError::None(shown.join(", ")));
        };
        let men = men.unwrap_or(most);
        Ok((Tables { tables, men, ignore_fifty, told: Mutex::default() }, found))
    }

    /// The most men, kings included, at which a position is looked up.
    pub fn men(&self) -> usize {
        self.men
    }

    /// What the tables say for sure; nothing where there are too many men or castling rights, where a table is missing
    /// or broken, and where a rounded table leaves open on which side of the fifty-move rule a win falls.
    pub fn answer(&self, chess: &Chess) -> Option<TableAnswer> {
        if chess.board().occupied().count() > self.men || chess.castles().any() {
            return None;
        }
        self.probe(chess).unwrap_or_else(|error| {
            self.tell(&error);
            None
        })
    }

    fn probe(&self, chess: &Chess) -> Result<Option<TableAnswer>, SyzygyError> {
        let (side, clock) = (chess.turn(), chess.halfmoves());
        let value = self.tables.probe_wdl_after_zeroing(chess)?;
        let answer = by_value(side, value, clock, self.ignore_fifty);
        if answer.is_some() {
            return Ok(answer);
        }
        Ok(by_distance(side, self.tables.probe_wdl(chess)?, clock))
    }

    /// A table that is not there was said at the start; one that can't be read is said once.
    fn tell(&self, error: &SyzygyError) {
        let SyzygyError::ProbeFailed { metric, material, .. } = error else {
            tracing::debug!("no answer from the tables: {error}");
            return;
        };
        let new = self.told.lock().is_ok_and(|mut told| told.insert(format!("{metric} {material}")));
        if new {
            tracing::warn!("adjudication does without an endgame table: {error}");
        }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("men", &self.men)
            .field("ignore_fifty", &self.ignore_fifty)
            .finish_non_exhaustive()
    }
}

/// What a table of values alone settles: it was made for a halfmove clock of 0, but draws stay draws, and wins that are
/// too long stay so.
fn by_value(side: Color, value: Wdl, clock: u32, ignore_fifty: bool) -> Option<TableAnswer> {
    let winner = match value {
        Wdl::Draw => return Some(TableAnswer::Draw),
        Wdl::Win | Wdl::CursedWin => side,
        Wdl::Loss | Wdl::BlessedLoss => !side,
    };
    match value {
        _ if ignore_fifty => Some(TableAnswer::Wins(winner)),
        Wdl::CursedWin | Wdl::BlessedLoss => Some(TableAnswer::TooLong),
        _ => (clock == 0).then_some(TableAnswer::Wins(winner)),
    }
}

/// What the distance to the next zeroing move settles. Where fifty moves have been made already it is the players'
/// affair whether one of them claims before the other one mates.
fn by_distance(side: Color, value: AmbiguousWdl, clock: u32) -> Option<TableAnswer> {
    match value {
        AmbiguousWdl::Win => Some(TableAnswer::Wins(side)),
        AmbiguousWdl::Loss => Some(TableAnswer::Wins(!side)),
        AmbiguousWdl::Draw => Some(TableAnswer::Draw),
        AmbiguousWdl::CursedWin | AmbiguousWdl::BlessedLoss => {
            (clock < FIFTY_MOVES).then_some(TableAnswer::TooLong)
        }
        AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
    }
}

#[cfg(test)]
#[path = "tablebase_tests.rs"]
mod tests;

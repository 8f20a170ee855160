//! What is told about a book's entries: the first few one by one, the rest as a number.

use super::problem::{BadEntry, Warning};
use crate::law::notation::fen::Repair;

/// Entries of a kind that are told one by one.
pub(super) const TOLD: usize = 10;

/// Collects what there is to tell.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The first bad entries, for errors.
    pub(super) bad: Vec<BadEntry>,
    /// How many bad entries there are beyond those.
    pub(super) more_bad: u64,
    repairs_told: usize,
    pending: Vec<Warning>,
    untold_bad: u64,
    untold_repairs: u64,
}

impl Report {
    pub(super) fn warn(&mut self, warning: Warning) {
        self.pending.push(warning);
    }

    pub(super) fn skipped(&mut self, entry: BadEntry) {
        if self.bad.len() < TOLD {
            self.pending.push(Warning::Skipped(entry.clone()));
            self.bad.push(entry);
        } else {
            self.more_bad += 1;
            self.untold_bad += 1;
        }
    }

    /// `told` says where the entry is.
    pub(super) fn used(&mut self, repairs: &[Repair], told: impl Fn(Repair) -> Warning) {
        for repair in repairs {
            if self.repairs_told < TOLD {
                self.repairs_told += 1;
                self.pending.push(told(*repair));
            } else {
                self.untold_repairs += 1;
            }
        }
    }

    /// What is new since the last call.
    pub(super) fn take(&mut self) -> Vec<Warning> {
        let mut warnings = std::mem::take(&mut self.pending);
        for (count, more) in [
            (&mut self.untold_bad, Warning::MoreSkipped as fn(u64) -> Warning),
            (&mut self.untold_repairs, Warning::MoreRepaired),
        ] {
            if *count > 0 {
                warnings.push(more(std::mem::take(count)));
            }
        }
        warnings
    }
}

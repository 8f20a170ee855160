//! A Polyglot book in its order of use.

use std::num::NonZeroU64;

use super::opening::Opening;
use super::problem::{OpeningsError, Warning};
use super::report::Report;
use super::spec::BadLines;
use super::walk::Walk;

/// The openings of a walk, from a first one on; after the last one they come again.
#[derive(Debug)]
pub(super) struct WalkedBook {
    walk: Walk,
    first: u64,
}

impl WalkedBook {
    pub(super) fn new(
        mut walk: Walk,
        start: NonZeroU64,
        bad_lines: BadLines,
        report: &mut Report,
    ) -> Result<WalkedBook, OpeningsError> {
        // Which moves of the table belong to an opening is only known when all are walked.
        walk.find(if bad_lines == BadLines::Refuse { u64::MAX } else { start.get() }, report)?;
        if bad_lines == BadLines::Refuse && !report.bad.is_empty() {
            let (bad, more) = (report.bad.clone(), report.more_bad);
            return Err(OpeningsError::Refused { path: walk.book().path().to_owned(), bad, more });
        }
        let len = walk.found();
        if len == 0 {
            return Err(none(&walk, report));
        }
        if start.get() > len {
            report.warn(Warning::StartWraps { start: start.get(), len });
        }
        Ok(WalkedBook { walk, first: (start.get() - 1) % len })
    }

    /// The `nth` opening, counted from 0, and its number in the walk, counted from 1.
    pub(super) fn opening(&mut self, nth: u64, report: &mut Report) -> Result<(Opening, u64), OpeningsError> {
        let place = self.first.saturating_add(nth);
        self.walk.find(place.saturating_add(1), report)?;
        let place = if self.walk.end().is_some() { place % self.walk.found() } else { place };
        let opening = usize::try_from(place).ok().and_then(|index| self.walk.opening(index));
        // It was found by the same moves.
        let changed = || OpeningsError::Changed { path: self.walk.book().path().to_owned() };
        Ok((opening.ok_or_else(changed)?, place + 1))
    }

    /// Openings found so far.
    pub(super) fn found(&self) -> u64 {
        self.walk.found()
    }

    /// How many openings there are, where that is known.
    pub(super) fn known_len(&self) -> Option<u64> {
        self.walk.end().map(|_| self.walk.found())
    }

    /// Looks for so many openings now, as far as there are so many.
    pub(super) fn prepare(&mut self, openings: u64, report: &mut Report) -> Result<(), OpeningsError> {
        self.walk.find(self.first.saturating_add(openings), report)
    }

    /// Looks whether there are so many openings; `None`: so many or more.
    pub(super) fn fewer_than(
        &mut self,
        wanted: u64,
        report: &mut Report,
    ) -> Result<Option<u64>, OpeningsError> {
        self.walk.find(wanted, report)?;
        Ok(self.known_len().filter(|len| *len < wanted))
    }
}

fn none(walk: &Walk, report: &Report) -> OpeningsError {
    let path = walk.book().path();
    if report.bad.is_empty() {
        let name = format!("the Polyglot book `{}`: it has no move for the initial position", path.display());
        return OpeningsError::Empty(name);
    }
    OpeningsError::NoneUsable { path: path.to_owned(), bad: report.bad.clone(), more: report.more_bad }
}

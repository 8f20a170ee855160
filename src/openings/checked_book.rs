//! A book in its order of use, without its bad entries.

use super::book::{Book, Entry, EntryRules};
use super::order::Order;
use super::problem::{BadEntry, OpeningsError, Warning};
use super::report::Report;
use super::spec::BadLines;

/// Books of up to this many entries are checked as a whole before the first game.
const CHECKED_AT_ONCE: usize = 20_000;

/// Finds the usable entries of a book, as far as they are wanted.
#[derive(Debug)]
pub(super) struct CheckedBook {
    book: Book,
    order: Order,
    rules: EntryRules,
    /// Places of the order that have been looked at, from the first one on.
    checked: u64,
    /// Those of them with a bad entry, ascending.
    bad_places: Vec<u64>,
}

impl CheckedBook {
    pub(super) fn new(
        book: Book,
        order: Order,
        rules: EntryRules,
        bad_lines: BadLines,
        report: &mut Report,
    ) -> Result<CheckedBook, OpeningsError> {
        let mut checked = CheckedBook { book, order, rules, checked: 0, bad_places: Vec::new() };
        if bad_lines == BadLines::Refuse || checked.book.len() <= CHECKED_AT_ONCE {
            checked.check_all(report)?;
        }
        if checked.is_used_up() {
            return Err(checked.none_usable(report));
        }
        if bad_lines == BadLines::Refuse && !checked.bad_places.is_empty() {
            let (bad, more) = (report.bad.clone(), report.more_bad);
            return Err(OpeningsError::Refused { path: checked.book.path().to_owned(), bad, more });
        }
        Ok(checked)
    }

    /// The `nth` usable entry, counted from 0; after the last one they come again.
    pub(super) fn usable_entry(&mut self, nth: u64, report: &mut Report) -> Result<Entry, OpeningsError> {
        while self.checked < self.len() && self.usable() <= nth {
            let found = self.check_next(report)?;
            if let Some(entry) = found.filter(|_| self.usable() == nth + 1) {
                return Ok(entry);
            }
        }
        if self.is_used_up() {
            return Err(self.none_usable(report));
        }
        let place = self.place_of_usable(nth % self.usable());
        let entry = self.order.index(place);
        // It could be used when it was checked.
        self.book
            .entry(entry, &self.rules)?
            .map_err(|_| OpeningsError::Changed { path: self.book.path().to_owned() })
    }

    /// Entries, good and bad.
    pub(super) fn len(&self) -> u64 {
        u64::from(self.order.len().get())
    }

    /// Bad entries found so far.
    pub(super) fn bad(&self) -> u64 {
        self.bad_places.len() as u64
    }

    /// How many usable entries there are, once all have been looked at.
    pub(super) fn known_len(&self) -> Option<u64> {
        (self.checked == self.len()).then(|| self.usable())
    }

    /// Usable entries among those that have been looked at.
    fn usable(&self) -> u64 {
        self.checked - self.bad()
    }

    fn is_used_up(&self) -> bool {
        self.checked == self.len() && self.usable() == 0
    }

    /// The place in the order of the `nth` usable entry, counted from 0.
    fn place_of_usable(&self, nth: u64) -> u64 {
        // Before the bad place number i there are as many usable ones as it has places before it, less i.
        let mut before = 0;
        let mut beyond = self.bad_places.len();
        while before < beyond {
            let middle = before.midpoint(beyond);
            if self.bad_places[middle] - middle as u64 <= nth {
                before = middle + 1;
            } else {
                beyond = middle;
            }
        }
        nth + before as u64
    }

    /// Looks at the next place of the order.
    fn check_next(&mut self, report: &mut Report) -> Result<Option<Entry>, OpeningsError> {
        let place = self.checked;
        let found = self.book.entry(self.order.index(place), &self.rules)?;
        self.checked += 1;
        if found.is_err() {
            self.bad_places.push(place);
        }
        Ok(told(found, report))
    }

    /// Looks at all entries, in the order of the file, in which they are read and told best.
    fn check_all(&mut self, report: &mut Report) -> Result<(), OpeningsError> {
        let mut is_bad = Vec::with_capacity(self.book.len());
        for entry in 0..self.book.len() {
            let found = self.book.entry(entry, &self.rules)?;
            is_bad.push(told(found, report).is_none());
        }
        self.bad_places = (0..self.len()).filter(|place| is_bad[self.order.index(*place)]).collect();
        self.checked = self.len();
        Ok(())
    }

    fn none_usable(&self, report: &Report) -> OpeningsError {
        let path = self.book.path().to_owned();
        OpeningsError::NoneUsable { path, bad: report.bad.clone(), more: report.more_bad }
    }
}

fn told(found: Result<Entry, BadEntry>, report: &mut Report) -> Option<Entry> {
    match found {
        Ok(entry) => {
            let line = entry.line;
            report.used(&entry.repairs, |repair| Warning::Repaired { line, repair });
            Some(entry)
        }
        Err(bad) => {
            report.skipped(bad);
            None
        }
    }
}

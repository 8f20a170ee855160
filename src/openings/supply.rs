//! The openings of a match: which one each pair of games gets.

use std::num::NonZeroU32;
use std::path::Path;

use super::book::{Book, Entry, EntryRules};
use super::checked_book::CheckedBook;
use super::epd;
use super::opening::Opening;
use super::order::Order;
use super::polyglot::PolyglotBook;
use super::problem::{BadFen, OpeningsError, Warning, excerpt};
use super::report::Report;
use super::source::{Content, Source};
use super::spec::{OpeningsSource, OpeningsSpec};
use super::walk::Walk;
use super::walked_book::WalkedBook;

/// The openings of a match.
///
/// Pair `k` gets the `k`th usable entry in the order of use, and after the last one the same entries come again. Bad
/// entries of a long book are met on the way (and then told by [`Openings::take_warnings`]), but that changes
/// nothing: what a pair gets depends on file and seed only.
#[derive(Debug)]
pub struct Openings {
    spec: OpeningsSpec,
    stock: Stock,
    report: Report,
    is_repetition_told: bool,
}

#[derive(Debug)]
enum Stock {
    Book(Box<CheckedBook>),
    Walk(Box<WalkedBook>),
    Listed { openings: Vec<Opening>, order: Order },
    Initial(Opening),
}

/// What a pair of games starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Where both games start.
    pub opening: Opening,
    /// Its line in the book, or its number in the list or the walk, counted from 1; `None` without openings.
    pub line: Option<u64>,
}

impl Openings {
    /// Opens a source. A book is read through once for its index; up to 20,000 entries, or all of them with
    /// [`BadLines::Refuse`](super::BadLines::Refuse), are checked at once. Of a Polyglot book the openings before the
    /// first one wanted are looked for, with `Refuse` all that are ever used.
    ///
    /// # Errors
    /// An unreadable or empty book, one without a usable entry, one with a bad entry where those are refused, FENs
    /// of the list that can't be played from (all of them).
    pub fn open(spec: &OpeningsSpec) -> Result<(Openings, Vec<Warning>), OpeningsError> {
        let mut report = Report::default();
        let stock = match &spec.source {
            OpeningsSource::Initial => {
                report.warn(Warning::NoBook);
                Stock::Initial(Opening::initial(spec.mode))
            }
            OpeningsSource::Fens(fens) => {
                let openings = listed(fens, spec, &mut report)?;
                let order = order(openings.len(), "the list of positions", spec, &mut report)?;
                Stock::Listed { openings, order }
            }
            OpeningsSource::File(path) => book(path, spec, &mut report)?,
        };
        let warnings = report.take();
        let openings = Openings { spec: spec.clone(), stock, report, is_repetition_told: false };
        Ok((openings, warnings))
    }

    /// What was asked for.
    pub fn spec(&self) -> &OpeningsSpec {
        &self.spec
    }

    /// The opening of a pair of games, pairs counted from 0.
    ///
    /// # Errors
    /// The book can't be read any more, or not one of its entries can be used.
    pub fn opening_for_pair(&mut self, pair: u64) -> Result<Drawn, OpeningsError> {
        let drawn = self.draw(pair)?;
        if let Some(openings) = self.known_len().filter(|len| pair >= *len && !self.is_repetition_told) {
            self.is_repetition_told = true;
            self.report.warn(Warning::UsedUp { openings });
        }
        Ok(drawn)
    }

    fn draw(&mut self, pair: u64) -> Result<Drawn, OpeningsError> {
        match &mut self.stock {
            Stock::Initial(opening) => Ok(Drawn { opening: opening.clone(), line: None }),
            Stock::Listed { openings, order } => {
                let index = order.index(pair);
                Ok(Drawn { opening: openings[index].clone(), line: Some(index as u64 + 1) })
            }
            Stock::Book(book) => {
                let Entry { opening, line, .. } = book.usable_entry(pair, &mut self.report)?;
                Ok(Drawn { opening, line: Some(line) })
            }
            Stock::Walk(book) => {
                let (opening, number) = book.opening(pair, &mut self.report)?;
                Ok(Drawn { opening, line: Some(number) })
            }
        }
    }

    /// After how many pairs the openings come again, as far as that is known and worth telling.
    fn known_len(&self) -> Option<u64> {
        match &self.stock {
            Stock::Initial(_) => None, // told already
            Stock::Listed { .. } => Some(self.len()),
            Stock::Book(book) => book.known_len(),
            Stock::Walk(book) => book.known_len(),
        }
    }

    /// The openings there are, a book's bad entries included, of a Polyglot book those found so far; 1 without
    /// openings.
    #[expect(clippy::len_without_is_empty, reason = "never empty: no opening is an error when opening")]
    pub fn len(&self) -> u64 {
        match &self.stock {
            Stock::Initial(_) => 1,
            Stock::Listed { openings, .. } => openings.len() as u64,
            Stock::Book(book) => book.len(),
            Stock::Walk(book) => book.found(),
        }
    }

    /// Looks for the openings of so many pairs now, so that it doesn't take long to get one of them later. Only those of
    /// a Polyglot book have to be looked for.
    ///
    /// # Errors
    /// The book can't be read any more.
    pub fn prepare(&mut self, pairs: u64) -> Result<(), OpeningsError> {
        match &mut self.stock {
            Stock::Walk(book) => book.prepare(pairs, &mut self.report),
            Stock::Book(_) | Stock::Listed { .. } | Stock::Initial(_) => Ok(()),
        }
    }

    /// What there is to say when this many pairs want an opening: a book with fewer is used again from its start.
    ///
    /// # Errors
    /// The book can't be read any more.
    pub fn repeats(&mut self, pairs: u64) -> Result<Option<Warning>, OpeningsError> {
        let openings = match &mut self.stock {
            Stock::Initial(_) => None, // told already
            Stock::Listed { openings, .. } => Some(openings.len() as u64),
            Stock::Book(book) => Some(book.len() - book.bad()),
            Stock::Walk(book) => book.fewer_than(pairs, &mut self.report)?,
        };
        let openings = openings.filter(|openings| pairs > *openings);
        self.is_repetition_told |= openings.is_some();
        Ok(openings.map(|openings| Warning::Repeats { openings, pairs }))
    }

    /// What there is to tell since the last call: that the openings begin again; bad and repaired entries,
    /// the first ten of each kind one by one, then their number.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.report.take()
    }
}

fn book(path: &Path, spec: &OpeningsSpec, report: &mut Report) -> Result<Stock, OpeningsError> {
    let Source { file, content } = Source::open(path)?;
    let rules = EntryRules { mode: spec.mode, plies: spec.plies, dead_position: spec.dead_position };
    match content {
        Content::Text(format) => {
            let book = Book::of_file(path, file, format)?;
            let order = order(book.len(), &format!("the opening book `{}`", path.display()), spec, report)?;
            let checked = CheckedBook::new(book, order, rules, spec.bad_lines, report)?;
            Ok(Stock::Book(Box::new(checked)))
        }
        Content::Polyglot => {
            let walk = Walk::new(PolyglotBook::open(path, file)?, rules, spec.sequence);
            let walked = WalkedBook::new(walk, spec.start, spec.bad_lines, report)?;
            Ok(Stock::Walk(Box::new(walked)))
        }
    }
}

fn order(len: usize, name: &str, spec: &OpeningsSpec, report: &mut Report) -> Result<Order, OpeningsError> {
    // More than a `u32` can count are refused by the index.
    let some = u32::try_from(len).ok().and_then(NonZeroU32::new);
    let some = some.ok_or_else(|| OpeningsError::Empty(name.to_owned()))?;
    if spec.start.get() > len as u64 {
        report.warn(Warning::StartWraps { start: spec.start.get(), len: len as u64 });
    }
    Ok(Order::new(spec.sequence, some, spec.start))
}

/// The positions of a list: whoever writes them means each of them, so a bad one is an error, and one that is over
/// is played to its verdict.
fn listed(fens: &[String], spec: &OpeningsSpec, report: &mut Report) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::with_capacity(fens.len());
    let mut bad = Vec::new();
    for (index, fen) in fens.iter().enumerate() {
        match epd::parse(fen.as_bytes(), spec.mode) {
            Ok(parsed) => {
                report.used(&parsed.repairs, |repair| Warning::RepairedFen { index, repair });
                openings.push(Opening::at(parsed.chess, spec.mode));
            }
            Err(fault) => bad.push(BadFen { index, fault, excerpt: excerpt(fen.as_bytes()) }),
        }
    }
    if bad.is_empty() { Ok(openings) } else { Err(OpeningsError::BadFens(bad)) }
}

#[cfg(test)]
#[path = "supply_tests.rs"]
mod tests;

//! The openings of a Polyglot book: walks through its moves, one after the other, never twice to the same position.
//!
//! A walk begins at the initial position and goes on for `plies` plies, or to where the book has no more moves. Before
//! each ply those moves are left out that lead only to positions where earlier walks have ended. Of the others,
//! `order: sequential` takes the one with the greatest weight, the first of equals; `order: random` takes one at
//! random, with a chance that is its weight: a number below the sum of the weights is drawn as for the shuffle of
//! [`order`](super::order), from one keystream for all walks, and the moves share it out in the order of the book.
//! When a walk finds that no move is left, it goes one ply back; when the initial position has none left, the book
//! is used up. So which openings there are, and in which order, depends on the book, the plies and the seed only.
//!
//! A book can have more openings than anybody can wait for. So walks end, too, when all of them together have come to
//! [`MOST_POSITIONS`] positions; what was found until then is used, again and again.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek};

use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position};

use super::book::EntryRules;
use super::opening::Opening;
use super::order;
use super::polyglot::{BookMove, Entry, PolyglotBook, key};
use super::problem::{BadEntry, Fault, OpeningsError, Unit, Warning};
use super::report::Report;
use super::spec::Sequence;
use crate::law::game_state::GameState;
use crate::law::notation::uci_move;

/// Plies of a walk where the match file says nothing.
pub(super) const DEFAULT_PLIES: u32 = 8;

/// Positions to which all walks of a book may come: some seconds' work, and 55,000 openings of 8 plies or more.
const MOST_POSITIONS: u64 = 500_000;

/// Finds the openings of a book, as far as they are wanted.
#[derive(Debug)]
pub(super) struct Walk<R = File> {
    book: PolyglotBook<R>,
    rules: EntryRules,
    plies: u32,
    choice: Choice,
    /// Positions, with their ply, from which only known ends can be reached.
    used_up: HashSet<(usize, u64)>,
    /// Where walks have ended, at whatever ply.
    ends: HashSet<u64>,
    /// Moves that can't be made, by their number, and openings that are over: told already.
    told: HashSet<u64>,
    found: Vec<Box<[BookMove]>>,
    /// Positions to which walks may still come.
    positions_left: u64,
    end: Option<WalkEnd>,
}

/// Why nothing more is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkEnd {
    /// There is nothing more.
    UsedUp,
    /// It would take too long.
    Cut,
}

#[derive(Debug)]
enum Choice {
    Heaviest,
    Weighted(Box<ChaCha8Rng>),
}

/// A position of the walk that is under way.
struct Step {
    chess: Chess,
    key: u64,
    moves: Vec<(Entry, Move)>,
}

impl<R: Read + Seek> Walk<R> {
    pub(super) fn new(book: PolyglotBook<R>, rules: EntryRules, sequence: Sequence) -> Walk<R> {
        let choice = match sequence {
            Sequence::AsInFile => Choice::Heaviest,
            Sequence::Shuffled(seed) => Choice::Weighted(Box::new(order::keystream(seed))),
        };
        Walk {
            book,
            rules,
            plies: rules.plies.unwrap_or(DEFAULT_PLIES),
            choice,
            used_up: HashSet::new(),
            ends: HashSet::new(),
            told: HashSet::new(),
            found: Vec::new(),
            positions_left: MOST_POSITIONS,
            end: None,
        }
    }

    /// The book.
    pub(super) fn book(&self) -> &PolyglotBook<R> {
        &self.book
    }

    /// Openings found so far.
    pub(super) fn found(&self) -> u64 {
        self.found.len() as u64
    }

    /// Why those are all; `None`: nobody knows whether they are.
    pub(super) fn end(&self) -> Option<WalkEnd> {
        self.end
    }

    /// Looks for openings until there are so many, or the walks have come to their end.
    ///
    /// # Errors
    /// When the book can't be read any more.
    pub(super) fn find(&mut self, wanted: u64, report: &mut Report) -> Result<(), OpeningsError> {
        while self.end.is_none() && self.found() < wanted {
            self.end = self.find_next(report)?;
            if self.end == Some(WalkEnd::Cut) {
                let (openings, positions) = (self.found(), MOST_POSITIONS);
                report.warn(Warning::WalkCut { openings, positions });
            }
        }
        Ok(())
    }

    /// An opening that has been found, counted from 0.
    pub(super) fn opening(&self, index: usize) -> Option<Opening> {
        let mut opening = Opening::initial(self.rules.mode);
        let mut chess = opening.start.clone();
        for book_move in self.found.get(index)? {
            let played = book_move.in_position(&chess)?;
            opening.book.push(uci_move::write(played, self.rules.mode).to_string());
            chess.play_unchecked(played);
        }
        Some(opening)
    }

    /// Finds one more opening, or the end.
    fn find_next(&mut self, report: &mut Report) -> Result<Option<WalkEnd>, OpeningsError> {
        let mut steps = vec![self.step(Opening::initial(self.rules.mode).start, report)?];
        let mut line: Vec<(BookMove, Move)> = Vec::new();
        while let Some(step) = steps.last() {
            let ply = line.len();
            let is_end = step.moves.is_empty() || ply >= self.plies as usize;
            let next = if is_end { None } else { self.choose(step, ply) };
            if let Some((entry, played)) = next {
                let Some(left) = self.positions_left.checked_sub(1) else { return Ok(Some(WalkEnd::Cut)) };
                self.positions_left = left;
                let mut chess = step.chess.clone();
                chess.play_unchecked(played);
                line.push((entry.book_move, played));
                steps.push(self.step(chess, report)?);
                continue;
            }
            let is_new = self.used_up.insert((ply, step.key)) && is_end && ply > 0;
            if is_new && self.ends.insert(step.key) && self.is_usable(&line, report) {
                self.found.push(line.iter().map(|(book_move, _)| *book_move).collect());
                return Ok(None);
            }
            steps.pop();
            line.pop();
        }
        Ok(Some(WalkEnd::UsedUp))
    }

    /// A position and the book's moves that can be made in it; others are told.
    fn step(&mut self, chess: Chess, report: &mut Report) -> Result<Step, OpeningsError> {
        let key = key(&chess);
        let mut moves = Vec::new();
        for entry in self.book.entries(key)? {
            match entry.book_move.in_position(&chess) {
                Some(played) => moves.push((entry, played)),
                None if self.told.insert(entry.number) => report.skipped(illegal(entry)),
                None => {}
            }
        }
        Ok(Step { chess, key, moves })
    }

    /// The next move, of those that still lead to something new.
    fn choose(&mut self, step: &Step, ply: usize) -> Option<(Entry, Move)> {
        let leads_on = |played: Move| {
            let mut chess = step.chess.clone();
            chess.play_unchecked(played);
            !self.used_up.contains(&(ply + 1, key(&chess)))
        };
        let left = step.moves.iter().filter(|(_, played)| leads_on(*played));
        match &mut self.choice {
            // The first of equals: `max_by_key` takes the last one.
            Choice::Heaviest => left.rev().max_by_key(|(entry, _)| entry.weight).copied(),
            Choice::Weighted(words) => {
                let left: Vec<_> = left.collect();
                let sum: u32 = left.iter().map(|(entry, _)| u32::from(entry.weight)).sum();
                let mut drawn = (sum > 0).then(|| order::draw_below(sum, words))?;
                let chosen = left.into_iter().find(|(entry, _)| {
                    let weight = u32::from(entry.weight);
                    let is_chosen = drawn < weight;
                    drawn = drawn.saturating_sub(weight);
                    is_chosen
                });
                chosen.copied()
            }
        }
    }

    /// Whether play can go on after a line; says so if not.
    fn is_usable(&self, line: &[(BookMove, Move)], report: &mut Report) -> bool {
        let start = Opening::initial(self.rules.mode).start;
        let mut state = GameState::new(start, self.rules.mode, self.rules.dead_position);
        for (plies, (_, played)) in (1..).zip(line) {
            state.play(*played);
            if let Some(verdict) = state.end() {
                let text: Vec<String> = line.iter().map(|(book_move, _)| book_move.text()).collect();
                let fault = Fault::Over { verdict: verdict.clone(), plies };
                let number = self.found() + 1;
                let bad = BadEntry::new(number, text.join(" ").as_bytes(), fault);
                report.skipped(BadEntry { unit: Unit::Opening, ..bad });
                return false;
            }
        }
        true
    }
}

fn illegal(entry: Entry) -> BadEntry {
    let text = entry.book_move.text();
    let fault = Fault::NotInPosition;
    BadEntry { unit: Unit::Move, ..BadEntry::new(entry.number, text.as_bytes(), fault) }
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;

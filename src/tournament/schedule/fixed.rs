//! A schedule whose pairings depend on no result: match, round robin, gauntlet. Each game is computed from its index,
//! so that a million of them take no memory.

use std::collections::BTreeSet;

use shakmaty::ByColor;

use super::gauntlet::Gauntlet;
use super::round_robin::RoundRobin;
use super::shard::{NotDivisible, Shard};
use super::{Format, Participant, Plan, PlannedGame, ScheduleError, ScheduledGame, Unplayed, Upcoming};
use crate::game::game_id::GameId;
use crate::law::verdict::GameResult;
use crate::openings::PerOpening;

/// The pairings of one cycle, in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    /// Two engines meet each other.
    Match,
    RoundRobin(RoundRobin),
    Gauntlet(Gauntlet),
}

/// As many cycles of a table as the match file has rounds; the numbers of the games' rounds go on through all cycles.
#[derive(Clone, Debug)]
pub struct FixedSchedule {
    table: Table,
    cycles: u32,
    pairs: bool,
    openings: PerOpening,
    /// Games of all parts.
    len: u32,
    /// Nobody wants all these games.
    open_ended: bool,
    /// The only part of which games come; `None`: all of them do.
    shard: Option<Shard>,
    /// The index of the next game that may come, among those of the part.
    next: u32,
    /// Games after that one which do not come any more, by the same index.
    passed: BTreeSet<u32>,
    /// The engines that play no more, each with its games that don't come.
    withdrawn: Vec<(usize, Unplayed)>,
}

impl FixedSchedule {
    /// Lays a schedule out; `plan.format` is that of the table.
    ///
    /// # Errors
    /// [`ScheduleError`].
    pub(super) fn new(table: Table, plan: &Plan) -> Result<FixedSchedule, ScheduleError> {
        let per_cycle = u128::from(table.rounds()) * u128::from(table.pairings());
        if per_cycle == 0 {
            return Err(ScheduleError::NoPairing(plan.engines));
        }
        let games = per_cycle * u128::from(plan.rounds) * u128::from(games_per_pairing(plan.pairs));
        let len = u32::try_from(games).map_err(|_| ScheduleError::TooLong(games))?;
        Ok(FixedSchedule::of(table, plan.rounds, plan.pairs, plan.openings, len))
    }

    /// A match between two engines; more games than can be numbered are left out.
    pub fn of_match(rounds: u32, pairs: bool) -> FixedSchedule {
        let len = rounds.saturating_mul(games_per_pairing(pairs));
        FixedSchedule::of(Table::Match, rounds, pairs, PerOpening::Pair, len)
    }

    /// A match between two engines with as many games as can be numbered.
    pub(super) fn open_ended_match(pairs: bool, openings: PerOpening) -> FixedSchedule {
        let rounds = u32::MAX / games_per_pairing(pairs);
        let len = rounds * games_per_pairing(pairs);
        FixedSchedule { open_ended: true, ..FixedSchedule::of(Table::Match, rounds, pairs, openings, len) }
    }

    fn of(table: Table, cycles: u32, pairs: bool, openings: PerOpening, len: u32) -> FixedSchedule {
        let (passed, withdrawn) = (BTreeSet::new(), Vec::new());
        FixedSchedule {
            table,
            cycles,
            pairs,
            openings,
            len,
            open_ended: false,
            shard: None,
            next: 0,
            passed,
            withdrawn,
        }
    }

    /// Who meets whom.
    pub fn format(&self) -> Format {
        match self.table {
            Table::Match => Format::Match,
            Table::RoundRobin(_) => Format::RoundRobin,
            Table::Gauntlet(gauntlet) => Format::Gauntlet { seeds: gauntlet.seeds() },
        }
    }

    /// Only the games of this part come, with the numbers, openings and colours that they have in the whole.
    pub(super) fn only(self, shard: Shard) -> Result<FixedSchedule, NotDivisible> {
        if self.open_ended {
            return Err(NotDivisible::OpenEnded);
        }
        let only = FixedSchedule { shard: Some(shard), ..self };
        if only.len() == 0 {
            let what = if only.pairs { "pairs of games" } else { "games" };
            return Err(NotDivisible::Empty { shard, parts: only.units(), what });
        }
        Ok(only)
    }

    /// Pairs of games, or single games, of all parts.
    fn units(&self) -> u32 {
        self.len / games_per_pairing(self.pairs)
    }

    /// Games planned, of the part.
    pub(super) fn len(&self) -> u32 {
        self.shard.map_or(self.len, |shard| shard.share(self.units()) * games_per_pairing(self.pairs))
    }

    /// It is to be ended by what it brings.
    pub(super) fn is_open_ended(&self) -> bool {
        self.open_ended
    }

    /// Two games each share an opening with colours reversed.
    pub(super) fn in_pairs(&self) -> bool {
        self.pairs
    }

    /// How many openings are wanted, by all parts.
    pub(super) fn openings(&self) -> u64 {
        match self.openings {
            PerOpening::Pair => u64::from(self.len.div_ceil(games_per_pairing(self.pairs))),
            PerOpening::Round => u64::from(self.cycles),
        }
    }

    /// The place of the part's game of this index in the whole schedule, both from 0.
    fn place(&self, index: u32) -> Option<u32> {
        let per_pairing = games_per_pairing(self.pairs);
        let place = match self.shard {
            None => index,
            Some(shard) => {
                shard.unit(index / per_pairing)?.checked_mul(per_pairing)?.checked_add(index % per_pairing)?
            }
        };
        (place < self.len).then_some(place)
    }

    /// The index in the part of the game of this number; `None`: it is in another one, or no number at all.
    pub(super) fn index_of(&self, number: u32) -> Option<u32> {
        let (place, per_pairing) = (number.checked_sub(1)?, games_per_pairing(self.pairs));
        match self.shard {
            None => Some(place),
            Some(shard) => Some(shard.own(place / per_pairing)? * per_pairing + place % per_pairing),
        }
    }

    /// The part's game of this index, from 0; `None` beyond the end.
    pub(in crate::tournament) fn game(&self, index: u32) -> Option<ScheduledGame> {
        let place = self.place(index)?;
        let per_pairing = u64::from(games_per_pairing(self.pairs));
        let (pairing, game) = (u64::from(place) / per_pairing, u64::from(place) % per_pairing);
        let (round, in_round) = (pairing / self.table.pairings(), pairing % self.table.pairings());
        let per_cycle = self.table.rounds() * self.table.pairings();
        let (cycle, in_cycle) = (round / self.table.rounds(), round % self.table.rounds());
        let (first, second) = self.table.pairing(in_cycle, in_round);
        let reversed = if self.pairs { game == 1 } else { cycle % 2 == 1 };
        let (white, black) = if reversed { (second, first) } else { (first, second) };
        Some(ScheduledGame {
            // Rounds and games are no more than `len`.
            id: GameId {
                number: place + 1,
                round: (round + 1) as u32,
                game: (in_round * per_pairing + game + 1) as u32,
            },
            engines: ByColor { white, black },
            opening: self.openings.index(cycle, pairing % per_cycle, per_cycle),
        })
    }

    pub(super) fn planned(&self, index: u32) -> Option<PlannedGame> {
        let ScheduledGame { id, engines, opening } = self.game(index)?;
        Some(PlannedGame { id, players: engines.map(Participant::Engine), opening })
    }

    /// The next game that has not been passed and whose engines both play.
    pub(super) fn upcoming(&mut self) -> Upcoming {
        while let Some(game) = self.game(self.next) {
            if self.passed.remove(&self.next) {
                self.next += 1;
                continue;
            }
            let absent = |(engine, _): &&mut (usize, Unplayed)| {
                game.engines.white == *engine || game.engines.black == *engine
            };
            let Some((_, unplayed)) = self.withdrawn.iter_mut().find(absent) else {
                return Upcoming::Game(game);
            };
            if self.open_ended {
                // How many more there would have been nobody knows.
                if unplayed.games == 0 {
                    unplayed.count(game.id);
                }
                return Upcoming::Over;
            }
            unplayed.count(game.id);
            self.next += 1;
        }
        Upcoming::Over
    }

    pub(super) fn hand_out(&mut self, game: GameId) {
        self.pass(game);
    }

    pub(super) fn finished(&mut self, game: GameId, _: GameResult) {
        self.pass(game);
    }

    /// This game does not come any more.
    fn pass(&mut self, game: GameId) {
        let Some(index) = self.index_of(game.number) else { return };
        if index == self.next {
            self.next += 1;
        } else if index > self.next {
            self.passed.insert(index);
        }
    }

    pub(super) fn withdraw(&mut self, engine: usize) {
        if !self.withdrawn.iter().any(|(earlier, _)| *earlier == engine) {
            self.withdrawn.push((engine, Unplayed::default()));
        }
    }

    pub(super) fn cancel(&mut self, game: GameId, engine: usize) {
        if let Some((_, unplayed)) = self.withdrawn.iter_mut().find(|(earlier, _)| *earlier == engine) {
            unplayed.count(game);
        }
    }

    pub(super) fn unplayed(&self, engine: usize) -> Unplayed {
        let found = self.withdrawn.iter().find(|(earlier, _)| *earlier == engine);
        found.map_or_else(Unplayed::default, |(_, unplayed)| *unplayed)
    }
}

/// Games that are played with one opening and their colours reversed.
pub(super) fn games_per_pairing(pairs: bool) -> u32 {
    if pairs { 2 } else { 1 }
}

impl Table {
    fn rounds(self) -> u64 {
        match self {
            Table::Match => 1,
            Table::RoundRobin(table) => table.rounds(),
            Table::Gauntlet(table) => table.rounds(),
        }
    }

    fn pairings(self) -> u64 {
        match self {
            Table::Match => 1,
            Table::RoundRobin(table) => table.pairings(),
            Table::Gauntlet(table) => table.pairings(),
        }
    }

    fn pairing(self, round: u64, pairing: u64) -> (usize, usize) {
        match self {
            Table::Match => (0, 1),
            Table::RoundRobin(table) => table.pairing(round, pairing),
            Table::Gauntlet(table) => table.pairing(round, pairing),
        }
    }
}

#[cfg(test)]
#[path = "fixed_tests.rs"]
mod tests;

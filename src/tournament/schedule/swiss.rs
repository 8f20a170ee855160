//! A Swiss tournament: in each round engines of equal score meet, which have not met before, for one pair of games (one
//! game, without `pairs`). A round begins when the one before is over. Of an odd number one engine has a bye, which
//! counts as much as a won encounter.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::ByColor;

use super::encounter::Encounter;
use super::fixed::games_per_pairing;
use super::swiss_pairing::{self, Entry};
use super::{Participant, Plan, PlannedGame, ScheduleError, ScheduledGame, Unplayed, Upcoming};
use crate::game::game_id::GameId;
use crate::law::verdict::GameResult;
use crate::openings::PerOpening;

/// A Swiss tournament under way.
#[derive(Clone, Debug)]
pub struct Swiss {
    engines: usize,
    rounds: u32,
    per_pair: u32,
    openings: PerOpening,
    /// The rounds that have been paired; the last one may be under way.
    paired: Vec<SwissRound>,
    withdrawn: BTreeSet<usize>,
    unplayed: BTreeMap<usize, Unplayed>,
}

/// A round that has been paired.
#[derive(Clone, Debug)]
pub struct SwissRound {
    /// In the order of their boards.
    pub encounters: Vec<Encounter>,
    /// Who has no opponent.
    pub bye: Option<usize>,
}

impl Swiss {
    /// Pairs the first round.
    ///
    /// # Errors
    /// [`ScheduleError`].
    pub fn new(plan: &Plan) -> Result<Swiss, ScheduleError> {
        let per_pair = games_per_pairing(plan.pairs);
        let boards = plan.engines / 2;
        let games = boards as u128 * u128::from(plan.rounds) * u128::from(per_pair);
        match (games, u32::try_from(games)) {
            (0, _) => return Err(ScheduleError::NoPairing(plan.engines)),
            (_, Err(_)) => return Err(ScheduleError::TooLong(games)),
            (_, Ok(_)) => {}
        }
        let mut swiss = Swiss {
            engines: plan.engines,
            rounds: plan.rounds,
            per_pair,
            openings: plan.openings,
            paired: Vec::new(),
            withdrawn: BTreeSet::new(),
            unplayed: BTreeMap::new(),
        };
        swiss.settle();
        Ok(swiss)
    }

    /// The rounds that have been paired.
    pub fn paired(&self) -> &[SwissRound] {
        &self.paired
    }

    /// Two games each share an opening with colours reversed.
    pub fn in_pairs(&self) -> bool {
        self.per_pair > 1
    }

    /// What a bye counts, in half-points: as much as a won encounter.
    pub fn bye_half_points(&self) -> u64 {
        2 * u64::from(self.per_pair)
    }

    /// Boards of a round if nobody withdraws.
    fn boards(&self) -> u32 {
        // Checked when the schedule was laid out.
        (self.engines / 2) as u32
    }

    pub(super) fn len(&self) -> u32 {
        self.rounds * self.boards() * self.per_pair
    }

    pub(super) fn openings(&self) -> u64 {
        match self.openings {
            PerOpening::Pair => u64::from(self.rounds * self.boards()),
            PerOpening::Round => u64::from(self.rounds),
        }
    }

    pub(super) fn planned(&self, index: u32) -> Option<PlannedGame> {
        if index >= self.len() {
            return None;
        }
        let (round, board, game) = self.place(index + 1)?;
        let (id, opening) = self.numbers(round, board, game);
        let players = match self.paired.get(round as usize) {
            Some(paired) => paired.encounters.get(board as usize)?.colours(game).map(Participant::Engine),
            None => {
                let open = Participant::PairedAfter { round, board: board + 1 };
                ByColor { white: open, black: open }
            }
        };
        Some(PlannedGame { id, players, opening })
    }

    fn numbers(&self, round: u32, board: u32, game: u32) -> (GameId, u64) {
        let boards = self.boards();
        let in_round = board * self.per_pair + game + 1;
        let opening = self.openings.index(round.into(), board.into(), boards.into());
        let id =
            GameId { number: round * boards * self.per_pair + in_round, round: round + 1, game: in_round };
        (id, opening)
    }

    /// Round, board and game of a number, all from 0.
    fn place(&self, number: u32) -> Option<(u32, u32, u32)> {
        let index = number.checked_sub(1)?;
        let (pair, game) = (index / self.per_pair, index % self.per_pair);
        Some((pair / self.boards(), pair % self.boards(), game))
    }

    pub(super) fn upcoming(&self) -> Upcoming {
        let Some(round) = self.paired.last() else { return Upcoming::Over };
        for (encounter, board) in round.encounters.iter().zip(0..) {
            if let Some(game) = encounter.upcoming() {
                // No more rounds than a `u32` counts.
                let (id, opening) = self.numbers(self.paired.len() as u32 - 1, board, game);
                return Upcoming::Game(ScheduledGame { id, engines: encounter.colours(game), opening });
            }
        }
        if round.is_over() { Upcoming::Over } else { Upcoming::Later }
    }

    fn encounter_of(&mut self, id: GameId) -> Option<(&mut Encounter, u32)> {
        let (round, board, game) = self.place(id.number)?;
        let encounter = self.paired.get_mut(round as usize)?.encounters.get_mut(board as usize)?;
        Some((encounter, game))
    }

    pub(super) fn hand_out(&mut self, id: GameId) {
        if let Some((encounter, game)) = self.encounter_of(id) {
            encounter.hand_out(game);
        }
    }

    pub(super) fn finished(&mut self, id: GameId, result: GameResult) {
        if let Some((encounter, game)) = self.encounter_of(id) {
            encounter.finish(game, result);
            self.settle();
        }
    }

    pub(super) fn withdraw(&mut self, engine: usize) {
        if !self.withdrawn.insert(engine) {
            return;
        }
        let round = self.paired.len() as u32;
        let per_round = self.per_pair;
        let rounds_left = self.rounds - round.min(self.rounds);
        let mut unplayed = Unplayed::default();
        let board =
            self.paired.last().and_then(|last| last.encounters.iter().position(|one| one.has(engine)));
        if let Some(board) = board {
            let first = self.paired.last().and_then(|last| last.encounters.get(board)?.upcoming());
            let first = first.map(|game| self.numbers(round - 1, board as u32, game).0);
            let withdrawn = self.withdrawn.clone();
            if let Some(encounter) = self.paired.last_mut().and_then(|last| last.encounters.get_mut(board)) {
                let opponent = encounter.players().into_iter().find(|player| !withdrawn.contains(player));
                unplayed.add(encounter.close(opponent), first);
            }
        }
        // The games that it would have had in the rounds to come; they have no numbers yet.
        unplayed.add(rounds_left * per_round, None);
        self.unplayed.insert(engine, unplayed);
        self.settle();
    }

    pub(super) fn cancel(&mut self, id: GameId, engine: usize) {
        self.unplayed.entry(engine).or_default().count(id);
        let withdrawn = self.withdrawn.clone();
        if let Some((encounter, _)) = self.encounter_of(id) {
            let opponent = encounter.players().into_iter().find(|player| !withdrawn.contains(player));
            encounter.cancel(opponent);
            self.settle();
        }
    }

    pub(super) fn unplayed(&self, engine: usize) -> Unplayed {
        self.unplayed.get(&engine).copied().unwrap_or_default()
    }

    /// Pairs the next round once the last one is over.
    fn settle(&mut self) {
        while self.paired.last().is_none_or(SwissRound::is_over) && self.paired.len() < self.rounds as usize {
            let entries: Vec<Entry> = (0..self.engines)
                .filter(|engine| !self.withdrawn.contains(engine))
                .map(|engine| self.entry(engine))
                .collect();
            if entries.len() < 2 {
                return;
            }
            let pairings = swiss_pairing::pair(entries);
            let encounters =
                pairings.boards.into_iter().map(|players| Encounter::new(players, self.per_pair)).collect();
            self.paired.push(SwissRound { encounters, bye: pairings.bye });
        }
    }

    /// What the next round is paired by.
    fn entry(&self, engine: usize) -> Entry {
        let mut entry = Entry { engine, half_points: self.half_points(engine), ..Entry::default() };
        for round in &self.paired {
            entry.had_bye |= round.bye == Some(engine);
            for encounter in round.encounters.iter().filter(|encounter| encounter.has(engine)) {
                let [white, black] = encounter.players();
                entry.met.push(if white == engine { black } else { white });
                entry.colours += if white == engine { 1 } else { -1 };
                entry.last_white = Some(white == engine);
            }
        }
        entry
    }

    /// An engine's score, with what it was given for byes and for games that its opponents did not play.
    pub fn half_points(&self, engine: usize) -> u64 {
        self.awarded(engine) + self.results(engine).map(|(_, half_points)| half_points).sum::<u64>()
    }

    /// What an engine was given without a game, in half-points.
    pub fn awarded(&self, engine: usize) -> u64 {
        let byes = self.paired.iter().filter(|round| round.bye == Some(engine)).count() as u64;
        let awarded = self.encounters().map(|encounter| {
            let side = encounter.players().iter().position(|player| *player == engine);
            side.map_or(0, |side| encounter.awarded()[side])
        });
        byes * self.bye_half_points() + awarded.sum::<u64>()
    }

    /// An engine's opponents, each with the half-points scored against it over the board.
    pub fn results(&self, engine: usize) -> impl Iterator<Item = (usize, u64)> {
        self.encounters().filter_map(move |encounter| {
            let [first, second] = encounter.players();
            let [own, theirs] = encounter.half_points();
            match engine {
                _ if engine == first => Some((second, own)),
                _ if engine == second => Some((first, theirs)),
                _ => None,
            }
        })
    }

    fn encounters(&self) -> impl Iterator<Item = &Encounter> {
        self.paired.iter().flat_map(|round| &round.encounters)
    }
}

impl SwissRound {
    fn is_over(&self) -> bool {
        self.encounters.iter().all(Encounter::is_complete)
    }
}

#[cfg(test)]
#[path = "swiss_tests.rs"]
mod tests;

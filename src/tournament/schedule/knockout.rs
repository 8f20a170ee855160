//! A knockout: whoever loses an encounter is out. The bracket is seeded by the order of the match file; where the number
//! of engines is no power of two, the first ones have byes in the first round.
//!
//! Every encounter is played to its last game. One that is level goes on with extra pairs (single games, without
//! `pairs`), [`EXTRA`] at most, until one of them decides; then the engine that stands higher in the file advances.
//! Openings, colours and numbers of all games, extra ones too, are fixed before the first game; extra games have the
//! numbers after all others. An encounter begins as soon as the two before it are decided.

use std::collections::{BTreeMap, BTreeSet};

use super::encounter::Encounter;
use super::fixed::games_per_pairing;
use super::{Participant, Plan, PlannedGame, ScheduleError, ScheduledGame, Unplayed, Upcoming};
use crate::game::game_id::GameId;
use crate::law::verdict::GameResult;
use crate::openings::PerOpening;

/// Extra pairs of a level encounter.
pub const EXTRA: u32 = 4;

/// A knockout under way.
#[derive(Clone, Debug)]
pub struct Knockout {
    numbers: Numbers,
    rounds: Vec<Vec<Slot>>,
    withdrawn: BTreeSet<usize>,
    unplayed: BTreeMap<usize, Unplayed>,
}

/// Where an engine of an encounter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It is known.
    Known(usize),
    /// The winner of this slot of the round before.
    WinnerOf(usize),
    /// There is none: the other side has a bye.
    Nobody,
}

/// How an encounter was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// By its regular games.
    Score,
    /// By so many extra pairs, or games where they don't come [`in pairs`](Knockout::in_pairs).
    TieBreak(u32),
    /// It stayed level: the engine that stands higher in the match file advances.
    HigherSeed,
    /// The other engine plays no more.
    Walkover,
    /// There was no other engine.
    Bye,
}

/// A place of the bracket.
#[derive(Clone, Debug)]
pub struct Slot {
    sides: [Side; 2],
    /// Its number among those in which games are planned: in the whole bracket and in its round. `None`: a bye.
    order: Option<(u32, u32)>,
    encounter: Option<Encounter>,
    /// Who advances, and why; nobody where both sides have withdrawn.
    decided: Option<(Option<usize>, Decision)>,
}

/// How games are numbered.
#[derive(Clone, Debug)]
struct Numbers {
    /// Opening pairs per encounter.
    pairs: u32,
    per_pair: u32,
    openings: PerOpening,
    /// Encounters in each round.
    rounds: Vec<u32>,
}

impl Slot {
    /// Where its engines come from.
    pub fn sides(&self) -> [Side; 2] {
        self.sides
    }

    /// Its games, once both engines are known.
    pub fn encounter(&self) -> Option<&Encounter> {
        self.encounter.as_ref()
    }

    /// Who advances, and why.
    pub fn decided(&self) -> Option<(Option<usize>, Decision)> {
        self.decided
    }

    /// Its number in its round, from 1, if games are planned in it.
    pub fn number(&self) -> Option<u32> {
        self.order.map(|(_, in_round)| in_round + 1)
    }
}

impl Knockout {
    /// Lays the bracket out.
    ///
    /// # Errors
    /// [`ScheduleError`].
    pub fn new(plan: &Plan) -> Result<Knockout, ScheduleError> {
        if plan.engines < 2 {
            return Err(ScheduleError::NoPairing(plan.engines));
        }
        let rounds = bracket(plan.engines);
        let planned = |round: &Vec<Slot>| round.iter().filter(|slot| slot.order.is_some()).count() as u32;
        let numbers = Numbers {
            pairs: plan.rounds,
            per_pair: games_per_pairing(plan.pairs),
            openings: plan.openings,
            rounds: rounds.iter().map(planned).collect(),
        };
        numbers.check()?;
        let (withdrawn, unplayed) = (BTreeSet::new(), BTreeMap::new());
        let mut knockout = Knockout { numbers, rounds, withdrawn, unplayed };
        knockout.settle();
        Ok(knockout)
    }

    /// The bracket as it stands, round by round.
    pub fn rounds(&self) -> &[Vec<Slot>] {
        &self.rounds
    }

    /// Extra games come in pairs, with the same opening and colours reversed.
    pub fn in_pairs(&self) -> bool {
        self.numbers.per_pair > 1
    }

    /// Who has won it all.
    pub fn winner(&self) -> Option<usize> {
        self.rounds.last()?.first()?.decided?.0
    }

    pub(super) fn len(&self) -> u32 {
        let regular = self.numbers.regular();
        let extra = |slot: &Slot| slot.encounter.as_ref().map_or(0, |encounter| encounter.games() - regular);
        self.numbers.encounters() * regular + self.rounds.iter().flatten().map(extra).sum::<u32>()
    }

    pub(super) fn openings(&self) -> u64 {
        self.shared_openings() * u64::from(self.numbers.pairs)
    }

    pub(super) fn most_openings(&self) -> u64 {
        self.openings() + self.shared_openings() * u64::from(EXTRA)
    }

    /// In how many places different openings begin.
    fn shared_openings(&self) -> u64 {
        match self.numbers.openings {
            PerOpening::Pair => self.numbers.encounters().into(),
            PerOpening::Round => self.rounds.len() as u64,
        }
    }

    pub(super) fn planned(&self, index: u32) -> Option<PlannedGame> {
        let regular = self.numbers.regular();
        let (order, game) = (index / regular, index % regular);
        let (round, slot) = self.slot(order)?;
        let [first, second] = slot.sides.map(|side| match side {
            Side::WinnerOf(feeder) => Participant::WinnerOf {
                round: round as u32,
                encounter: self.rounds[round - 1][feeder].number().unwrap_or(0),
            },
            Side::Known(engine) => Participant::Engine(engine),
            Side::Nobody => Participant::Nobody,
        });
        let (white, black) = if game.is_multiple_of(2) { (first, second) } else { (second, first) };
        let (id, opening) = self.numbers.of(round, slot.order?, game);
        Some(PlannedGame { id, players: shakmaty::ByColor { white, black }, opening })
    }

    fn slot(&self, order: u32) -> Option<(usize, &Slot)> {
        let slots = self
            .rounds
            .iter()
            .enumerate()
            .flat_map(|(round, slots)| slots.iter().map(move |slot| (round, slot)));
        slots.into_iter().find(|(_, slot)| slot.order.is_some_and(|(all, _)| all == order))
    }

    pub(super) fn upcoming(&self) -> Upcoming {
        let mut all_decided = true;
        for (round, slot) in self
            .rounds
            .iter()
            .enumerate()
            .flat_map(|(round, slots)| slots.iter().map(move |slot| (round, slot)))
        {
            if slot.decided.is_some() {
                continue;
            }
            all_decided = false;
            let next = slot.encounter.as_ref().and_then(|encounter| Some((encounter, encounter.upcoming()?)));
            if let (Some((encounter, game)), Some(order)) = (next, slot.order) {
                let (id, opening) = self.numbers.of(round, order, game);
                return Upcoming::Game(ScheduledGame { id, engines: encounter.colours(game), opening });
            }
        }
        if all_decided { Upcoming::Over } else { Upcoming::Later }
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

    /// The encounter of a game, and the game's index there.
    fn encounter_of(&mut self, id: GameId) -> Option<(&mut Encounter, u32)> {
        let (order, game) = self.numbers.place(id.number)?;
        let mut slots = self.rounds.iter_mut().flatten();
        let slot = slots.find(|slot| slot.order.is_some_and(|(all, _)| all == order))?;
        slot.encounter.as_mut().map(|encounter| (encounter, game))
    }

    pub(super) fn withdraw(&mut self, engine: usize) {
        self.withdrawn.insert(engine);
        self.settle();
    }

    pub(super) fn cancel(&mut self, id: GameId, engine: usize) {
        self.unplayed.entry(engine).or_default().count(id);
    }

    pub(super) fn unplayed(&self, engine: usize) -> Unplayed {
        self.unplayed.get(&engine).copied().unwrap_or_default()
    }

    /// Draws the conclusions of what is known, from the first round to the last.
    fn settle(&mut self) {
        for round in 0..self.rounds.len() {
            let (before, rest) = self.rounds.split_at_mut(round);
            let Some(slots) = rest.first_mut() else { return };
            for slot in slots.iter_mut().filter(|slot| slot.decided.is_none()) {
                slot.sides = slot.sides.map(|side| known(side, before.last()));
                let both = match slot.sides {
                    [Side::WinnerOf(_), _] | [_, Side::WinnerOf(_)] => continue,
                    [Side::Known(first), Side::Known(second)] => [first, second],
                    [Side::Known(one), Side::Nobody] | [Side::Nobody, Side::Known(one)] => {
                        slot.decided = Some((Some(one), Decision::Bye));
                        continue;
                    }
                    [Side::Nobody, Side::Nobody] => {
                        slot.decided = Some((None, Decision::Bye));
                        continue;
                    }
                };
                let encounter =
                    slot.encounter.get_or_insert_with(|| Encounter::new(both, self.numbers.regular()));
                slot.decided = self.numbers.decide(encounter).or_else(|| {
                    let present = both.into_iter().find(|engine| !self.withdrawn.contains(engine));
                    let absent: Vec<usize> =
                        both.into_iter().filter(|engine| self.withdrawn.contains(engine)).collect();
                    if absent.is_empty() {
                        return None;
                    }
                    let first = encounter
                        .upcoming()
                        .and_then(|game| Some(self.numbers.of(round, slot.order?, game).0));
                    let left = encounter.close(present);
                    for engine in absent {
                        self.unplayed.entry(engine).or_default().add(left, first);
                    }
                    Some((present, Decision::Walkover))
                });
            }
        }
    }
}

/// A side as the round before lets it be known.
fn known(side: Side, before: Option<&Vec<Slot>>) -> Side {
    let Side::WinnerOf(feeder) = side else { return side };
    match before.and_then(|slots| slots.get(feeder)?.decided) {
        Some((Some(winner), _)) => Side::Known(winner),
        Some((None, _)) => Side::Nobody,
        None => side,
    }
}

/// The places of a bracket: the first two engines can only meet in the last round, the first four not before the last
/// but one, and so on.
fn bracket(engines: usize) -> Vec<Vec<Slot>> {
    let mut seeds = vec![0];
    while seeds.len() < engines {
        let next = 2 * seeds.len();
        seeds = seeds.into_iter().flat_map(|seed| [seed, next - 1 - seed]).collect();
    }
    let mut rounds = Vec::new();
    let mut order = 0;
    let mut sides: Vec<Side> =
        seeds.into_iter().map(|seed| if seed < engines { Side::Known(seed) } else { Side::Nobody }).collect();
    while sides.len() > 1 {
        let mut in_round = 0;
        let slots: Vec<Slot> = sides
            .chunks_exact(2)
            .map(|pair| {
                let planned = !pair.contains(&Side::Nobody);
                let numbers = planned.then_some((order, in_round));
                order += u32::from(planned);
                in_round += u32::from(planned);
                Slot { sides: [pair[0], pair[1]], order: numbers, encounter: None, decided: None }
            })
            .collect();
        sides = (0..slots.len()).map(Side::WinnerOf).collect();
        rounds.push(slots);
    }
    rounds
}

impl Numbers {
    /// Regular games of an encounter.
    fn regular(&self) -> u32 {
        self.pairs * self.per_pair
    }

    /// Extra games that an encounter may have.
    fn extra(&self) -> u32 {
        EXTRA * self.per_pair
    }

    fn encounters(&self) -> u32 {
        self.rounds.iter().sum()
    }

    fn check(&self) -> Result<(), ScheduleError> {
        let each = (u128::from(self.pairs) + u128::from(EXTRA)) * u128::from(self.per_pair);
        let games = each * u128::from(self.encounters());
        u32::try_from(games).map(drop).map_err(|_| ScheduleError::TooLong(games))
    }

    /// The id and the opening of a game of an encounter.
    fn of(&self, round: usize, (order, in_round): (u32, u32), game: u32) -> (GameId, u64) {
        let (regular, extra) = (self.regular(), self.extra());
        let shared = match self.openings {
            PerOpening::Pair => (u64::from(self.encounters()), u64::from(order)),
            PerOpening::Round => (self.rounds.len() as u64, round as u64),
        };
        let (number, in_round, opening) = if let Some(game) = game.checked_sub(regular) {
            let pair = shared.0 * u64::from(self.pairs) + shared.1 * u64::from(EXTRA);
            (
                self.encounters() * regular + order * extra + game,
                self.rounds[round] * regular + in_round * extra + game,
                pair + u64::from(game / self.per_pair),
            )
        } else {
            let pair = shared.1 * u64::from(self.pairs);
            (order * regular + game, in_round * regular + game, pair + u64::from(game / self.per_pair))
        };
        (GameId { number: number + 1, round: round as u32 + 1, game: in_round + 1 }, opening)
    }

    /// Which encounter a game belongs to, and which of its games it is.
    fn place(&self, number: u32) -> Option<(u32, u32)> {
        let (index, regular) = (number.checked_sub(1)?, self.regular());
        let place = match index.checked_sub(self.encounters() * regular) {
            Some(extra) => (extra / self.extra(), regular + extra % self.extra()),
            None => (index / regular, index % regular),
        };
        (place.0 < self.encounters()).then_some(place)
    }

    /// Who advances, if that can be told; a level encounter is made longer.
    fn decide(&self, encounter: &mut Encounter) -> Option<(Option<usize>, Decision)> {
        if !encounter.is_complete() {
            return None;
        }
        let extra = (encounter.games() - self.regular()) / self.per_pair;
        let decision = if extra == 0 { Decision::Score } else { Decision::TieBreak(extra) };
        match encounter.leader() {
            Some(leader) => Some((Some(leader), decision)),
            None if extra < EXTRA => {
                encounter.extend(self.per_pair);
                None
            }
            None => Some((encounter.players().into_iter().min(), Decision::HigherSeed)),
        }
    }
}

#[cfg(test)]
#[path = "knockout_tests.rs"]
mod tests;

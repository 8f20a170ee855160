//! Who scored what against whom, and the tie-breaks that follow from it.

use super::counts::{CountsError, GameOutcome, Trinomial};

/// A number of the crosstable's engines.
pub type EngineIndex = usize;

/// The results of every engine against every other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crosstable {
    engines: usize,
    records: Vec<Trinomial>,
    byes: Vec<Byes>,
}

/// Rounds without an opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Byes {
    rounds: u32,
    half_points: u32,
}

impl Byes {
    fn points(self) -> f64 {
        f64::from(self.half_points) / 2.0
    }
}

/// A result that names no two engines of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CrosstableError {
    /// No such engine.
    #[error("there is no engine number {0} (from 0) in this crosstable")]
    NoSuchEngine(EngineIndex),
    /// An engine doesn't play itself.
    #[error("engine number {0} (from 0) can't play against itself")]
    AgainstItself(EngineIndex),
    /// The sums would not fit.
    #[error(transparent)]
    Counts(#[from] CountsError),
}

impl Crosstable {
    /// Nothing played yet.
    pub fn new(engines: usize) -> Crosstable {
        let records = vec![Trinomial::default(); engines * engines];
        Crosstable { engines, records, byes: vec![Byes::default(); engines] }
    }

    /// Counts a game in; `outcome` is that of `engine`.
    ///
    /// # Errors
    /// One of them is not in the table, or both are the same.
    pub fn add(
        &mut self,
        engine: EngineIndex,
        opponent: EngineIndex,
        outcome: GameOutcome,
    ) -> Result<(), CrosstableError> {
        let mut games = Trinomial::default();
        games.add(outcome);
        self.add_games(engine, opponent, games)
    }

    /// Counts many games in; won and lost by `engine`.
    ///
    /// # Errors
    /// One of them is not in the table, or both are the same, or there are too many games.
    pub fn add_games(
        &mut self,
        engine: EngineIndex,
        opponent: EngineIndex,
        games: Trinomial,
    ) -> Result<(), CrosstableError> {
        if let Some(unknown) = [engine, opponent].into_iter().find(|index| *index >= self.engines) {
            return Err(CrosstableError::NoSuchEngine(unknown));
        }
        if engine == opponent {
            return Err(CrosstableError::AgainstItself(engine));
        }
        let old = self.record(engine, opponent);
        let sum = |one: u64, other: u64| one.checked_add(other).ok_or(CountsError::TooMany);
        let new = Trinomial::new(
            sum(old.wins(), games.wins())?,
            sum(old.draws(), games.draws())?,
            sum(old.losses(), games.losses())?,
        )?;
        self.records[engine * self.engines + opponent] = new;
        self.records[opponent * self.engines + engine] = new.mirrored();
        Ok(())
    }

    /// Gives an engine points, in half points, for a round without an opponent.
    ///
    /// # Errors
    /// It is not in the table.
    pub fn add_bye(&mut self, engine: EngineIndex, half_points: u32) -> Result<(), CrosstableError> {
        let bye = self.byes.get_mut(engine).ok_or(CrosstableError::NoSuchEngine(engine))?;
        bye.rounds = bye.rounds.saturating_add(1);
        bye.half_points = bye.half_points.saturating_add(half_points);
        Ok(())
    }

    /// How many engines there are.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// The games of `engine` against `opponent`; none for numbers that are not in the table.
    pub fn record(&self, engine: EngineIndex, opponent: EngineIndex) -> Trinomial {
        let known = engine < self.engines && opponent < self.engines;
        if known { self.records[engine * self.engines + opponent] } else { Trinomial::default() }
    }

    /// All games of an engine.
    pub fn total(&self, engine: EngineIndex) -> GameTotals {
        let mut totals = GameTotals::default();
        for record in self.opponents(engine).map(|opponent| self.record(engine, opponent)) {
            totals.wins += u128::from(record.wins());
            totals.draws += u128::from(record.draws());
            totals.losses += u128::from(record.losses());
        }
        totals
    }

    /// Points with byes.
    pub fn points(&self, engine: EngineIndex) -> f64 {
        self.total(engine).points() + self.byes(engine).points()
    }

    fn byes(&self, engine: EngineIndex) -> Byes {
        self.byes.get(engine).copied().unwrap_or_default()
    }

    /// The engines that this one has played.
    pub fn opponents(&self, engine: EngineIndex) -> impl Iterator<Item = EngineIndex> + '_ {
        (0..self.engines).filter(move |opponent| self.record(engine, *opponent).games() > 0)
    }

    /// Sonneborn-Berger: the points of each opponent times the points made against it, over all opponents (FIDE Handbook
    /// C.07, Tie-Break Regulations). A bye counts as against an opponent with the engine's own points.
    pub fn sonneborn_berger(&self, engine: EngineIndex) -> f64 {
        let made = |opponent| points_of(&self.record(engine, opponent));
        let games: f64 = self.opponents(engine).map(|opponent| self.points(opponent) * made(opponent)).sum();
        games + self.byes(engine).points() * self.points(engine)
    }

    /// Buchholz: the sum of the points of the opponents (FIDE Handbook C.07, Tie-Break Regulations). For
    /// Swiss tournaments, where each round is one encounter with another opponent; a bye counts as a round against an
    /// opponent with the engine's own points.
    pub fn buchholz(&self, engine: EngineIndex) -> f64 {
        let met: f64 = self.opponents(engine).map(|opponent| self.points(opponent)).sum();
        met + f64::from(self.byes(engine).rounds) * self.points(engine)
    }

    /// Buchholz without the weakest opponent ("Cut-1", FIDE Handbook C.07).
    pub fn buchholz_cut_1(&self, engine: EngineIndex) -> f64 {
        let own = (self.byes(engine).rounds > 0).then(|| self.points(engine));
        let met = self.opponents(engine).map(|opponent| self.points(opponent)).chain(own);
        let weakest = met.min_by(f64::total_cmp).unwrap_or(0.0);
        self.buchholz(engine) - weakest
    }
}

/// Sums over opponents, which can exceed what one record holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTotals {
    /// Games won.
    pub wins: u128,
    /// Games drawn.
    pub draws: u128,
    /// Games lost.
    pub losses: u128,
}

impl GameTotals {
    /// Points of these games.
    pub fn points(&self) -> f64 {
        (2 * self.wins + self.draws) as f64 / 2.0
    }
}

/// Points of the first engine in these games.
pub(super) fn points_of(games: &Trinomial) -> f64 {
    games.wins() as f64 + games.draws() as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round robin of four: 0 beat 1 and 2 and drew 3; 1 beat 2 and 3; 2 and 3 drew.
    fn round_robin() -> Crosstable {
        let mut table = Crosstable::new(4);
        for (engine, opponent, outcome) in [
            (0, 1, GameOutcome::Win),
            (0, 2, GameOutcome::Win),
            (3, 0, GameOutcome::Draw),
            (1, 2, GameOutcome::Win),
            (3, 1, GameOutcome::Loss),
            (2, 3, GameOutcome::Draw),
        ] {
            table.add(engine, opponent, outcome).unwrap();
        }
        table
    }

    #[test]
    fn points_and_sonneborn_berger() {
        let table = round_robin();
        assert_eq!([0, 1, 2, 3].map(|engine| table.points(engine)), [2.5, 2.0, 0.5, 1.0]);
        // 0: 2 + 0.5 + half of 1. 1: 0.5 + 1. 2: half of 1. 3: half of 2.5 and of 0.5.
        assert_eq!([0, 1, 2, 3].map(|engine| table.sonneborn_berger(engine)), [3.0, 1.5, 0.5, 1.5]);
        assert_eq!(table.record(3, 1), Trinomial::new(0, 0, 1).unwrap());
        assert_eq!(table.record(1, 3), Trinomial::new(1, 0, 0).unwrap());
    }

    #[test]
    fn buchholz_counts_opponents_and_byes() {
        let mut table = Crosstable::new(3);
        table.add(0, 1, GameOutcome::Win).unwrap();
        table.add(0, 1, GameOutcome::Draw).unwrap();
        table.add_bye(2, 4).unwrap();
        table.add(1, 2, GameOutcome::Win).unwrap();
        table.add_bye(0, 4).unwrap();
        // Points: 0 has 1.5 and a bye of 2, 1 has 0.5 and 1, 2 has a bye of 2.
        assert_eq!([0, 1, 2].map(|engine| table.points(engine)), [3.5, 1.5, 2.0]);
        assert_eq!(table.buchholz(0), 1.5 + 3.5);
        assert_eq!(table.buchholz(1), 3.5 + 2.0);
        assert_eq!(table.buchholz_cut_1(1), 3.5);
        assert_eq!(table.buchholz_cut_1(0), 3.5);
    }

    #[test]
    fn results_of_nobody_are_refused() {
        let mut table = Crosstable::new(2);
        assert_eq!(table.add(0, 2, GameOutcome::Win), Err(CrosstableError::NoSuchEngine(2)));
        assert_eq!(table.add(1, 1, GameOutcome::Win), Err(CrosstableError::AgainstItself(1)));
        assert_eq!(table.points(5), 0.0);
    }
}

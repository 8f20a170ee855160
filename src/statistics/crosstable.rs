//! Who scored what against whom.

use std::collections::BTreeMap;

use super::counts::{CountsError, GameOutcome, Trinomial};

/// The games of all engines against each other; engines are numbers from 0 on, here the places in a match file. Only
/// pairings that have met take memory, and the order in which games are counted in makes no difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable(BTreeMap<(usize, usize), Trinomial>);

impl Crosstable {
    /// Counts a game in; `outcome` is that of the first engine. An engine does not meet itself: such a game is left out.
    pub fn add(&mut self, [engine, opponent]: [usize; 2], outcome: GameOutcome) {
        if engine != opponent {
            self.0.entry((engine, opponent)).or_default().add(outcome);
            self.0.entry((opponent, engine)).or_default().add(outcome.reversed());
        }
    }

    /// Counts many games in, as the first engine scored them.
    ///
    /// # Errors
    /// More games of a pairing than [`MOST`](super::counts::MOST).
    pub fn add_games(&mut self, [engine, opponent]: [usize; 2], games: Trinomial) -> Result<(), CountsError> {
        if engine != opponent && games.games() > 0 {
            let sum = self.record(engine, opponent).plus(&games)?;
            self.0.insert((engine, opponent), sum);
            self.0.insert((opponent, engine), sum.mirrored());
        }
        Ok(())
    }

    /// The games of `engine` against `opponent`; none where they have not met.
    pub fn record(&self, engine: usize, opponent: usize) -> Trinomial {
        self.0.get(&(engine, opponent)).copied().unwrap_or_default()
    }

    /// Whom an engine has met, and its games against each, in the order of the opponents.
    pub fn opponents(&self, engine: usize) -> impl Iterator<Item = (usize, Trinomial)> {
        let row = self.0.range((engine, 0)..=(engine, usize::MAX));
        row.map(|((_, opponent), games)| (*opponent, *games))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_engines_have_the_game() {
        let mut table = Crosstable::default();
        table.add([0, 2], GameOutcome::Win);
        table.add([2, 0], GameOutcome::Draw);
        table.add([1, 1], GameOutcome::Win);
        assert_eq!(table.record(0, 2), Trinomial::new(1, 1, 0).unwrap());
        assert_eq!(table.record(2, 0), Trinomial::new(0, 1, 1).unwrap());
        assert_eq!((table.record(1, 1), table.record(0, 1)), (Trinomial::default(), Trinomial::default()));
        assert_eq!(table.opponents(0).map(|(opponent, _)| opponent).collect::<Vec<_>>(), [2]);
        assert_eq!(table.opponents(1).count(), 0);
    }

    #[test]
    fn games_in_whatever_order_and_portions_are_the_same_games() {
        let mut one_by_one = Crosstable::default();
        for (engines, outcome) in [
            ([1, 0], GameOutcome::Loss),
            ([0, 2], GameOutcome::Draw),
            ([0, 1], GameOutcome::Win),
            ([1, 0], GameOutcome::Draw),
        ] {
            one_by_one.add(engines, outcome);
        }
        let mut at_once = Crosstable::default();
        at_once.add_games([0, 1], Trinomial::new(1, 0, 0).unwrap()).unwrap();
        at_once.add_games([2, 0], Trinomial::new(0, 1, 0).unwrap()).unwrap();
        at_once.add_games([1, 0], Trinomial::new(0, 1, 1).unwrap()).unwrap();
        at_once.add_games([1, 2], Trinomial::default()).unwrap();
        assert_eq!(one_by_one, at_once);
    }
}

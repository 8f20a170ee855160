//! What each engine has scored against each other one.

use std::collections::BTreeMap;

/// What one engine has scored against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// Games played.
    pub games: u32,
    /// Scored in them, in half-points.
    pub half_points: u32,
}

/// The meetings of all engines, by their places in the match file. Only pairings that have met take memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable(BTreeMap<(usize, usize), Meeting>);

impl Crosstable {
    /// Counts a game in: what the first engine has scored, in half-points.
    pub fn add(&mut self, engines: [usize; 2], half_points: u32) {
        let [first, second] = engines;
        for (of, against, half_points) in [(first, second, half_points), (second, first, 2 - half_points)] {
            let meeting = self.0.entry((of, against)).or_default();
            meeting.games += 1;
            meeting.half_points += half_points;
        }
    }

    /// What an engine has scored against another one; `None`: they have not met.
    pub fn meeting(&self, of: usize, against: usize) -> Option<Meeting> {
        self.0.get(&(of, against)).copied()
    }

    /// Whom an engine has met, and what it scored.
    pub fn meetings(&self, of: usize) -> impl Iterator<Item = (usize, Meeting)> {
        self.0.range((of, 0)..=(of, usize::MAX)).map(|((_, against), meeting)| (*against, *meeting))
    }
}

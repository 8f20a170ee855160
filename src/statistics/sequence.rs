//! The sequential decision: results in any order, counted in the order of the schedule, decided once.

use std::collections::BTreeMap;

use super::counts::{Counts, GameOutcome, PairOutcome, Pentanomial, Trinomial};
use super::sprt::{SprtSettings, SprtState};

/// What a sequential test counts one by one: [`PairOutcome`], or [`GameOutcome`] where games are not paired.
pub trait Outcome: Copy {
    /// Counts of such outcomes.
    type Tally: Copy + Default + std::fmt::Debug;
    /// Counts one in.
    fn count_in(self, tally: &mut Self::Tally);
    /// The counts of the match.
    fn counts(tally: Self::Tally) -> Counts;
}

impl Outcome for PairOutcome {
    type Tally = Pentanomial;

    fn count_in(self, tally: &mut Pentanomial) {
        tally.add(self);
    }

    fn counts(tally: Pentanomial) -> Counts {
        Counts::Pairs(tally)
    }
}

impl Outcome for GameOutcome {
    type Tally = Trinomial;

    fn count_in(self, tally: &mut Trinomial) {
        tally.add(self);
    }

    fn counts(tally: Trinomial) -> Counts {
        Counts::Games(tally)
    }
}

/// The decision of a test, which nothing changes any more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The hypothesis that was accepted.
    pub accepted: Accepted,
    /// The log-likelihood ratio that crossed the bound.
    pub llr: f64,
    /// The results that were counted until then.
    pub counts: Counts,
}

/// The hypothesis that a test accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// The difference is `elo0`.
    H0,
    /// The difference is `elo1`.
    H1,
}

impl From<Accepted> for SprtState {
    fn from(accepted: Accepted) -> SprtState {
        match accepted {
            Accepted::H0 => SprtState::H0,
            Accepted::H1 => SprtState::H1,
        }
    }
}

/// A result that came twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the result of number {index} of the schedule (from 0) has been counted already")]
pub struct CountedTwice {
    /// Its place in the schedule.
    pub index: usize,
}

/// A sequential test that is fed with results as they come in.
///
/// Short games end first, so counting in the order of arrival would favour what ends games early. Counted is the
/// longest complete run of the schedule from its beginning; a result behind a gap waits. The test is decided at the
/// first result of this order at which the LLR crosses a bound, and stays so, whatever comes later.
///
/// ```
/// use arbiter::statistics::counts::PairOutcome;
/// use arbiter::statistics::sequence::SequentialTest;
/// use arbiter::statistics::sprt::{Model, SprtSettings, SprtState};
///
/// let settings = SprtSettings::new((0.0, 100.0), 0.05, 0.05, Model::Logistic, true)?;
/// let mut test = SequentialTest::new(settings);
/// test.record(1, PairOutcome::WinAndDraw)?; // waits for pair 0
/// assert_eq!((test.counted(), test.waiting()), (0, 1));
/// test.record(0, PairOutcome::TwoDraws)?;
/// assert_eq!((test.counted(), test.waiting()), (2, 0));
/// assert_eq!(test.state(), SprtState::Continue);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SequentialTest<O: Outcome> {
    settings: SprtSettings,
    tally: O::Tally,
    counted: usize,
    waiting: BTreeMap<usize, O>,
    llr: Option<f64>,
    decision: Option<Decision>,
}

impl<O: Outcome> SequentialTest<O> {
    /// A test with no results yet.
    pub fn new(settings: SprtSettings) -> SequentialTest<O> {
        let tally = O::Tally::default();
        let llr = settings.llr(&O::counts(tally)).ok();
        SequentialTest { settings, tally, counted: 0, waiting: BTreeMap::new(), llr, decision: None }
    }

    /// Takes the result of number `index` of the schedule, from 0.
    ///
    /// # Errors
    /// There is a result of that number already; nothing is changed then.
    pub fn record(&mut self, index: usize, outcome: O) -> Result<SprtState, CountedTwice> {
        if index < self.counted || self.waiting.contains_key(&index) {
            return Err(CountedTwice { index });
        }
        self.waiting.insert(index, outcome);
        while let Some(next) = self.waiting.remove(&self.counted) {
            self.count(next);
        }
        Ok(self.state())
    }

    fn count(&mut self, outcome: O) {
        outcome.count_in(&mut self.tally);
        self.counted += 1;
        let counts = O::counts(self.tally);
        self.llr = self.settings.llr(&counts).ok();
        if self.decision.is_some() {
            return;
        }
        let Some(llr) = self.llr else { return };
        let accepted = match self.settings.state(llr) {
            SprtState::Continue => return,
            SprtState::H0 => Accepted::H0,
            SprtState::H1 => Accepted::H1,
        };
        self.decision = Some(Decision { accepted, llr, counts });
    }

    /// Where the test stands.
    pub fn state(&self) -> SprtState {
        self.decision.map_or(SprtState::Continue, |decision| decision.accepted.into())
    }

    /// The decision, once there is one.
    pub fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    /// The LLR of what is counted now, also after the decision; `None` where there is none, which decides nothing.
    pub fn llr(&self) -> Option<f64> {
        self.llr
    }

    /// What is counted: the longest complete run of the schedule, also beyond the decision.
    pub fn counts(&self) -> Counts {
        O::counts(self.tally)
    }

    /// The length of that run.
    pub fn counted(&self) -> usize {
        self.counted
    }

    /// Results that wait for earlier ones.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The settings.
    pub fn settings(&self) -> &SprtSettings {
        &self.settings
    }
}

#[cfg(test)]
#[path = "sequence_tests.rs"]
mod tests;

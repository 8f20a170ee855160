//! Which search of an engine is open, and what its next `bestmove` is. Pure.
//!
//! | state | `bestmove` | `ponderhit` is due | to be called off |
//! | --- | --- | --- | --- |
//! | none | nobody's | no | nothing to do |
//! | asked | the answer: none | no | `stop`: stopping |
//! | pondering | held: answered early | written: asked | `stop`: stopping |
//! | answered early | nobody's | the held move is the answer: none | dropped: none |
//! | stopping | dropped: none | no | awaited |
//! | broken | nobody's | the fault | the fault |

use std::time::Instant;

use super::fault::Fault;

/// The search that an engine has been told to make and has not been freed of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OpenSearch {
    /// None: it owes nothing.
    #[default]
    None,
    /// `go` or `ponderhit` was written: its `bestmove` is the answer.
    Asked,
    /// `go ponder` was written: it thinks on its opponent's time.
    Pondering {
        /// When that was, as long as it has printed nothing since.
        silent_since: Option<Instant>,
    },
    /// Its `bestmove` came while it pondered, and is held.
    AnsweredEarly,
    /// `stop` was written: its `bestmove` is nobody's answer.
    Stopping,
    /// Its line of communication broke while it pondered.
    Broken(Fault),
}

/// What follows when the move is made on which an engine was to ponder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnHit {
    /// `ponderhit` is to be written, and `bestmove` awaited.
    Write,
    /// The `bestmove` that was held is the answer.
    Held,
    /// It does not ponder: it has to be asked.
    NotPondering,
}

/// What follows when a search is wanted no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnCallOff {
    /// `stop` is to be written, and `bestmove` awaited.
    Stop,
    /// `stop` has been written: `bestmove` is awaited.
    Await,
    /// The `bestmove` that was held is dropped: nothing is owed.
    HeldDropped,
    /// No search was open.
    NothingOpen,
}

impl OpenSearch {
    /// Whether lines that come are those of a search on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        matches!(self, OpenSearch::Pondering { .. })
    }

    /// When a search on the opponent's time was asked for that has not shown any sign of life.
    pub fn silent_since(&self) -> Option<Instant> {
        match self {
            OpenSearch::Pondering { silent_since } => *silent_since,
            _ => None,
        }
    }

    /// A line has come.
    pub fn heard(&mut self) {
        if let OpenSearch::Pondering { silent_since } = self {
            *silent_since = None;
        }
    }

    /// Whether an answer is still owed.
    pub fn is_open(&self) -> bool {
        matches!(self, OpenSearch::Asked | OpenSearch::Pondering { .. } | OpenSearch::Stopping)
    }

    /// A complete `bestmove` has come.
    pub fn best_move(&mut self) {
        *self = match std::mem::take(self) {
            OpenSearch::None | OpenSearch::Asked | OpenSearch::Stopping => OpenSearch::None,
            OpenSearch::Pondering { .. } | OpenSearch::AnsweredEarly => OpenSearch::AnsweredEarly,
            OpenSearch::Broken(fault) => OpenSearch::Broken(fault),
        };
    }

    /// The opponent has made the move on which the engine was to ponder.
    ///
    /// # Errors
    /// What broke while it pondered.
    pub fn hit(&mut self) -> Result<OnHit, Fault> {
        let (next, follows) = match self {
            OpenSearch::Pondering { .. } => (OpenSearch::Asked, OnHit::Write),
            OpenSearch::AnsweredEarly => (OpenSearch::None, OnHit::Held),
            OpenSearch::None | OpenSearch::Asked | OpenSearch::Stopping => return Ok(OnHit::NotPondering),
            OpenSearch::Broken(fault) => return Err(fault.clone()),
        };
        *self = next;
        Ok(follows)
    }

    /// The search is wanted no more: the opponent has made another move, or the game is over.
    ///
    /// # Errors
    /// What broke while it pondered.
    pub fn call_off(&mut self) -> Result<OnCallOff, Fault> {
        let (next, follows) = match self {
            OpenSearch::Asked | OpenSearch::Pondering { .. } => (OpenSearch::Stopping, OnCallOff::Stop),
            OpenSearch::AnsweredEarly => (OpenSearch::None, OnCallOff::HeldDropped),
            OpenSearch::Stopping => return Ok(OnCallOff::Await),
            OpenSearch::None => return Ok(OnCallOff::NothingOpen),
            OpenSearch::Broken(fault) => return Err(fault.clone()),
        };
        *self = next;
        Ok(follows)
    }
}

#[cfg(test)]
mod tests {
    use super::OpenSearch::{AnsweredEarly, Asked, Broken, None, Stopping};
    use super::*;

    const PONDERING: OpenSearch = OpenSearch::Pondering { silent_since: Option::None };

    /// The table at the top of this file.
    #[test]
    fn p_19_each_state_says_what_a_bestmove_a_hit_and_a_miss_are() {
        let broken = || Broken(Fault::LineTooLong);
        let hits = |follows| Ok::<OnHit, Fault>(follows);
        let offs = |follows| Ok::<OnCallOff, Fault>(follows);
        for (state, best_move, (on_hit, hit), (on_call_off, called_off)) in [
            (None, None, (hits(OnHit::NotPondering), None), (offs(OnCallOff::NothingOpen), None)),
            (Asked, None, (hits(OnHit::NotPondering), Asked), (offs(OnCallOff::Stop), Stopping)),
            (PONDERING, AnsweredEarly, (hits(OnHit::Write), Asked), (offs(OnCallOff::Stop), Stopping)),
            (AnsweredEarly, AnsweredEarly, (hits(OnHit::Held), None), (offs(OnCallOff::HeldDropped), None)),
            (Stopping, None, (hits(OnHit::NotPondering), Stopping), (offs(OnCallOff::Await), Stopping)),
            (broken(), broken(), (Err(Fault::LineTooLong), broken()), (Err(Fault::LineTooLong), broken())),
        ] {
            let mut after = state.clone();
            after.best_move();
            assert_eq!(after, best_move, "bestmove while {state:?}");
            let mut after = state.clone();
            assert_eq!((after.hit(), &after), (on_hit, &hit), "hit while {state:?}");
            let mut after = state.clone();
            assert_eq!((after.call_off(), &after), (on_call_off, &called_off), "called off while {state:?}");
        }
    }

    #[test]
    fn p_19_a_bestmove_that_crosses_the_stop_is_the_one_that_is_owed() {
        let mut search = PONDERING;
        assert_eq!(search.call_off(), Ok(OnCallOff::Stop));
        search.best_move();
        assert_eq!(search, None);
    }

    #[test]
    fn a_pondering_engine_is_silent_until_its_first_line() {
        let start = Instant::now();
        let mut search = OpenSearch::Pondering { silent_since: Some(start) };
        assert_eq!(search.silent_since(), Some(start));
        search.heard();
        assert_eq!(search, PONDERING);
    }

    #[test]
    fn p_19_one_held_bestmove_answers_one_search() {
        let mut search = PONDERING;
        search.best_move();
        assert_eq!(search.hit(), Ok(OnHit::Held));
        assert_eq!(search.hit(), Ok(OnHit::NotPondering));
    }
}

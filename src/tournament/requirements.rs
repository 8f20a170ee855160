//! What a match file requires of a run's results: the key `require`, and a sequential test, which is a requirement too.

use super::outcome::Outcome;
use super::scoreboard::Scoreboard;
use crate::statistics::sprt::SprtState;

/// What is required; `None`: nothing of that kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Requirements {
    /// The least score of the first engine, as a part of 1.
    pub min_score: Option<f64>,
    /// The most games that ended by a fallen flag.
    pub max_time_forfeits: Option<u32>,
    /// The most games that ended because an engine's process was gone or did not answer.
    pub max_crashes: Option<u32>,
    /// The most games that ended by an illegal move, or by anything else that is no UCI.
    pub max_illegal_moves: Option<u32>,
    /// Whether every game has to end by an article of the Laws: no adjudication, no crash.
    pub ends_by_law: EndsByLaw,
}

/// How games have to end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndsByLaw {
    /// In any way.
    #[default]
    NotRequired,
    /// By an article of the Laws.
    Required,
}

/// A requirement and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The key of the match file.
    pub name: &'static str,
    /// Whether it is met.
    pub met: Met,
    /// What was required, and what there is.
    pub words: String,
}

/// Whether a requirement is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// It is.
    Yes,
    /// It is not.
    No,
}

impl From<bool> for Met {
    fn from(met: bool) -> Met {
        if met { Met::Yes } else { Met::No }
    }
}

/// The faults that are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// `max_time_forfeits`
    TimeForfeit,
    /// `max_crashes`
    Crash,
    /// `max_illegal_moves`
    IllegalMove,
}

impl FaultKind {
    /// The fault that the machine name of a reason stands for; `None` for ends that are no engine's fault.
    pub fn of_reason(reason: &str) -> Option<FaultKind> {
        match reason {
            "flag_fall" => Some(FaultKind::TimeForfeit),
            "disconnect" | "stall" => Some(FaultKind::Crash),
            "illegal_move" | "protocol_violation" => Some(FaultKind::IllegalMove),
            _ => None,
        }
    }

    /// The key of the match file that limits it.
    pub fn key(self) -> &'static str {
        match self {
            FaultKind::TimeForfeit => "max_time_forfeits",
            FaultKind::Crash => "max_crashes",
            FaultKind::IllegalMove => "max_illegal_moves",
        }
    }

    fn is(self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::FlagFall => self == FaultKind::TimeForfeit,
            Outcome::Disconnect | Outcome::Stall => self == FaultKind::Crash,
            Outcome::IllegalMove | Outcome::ProtocolViolation => self == FaultKind::IllegalMove,
            _ => false,
        }
    }
}

impl Requirements {
    /// Judges the results of a run that is over; in the order of the match file, the sequential test first.
    pub fn judge(&self, scoreboard: &Scoreboard) -> Vec<Judged> {
        let Requirements { min_score, max_time_forfeits, max_crashes, max_illegal_moves, ends_by_law } =
            *self;
        let sprt = scoreboard.test().map(|test| {
            let state = test.state();
            let words = match state {
                SprtState::H1 => "H1 is accepted",
                SprtState::H0 => "H0 is accepted",
                SprtState::Continue => "nothing is decided",
            };
            Judged { name: "sprt", met: (state == SprtState::H1).into(), words: words.to_owned() }
        });
        let faults = [
            (FaultKind::TimeForfeit, max_time_forfeits),
            (FaultKind::Crash, max_crashes),
            (FaultKind::IllegalMove, max_illegal_moves),
        ];
        let faults =
            faults.into_iter().filter_map(|(kind, most)| Some(judge_faults(scoreboard, kind, most?)));
        let score = min_score.map(|least| judge_score(scoreboard, least));
        let law = (ends_by_law == EndsByLaw::Required).then(|| judge_ends(scoreboard));
        sprt.into_iter().chain(score).chain(faults).chain(law).collect()
    }
}

fn judge_score(scoreboard: &Scoreboard, least: f64) -> Judged {
    let first = scoreboard.standings().tallies().first().filter(|tally| tally.games() > 0);
    let score = first.map(|tally| f64::from(tally.half_points()) / 2.0 / f64::from(tally.games()));
    let words = match (first, score) {
        (Some(tally), Some(score)) => {
            format!("{} scored {score:.3}, at least {least} is required", tally.name)
        }
        _ => "no game was played".to_owned(),
    };
    Judged { name: "min_score", met: score.is_some_and(|score| score >= least).into(), words }
}

fn judge_faults(scoreboard: &Scoreboard, kind: FaultKind, most: u32) -> Judged {
    let tallies = scoreboard.standings().tallies().iter();
    let outcomes = tallies.flat_map(|tally| tally.outcomes.iter());
    let count: u32 = outcomes.filter(|(outcome, _)| kind.is(**outcome)).map(|(_, games)| games).sum();
    let what = match kind {
        FaultKind::TimeForfeit => "a fallen flag",
        FaultKind::Crash => "a crash or stall",
        FaultKind::IllegalMove => "an illegal move",
    };
    let games = if count == 1 { "1 game".to_owned() } else { format!("{count} games") };
    let words = format!("{games} ended by {what}, at most {most} may");
    Judged { name: kind.key(), met: (count <= most).into(), words }
}

fn judge_ends(scoreboard: &Scoreboard) -> Judged {
    let reasons = scoreboard.standings().reasons();
    let others: Vec<String> = reasons
        .iter()
        .filter(|count| count.article.is_none())
        .map(|count| format!("{} by {}", count.games, count.reason))
        .collect();
    let words = match others.as_slice() {
        [] => "every game ended by the Laws".to_owned(),
        others => format!("games ended otherwise than by the Laws: {}", others.join(", ")),
    };
    Judged { name: "ends_by_law", met: others.is_empty().into(), words }
}

#[cfg(test)]
mod tests {
    use shakmaty::{ByColor, Color};

    use super::*;
    use crate::game::game_id::GameId;
    use crate::law::verdict::{Forfeit, MatingChance, Verdict};
    use crate::tournament::finished_game::FinishedGame;

    /// Alpha, always White, after games that ended so.
    fn after(verdicts: &[Verdict]) -> Scoreboard {
        let mut scoreboard = Scoreboard::new(["Alpha".to_owned(), "Beta".to_owned()], false, None);
        for (verdict, number) in verdicts.iter().zip(1..) {
            let id = GameId { number, round: number, game: 1 };
            let engines = ByColor { white: 0, black: 1 };
            scoreboard.add(&FinishedGame { id, engines, verdict: verdict.clone() }).unwrap();
        }
        scoreboard
    }

    fn lost(forfeit: Forfeit) -> Verdict {
        Verdict::forfeit(Color::White, forfeit, MatingChance::Possible)
    }

    fn met(requirements: Requirements, verdicts: &[Verdict]) -> bool {
        let judged = requirements.judge(&after(verdicts));
        assert_eq!(judged.len(), 1, "{judged:?}");
        judged[0].met == Met::Yes
    }

    #[test]
    fn a_score_is_the_first_engines() {
        let least = |score| Requirements { min_score: Some(score), ..Requirements::default() };
        let games = [Verdict::checkmate(Color::White), Verdict::stalemate()];
        assert!(met(least(0.75), &games));
        assert!(!met(least(0.76), &games));
        assert!(!met(least(0.0), &[]), "no game is no score");
    }

    #[test]
    fn faults_of_either_engine_count_each_under_its_key() {
        use Forfeit::{Disconnect, FlagFall, IllegalMove, ProtocolViolation, Resignation, Stall};
        let none = Requirements::default();
        let time = |most| Requirements { max_time_forfeits: Some(most), ..none };
        let crashes = |most| Requirements { max_crashes: Some(most), ..none };
        let illegal = |most| Requirements { max_illegal_moves: Some(most), ..none };
        // Drawn, because the opponent could not mate, and yet a fault.
        let drawn = Verdict::forfeit(Color::Black, FlagFall, MatingChance::Impossible);
        let games = [
            lost(FlagFall),
            drawn,
            lost(Stall),
            lost(Disconnect),
            lost(IllegalMove),
            lost(ProtocolViolation),
        ];
        let limits: [&dyn Fn(u32) -> Requirements; 3] = [&time, &crashes, &illegal];
        for requirements in limits {
            assert!(met(requirements(2), &games));
            assert!(!met(requirements(1), &games));
            assert!(met(requirements(0), &[lost(Resignation), Verdict::stalemate()]));
        }
    }

    #[test]
    fn an_end_without_an_article_is_none_of_the_laws() {
        let law = Requirements { ends_by_law: EndsByLaw::Required, ..Requirements::default() };
        assert!(met(law, &[lost(Forfeit::FlagFall), Verdict::stalemate(), lost(Forfeit::Resignation)]));
        assert!(!met(law, &[Verdict::stalemate(), lost(Forfeit::Stall)]));
    }

    #[test]
    fn where_nothing_is_required_nothing_is_judged() {
        assert_eq!(Requirements::default().judge(&after(&[lost(Forfeit::Stall)])), []);
    }
}

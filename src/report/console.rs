//! One line for each finished game, with the score so far.

use std::sync::{Mutex, PoisonError};

use super::counted::{counted, points};
use super::screen::Outlet;
use crate::game::record::GameRecord;
use crate::openings::OpeningsSpec;
use crate::statistics::block::fixed;
use crate::tournament::event::{Event, SPRT_DECIDED, Sink};
use crate::tournament::scoreboard::Scoreboard;
use crate::tournament::standings::Standings;

/// Prints a line for each finished game.
pub struct Console {
    /// Games planned; `None`: as many as it takes.
    games: Mutex<Option<u32>>,
    results: Outlet,
}

impl Console {
    /// Prints by this way.
    pub fn new(results: Outlet) -> Console {
        Console { games: Mutex::new(None), results }
    }

    fn line(&self, event: &Event<'_>) -> Option<String> {
        match event {
            Event::MatchStarted { engines, games, openings, .. } => {
                *self.games.lock().unwrap_or_else(PoisonError::into_inner) = *games;
                Some(first_line(engines, *games, *openings))
            }
            Event::Scored { game, scoreboard } => {
                let games = *self.games.lock().unwrap_or_else(PoisonError::into_inner);
                Some(game_line(game, scoreboard, games))
            }
            Event::GameAnnulled { game, reason, annulment: None } => {
                let why = match *reason {
                    SPRT_DECIDED => "the test is decided",
                    "run_failed" => "the run can't go on",
                    reason => reason,
                };
                Some(format!("Game {game}  dropped: {why}"))
            }
            Event::GameAnnulled { game, annulment: Some(annulment), .. } => {
                Some(format!("Game {game}  annulled and played again: {}", annulment.detail))
            }
            Event::Concurrency(games) => Some(format!("{} at once from now on", counted(*games, "game"))),
            Event::Game(..) | Event::GameEnded(_) | Event::EngineFault { .. } | Event::MatchEnded { .. } => {
                None
            }
        }
    }
}

impl Sink for Console {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        // Most events are moves, and have no line.
        if let Some(line) = self.line(event) {
            self.results.send(line + "\n");
        }
        Ok(())
    }
}

fn first_line(engines: &[String], games: Option<u32>, openings: Option<&OpeningsSpec>) -> String {
    let seed = openings.and_then(OpeningsSpec::seed);
    let order = seed.map_or(String::new(), |seed| format!(", openings in the order of seed {seed}"));
    let names = engines.join(if engines.len() == 2 { " against " } else { ", " });
    let games = games.map_or("games until the test is decided".to_owned(), |games| counted(games, "game"));
    format!("{names}: {games}{order}")
}

fn game_line(game: &GameRecord, scoreboard: &Scoreboard, games: Option<u32>) -> String {
    let finished = scoreboard.finished();
    // The extra games of a knockout are not among those planned.
    let of = games.map_or(String::new(), |games| format!(" of {}", games.max(finished)));
    format!(
        "Game {} ({finished}{of})  {} – {}  {}  {}  [{}]",
        game.id,
        game.names.white,
        game.names.black,
        game.verdict.result(),
        game.sentence(),
        score(scoreboard.standings(), game) + &llr(scoreboard),
    )
}

/// How the sequential test stands, where there is one.
fn llr(scoreboard: &Scoreboard) -> String {
    let Some(test) = scoreboard.test() else { return String::new() };
    let llr = test.llr.map_or("n/a".to_owned(), |llr| fixed(llr, 2));
    let (lower, upper) = (fixed(test.settings.lower(), 2), fixed(test.settings.upper(), 2));
    format!("; LLR {llr} ({lower}, {upper})")
}

/// How the two engines of a game stand against each other.
fn score(standings: &Standings, game: &GameRecord) -> String {
    let tallies = standings.tallies();
    if let [first, second] = tallies {
        let both =
            [first, second].map(|tally| format!("{} {}", tally.name, points(tally.half_points().into())));
        return both.join(", ");
    }
    let met: Vec<usize> = (0..tallies.len())
        .filter(|place| [&game.names.white, &game.names.black].contains(&&tallies[*place].name))
        .collect();
    let against = |of: usize, other: usize| standings.crosstable().record(of, other).half_points();
    match met.as_slice() {
        [one, other] => [(*one, *other), (*other, *one)]
            .map(|(of, against_whom)| format!("{} {}", tallies[of].name, points(against(of, against_whom))))
            .join(", "),
        _ => String::new(),
    }
}

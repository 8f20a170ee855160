//! One line for each finished game, with the score so far.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use super::counted::{counted, points};
use crate::game::record::GameRecord;
use crate::openings::OpeningsSpec;
use crate::tournament::event::{Event, Sink};
use crate::tournament::standings::Standings;

/// Prints a line for each finished game. A closed stdout (`| head`) stops the printing, not the match.
pub struct Console {
    state: Mutex<State>,
    quiet: bool,
}

struct State {
    standings: Standings,
    games: u32,
    finished: u32,
}

impl Console {
    /// `quiet` prints nothing.
    pub fn new(names: impl IntoIterator<Item = String>, quiet: bool) -> Console {
        let state = State { standings: Standings::new(names), games: 0, finished: 0 };
        Console { state: Mutex::new(state), quiet }
    }
}

impl Sink for Console {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        // Games at the board must not wait for one whose line a slow terminal holds up.
        if matches!(event, Event::Game(..)) {
            return Ok(());
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let line = match event {
            Event::MatchStarted { engines, games, openings, .. } => {
                state.games = *games;
                let seed = openings.and_then(OpeningsSpec::seed);
                let order =
                    seed.map_or(String::new(), |seed| format!(", openings in the order of seed {seed}"));
                let names = engines.join(if engines.len() == 2 { " against " } else { ", " });
                Some(format!("{names}: {}{order}", counted(*games, "game")))
            }
            Event::GameEnded(game) => {
                state.finished += 1;
                // The extra pairs of a knockout are not among the games planned.
                state.games = state.games.max(state.finished);
                state.standings.add(game);
                Some(format!(
                    "Game {} ({} of {})  {} – {}  {}  {}  [{}]",
                    game.id,
                    state.finished,
                    state.games,
                    game.names.white,
                    game.names.black,
                    game.verdict.result(),
                    game.sentence(),
                    score(&state.standings, game),
                ))
            }
            Event::GameAnnulled { game, reason, annulment: None } => {
                Some(format!("Game {game}  dropped: {reason}"))
            }
            Event::GameAnnulled { game, annulment: Some(annulment), .. } => {
                Some(format!("Game {game}  annulled and played again: {}", annulment.detail))
            }
            Event::Game(..) | Event::EngineFault { .. } | Event::MatchEnded { .. } => None,
        };
        if let Some(line) = line.filter(|_| !self.quiet) {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
        }
        Ok(())
    }
}

/// How the two engines of a game stand against each other.
fn score(standings: &Standings, game: &GameRecord) -> String {
    let tallies = standings.tallies();
    if let [first, second] = tallies {
        let both = [first, second].map(|tally| format!("{} {}", tally.name, points(tally.half_points())));
        return both.join(", ");
    }
    let met: Vec<usize> = (0..tallies.len())
        .filter(|place| [&game.names.white, &game.names.black].contains(&&tallies[*place].name))
        .collect();
    let against =
        |of: usize, other: usize| standings.crosstable().meeting(of, other).unwrap_or_default().half_points;
    match met.as_slice() {
        [one, other] => [(*one, *other), (*other, *one)]
            .map(|(of, against_whom)| format!("{} {}", tallies[of].name, points(against(of, against_whom))))
            .join(", "),
        _ => String::new(),
    }
}

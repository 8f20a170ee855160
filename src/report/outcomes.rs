//! How the games ended for each engine.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::summary::name_width;
use crate::tournament::outcome::Outcome;
use crate::tournament::standings::Standings;

/// A row for each engine, a column for each outcome that occurred; empty where no game has ended.
pub(super) fn render(standings: &Standings) -> String {
    let tallies = standings.tallies();
    let outcomes: BTreeSet<Outcome> =
        tallies.iter().flat_map(|tally| tally.outcomes.keys().copied()).collect();
    if outcomes.is_empty() {
        return String::new();
    }
    let columns: Vec<(Outcome, [&str; 2], usize)> = outcomes
        .into_iter()
        .map(|outcome| {
            let heading = heading(outcome);
            (outcome, heading, heading.map(str::len).into_iter().max().unwrap_or(0).max(5))
        })
        .collect();
    let names = name_width(standings);
    let mut text = "\nHow they ended for each engine\n".to_owned();
    for (line, name) in ["", "engine"].into_iter().enumerate() {
        let words = columns.iter().map(|(_, heading, width)| format!("  {:>width$}", heading[line]));
        text.push_str(format!("{name:names$}{}", words.collect::<String>()).trim_end());
        text.push('\n');
    }
    for tally in tallies {
        let _ = write!(text, "{:names$}", tally.name);
        for (outcome, _, width) in &columns {
            // Writing to a string can't fail.
            let _ = write!(text, "  {:>width$}", tally.outcomes.get(outcome).copied().unwrap_or(0));
        }
        text.push('\n');
    }
    text
}

/// In two lines, so that many columns fit beside each other.
fn heading(outcome: Outcome) -> [&'static str; 2] {
    match outcome {
        Outcome::MateGiven => ["mates", "given"],
        Outcome::MateReceived => ["mates", "received"],
        Outcome::Stalemate => ["stale-", "mates"],
        Outcome::DeadPosition => ["dead", "positions"],
        Outcome::FivefoldRepetition => ["fivefold", "repetitions"],
        Outcome::SeventyFiveMoveRule => ["75-move", "rule"],
        Outcome::ThreefoldRepetition => ["threefold", "repetitions"],
        Outcome::FiftyMoveRule => ["50-move", "rule"],
        Outcome::Agreement => ["draws", "agreed"],
        Outcome::Resigned => ["resig-", "nations"],
        Outcome::FlagFall => ["flag", "falls"],
        Outcome::IllegalMove => ["illegal", "moves"],
        Outcome::ProtocolViolation => ["protocol", "violations"],
        Outcome::Disconnect => ["discon-", "nections"],
        Outcome::Stall => ["", "stalls"],
        Outcome::OpponentForfeited => ["opponent", "forfeited"],
        Outcome::AdjudicatedWin => ["adjudged", "won"],
        Outcome::AdjudicatedDraw => ["adjudged", "drawn"],
        Outcome::AdjudicatedLoss => ["adjudged", "lost"],
    }
}

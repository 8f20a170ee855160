//! The encounters of a knockout or a Swiss tournament, round by round.

use std::fmt::Write;

use super::summary::halves;
use crate::tournament::schedule::encounter::Encounter;
use crate::tournament::schedule::knockout::{Decision, Knockout, Side, Slot};
use crate::tournament::schedule::swiss::Swiss;
use crate::tournament::standings::Standings;

/// The longest list of encounters: a longer one is in the records.
const MOST_ENCOUNTERS: usize = 200;

/// The bracket of a knockout with its results.
pub(super) fn bracket(standings: &Standings, knockout: &Knockout) -> String {
    if knockout.rounds().iter().map(Vec::len).sum::<usize>() > MOST_ENCOUNTERS {
        return String::new();
    }
    let mut text = String::new();
    let rounds = knockout.rounds().len();
    let extra = if knockout.in_pairs() { "extra pair" } else { "extra game" };
    for (round, slots) in knockout.rounds().iter().enumerate() {
        let title = match rounds - round {
            1 => "Final".to_owned(),
            2 => "Semifinals".to_owned(),
            _ => format!("Round {}", round + 1),
        };
        // Writing to a string can't fail.
        let _ = writeln!(text, "\n{title}");
        for slot in slots {
            let _ = writeln!(text, "  {}", slot_line(standings, slot, round, extra));
        }
    }
    if let Some(winner) = knockout.winner() {
        let _ = writeln!(text, "\nWinner: {}", name(standings, winner));
    }
    text
}

/// `extra` is what a level encounter is made longer by.
fn slot_line(standings: &Standings, slot: &Slot, round: usize, extra: &str) -> String {
    let players = match slot.encounter() {
        Some(encounter) => score(standings, encounter),
        None => {
            let sides: Vec<String> = slot
                .sides()
                .iter()
                .map(|side| match side {
                    Side::Known(engine) => name(standings, *engine).to_owned(),
                    Side::WinnerOf(_) => "(not decided)".to_owned(),
                    Side::Nobody => "(bye)".to_owned(),
                })
                .collect();
            sides.join(" – ")
        }
    };
    let number = slot.number().map_or_else(String::new, |number| format!("{}.{number}", round + 1));
    format!("{number:5} {players}{}", decision(standings, slot, extra))
}

fn decision(standings: &Standings, slot: &Slot, extra: &str) -> String {
    match slot.decided() {
        Some((Some(winner), decision)) => {
            let winner = name(standings, winner);
            match decision {
                Decision::Score | Decision::Bye => String::new(),
                Decision::TieBreak(1) => format!("  {winner} wins the {extra}"),
                Decision::TieBreak(number) => format!("  {winner} wins after {number} {extra}s"),
                Decision::HigherSeed => format!("  {winner} advances as the higher seed"),
                Decision::Walkover => format!("  {winner} advances: its opponent plays no more"),
            }
        }
        Some((None, _)) => "  nobody advances".to_owned(),
        None if slot.encounter().is_some() => "  not decided".to_owned(),
        None => String::new(),
    }
}

/// The rounds of a Swiss tournament with their results.
pub(super) fn swiss(standings: &Standings, swiss: &Swiss) -> String {
    if swiss.paired().iter().map(|round| round.encounters.len()).sum::<usize>() > MOST_ENCOUNTERS {
        return String::new();
    }
    let mut text = String::new();
    for (round, number) in swiss.paired().iter().zip(1..) {
        let _ = writeln!(text, "\nRound {number}");
        for encounter in &round.encounters {
            let [first, second] = encounter.awarded();
            let given = match first + second {
                0 => String::new(),
                given => format!("  {:.1} given for games not played", halves(given)),
            };
            let _ = writeln!(text, "  {}{given}", score(standings, encounter));
        }
        if let Some(engine) = round.bye {
            let _ = writeln!(text, "  {}  bye", name(standings, engine));
        }
    }
    text
}

fn score(standings: &Standings, encounter: &Encounter) -> String {
    let ([first, second], [own, theirs]) = (encounter.players(), encounter.half_points());
    format!(
        "{} {:.1} – {:.1} {}",
        name(standings, first),
        halves(own),
        halves(theirs),
        name(standings, second)
    )
}

fn name(standings: &Standings, engine: usize) -> &str {
    standings.tallies().get(engine).map_or("?", |tally| &tally.name)
}

//! The schedule of a match file: laid out, and shown before it is played.

use std::io::Write;

use super::run::{Refusal, not_played, usage};
use crate::config::settings::{self, MatchSettings};
use crate::exit_code::Exit;
use crate::openings::{Openings, PerOpening};
use crate::records::database::StoredSchedule;
use crate::tournament::schedule::knockout::EXTRA;
use crate::tournament::schedule::{Format, Participant, Plan, PlannedGame, Schedule};

/// Lays out the schedule of a match file.
///
/// # Errors
/// More games than can be numbered.
pub(super) fn of(settings: &MatchSettings) -> Result<Schedule, Refusal> {
    stored(settings).lay_out().map_err(usage)
}

/// What the schedule of a match file is laid out from.
pub(super) fn stored(settings: &MatchSettings) -> StoredSchedule {
    let openings = per_opening(settings);
    // Two engines meet in one way, whatever the format.
    let Some(rounds) = settings.rounds else {
        return StoredSchedule::of_open_ended_match(settings.pairs, openings);
    };
    StoredSchedule::of(&Plan {
        format: match settings.format {
            settings::Format::Match => Format::Match,
            settings::Format::RoundRobin => Format::RoundRobin,
            settings::Format::Gauntlet { seeds } => Format::Gauntlet { seeds },
            settings::Format::Knockout => Format::Knockout,
            settings::Format::Swiss => Format::Swiss,
        },
        engines: settings.engines.len(),
        rounds: rounds.get(),
        pairs: settings.pairs,
        openings,
    })
}

/// Which games share an opening.
pub(super) fn per_opening(settings: &MatchSettings) -> PerOpening {
    match settings.openings.as_ref().map(|openings| openings.per) {
        None | Some(settings::PerOpening::Pair) => PerOpening::Pair,
        Some(settings::PerOpening::Round) => PerOpening::Round,
    }
}

/// So many games of an open-ended match are shown.
const SHOWN: u32 = 20;

/// Prints every game that is planned, of an open-ended match the first ones.
///
/// # Errors
/// The book can't be read.
pub(super) fn show(
    settings: &MatchSettings,
    schedule: &Schedule,
    openings: &mut Openings,
) -> Result<Exit, Refusal> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let games = schedule.games();
    for game in (0..games.unwrap_or(SHOWN)).map_while(|index| schedule.planned(index)) {
        let line = line(settings, &game, openings)?;
        // A closed stdout wants no more of it.
        if writeln!(out, "{line}").is_err() {
            break;
        }
    }
    if matches!(schedule, Schedule::Knockout(_)) {
        let what = if settings.pairs { "pairs" } else { "games" };
        let _ = writeln!(
            out,
            "A level encounter goes on with up to {EXTRA} extra {what}; then the engine that stands higher in the file advances."
        );
    }
    if games.is_none() {
        let _ = writeln!(out, "… and so on until the sequential test is decided (`rounds` would limit it).");
    }
    let _ = out.flush();
    Ok(Exit::Done)
}

fn line(settings: &MatchSettings, game: &PlannedGame, openings: &mut Openings) -> Result<String, Refusal> {
    let opening = openings.opening_for_pair(game.opening).map_err(not_played)?.opening;
    let players = game.players.map(|player| match player {
        Participant::Engine(place) => settings.engines[place].name.clone(),
        Participant::WinnerOf { round, encounter } => format!("winner of encounter {round}.{encounter}"),
        Participant::PairedAfter { round, board } => {
            format!("board {board}, paired by the results up to round {round}")
        }
        Participant::Nobody => "nobody".to_owned(),
    });
    let start = opening.fen.as_deref().unwrap_or("startpos");
    let book = match opening.book.as_slice() {
        [] => String::new(),
        moves => format!(" moves {}", moves.join(" ")),
    };
    let players = match game.players.white {
        // Who has which colour is not known either.
        Participant::PairedAfter { .. } => players.white,
        _ => format!("{} – {}", players.white, players.black),
    };
    Ok(format!("Game {}  {players}  {start}{book}", game.id))
}

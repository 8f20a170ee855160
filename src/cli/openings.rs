//! The openings of a match file: opened, and what there is to say of them told.

use shakmaty::CastlingMode;

use super::run::{Refusal, usage};
use super::schedule;
use super::stderr::tell;
use crate::config::LoadedMatch;
use crate::config::diagnostic::Diagnostic;
use crate::config::settings::{BadLines, MatchSettings, OpeningOrder, OpeningSource, Variant};
use crate::exit_code::Exit;
use crate::openings::{
    self as book, Opening, Openings, OpeningsError, OpeningsSource, OpeningsSpec, Sequence, Warning,
};
use crate::tournament::dispatcher::OpeningSupply;
use crate::tournament::schedule::Schedule;

fn spec(settings: &MatchSettings) -> OpeningsSpec {
    let mode = match settings.variant {
        Variant::Standard => CastlingMode::Standard,
        Variant::Chess960 => CastlingMode::Chess960,
    };
    let Some(wanted) = &settings.openings else {
        return OpeningsSpec {
            mode,
            dead_position: settings.dead_position,
            ..OpeningsSpec::new(OpeningsSource::Initial)
        };
    };
    let source = match &wanted.source {
        OpeningSource::File(path, _) => OpeningsSource::File(path.clone()),
        OpeningSource::Fens(fens) => OpeningsSource::Fens(fens.iter().map(|(fen, _)| fen.clone()).collect()),
    };
    OpeningsSpec {
        source,
        sequence: match wanted.order {
            OpeningOrder::Sequential => Sequence::AsInFile,
            OpeningOrder::Random(seed) => Sequence::Shuffled(seed),
        },
        start: wanted.start,
        plies: wanted.plies,
        per: schedule::per_opening(settings),
        bad_lines: match wanted.bad_lines {
            BadLines::Skip => book::BadLines::Skip,
            BadLines::Refuse => book::BadLines::Refuse,
        },
        mode,
        dead_position: settings.dead_position,
    }
}

/// Opens the openings of a match file and tells what there is to tell of them; looks for as many as the schedule may want.
///
/// # Errors
/// What [`Openings::open`] says, at its place in the file.
pub(super) fn open(loaded: &LoadedMatch, schedule: &Schedule) -> Result<Openings, Refusal> {
    let (mut openings, warnings) =
        Openings::open(&spec(&loaded.settings)).map_err(|error| refusal(loaded, &error))?;
    // One pair from the initial position is nothing to warn of.
    let several = schedule.openings() > 1;
    for warning in warnings.iter().filter(|warning| several || **warning != Warning::NoBook) {
        tell(worded(loaded, warning));
    }
    // How many openings an open-ended match takes nobody knows.
    let wanted = if schedule.games().is_some() { schedule.most_openings() } else { u64::MAX };
    openings.prepare(wanted).map_err(usage)?;
    // Of an open-ended match it is told when they are used up.
    let repeats = match schedule.games() {
        Some(_) => openings.repeats(schedule.openings()).map_err(usage)?,
        None => None,
    };
    for warning in openings.take_warnings().into_iter().chain(repeats) {
        tell(worded(loaded, &warning));
    }
    Ok(openings)
}

/// A warning for the user, with its place in the match file where it has one.
fn worded(loaded: &LoadedMatch, warning: &Warning) -> String {
    let source = loaded.settings.openings.as_ref().map(|openings| &openings.source);
    let place = match (warning, source) {
        (Warning::RepairedFen { index, .. }, Some(OpeningSource::Fens(fens))) => fens.get(*index),
        _ => None,
    };
    match place {
        Some((_, place)) => Diagnostic::warning(Some(*place), warning.to_string()).render(&loaded.sources),
        None => format!("warning: {warning}\n"),
    }
}

/// Errors that only the book or a legality check reveals, at their places in the match file.
fn refusal(loaded: &LoadedMatch, error: &OpeningsError) -> Refusal {
    let source = loaded.settings.openings.as_ref().map(|openings| &openings.source);
    let errors = match (error, source) {
        (OpeningsError::BadFens(bad), Some(OpeningSource::Fens(fens))) => bad
            .iter()
            .map(|bad| Diagnostic::error(fens.get(bad.index).map(|(_, place)| *place), bad.to_string()))
            .collect(),
        (_, Some(OpeningSource::File(_, place))) => {
            vec![Diagnostic::error(Some(*place), error.to_string())]
        }
        _ => vec![Diagnostic::error(None, error.to_string())],
    };
    Refusal { exit: Exit::Usage, message: loaded.errors(errors).to_string() }
}

/// Opens the book only to say what is wrong with it.
pub(super) fn check(loaded: &LoadedMatch, schedule: &Schedule) -> Exit {
    match open(loaded, schedule) {
        Ok(_) => Exit::Done,
        Err(refusal) => refusal.tell(),
    }
}

/// Openings as the dispatcher asks for them, with what turns up on the way told.
pub(super) struct Supply(pub Openings);

impl OpeningSupply for Supply {
    fn opening(&mut self, index: u64) -> Result<Opening, String> {
        let drawn = self.0.opening_for_pair(index).map_err(|error| error.to_string());
        for warning in self.0.take_warnings() {
            tracing::warn!("{warning}");
        }
        drawn.map(|drawn| drawn.opening)
    }

    fn spec(&self) -> Option<&OpeningsSpec> {
        Some(self.0.spec())
    }
}

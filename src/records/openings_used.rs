//! The openings of a run as `match_started` tells them: with them anybody can draw the same ones again.

use std::borrow::Cow;

use serde::Serialize;

use crate::openings::{BadLines, OpeningsSource, OpeningsSpec, PerOpening};

/// Which openings there are, and in which order they are used.
#[derive(Debug, Serialize)]
pub(super) struct OpeningsUsed<'a> {
    /// The book.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Cow<'a, str>>,
    /// Positions of the match file.
    #[serde(skip_serializing_if = "Option::is_none")]
    fens: Option<&'a [String]>,
    order: &'static str,
    /// Of the random order (field report O-05).
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    start: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    per: &'static str,
    bad_lines: &'static str,
}

impl OpeningsUsed<'_> {
    /// `None` where every game starts from the initial position.
    pub(super) fn of(spec: &OpeningsSpec) -> Option<OpeningsUsed<'_>> {
        let (file, fens) = match &spec.source {
            OpeningsSource::Initial => return None,
            OpeningsSource::File(path) => (Some(path.to_string_lossy()), None),
            OpeningsSource::Fens(fens) => (None, Some(fens.as_slice())),
        };
        let seed = spec.seed();
        let order = if seed.is_some() { "random" } else { "sequential" };
        Some(OpeningsUsed {
            file,
            fens,
            order,
            seed,
            start: spec.start.get(),
            plies: spec.plies,
            per: match spec.per {
                PerOpening::Pair => "pair",
                PerOpening::Round => "round",
            },
            bad_lines: match spec.bad_lines {
                BadLines::Skip => "skip",
                BadLines::Refuse => "refuse",
            },
        })
    }
}

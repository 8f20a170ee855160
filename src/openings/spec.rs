//! What is wanted of the openings, in plain values.

use std::num::NonZeroU64;
use std::path::PathBuf;

use shakmaty::CastlingMode;

use super::per_opening::PerOpening;
use crate::law::policy::DeadPositionRule;

/// All that decides which openings there are and in which order they come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsSpec {
    /// The book or the list.
    pub source: OpeningsSource,
    /// In which order they are used.
    pub sequence: Sequence,
    /// 1-based place in that order of the first one used.
    pub start: NonZeroU64,
    /// Plies of each line of a PGN book that are played, `None`: all; of a Polyglot book, `None`: 8.
    pub plies: Option<u32>,
    /// Which games share an opening.
    pub per: PerOpening,
    /// What happens with a line that can't be used.
    pub bad_lines: BadLines,
    /// Standard chess or Chess960.
    pub mode: CastlingMode,
    /// By which rule a book line is over as a dead position.
    pub dead_position: DeadPositionRule,
}

impl OpeningsSpec {
    /// This source from its first entry on, with default settings.
    pub fn new(source: OpeningsSource) -> OpeningsSpec {
        OpeningsSpec {
            source,
            sequence: Sequence::AsInFile,
            start: NonZeroU64::MIN,
            plies: None,
            per: PerOpening::Pair,
            bad_lines: BadLines::Skip,
            mode: CastlingMode::Standard,
            dead_position: DeadPositionRule::default(),
        }
    }

    /// The seed of the order, where it is random.
    pub fn seed(&self) -> Option<u64> {
        match self.sequence {
            Sequence::AsInFile => None,
            Sequence::Shuffled(seed) => Some(seed),
        }
    }
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningsSource {
    /// An EPD, FEN-list, PGN or Polyglot file, also in `.zip`, `.gz` or `.zst`.
    File(PathBuf),
    /// Positions, each as a FEN or EPD line; one that is over is played to its verdict at ply 0.
    Fens(Vec<String>),
    /// The initial position for every game.
    Initial,
}

/// In which order openings are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// As in the file; of a Polyglot book always the greatest weight first.
    AsInFile,
    /// Shuffled with this seed; of a Polyglot book drawn by the weights.
    Shuffled(u64),
}

/// What happens with a book line that can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BadLines {
    /// Said and left out.
    #[default]
    Skip,
    /// The book is refused.
    Refuse,
}

//! What an engine does wrong without losing anything by it.

/// Misbehaviour that costs the engine nothing but is recorded, once per game and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misbehaviour {
    /// A `bestmove` that answers no `go`.
    UnaskedBestMove,
    /// A `uciok` or `readyok` that answers no question.
    UnaskedReady,
    /// Lines between its `bestmove` and the next `go`.
    PrintsAfterBestMove,
    /// A line that is not UCI.
    Nonsense,
    /// More than a mebibyte on stderr.
    FloodsStderr,
    /// A `ponder` move that is not legal.
    BadPonderMove,
    /// Still there some time after `quit`.
    IgnoresQuit,
    /// Processes of its own that outlived it.
    LeavesChildren,
    /// Its process had ended between two games.
    GoneBetweenGames,
}

impl Misbehaviour {
    /// In words, after the engine's name.
    pub fn words(self) -> &'static str {
        match self {
            Misbehaviour::UnaskedBestMove => "printed a bestmove that nobody had asked for",
            Misbehaviour::UnaskedReady => "printed a uciok or readyok that nobody had asked for",
            Misbehaviour::PrintsAfterBestMove => "printed after its bestmove",
            Misbehaviour::Nonsense => "printed a line that is not UCI",
            Misbehaviour::FloodsStderr => "floods its stderr",
            Misbehaviour::BadPonderMove => "named a ponder move that is not legal",
            Misbehaviour::IgnoresQuit => "ignored quit and was killed",
            Misbehaviour::LeavesChildren => "left child processes behind, which were killed",
            Misbehaviour::GoneBetweenGames => "was gone when this game was to begin",
        }
    }
}

//! The validated settings of a match: what the rest of the program works from.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

pub use super::source::Place;
use crate::clock::time_control::TimeControl;
use crate::law::adjudication::{DrawRule, ResignRule};
use crate::law::notation::fen::FenStyle;
use crate::law::policy::{ClaimPolicies, DeadPositionRule, IllegalMovePolicy};
use crate::statistics::sprt::SprtSettings;

/// A whole match file, validated and with every default filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSettings {
    /// PGN `Event`.
    pub event: String,
    /// PGN `Site`.
    pub site: String,
    /// Standard chess or Chess960.
    pub variant: Variant,
    /// The engines, in the order of the file.
    pub engines: Vec<EngineSettings>,
    /// Who meets whom.
    pub format: Format,
    /// Opening pairs (or single games, without `pairs`) of each pairing; Swiss rounds. `None`: as many as it takes to
    /// decide [`sprt`](Self::sprt).
    pub rounds: Option<NonZeroU32>,
    /// Two games per round, with the same opening and colours reversed.
    pub pairs: bool,
    /// Where start positions come from; `None` means the initial position.
    pub openings: Option<OpeningSettings>,
    /// How dead positions are recognised.
    pub dead_position: DeadPositionRule,
    /// Nodes that a full search for a mate may spend on one question.
    pub full_search_nodes: u64,
    /// What an illegal move costs.
    pub illegal_move: IllegalMovePolicy,
    /// What the opponent's clock gains by a wrong claim or an illegal move; `None`: as the Laws have it.
    pub penalty: Option<Duration>,
    /// What ends a game without the Laws.
    pub adjudication: AdjudicationSettings,
    /// Games played at once.
    pub concurrency: NonZeroU32,
    /// On which processors.
    pub affinity: Affinity,
    /// What follows from a flag fall on an oversubscribed machine.
    pub oversubscribed: Oversubscribed,
    /// What decides the match before all its rounds are played; with two engines only.
    pub sprt: Option<SprtSettings>,
    /// Where the records go.
    pub output: OutputSettings,
    /// How long running games may go on after the first SIGINT.
    pub interrupt_grace: Duration,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
    /// Two engines meet each other.
    #[default]
    Match,
    /// Each engine meets each other one.
    RoundRobin,
    /// The first engines each meet all the others.
    Gauntlet {
        /// How many first engines.
        seeds: usize,
    },
    /// Whoever loses an encounter is out.
    Knockout,
    /// Engines of equal score meet.
    Swiss,
}

/// One engine, with `defaults` and presets already applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// Unique; what every record calls it.
    pub name: String,
    /// The program, found: an absolute path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Working directory, an absolute path.
    pub dir: PathBuf,
    /// Environment variables added to the inherited ones.
    pub env: Vec<(String, String)>,
    /// UCI options in the order of the file, `defaults` first.
    pub options: Vec<OptionSetting>,
    /// Its clock or search limit.
    pub time_control: TimeControl,
    /// Overdraft that is forgiven at each move.
    pub time_margin: Duration,
    /// When the referee claims draws for it.
    pub claims: ClaimPolicies,
    /// When its process is started anew.
    pub restart: Restart,
    /// What is awaited between moves.
    pub sync: SyncPolicy,
    /// How it is told castling rights in Chess960.
    pub fen: FenStyle,
    /// Accept `e1h1` as castling outside Chess960.
    pub king_takes_rook: bool,
    /// Honour claims, offers and resignations that it says by `info string`.
    pub speaks: bool,
    /// Let it think on its opponent's time about the move that it expects.
    pub ponder: bool,
    /// How long each phase may take.
    pub timeouts: Timeouts,
    /// What its process may have.
    pub limits: Limits,
    /// How many games may end by a crash or stall of its before its further games are not played; `None`: any number.
    pub crash_budget: Option<u32>,
}

/// Which chess is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Variant {
    /// Standard chess.
    #[default]
    Standard,
    /// Chess960.
    Chess960,
}

/// One UCI option as the file sets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSetting {
    /// As written in the file; engines match it case-insensitively.
    pub name: String,
    /// The value as UCI text: `16`, `true`, a string; a button pressed is `true`.
    pub value: String,
    /// Where it stands in the file, for errors that only the engine's declarations can reveal.
    pub place: Place,
}

/// When an engine's process is started anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Restart {
    /// Its further games are not played once it is gone.
    Never,
    /// After a fault of its own.
    #[default]
    OnFault,
    /// For each game.
    EveryGame,
}

/// What follows from a flag fall for which a lack of processors may be to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Oversubscribed {
    /// It counts; the report at the end warns.
    #[default]
    Warn,
    /// The game is played again, a few times at most.
    Replay,
}

/// What an engine's process may have; `None`: what the system gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Limits {
    /// Bytes of memory that it can write to, for each process.
    pub memory: Option<NonZeroU64>,
    /// Niceness, -20 to 19.
    pub niceness: Option<i8>,
}

/// What is awaited of an engine between the moves of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SyncPolicy {
    /// Nothing: `position` and `go` are sent together.
    #[default]
    Game,
    /// `readyok` between `position` and `go`, which starts the clock.
    Move,
}

/// How long an engine may take for what no chess clock measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// From the start of the process to `uciok`.
    pub start: Duration,
    /// For `readyok` after options and between moves, and for `bestmove` after the `stop` of a ponder miss.
    pub ready: Duration,
    /// For `readyok` after `ucinewgame`.
    pub new_game: Duration,
    /// From `quit` to the end of the process, and from `stop` to `bestmove` once a game is over.
    pub quit: Duration,
    /// For a search without a clock.
    pub silence: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            new_game: Duration::from_secs(60),
            quit: Duration::from_secs(2),
            silence: Duration::from_secs(60),
        }
    }
}

/// Where start positions come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSettings {
    /// The book or the list.
    pub source: OpeningSource,
    /// In which order they are used.
    pub order: OpeningOrder,
    /// 1-based index of the first opening used.
    pub start: NonZeroU64,
    /// Plies of each line of a PGN book that are played, `None`: all; of a Polyglot book, `None`: 8.
    pub plies: Option<u32>,
    /// Which games share an opening.
    pub per: PerOpening,
    /// What happens with a line that can't be used.
    pub bad_lines: BadLines,
}

/// The book or the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// An EPD, FEN-list, PGN or Polyglot file, compressed or not, already relative to the match file's folder, and where the key stands.
    File(PathBuf, Place),
    /// Positions in the match file, each with its place.
    Fens(Vec<(String, Place)>),
}

/// In which order openings are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningOrder {
    /// As in the file.
    Sequential,
    /// Shuffled with this seed.
    Random(u64),
}

/// Which games of a tournament share an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PerOpening {
    /// The two games of a pair.
    #[default]
    Pair,
    /// All games of a round.
    Round,
}

/// What happens with a book line that can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BadLines {
    /// Said and left out.
    #[default]
    Skip,
    /// The run doesn't start.
    Refuse,
}

/// What ends a game without the Laws; nothing by default.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct AdjudicationSettings {
    /// By scores near 0.
    pub draw: Option<DrawRule>,
    /// By the bad scores of a side.
    pub resign: Option<ResignRule>,
    /// By so many moves of each engine.
    pub max_moves: Option<NonZeroU32>,
    /// By endgame tables.
    pub tablebase: Option<TablebaseSettings>,
}

/// Which endgame tables are asked, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablebaseSettings {
    /// The folders of Syzygy tables, already relative to the match file's folder.
    pub folders: Vec<PathBuf>,
    /// The most men, kings included, at which they are asked; `None`: as many as there are tables for.
    pub men: Option<usize>,
    /// Wins count however long they take.
    pub ignore_fifty: bool,
    /// Where the path stands, for errors that only the folders can reveal.
    pub place: Place,
}

/// On which processors games are played.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Affinity {
    /// Wherever the system puts them.
    #[default]
    Off,
    /// Each game on processors of its own.
    Auto,
    /// The same, with these processors only; each with its place.
    Processors(Vec<(usize, Place)>),
}

/// The state of a run in its folder.
pub const STATUS_FILE: &str = "run.json";
/// The status while it is being written; it stays where there was no room for all of it.
pub const NEW_STATUS_FILE: &str = "run.json.new";
/// Locked while a run writes to its folder.
pub const LOCK_FILE: &str = "run.lock";
/// Where a run listens for requests while it is under way.
pub const CONTROL_SOCKET: &str = "ctl.sock";
/// The files that a run keeps for itself in its folder: no record may have one of these names.
pub const OWN_FILES: [&str; 4] = [STATUS_FILE, NEW_STATUS_FILE, LOCK_FILE, CONTROL_SOCKET];
/// The most games at once.
pub const MOST_GAMES_AT_ONCE: u32 = 10_000;

/// Where the records go. Paths other than `dir` are relative to `dir`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputSettings {
    /// The folder of all records, already relative to the match file's folder.
    pub dir: PathBuf,
    /// The PGN file; `None`: not written.
    pub pgn: Option<PathBuf>,
    /// The database; `None`: not written, and no run can be resumed.
    pub database: Option<PathBuf>,
    /// The event log; `None`: not written.
    pub events: Option<PathBuf>,
    /// The dialogue log; `None`: not written.
    pub log: Option<PathBuf>,
}

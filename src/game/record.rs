//! What is kept of a game: start, plies with time and score, verdict.

use std::time::Duration;

use jiff::ZonedDateTime;
use shakmaty::ByColor;

use super::evidence::Overrun;
use super::game_id::GameId;
use crate::clock::time_control::TimeControl;
use crate::engine::dialogue_tail::DialogueLine;
use crate::engine::message::Score;
use crate::engine::search_watch::SearchTimes;
use crate::law::verdict::Verdict;
use crate::openings::Opening;

/// One ply as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyRecord {
    /// UCI notation.
    pub uci: String,
    /// Standard algebraic notation.
    pub san: String,
    /// How it came; `None` for a book move.
    pub search: Option<SearchRecord>,
    /// It came with an offer of a draw.
    pub offers_draw: bool,
    /// What the referee ruled on the way to it: a claim denied, an illegal move before it.
    pub remark: Option<String>,
}

/// What an engine's search took and told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchRecord {
    /// What the clock charged.
    pub time: Duration,
    /// Left on the clock afterwards; `None` without one.
    pub clock: Option<Duration>,
    /// Overdrawn within the margin and forgiven.
    pub forgiven: Duration,
    /// The engine's last exact score, from its own side.
    pub score: Option<Score>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// The principal variation as the engine wrote it.
    pub pv: String,
    /// When it was told to search, when it spoke, what it counted itself.
    pub times: SearchTimes,
    /// What became of its pondering; `None` where it did not ponder on this move.
    pub ponder: Option<PonderOutcome>,
}

/// What became of a search on the opponent's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PonderOutcome {
    /// The opponent made the expected move: this search went on, and what it told counts.
    Hit,
    /// It was dropped, with all that it told, and the engine was asked anew.
    Miss,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Its place in the schedule.
    pub id: GameId,
    /// The engines' names.
    pub names: ByColor<String>,
    /// The engines' time controls.
    pub time_controls: ByColor<TimeControl>,
    /// The policies by which draws were claimed for them.
    pub claims: ByColor<String>,
    /// Where it started.
    pub opening: Opening,
    /// Book moves and engines' moves.
    pub plies: Vec<PlyRecord>,
    /// How it ended.
    pub verdict: Verdict,
    /// What the verdict's words leave open: the illegal token, the overrun, the exit status.
    pub detail: Option<String>,
    /// The evidence of a flag fall.
    pub flag_fall: Option<Overrun>,
    /// The last lines of the dialogue with each engine, stderr among them, from the game's `ucinewgame` on: all that is
    /// kept where a fault of an engine ended the game, else a few. Of an engine that did not come to the board: its last
    /// words.
    pub dialogue: ByColor<Vec<DialogueLine>>,
    /// When it began, with the offset from UTC.
    pub started: ZonedDateTime,
}

impl GameRecord {
    /// The verdict and its details in one sentence, for people.
    pub fn sentence(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{}: {detail}", self.verdict),
            None => self.verdict.to_string(),
        }
    }
}

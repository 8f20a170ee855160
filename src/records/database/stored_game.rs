//! A finished game as a row, and back.

use std::time::Duration;

use jiff::ZonedDateTime;
use rusqlite::Row;
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, CastlingMode, Chess};

use super::header::{EngineHeader, RunHeader};
use super::stored_dialogue;
use super::stored_plies::{self, StoredTimes, nanoseconds};
use super::stored_verdict::StoredVerdict;
use crate::game::evidence::{Limit, Overrun};
use crate::game::game_id::GameId;
use crate::game::record::GameRecord;
use crate::law::notation::fen;
use crate::openings::Opening;

/// The columns that a game is read from, in the order of [`StoredGame::of_row`].
pub(super) const COLUMNS: &str =
    "number, round, game, white, black, started, fen, verdict, detail, flag_fall, moves, dialogue";

/// A row that a game is read from.
pub(super) struct StoredGame {
    id: GameId,
    names: ByColor<String>,
    started: String,
    fen: Option<String>,
    verdict: String,
    detail: Option<String>,
    flag_fall: Option<String>,
    moves: Vec<u8>,
    dialogue: Vec<u8>,
}

/// [`Overrun`] as it is stored, times in nanoseconds.
#[derive(Serialize, Deserialize)]
struct StoredOverrun {
    limit: StoredLimit,
    used: u64,
    answered: bool,
    times: StoredTimes,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredLimit {
    Clock { left: u64, margin: u64 },
    Silence(u64),
}

impl StoredGame {
    pub(super) fn of_row(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
        Ok(StoredGame {
            id: GameId { number: row.get(0)?, round: row.get(1)?, game: row.get(2)? },
            names: ByColor { white: row.get(3)?, black: row.get(4)? },
            started: row.get(5)?,
            fen: row.get(6)?,
            verdict: row.get(7)?,
            detail: row.get(8)?,
            flag_fall: row.get(9)?,
            moves: row.get(10)?,
            dialogue: row.get(11)?,
        })
    }

    /// The game; the error says which column makes no sense.
    pub(super) fn restored(self, header: &RunHeader) -> Result<GameRecord, String> {
        let id = self.id;
        let wrong = |what: &str, why: &dyn std::fmt::Display| format!("game {id}, {what}: {why}");
        let engines = self.names.as_ref().map(|name| {
            let engine = header.engines.iter().find(|engine| engine.name == *name);
            engine.ok_or_else(|| wrong("engines", &format!("there is no engine {name}")))
        });
        let engines: ByColor<&EngineHeader> = ByColor { white: engines.white?, black: engines.black? };
        let time_control =
            |engine: &EngineHeader| engine.time_control.parse().map_err(|why| wrong("time control", &why));
        let verdict: StoredVerdict =
            serde_json::from_str(&self.verdict).map_err(|why| wrong("verdict", &why))?;
        let flag_fall = self.flag_fall.map(|text| serde_json::from_str::<StoredOverrun>(&text)).transpose();
        let plies = stored_plies::from_bytes(&self.moves).map_err(|why| wrong("moves", &why))?;
        let book = plies.iter().take_while(|ply| ply.search.is_none()).map(|ply| ply.uci.clone()).collect();
        let mode = if header.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let start = match &self.fen {
            None => Chess::default(),
            Some(text) => fen::parse(text, mode).map_err(|why| wrong("fen", &why))?.chess,
        };
        Ok(GameRecord {
            id,
            time_controls: ByColor {
                white: time_control(engines.white)?,
                black: time_control(engines.black)?,
            },
            claims: engines.map(|engine| engine.claims.clone()),
            names: self.names,
            opening: Opening { start, mode, fen: self.fen, book },
            plies,
            verdict: verdict.restored(),
            detail: self.detail,
            dialogue: stored_dialogue::from_bytes(&self.dialogue).map_err(|why| wrong("dialogue", &why))?,
            flag_fall: flag_fall.map_err(|why| wrong("flag fall", &why))?.map(StoredOverrun::restored),
            started: self.started.parse::<ZonedDateTime>().map_err(|why| wrong("start", &why))?,
        })
    }
}

/// The time with its offset only, since a zone's name could not be read on every machine.
pub(super) fn start_text(started: &ZonedDateTime) -> String {
    started.with_time_zone(started.offset().to_time_zone()).to_string()
}

/// JSON of a flag fall's evidence.
pub(super) fn overrun_text(overrun: &Overrun) -> serde_json::Result<String> {
    let Overrun { limit, used, answered, times } = overrun;
    serde_json::to_string(&StoredOverrun {
        limit: match limit {
            Limit::Clock { left, margin } => {
                StoredLimit::Clock { left: nanoseconds(*left), margin: nanoseconds(*margin) }
            }
            Limit::Silence(patience) => StoredLimit::Silence(nanoseconds(*patience)),
        },
        used: nanoseconds(*used),
        answered: *answered,
        times: StoredTimes::of(times),
    })
}

impl StoredOverrun {
    fn restored(self) -> Overrun {
        let StoredOverrun { limit, used, answered, times } = self;
        Overrun {
            limit: match limit {
                StoredLimit::Clock { left, margin } => {
                    Limit::Clock { left: Duration::from_nanos(left), margin: Duration::from_nanos(margin) }
                }
                StoredLimit::Silence(patience) => Limit::Silence(Duration::from_nanos(patience)),
            },
            used: Duration::from_nanos(used),
            answered,
            times: times.restored(),
        }
    }
}

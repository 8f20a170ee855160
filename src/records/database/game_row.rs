//! A finished game on its way into the database: everything of it is brought into its form before anybody waits.

use rusqlite::{Connection, params};

use super::stored_verdict::StoredVerdict;
use super::{json, stored_dialogue, stored_game, stored_plies, unwritable};
use crate::game::record::GameRecord;

/// What a game's row holds, but for the order in which it ended.
pub(super) const GAME_COLUMNS: &str = "number, round, game, white, black, result, reason, article, sentence, plies, \
    started, fen, verdict, detail, flag_fall, moves, dialogue";

/// A finished game in the form of its row.
pub struct GameRow<'a> {
    game: &'a GameRecord,
    sentence: String,
    started: String,
    verdict: Option<String>,
    flag_fall: Option<String>,
    moves: Vec<u8>,
    dialogue: Vec<u8>,
}

impl GameRow<'_> {
    /// The row of a game.
    ///
    /// # Errors
    /// What can't be written is a fault of this program.
    pub fn of(game: &GameRecord) -> rusqlite::Result<GameRow<'_>> {
        Ok(GameRow {
            game,
            sentence: game.sentence(),
            started: stored_game::start_text(&game.started),
            verdict: StoredVerdict::of(&game.verdict).as_ref().map(json).transpose()?,
            flag_fall: game
                .flag_fall
                .as_ref()
                .map(stored_game::overrun_text)
                .transpose()
                .map_err(unwritable)?,
            moves: stored_plies::to_bytes(&game.plies),
            dialogue: stored_dialogue::to_bytes(&game.dialogue),
        })
    }

    pub(super) fn insert(&self, connection: &Connection, ended: i64) -> rusqlite::Result<()> {
        let GameRow { game, sentence, started, verdict, flag_fall, moves, dialogue } = self;
        let sql = format!(
            "INSERT INTO game ({GAME_COLUMNS}, ended) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)"
        );
        connection.prepare_cached(&sql)?.execute(params![
            game.id.number,
            game.id.round,
            game.id.game,
            game.names.white,
            game.names.black,
            game.verdict.result().as_str(),
            game.verdict.reason().name(),
            game.verdict.article(),
            sentence,
            i64::try_from(game.plies.len()).unwrap_or(i64::MAX),
            started,
            game.opening.fen,
            verdict,
            game.detail,
            flag_fall,
            moves,
            dialogue,
            ended,
        ])?;
        Ok(())
    }
}

//! What one database takes over from another one.

use shakmaty::ByColor;

use super::error::Doing;
use super::{Database, DatabaseError, GAME_COLUMNS};
use crate::game::game_id::GameId;

impl Database {
    /// From now on it is read as it stands now, whatever a run writes to it meanwhile.
    ///
    /// # Errors
    /// It can't be read.
    pub fn hold_still(&self) -> Result<(), DatabaseError> {
        // What is seen is settled by the first question.
        self.read(|connection| connection.execute_batch("BEGIN"))?;
        self.games().map(drop)
    }

    /// Hands over which games there are, and who played them, in the order of the schedule, up to the first error.
    ///
    /// # Errors
    /// They can't be read, or what `take` says.
    pub fn each_pairing<E: From<DatabaseError>>(
        &self,
        mut take: impl FnMut(GameId, ByColor<String>) -> Result<(), E>,
    ) -> Result<(), E> {
        let error = |why: rusqlite::Error| DatabaseError::of(&why, Doing::Reading, &self.path);
        let sql = "SELECT number, round, game, white, black FROM game ORDER BY number";
        let mut query = self.connection.prepare(sql).map_err(error)?;
        let rows = query.query_map([], |row| {
            let id = GameId { number: row.get(0)?, round: row.get(1)?, game: row.get(2)? };
            Ok((id, ByColor { white: row.get(3)?, black: row.get(4)? }))
        });
        for row in rows.map_err(error)? {
            let (id, names) = row.map_err(error)?;
            take(id, names)?;
        }
        Ok(())
    }

    /// Takes over all that another database holds of its games. They stand here as if they had ended in the order of
    /// the schedule.
    ///
    /// # Errors
    /// The other one can't be read or this one not be written, or a game is there already; nothing is taken over then.
    pub fn take_over(&self, other: &Database) -> Result<(), DatabaseError> {
        let error = |why: rusqlite::Error| DatabaseError::of(&why, Doing::Writing, &self.path);
        let transaction = self.connection.unchecked_transaction().map_err(error)?;
        let columns = format!("{GAME_COLUMNS}, ended");
        let question = format!("SELECT {GAME_COLUMNS}, number FROM game ORDER BY number");
        self.copy(other, ("game", &columns), &question)?;
        for (table, columns) in [("annulment", "number, cause, detail"), ("fault", "number, engine, words")] {
            self.copy(other, (table, columns), &format!("SELECT {columns} FROM {table} ORDER BY id"))?;
        }
        transaction.commit().map_err(error)?;
        self.write(|_| Ok(()))
    }

    /// Copies what a question to another database gives, row by row, into these columns of a table.
    fn copy(
        &self,
        other: &Database,
        (table, columns): (&str, &str),
        question: &str,
    ) -> Result<(), DatabaseError> {
        let reading = |why: rusqlite::Error| DatabaseError::of(&why, Doing::Reading, &other.path);
        let writing = |why: rusqlite::Error| DatabaseError::of(&why, Doing::Writing, &self.path);
        let number = columns.split(',').count();
        let values = vec!["?"; number].join(", ");
        let sql = format!("INSERT INTO {table} ({columns}) VALUES ({values})");
        let mut insert = self.connection.prepare(&sql).map_err(writing)?;
        let mut query = other.connection.prepare(question).map_err(reading)?;
        let mut rows = query.query([]).map_err(reading)?;
        while let Some(row) = rows.next().map_err(reading)? {
            for column in 0..number {
                let value = row.get_ref(column).map_err(reading)?;
                insert
                    .raw_bind_parameter(column + 1, rusqlite::types::ToSqlOutput::Borrowed(value))
                    .map_err(writing)?;
            }
            insert.raw_execute().map_err(writing)?;
        }
        Ok(())
    }
}

//! What a run answers, as JSON.

use serde::{Deserialize, Serialize};

use crate::tournament::dispatcher::Resized;
use crate::tournament::status::{RunState, Status};

/// An answer: one JSON object on a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// How the run stands.
    Status(StatusReply),
    /// No new game begins.
    Finish {
        /// Games that are played to their ends.
        running: usize,
    },
    /// The number of games at once is another one.
    Concurrency {
        /// How many are wanted.
        concurrency: usize,
        /// Games that are running now: while they are more, they are played to their ends.
        running: usize,
        /// Games whose engines are being started.
        joining: usize,
        /// What is surely not meant.
        warning: Option<String>,
    },
    /// The request can't be understood.
    BadRequest {
        /// Why, in words.
        error: String,
    },
    /// The request can't be granted.
    Refused {
        /// Why, in words.
        error: String,
    },
}

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatusReply {
    /// PGN `Event`.
    pub event: String,
    /// `starting`, `playing`, `finishing` (no new game begins) or `ending` (no game is running any more).
    pub state: String,
    /// Games planned; null: as many as it takes.
    pub games: Option<u32>,
    /// Games with a verdict.
    pub finished: u32,
    /// Games at once that are wanted.
    pub concurrency: usize,
    /// Games more that will be played at once when their engines are ready.
    pub joining: usize,
    /// Games that are played now.
    pub running: Vec<GameReply>,
    /// Each engine's results, in the order of the match file.
    pub score: Vec<ScoreReply>,
    /// Why there are fewer games at once than were asked for last.
    pub held_back: Option<String>,
}

/// A game that is played now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReply {
    /// Its number in the schedule.
    pub game: u32,
    /// `round.game`
    pub round: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Plies completed, book moves included; null: its engines are being prepared.
    pub ply: Option<u32>,
}

/// An engine's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreReply {
    /// The engine's name.
    pub engine: String,
    /// 1 for a win, ½ for a draw.
    pub points: f64,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

impl From<Status> for StatusReply {
    fn from(status: Status) -> StatusReply {
        let Status { event, state, games, finished, concurrency, joining, running, score, held_back } =
            status;
        let running = running.into_iter().map(|game| GameReply {
            game: game.id.number,
            round: game.id.to_string(),
            white: game.white,
            black: game.black,
            ply: game.ply,
        });
        let score = score.into_iter().map(|tally| ScoreReply {
            points: f64::from(tally.half_points()) / 2.0,
            engine: tally.name,
            won: tally.won,
            drawn: tally.drawn,
            lost: tally.lost,
        });
        StatusReply {
            event,
            state: state.name().to_owned(),
            games,
            finished,
            concurrency,
            joining,
            running: running.collect(),
            score: score.collect(),
            held_back,
        }
    }
}

impl Reply {
    /// To `finish`, by how the run stands after it.
    pub fn to_finish(status: &Status) -> Reply {
        match status.state {
            RunState::Finishing | RunState::Ending => Reply::Finish { running: status.running.len() },
            RunState::Starting | RunState::Playing => {
                Reply::Refused { error: "a fault of this program: the run goes on".to_owned() }
            }
        }
    }

    /// The object, with its line end.
    pub fn line(&self) -> String {
        // Strings and numbers can always be written.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

impl From<Resized> for Reply {
    fn from(resized: Resized) -> Reply {
        match resized {
            Resized::Accepted { status, warning } => Reply::Concurrency {
                concurrency: status.concurrency,
                running: status.running.len(),
                joining: status.joining,
                warning,
            },
            Resized::Refused(error) => Reply::Refused { error },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::game_id::GameId;
    use crate::tournament::standings::Tally;
    use crate::tournament::status::RunningGame;

    #[test]
    fn a_status_is_one_line_that_can_be_read_back() {
        let status = Status {
            event: "Line\nbreak".to_owned(),
            state: RunState::Playing,
            games: Some(9),
            finished: 2,
            concurrency: 1,
            joining: 0,
            running: vec![RunningGame {
                id: GameId { number: 4, round: 2, game: 2 },
                white: "A".to_owned(),
                black: "B".to_owned(),
                ply: None,
            }],
            score: vec![Tally { name: "A".to_owned(), won: 1, drawn: 1, ..Tally::default() }],
            held_back: None,
        };
        let reply = Reply::Status(status.into());
        let line = reply.line();
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(serde_json::from_str::<Reply>(&line).unwrap(), reply);
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&value["reply"], &value["state"]), (&"status".into(), &"playing".into()));
        assert_eq!(value["running"][0]["ply"], serde_json::Value::Null);
        assert_eq!(value["score"][0]["points"], 1.5);
    }
}

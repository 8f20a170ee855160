//! What a run looks like while it goes on: a line for each running game, a bar, and where the match stands.
//!
//! The run's threads only store what happened ([`board`], [`Course`]); a thread of its own looks at it ten times a second
//! ([`Live::snapshot`]), makes lines of it ([`frame`]) and has them drawn ([`canvas`]).

pub mod board;
pub mod canvas;
pub mod columns;
pub mod frame;
pub mod pace;
pub mod standing;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use shakmaty::ByColor;

use self::board::{Board, RunningGame};
use self::pace::Pace;
use self::standing::Standing;
use crate::game::observer::GameEvent;
use crate::tournament::event::{Event, Sink};
use crate::tournament::scoreboard::Scoreboard;

/// Keeps what is to be seen of a run.
pub struct Live {
    board: Board,
    course: Mutex<Option<Course>>,
    games_at_once: AtomicUsize,
}

/// How far a run is. Its lock is never held for longer than it takes to copy this.
#[derive(Clone, Debug)]
struct Course {
    planned: Option<u32>,
    finished: u32,
    pace: Pace,
    standing: Standing,
}

/// A run at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The games that are being played, by their numbers.
    pub running: Vec<RunningGame>,
    /// Games planned; `None`: as many as it takes.
    pub planned: Option<u32>,
    /// Games with a result.
    pub finished: u32,
    /// How long it may still take, if that can be said.
    pub time_left: Option<Duration>,
    /// The results so far.
    pub standing: Standing,
}

/// There is room for so many games at once at least: a run may be asked for more than it began with.
const ROOM: usize = 64;

impl Live {
    /// Nothing is played yet.
    pub fn new(games_at_once: usize) -> Live {
        Live {
            board: Board::new(games_at_once.max(ROOM)),
            course: Mutex::new(None),
            games_at_once: AtomicUsize::new(games_at_once),
        }
    }

    /// The run as it is now; `None` before the match and after it.
    pub fn snapshot(&self, now: Instant) -> Option<Snapshot> {
        let Course { planned, finished, pace, standing } = self.with_course(|course| course.clone())?;
        let running = self.board.games();
        let ages: Vec<Duration> =
            running.iter().map(|game| now.saturating_duration_since(game.begun)).collect();
        let unfinished = planned.map(|planned| planned.saturating_sub(finished));
        let at_once = self.games_at_once.load(Ordering::Relaxed);
        let time_left = unfinished.and_then(|unfinished| pace.time_left(unfinished, &ages, at_once));
        Some(Snapshot { running, planned, finished, time_left, standing })
    }

    fn with_course<T>(&self, act: impl FnOnce(&mut Option<Course>) -> T) -> T {
        act(&mut self.course.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn begin(&self, planned: Option<u32>, scoreboard: &Scoreboard) {
        let course = Course {
            planned,
            finished: scoreboard.finished(),
            pace: Pace::default(),
            standing: Standing::of(scoreboard),
        };
        self.with_course(|place| *place = Some(course));
    }

    fn score(&self, scoreboard: &Scoreboard) {
        let (finished, standing) = (scoreboard.finished(), Standing::of(scoreboard));
        self.with_course(|course| {
            if let Some(course) = course {
                course.finished = finished;
                course.standing = standing;
            }
        });
    }

    fn game_over(&self, number: u32) {
        let Some(game) = self.board.end(number) else { return };
        let took = game.begun.elapsed();
        self.with_course(|course| {
            if let Some(course) = course {
                course.pace.add(took);
            }
        });
    }
}

impl Sink for Live {
    fn receive(&self, event: &Event<'_>) -> Result<(), String> {
        match event {
            Event::Game(id, GameEvent::Started { white, black, fen }) => {
                let names = ByColor { white: *white, black: *black };
                self.board.begin(RunningGame::new(*id, names, *fen, Instant::now()));
            }
            Event::Game(id, GameEvent::Ply { ply, by, record }) => {
                self.board.note(id.number, *ply, *by, record);
            }
            Event::Concurrency(games) => self.games_at_once.store(*games, Ordering::Relaxed),
            Event::Game(..) | Event::EngineFault { .. } => {}
            Event::MatchStarted { games, scoreboard, .. } => self.begin(*games, scoreboard),
            Event::GameEnded(record) => self.game_over(record.id.number),
            Event::Scored { scoreboard, .. } => self.score(scoreboard),
            Event::GameAnnulled { game, .. } => drop(self.board.end(game.number)),
            Event::MatchEnded { .. } => self.with_course(|course| *course = None),
        }
        Ok(())
    }
}

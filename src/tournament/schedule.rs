//! Which games are played, and in which order: a function of the match file and, for a knockout or a Swiss tournament,
//! of the results of earlier rounds; never of when games end.

pub mod encounter;
pub mod fixed;
pub mod gauntlet;
pub mod knockout;
pub mod round_robin;
pub mod shard;
pub mod swiss;
mod swiss_pairing;

use shakmaty::ByColor;

use crate::game::game_id::GameId;
use crate::law::verdict::GameResult;
use crate::openings::PerOpening;
use fixed::{FixedSchedule, Table};
use gauntlet::Gauntlet;
use knockout::Knockout;
use round_robin::RoundRobin;
use shard::{NotDivisible, Shard};
use swiss::Swiss;

/// A game to be played, by the engines' places in the match file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its place in the schedule.
    pub id: GameId,
    /// The engines' places, from 0.
    pub engines: ByColor<usize>,
    /// Which opening, counted from 0: both games of a pair share one.
    pub opening: u64,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Two engines meet each other.
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
    /// Engines of equal score meet, and nobody twice.
    Swiss,
}

/// What a schedule is laid out from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Who meets whom.
    pub format: Format,
    /// How many engines.
    pub engines: usize,
    /// Opening pairs (or single games, without `pairs`) per pairing; for a Swiss tournament its rounds.
    pub rounds: u32,
    /// Two games at a time, with the same opening and colours reversed; else one, and the colours alternate.
    pub pairs: bool,
    /// Which games share an opening.
    pub openings: PerOpening,
}

/// Why no schedule can be laid out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Games are numbered with 32 bits.
    #[error("{0} games are too many: a run has 4294967295 at most")]
    TooLong(u128),
    /// No two engines meet.
    #[error("no two engines meet in this format: there are {0}")]
    NoPairing(usize),
}

/// What is to be played next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upcoming {
    /// This game.
    Game(ScheduledGame),
    /// Nothing before games that are being played have ended.
    Later,
    /// Nothing at all.
    Over,
}

/// Who plays a game, as far as that is known before the first game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Participant {
    /// The engine at this place.
    Engine(usize),
    /// The winner of an encounter, both counted from 1.
    WinnerOf {
        /// The round.
        round: u32,
        /// The encounter of that round.
        encounter: u32,
    },
    /// An engine that is paired by the results up to a round, both counted from 1.
    PairedAfter {
        /// The round.
        round: u32,
        /// The board of the next round.
        board: u32,
    },
    /// Nobody is left to play it.
    Nobody,
}

/// A game as it is planned before the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedGame {
    /// Its place in the schedule.
    pub id: GameId,
    /// Who plays.
    pub players: ByColor<Participant>,
    /// Which opening, counted from 0.
    pub opening: u64,
}

/// The games that an engine does not play because it plays no more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unplayed {
    /// How many; 1 where the schedule is open-ended.
    pub games: u32,
    /// The first of them in the order of the schedule.
    pub first: Option<GameId>,
}

/// The games of a run: which there are, which come next, what has become of them.
#[derive(Clone, Debug)]
pub enum Schedule {
    /// All pairings are known before the first game.
    Fixed(FixedSchedule),
    /// Pairings are known as encounters are decided.
    Knockout(Knockout),
    /// Pairings are known as rounds end.
    Swiss(Swiss),
}

/// What all kinds of schedules answer in their own ways.
macro_rules! each {
    ($schedule:expr, $kind:ident => $answer:expr) => {
        match $schedule {
            Schedule::Fixed($kind) => $answer,
            Schedule::Knockout($kind) => $answer,
            Schedule::Swiss($kind) => $answer,
        }
    };
}

impl Schedule {
    /// Lays a schedule out.
    ///
    /// # Errors
    /// [`ScheduleError`].
    pub fn new(plan: &Plan) -> Result<Schedule, ScheduleError> {
        let fixed = |table| FixedSchedule::new(table, plan).map(Schedule::Fixed);
        match plan.format {
            Format::Match => fixed(Table::Match),
            Format::RoundRobin => fixed(Table::RoundRobin(RoundRobin::new(plan.engines))),
            Format::Gauntlet { seeds } => fixed(Table::Gauntlet(Gauntlet::new(plan.engines, seeds))),
            Format::Knockout => Knockout::new(plan).map(Schedule::Knockout),
            Format::Swiss => Swiss::new(plan).map(Schedule::Swiss),
        }
    }

    /// A match between two engines.
    pub fn of_match(rounds: u32, pairs: bool) -> Schedule {
        Schedule::Fixed(FixedSchedule::of_match(rounds, pairs))
    }

    /// A match between two engines that goes on as long as games can be numbered, to be ended by what it brings.
    pub fn open_ended_match(pairs: bool, openings: PerOpening) -> Schedule {
        Schedule::Fixed(FixedSchedule::open_ended_match(pairs, openings))
    }

    /// Only this part of the schedule; the games keep their numbers, openings and colours.
    ///
    /// # Errors
    /// [`NotDivisible`].
    pub fn only(self, shard: Shard) -> Result<Schedule, NotDivisible> {
        match self {
            Schedule::Fixed(fixed) => fixed.only(shard).map(Schedule::Fixed),
            Schedule::Knockout(_) => Err(NotDivisible::Pairings("knockout")),
            Schedule::Swiss(_) => Err(NotDivisible::Pairings("Swiss tournament")),
        }
    }

    /// Games planned, as far as results allow to tell.
    pub fn len(&self) -> u32 {
        each!(self, schedule => schedule.len())
    }

    /// Games planned, for people; `None`: as many as it takes, up to [`len`](Self::len).
    pub fn games(&self) -> Option<u32> {
        match self {
            Schedule::Fixed(fixed) if fixed.is_open_ended() => None,
            _ => Some(self.len()),
        }
    }

    /// Whether two games each share an opening with colours reversed.
    pub fn pairs(&self) -> bool {
        each!(self, schedule => schedule.in_pairs())
    }

    /// Whether nothing is planned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many different openings the planned games want.
    pub fn openings(&self) -> u64 {
        each!(self, schedule => schedule.openings())
    }

    /// How many they can be with all extra games.
    pub fn most_openings(&self) -> u64 {
        match self {
            Schedule::Knockout(knockout) => knockout.most_openings(),
            _ => self.openings(),
        }
    }

    /// The planned game of this index, from 0; `None` beyond the end.
    pub fn planned(&self, index: u32) -> Option<PlannedGame> {
        each!(self, schedule => schedule.planned(index))
    }

    /// Whether a game of this number may have been played by these engines. Where pairings depend on results, any may.
    pub fn agrees(&self, game: GameId, engines: ByColor<usize>) -> bool {
        match self {
            Schedule::Fixed(fixed) => {
                let planned = fixed.index_of(game.number).and_then(|index| fixed.game(index));
                planned.is_some_and(|planned| planned.id == game && planned.engines == engines)
            }
            Schedule::Knockout(_) | Schedule::Swiss(_) => true,
        }
    }

    /// The next game of those that have not been handed out.
    pub fn upcoming(&mut self) -> Upcoming {
        each!(self, schedule => schedule.upcoming())
    }

    /// The game that [`upcoming`](Self::upcoming) gave has been handed out, and does not come again.
    pub fn hand_out(&mut self, game: &ScheduledGame) {
        each!(self, schedule => schedule.hand_out(game.id))
    }

    /// A game has its result. One that had not been handed out, because an earlier run has played it, does not come
    /// any more.
    pub fn finished(&mut self, game: GameId, result: GameResult) {
        each!(self, schedule => schedule.finished(game, result))
    }

    /// This engine plays no more: its further games do not come.
    pub fn withdraw(&mut self, engine: usize) {
        each!(self, schedule => schedule.withdraw(engine))
    }

    /// A game that was handed out will not be played, because this engine plays no more.
    pub fn cancel(&mut self, game: &ScheduledGame, engine: usize) {
        each!(self, schedule => schedule.cancel(game.id, engine))
    }

    /// The games that did not come because this engine has withdrawn; complete once nothing is upcoming.
    pub fn unplayed(&self, engine: usize) -> Unplayed {
        each!(self, schedule => schedule.unplayed(engine))
    }
}

impl Unplayed {
    /// One more.
    fn count(&mut self, game: GameId) {
        self.add(1, Some(game));
    }

    /// So many more, the first of which is this.
    fn add(&mut self, games: u32, first: Option<GameId>) {
        self.games += games;
        self.first = match (self.first, first) {
            (Some(earlier), Some(first)) if earlier.number <= first.number => Some(earlier),
            (earlier, first) => first.or(earlier),
        };
    }
}

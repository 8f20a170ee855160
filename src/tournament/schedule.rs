//! Which games are played, and in which order: a function of the match file and, for a knockout or a Swiss tournament,
//! of the results of earlier rounds; never of when games end.

pub mod encounter;
pub mod fixed;
pub mod gauntlet;
pub mod knockout;
pub mod round_robin;
pub mod swiss;
mod swiss_pairing;

use shakmaty::ByColor;

use crate::game::game_id::GameId;
use crate::law::verdict::GameResult;
use crate::openings::PerOpening;
use fixed::FixedSchedule;
use knockout::Knockout;
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

impl Schedule {
    /// Lays a schedule out.
    ///
    /// # Errors
    /// [`ScheduleError`].
    pub fn new(plan: &Plan) -> Result<Schedule, ScheduleError> {
        match plan.format {
            Format::Knockout => Knockout::new(plan).map(Schedule::Knockout),
            Format::Swiss => Swiss::new(plan).map(Schedule::Swiss),
            Format::Match | Format::RoundRobin | Format::Gauntlet { .. } => {
                FixedSchedule::new(plan).map(Schedule::Fixed)
            }
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

    /// Games planned, as far as results allow to tell.
    pub fn len(&self) -> u32 {
        match self {
            Schedule::Fixed(fixed) => fixed.len(),
            Schedule::Knockout(knockout) => knockout.len(),
            Schedule::Swiss(swiss) => swiss.len(),
        }
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
        match self {
            Schedule::Fixed(fixed) => fixed.pairs(),
            Schedule::Knockout(knockout) => knockout.in_pairs(),
            Schedule::Swiss(swiss) => swiss.in_pairs(),
        }
    }

    /// Whether nothing is planned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many different openings are wanted at most.
    pub fn openings(&self) -> u64 {
        match self {
            Schedule::Fixed(fixed) => fixed.openings(),
            Schedule::Knockout(knockout) => knockout.openings(),
            Schedule::Swiss(swiss) => swiss.openings(),
        }
    }

    /// The planned game of this index, from 0; `None` beyond the end.
    pub fn planned(&self, index: u32) -> Option<PlannedGame> {
        match self {
            Schedule::Fixed(fixed) => {
                let ScheduledGame { id, engines, opening } = fixed.game(index)?;
                Some(PlannedGame { id, players: engines.map(Participant::Engine), opening })
            }
            Schedule::Knockout(knockout) => knockout.planned(index),
            Schedule::Swiss(swiss) => swiss.planned(index),
        }
    }

    /// Whether a game of this number may have been played by these engines. Where pairings depend on results, any may.
    pub fn agrees(&self, game: GameId, engines: ByColor<usize>) -> bool {
        match self {
            Schedule::Fixed(fixed) => {
                let planned = game.number.checked_sub(1).and_then(|index| fixed.game(index));
                planned.is_some_and(|planned| planned.id == game && planned.engines == engines)
            }
            Schedule::Knockout(_) | Schedule::Swiss(_) => true,
        }
    }

    /// The next game of those that have not been handed out.
    pub fn upcoming(&mut self) -> Upcoming {
        match self {
            Schedule::Fixed(fixed) => fixed.upcoming(),
            Schedule::Knockout(knockout) => knockout.upcoming(),
            Schedule::Swiss(swiss) => swiss.upcoming(),
        }
    }

    /// The game that [`upcoming`](Self::upcoming) gave has been handed out, and does not come again.
    pub fn hand_out(&mut self, game: &ScheduledGame) {
        match self {
            Schedule::Fixed(fixed) => fixed.pass(game.id),
            Schedule::Knockout(knockout) => knockout.hand_out(game.id),
            Schedule::Swiss(swiss) => swiss.hand_out(game.id),
        }
    }

    /// A game has its result. One that had not been handed out, because an earlier run has played it, does not come
    /// any more.
    pub fn finished(&mut self, game: GameId, result: GameResult) {
        match self {
            Schedule::Fixed(fixed) => fixed.pass(game),
            Schedule::Knockout(knockout) => knockout.finished(game, result),
            Schedule::Swiss(swiss) => swiss.finished(game, result),
        }
    }

    /// This engine plays no more: its further games do not come.
    pub fn withdraw(&mut self, engine: usize) {
        match self {
            Schedule::Fixed(fixed) => fixed.withdraw(engine),
            Schedule::Knockout(knockout) => knockout.withdraw(engine),
            Schedule::Swiss(swiss) => swiss.withdraw(engine),
        }
    }

    /// A game that was handed out will not be played, because this engine plays no more.
    pub fn cancel(&mut self, game: &ScheduledGame, engine: usize) {
        match self {
            Schedule::Fixed(fixed) => fixed.cancel(game.id, engine),
            Schedule::Knockout(knockout) => knockout.cancel(game.id, engine),
            Schedule::Swiss(swiss) => swiss.cancel(game.id, engine),
        }
    }

    /// The games that did not come because this engine has withdrawn; complete once nothing is upcoming.
    pub fn unplayed(&self, engine: usize) -> Unplayed {
        match self {
            Schedule::Fixed(fixed) => fixed.unplayed(engine),
            Schedule::Knockout(knockout) => knockout.unplayed(engine),
            Schedule::Swiss(swiss) => swiss.unplayed(engine),
        }
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

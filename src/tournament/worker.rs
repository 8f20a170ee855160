//! A worker: one thread, one runtime, one game at a time, and the engines' processes between games.

mod forwarder;
mod preparation;
mod processes;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use shakmaty::{ByColor, Color};
use tokio::sync::{Semaphore, mpsc, watch};

use self::forwarder::Forwarder;
use self::preparation::Absence;
pub use self::processes::started_first;
use super::ending;
use super::entrant::{Entrant, RestartPolicy};
use super::event::{Event, Sink};
use super::game_slot::GameSlot;
use super::schedule::ScheduledGame;
use crate::engine::fault::{Fault, StartFailure};
use crate::engine::session::Engine;
use crate::game::adjudication::AdjudicationRules;
use crate::game::annulment::{Annulment, MachineRules};
use crate::game::conduct::{self, Condition, Outcome};
use crate::game::game_id::GameId;
use crate::game::observer::{GameEvent, Observer};
use crate::game::plan::{GameLaws, GamePlan};
use crate::game::player::Player;
use crate::game::record::GameRecord;
use crate::openings::Opening;
use crate::platform::footing;

/// Which worker, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkerId(pub usize);

/// A game for a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Which game, and who plays it.
    pub game: ScheduledGame,
    /// Where it starts.
    pub opening: Arc<Opening>,
    /// How often it was annulled already.
    pub replays: u32,
}

/// What a worker reports.
#[derive(Debug)]
pub enum Report {
    /// Its engines are ready for the first game.
    Ready,
    /// An engine would not start: no game can be played.
    NotStarted {
        /// The engine's place.
        engine: usize,
        /// Why.
        fault: Fault,
        /// The same in words, with its last lines.
        words: String,
    },
    /// A game is over, and every listener has taken that in; the worker sees to its engines, then says [`Report::Free`].
    Played(Box<GameRecord>),
    /// What happened to a game was no fault of its engines: it counts for nothing and is to be played again.
    Annulled {
        /// Which.
        game: GameId,
        /// Why.
        annulment: Box<Annulment>,
    },
    /// The game was dropped, as asked; the worker leaves.
    Dropped {
        /// Which.
        game: GameId,
        /// It had been announced.
        begun: bool,
    },
    /// An engine is gone for good and the game can't be played.
    EngineGone {
        /// The game.
        game: GameId,
        /// The engine's place.
        engine: usize,
    },
    /// A record could not be kept.
    RecordFailed(String),
    /// After a game: it can play another one.
    Free,
    /// Always the last: its thread ends, and its engines are gone.
    Ended {
        /// By a fault of this program.
        panicked: bool,
    },
}

/// What workers are asked to drop; a greater request stands above a lesser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dropping {
    /// Nothing.
    Nothing,
    /// Whatever is not a game that has been announced: engines that start, or end after a game.
    Unstarted,
    /// The game under way too; every engine is killed.
    Everything,
}

/// How far a worker's game is, for those who ask from another thread.
#[derive(Debug, Default)]
pub struct PlyCounter(AtomicU32);

impl PlyCounter {
    /// A game is being prepared.
    pub fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// The game has begun, and so many plies are completed.
    pub fn set(&self, ply: u32) {
        self.0.store(ply.saturating_add(1), Ordering::Relaxed);
    }

    /// Plies completed; `None`: the game has not begun.
    pub fn get(&self) -> Option<u32> {
        self.0.load(Ordering::Relaxed).checked_sub(1)
    }
}

/// What a worker works from.
#[derive(Clone)]
pub struct WorkerContext {
    /// The engines in the order of the match file.
    pub entrants: Arc<Vec<Entrant>>,
    /// What the match's laws leave to settings.
    pub laws: GameLaws,
    /// What the match settles without the Laws.
    pub adjudication: AdjudicationRules,
    /// When its machine makes a game void.
    pub machine: MachineRules,
    /// Who listens.
    pub sink: Arc<dyn Sink>,
}

/// What a worker has in common with the others of its run.
#[derive(Clone)]
pub struct Links {
    /// Where it reports to.
    pub reporter: mpsc::UnboundedSender<(WorkerId, Report)>,
    /// What it is asked to drop.
    pub dropping: watch::Receiver<Dropping>,
    /// Who may start its first engines now: engines that start all at once could overrun their time to start.
    pub starting: Arc<Semaphore>,
}

/// The dispatcher's end of a worker.
#[derive(Debug)]
pub struct WorkerHandle {
    /// Games to play, each after the worker has said that it is ready or free. `None` ends it after its game, or while
    /// it starts its engines.
    pub assignments: Option<mpsc::UnboundedSender<Assignment>>,
    /// How far its game is.
    pub ply: Arc<PlyCounter>,
    /// Its thread, which has said [`Report::Ended`] by its end.
    pub thread: std::thread::JoinHandle<()>,
}

/// Starts a worker on a thread of its own, which starts its engines and outlives them: the kernel ends an engine with
/// the thread that started it.
///
/// # Errors
/// The system refuses a thread or a runtime.
/// `first` are the places of the engines that it starts before it says that it is ready.
pub fn start(
    id: WorkerId,
    slot: GameSlot,
    first: Vec<usize>,
    context: WorkerContext,
    links: Links,
) -> std::io::Result<WorkerHandle> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (assignments, assigned) = mpsc::unbounded_channel();
    let Links { reporter, dropping, starting } = links;
    let ply = Arc::new(PlyCounter::default());
    let reporter = Reporter { id, reports: reporter };
    let number = context.entrants.len();
    let worker = Worker {
        context,
        engines: (0..number).map(|_| None).collect(),
        gone: vec![false; number],
        first,
        reporter: reporter.clone(),
        dropping,
        starting,
        ply: Arc::clone(&ply),
    };
    let thread = std::thread::Builder::new().name(format!("game {}", id.0)).spawn(move || {
        // In this order, so that the engines are gone when the farewell is said, by a panic too.
        let farewell = Farewell(reporter);
        let runtime = runtime;
        keep_to(&slot, id);
        runtime.block_on(worker.run(assigned));
        drop(runtime);
        drop(farewell);
    })?;
    Ok(WorkerHandle { assignments: Some(assignments), ply, thread })
}

/// Before any engine is started: processes inherit the processors of the thread that starts them.
fn keep_to(slot: &GameSlot, id: WorkerId) {
    let Some(processors) = &slot.processors else { return footing::offer(id.0) };
    if let Err(error) = processors.keep_this_thread() {
        tracing::warn!("a game and its engines can't be kept to the processors {processors}: {error}");
    }
}

/// Reports in the name of a worker.
#[derive(Clone)]
struct Reporter {
    id: WorkerId,
    reports: mpsc::UnboundedSender<(WorkerId, Report)>,
}

impl Reporter {
    fn send(&self, report: Report) {
        // Nobody listens once the run is over.
        let _ = self.reports.send((self.id, report));
    }
}

/// Says that the thread ends, whatever ends it.
struct Farewell(Reporter);

impl Drop for Farewell {
    fn drop(&mut self) {
        self.0.send(Report::Ended { panicked: std::thread::panicking() });
    }
}

struct Worker {
    context: WorkerContext,
    engines: Vec<Option<Engine>>,
    /// The engines whose process has ended otherwise than by the worker's own wish.
    gone: Vec<bool>,
    /// The places of the engines that it starts before the first game.
    first: Vec<usize>,
    reporter: Reporter,
    dropping: watch::Receiver<Dropping>,
    starting: Arc<Semaphore>,
    ply: Arc<PlyCounter>,
}

impl Worker {
    async fn run(mut self, mut assigned: mpsc::UnboundedReceiver<Assignment>) {
        let reporter = self.reporter.clone();
        let mut dropping = self.dropping.clone();
        // The request to drop is looked at first: an engine that prints without end must not keep it from being seen.
        let ready = tokio::select! {
            biased;
            () = asked_to_drop(&mut dropping, Dropping::Unstarted) => return,
            // No game comes before it is ready: it is wanted no more.
            None = assigned.recv() => return,
            ready = self.start_all() => ready,
        };
        let started = matches!(ready, Report::Ready);
        reporter.send(ready);
        if started {
            let mut played = false;
            while let Some(assignment) = self.next_game(&mut assigned, played).await {
                played = true;
                if !self.serve(&assignment).await {
                    return self.engines.clear();
                }
                reporter.send(Report::Free);
            }
        }
        tokio::select! {
            biased;
            () = asked_to_drop(&mut dropping, Dropping::Everything) => {}
            () = self.quit_all() => {}
        }
    }

    /// Plays a game, reports it, and sees to the engines; false if it was asked to drop one or the other.
    async fn serve(&mut self, assignment: &Assignment) -> bool {
        let game = assignment.game;
        let mut dropping = self.dropping.clone();
        let begun = Cell::new(false);
        let conditions = tokio::select! {
            biased;
            () = asked_to_drop_game(&mut dropping, &begun) => {
                // What state the engines are in is not known: dropping them kills their process groups.
                self.engines.clear();
                self.reporter.send(Report::Dropped { game: game.id, begun: begun.get() });
                return false;
            }
            (report, conditions) = self.play(assignment, &begun) => {
                // A finished game is safe before its engines are seen to: that may take as long as they like.
                self.reporter.send(report);
                conditions
            }
        };
        // Where the last game was allowed to end, its engines may end in peace too.
        let last = *dropping.borrow() >= Dropping::Unstarted;
        let least = if last { Dropping::Everything } else { Dropping::Unstarted };
        tokio::select! {
            biased;
            () = asked_to_drop(&mut dropping, least) => false,
            () = self.clear_up(game, conditions) => true,
        }
    }

    async fn start_all(&mut self) -> Report {
        let starting = Arc::clone(&self.starting);
        // Nobody closes it.
        let _turn = starting.acquire().await;
        match self.start_first().await {
            Ok(()) => Report::Ready,
            Err((engine, StartFailure { fault, words, .. })) => Report::NotStarted { engine, fault, words },
        }
    }

    async fn start_engine(&mut self, place: usize) -> Result<(), StartFailure> {
        self.engines[place] = None;
        self.engines[place] = Some(Engine::start(&self.context.entrants[place].setup).await?);
        Ok(())
    }

    /// Plays a game; its report, and the conditions in which it left the engines.
    async fn play(&mut self, assignment: &Assignment, begun: &Cell<bool>) -> (Report, ByColor<Condition>) {
        let game = assignment.game;
        let plan = GamePlan {
            id: game.id,
            opening: Opening::clone(&assignment.opening),
            laws: self.context.laws,
            adjudication: self.context.adjudication.clone(),
            machine: self.context.machine,
            replays: assignment.replays,
        };
        let fit = ByColor { white: Condition::Fit, black: Condition::Fit };
        let mut observer = Forwarder {
            sink: Arc::clone(&self.context.sink),
            begun,
            ply: Arc::clone(&self.ply),
            failure: None,
        };
        self.end_others(game.engines).await;
        for side in Color::ALL {
            let place = *game.engines.get(side);
            match self.prepare(place, game.id, &mut observer).await {
                Ok(()) => {}
                Err(Absence::Gone) => return (Report::EngineGone { game: game.id, engine: place }, fit),
                Err(Absence::Forfeits(failure)) => {
                    let record = self.unplayed(&plan, game.engines, side, failure);
                    conduct::announce(&plan, record.names.as_ref(), &mut observer);
                    return (observer.report(Box::new(record)), fit);
                }
            }
        }
        match self.players(game.engines) {
            Some(players) => {
                let played = conduct::play(&plan, players, &mut observer).await;
                let report = match played.outcome {
                    Outcome::Finished(record) => observer.report(record),
                    Outcome::Annulled(annulment) => observer.report_annulled(assignment, annulment),
                };
                (report, played.conditions)
            }
            None => (Report::EngineGone { game: game.id, engine: game.engines.white }, fit),
        }
    }

    fn players(&mut self, places: ByColor<usize>) -> Option<ByColor<Player<'_>>> {
        let entrants = &self.context.entrants;
        let both = self.engines.get_disjoint_mut([places.white, places.black]).ok()?;
        let [white, black] = both;
        Some(ByColor {
            white: Player { rules: &entrants[places.white].rules, engine: white.as_mut()? },
            black: Player { rules: &entrants[places.black].rules, engine: black.as_mut()? },
        })
    }

    /// After a game: engines that can't or shan't play on are ended.
    async fn clear_up(&mut self, game: ScheduledGame, conditions: ByColor<Condition>) {
        let begun = Cell::new(true);
        let mut observer = Forwarder {
            sink: Arc::clone(&self.context.sink),
            begun: &begun,
            ply: Arc::clone(&self.ply),
            failure: None,
        };
        let mut ended = Vec::new();
        for side in Color::ALL {
            let place = *game.engines.get(side);
            let restart = self.context.entrants[place].restart;
            let unfit = match conditions.get(side) {
                Condition::Fit => false,
                Condition::Suspect => restart == RestartPolicy::OnFault,
                Condition::Faulty => true,
            };
            if unfit || restart == RestartPolicy::EveryGame {
                ended.push(place);
            }
        }
        self.end_engines(&ended, game.id, &mut observer).await;
        if let Some(failure) = observer.failure {
            self.reporter.send(Report::RecordFailed(failure));
        }
    }

    async fn end_engines(&mut self, places: &[usize], game: GameId, observer: &mut Forwarder<'_>) {
        places.iter().for_each(|place| self.gone[*place] = true);
        let engines =
            places.iter().filter_map(|place| Some((*place, self.engines[*place].take()?))).collect();
        for (place, misbehaviours) in ending::quit_all(engines).await {
            let name = &self.context.entrants[place].rules.name;
            for misbehaviour in misbehaviours {
                observer.observe(game, GameEvent::Misbehaviour { engine: name, misbehaviour });
            }
        }
    }
}

async fn asked_to_drop(dropping: &mut watch::Receiver<Dropping>, least: Dropping) {
    // An error means that the dispatcher is gone, which is the same request.
    let _ = dropping.wait_for(|asked| *asked >= least).await;
}

/// A game that has begun may end, unless everything is to be dropped.
async fn asked_to_drop_game(dropping: &mut watch::Receiver<Dropping>, begun: &Cell<bool>) {
    let least = || if begun.get() { Dropping::Everything } else { Dropping::Unstarted };
    let _ = dropping.wait_for(|asked| *asked >= least()).await;
}

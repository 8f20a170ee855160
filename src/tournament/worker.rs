//! A worker: one thread, one runtime, one game at a time, and the engines' processes between games.

use std::sync::Arc;

use shakmaty::{ByColor, Color};
use tokio::sync::{mpsc, watch};

use super::ending;
use super::entrant::{Entrant, RestartPolicy};
use super::event::{Event, Sink};
use super::schedule::ScheduledGame;
use crate::engine::fault::{Fault, StartFailure};
use crate::engine::misbehaviour::Misbehaviour;
use crate::engine::session::Engine;
use crate::game::conduct::{self, Condition};
use crate::game::game_id::GameId;
use crate::game::observer::{GameEvent, Observer};
use crate::game::plan::{GameLaws, GamePlan};
use crate::game::player::Player;
use crate::game::record::GameRecord;
use crate::law::verdict::Forfeit;
use crate::openings::Opening;

/// A game for a worker.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Which game, and who plays it.
    pub game: ScheduledGame,
    /// Where it starts.
    pub opening: Opening,
}

/// What a worker reports.
#[derive(Debug)]
pub enum Report {
    /// Its engines are ready.
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
    /// A game is over.
    Played(Box<GameRecord>),
    /// The game was dropped, as asked.
    Dropped(GameId),
    /// An engine is gone for good and the game can't be played.
    EngineGone {
        /// The game.
        game: GameId,
        /// The engine's place.
        engine: usize,
    },
    /// A record could not be kept.
    RecordFailed(String),
}

/// What a worker works from.
#[derive(Clone)]
pub struct WorkerContext {
    /// The engines in the order of the match file.
    pub entrants: Arc<Vec<Entrant>>,
    /// What the match's laws leave to settings.
    pub laws: GameLaws,
    /// Who listens.
    pub sink: Arc<dyn Sink>,
}

/// The dispatcher's ends of a worker's channels. Dropping `assignments` ends the worker after its game.
#[derive(Debug)]
pub struct WorkerHandle {
    /// Games to play.
    pub assignments: mpsc::UnboundedSender<Assignment>,
    /// What it reports.
    pub reports: mpsc::UnboundedReceiver<Report>,
    /// Set to true, the game under way is dropped and every engine killed.
    pub drop_game: watch::Sender<bool>,
    thread: std::thread::JoinHandle<()>,
}

impl WorkerHandle {
    /// Waits for the worker's thread, which has ended its engines by then.
    pub async fn ended(self) {
        let WorkerHandle { assignments, mut reports, drop_game, thread } = self;
        drop(assignments);
        while reports.recv().await.is_some() {}
        drop(drop_game);
        if thread.join().is_err() {
            tracing::error!("a worker ended by a fault of this program");
        }
    }
}

/// Starts a worker on a thread of its own, which starts its engines and outlives them: the kernel ends an engine with
/// the thread that started it.
///
/// # Errors
/// The system refuses a thread or a runtime.
pub fn start(context: WorkerContext) -> std::io::Result<WorkerHandle> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (assignments, assigned) = mpsc::unbounded_channel();
    let (reporter, reports) = mpsc::unbounded_channel();
    let (drop_game, dropping) = watch::channel(false);
    let engines = context.entrants.iter().map(|_| None).collect();
    let worker = Worker { context, engines, reporter };
    let thread = std::thread::Builder::new()
        .name("game".to_owned())
        .spawn(move || runtime.block_on(worker.run(assigned, dropping)))?;
    Ok(WorkerHandle { assignments, reports, drop_game, thread })
}

struct Worker {
    context: WorkerContext,
    engines: Vec<Option<Engine>>,
    reporter: mpsc::UnboundedSender<Report>,
}

/// Why a game has no engine to play it.
enum Absence {
    /// It did not come back: it loses this game.
    Forfeits(Forfeit, String),
    /// By its restart policy it plays no more.
    Gone,
}

impl Worker {
    async fn run(
        mut self,
        mut assigned: mpsc::UnboundedReceiver<Assignment>,
        mut dropping: watch::Receiver<bool>,
    ) {
        let reporter = self.reporter.clone();
        let dropped = dropping.clone();
        // The request to drop is looked at first: an engine that prints without end must not keep it from being seen.
        tokio::select! {
            biased;
            () = asked_to_drop(&mut dropping) => return,
            ready = self.start_all() => {
                let started = matches!(ready, Report::Ready);
                let _ = reporter.send(ready);
                if !started {
                    return self.quit_all().await;
                }
            }
        }
        let mut dropping = dropped;
        while let Some(assignment) = assigned.recv().await {
            let id = assignment.game.id;
            let unfit;
            tokio::select! {
                biased;
                () = asked_to_drop(&mut dropping) => {
                    // What state the engines are in is not known: dropping them kills their process groups.
                    self.engines.clear();
                    let _ = reporter.send(Report::Dropped(id));
                    return;
                }
                (report, conditions) = self.play(&assignment) => {
                    // A finished game is safe before its engines are seen to: that may take as long as they like.
                    let _ = reporter.send(report);
                    unfit = conditions;
                }
            }
            tokio::select! {
                biased;
                () = asked_to_drop(&mut dropping) => return self.engines.clear(),
                () = self.clear_up(assignment.game, unfit) => {}
            }
        }
        tokio::select! {
            biased;
            () = asked_to_drop(&mut dropping) => {}
            () = self.quit_all() => {}
        }
    }

    async fn start_all(&mut self) -> Report {
        for place in 0..self.engines.len() {
            if let Err(StartFailure { fault, words }) = self.start_engine(place).await {
                return Report::NotStarted { engine: place, fault, words };
            }
        }
        Report::Ready
    }

    async fn start_engine(&mut self, place: usize) -> Result<(), StartFailure> {
        self.engines[place] = None;
        let engine = Engine::start(&self.context.entrants[place].setup).await?;
        self.engines[place] = Some(engine);
        Ok(())
    }

    /// Plays a game; its report, and the conditions in which it left the engines.
    async fn play(&mut self, assignment: &Assignment) -> (Report, ByColor<Condition>) {
        let game = assignment.game;
        let plan = GamePlan { id: game.id, opening: assignment.opening.clone(), laws: self.context.laws };
        let fit = ByColor { white: Condition::Fit, black: Condition::Fit };
        let mut observer = Forwarder { sink: Arc::clone(&self.context.sink), failure: None };
        for side in Color::ALL {
            let place = *game.engines.get(side);
            match self.prepare(place, game.id, &mut observer).await {
                Ok(()) => {}
                Err(Absence::Gone) => return (Report::EngineGone { game: game.id, engine: place }, fit),
                Err(Absence::Forfeits(forfeit, words)) => {
                    let record = self.unplayed(&plan, game.engines, side, forfeit, words);
                    conduct::announce(&plan, record.names.as_ref(), &mut observer);
                    return (observer.report(record), fit);
                }
            }
        }
        match self.players(game.engines) {
            Some(players) => {
                let played = conduct::play(&plan, players, &mut observer).await;
                (observer.report(played.record), played.conditions)
            }
            None => (Report::EngineGone { game: game.id, engine: game.engines.white }, fit),
        }
    }

    /// Brings an engine to the start of a new game, in a new process where the old one is gone.
    async fn prepare(&mut self, place: usize, game: GameId, observer: &mut Forwarder) -> Result<(), Absence> {
        let entrants = Arc::clone(&self.context.entrants);
        let entrant = &entrants[place];
        if let Some(engine) = &mut self.engines[place] {
            match engine.new_game().await {
                Ok(()) => return Ok(()),
                Err(fault) => {
                    let words = engine.fault_words(&fault).await;
                    tracing::warn!("{} between two games: {words}", entrant.rules.name);
                    let misbehaviour = Misbehaviour::GoneBetweenGames;
                    observer
                        .observe(game, GameEvent::Misbehaviour { engine: &entrant.rules.name, misbehaviour });
                    self.end_engines(&[place], game, observer).await;
                }
            }
        }
        if entrant.restart == RestartPolicy::Never {
            return Err(Absence::Gone);
        }
        self.come_back(place).await.map_err(|StartFailure { fault, words }| {
            let forfeit =
                if matches!(fault, Fault::Stalled { .. }) { Forfeit::Stall } else { Forfeit::Disconnect };
            Absence::Forfeits(forfeit, format!("it did not come back for this game: {words}"))
        })
    }

    async fn come_back(&mut self, place: usize) -> Result<(), StartFailure> {
        self.start_engine(place).await?;
        let Some(engine) = &mut self.engines[place] else { return Ok(()) };
        match engine.new_game().await {
            Ok(()) => Ok(()),
            Err(fault) => {
                let words = engine.fault_words(&fault).await;
                if let Some(engine) = self.engines[place].take() {
                    engine.kill().await;
                }
                Err(StartFailure { fault, words })
            }
        }
    }

    fn players(&mut self, places: ByColor<usize>) -> Option<ByColor<Player<'_>>> {
        let entrants = &self.context.entrants;
        let [white, black] = self.engines.get_disjoint_mut([places.white, places.black]).ok()?;
        Some(ByColor {
            white: Player { rules: &entrants[places.white].rules, engine: white.as_mut()? },
            black: Player { rules: &entrants[places.black].rules, engine: black.as_mut()? },
        })
    }

    /// A game that an engine forfeits by not coming to the board.
    fn unplayed(
        &self,
        plan: &GamePlan,
        places: ByColor<usize>,
        absent: Color,
        forfeit: Forfeit,
        words: String,
    ) -> GameRecord {
        let rules = places.map(|place| &self.context.entrants[place].rules);
        let state = plan.laws.state(&plan.opening);
        GameRecord {
            id: plan.id,
            names: rules.map(|rules| rules.name.clone()),
            time_controls: rules.map(|rules| rules.time_control.pgn_tag()),
            claims: rules.map(|rules| rules.claims.to_string()),
            opening: Opening { book: Vec::new(), ..plan.opening.clone() },
            plies: Vec::new(),
            verdict: state.rule_forfeit(absent, forfeit),
            detail: Some(words),
            started: jiff::ZonedDateTime::now(),
        }
    }

    /// After a game: engines that can't or shan't play on are ended.
    async fn clear_up(&mut self, game: ScheduledGame, conditions: ByColor<Condition>) {
        let mut observer = Forwarder { sink: Arc::clone(&self.context.sink), failure: None };
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
            let _ = self.reporter.send(Report::RecordFailed(failure));
        }
    }

    async fn end_engines(&mut self, places: &[usize], game: GameId, observer: &mut Forwarder) {
        let engines =
            places.iter().filter_map(|place| Some((*place, self.engines[*place].take()?))).collect();
        for (place, misbehaviours) in ending::quit_all(engines).await {
            let name = &self.context.entrants[place].rules.name;
            for misbehaviour in misbehaviours {
                observer.observe(game, GameEvent::Misbehaviour { engine: name, misbehaviour });
            }
        }
    }

    async fn quit_all(&mut self) {
        let engines = self.engines.iter_mut().enumerate();
        let engines = engines.filter_map(|(place, engine)| Some((place, engine.take()?))).collect();
        for (place, misbehaviours) in ending::quit_all(engines).await {
            let name = &self.context.entrants[place].rules.name;
            for misbehaviour in misbehaviours {
                let fault = misbehaviour.words();
                tracing::warn!("{name} {fault}");
                if let Err(failure) = self.context.sink.receive(&Event::EngineFault { engine: name, fault }) {
                    let _ = self.reporter.send(Report::RecordFailed(failure));
                }
            }
        }
    }
}

async fn asked_to_drop(dropping: &mut watch::Receiver<bool>) {
    // An error means that the dispatcher is gone, which is the same request.
    let _ = dropping.wait_for(|asked| *asked).await;
}

/// Hands a game's events to the run's listeners and keeps the first failure.
struct Forwarder {
    sink: Arc<dyn Sink>,
    failure: Option<String>,
}

impl Forwarder {
    /// The game, unless something of it could not be kept.
    fn report(self, record: GameRecord) -> Report {
        match self.failure {
            Some(failure) => Report::RecordFailed(failure),
            None => Report::Played(Box::new(record)),
        }
    }
}

impl Observer for Forwarder {
    fn observe(&mut self, game: GameId, event: GameEvent<'_>) {
        if let Err(failure) = self.sink.receive(&Event::Game(game, event)) {
            self.failure.get_or_insert(failure);
        }
    }
}

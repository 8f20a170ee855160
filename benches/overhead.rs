//! What the referee costs per ply: a game of two engines that answer at once, played by a bare relay of moves, by the
//! referee alone, and by the referee with synced records; the same on one processor, as `affinity: auto` does it. All in
//! one run, alternated; medians and their ratios.
//!
//!     cargo bench --bench overhead

#[path = "support/instant_engine.rs"]
mod instant_engine;
#[path = "support/position_line.rs"]
mod position_line;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arbiter::engine::guard::Guard;
use arbiter::engine::launch::Limits;
use arbiter::engine::process::Program;
use arbiter::engine::session::{Engine, EngineSetup, Timeouts};
use arbiter::game::adjudication::AdjudicationRules;
use arbiter::game::annulment::MachineRules;
use arbiter::game::conduct::{self, Outcome};
use arbiter::game::game_id::GameId;
use arbiter::game::observer::{GameEvent, Observer};
use arbiter::game::plan::{GameLaws, GamePlan};
use arbiter::game::player::{Player, PlayerRules};
use arbiter::law::game_state::GameState;
use arbiter::law::notation::uci_move;
use arbiter::law::policy::{ClaimPolicies, ClaimPolicy, DeadPositionRule};
use arbiter::openings::Opening;
use arbiter::openings::PerOpening;
use arbiter::platform::processors::ProcessorSet;
use arbiter::records::database::{Database, RunHeader, StoredSchedule};
use arbiter::records::pgn::MatchTags;
use arbiter::records::recorder::Recorder;
use arbiter::tournament::event::{Event, Sink};
use arbiter::tournament::schedule::{Format, Plan};
use instant_engine::ENGINE_WORD;
use shakmaty::{ByColor, CastlingMode, Chess};

/// Plies of a game in the first table, and of the short and the long one that are compared after it.
const PLIES: usize = 350;
const SHORT: usize = 60;
const LONG: usize = 600;
/// Plies of a sample, whatever the games' length.
const PLIES_PER_SAMPLE: usize = 7000;
const SAMPLES: usize = 15;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    if instant_engine::run_if_asked(&args)? {
        return Ok(());
    }
    if args.iter().any(|arg| arg == "--test") {
        return Ok(()); // `cargo test --benches` only wants to know that it starts
    }
    let folder = tempfile::tempdir()?;
    let stage = |plies| Stage::new(folder.path(), plies);
    let middle = stage(PLIES)?;
    let players = [
        Measured::Relay,
        Measured::Referee,
        Measured::RefereeWithRecords,
        Measured::RelayOnOneProcessor,
        Measured::RefereeOnOneProcessor,
        Measured::RefereeWithRecordsOnOneProcessor,
    ];
    let mut times = vec![Vec::new(); players.len()];
    for _ in 0..SAMPLES {
        for (index, player) in players.iter().enumerate() {
            times[index].push(player.sample(&middle)?);
        }
    }
    println!("games of {PLIES} plies, {SAMPLES} samples, medians");
    let relay = median(&mut times[0]);
    for (player, times) in players.iter().zip(&mut times) {
        let time = median(times);
        println!("{:26} {time:6.2} µs a ply, {:.2} of the relay", player.name(), time / relay);
    }
    let lengths = [stage(SHORT)?, stage(LONG)?];
    let mut times = vec![Vec::new(); lengths.len()];
    for _ in 0..SAMPLES {
        for (index, stage) in lengths.iter().enumerate() {
            times[index].push(Measured::RefereeWithRecordsOnOneProcessor.sample(stage)?);
        }
    }
    let [short, long] = [median(&mut times[0]), median(&mut times[1])];
    println!(
        "a game of {SHORT} plies {short:6.2} µs a ply, one of {LONG} {long:6.2}: {:.2} of it",
        long / short
    );
    Ok(())
}

/// A game and where its files stand.
struct Stage {
    folder: PathBuf,
    moves: PathBuf,
    game: Vec<String>,
    games: usize,
}

impl Stage {
    fn new(folder: &Path, plies: usize) -> std::io::Result<Stage> {
        let game = random_game(plies);
        let moves = folder.join(format!("moves-{plies}"));
        std::fs::write(&moves, game.join("\n"))?;
        Ok(Stage { folder: folder.to_owned(), moves, game, games: PLIES_PER_SAMPLE / plies })
    }
}

enum Measured {
    Relay,
    Referee,
    RefereeWithRecords,
    RelayOnOneProcessor,
    RefereeOnOneProcessor,
    RefereeWithRecordsOnOneProcessor,
}

impl Measured {
    fn name(&self) -> &'static str {
        match self {
            Measured::Relay => "bare relay",
            Measured::Referee => "referee",
            Measured::RefereeWithRecords => "referee, synced records",
            Measured::RelayOnOneProcessor => "bare relay, one processor",
            Measured::RefereeOnOneProcessor => "referee, one processor",
            Measured::RefereeWithRecordsOnOneProcessor => "synced records, one proc.",
        }
    }

    /// Microseconds a ply.
    fn sample(&self, stage: &Stage) -> Result<f64, Box<dyn std::error::Error>> {
        let time = match self {
            Measured::Relay => relay(stage)?,
            Measured::Referee => referee(stage, None)?,
            Measured::RefereeWithRecords => referee(stage, Some(&stage.folder))?,
            Measured::RelayOnOneProcessor => on_one_processor(|| Ok(relay(stage)?))?,
            Measured::RefereeOnOneProcessor => on_one_processor(|| referee(stage, None))?,
            Measured::RefereeWithRecordsOnOneProcessor => {
                on_one_processor(|| referee(stage, Some(&stage.folder)))?
            }
        };
        Ok(time.as_secs_f64() * 1e6 / (stage.game.len() * stage.games) as f64)
    }
}

/// On a thread that keeps to one processor, and the engines that it starts with it.
fn on_one_processor(
    measure: impl FnOnce() -> Result<Duration, Box<dyn std::error::Error>> + Send,
) -> Result<Duration, Box<dyn std::error::Error>> {
    let bound = || {
        let last: ProcessorSet = ProcessorSet::allowed()?.numbers().last().copied().into_iter().collect();
        last.keep_this_thread()?;
        measure()
    };
    let measured = std::thread::scope(|scope| {
        scope.spawn(|| bound().map_err(|error: Box<dyn std::error::Error>| error.to_string())).join()
    });
    Ok(measured.map_err(|_| "the measuring thread panicked")??)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// A legal game that no rule ends; the same in every run.
fn random_game(plies: usize) -> Vec<String> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    loop {
        let mut state = GameState::new(Chess::default(), CastlingMode::Standard, DeadPositionRule::Material);
        let mut moves = Vec::new();
        while state.end().is_none() && moves.len() < plies {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let legal = state.legal_moves();
            let played = legal[(random >> 33) as usize % legal.len()];
            moves.push(uci_move::write(played, CastlingMode::Standard).to_string());
            state.play(played);
        }
        if moves.len() == plies {
            return moves;
        }
    }
}

/// What no match runner can do without: write the position, read the answer, one thread, no rules, no records.
fn relay(stage: &Stage) -> std::io::Result<Duration> {
    let mut children = Vec::new();
    for _ in 0..2 {
        let mut child = Command::new(std::env::current_exe()?)
            .args([ENGINE_WORD.as_ref(), stage.moves.as_os_str()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::other("no pipes"));
        };
        children.push((child, stdin, BufReader::new(stdout)));
    }
    let mut answer = Vec::new();
    let started = Instant::now();
    for _ in 0..stage.games {
        let mut position = b"position startpos moves".to_vec();
        for (_, stdin, stdout) in &mut children {
            stdin.write_all(b"ucinewgame\nisready\n")?;
            answer.clear();
            stdout.read_until(b'\n', &mut answer)?;
        }
        for ply in 0..stage.game.len() {
            let (_, stdin, stdout) = &mut children[ply % 2];
            let mut commands = if ply == 0 { b"position startpos".to_vec() } else { position.clone() };
            commands.extend_from_slice(b"\ngo wtime 60000 btime 60000\n");
            stdin.write_all(&commands)?;
            loop {
                answer.clear();
                stdout.read_until(b'\n', &mut answer)?;
                if let Some(word) = answer.strip_prefix(b"bestmove ") {
                    position.push(b' ');
                    position.extend_from_slice(word.trim_ascii_end());
                    break;
                }
            }
        }
    }
    let time = started.elapsed();
    for (mut child, stdin, _) in children {
        drop(stdin);
        child.wait()?;
    }
    Ok(time)
}

fn header() -> RunHeader {
    let plan = Plan { format: Format::Match, engines: 2, rounds: 1, pairs: true, openings: PerOpening::Pair };
    RunHeader {
        program: "?".to_owned(),
        started: jiff::Timestamp::now(),
        event: "?".to_owned(),
        site: "?".to_owned(),
        chess960: false,
        engines: Vec::new(),
        schedule: StoredSchedule::of(&plan),
        sprt: None,
        shard: None,
    }
}

fn referee(stage: &Stage, records: Option<&Path>) -> Result<Duration, Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let recorder = records.map(|folder| {
        let tags = MatchTags { event: "?".to_owned(), site: "?".to_owned() };
        let folder = tempfile::tempdir_in(folder).map_err(|error| error.to_string())?.keep();
        let database =
            Database::create(&folder.join("match.db"), &header(), &[]).map_err(|error| error.to_string())?;
        let (pgn, events) = (folder.join("games.pgn"), folder.join("events.jsonl"));
        Recorder::open(tags, Some(database), Some(&pgn), Some(&events))
    });
    let recorder = recorder.transpose()?.map(Arc::new);
    Ok(runtime.block_on(async {
        let setup = setup(std::env::current_exe()?, &stage.moves);
        let mut engines = Vec::new();
        for _ in 0..2 {
            let engine = Engine::start(&setup).await;
            engines.push(engine.map_err(|failure| std::io::Error::other(failure.words))?);
        }
        let rules = rules()?;
        let [white, black] = &mut engines[..] else { return Err(std::io::Error::other("two engines")) };
        let mut observer = Watching(recorder.clone());
        let started = Instant::now();
        for number in 1..=stage.games as u32 {
            let plan = GamePlan {
                id: GameId { number, round: number, game: 1 },
                opening: Opening::initial(CastlingMode::Standard),
                laws: GameLaws::default(),
                adjudication: AdjudicationRules::default(),
                machine: MachineRules::default(),
                replays: 0,
            };
            for engine in [&mut *white, &mut *black] {
                engine.new_game(number).await.map_err(std::io::Error::other)?;
            }
            let players = ByColor {
                white: Player { rules: &rules, engine: white },
                black: Player { rules: &rules, engine: black },
            };
            let played = conduct::play(&plan, players, &mut observer).await;
            let Outcome::Finished(record) = played.outcome else {
                return Err(std::io::Error::other("an annulled game"));
            };
            assert!(record.plies.len() == stage.game.len(), "{}", record.sentence());
            if let Some(recorder) = &recorder {
                recorder.receive(&Event::GameEnded(&record)).map_err(std::io::Error::other)?;
            }
        }
        let time = started.elapsed();
        for engine in engines {
            engine.quit().await;
        }
        Ok(time)
    })?)
}

struct Watching(Option<Arc<Recorder>>);

impl Observer for Watching {
    fn observe(&mut self, game: GameId, event: GameEvent<'_>) {
        if let Some(recorder) = &self.0
            && let Err(failure) = recorder.receive(&Event::Game(game, event))
        {
            panic!("{failure}");
        }
    }
}

fn setup(program: PathBuf, moves: &Path) -> EngineSetup {
    let limit = Duration::from_secs(60);
    EngineSetup {
        name: "instant".to_owned(),
        program: Program {
            path: program,
            args: vec![ENGINE_WORD.to_owned(), moves.display().to_string()],
            dir: PathBuf::from("."),
            env: Vec::new(),
            limits: Limits::default(),
        },
        options: Vec::new(),
        ponder: false,
        timeouts: Timeouts { start: limit, ready: limit, new_game: limit, quit: limit },
        guard: Guard::default(),
    }
}

fn rules() -> std::io::Result<PlayerRules> {
    let never = ClaimPolicy::Never;
    Ok(PlayerRules {
        name: "instant".to_owned(),
        time_control: "60+0.6".parse().map_err(std::io::Error::other)?,
        time_margin: Duration::ZERO,
        claims: ClaimPolicies { threefold: never, fifty_move: never, threshold_cp: 0 },
        sync: arbiter::game::player::SyncPolicy::Game,
        fen: arbiter::law::notation::fen::FenStyle::default(),
        king_takes_rook: false,
        speaks: false,
        ponder: false,
        silence: Duration::from_secs(60),
    })
}

//! What the referee costs per ply: a game of two engines that answer at once, played by a bare relay of moves, by the
//! referee alone, and by the referee with synced records. All in one run, alternated; medians and their ratios.
//!
//!     cargo bench --bench overhead

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arbiter::engine::process::Program;
use arbiter::engine::session::{Engine, EngineSetup, Timeouts};
use arbiter::game::conduct;
use arbiter::game::game_id::GameId;
use arbiter::game::observer::{GameEvent, Observer};
use arbiter::game::plan::{GameLaws, GamePlan};
use arbiter::game::player::{Player, PlayerRules};
use arbiter::law::game_state::GameState;
use arbiter::law::notation::uci_move;
use arbiter::law::policy::{ClaimPolicies, ClaimPolicy, DeadPositionRule};
use arbiter::openings::Opening;
use arbiter::records::pgn::MatchTags;
use arbiter::records::recorder::Recorder;
use arbiter::tournament::event::{Event, Sink};
use shakmaty::{ByColor, CastlingMode, Chess};

const PLIES: usize = 350;
const GAMES_PER_SAMPLE: usize = 20;
const SAMPLES: usize = 15;
/// The bench's own program is the engine when it is started with this word and a file of moves.
const ENGINE_WORD: &str = "instant-engine";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    if let [_, word, moves] = &args[..]
        && word == ENGINE_WORD
    {
        return Ok(instant_engine(Path::new(moves))?);
    }
    if args.iter().any(|arg| arg == "--test") {
        return Ok(()); // `cargo test --benches` only wants to know that it starts
    }
    let folder = tempfile::tempdir()?;
    let game = random_game();
    let moves = folder.path().join("moves");
    std::fs::write(&moves, game.join("\n"))?;
    let players = [Measured::Relay, Measured::Referee, Measured::RefereeWithRecords];
    let mut times = vec![Vec::new(); players.len()];
    for _ in 0..SAMPLES {
        for (index, player) in players.iter().enumerate() {
            times[index].push(player.sample(&moves, &game, folder.path())?);
        }
    }
    println!("{} plies a game, {GAMES_PER_SAMPLE} games a sample, {SAMPLES} samples, medians", game.len());
    let relay = median(&mut times[0]);
    for (player, times) in players.iter().zip(&mut times) {
        let time = median(times);
        println!("{:24} {time:6.2} µs a ply, {:.2} of the relay", player.name(), time / relay);
    }
    Ok(())
}

enum Measured {
    Relay,
    Referee,
    RefereeWithRecords,
}

impl Measured {
    fn name(&self) -> &'static str {
        match self {
            Measured::Relay => "bare relay",
            Measured::Referee => "referee",
            Measured::RefereeWithRecords => "referee, synced records",
        }
    }

    /// Microseconds a ply.
    fn sample(
        &self,
        moves: &Path,
        game: &[String],
        folder: &Path,
    ) -> Result<f64, Box<dyn std::error::Error>> {
        let time = match self {
            Measured::Relay => relay(moves, game)?,
            Measured::Referee => referee(moves, None)?,
            Measured::RefereeWithRecords => referee(moves, Some(folder))?,
        };
        Ok(time.as_secs_f64() * 1e6 / (game.len() * GAMES_PER_SAMPLE) as f64)
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// A legal game that no rule ends; the same in every run.
fn random_game() -> Vec<String> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    loop {
        let mut state = GameState::new(Chess::default(), CastlingMode::Standard, DeadPositionRule::Material);
        let mut moves = Vec::new();
        while state.end().is_none() && moves.len() < PLIES {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let legal = state.legal_moves();
            let played = legal[(random >> 33) as usize % legal.len()];
            moves.push(uci_move::write(played, CastlingMode::Standard).to_string());
            state.play(played);
        }
        if moves.len() == PLIES {
            return moves;
        }
    }
}

/// Answers each `go` with the game's next move, found by counting the words of the position line. Plays on with a
/// move that is not legal when the game's moves are used up, which ends it.
fn instant_engine(moves: &Path) -> std::io::Result<()> {
    let moves = std::fs::read_to_string(moves)?;
    let answers: Vec<String> =
        moves.lines().map(|line| format!("info depth 1 score cp 20\nbestmove {line}\n")).collect();
    let mut input = BufReader::new(std::io::stdin());
    let mut out = std::io::stdout();
    let mut line = Vec::new();
    let mut played = 0;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match line.first() {
            Some(b'p') => played = memchr::memchr_iter(b' ', &line).count().saturating_sub(2),
            Some(b'g') => {
                let answer = answers.get(played).map_or("bestmove 0000\n", String::as_str);
                out.write_all(answer.as_bytes())?;
                out.flush()?;
            }
            Some(b'i') => out.write_all(b"readyok\n").and_then(|()| out.flush())?,
            Some(b'u') if line.starts_with(b"uci\n") => {
                out.write_all(b"uciok\n").and_then(|()| out.flush())?
            }
            Some(b'q') => return Ok(()),
            _ => {}
        }
    }
}

/// What no match runner can do without: write the position, read the answer, one thread, no rules, no records.
fn relay(moves: &Path, game: &[String]) -> std::io::Result<Duration> {
    let mut children = Vec::new();
    for _ in 0..2 {
        let mut child = Command::new(std::env::current_exe()?)
            .args([ENGINE_WORD.as_ref(), moves.as_os_str()])
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
    for _ in 0..GAMES_PER_SAMPLE {
        let mut position = b"position startpos moves".to_vec();
        for ply in 0..game.len() {
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

fn referee(moves: &Path, records: Option<&Path>) -> Result<Duration, Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let recorder = records.map(|folder| {
        let tags = MatchTags { event: "?".to_owned(), site: "?".to_owned() };
        Recorder::open(tags, Some(&folder.join("games.pgn")), Some(&folder.join("events.jsonl")))
    });
    let recorder = recorder.transpose()?.map(Arc::new);
    Ok(runtime.block_on(async {
        let setup = setup(std::env::current_exe()?, moves);
        let mut engines = Vec::new();
        for _ in 0..2 {
            engines
                .push(Engine::start(&setup).await.map_err(|failure| std::io::Error::other(failure.words))?);
        }
        let rules = rules()?;
        let [white, black] = &mut engines[..] else { return Err(std::io::Error::other("two engines")) };
        let mut observer = Watching(recorder.clone());
        let started = Instant::now();
        for number in 1..=GAMES_PER_SAMPLE as u32 {
            let plan = GamePlan {
                id: GameId { number, round: number, game: 1 },
                opening: Opening::initial(CastlingMode::Standard),
                laws: GameLaws::default(),
            };
            let players = ByColor {
                white: Player { rules: &rules, engine: white },
                black: Player { rules: &rules, engine: black },
            };
            let played = conduct::play(&plan, players, &mut observer).await;
            assert!(played.record.plies.len() == PLIES, "{}", played.record.sentence());
            if let Some(recorder) = &recorder {
                recorder.receive(&Event::GameEnded(&played.record)).map_err(std::io::Error::other)?;
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
        },
        options: Vec::new(),
        timeouts: Timeouts { start: limit, ready: limit, new_game: limit, quit: limit },
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
        silence: Duration::from_secs(60),
    })
}

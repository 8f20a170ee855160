//! What the live display costs a game: the event of a ply, taken in while the lines are looked at as often as they are
//! drawn, and without a terminal.
//!
//!     cargo bench --bench live_display

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arbiter::engine::message::Score;
use arbiter::game::game_id::GameId;
use arbiter::game::observer::GameEvent;
use arbiter::game::record::{PlyRecord, SearchRecord};
use arbiter::report::console::Console;
use arbiter::report::display::{Devices, Display};
use arbiter::report::live::Live;
use arbiter::report::screen::Device;
use arbiter::tournament::event::{Event, Sink};
use arbiter::tournament::scoreboard::Scoreboard;
use criterion::{Criterion, criterion_group, criterion_main};
use shakmaty::Color;

const GAMES: u32 = 64;

fn id(number: u32) -> GameId {
    GameId { number, round: number, game: 1 }
}

/// So many games have begun.
fn live() -> Arc<Live> {
    let live = Arc::new(Live::new(GAMES as usize));
    let names = ["Alpha".to_owned(), "Beta".to_owned()];
    let scoreboard = Scoreboard::new(names.clone(), true, None);
    let started = Event::MatchStarted {
        name: "Bench",
        engines: &names,
        games: Some(GAMES),
        scoreboard: &scoreboard,
        openings: None,
    };
    let _ = live.receive(&started);
    for number in 1..=GAMES {
        let begun = GameEvent::Started { white: "Alpha", black: "Beta", fen: None };
        let _ = live.receive(&Event::Game(id(number), begun));
    }
    live
}

fn record() -> PlyRecord {
    let search = SearchRecord {
        clock: Some(Duration::from_secs(43)),
        score: Some(Score::Centipawns(35)),
        depth: Some(18),
        ..SearchRecord::default()
    };
    PlyRecord {
        uci: "e2e4".to_owned(),
        san: "e4".to_owned(),
        search: Some(search),
        offers_draw: false,
        remark: None,
    }
}

fn plies(criterion: &mut Criterion) {
    let record = record();
    let ply = |number| Event::Game(id(number), GameEvent::Ply { ply: 67, by: Color::White, record: &record });
    let live = live();
    criterion.bench_function("a ply, 1 of 64 games, nobody looks", |bencher| {
        let mut number = 0;
        bencher.iter(|| {
            number = number % GAMES + 1;
            live.receive(&ply(number))
        });
    });
    let over = Arc::new(AtomicBool::new(false));
    let looking = std::thread::spawn({
        let (live, over) = (Arc::clone(&live), Arc::clone(&over));
        move || {
            let mut seen = 0;
            while !over.load(Ordering::Relaxed) {
                seen += live.snapshot(Instant::now()).map_or(0, |snapshot| snapshot.running.len());
            }
            seen
        }
    });
    criterion.bench_function("a ply, 1 of 64 games, somebody looks all the time", |bencher| {
        let mut number = 0;
        bencher.iter(|| {
            number = number % GAMES + 1;
            live.receive(&ply(number))
        });
    });
    over.store(true, Ordering::Relaxed);
    assert!(looking.join().is_ok_and(|seen| seen > 0));
    let devices = Devices { stdout: Device::Other, stderr: Device::Other };
    let Ok(display) = Display::start(devices, None) else { return };
    let console = Console::new(display.results());
    criterion.bench_function("a ply, no terminal", |bencher| bencher.iter(|| console.receive(&ply(1))));
    criterion.bench_function("the 64 games are looked at", |bencher| {
        bencher.iter(|| live.snapshot(Instant::now()));
    });
}

criterion_group!(benches, plies);
criterion_main!(benches);

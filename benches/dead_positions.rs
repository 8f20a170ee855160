//! What deciding dead positions costs: the every-ply look, both sides, and the full search for the side not to move,
//! over final positions of real games (or the committed sample where that file is absent); and the look at every ply of
//! ordinary games. A figure is for all of them; criterion's throughput is per position.

#[path = "../tests/support/dead_positions.rs"]
mod support;

use std::hint::black_box;
use std::path::Path;

use arbiter::law::dead_position::{can_mate, quick_look};
use arbiter::law::notation::{fen, uci_move};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::{CastlingMode, Chess, Position};

fn positions() -> Vec<Chess> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("../shared/vectors/lichess-timeouts.txt"))
        .or_else(|_| std::fs::read_to_string(root.join("tests/data/unwinnability-fuzz-sample.txt")))
        .unwrap_or_default();
    support::cases(&text).into_iter().map(|case| case.position).collect()
}

/// Every position of the committed games, in order.
fn positions_of_games() -> Vec<Chess> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("tests/data/ordinary-games.txt")).unwrap_or_default();
    let mut positions = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((fen, moves)) = line.split_once(" | ") else { continue };
        let Ok(start) = fen::parse(fen, CastlingMode::Standard) else { continue };
        let mut position = start.chess;
        for token in moves.split(' ') {
            positions.push(position.clone());
            let legal = position.legal_moves();
            let Some(played) = uci_move::find(token.as_bytes(), &legal, CastlingMode::Standard, false) else {
                break;
            };
            position.play_unchecked(played);
        }
    }
    positions
}

fn dead_positions(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("dead_positions");
    group.throughput(Throughput::Elements(positions.len() as u64)).sample_size(20);
    group.bench_function("legal_moves", |bencher| {
        bencher.iter(|| positions.iter().for_each(|position| drop(black_box(position.legal_moves()))));
    });
    group.bench_function("quick_look", |bencher| {
        bencher
            .iter(|| positions.iter().filter(|position| quick_look(black_box(position)).is_dead()).count());
    });
    group.sample_size(10);
    group.bench_function("can_mate", |bencher| {
        bencher.iter(|| {
            let noes = positions.iter().filter(|position| {
                can_mate(black_box(position), !position.turn(), 1_000_000).can_mate.is_no()
            });
            noes.count()
        });
    });
    group.finish();

    let positions = positions_of_games();
    let mut group = criterion.benchmark_group("ordinary_games");
    group.throughput(Throughput::Elements(positions.len() as u64)).sample_size(20);
    group.bench_function("quick_look", |bencher| {
        bencher
            .iter(|| positions.iter().filter(|position| quick_look(black_box(position)).is_dead()).count());
    });
    group.finish();
}

criterion_group!(benches, dead_positions);
criterion_main!(benches);

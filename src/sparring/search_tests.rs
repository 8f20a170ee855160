//! The search as its host sees it.

use shakmaty::{Position, Role};

use super::*;
use crate::sparring::game_line::Base;
use crate::sparring::options::Options;
use crate::sparring::uci_face::score_text;

/// Records everything, and stops the search after so many polls.
#[derive(Default)]
struct Recorder {
    polls: u32,
    stop_after: Option<u32>,
    ponder_hit_after: Option<u32>,
    waits: u32,
    results: Vec<(u32, i32, u64, Vec<Move>)>,
}

impl SearchHost for Recorder {
    fn poll(&mut self) -> Signal {
        self.polls += 1;
        match self.polls {
            polls if Some(polls) == self.stop_after => Signal::Stop,
            polls if Some(polls) == self.ponder_hit_after => Signal::PonderHit(Instant::now()),
            _ => Signal::Nothing,
        }
    }

    fn wait(&mut self) -> Signal {
        self.waits += 1;
        Signal::Stop
    }

    fn report(&mut self, progress: &Progress<'_>) {
        self.results.push((progress.depth, progress.score, progress.nodes, progress.line.to_vec()));
    }
}

fn game(fen: &str, moves: &str) -> GameLine {
    let mut line = GameLine::new();
    let base = if fen.is_empty() { Base::StartPosition } else { Base::Fen(fen.to_owned()) };
    line.set(base, moves).unwrap();
    line
}

fn search_with(game: &GameLine, limits: &SearchLimits, seed: u64, host: &mut Recorder) -> Choice {
    let time_policy = Options::new(None, seed).time_policy();
    let task = Task { limits, started: Instant::now(), time_policy, max_depth: None, seed };
    Searcher::new(1).search(game, task, host)
}

fn to_depth(depth: u32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

/// The move, the last score in words, and everything reported.
fn search(game: &GameLine, limits: &SearchLimits) -> (String, String, Recorder) {
    let mut host = Recorder::default();
    let choice = search_with(game, limits, 0, &mut host);
    let score = score_text(host.results.last().unwrap().1);
    let best = choice.best.map_or("0000".to_owned(), |m| m.to_uci(game.castling_mode()).to_string());
    (best, score, host)
}

#[test]
fn mates_are_found_and_counted_in_moves() {
    for (fen, depth, best, score) in [
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 2, "d1d8", "mate 1"),
        ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 4, "", "mate 2"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 5, "a1a6", "mate 2"),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 7, "f6a6", "mate 3"),
        ("8/8/8/8/8/1k6/7r/K7 w - - 0 1", 3, "a1b1", "mate -1"),
    ] {
        let (found, said, _) = search(&game(fen, ""), &to_depth(depth));
        assert_eq!(said, score, "{fen}");
        assert!(best.is_empty() || found == best, "{fen}: {found}");
    }
}

#[test]
fn go_mate_ends_when_the_mate_is_found() {
    let limits = SearchLimits { mate: Some(2), ..SearchLimits::default() };
    let (best, score, _) = search(&game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", ""), &limits);
    assert_eq!((best.as_str(), score.as_str()), ("a1a6", "mate 2"));
}

#[test]
fn no_legal_move_is_said_plainly() {
    for (fen, score) in
        [("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")]
    {
        let (best, said, host) = search(&game(fen, ""), &to_depth(5));
        assert_eq!((best.as_str(), said.as_str(), host.results.len()), ("0000", score, 1));
    }
}

#[test]
fn stalemate_is_avoided_when_winning_and_sought_when_losing() {
    let winning = game("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "");
    assert_ne!(search(&winning, &to_depth(4)).0, "f1f7");
    let losing = game("7k/8/8/8/8/8/5q2/7K b - - 0 1", "");
    assert_ne!(search(&losing, &to_depth(4)).1, "cp 0");
    let only_the_rook_can_move = game("7k/8/8/8/8/6q1/1R6/7K w - - 0 1", "");
    let (best, score, _) = search(&only_the_rook_can_move, &to_depth(6));
    assert_eq!(score, "cp 0", "{best}");
}

#[test]
fn every_line_reported_is_legal() {
    for fen in [
        "",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "kb6/pp6/8/3QQQQQ/3QQQQQ/3QQQQQ/3QQQQQ/K2QQQQQ w - - 0 1",
    ] {
        let game = game(fen, "");
        let limits = SearchLimits { nodes: Some(60_000), ..SearchLimits::default() };
        let (_, _, host) = search(&game, &limits);
        assert!(!host.results.is_empty());
        for (depth, _, _, line) in host.results {
            let mut position = game.position().clone();
            for chess_move in line {
                assert!(position.is_legal(chess_move), "{fen} depth {depth}: {chess_move}");
                position.play_unchecked(chess_move);
            }
        }
    }
}

#[test]
fn node_limit_is_never_passed_and_nearly_used() {
    for nodes in [0, 1, 2, 100, 1023, 1024, 5000] {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
        let mut host = Recorder::default();
        let choice = search_with(&game("", ""), &limits, 0, &mut host);
        assert!(choice.best.is_some(), "{nodes}");
        assert!(host.results.last().unwrap().2 <= nodes);
        assert_eq!(u64::from(host.polls), nodes / 1024);
    }
}

#[test]
fn stop_is_answered_with_the_best_move_so_far() {
    let limits = SearchLimits { infinite: true, ..SearchLimits::default() };
    let mut host = Recorder { stop_after: Some(9), ..Recorder::default() };
    let choice = search_with(&game("", ""), &limits, 0, &mut host);
    assert_eq!(choice.best, host.results.last().unwrap().3.first().copied());
    assert_eq!((host.polls, host.waits), (9, 0));
}

#[test]
fn infinite_search_that_is_through_waits_for_stop() {
    let by_depth = SearchLimits { infinite: true, ..to_depth(3) };
    let by_nodes = SearchLimits { infinite: true, nodes: Some(500), ..SearchLimits::default() };
    let pondering = SearchLimits { ponder: true, ..to_depth(2) };
    for limits in [by_depth, by_nodes, pondering] {
        let mut host = Recorder::default();
        let _ = search_with(&game("", ""), &limits, 0, &mut host);
        assert_eq!(host.waits, 1, "{limits:?}");
    }
}

#[test]
fn budget_counts_after_the_ponder_hit() {
    let limits =
        SearchLimits { ponder: true, move_time: Some(Duration::from_millis(1)), ..SearchLimits::default() };
    let mut host =
        Recorder { ponder_hit_after: Some(20), stop_after: Some(1_000_000), ..Recorder::default() };
    assert!(search_with(&game("", ""), &limits, 0, &mut host).best.is_some());
    assert!(host.polls >= 20 && host.polls < 1_000_000);
}

#[test]
fn equal_seeds_play_equally_and_others_vary() {
    let limits = SearchLimits { nodes: Some(3_000), ..SearchLimits::default() };
    let mut openings = std::collections::BTreeSet::new();
    for seed in 0..12 {
        let (mut once, mut again) = (Recorder::default(), Recorder::default());
        let choice = search_with(&game("", ""), &limits, seed, &mut once);
        assert_eq!(choice, search_with(&game("", ""), &limits, seed, &mut again));
        assert_eq!(once.results, again.results);
        openings.insert(choice.best.map(|m| m.to_uci(shakmaty::CastlingMode::Standard).to_string()));
    }
    assert!(openings.len() > 1, "{openings:?}");
}

#[test]
fn repetition_and_fifty_moves_are_draws() {
    // A queen up, but the halfmove clock runs out.
    let clock_runs_out = game("7k/8/8/8/8/8/2Q5/K7 w - - 99 80", "");
    assert_eq!(search(&clock_runs_out, &to_depth(2)).1, "cp 0");
    let mate_beats_the_clock = game("7k/8/6K1/8/8/8/8/4Q3 w - - 99 80", "");
    let (_, score, _) = search(&mate_beats_the_clock, &to_depth(2));
    assert_eq!(score, "mate 1");
    let unclaimed = game("7k/8/8/8/8/8/2Q5/K7 w - - 120 80", "");
    assert_ne!(search(&unclaimed, &to_depth(2)).1, "cp 0");
    // White's only hope is the third occurrence: Qe8+ Kh7 Qh5+ Kg8 twice, and once more.
    let fen = "6k1/6p1/8/7Q/8/6q1/1r6/7K w - - 0 1";
    let shuffle = "h5e8 g8h7 e8h5 h7g8";
    let (best, score, _) = search(&game(fen, &format!("{shuffle} {shuffle} h5e8 g8h7")), &to_depth(3));
    assert_eq!((best.as_str(), score.as_str()), ("e8h5", "cp 0"));
}

#[test]
fn only_the_moves_asked_for() {
    let limits = SearchLimits { search_moves: vec!["a2a3".parse().unwrap()], ..to_depth(3) };
    assert_eq!(search(&game("", ""), &limits).0, "a2a3");
}

#[test]
fn bare_king_is_mated() {
    for fen in ["4k3/8/8/8/8/8/8/4K2Q w - - 0 1", "8/8/3k4/8/8/8/8/4K2R w - - 0 1"] {
        let mut line = game(fen, "");
        let mut moves: Vec<String> = Vec::new();
        let mut searcher = Searcher::new(4);
        while !line.position().is_checkmate() {
            assert!(moves.len() < 90, "{fen}: {}", moves.join(" "));
            let limits = SearchLimits { nodes: Some(20_000), ..SearchLimits::default() };
            let time_policy = Options::new(None, 0).time_policy();
            let task =
                Task { limits: &limits, started: Instant::now(), time_policy, max_depth: Some(10), seed: 0 };
            let choice = searcher.search(&line, task, &mut Recorder::default());
            let best = choice.best.unwrap();
            moves.push(best.to_uci(line.castling_mode()).to_string());
            line.set(Base::Fen(fen.to_owned()), &moves.join(" ")).unwrap();
        }
        assert!(line.position().board().by_role(Role::King).count() == 2);
    }
}

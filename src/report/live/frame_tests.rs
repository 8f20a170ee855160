use std::time::Instant;

use shakmaty::Color;

use super::*;
use crate::game::game_id::GameId;
use crate::law::verdict::{GameResult, Verdict};
use crate::statistics::sprt::{Model, SprtSettings};
use crate::tournament::finished_game::FinishedGame;
use crate::tournament::scoreboard::Scoreboard;

const SIZE: Size = Size { columns: 100, rows: 24 };

fn id(number: u32) -> GameId {
    GameId { number, round: number.div_ceil(2), game: 2 - number % 2 }
}

fn game(number: u32, white: &str, black: &str) -> RunningGame {
    RunningGame::new(id(number), ByColor { white, black }, None, Instant::now())
}

fn seconds(white: u64, black: u64) -> ByColor<Option<Duration>> {
    ByColor { white, black }.map(|seconds| Some(Duration::from_secs(seconds)))
}

fn told(by: Color, score: Score, depth: Option<u32>) -> Option<ToldScore> {
    Some(ToldScore { by, score, depth })
}

/// After results of the first engine against the second one, games 1, 2, …
fn scoreboard(names: &[&str], results: &[GameResult], sprt: Option<SprtSettings>) -> Scoreboard {
    let mut scoreboard = Scoreboard::new(names.iter().map(|name| (*name).to_owned()), false, sprt);
    for (number, result) in (1..).zip(results) {
        let engines = ByColor { white: 0, black: 1 };
        let verdict = result.winner().map_or_else(Verdict::stalemate, Verdict::checkmate);
        let game = FinishedGame { id: id(number), engines, verdict };
        scoreboard.add(&game).unwrap();
    }
    scoreboard
}

fn snapshot(running: Vec<RunningGame>, planned: Option<u32>, scoreboard: &Scoreboard) -> Snapshot {
    Snapshot {
        running,
        planned,
        finished: scoreboard.finished(),
        time_left: None,
        standing: Standing::of(scoreboard),
    }
}

fn of_games(running: Vec<RunningGame>) -> Snapshot {
    snapshot(running, Some(20), &scoreboard(&["Alpha", "Beta"], &[], None))
}

fn seen(snapshot: &Snapshot, size: Size) -> Vec<String> {
    let lines = render(snapshot, size, Colours::None);
    assert!(lines.len() <= size.rows, "{lines:?}");
    assert!(lines.iter().all(|line| width(line) <= size.columns), "{lines:?}");
    lines
}

#[test]
fn a_moment_of_a_match() {
    let running = vec![
        RunningGame {
            plies: 67,
            score: told(Color::White, Score::Centipawns(35), Some(18)),
            clocks: seconds(43, 3671),
            ..game(2, "Beta", "Alpha")
        },
        RunningGame { plies: 2, ..game(13, "Alpha", "Beta") },
        game(14, "Beta", "Alpha"),
    ];
    use GameResult::{BlackWins, Draw, WhiteWins};
    let sprt = SprtSettings::new((0.0, 10.0), 0.05, 0.05, Model::Normalized, false).unwrap();
    let results = [WhiteWins, Draw, Draw, BlackWins, WhiteWins];
    let scoreboard = scoreboard(&["Alpha", "Beta"], &results, Some(sprt));
    let snapshot =
        Snapshot { time_left: Some(Duration::from_secs(754)), ..snapshot(running, Some(20), &scoreboard) };
    assert_eq!(
        seen(&snapshot, SIZE),
        [
            "1.2  Beta – Alpha  move 34  +0.35/18  clocks 0:43 / 1:01:11",
            "7.1  Alpha – Beta  move  1",
            "7.2  Beta – Alpha  begins",
            "█████░░░░░░░░░░░░░░░  5 of 20 games  at most about 12:34 left",
            "Alpha 3 – 2 Beta  Elo 70.4 ± 307.5 (95 %)  LLR 0.04 (-2.94 to 2.94)",
        ]
    );
}

#[test]
fn scores_are_white_s() {
    for (by, score, depth, text) in [
        (Color::White, Score::Centipawns(35), Some(18), "+0.35/18"),
        (Color::Black, Score::Centipawns(35), Some(18), "-0.35/18"),
        (Color::Black, Score::Centipawns(-120), None, "+1.20"),
        (Color::Black, Score::Centipawns(0), Some(3), "0.00/3"),
        (Color::White, Score::MateIn(5), Some(30), "+M5/30"),
        (Color::Black, Score::MateIn(5), Some(30), "-M5/30"),
        (Color::Black, Score::MateIn(-2), Some(30), "+M2/30"),
    ] {
        assert_eq!(super::score(ToldScore { by, score, depth }), text);
    }
}

#[test]
fn clocks_are_never_rounded_up() {
    for (milliseconds, text) in [
        (0, "0:00.0"),
        (9_999, "0:09.9"),
        (10_000, "0:10"),
        (59_999, "0:59"),
        (61_000, "1:01"),
        (3_599_999, "59:59"),
        (3_600_000, "1:00:00"),
    ] {
        assert_eq!(clock(Some(Duration::from_millis(milliseconds))), text);
    }
    let one = RunningGame {
        plies: 1,
        clocks: ByColor { white: Some(Duration::from_secs(5)), black: None },
        ..game(1, "Alpha", "Beta")
    };
    assert_eq!(seen(&of_games(vec![one]), SIZE)[0], "1.1  Alpha – Beta  move  1  clocks 0:05.0 / -");
}

#[test]
fn columns_stand_below_each_other() {
    let running = vec![
        RunningGame {
            plies: 7,
            score: told(Color::White, Score::Centipawns(-1235), Some(8)),
            clocks: seconds(5, 65),
            ..game(9, "馬車", "Beta")
        },
        RunningGame { plies: 240, clocks: seconds(725, 7), ..game(100, "Alpha", "Beta") },
    ];
    assert_eq!(
        seen(&of_games(running), SIZE)[..2],
        [
            " 5.1  馬車 – Beta   move  4   -12.35/8  clocks 0:05.0 / 1:05",
            "50.2  Alpha – Beta  move 120            clocks  12:05 / 0:07.0",
        ]
    );
}

#[test]
fn a_narrow_terminal_is_told_less() {
    let running = || {
        vec![RunningGame {
            plies: 67,
            score: told(Color::White, Score::Centipawns(35), Some(18)),
            clocks: seconds(43, 51),
            ..game(2, "Stockfish 17.1", "Fairy-Stockfish")
        }]
    };
    let line = |columns| seen(&of_games(running()), Size { columns, rows: 24 })[0].clone();
    assert_eq!(line(78), "1.2  Stockfish 17.1 – Fairy-Stockfish  move 34  +0.35/18  clocks 0:43 / 0:51");
    assert_eq!(line(70), "1.2  Stockfish 1… – Fairy-Stoc…  move 34  +0.35/18  clocks 0:43 / 0:51");
    assert_eq!(line(60), "1.2  Stockfish 17.1 – Fairy-Stockfish  move 34  +0.35/18");
    assert_eq!(line(44), "1.2  Stockfis… – Fairy-S…  move 34  +0.35/18");
    assert_eq!(line(36), "1.2  Stockfish… – Fairy-St…  move 34");
    assert_eq!(line(30), "1.2  Stockfish … – Fairy-Stoc…");
    for columns in 1..100 {
        line(columns);
    }
}

#[test]
fn many_games_leave_half_of_the_terminal() {
    let running: Vec<RunningGame> = (1..=64).map(|number| game(number, "Alpha", "Beta")).collect();
    let snapshot = of_games(running);
    let lines = seen(&snapshot, SIZE);
    assert_eq!(lines.len(), 12 + 2);
    assert_eq!(lines[10], "6.1  Alpha – Beta  begins");
    assert_eq!(lines[11], "… and 53 more games");
    assert_eq!(lines[12], "░░░░░░░░░░░░░░░░░░░░  0 of 20 games");
    let lines = seen(&snapshot, Size { columns: 80, rows: 4 });
    assert_eq!(lines[0], "64 games being played");
    for rows in 1..70 {
        for columns in [1, 2, 5, 17, 40, 200] {
            assert!(!seen(&snapshot, Size { columns, rows }).is_empty());
        }
    }
}

#[test]
fn a_match_without_an_end_has_no_bar() {
    use GameResult::{Draw, WhiteWins};
    let scoreboard = scoreboard(&["Alpha", "Beta"], &[WhiteWins, Draw], None);
    assert_eq!(seen(&snapshot(Vec::new(), None, &scoreboard), SIZE)[0], "2 games");
}

#[test]
fn the_extra_games_of_a_knockout_do_not_overfill_the_bar() {
    use GameResult::Draw;
    let scoreboard = scoreboard(&["Alpha", "Beta", "Gamma"], &[Draw; 5], None);
    assert_eq!(
        seen(&snapshot(Vec::new(), Some(4), &scoreboard), SIZE),
        ["████████████████████  5 of 5 games", "Alpha 2½ of 5  Beta 2½ of 5"]
    );
}

#[test]
fn what_is_not_known_is_not_shown() {
    use GameResult::{Draw, WhiteWins};
    let standing = |results: &[GameResult]| {
        let scoreboard = scoreboard(&["Alpha", "Beta"], results, None);
        seen(&snapshot(Vec::new(), Some(9), &scoreboard), SIZE)[1].clone()
    };
    assert_eq!(standing(&[]), "Alpha 0 – 0 Beta");
    assert_eq!(standing(&[Draw, Draw]), "Alpha 1 – 1 Beta", "equal results have no error");
    assert!(standing(&[WhiteWins; 4]).starts_with("Alpha 4 – 0 Beta  Elo > "));
}

#[test]
fn names_steer_no_terminal() {
    let name = "A\x1b[2J\n\u{202e}B";
    let scoreboard = scoreboard(&[name, "Beta"], &[], None);
    let lines = seen(&snapshot(vec![game(1, name, "Beta")], Some(2), &scoreboard), SIZE);
    assert_eq!(lines[0], "1.1  A\\x1b[2J\\x0a\\u{202e}B – Beta  begins");
    assert!(lines.iter().all(|line| !line.contains(|character: char| character.is_control())), "{lines:?}");
}

#[test]
fn colours_are_in_the_bar_alone() {
    let snapshot = of_games(vec![game(1, "Alpha", "Beta")]);
    let coloured = render(&snapshot, SIZE, Colours::Shown);
    assert_eq!(coloured.iter().filter(|line| line.contains('\x1b')).count(), 1);
    assert!(render(&snapshot, SIZE, Colours::None).iter().all(|line| !line.contains('\x1b')));
}

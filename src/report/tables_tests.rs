use shakmaty::{ByColor, CastlingMode, Color};

use super::*;
use crate::game::record::GameRecord;
use crate::law::verdict::Verdict;
use crate::openings::{Opening, PerOpening};
use crate::tournament::schedule::{Plan, ScheduledGame, Upcoming};

const NAMES: [&str; 6] = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"];

fn record(game: &ScheduledGame, verdict: Verdict) -> GameRecord {
    let both = || ByColor { white: "-".to_owned(), black: "-".to_owned() };
    GameRecord {
        id: game.id,
        names: game.engines.map(|engine| NAMES[engine].to_owned()),
        time_controls: ByColor::new_with(|_| "depth=1".parse().unwrap()),
        claims: both(),
        opening: Opening::initial(CastlingMode::Standard),
        plies: Vec::new(),
        verdict,
        detail: None,
        flag_fall: None,
        dialogue: ByColor::new_with(|_| Vec::new()),
        started: jiff::ZonedDateTime::now(),
    }
}

/// Plays everything; an engine wins with White against those after it in the file, and draws with Black.
fn played(format: Format, engines: usize, rounds: u32) -> (Standings, Schedule) {
    let plan = Plan { format, engines, rounds, pairs: true, openings: PerOpening::Pair };
    let mut schedule = Schedule::new(&plan).unwrap();
    let mut standings = Standings::new(NAMES[..engines].iter().map(|name| (*name).to_owned()));
    while let Upcoming::Game(game) = schedule.upcoming() {
        schedule.hand_out(&game);
        let wins = game.engines.white < game.engines.black;
        let record =
            record(&game, if wins { Verdict::checkmate(Color::White) } else { Verdict::stalemate() });
        standings.add(&record);
        schedule.finished(game.id, record.verdict.result());
    }
    (standings, schedule)
}

fn shown(format: Format, engines: usize, rounds: u32) -> String {
    let (standings, schedule) = played(format, engines, rounds);
    render(&standings, &schedule, &[])
}

#[test]
fn a_round_robin_has_a_crosstable() {
    let expected = "     engine  games   won  drawn  lost  points   score  Sonneborn-Berger\n  \
          1  Alpha       4     2      2     0     3.0   75.0 %              4.50\n  \
          2  Beta        4     1      2     1     2.0   50.0 %              3.00\n  \
          3  Gamma       4     0      2     2     1.0   25.0 %              2.50\n\n\
        Points against\n                 1      2      3\n  \
          1  Alpha       ·    1.5    1.5\n  \
          2  Beta      0.5      ·    1.5\n  \
          3  Gamma     0.5    0.5      ·\n\n\
        How the games ended\n    3  checkmate (Article 5.1.1)\n    3  stalemate (Article 5.2.1)\n";
    assert_eq!(shown(Format::RoundRobin, 3, 1), expected);
}

#[test]
fn a_gauntlet_shows_points_against_its_seeds() {
    let text = shown(Format::Gauntlet { seeds: 1 }, 4, 1);
    assert!(text.contains("  1  Alpha       6     3      3     0     4.5   75.0 %\n"), "{text}");
    assert!(
        text.contains("Points against\n                 1\n  1  Alpha       ·\n  2  Beta      0.5\n"),
        "{text}"
    );
}

#[test]
fn a_knockout_has_its_bracket() {
    let text = shown(Format::Knockout, 5, 1);
    let expected = "\nRound 1\n        Alpha – (bye)\n  1.1   Delta 1.5 – 0.5 Epsilon\n        Beta – (bye)\n        Gamma – (bye)\n\n\
        Semifinals\n  2.1   Alpha 1.5 – 0.5 Delta\n  2.2   Beta 1.5 – 0.5 Gamma\n\n\
        Final\n  3.1   Alpha 1.5 – 0.5 Beta\n\nWinner: Alpha\n\nHow the games ended\n";
    assert!(text.contains(expected), "{text}");
    let order: Vec<&str> =
        text.lines().skip(1).take(5).map(|line| line[5..].split(' ').next().unwrap()).collect();
    assert_eq!(
        order,
        ["Alpha", "Beta", "Delta", "Gamma", "Epsilon"],
        "Delta has won an encounter more than Gamma"
    );
}

#[test]
fn extra_games_of_a_knockout_are_called_what_they_are() {
    for (pairs, words) in [(false, "Gamma wins the extra game"), (true, "Gamma wins the extra pair")] {
        let plan =
            Plan { format: Format::Knockout, engines: 3, rounds: 1, pairs, openings: PerOpening::Pair };
        let mut schedule = Schedule::new(&plan).unwrap();
        let mut standings = Standings::new(NAMES[..3].iter().map(|name| (*name).to_owned()));
        while let Upcoming::Game(game) = schedule.upcoming() {
            schedule.hand_out(&game);
            // Beta and Gamma draw their regular games.
            let regular = game.id.round == 1 && game.id.game <= if pairs { 2 } else { 1 };
            let wins = !regular && game.engines.white == 2;
            let record =
                record(&game, if wins { Verdict::checkmate(Color::White) } else { Verdict::stalemate() });
            standings.add(&record);
            schedule.finished(game.id, record.verdict.result());
        }
        let text = render(&standings, &schedule, &[]);
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn a_swiss_tournament_shows_byes_and_tie_breaks() {
    let text = shown(Format::Swiss, 3, 2);
    assert!(text.starts_with(
        "     engine  games   won  drawn  lost  points   score  given  Buchholz  Sonneborn-Berger\n"
    ));
    // Alpha and Beta meet, Gamma has a bye; then Alpha meets Gamma.
    assert!(
        text.contains(
            "  1  Alpha       4     2      2     0     3.0   75.0 %    0.0       5.0              7.50\n"
        ),
        "{text}"
    );
    assert!(text.contains("\nRound 1\n  Alpha 1.5 – 0.5 Beta\n  Gamma  bye\n"), "{text}");
    assert!(text.contains("  Beta  bye\n"), "{text}");
}

#[test]
fn what_an_engine_did_not_play_is_told() {
    let (standings, mut schedule) = played(Format::RoundRobin, 3, 1);
    schedule.withdraw(1);
    let unplayed = crate::tournament::schedule::Unplayed { games: 3, first: None };
    let withdrawal = Withdrawal { engine: 1, words: "Beta is gone".to_owned(), unplayed };
    let text = render(&standings, &schedule, &[withdrawal]);
    assert!(text.ends_with("\nNot played\n  Beta is gone: 3 of its games are not played\n"), "{text}");
}

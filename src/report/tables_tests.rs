use shakmaty::{ByColor, Color};

use super::*;
use crate::game::game_id::GameId;
use crate::law::verdict::{Forfeit, MatingChance, Verdict};
use crate::openings::PerOpening;
use crate::tournament::finished_game::FinishedGame;
use crate::tournament::schedule::{Plan, ScheduledGame, Upcoming};

const NAMES: [&str; 6] = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"];

fn finished(game: &ScheduledGame, verdict: &Verdict) -> FinishedGame {
    FinishedGame { id: game.id, engines: game.engines, verdict: verdict.clone() }
}

/// Plays everything; an engine wins with White against those after it in the file, and draws with Black.
fn played(format: Format, engines: usize, rounds: u32) -> (Standings, Schedule) {
    let plan = Plan { format, engines, rounds, pairs: true, openings: PerOpening::Pair };
    let mut schedule = Schedule::new(&plan).unwrap();
    let mut standings = Standings::new(NAMES[..engines].iter().map(|name| (*name).to_owned()));
    while let Upcoming::Game(game) = schedule.upcoming() {
        schedule.hand_out(&game);
        let wins = game.engines.white < game.engines.black;
        let verdict = if wins { Verdict::checkmate(Color::White) } else { Verdict::stalemate() };
        standings.add(&finished(&game, &verdict));
        schedule.finished(game.id, verdict.result());
    }
    (standings, schedule)
}

fn shown(format: Format, engines: usize, rounds: u32) -> String {
    let (standings, schedule) = played(format, engines, rounds);
    render(&standings, &schedule, &[])
}

#[test]
fn a_round_robin_has_a_crosstable() {
    // Elo: with x between neighbours the first one's score is (S(x) + S(2x))/2 = 75 %.
    let expected = "     engine  games   won  drawn  lost  points    score       Elo     +/-  Sonneborn-Berger\n  \
          1  Alpha       4     2      2     0     3.0   75.0 %     131.4   157.2              4.50\n  \
          2  Beta        4     1      2     1     2.0   50.0 %       0.0   143.3              3.00\n  \
          3  Gamma       4     0      2     2     1.0   25.0 %    -131.4   157.2              2.50\n\n\
        Points against\n                 1      2      3\n  \
          1  Alpha       ·    1.5    1.5\n  \
          2  Beta      0.5      ·    1.5\n  \
          3  Gamma     0.5    0.5      ·\n\n\
        How the games ended\n    3  checkmate (Article 5.1.1)\n    3  stalemate (Article 5.2.1)\n\n\
        How they ended for each engine\n        \
                mates     mates  stale-\n\
        engine  given  received   mates\n\
        Alpha       2         0       2\n\
        Beta        1         1       2\n\
        Gamma       0         2       2\n";
    assert_eq!(shown(Format::RoundRobin, 3, 1), expected);
}

/// The table after these games between engines of so many.
fn after(engines: usize, games: &[(usize, usize, Verdict)]) -> Standings {
    let mut standings = Standings::new(NAMES[..engines].iter().map(|name| (*name).to_owned()));
    for ((white, black, verdict), number) in games.iter().zip(1..) {
        let id = GameId { number, round: 1, game: number };
        let game = ScheduledGame { id, engines: ByColor { white: *white, black: *black }, opening: 0 };
        standings.add(&finished(&game, verdict));
    }
    standings
}

/// Elo and error of each engine, in the order of the file.
fn ratings(standings: &Standings) -> Vec<String> {
    let plan = Plan {
        format: Format::RoundRobin,
        engines: standings.tallies().len(),
        rounds: 1,
        pairs: true,
        openings: PerOpening::Pair,
    };
    let text = render(standings, &Schedule::new(&plan).unwrap(), &[]);
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let end = text.find("Elo").unwrap() + "Elo".len();
    let row = |name: &&str| {
        let row = text.lines().find(|line| line[5..].starts_with(*name)).unwrap();
        row[end - 8..end + 8].split_whitespace().collect::<Vec<_>>().join(" ")
    };
    NAMES[..standings.tallies().len()].iter().map(row).collect()
}

fn win() -> Verdict {
    Verdict::checkmate(Color::White)
}

#[test]
fn ratings_that_can_not_be_told_are_not_made_up() {
    let drawn = Verdict::stalemate;
    // Alpha wins everything, Delta loses everything.
    let games = [(0, 1, win()), (0, 1, win()), (1, 2, win()), (2, 1, win()), (2, 1, drawn()), (1, 3, win())];
    let table = ratings(&after(5, &games));
    // Two games won: S(x)^2 = 5 %; one lost: S(x) = 95 %.
    assert_eq!(table, ["> -216.2 n/a", "0.0 160.5", "0.0 160.5", "< 511.5 n/a", "n/a n/a"]);
    // Draws alone show no variance.
    assert_eq!(ratings(&after(3, &[(0, 1, drawn()), (1, 2, drawn())])), ["0.0 n/a"; 3]);
    // Two groups that have not met, and nobody who took points off who took points off it.
    let groups = [(0, 1, drawn()), (2, 3, drawn())];
    assert_eq!(ratings(&after(4, &groups)), ["n/a n/a"; 4]);
    assert_eq!(ratings(&after(3, &[(0, 1, win()), (0, 2, win()), (1, 2, win())])), ["n/a n/a"; 3]);
    assert_eq!(ratings(&after(3, &[])), ["n/a n/a"; 3]);
}

#[test]
fn the_order_in_which_games_end_changes_nothing() {
    let flag = Verdict::forfeit(Color::Black, Forfeit::FlagFall, MatingChance::Possible);
    let mut games = vec![
        (0, 1, win()),
        (1, 0, Verdict::stalemate()),
        (2, 0, win()),
        (1, 2, flag),
        (0, 2, win()),
        (2, 1, win()),
    ];
    let expected = after(3, &games);
    for turn in 1..games.len() {
        games.rotate_left(turn);
        games.swap(0, turn);
        let standings = after(3, &games);
        assert_eq!(standings, expected);
        assert_eq!(ratings(&standings), ratings(&expected));
    }
}

#[test]
fn outcomes_are_counted_for_each_engine_and_only_those_that_occurred_are_shown() {
    let flag = |chance| Verdict::forfeit(Color::White, Forfeit::FlagFall, chance);
    let stall = Verdict::forfeit(Color::Black, Forfeit::Stall, MatingChance::Possible);
    let games = [
        (0, 1, flag(MatingChance::Possible)),
        (0, 1, flag(MatingChance::Impossible)),
        (2, 0, win()),
        (1, 2, stall),
        (2, 1, Verdict::fivefold_repetition()),
    ];
    let standings = after(3, &games);
    for tally in standings.tallies() {
        assert_eq!(tally.outcomes.values().sum::<u32>(), tally.games(), "{}", tally.name);
    }
    let expected = "\nHow they ended for each engine\n        \
                mates     mates     fivefold   flag           opponent\n\
        engine  given  received  repetitions  falls  stalls  forfeited\n\
        Alpha       0         1            0      2       0          0\n\
        Beta        0         0            1      0       0          3\n\
        Gamma       1         0            1      0       1          0\n";
    assert_eq!(outcomes::render(&standings), expected);
    assert_eq!(outcomes::render(&after(3, &[])), "");
}

#[test]
fn a_gauntlet_shows_points_against_its_seeds() {
    let text = shown(Format::Gauntlet { seeds: 1 }, 4, 1);
    assert!(
        text.contains("  1  Alpha       6     3      3     0     4.5   75.0 %     143.1   139.0\n"),
        "{text}"
    );
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
            let verdict = if wins { Verdict::checkmate(Color::White) } else { Verdict::stalemate() };
            standings.add(&finished(&game, &verdict));
            schedule.finished(game.id, verdict.result());
        }
        let text = render(&standings, &schedule, &[]);
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn a_swiss_tournament_shows_byes_and_tie_breaks() {
    let text = shown(Format::Swiss, 3, 2);
    assert!(text.starts_with(
        "     engine  games   won  drawn  lost  points    score       Elo     +/-  given  Buchholz  Sonneborn-Berger\n"
    ));
    // Alpha and Beta meet, Gamma has a bye; then Alpha meets Gamma.
    assert!(
        text.contains(
            "  1  Alpha       4     2      2     0     3.0   75.0 %     127.2   151.3    0.0       5.0              7.50\n"
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

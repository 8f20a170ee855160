use proptest::prelude::*;

use super::*;
use crate::tournament::schedule::{Format, Schedule};

fn plan(engines: usize, rounds: u32, pairs: bool) -> Plan {
    Plan { format: Format::Swiss, engines, rounds, pairs, openings: PerOpening::Pair }
}

fn next(swiss: &mut Swiss) -> ScheduledGame {
    let Upcoming::Game(game) = swiss.upcoming() else { panic!("{:?}", swiss.upcoming()) };
    swiss.hand_out(game.id);
    game
}

#[test]
fn a_round_waits_for_the_whole_round_before_it() {
    let mut swiss = Swiss::new(&plan(5, 2, true)).unwrap();
    assert_eq!((swiss.len(), swiss.openings(), swiss.paired()[0].bye), (8, 4, Some(4)));
    let games = [(); 4].map(|()| next(&mut swiss));
    let shown = games.map(|game| format!("{} {}-{}", game.id, game.engines.white, game.engines.black));
    assert_eq!(shown, ["1.1 0-2", "1.2 2-0", "1.3 3-1", "1.4 1-3"]);
    for game in &games[..3] {
        swiss.finished(game.id, GameResult::WhiteWins);
        assert_eq!(swiss.upcoming(), Upcoming::Later);
    }
    swiss.finished(games[3].id, GameResult::BlackWins);
    // 4 has two points by its bye, 3 by two wins; they don't meet, for 0 and 2 would have to meet again.
    assert_eq!((swiss.half_points(4), swiss.awarded(4), swiss.half_points(3)), (4, 4, 4));
    let game = next(&mut swiss);
    assert_eq!((game.id.to_string().as_str(), game.id.number, game.opening), ("2.1", 5, 2));
    assert_eq!((game.engines.white, game.engines.black), (3, 0));
}

#[test]
fn the_plan_tells_that_later_rounds_are_paired_by_results() {
    let schedule = Schedule::new(&plan(4, 2, false)).unwrap();
    let planned: Vec<_> = (0..schedule.len()).map_while(|index| schedule.planned(index)).collect();
    let players: Vec<_> = planned.iter().map(|game| game.players.white).collect();
    let open = |board| Participant::PairedAfter { round: 1, board };
    assert_eq!(players, [Participant::Engine(0), Participant::Engine(3), open(1), open(2)]);
}

#[test]
fn an_engine_that_plays_no_more_is_not_paired_and_loses_what_it_had_left() {
    let mut swiss = Swiss::new(&plan(4, 3, true)).unwrap();
    let games = [(); 3].map(|()| next(&mut swiss));
    swiss.finished(games[0].id, GameResult::WhiteWins);
    swiss.withdraw(0);
    swiss.cancel(games[1].id, 0);
    assert_eq!((swiss.half_points(0), swiss.half_points(2), swiss.awarded(2)), (2, 2, 2));
    swiss.finished(games[2].id, GameResult::Draw);
    let last = next(&mut swiss);
    swiss.finished(last.id, GameResult::Draw);
    for _ in 0..2 {
        let games = [(); 2].map(|()| next(&mut swiss));
        assert!(games.iter().all(|game| game.engines.white != 0 && game.engines.black != 0));
        games.iter().for_each(|game| swiss.finished(game.id, GameResult::Draw));
    }
    assert_eq!(swiss.upcoming(), Upcoming::Over);
    assert_eq!(swiss.unplayed(0), Unplayed { games: 5, first: Some(games[1].id) });
    let byes: Vec<_> = swiss.paired()[1..].iter().map(|round| round.bye).collect();
    assert!(byes[0].is_some() && byes[1].is_some() && byes[0] != byes[1], "{byes:?}");
}

proptest! {
    #[test]
    fn rounds_depend_on_results_only(
        engines in 2_usize..12, pairs in any::<bool>(),
        results in prop::collection::vec(0_u8..3, 97), choices in prop::collection::vec(any::<prop::sample::Index>(), 97),
    ) {
        let plan = plan(engines, (engines as u32 - 1).min(5), pairs);
        let result = |game: &ScheduledGame| match results[game.id.number as usize % 97] {
            0 => GameResult::WhiteWins,
            1 => GameResult::BlackWins,
            _ => GameResult::Draw,
        };
        let mut swiss = Swiss::new(&plan).unwrap();
        let (mut running, mut games) = (Vec::new(), Vec::new());
        for choice in choices.iter().cycle() {
            match swiss.upcoming() {
                Upcoming::Over if running.is_empty() => break,
                Upcoming::Game(game) if running.len() < 3 => {
                    swiss.hand_out(game.id);
                    running.push(game);
                    games.push(game);
                }
                _ => {
                    let game: ScheduledGame = running.remove(choice.index(running.len()));
                    swiss.finished(game.id, result(&game));
                }
            }
        }
        let mut one_by_one = Swiss::new(&plan).unwrap();
        for game in &games {
            prop_assert_eq!(one_by_one.upcoming(), Upcoming::Game(*game));
            one_by_one.finished(game.id, result(game));
        }
        prop_assert_eq!(one_by_one.upcoming(), Upcoming::Over);
        prop_assert_eq!(games.len(), swiss.len() as usize);
        for (game, number) in games.iter().zip(1..) {
            prop_assert_eq!(game.id.number, number);
        }
        // Scores add up: what is shared out is what was played for, and one bye a round of an odd number.
        let rounds = u64::from(plan.rounds);
        let byes = if engines % 2 == 1 { rounds * swiss.bye_half_points() } else { 0 };
        let total: u64 = (0..engines).map(|engine| swiss.half_points(engine)).sum();
        prop_assert_eq!(total, 2 * games.len() as u64 + byes);
        for engine in 0..engines {
            let byes = swiss.paired().iter().filter(|round| round.bye == Some(engine)).count();
            prop_assert!(byes <= 1);
        }
    }
}

#[test]
fn a_large_tournament_is_paired_at_once() {
    let mut swiss = Swiss::new(&plan(300, 11, false)).unwrap();
    let mut games = 0_u32;
    while let Upcoming::Game(game) = swiss.upcoming() {
        swiss.hand_out(game.id);
        swiss.finished(
            game.id,
            if game.id.number % 3 == 0 { GameResult::Draw } else { GameResult::WhiteWins },
        );
        games += 1;
    }
    assert_eq!(games, 1650);
    for engine in 0..300 {
        let mut met: Vec<usize> = swiss.results(engine).map(|(opponent, _)| opponent).collect();
        met.sort_unstable();
        met.dedup();
        assert_eq!(met.len(), 11, "nobody meets twice");
    }
}

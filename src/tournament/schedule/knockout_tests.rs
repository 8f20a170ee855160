use proptest::prelude::*;
use shakmaty::Color;

use super::*;
use crate::tournament::schedule::{Format, Schedule};

fn plan(engines: usize, rounds: u32, pairs: bool) -> Plan {
    Plan { format: Format::Knockout, engines, rounds, pairs, openings: PerOpening::Pair }
}

fn next(knockout: &mut Knockout) -> ScheduledGame {
    let Upcoming::Game(game) = knockout.upcoming() else { panic!("{:?}", knockout.upcoming()) };
    knockout.hand_out(game.id);
    game
}

/// The result by which this engine wins.
fn win_of(engine: usize, game: &ScheduledGame) -> GameResult {
    GameResult::win_of(if game.engines.white == engine { Color::White } else { Color::Black })
}

/// Plays everything, the engine with the lower place winning each game; `White – Black` by id.
fn played(knockout: &mut Knockout) -> Vec<String> {
    let mut games = Vec::new();
    while let Upcoming::Game(game) = knockout.upcoming() {
        knockout.hand_out(game.id);
        let winner = game.engines.white.min(game.engines.black);
        knockout.finished(game.id, win_of(winner, &game));
        games.push(format!("{} {}-{}", game.id, game.engines.white + 1, game.engines.black + 1));
    }
    games
}

#[test]
fn the_first_engines_meet_last_and_have_the_byes() {
    let mut eight = Knockout::new(&plan(8, 1, false)).unwrap();
    let games = played(&mut eight);
    assert_eq!(games, ["1.1 1-8", "1.2 4-5", "1.3 2-7", "1.4 3-6", "2.1 1-4", "2.2 2-3", "3.1 1-2"]);
    let mut six = Knockout::new(&plan(6, 1, true)).unwrap();
    let expected = ["1.1 4-5", "1.2 5-4", "1.3 3-6", "1.4 6-3", "2.1 1-4", "2.2 4-1", "2.3 2-3", "2.4 3-2"];
    let games = played(&mut six);
    assert_eq!(games[..8], expected);
    assert_eq!(games[8..], ["3.1 1-2", "3.2 2-1"]);
    assert_eq!((six.winner(), six.upcoming()), (Some(0), Upcoming::Over));
    let byes: Vec<_> =
        six.rounds()[0].iter().filter(|slot| slot.number().is_none()).map(|slot| slot.decided).collect();
    assert_eq!(byes, [Some((Some(0), Decision::Bye)), Some((Some(1), Decision::Bye))]);
}

#[test]
fn the_plan_tells_what_is_known_before_the_first_game() {
    let schedule = Schedule::new(&plan(5, 1, true)).unwrap();
    let planned: Vec<_> = (0..schedule.len()).map_while(|index| schedule.planned(index)).collect();
    assert_eq!(planned.len(), 8);
    let of = |index: usize| (planned[index].players.white, planned[index].players.black);
    let winner = Participant::WinnerOf { round: 1, encounter: 1 };
    assert_eq!(of(0), (Participant::Engine(3), Participant::Engine(4)));
    assert_eq!(of(2), (Participant::Engine(0), winner));
    assert_eq!(of(4), (Participant::Engine(1), Participant::Engine(2)));
    let last =
        (Participant::WinnerOf { round: 2, encounter: 2 }, Participant::WinnerOf { round: 2, encounter: 1 });
    assert_eq!(of(7), last);
    assert_eq!((schedule.planned(8), schedule.openings()), (None, 4));
}

#[test]
fn an_encounter_waits_only_for_the_two_before_it() {
    let mut knockout = Knockout::new(&plan(8, 1, false)).unwrap();
    let games = [(); 4].map(|()| next(&mut knockout));
    assert_eq!(knockout.upcoming(), Upcoming::Later);
    knockout.finished(games[3].id, win_of(5, &games[3]));
    assert_eq!(knockout.upcoming(), Upcoming::Later, "its partner is not decided");
    knockout.finished(games[2].id, win_of(6, &games[2]));
    let semifinal = next(&mut knockout);
    assert_eq!(
        (semifinal.id.to_string().as_str(), semifinal.engines.white, semifinal.engines.black),
        ("2.2", 6, 5)
    );
}

#[test]
fn a_level_encounter_goes_on_until_a_pair_decides() {
    let mut knockout = Knockout::new(&plan(4, 1, true)).unwrap();
    let regular = [(); 4].map(|()| next(&mut knockout));
    regular.iter().for_each(|game| knockout.finished(game.id, GameResult::Draw));
    assert_eq!(knockout.len(), 6 + 4, "one pair more for each");
    let extra = [(); 4].map(|()| next(&mut knockout));
    // After all regular games of the tournament, and of the round; each pair with an opening of its own.
    let shown = extra.map(|game| format!("{} {} {}", game.id.number, game.id, game.opening));
    assert_eq!(shown, ["7 1.5 3", "8 1.6 3", "15 1.13 7", "16 1.14 7"]);
    knockout.finished(extra[0].id, GameResult::Draw);
    knockout.finished(extra[1].id, win_of(3, &extra[1]));
    assert_eq!(knockout.rounds()[0][0].decided(), Some((Some(3), Decision::TieBreak(1))));
    assert_eq!(knockout.upcoming(), Upcoming::Later);
}

#[test]
fn after_the_last_extra_pair_the_higher_seed_advances() {
    let mut knockout = Knockout::new(&plan(2, 1, true)).unwrap();
    let mut games = 0;
    while let Upcoming::Game(game) = knockout.upcoming() {
        knockout.hand_out(game.id);
        knockout.finished(game.id, GameResult::Draw);
        games += 1;
    }
    assert_eq!(games, 2 + 2 * EXTRA);
    assert_eq!(knockout.rounds()[0][0].decided(), Some((Some(0), Decision::HigherSeed)));
}

#[test]
fn an_engine_that_plays_no_more_loses_its_encounter_by_walkover() {
    let mut knockout = Knockout::new(&plan(4, 2, true)).unwrap();
    let first = next(&mut knockout);
    knockout.withdraw(0);
    assert_eq!(knockout.rounds()[0][0].decided(), Some((Some(3), Decision::Walkover)));
    assert_eq!(knockout.unplayed(0).games, 3);
    // The game under way still ends; it changes nothing.
    knockout.finished(first.id, win_of(0, &first));
    assert_eq!(played(&mut knockout).len(), 8);
    assert_eq!((knockout.winner(), knockout.unplayed(3).games), (Some(1), 0));
    // Who is out already has nothing left to lose.
    knockout.withdraw(2);
    assert_eq!(knockout.unplayed(2), Unplayed::default());
}

#[test]
fn where_both_withdraw_the_next_opponent_has_a_bye() {
    let mut knockout = Knockout::new(&plan(4, 1, true)).unwrap();
    knockout.withdraw(3);
    assert_eq!(knockout.rounds()[0][0].decided(), Some((Some(0), Decision::Walkover)));
    knockout.withdraw(0);
    played(&mut knockout);
    assert_eq!(knockout.winner(), Some(1), "the final is a walkover");
    assert_eq!(knockout.unplayed(0).games, 2);
}

proptest! {
    /// Whatever the order in which games end: the same games, with the same numbers, openings and colours.
    #[test]
    fn games_do_not_depend_on_when_others_end(
        engines in 2_usize..12, rounds in 1_u32..3, pairs in any::<bool>(),
        results in prop::collection::vec(0_u8..3, 400), choices in prop::collection::vec(any::<prop::sample::Index>(), 400),
    ) {
        let plan = plan(engines, rounds, pairs);
        let result = |game: &ScheduledGame| match results[game.id.number as usize % 400] {
            0 => GameResult::WhiteWins,
            1 => GameResult::BlackWins,
            _ => GameResult::Draw,
        };
        let mut one = Knockout::new(&plan).unwrap();
        let mut expected = Vec::new();
        while let Upcoming::Game(game) = one.upcoming() {
            one.hand_out(game.id);
            one.finished(game.id, result(&game));
            expected.push(game);
        }
        let mut many = Knockout::new(&plan).unwrap();
        let (mut running, mut games) = (Vec::new(), Vec::new());
        for choice in choices.iter().cycle() {
            let begins = match many.upcoming() {
                Upcoming::Over if running.is_empty() => break,
                Upcoming::Game(game) if running.len() < 4 => Some(game),
                _ => None,
            };
            match begins {
                Some(game) => {
                    many.hand_out(game.id);
                    running.push(game);
                    games.push(game);
                }
                None => {
                    let game: ScheduledGame = running.remove(choice.index(running.len()));
                    many.finished(game.id, result(&game));
                }
            }
        }
        let key = |game: &ScheduledGame| game.id.number;
        expected.sort_by_key(key);
        games.sort_by_key(key);
        let mut ids: Vec<String> = games.iter().map(|game| game.id.to_string()).collect();
        ids.sort();
        ids.dedup();
        prop_assert_eq!(ids.len(), games.len(), "ids are unique");
        prop_assert_eq!(&games, &expected);
        prop_assert_eq!(many.winner(), one.winner());
        // A run that was cut short goes on where it was: results come in without having been handed out.
        let mut resumed = Knockout::new(&plan).unwrap();
        games.sort_by_key(|game| (game.id.round, game.id.number));
        let half = games.len() / 2;
        for game in &games[..half] {
            resumed.finished(game.id, result(game));
        }
        let mut rest = Vec::new();
        while let Upcoming::Game(game) = resumed.upcoming() {
            resumed.hand_out(game.id);
            resumed.finished(game.id, result(&game));
            rest.push(game.id.number);
        }
        rest.sort_unstable();
        let mut left: Vec<u32> = games[half..].iter().map(key).collect();
        left.sort_unstable();
        prop_assert_eq!(rest, left);
    }
}

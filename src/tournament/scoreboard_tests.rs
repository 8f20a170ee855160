use proptest::prelude::*;
use shakmaty::ByColor;

use super::*;
use crate::law::verdict::{GameResult, Verdict};
use crate::statistics::counts::{Pentanomial, Trinomial};
use crate::statistics::sprt::Model;
use crate::tournament::schedule::Schedule;

/// A game of a match with pairs.
fn game(number: u32, result: GameResult) -> FinishedGame {
    let planned = match Schedule::of_match(100, true) {
        Schedule::Fixed(fixed) => fixed.game(number - 1).unwrap(),
        other => panic!("{other:?}"),
    };
    FinishedGame {
        id: planned.id,
        engines: planned.engines,
        verdict: result.winner().map_or_else(Verdict::stalemate, Verdict::checkmate),
    }
}

fn board(pairs: bool) -> Scoreboard {
    Scoreboard::new(["Alpha".to_owned(), "Beta".to_owned()], pairs, None)
}

#[test]
fn s_05_a_game_that_comes_twice_counts_once() {
    let mut board = board(true);
    assert_eq!(board.add(&game(2, GameResult::WhiteWins)), Ok(()));
    assert_eq!(board.add(&game(2, GameResult::WhiteWins)), Err(CountedTwice(2)));
    assert_eq!(board.add(&game(1, GameResult::Draw)), Ok(()));
    assert_eq!(board.add(&game(1, GameResult::BlackWins)), Err(CountedTwice(1)));
    assert_eq!(board.finished(), 2);
    assert!(board.contains(2) && !board.contains(3));
    let [alpha, beta] = board.standings().tallies() else { panic!("two engines") };
    assert_eq!((alpha.games(), alpha.half_points()), (2, 1));
    assert_eq!((beta.games(), beta.half_points()), (2, 3));
    assert_eq!(board.standings().reasons().iter().map(|count| count.games).sum::<u32>(), 2);
}

#[test]
fn pairs_are_those_of_the_schedule_from_the_first_engines_side() {
    let mut board = board(true);
    // Alpha is White in the odd games.
    for (number, result) in
        [(4, GameResult::WhiteWins), (1, GameResult::WhiteWins), (2, GameResult::BlackWins)]
    {
        board.add(&game(number, result)).unwrap();
    }
    // Pair 1: won twice. Pair 2: lost, and a game is missing.
    assert_eq!(board.counts(), Some(Counts::Pairs(Pentanomial::new([0, 0, 0, 0, 1]).unwrap())));
    board.add(&game(3, GameResult::WhiteWins)).unwrap();
    let expected = Pentanomial::with_split([0, 0, 1, 0, 1], 1).unwrap();
    assert_eq!(board.counts(), Some(Counts::Pairs(expected)));
    assert_eq!(board.test(), None);
}

#[test]
fn single_games_count_where_no_pair_is_complete() {
    let mut unpaired = board(false);
    let mut incomplete = board(true);
    for board in [&mut unpaired, &mut incomplete] {
        assert_eq!(board.counts(), Some(Counts::Games(Trinomial::default())));
        assert_eq!(board.summary().unwrap().elo, None);
        board.add(&game(1, GameResult::WhiteWins)).unwrap();
        board.add(&game(3, GameResult::Draw)).unwrap();
        assert_eq!(board.counts(), Some(Counts::Games(Trinomial::new(1, 1, 0).unwrap())));
    }
}

#[test]
fn more_than_two_engines_have_no_match_figures() {
    let names = ["A", "B", "C"].map(str::to_owned);
    let mut board = Scoreboard::new(names, true, None);
    let engines = ByColor { white: 2, black: 1 };
    board.add(&FinishedGame { engines, ..game(1, GameResult::WhiteWins) }).unwrap();
    assert_eq!((board.counts(), board.test()), (None, None));
    assert_eq!(board.standings().tallies()[2].won, 1);
}

proptest! {
    /// All that is told depends on which games have ended, and not on which ended first.
    #[test]
    fn s_03_results_in_any_order_make_the_same_board(
        results in prop::collection::vec(0_usize..3, 1..60),
        shuffled in Just((1_u32..60).collect::<Vec<u32>>()).prop_shuffle(),
        pentanomial in any::<bool>(),
    ) {
        let settings = SprtSettings::new((-50.0, 50.0), 0.1, 0.1, Model::Logistic, pentanomial).unwrap();
        let outcomes = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins];
        let filled = |numbers: &[u32]| {
            let mut board = Scoreboard::new(["Alpha".to_owned(), "Beta".to_owned()], true, Some(settings));
            for number in numbers {
                if let Some(result) = results.get(*number as usize - 1) {
                    board.add(&game(*number, outcomes[*result])).unwrap();
                }
            }
            board
        };
        let in_order: Vec<u32> = (1..60).collect();
        let (one, other) = (filled(&in_order), filled(&shuffled));
        prop_assert_eq!(one.test(), other.test());
        prop_assert_eq!(one.counts(), other.counts());
        prop_assert_eq!(one.standings().tallies(), other.standings().tallies());
        prop_assert_eq!(one.finished(), other.finished());
    }
}

use shakmaty::ByColor;

use super::*;
use crate::game::game_id::GameId;
use crate::law::verdict::{GameResult, Verdict};
use crate::statistics::sprt::{Model, SprtSettings};
use crate::tournament::finished_game::FinishedGame;

/// A match in which the first engine is White in the odd games. `1`, `½` and `0` are its results, game by game.
fn shown(results: &str, pairs: bool, sprt: Option<SprtSettings>) -> Vec<String> {
    let mut scoreboard = Scoreboard::new(["Alpha".to_owned(), "Beta".to_owned()], pairs, sprt);
    for (number, result) in (1..).zip(results.chars()) {
        let first_is_white = number % 2 == 1;
        let (white, black) = if first_is_white { (0, 1) } else { (1, 0) };
        let result = match (result, first_is_white) {
            ('½', _) => GameResult::Draw,
            ('1', true) | ('0', false) => GameResult::WhiteWins,
            _ => GameResult::BlackWins,
        };
        let id = GameId { number, round: number, game: 1 };
        let engines = ByColor { white, black };
        let verdict = result.winner().map_or_else(Verdict::stalemate, Verdict::checkmate);
        let game = FinishedGame { id, engines, verdict };
        scoreboard.add(&game).unwrap();
    }
    render(&scoreboard).lines().map(str::to_owned).collect()
}

fn test(elo1: f64) -> Option<SprtSettings> {
    Some(SprtSettings::new((0.0, elo1), 0.05, 0.05, Model::Logistic, true).unwrap())
}

#[test]
fn s_06_figures_are_the_first_engines_whatever_its_colour() {
    // Alpha wins every game: with White, with Black.
    let lines = shown("1111", true, None);
    assert_eq!(
        lines,
        [
            "",
            RULE,
            "Results of Alpha vs Beta:",
            "Elo: > -216.24 (95 %), nElo: n/a",
            "LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf",
            "Games: 4, Wins: 4, Losses: 0, Draws: 0, Points: 4.0 (100.00 %)",
            "Ptnml(0-2): [0, 0, 0, 0, 2], WL/DD Ratio: n/a",
            RULE,
        ]
    );
    assert!(shown("0000", true, None)[5].contains("Wins: 0, Losses: 4"));
    assert!(shown("1010", false, None)[5].contains("Wins: 2, Losses: 2"), "White wins all");
}

#[test]
fn few_games_make_no_nonsense() {
    for results in ["1", "0", "½", "1½", "½½", "10", "11½"] {
        for pairs in [true, false] {
            let text = shown(results, pairs, test(200.0)).join("\n");
            assert!(!text.contains("NaN") && !text.contains("-0.00") && !text.contains("-nan"), "{text}");
            assert!(text.contains("No decision: after"), "{text}");
        }
    }
    let one = shown("1", true, None);
    assert!(
        one.contains(&"Games: 1, Wins: 1, Losses: 0, Draws: 0, Points: 1.0 (100.00 %)".to_owned()),
        "{one:?}"
    );
    assert!(
        !one.iter().any(|line| line.contains("Ptnml") || line.contains("not in these figures")),
        "{one:?}"
    );
    let three = shown("110", true, None);
    assert_eq!(three.last().unwrap(), "1 game whose pair is not complete is not in these figures.");
}

#[test]
fn the_decision_is_told_with_what_it_comes_from() {
    let h1 = shown("111111111111111111", true, test(200.0));
    let [.., llr, rule, completed, sentence] = h1.as_slice() else { panic!("{h1:?}") };
    // The pair after the decision is in the figures, not in the LLR.
    assert!(h1[5].starts_with("Games: 18,"), "{h1:?}");
    assert!(llr.starts_with("LLR: 3.35 (113.7%) (-2.94, 2.94) [0.00, 200.00]"), "{llr}");
    assert_eq!(
        (rule.as_str(), completed.as_str()),
        (RULE, "SPRT ([0.00, 200.00]) completed - H1 was accepted")
    );
    let expected = "H1 accepted: the results of Alpha against Beta speak for 200 Elo (logistic), not for 0; after 8 \
        pairs the LLR is 3.35, at or above 2.94.";
    assert_eq!(sentence, expected);

    let h0 = shown("00000000", false, test(200.0));
    let expected = "H0 accepted: the results of Alpha against Beta speak for 0 Elo (logistic), not for 200; after 5 \
        games the LLR is -3.66, at or below -2.94.";
    assert_eq!(h0.last().unwrap(), expected);

    let open = shown("1111", true, test(200.0));
    let expected = "No decision: after 2 pairs the LLR is 0.84, between -2.94 and 2.94.";
    assert_eq!(open.last().unwrap(), expected);
    assert!(!open.iter().any(|line| line.contains("completed")), "{open:?}");
}

#[test]
fn more_than_two_engines_have_no_such_figures() {
    let names = ["A", "B", "C"].map(str::to_owned);
    assert_eq!(render(&Scoreboard::new(names, true, None)), "");
}

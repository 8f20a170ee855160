//! The table at the end of a run.

use std::fmt::Write;

use crate::tournament::standings::{ReasonCount, Standings, Tally};

/// The score table, and how the games ended.
pub fn render(standings: &Standings) -> String {
    let mut text = String::new();
    let width = name_width(standings);
    // Writing to a string can't fail.
    let _ = writeln!(text, "{}", header(width));
    for tally in standings.ranking() {
        let _ = writeln!(text, "{}", row(tally, tally.half_points().into(), width));
    }
    text + &reasons(standings)
}

/// How the games ended, by rule; empty where none has.
pub(super) fn reasons(standings: &Standings) -> String {
    let reasons = standings.reasons();
    let mut text = String::new();
    if !reasons.is_empty() {
        text.push_str("\nHow the games ended\n");
        for count in reasons {
            let _ = writeln!(text, "{:>5}  {}", count.games, reason_words(&count));
        }
    }
    text
}

/// The width of the column of names.
pub(super) fn name_width(standings: &Standings) -> usize {
    let names = standings.tallies().iter().map(|tally| tally.name.chars().count());
    names.max().unwrap_or(0).max("engine".len())
}

/// What stands above the [`row`]s.
pub(super) fn header(width: usize) -> String {
    format!("{:width$}  games   won  drawn  lost  points    score", "engine")
}

/// An engine's games and points; those that it was given without a game are in `half_points`, but not in its score.
pub(super) fn row(tally: &Tally, half_points: u64, width: usize) -> String {
    let Tally { name, won, drawn, lost, outcomes: _ } = tally;
    let (games, points) = (tally.games(), halves(half_points));
    let score = match games {
        0 => "-".to_owned(),
        games => format!("{:.1} %", 100.0 * halves(tally.half_points().into()) / f64::from(games)),
    };
    format!("{name:width$}  {games:>5} {won:>5} {drawn:>6} {lost:>5} {points:>7.1} {score:>8}")
}

/// Points.
pub(super) fn halves(half_points: u64) -> f64 {
    half_points as f64 / 2.0
}

fn reason_words(count: &ReasonCount) -> String {
    let words = match count.reason {
        "seventy_five_move_rule" => "seventy-five-move rule".to_owned(),
        "fifty_move_rule" => "fifty-move rule".to_owned(),
        reason => reason.replace('_', " "),
    };
    match count.article {
        Some(article) => format!("{words} (Article {article})"),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{ByColor, Color};

    use super::*;
    use crate::game::game_id::GameId;
    use crate::law::verdict::Verdict;
    use crate::tournament::finished_game::FinishedGame;

    fn game(verdict: Verdict) -> FinishedGame {
        FinishedGame {
            id: GameId { number: 1, round: 1, game: 1 },
            engines: ByColor { white: 0, black: 1 },
            verdict,
        }
    }

    #[test]
    fn the_best_score_stands_first() {
        let mut standings = Standings::new(["Alpha".to_owned(), "Beta".to_owned()]);
        standings.add(&game(Verdict::checkmate(Color::Black)));
        standings.add(&game(Verdict::stalemate()));
        let expected = "engine  games   won  drawn  lost  points    score\n\
            Beta        2     1      1     0     1.5   75.0 %\n\
            Alpha       2     0      1     1     0.5   25.0 %\n\n\
            How the games ended\n    1  checkmate (Article 5.1.1)\n    1  stalemate (Article 5.2.1)\n";
        assert_eq!(render(&standings), expected);
    }
}

//! The result block that fastchess prints, so that what reads its output reads ours.
//!
//! The lines are equal where fastchess's figures mean something. Where it prints `nan`, `inf` or an error of 0 from
//! equal results, these say what is known: `n/a`, an interval, a limit.

use super::counts::Counts;
use super::sprt::{NoLlr, SprtSettings, SprtState};
use super::summary::{EloInterval, MatchSummary, OneSided};

/// The line before and after each block.
pub const RULE: &str = "--------------------------------------------------";

/// What takes the place of a figure that doesn't exist.
const NONE: &str = "n/a";

/// A figure with so many decimals, and no sign on a zero.
pub fn fixed(figure: f64, decimals: usize) -> String {
    let text = format!("{figure:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// The lines with the figures of the match: Elo, LOS, games, and pairs where there are any.
pub fn figures(summary: &MatchSummary) -> Vec<String> {
    if summary.games() == 0 {
        return vec!["no games yet".to_owned()];
    }
    let mut lines = vec![elo_line(summary), los_line(summary), games_line(summary)];
    if let Counts::Pairs(pairs) = summary.counts {
        let cells = pairs.cells().map(|count| count.to_string()).join(", ");
        lines.push(format!("Ptnml(0-2): [{cells}], WL/DD Ratio: {}", wl_dd(summary)));
    }
    lines
}

/// The line of the sequential test: LLR, its share of the bound that it heads for, bounds, hypotheses.
pub fn llr_line(settings: &SprtSettings, llr: Result<f64, NoLlr>) -> String {
    let (lower, upper) = (settings.lower(), settings.upper());
    let figure = llr.map_or(NONE.to_owned(), |llr| {
        let share = if llr < 0.0 { -llr / lower } else { llr / upper };
        format!("{} ({}%)", fixed(llr, 2), fixed(100.0 * share, 1))
    });
    format!("LLR: {figure} ({}, {}) {}", fixed(lower, 2), fixed(upper, 2), hypotheses(settings))
}

/// The line after the last block: `None` where nothing is decided.
pub fn completed_line(settings: &SprtSettings, state: SprtState) -> Option<String> {
    let accepted = match state {
        SprtState::Continue => return None,
        SprtState::H0 | SprtState::H1 => state.name(),
    };
    Some(format!("SPRT ({}) completed - {accepted} was accepted", hypotheses(settings)))
}

fn hypotheses(settings: &SprtSettings) -> String {
    format!("[{}, {}]", fixed(settings.elo0(), 2), fixed(settings.elo1(), 2))
}

fn elo_line(summary: &MatchSummary) -> String {
    let nelo = with_error(summary.nelo, summary.nelo_error);
    format!("Elo: {}, nElo: {nelo}", elo(summary))
}

fn elo(summary: &MatchSummary) -> String {
    match (summary.one_sided, summary.elo_interval) {
        (Some(OneSided::Above(limit)), _) => format!("> {} (95 %)", fixed(limit, 2)),
        (Some(OneSided::Below(limit)), _) => format!("< {} (95 %)", fixed(limit, 2)),
        // Equal results show no variance, and that is not certainty.
        (None, _) if !summary.has_variance => with_error(summary.elo, None),
        (None, Some(EloInterval { low, high })) if low.is_none() || high.is_none() => {
            let low = low.map_or("-inf".to_owned(), |low| fixed(low, 2));
            let high = high.map_or("inf".to_owned(), |high| fixed(high, 2));
            format!("{} [{low}, {high}]", or_none(summary.elo))
        }
        _ => with_error(summary.elo, summary.elo_error),
    }
}

fn with_error(figure: Option<f64>, error: Option<f64>) -> String {
    if figure.is_none() {
        return NONE.to_owned();
    }
    format!("{} +/- {}", or_none(figure), or_none(error))
}

fn los_line(summary: &MatchSummary) -> String {
    // Equal results have no variance to measure their mean by; regularised counts have.
    let los = match (summary.los, summary.has_variance) {
        (Some(_), false) => summary.regularised_los,
        (los, _) => los,
    };
    let los = percent(los);
    let mut line = match summary.counts {
        Counts::Games(_) => format!("LOS: {los}, DrawRatio: {}", percent(summary.draw_ratio)),
        Counts::Pairs(_) => format!("LOS: {los}, DrawRatio: {}", percent(summary.even_pairs_ratio)),
    };
    if let Counts::Pairs(pairs) = summary.counts {
        let [two_losses, loss_and_draw, _, win_and_draw, two_wins] = pairs.cells();
        let ratio = ratio(summary.pairs_ratio, two_wins + win_and_draw, two_losses + loss_and_draw);
        line.push_str(&format!(", PairsRatio: {ratio}"));
    }
    line
}

fn games_line(summary: &MatchSummary) -> String {
    let (wins, losses, draws) = match summary.counts.games() {
        Some(games) => (games.wins().to_string(), games.losses().to_string(), games.draws().to_string()),
        None => (NONE.to_owned(), NONE.to_owned(), NONE.to_owned()),
    };
    format!(
        "Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {}.{} ({})",
        summary.games(),
        summary.half_points() / 2,
        5 * (summary.half_points() % 2),
        percent(summary.score),
    )
}

fn wl_dd(summary: &MatchSummary) -> String {
    let Counts::Pairs(pairs) = summary.counts else { return NONE.to_owned() };
    let Some(won_and_lost) = pairs.won_and_lost() else { return NONE.to_owned() };
    ratio(summary.wl_dd_ratio, won_and_lost, pairs.cells()[2] - won_and_lost)
}

fn ratio(figure: Option<f64>, part: u64, whole: u64) -> String {
    match (part, whole) {
        (1.., 0) => "inf".to_owned(),
        _ => or_none(figure),
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or(NONE.to_owned(), |share| format!("{} %", fixed(100.0 * share, 2)))
}

fn or_none(figure: Option<f64>) -> String {
    figure.map_or(NONE.to_owned(), |figure| fixed(figure, 2))
}

#[cfg(test)]
mod tests {
    use super::super::counts::{Pentanomial, Trinomial};
    use super::*;

    fn pairs(cells: [u64; 5], won_and_lost: u64) -> Vec<String> {
        figures(&MatchSummary::of(&Counts::Pairs(Pentanomial::with_split(cells, won_and_lost).unwrap())))
    }

    #[test]
    fn an_ordinary_match_reads_as_in_fastchess() {
        assert_eq!(
            pairs([43, 61, 144, 55, 37], 119),
            [
                "Elo: -9.20 +/- 20.93, nElo: -11.50 +/- 26.11",
                "LOS: 19.41 %, DrawRatio: 42.35 %, PairsRatio: 0.88",
                "Games: 680, Wins: 248, Losses: 266, Draws: 166, Points: 331.0 (48.68 %)",
                "Ptnml(0-2): [43, 61, 144, 55, 37], WL/DD Ratio: 4.76",
            ]
        );
    }

    #[test]
    fn nothing_is_claimed_that_is_not_known() {
        assert_eq!(pairs([0; 5], 0), ["no games yet"]);
        let drawn = pairs([0, 0, 50, 0, 0], 0);
        assert_eq!(drawn[0], "Elo: 0.00 +/- n/a, nElo: n/a");
        assert_eq!(drawn[1], "LOS: n/a, DrawRatio: 100.00 %, PairsRatio: n/a");
        assert_eq!(drawn[3], "Ptnml(0-2): [0, 0, 50, 0, 0], WL/DD Ratio: 0.00");
        let won = pairs([0, 0, 0, 0, 10], 0);
        // S(x)¹⁰ = 0.05 at a score of 0.7411.
        assert_eq!(won[0], "Elo: > 182.73 (95 %), nElo: n/a");
        assert_eq!(won[1], "LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf");
        assert!(won[3].ends_with("WL/DD Ratio: n/a"));
        assert!(pairs([10, 0, 0, 0, 0], 0)[0].starts_with("Elo: < -182.73 (95 %)"));
        let nearly_lost = pairs([144, 3, 1, 0, 0], 1);
        assert_eq!(nearly_lost[0], "Elo: -827.87 [-inf, -703.82], nElo: -2248.42 +/- 39.58");
        assert_eq!(pairs([0, 4, 0, 0, 0], 0)[0], "Elo: -190.85 +/- n/a, nElo: n/a");
    }

    #[test]
    fn without_the_split_single_games_are_not_made_up() {
        let lines = figures(&MatchSummary::of(&Counts::Pairs(Pentanomial::new([1, 2, 4, 3, 1]).unwrap())));
        assert_eq!(lines[2], "Games: 22, Wins: n/a, Losses: n/a, Draws: n/a, Points: 11.5 (52.27 %)");
        assert!(lines[3].ends_with("WL/DD Ratio: n/a"), "{}", lines[3]);
    }

    #[test]
    fn single_games_have_no_pairs() {
        let games = Counts::Games(Trinomial::new(12, 2, 18).unwrap());
        assert_eq!(
            figures(&MatchSummary::of(&games)),
            [
                "Elo: -65.92 +/- 124.09, nElo: -68.58 +/- 120.38",
                "LOS: 13.21 %, DrawRatio: 6.25 %",
                "Games: 32, Wins: 12, Losses: 18, Draws: 2, Points: 13.0 (40.62 %)",
            ]
        );
    }

    #[test]
    fn the_test_heads_for_one_of_two_bounds() {
        use super::super::sprt::Model;
        let settings = SprtSettings::new((0.0, 2.0), 0.05, 0.05, Model::Normalized, true).unwrap();
        assert_eq!(llr_line(&settings, Ok(0.541)), "LLR: 0.54 (18.4%) (-2.94, 2.94) [0.00, 2.00]");
        assert_eq!(llr_line(&settings, Ok(-0.541)), "LLR: -0.54 (-18.4%) (-2.94, 2.94) [0.00, 2.00]");
        assert_eq!(llr_line(&settings, Ok(-1e-9)), "LLR: 0.00 (0.0%) (-2.94, 2.94) [0.00, 2.00]");
        let unknown = llr_line(&settings, Err(NoLlr::SplitUnknown));
        assert_eq!(unknown, "LLR: n/a (-2.94, 2.94) [0.00, 2.00]");
        let completed = "SPRT ([0.00, 2.00]) completed - H1 was accepted";
        assert_eq!(completed_line(&settings, SprtState::H1).as_deref(), Some(completed));
        assert_eq!(completed_line(&settings, SprtState::Continue), None);
    }
}

//! An answer for readers: the block that fastchess prints, then what it means in words.

use super::{Answer, Test};
use crate::statistics::block::{self, RULE, fixed};
use crate::statistics::counts::Counts;
use crate::statistics::sprt::{Model, SprtState};
use crate::statistics::summary::{EloInterval, MatchSummary, OneSided};

/// The whole text.
pub(super) fn text(answer: &Answer) -> String {
    let mut lines = vec![RULE.to_owned()];
    lines.extend(block::figures(&answer.summary));
    lines.extend(answer.test.as_ref().map(|test| block::llr_line(&test.settings, test.llr)));
    lines.push(RULE.to_owned());
    lines.extend(score(&answer.summary));
    lines.extend(answer.test.as_ref().map(|test| verdict(test, &answer.summary)));
    lines.join("\n") + "\n"
}

fn score(summary: &MatchSummary) -> Vec<String> {
    let Some(score) = summary.score else { return Vec::new() };
    let what = match summary.counts {
        Counts::Games(_) => format!("{} games", summary.games()),
        Counts::Pairs(pairs) => format!("{} games ({} pairs)", summary.games(), pairs.pairs()),
    };
    vec![format!("The first engine scored {} % in {what}.", fixed(100.0 * score, 2)), strength(summary)]
}

fn strength(summary: &MatchSummary) -> String {
    match (summary.one_sided, summary.elo_interval) {
        (Some(OneSided::Above(limit)), _) => {
            format!(
                "It won everything: it is more than {} Elo stronger (95 %), and how much is open.",
                fixed(limit, 2)
            )
        }
        (Some(OneSided::Below(limit)), _) => {
            format!(
                "It lost everything: it is more than {} Elo weaker (95 %), and how much is open.",
                fixed(-limit, 2)
            )
        }
        (None, Some(EloInterval { low, high })) if summary.has_variance => {
            let limit =
                |limit: Option<f64>, infinite: &str| limit.map_or(infinite.to_owned(), |elo| fixed(elo, 2));
            let los = summary.los.map_or(String::new(), |los| {
                format!(" It is the stronger one with a likelihood of {} %.", fixed(100.0 * los, 2))
            });
            format!("The Elo difference is {} to {} (95 %).{los}", limit(low, "-inf"), limit(high, "inf"))
        }
        _ => "All results are alike: how far they could have varied, and so any error, can't be told."
            .to_owned(),
    }
}

fn verdict(test: &Test, summary: &MatchSummary) -> String {
    let Test { settings, llr } = test;
    let hypotheses = format!(
        "SPRT ({}, H0: {} Elo, H1: {} Elo)",
        settings.model().name(),
        settings.elo0(),
        settings.elo1()
    );
    let Ok(llr) = llr else { return format!("{hypotheses}: no decision, there is no LLR.") };
    match settings.state(*llr) {
        SprtState::H0 => {
            format!("{hypotheses}: H0 is accepted, the LLR is at or below {}.", fixed(settings.lower(), 2))
        }
        SprtState::H1 => {
            format!("{hypotheses}: H1 is accepted, the LLR is at or above {}.", fixed(settings.upper(), 2))
        }
        SprtState::Continue => {
            let slow = settings.model() == Model::Normalized && summary.one_sided.is_some();
            let why = if slow {
                " Results that are all alike count slowly on this scale, which measures by their variation."
            } else {
                ""
            };
            format!("{hypotheses}: no decision, the match would go on.{why}")
        }
    }
}

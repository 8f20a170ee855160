//! The figures of a match between two engines, as fastchess prints them, and what became of its sequential test.

use super::counted::counted;
use crate::statistics::block::{self, RULE, fixed};
use crate::statistics::counts::Counts;
use crate::statistics::sequence::Accepted;
use crate::statistics::sprt::NoLlr;
use crate::tournament::head_to_head::TestStanding;
use crate::tournament::scoreboard::Scoreboard;

/// The block of a match, and a sentence on its test; empty where there are not two engines. All figures are the first
/// engine's.
pub fn render(scoreboard: &Scoreboard) -> String {
    let (Some(summary), [first, second]) = (scoreboard.summary(), scoreboard.standings().tallies()) else {
        return String::new();
    };
    let test = scoreboard.test();
    let mut lines = vec![RULE.to_owned(), format!("Results of {} vs {}:", first.name, second.name)];
    lines.extend(block::figures(&summary));
    lines.extend(test.map(|test| block::llr_line(&test.settings, test.llr.ok_or(NoLlr::NotFound))));
    lines.push(RULE.to_owned());
    lines.extend(unpaired(scoreboard.finished(), summary.games()));
    if let Some(test) = test {
        lines.extend(block::completed_line(&test.settings, test.state()));
        lines.push(decision(&test, [&first.name, &second.name]));
    }
    format!("\n{}\n", lines.join("\n"))
}

/// What is told where some games are in no figure of the block.
fn unpaired(finished: u32, in_figures: u64) -> Option<String> {
    let left_out = u64::from(finished) - in_figures.min(u64::from(finished));
    let verb = if left_out == 1 { "is" } else { "are" };
    (left_out > 0).then(|| {
        format!("{} whose pair is not complete {verb} not in these figures.", counted(left_out, "game"))
    })
}

/// The test in one sentence.
fn decision(test: &TestStanding, [first, second]: [&str; 2]) -> String {
    let settings = &test.settings;
    let (lower, upper) = (fixed(settings.lower(), 2), fixed(settings.upper(), 2));
    let counted = match test.counts {
        Counts::Games(games) => counted(games.games(), "game"),
        Counts::Pairs(pairs) => counted(pairs.pairs(), "pair"),
    };
    let Some(llr) = test.llr.map(|llr| fixed(llr, 2)) else {
        return format!("No decision: {counted} have no LLR.");
    };
    let (accepted, crossed, likelier, other) = match test.decision.map(|decision| decision.accepted) {
        None => {
            return format!("No decision: after {counted} the LLR is {llr}, between {lower} and {upper}.");
        }
        Some(Accepted::H0) => ("H0", format!("at or below {lower}"), settings.elo0(), settings.elo1()),
        Some(Accepted::H1) => ("H1", format!("at or above {upper}"), settings.elo1(), settings.elo0()),
    };
    let model = settings.model().name();
    format!(
        "{accepted} accepted: the results of {first} against {second} speak for {likelier} Elo ({model}), not for \
         {other}; after {counted} the LLR is {llr}, {crossed}."
    )
}

#[cfg(test)]
#[path = "match_figures_tests.rs"]
mod tests;

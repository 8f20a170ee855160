//! `arbiter stats`: the match statistics of given counts, as a calculator.

mod args;
mod jsonl;
mod object;
mod words;

use std::io::{self, BufRead, Write};

use crate::exit_code::Exit;
use crate::statistics::counts::Counts;
use crate::statistics::sprt::{NoLlr, SprtSettings};
use crate::statistics::summary::MatchSummary;
use args::Question;
pub use args::StatsArgs;

/// The figures that answer a question.
struct Answer {
    summary: MatchSummary,
    test: Option<Test>,
}

/// A sequential test on the counts.
struct Test {
    settings: SprtSettings,
    llr: Result<f64, NoLlr>,
}

impl Answer {
    fn to(counts: &Counts, settings: Option<SprtSettings>) -> Answer {
        let test = settings.map(|settings| Test { settings, llr: settings.llr(counts) });
        Answer { summary: MatchSummary::of(counts), test }
    }

    /// Why there is no LLR where one was asked for; `remedy` says how to tell which pairs were won and lost.
    fn missing_llr(&self, remedy: &str) -> Option<String> {
        match self.test.as_ref()?.llr {
            Ok(_) => None,
            Err(why @ NoLlr::SplitUnknown) => Some(format!("there is no LLR: {why}; {remedy}")),
            Err(why) => Some(format!("there is no LLR: {why}")),
        }
    }
}

/// Does what the arguments ask.
///
/// # Errors
/// Those of reading and writing.
pub(super) fn run(
    args: &StatsArgs,
    stdin: &mut dyn BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> io::Result<Exit> {
    let answer = match args.question() {
        Ok(Question::Lines) => {
            let bad_lines = jsonl::run(stdin, stdout, stderr)?;
            return Ok(if bad_lines == 0 { Exit::Done } else { Exit::RequirementNotMet });
        }
        Ok(Question::One { counts, settings }) => Answer::to(&counts, settings),
        Err(error) => {
            writeln!(stderr, "error: {error}")?;
            return Ok(Exit::Usage);
        }
    };
    if let Some(warning) = answer.missing_llr("say it with `--wl`, or give single games") {
        writeln!(stderr, "warning: {warning}")?;
    }
    if args.json {
        stdout.write_all(&object::line((), &answer)?)?;
    } else {
        stdout.write_all(words::text(&answer).as_bytes())?;
    }
    stdout.flush()?;
    Ok(Exit::Done)
}

//! `arbiter stats`: the match statistics of given counts, as a calculator.

mod args;
mod jsonl;
mod object;
mod words;

use std::io::{self, BufRead, Write};

use super::stderr::tell;
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
}

/// Does what the arguments ask.
pub(super) fn stats(args: &StatsArgs) -> Exit {
    let (mut stdin, mut stdout) = (io::stdin().lock(), io::stdout().lock());
    match run(args, &mut stdin, &mut stdout, &mut io::stderr()) {
        Ok(exit) => exit,
        // Whoever reads stdout has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(error) => {
            tell(format_args!("error: {error}\n"));
            Exit::NotPlayed
        }
    }
}

fn run(
    args: &StatsArgs,
    stdin: &mut dyn BufRead,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> io::Result<Exit> {
    let question = match args.question() {
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
    if let Some(Test { llr: Err(why), .. }) = &question.test {
        writeln!(stderr, "warning: there is no LLR: {why}; say it with `--wl`, or give single games")?;
    }
    if args.json {
        stdout.write_all(&object::line((), &question)?)?;
    } else {
        stdout.write_all(words::text(&question).as_bytes())?;
    }
    stdout.flush()?;
    Ok(Exit::Done)
}

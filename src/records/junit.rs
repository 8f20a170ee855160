//! The results of a run as JUnit XML, which CI systems read: one case for each requirement, one for each game.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::database::{Database, DatabaseError, Order};
use crate::game::record::GameRecord;
use crate::tournament::requirements::{FaultKind, Judged, Met};

/// Why a report can't be written.
#[derive(Debug, thiserror::Error)]
pub enum JunitError {
    /// The database can't be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The file can't be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// Writes the report of a run, beside and renamed, so that a reader never sees half of it. A game fails if it ended by a
/// fault of which the requirements allow fewer than there were.
///
/// # Errors
/// [`JunitError`].
pub fn write(path: &Path, database: &Database, judged: &[Judged]) -> Result<(), JunitError> {
    let beside = path.with_added_extension("new");
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut report =
        Report { out: Writer::new_with_indent(BufWriter::new(File::create(&beside)?), b' ', 2), judged };
    report.write(database)?;
    report.out.into_inner().into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(std::fs::rename(&beside, path)?)
}

struct Report<'a, W> {
    out: Writer<W>,
    judged: &'a [Judged],
}

impl<W: Write> Report<'_, W> {
    fn write(&mut self, database: &Database) -> Result<(), JunitError> {
        self.out.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let event = &database.header().event;
        self.start("testsuites", &[("name", event)])?;
        let failed = self.judged.iter().filter(|judged| judged.met == Met::No).count();
        self.suite("requirements", self.judged.len(), failed)?;
        for judged in self.judged {
            let failure = (judged.met == Met::No).then_some(judged.words.as_str());
            self.case("requirements", judged.name, 0.0, failure, &judged.words)?;
        }
        self.end("testsuite")?;
        let mut failed = 0;
        database.each_game::<JunitError>(Order::Schedule, |game| {
            failed += usize::from(self.fails(&game));
            Ok(())
        })?;
        self.suite("games", database.games()? as usize, failed)?;
        database.each_game::<JunitError>(Order::Schedule, |game| self.game(&game))?;
        self.end("testsuite")?;
        Ok(self.end("testsuites")?)
    }

    fn fails(&self, game: &GameRecord) -> bool {
        let fault = FaultKind::of_reason(game.verdict.reason().name());
        let law = game.verdict.article().is_none();
        self.judged.iter().filter(|judged| judged.met == Met::No).any(|judged| {
            fault.is_some_and(|fault| fault.key() == judged.name) || (law && judged.name == "ends_by_law")
        })
    }

    fn game(&mut self, game: &GameRecord) -> Result<(), JunitError> {
        let name = format!("{} {} - {}", game.id, game.names.white, game.names.black);
        let sentence = game.sentence();
        let thought =
            game.plies.iter().filter_map(|ply| ply.search.as_ref()).map(|search| search.time.as_secs_f64());
        let failure = self.fails(game).then_some(sentence.as_str());
        let words = format!("{} {sentence}", game.verdict.result());
        Ok(self.case("games", &name, thought.sum(), failure, &words)?)
    }

    fn suite(&mut self, name: &str, tests: usize, failures: usize) -> io::Result<()> {
        self.start(
            "testsuite",
            &[("name", name), ("tests", &tests.to_string()), ("failures", &failures.to_string())],
        )
    }

    fn case(
        &mut self,
        class: &str,
        name: &str,
        seconds: f64,
        failure: Option<&str>,
        words: &str,
    ) -> io::Result<()> {
        self.start("testcase", &[("classname", class), ("name", name), ("time", &format!("{seconds:.3}"))])?;
        if let Some(message) = failure {
            self.out.write_event(Event::Empty(element("failure", &[("message", message)])))?;
        }
        self.start("system-out", &[])?;
        self.out.write_event(Event::Text(BytesText::new(&printable(words))))?;
        self.end("system-out")?;
        self.end("testcase")
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
        self.out.write_event(Event::Start(element(name, attributes)))
    }

    fn end(&mut self, name: &str) -> io::Result<()> {
        self.out.write_event(Event::End(BytesEnd::new(name)))
    }
}

fn element<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut element = BytesStart::new(name);
    for (key, value) in attributes {
        element.push_attribute((*key, printable(value).as_str()));
    }
    element
}

/// XML has no way to write most control characters.
fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

//! The JSON object of an answer: figures at full precision, null where one doesn't exist.

use std::io;

use serde::Serialize;

use super::Answer;

#[derive(Serialize)]
struct AnswerObject<Id> {
    id: Id,
    llr: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    state: Option<&'static str>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: Option<f64>,
}

/// The object as a line. An id that is absent is null.
pub(super) fn line<Id: Serialize>(id: Id, answer: &Answer) -> io::Result<Vec<u8>> {
    let Answer { summary, test } = answer;
    let llr = test.as_ref().and_then(|test| test.llr.ok());
    let object = AnswerObject {
        id,
        llr,
        lower: test.as_ref().map(|test| test.settings.lower()),
        upper: test.as_ref().map(|test| test.settings.upper()),
        state: test.as_ref().and_then(|test| Some(test.settings.state(test.llr.ok()?).name())),
        elo: summary.elo,
        elo_error: summary.elo_error,
        nelo: summary.nelo,
        nelo_error: summary.nelo_error,
        los: summary.los,
    };
    let mut line = serde_json::to_vec(&object)?;
    line.push(b'\n');
    Ok(line)
}

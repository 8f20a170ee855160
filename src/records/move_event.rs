//! The event of a move: there are hundreds a game, and between two moves, so it is put together by hand, in a third of
//! the time that a serialiser takes.

use std::time::Duration;

use shakmaty::Color;

use super::time_evidence::microseconds;
use crate::engine::message::Score;
use crate::engine::search_watch::{ProcessorWait, SearchTimes};
use crate::game::record::{PlyRecord, PonderOutcome, SearchRecord};

/// Appends the fields of the event to an object that has some already.
pub(super) fn append_fields(line: &mut Vec<u8>, game: u32, ply: u32, by: Color, record: &PlyRecord) {
    // Nearly always enough, so that the memory is got once.
    line.reserve(512);
    let mut fields = Fields(line);
    fields.raw(r#","type":"move""#);
    fields.integer(r#","game":"#, game);
    fields.integer(r#","ply":"#, ply);
    fields.plain(r#","move":""#, &record.uci);
    fields.plain(r#","san":""#, &record.san);
    fields.raw(by.fold_wb(r#","by":"white""#, r#","by":"black""#));
    if record.search.is_none() {
        fields.raw(r#","book":true"#);
    }
    if record.offers_draw {
        fields.raw(r#","offers_draw":true"#);
    }
    if let Some(search) = &record.search {
        append_search(&mut fields, search);
    }
}

fn append_search(fields: &mut Fields<'_>, search: &SearchRecord) {
    let SearchRecord { time, clock, forgiven, score, depth, nodes, nps, pv, times, ponder } = search;
    fields.time(r#","time_us":"#, Some(*time));
    fields.time(r#","clock_us":"#, *clock);
    fields.time(r#","forgiven_us":"#, Some(*forgiven).filter(|forgiven| !forgiven.is_zero()));
    let SearchTimes { written, first_byte, engine, waited } = times;
    fields.time(r#","written_us":"#, *written);
    fields.time(r#","first_us":"#, *first_byte);
    fields.time(r#","engine_us":"#, *engine);
    if let Some(ProcessorWait { longest, total, referee, watched }) = waited.as_deref() {
        fields.time(r#","waited_for_processor_us":"#, Some(*longest));
        fields.time(r#","waited_all_threads_us":"#, Some(*total));
        fields.time(r#","referee_waited_us":"#, *referee);
        fields.time(r#","watched_us":"#, Some(*watched));
    }
    match score {
        Some(Score::Centipawns(centipawns)) => fields.integer(r#","score":{"cp":"#, *centipawns),
        Some(Score::MateIn(moves)) => fields.integer(r#","score":{"mate":"#, *moves),
        None => {}
    }
    if score.is_some() {
        fields.raw("}");
    }
    if let Some(depth) = depth {
        fields.integer(r#","depth":"#, *depth);
    }
    if let Some(nodes) = nodes {
        fields.integer(r#","nodes":"#, *nodes);
    }
    if let Some(nps) = nps {
        fields.integer(r#","nps":"#, *nps);
    }
    if !pv.is_empty() {
        fields.text(r#","pv":"#, pv);
    }
    match ponder {
        Some(PonderOutcome::Hit) => fields.raw(r#","ponder":"hit""#),
        Some(PonderOutcome::Miss) => fields.raw(r#","ponder":"miss""#),
        None => {}
    }
}

/// The fields of a JSON object, behind those that it has. Their names come with all that stands around them: pieces
/// whose length is known beforehand are copied in a few instructions.
struct Fields<'a>(&'a mut Vec<u8>);

impl Fields<'_> {
    #[inline]
    fn raw(&mut self, text: &'static str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    #[inline]
    fn integer(&mut self, name: &'static str, value: impl itoa::Integer) {
        self.raw(name);
        self.0.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    #[inline]
    fn time(&mut self, name: &'static str, time: Option<Duration>) {
        if let Some(time) = time {
            self.integer(name, microseconds(time));
        }
    }

    /// Of letters, figures and signs that JSON writes as they are, as those of moves.
    #[inline]
    fn plain(&mut self, name: &'static str, text: &str) {
        self.raw(name);
        self.0.extend_from_slice(text.as_bytes());
        self.raw("\"");
    }

    #[inline]
    fn text(&mut self, name: &'static str, text: &str) {
        self.raw(name);
        // Writing a string to memory can't fail.
        let _ = serde_json::to_writer(&mut *self.0, text);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(record: &PlyRecord) -> serde_json::Value {
        let mut line = b"{\"t\":0".to_vec();
        append_fields(&mut line, 7, 1, Color::White, record);
        line.push(b'}');
        let mut object: serde_json::Value = serde_json::from_slice(&line).unwrap();
        object.as_object_mut().unwrap().remove("t");
        object
    }

    #[test]
    fn a_move_tells_all_that_is_known_of_it() {
        let waited = ProcessorWait {
            longest: Duration::from_micros(11),
            total: Duration::from_micros(12),
            referee: Some(Duration::from_micros(13)),
            watched: Duration::from_micros(14),
        };
        let times = SearchTimes {
            written: Some(Duration::from_micros(1)),
            first_byte: Some(Duration::from_micros(2)),
            engine: Some(Duration::from_micros(3)),
            waited: Some(Box::new(waited)),
        };
        let search = SearchRecord {
            time: Duration::from_nanos(1_234_999),
            clock: Some(Duration::from_millis(900)),
            forgiven: Duration::from_micros(5),
            score: Some(Score::Centipawns(-31)),
            depth: Some(9),
            nodes: Some(u64::MAX),
            nps: Some(8),
            pv: "e7e5 \"\\\u{1}ü".to_owned(),
            times,
            ponder: Some(PonderOutcome::Hit),
        };
        let record = PlyRecord {
            uci: "e2e4".to_owned(),
            san: "e4".to_owned(),
            search: Some(search.clone()),
            offers_draw: true,
            remark: None,
        };
        let expected = json!({
            "type": "move", "game": 7, "ply": 1, "move": "e2e4", "san": "e4", "by": "white", "offers_draw": true,
            "time_us": 1234, "clock_us": 900_000, "forgiven_us": 5, "written_us": 1, "first_us": 2, "engine_us": 3,
            "waited_for_processor_us": 11, "waited_all_threads_us": 12, "referee_waited_us": 13, "watched_us": 14,
            "score": {"cp": -31}, "depth": 9, "nodes": u64::MAX, "nps": 8, "pv": "e7e5 \"\\\u{1}ü", "ponder": "hit",
        });
        assert_eq!(written(&record), expected);
        let mate = SearchRecord { score: Some(Score::MateIn(-3)), ..SearchRecord::default() };
        let event = written(&PlyRecord { search: Some(mate), offers_draw: false, ..record });
        let expected = json!({
            "type": "move", "game": 7, "ply": 1, "move": "e2e4", "san": "e4", "by": "white", "time_us": 0,
            "score": {"mate": -3},
        });
        assert_eq!(event, expected, "what is not known is left out");
    }

    #[test]
    fn a_move_of_the_book_says_so_and_has_no_time() {
        let record = PlyRecord {
            uci: "e7e8q".to_owned(),
            san: "e8=Q+".to_owned(),
            search: None,
            offers_draw: false,
            remark: None,
        };
        let expected = json!({
            "type": "move", "game": 7, "ply": 1, "move": "e7e8q", "san": "e8=Q+", "by": "white", "book": true,
        });
        assert_eq!(written(&record), expected);
    }
}

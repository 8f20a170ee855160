//! The plies of a game in few bytes: moves, times, scores. The lines that engines expected are left to the event log.

use std::cell::RefCell;
use std::time::Duration;

use bitcode::{Decode, Encode};
use serde::{Deserialize, Serialize};

use crate::engine::message::Score;
use crate::engine::search_watch::{ProcessorWait, SearchTimes};
use crate::game::record::{PlyRecord, PonderOutcome, SearchRecord};

#[derive(Encode, Decode)]
struct StoredPly<'a> {
    uci: &'a str,
    san: &'a str,
    offers_draw: bool,
    remark: Option<&'a str>,
    search: Option<StoredSearch>,
}

/// Times in nanoseconds.
#[derive(Encode, Decode)]
struct StoredSearch {
    time: u64,
    clock: Option<u64>,
    forgiven: u64,
    score: Option<StoredScore>,
    depth: Option<u32>,
    nodes: Option<u64>,
    nps: Option<u64>,
    times: StoredTimes,
    ponder: Option<StoredPonder>,
}

#[derive(Encode, Decode)]
enum StoredScore {
    Centipawns(i32),
    MateIn(i32),
}

#[derive(Encode, Decode)]
enum StoredPonder {
    Hit,
    Miss,
}

/// The stamps of a search, in nanoseconds.
#[derive(Debug, Encode, Decode, Serialize, Deserialize)]
pub(super) struct StoredTimes {
    written: Option<u64>,
    first_byte: Option<u64>,
    engine: Option<u64>,
    waited: Option<StoredWait>,
}

#[derive(Debug, Encode, Decode, Serialize, Deserialize)]
struct StoredWait {
    longest: u64,
    total: u64,
    referee: Option<u64>,
    watched: u64,
}

/// The bytes of a column.
pub(super) fn to_bytes(plies: &[PlyRecord]) -> Vec<u8> {
    let stored: Vec<StoredPly<'_>> = plies.iter().map(StoredPly::of).collect();
    // Its memory is got once for all games of a thread.
    thread_local!(static BUFFER: RefCell<bitcode::Buffer> = RefCell::default());
    BUFFER.with_borrow_mut(|buffer| buffer.encode(&stored).to_vec())
}

/// The plies of a column; the lines that engines expected are empty.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<Vec<PlyRecord>, bitcode::Error> {
    let stored: Vec<StoredPly<'_>> = bitcode::decode(bytes)?;
    Ok(stored.into_iter().map(StoredPly::restored).collect())
}

pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl StoredPly<'_> {
    fn of(ply: &PlyRecord) -> StoredPly<'_> {
        let PlyRecord { uci, san, search, offers_draw, remark } = ply;
        StoredPly {
            uci,
            san,
            offers_draw: *offers_draw,
            remark: remark.as_deref(),
            search: search.as_ref().map(StoredSearch::of),
        }
    }

    fn restored(self) -> PlyRecord {
        PlyRecord {
            uci: self.uci.to_owned(),
            san: self.san.to_owned(),
            search: self.search.map(StoredSearch::restored),
            offers_draw: self.offers_draw,
            remark: self.remark.map(str::to_owned),
        }
    }
}

impl StoredSearch {
    fn of(search: &SearchRecord) -> StoredSearch {
        let SearchRecord { time, clock, forgiven, score, depth, nodes, nps, pv: _, times, ponder } = search;
        StoredSearch {
            time: nanoseconds(*time),
            clock: clock.map(nanoseconds),
            forgiven: nanoseconds(*forgiven),
            score: score.map(|score| match score {
                Score::Centipawns(centipawns) => StoredScore::Centipawns(centipawns),
                Score::MateIn(moves) => StoredScore::MateIn(moves),
            }),
            depth: *depth,
            nodes: *nodes,
            nps: *nps,
            times: StoredTimes::of(times),
            ponder: ponder.map(|outcome| match outcome {
                PonderOutcome::Hit => StoredPonder::Hit,
                PonderOutcome::Miss => StoredPonder::Miss,
            }),
        }
    }

    fn restored(self) -> SearchRecord {
        SearchRecord {
            time: Duration::from_nanos(self.time),
            clock: self.clock.map(Duration::from_nanos),
            forgiven: Duration::from_nanos(self.forgiven),
            score: self.score.map(|score| match score {
                StoredScore::Centipawns(centipawns) => Score::Centipawns(centipawns),
                StoredScore::MateIn(moves) => Score::MateIn(moves),
            }),
            depth: self.depth,
            nodes: self.nodes,
            nps: self.nps,
            pv: String::new(),
            times: self.times.restored(),
            ponder: self.ponder.map(|outcome| match outcome {
                StoredPonder::Hit => PonderOutcome::Hit,
                StoredPonder::Miss => PonderOutcome::Miss,
            }),
        }
    }
}

impl StoredTimes {
    pub(super) fn of(times: &SearchTimes) -> StoredTimes {
        let SearchTimes { written, first_byte, engine, waited } = times;
        StoredTimes {
            written: written.map(nanoseconds),
            first_byte: first_byte.map(nanoseconds),
            engine: engine.map(nanoseconds),
            waited: waited.as_deref().map(|ProcessorWait { longest, total, referee, watched }| StoredWait {
                longest: nanoseconds(*longest),
                total: nanoseconds(*total),
                referee: referee.map(nanoseconds),
                watched: nanoseconds(*watched),
            }),
        }
    }

    pub(super) fn restored(self) -> SearchTimes {
        SearchTimes {
            written: self.written.map(Duration::from_nanos),
            first_byte: self.first_byte.map(Duration::from_nanos),
            engine: self.engine.map(Duration::from_nanos),
            waited: self.waited.map(|waited| {
                Box::new(ProcessorWait {
                    longest: Duration::from_nanos(waited.longest),
                    total: Duration::from_nanos(waited.total),
                    referee: waited.referee.map(Duration::from_nanos),
                    watched: Duration::from_nanos(waited.watched),
                })
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_come_back_without_the_lines_that_engines_expected() {
        let times = SearchTimes {
            written: Some(Duration::from_nanos(1_501)),
            first_byte: None,
            engine: Some(Duration::from_millis(3)),
            waited: Some(Box::new(ProcessorWait {
                longest: Duration::from_micros(7),
                total: Duration::from_micros(9),
                referee: None,
                watched: Duration::from_secs(1),
            })),
        };
        let search = SearchRecord {
            time: Duration::from_nanos(1_234_567),
            clock: Some(Duration::from_secs(60)),
            forgiven: Duration::from_nanos(5),
            score: Some(Score::MateIn(-3)),
            depth: Some(22),
            nodes: Some(u64::MAX),
            nps: None,
            pv: "e7e8q".to_owned(),
            times,
            ponder: Some(PonderOutcome::Miss),
        };
        let book = PlyRecord {
            uci: "e2e4".to_owned(),
            san: "e4".to_owned(),
            search: None,
            offers_draw: false,
            remark: None,
        };
        let played = PlyRecord {
            uci: "d7d8n".to_owned(),
            san: "d8=N+".to_owned(),
            search: Some(search.clone()),
            offers_draw: true,
            remark: Some("a claim was denied".to_owned()),
        };
        let restored = from_bytes(&to_bytes(&[book.clone(), played.clone()])).unwrap();
        let without_line = PlyRecord { search: Some(SearchRecord { pv: String::new(), ..search }), ..played };
        assert_eq!(restored, [book, without_line]);
    }

    #[test]
    fn bytes_of_something_else_are_refused() {
        assert!(from_bytes(b"\x03e2e4").is_err());
    }
}

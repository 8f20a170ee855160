//! `events.jsonl`: one JSON object a line, each written whole as things happen.

use std::borrow::Cow;
use std::io::Write;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Serialize;
use shakmaty::{Color, Position};

use super::openings_used::OpeningsUsed;
use super::sprt_standing::SprtStanding;
use super::time_evidence::{EngineTime, FlagFall, Stamps, engine_times, microseconds};
use crate::engine::message::Score;
use crate::game::game_id::GameId;
use crate::game::observer::GameEvent;
use crate::game::record::{GameRecord, PlyRecord, PonderOutcome};
use crate::law::verdict::{ClaimBasis, Reason, Verdict};
use crate::tournament::event::Event;

/// Writes events with the time since the start of the run.
pub struct EventLog<W> {
    out: W,
    /// What had passed of the run when the log was opened.
    before: Duration,
    opened: Instant,
    line: Vec<u8>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Body<'a> {
    MatchStarted {
        event: &'a str,
        engines: &'a [String],
        /// `None`: as many as it takes.
        games: Option<u32>,
        /// Games of an earlier run with which this one goes on.
        #[serde(skip_serializing_if = "is_zero")]
        resumed_after: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        variant: Option<&'static str>,
        openings: Option<OpeningsUsed<'a>>,
    },
    GameStarted {
        game: u32,
        round: String,
        white: &'a str,
        black: &'a str,
        fen: Option<&'a str>,
    },
    Move {
        game: u32,
        ply: u32,
        #[serde(rename = "move")]
        uci: &'a str,
        san: &'a str,
        by: &'static str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        book: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        offers_draw: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        time_us: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        clock_us: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        forgiven_us: Option<u64>,
        #[serde(flatten, skip_serializing_if = "Option::is_none")]
        stamps: Option<Stamps>,
        #[serde(skip_serializing_if = "Option::is_none")]
        score: Option<ScoreValue>,
        #[serde(skip_serializing_if = "Option::is_none")]
        depth: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        nps: Option<u64>,
        #[serde(skip_serializing_if = "str::is_empty")]
        pv: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        ponder: Option<&'static str>,
    },
    Claim {
        game: u32,
        ply: u32,
        by: Option<&'static str>,
        /// `None` where the claim was wrong under every rule.
        reason: Option<&'static str>,
        article: Option<&'static str>,
        how: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        intended: Option<&'a str>,
        granted: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        penalty_us: Option<u64>,
    },
    GameEnded {
        game: u32,
        round: String,
        white: &'a str,
        black: &'a str,
        result: &'static str,
        reason: &'static str,
        article: Option<&'static str>,
        by: Option<&'static str>,
        plies: usize,
        sentence: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        flag_fall: Option<FlagFall>,
    },
    GameAnnulled {
        game: u32,
        round: String,
        reason: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        flag_fall: Option<FlagFall>,
    },
    EngineFault {
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<u32>,
        engine: &'a str,
        fault: Cow<'a, str>,
    },
    MatchEnded {
        finished: u32,
        games: Option<u32>,
        engines: Vec<EngineTime<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        sprt: Option<SprtStanding>,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ScoreValue {
    Cp(i32),
    Mate(i32),
}

impl<W: Write> EventLog<W> {
    /// Time counts from now on.
    pub fn new(out: W) -> EventLog<W> {
        EventLog { out, before: Duration::ZERO, opened: Instant::now(), line: Vec::new() }
    }

    /// Time counts from the start of a run that goes on.
    pub fn since(out: W, started: Timestamp) -> EventLog<W> {
        // A clock that was set back meanwhile gives no negative time.
        let before = Timestamp::now().duration_since(started).try_into().unwrap_or(Duration::ZERO);
        EventLog { before, ..EventLog::new(out) }
    }

    /// What is written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// What is written to.
    pub fn inner(&self) -> &W {
        &self.out
    }

    /// What was written so far; from now on it is written anew.
    pub fn take(&mut self) -> W
    where
        W: Default,
    {
        std::mem::take(&mut self.out)
    }

    /// Writes one event as a line, in one write; nothing where there is nothing new to keep.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn write(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        let Some(body) = body(event) else { return Ok(()) };
        self.line.clear();
        // Seconds since the start of the run. The body's own brace becomes the comma after them.
        self.line.extend_from_slice(b"{\"t\":");
        serde_json::to_writer(&mut self.line, &microseconds_as_seconds(self.before + self.opened.elapsed()))?;
        let comma = self.line.len();
        serde_json::to_writer(&mut self.line, &body)?;
        if let Some(brace) = self.line.get_mut(comma) {
            *brace = b',';
        }
        self.line.push(b'\n');
        self.out.write_all(&self.line)
    }
}

/// An event as the log has it, without its time; null for one that it has not.
pub fn object_of(event: &Event<'_>) -> serde_json::Value {
    body(event).and_then(|body| serde_json::to_value(body).ok()).unwrap_or_default()
}

/// The `move` events of a game.
pub fn moves_of(game: &GameRecord) -> Vec<serde_json::Value> {
    let mut by = game.opening.start.turn();
    let mut moves = Vec::with_capacity(game.plies.len());
    for (record, ply) in game.plies.iter().zip(1..) {
        moves.push(object_of(&Event::Game(game.id, GameEvent::Ply { ply, by, record })));
        by = !by;
    }
    moves
}

fn microseconds_as_seconds(elapsed: Duration) -> f64 {
    (elapsed.as_secs_f64() * 1e6).round() / 1e6
}

fn body<'a>(event: &Event<'a>) -> Option<Body<'a>> {
    Some(match *event {
        Event::MatchStarted { name, engines, games, scoreboard, openings } => {
            let variant = openings.map(|spec| if spec.mode.is_chess960() { "chess960" } else { "standard" });
            let openings = openings.and_then(OpeningsUsed::of);
            let resumed_after = scoreboard.finished();
            Body::MatchStarted { event: name, engines, games, resumed_after, variant, openings }
        }
        Event::Game(id, event) => game_body(id, event),
        Event::GameEnded(record) => ended_body(record),
        // What is counted from what is kept already, and what games tell by themselves.
        Event::Scored { .. } | Event::Concurrency(_) => return None,
        Event::GameAnnulled { game, reason, annulment } => Body::GameAnnulled {
            game: game.number,
            round: game.to_string(),
            reason,
            detail: annulment.map(|annulment| annulment.detail.as_str()),
            flag_fall: annulment.and_then(|annulment| annulment.overrun.as_ref()).and_then(FlagFall::of),
        },
        Event::EngineFault { engine, fault } => Body::EngineFault { game: None, engine, fault: fault.into() },
        Event::MatchEnded { scoreboard, games, timekeeping } => Body::MatchEnded {
            finished: scoreboard.finished(),
            games,
            engines: engine_times(timekeeping),
            sprt: scoreboard.test().map(SprtStanding::of),
        },
    })
}

fn game_body<'a>(id: GameId, event: GameEvent<'a>) -> Body<'a> {
    let game = id.number;
    match event {
        GameEvent::Started { white, black, fen } => {
            Body::GameStarted { game, round: id.to_string(), white, black, fen }
        }
        GameEvent::Ply { ply, by, record } => move_body(game, ply, by, record),
        GameEvent::Claim { ply, verdict } => claim_body(game, ply, verdict),
        GameEvent::ClaimDenied { ply, by, intended, penalty } => Body::Claim {
            game,
            ply,
            by: Some(color_name(by)),
            reason: None,
            article: Some("9.5.3"),
            how: "intended",
            intended: Some(intended),
            granted: false,
            penalty_us: Some(microseconds(penalty)),
        },
        GameEvent::IllegalAttempt { engine, token, penalty } => {
            let seconds = penalty.as_secs_f64();
            let fault = format!("first illegal move `{token}`; its opponent gains {seconds} s");
            Body::EngineFault { game: Some(game), engine, fault: fault.into() }
        }
        GameEvent::Misbehaviour { engine, misbehaviour } => {
            Body::EngineFault { game: Some(game), engine, fault: misbehaviour.words().into() }
        }
    }
}

fn move_body(game: u32, ply: u32, by: Color, record: &PlyRecord) -> Body<'_> {
    let search = record.search.as_ref();
    let forgiven = search.map(|search| search.forgiven).filter(|forgiven| !forgiven.is_zero());
    Body::Move {
        game,
        ply,
        uci: &record.uci,
        san: &record.san,
        by: color_name(by),
        book: search.is_none(),
        offers_draw: record.offers_draw,
        time_us: search.map(|search| microseconds(search.time)),
        clock_us: search.and_then(|search| search.clock).map(microseconds),
        forgiven_us: forgiven.map(microseconds),
        stamps: search.map(|search| Stamps::of(&search.times)),
        score: search.and_then(|search| search.score).map(|score| match score {
            Score::Centipawns(centipawns) => ScoreValue::Cp(centipawns),
            Score::MateIn(moves) => ScoreValue::Mate(moves),
        }),
        depth: search.and_then(|search| search.depth),
        nodes: search.and_then(|search| search.nodes),
        nps: search.and_then(|search| search.nps),
        pv: search.map_or("", |search| &search.pv),
        ponder: search.and_then(|search| search.ponder).map(|outcome| match outcome {
            PonderOutcome::Hit => "hit",
            PonderOutcome::Miss => "miss",
        }),
    }
}

fn claim_body(game: u32, ply: u32, verdict: &Verdict) -> Body<'_> {
    let intended = match verdict.reason() {
        Reason::ThreefoldRepetition(ClaimBasis::Intended(san))
        | Reason::FiftyMoveRule(ClaimBasis::Intended(san)) => Some(san.as_str()),
        _ => None,
    };
    Body::Claim {
        game,
        ply,
        by: verdict.by().map(color_name),
        reason: Some(verdict.reason().name()),
        article: verdict.article(),
        how: if intended.is_some() { "intended" } else { "appeared" },
        intended,
        granted: true,
        penalty_us: None,
    }
}

fn ended_body(record: &GameRecord) -> Body<'_> {
    let verdict = &record.verdict;
    Body::GameEnded {
        game: record.id.number,
        round: record.id.to_string(),
        white: &record.names.white,
        black: &record.names.black,
        result: verdict.result().as_str(),
        reason: verdict.reason().name(),
        article: verdict.article(),
        by: verdict.by().map(color_name),
        plies: record.plies.len(),
        sentence: record.sentence(),
        flag_fall: record.flag_fall.as_ref().and_then(FlagFall::of),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::record::SearchRecord;

    fn written(event: &Event<'_>) -> serde_json::Value {
        let mut log = EventLog::new(Vec::new());
        log.write(event).unwrap();
        assert!(log.out.ends_with(b"}\n"));
        serde_json::from_slice(&log.out).unwrap()
    }

    #[test]
    fn a_move_tells_what_the_clock_charged_and_what_the_engine_said() {
        let search = SearchRecord {
            time: Duration::from_nanos(1_234_999),
            clock: Some(Duration::from_millis(900)),
            score: Some(Score::MateIn(-3)),
            depth: Some(9),
            pv: "e7e5".to_owned(),
            ponder: Some(PonderOutcome::Hit),
            ..SearchRecord::default()
        };
        let record = PlyRecord {
            uci: "e2e4".to_owned(),
            san: "e4".to_owned(),
            search: Some(search),
            offers_draw: true,
            remark: None,
        };
        let id = GameId { number: 7, round: 4, game: 1 };
        let event = GameEvent::Ply { ply: 1, by: Color::White, record: &record };
        let mut line = written(&Event::Game(id, event));
        line.as_object_mut().unwrap().remove("t");
        let expected = serde_json::json!({
            "type": "move", "game": 7, "ply": 1, "move": "e2e4", "san": "e4", "by": "white", "time_us": 1234,
            "clock_us": 900_000, "score": {"mate": -3}, "depth": 9, "pv": "e7e5", "offers_draw": true, "ponder": "hit",
        });
        assert_eq!(line, expected);
    }

    #[test]
    fn a_claim_names_its_intended_move() {
        let basis = ClaimBasis::Intended("Nf3".to_owned());
        let verdict = Verdict::claimed_draw(crate::law::verdict::ClaimRule::Threefold, basis, Color::White);
        let id = GameId { number: 1, round: 1, game: 1 };
        let line = written(&Event::Game(id, GameEvent::Claim { ply: 8, verdict: &verdict }));
        assert_eq!(
            (&line["how"], &line["intended"], &line["article"]),
            (&"intended".into(), &"Nf3".into(), &"9.2.1".into())
        );
    }
}

//! `events.jsonl`: one JSON object a line, each written whole as things happen.

use std::borrow::Cow;
use std::io::Write;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Serialize;
use shakmaty::{Color, Position};

use super::move_event;
use super::openings_used::OpeningsUsed;
use super::sprt_standing::SprtStanding;
use super::time_evidence::{EngineTime, FlagFall, engine_times, microseconds};
use crate::game::game_id::GameId;
use crate::game::observer::GameEvent;
use crate::game::record::GameRecord;
use crate::law::verdict::{ClaimBasis, Reason, Verdict};
use crate::tournament::event::Event;

/// Writes events with the time since the start of the run.
pub struct EventLog<W> {
    out: W,
    clock: EventClock,
    line: Vec<u8>,
}

/// The time of events.
#[derive(Clone, Copy, Debug)]
pub struct EventClock {
    /// What had passed of the run when the clock was started.
    before: Duration,
    started: Instant,
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

impl<W: Write> EventLog<W> {
    /// With the times of this clock.
    pub fn new(out: W, clock: EventClock) -> EventLog<W> {
        EventLog { out, clock, line: Vec::new() }
    }

    /// What is written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes one event as a line, in one write; nothing where there is nothing new to keep.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn write(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        self.line.clear();
        append(&mut self.line, self.clock.elapsed(), event)?;
        if self.line.is_empty() { Ok(()) } else { self.out.write_all(&self.line) }
    }
}

impl EventClock {
    /// Time counts from now on.
    pub fn start() -> EventClock {
        EventClock { before: Duration::ZERO, started: Instant::now() }
    }

    /// Time counts from the start of a run that goes on.
    pub fn since(started: Timestamp) -> EventClock {
        // A clock that was set back meanwhile gives no negative time.
        let before = Timestamp::now().duration_since(started).try_into().unwrap_or(Duration::ZERO);
        EventClock { before, started: Instant::now() }
    }

    /// What has passed of the run.
    pub fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }
}

/// Appends an event as a line; nothing where there is nothing new to keep.
///
/// # Errors
/// What can't be told in JSON is a fault of this program; nothing is appended then.
pub fn append(lines: &mut Vec<u8>, elapsed: Duration, event: &Event<'_>) -> serde_json::Result<()> {
    let start = lines.len();
    // Seconds since the start of the run, to the microsecond.
    let time = |lines: &mut Vec<u8>| {
        lines.extend_from_slice(b"{\"t\":");
        lines.extend_from_slice(itoa::Buffer::new().format(elapsed.as_secs()).as_bytes());
        // A leading 1 keeps the zeros behind the point, and gives its place to it.
        let point = lines.len();
        lines.extend_from_slice(itoa::Buffer::new().format(1_000_000 + elapsed.subsec_micros()).as_bytes());
        lines[point] = b'.';
    };
    if let Event::Game(id, GameEvent::Ply { ply, by, record }) = *event {
        time(lines);
        move_event::append_fields(lines, id.number, ply, by, record);
        lines.extend_from_slice(b"}\n");
        return Ok(());
    }
    let Some(body) = body(event) else { return Ok(()) };
    time(lines);
    let brace = lines.len();
    if let Err(error) = serde_json::to_writer(&mut *lines, &body) {
        lines.truncate(start);
        return Err(error);
    }
    // It goes on with the object that the time has begun.
    lines[brace] = b',';
    lines.push(b'\n');
    Ok(())
}

/// An event as the log has it, without its time; null for one that it has not.
pub fn object_of(event: &Event<'_>) -> serde_json::Value {
    let mut line = Vec::new();
    let object = append(&mut line, Duration::ZERO, event).and_then(|()| serde_json::from_slice(&line));
    let mut object: serde_json::Value = object.unwrap_or_default();
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove("t");
    }
    object
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

fn body<'a>(event: &Event<'a>) -> Option<Body<'a>> {
    Some(match *event {
        Event::MatchStarted { name, engines, games, scoreboard, openings } => {
            let variant = openings.map(|spec| if spec.mode.is_chess960() { "chess960" } else { "standard" });
            let openings = openings.and_then(OpeningsUsed::of);
            let resumed_after = scoreboard.finished();
            Body::MatchStarted { event: name, engines, games, resumed_after, variant, openings }
        }
        Event::Game(id, event) => return game_body(id, event),
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

fn game_body<'a>(id: GameId, event: GameEvent<'a>) -> Option<Body<'a>> {
    let game = id.number;
    Some(match event {
        GameEvent::Started { white, black, fen } => {
            Body::GameStarted { game, round: id.to_string(), white, black, fen }
        }
        // See `move_event`.
        GameEvent::Ply { .. } => return None,
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
    })
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

    fn written(event: &Event<'_>) -> serde_json::Value {
        let mut log = EventLog::new(Vec::new(), EventClock::start());
        log.write(event).unwrap();
        assert!(log.out.ends_with(b"}\n"));
        serde_json::from_slice(&log.out).unwrap()
    }

    #[test]
    fn times_are_seconds_to_the_microsecond() {
        let event = Event::EngineFault { engine: "Alpha", fault: "speaks" };
        for (elapsed, text) in
            [(Duration::from_nanos(12_000_034_999), "12.000034"), (Duration::from_millis(900), "0.900000")]
        {
            let mut lines = b"before".to_vec();
            append(&mut lines, elapsed, &event).unwrap();
            let line = format!(
                "before{{\"t\":{text},\"type\":\"engine_fault\",\"engine\":\"Alpha\",\"fault\":\"speaks\"}}\n"
            );
            assert_eq!(String::from_utf8(lines).unwrap(), line);
        }
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

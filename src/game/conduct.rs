//! Plays one game: asks the engine to move, stamps, judges, asks the other.

use std::time::Duration;

use shakmaty::{ByColor, Color, Move};

use super::game_id::GameId;
use super::observer::{GameEvent, Observer};
use super::player::{Player, PlayerRules};
use super::record::{GameRecord, PlyRecord, SearchRecord};
use super::referee::{Ruling, claim_before_search, rule_on_best_move};
use crate::clock::chess_clock::{ChessClock, FlagFall, InTime, wire_milliseconds};
use crate::engine::command::{PositionCommand, SearchLimits, SideClock, write_go};
use crate::engine::fault::Fault;
use crate::engine::session::{Answer, Misbehaviour, SearchReport};
use crate::law::game_state::{GameState, Successor};
use crate::law::policy::DeadPositionRule;
use crate::law::verdict::{Forfeit, Reason, Verdict};
use crate::openings::Opening;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct GamePlan {
    /// Its place in the schedule.
    pub id: GameId,
    /// Where it starts.
    pub opening: Opening,
    /// How dead positions are recognised.
    pub dead_position: DeadPositionRule,
}

/// Whether an engine's process can play on after the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It owes nothing.
    Fit,
    /// It forfeited, or owes an answer that did not come: it has to be started anew.
    Faulty,
}

/// A played game and the state in which it left the engines.
#[derive(Debug)]
pub struct Played {
    /// The game.
    pub record: GameRecord,
    /// Of each engine.
    pub conditions: ByColor<Condition>,
}

/// Why and in which words a game ended.
struct End {
    verdict: Verdict,
    detail: Option<String>,
}

/// A game under way.
struct Conduct<'a, 'b> {
    plan: &'a GamePlan,
    players: ByColor<Player<'b>>,
    observer: &'a mut dyn Observer,
    state: GameState,
    clocks: ByColor<ChessClock>,
    position: PositionCommand,
    commands: Vec<u8>,
    plies: Vec<PlyRecord>,
}

/// Plays a game from its opening to its verdict. Both engines have answered `ucinewgame`'s `isready`.
///
/// Every way out gives a verdict: what an engine does wrong costs it the game. Dropping the future leaves the engines
/// in an unknown state: they have to be started anew.
pub async fn play(plan: &GamePlan, players: ByColor<Player<'_>>, observer: &mut dyn Observer) -> Played {
    let started = jiff::ZonedDateTime::now();
    let names = players.as_ref().map(|player| player.rules.name.clone());
    let time_controls = players.as_ref().map(|player| player.rules.time_control.pgn_tag());
    announce(plan, names.as_ref(), observer);
    let clocks =
        players.as_ref().map(|player| ChessClock::new(&player.rules.time_control, player.rules.time_margin));
    let mut conduct = Conduct {
        plan,
        players,
        observer,
        state: GameState::new(plan.opening.start.clone(), plan.opening.mode, plan.dead_position),
        clocks,
        position: PositionCommand::new(plan.opening.fen.as_deref()),
        commands: Vec::new(),
        plies: Vec::new(),
    };
    conduct.play_book();
    let end = conduct.play_to_the_end().await;
    if matches!(end.verdict.reason(), Reason::ThreefoldRepetition(_) | Reason::FiftyMoveRule(_)) {
        let claim = GameEvent::Claim { ply: conduct.state.ply(), verdict: &end.verdict };
        conduct.observer.observe(plan.id, claim);
    }
    let conditions = conduct.settle(&end.verdict).await;
    let record = GameRecord {
        id: plan.id,
        names,
        time_controls,
        opening: plan.opening.clone(),
        plies: conduct.plies,
        verdict: end.verdict,
        detail: end.detail,
        started,
    };
    Played { record, conditions }
}

/// Tells that a game begins; also one that is forfeited before its first move.
pub fn announce(plan: &GamePlan, names: ByColor<&String>, observer: &mut dyn Observer) {
    let fen = plan.opening.fen.as_deref();
    observer.observe(plan.id, GameEvent::Started { white: names.white, black: names.black, fen });
}

impl Conduct<'_, '_> {
    fn play_book(&mut self) {
        for uci in &self.plan.opening.book {
            // A book is checked when it is loaded: what is not legal here ends it, and the engines play on.
            if self.state.end().is_some() {
                return;
            }
            let Some(played) = self.state.legal_move(uci.as_bytes(), true) else {
                tracing::warn!("book move {uci} of game {} is not legal: left out", self.plan.id);
                return;
            };
            let successor = self.state.successor(played);
            self.complete(played, successor, None);
        }
    }

    async fn play_to_the_end(&mut self) -> End {
        loop {
            if let Some(verdict) = self.state.end() {
                return End { verdict: verdict.clone(), detail: None };
            }
            let side = self.state.turn();
            if let Some(verdict) = claim_before_search(&self.state, &self.players.get(side).rules.claims) {
                return End { verdict, detail: None };
            }
            if let Some(end) = self.play_ply(side).await {
                return end;
            }
        }
    }

    /// Asks for one move and makes it; the game's end if the move or its absence brings it.
    async fn play_ply(&mut self, side: Color) -> Option<End> {
        let clock = self.clocks.get(side);
        let rules = self.players.get(side).rules;
        let limit = clock.limit().unwrap_or(rules.silence);
        self.commands.clear();
        self.commands.extend_from_slice(self.position.as_bytes());
        self.commands.push(b'\n');
        write_go(&mut self.commands, &search_limits(side, &self.clocks, rules));
        let engine = &mut *self.players.get_mut(side).engine;
        let sent_at = match engine.start_search(&self.commands).await {
            Ok(sent_at) => sent_at,
            Err(fault) => return Some(self.end_by_fault(side, &fault).await),
        };
        match engine.await_best_move(sent_at + limit).await {
            Ok(Answer::BestMove { read_at }) => self.judge_best_move(side, read_at.duration_since(sent_at)),
            Ok(Answer::TimeUp) => Some(self.end_by_time(side, sent_at.elapsed())),
            Err(fault) => Some(self.end_by_fault(side, &fault).await),
        }
    }

    fn judge_best_move(&mut self, side: Color, used: Duration) -> Option<End> {
        let silence = self.players.get(side).rules.silence;
        let clock = self.clocks.get_mut(side);
        if clock.limit().is_none() && used > silence {
            return Some(self.end_by_time(side, used));
        }
        let in_time = match clock.charge(used) {
            Ok(in_time) => in_time,
            Err(flag_fall) => return Some(self.end_by_flag_fall(side, flag_fall)),
        };
        let player = self.players.get(side);
        let token = &player.engine.best_move.token;
        let score = player.engine.report.score;
        let ruling =
            rule_on_best_move(&self.state, token, player.rules.king_takes_rook, &player.rules.claims, score);
        match ruling {
            Ruling::Play(played, successor) => {
                let search = self.search_record(side, used, in_time);
                self.complete(played, *successor, Some(search));
                self.check_ponder_move(side);
                None
            }
            Ruling::Claim(verdict) => Some(End { verdict, detail: None }),
            Ruling::Illegal(verdict) => {
                let detail = format!("`bestmove {}`", printable(token));
                Some(End { verdict, detail: Some(detail) })
            }
            Ruling::Bare(verdict) => {
                Some(End { verdict, detail: Some("a `bestmove` without a move".to_owned()) })
            }
        }
    }

    /// Makes a move: on the board, in the engines' position line, in the record.
    fn complete(&mut self, played: Move, successor: Successor, search: Option<SearchRecord>) {
        let by = self.state.turn();
        let san = self.state.san_of(played, &successor);
        let uci = crate::law::notation::uci_move::write(played, self.state.castling_mode()).to_string();
        self.state.make(successor);
        self.position.push(&uci);
        let ply = PlyRecord { uci, san, search };
        self.observer.observe(self.plan.id, GameEvent::Ply { ply: self.state.ply(), by, record: &ply });
        self.plies.push(ply);
    }

    fn search_record(&self, side: Color, time: Duration, in_time: InTime) -> SearchRecord {
        let SearchReport { depth, score, nodes, nps, pv } = &self.players.get(side).engine.report;
        SearchRecord {
            time,
            clock: self.clocks.get(side).left(),
            forgiven: in_time.forgiven,
            score: *score,
            depth: *depth,
            nodes: *nodes,
            nps: *nps,
            pv: String::from_utf8_lossy(pv).into_owned(),
        }
    }

    /// Pondering is off, so a ponder move that is not legal only shows a fault of the engine's.
    fn check_ponder_move(&mut self, side: Color) {
        let player = self.players.get_mut(side);
        let ponder = &player.engine.best_move.ponder;
        let bad = !ponder.is_empty()
            && self.state.end().is_none()
            && self.state.legal_move(ponder, player.rules.king_takes_rook).is_none();
        if bad {
            player.engine.note(Misbehaviour::BadPonderMove);
        }
    }

    fn end_by_time(&self, side: Color, used: Duration) -> End {
        match self.clocks.get(side).clone().charge(used) {
            Err(flag_fall) => self.end_by_flag_fall(side, flag_fall),
            Ok(_) => End {
                verdict: self.state.rule_forfeit(side, Forfeit::Stall),
                detail: Some(format!("no `bestmove` within {:.3} s", used.as_secs_f64())),
            },
        }
    }

    fn end_by_flag_fall(&self, side: Color, flag_fall: FlagFall) -> End {
        let FlagFall { used, left } = flag_fall;
        End {
            verdict: self.state.rule_forfeit(side, Forfeit::FlagFall),
            detail: Some(format!("{:.3} s used of {:.3} s", used.as_secs_f64(), left.as_secs_f64())),
        }
    }

    async fn end_by_fault(&mut self, side: Color, fault: &Fault) -> End {
        let forfeit = match fault {
            Fault::Stalled { .. } => Forfeit::Stall,
            Fault::LineTooLong => Forfeit::ProtocolViolation,
            Fault::Disconnected(_) | Fault::NotStarted(_) | Fault::OptionsRefused(_) => Forfeit::Disconnect,
        };
        let mut detail = self.players.get_mut(side).engine.fault_words(fault).await;
        // Some engines break on a long `position` line.
        if self.position.as_bytes().len() >= LONG_POSITION_LINE {
            detail.push_str(&format!("; the position line had {} bytes", self.position.as_bytes().len()));
        }
        End { verdict: self.state.rule_forfeit(side, forfeit), detail: Some(detail) }
    }

    /// After the verdict: ends an open search, hands on misbehaviour, and says which engine can play on.
    async fn settle(&mut self, verdict: &Verdict) -> ByColor<Condition> {
        let forfeited = match verdict.reason() {
            Reason::IllegalMove | Reason::Disconnect | Reason::Stall | Reason::ProtocolViolation => {
                verdict.by()
            }
            _ => None,
        };
        let mut conditions = ByColor { white: Condition::Fit, black: Condition::Fit };
        for side in Color::ALL {
            let player = self.players.get_mut(side);
            if forfeited == Some(side) || !player.engine.stop_search().await {
                *conditions.get_mut(side) = Condition::Faulty;
            }
            for misbehaviour in player.engine.take_misbehaviour() {
                let engine = &player.rules.name;
                self.observer.observe(self.plan.id, GameEvent::Misbehaviour { engine, misbehaviour });
            }
        }
        conditions
    }
}

/// From here on a crash is reported with the length of the `position` line (many engines have a buffer of 4 KiB).
const LONG_POSITION_LINE: usize = 4000;

/// What `go` tells the side to move: both clocks where it plays by one, and its own limits.
fn search_limits(side: Color, clocks: &ByColor<ChessClock>, rules: &PlayerRules) -> SearchLimits {
    let own = clocks.get(side);
    let told = |clock: &ChessClock| {
        own.left().and(clock.left()).map(|left| SideClock {
            remaining_ms: wire_milliseconds(left),
            increment_ms: u64::try_from(clock.increment().as_millis()).unwrap_or(u64::MAX),
        })
    };
    SearchLimits {
        white: told(&clocks.white),
        black: told(&clocks.black),
        moves_to_go: own.moves_to_go(),
        move_time_ms: own.move_time().map(wire_milliseconds),
        nodes: rules.time_control.nodes.map(std::num::NonZeroU64::get),
        depth: rules.time_control.depth.map(std::num::NonZeroU32::get),
    }
}

/// An engine's bytes for a message: readable, and never long.
fn printable(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control()).take(60).collect();
    if text.chars().count() < 60 { text } else { text + "…" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_tells_an_engine_without_a_clock_no_times() {
        let control = |text: &str| text.parse::<crate::clock::time_control::TimeControl>().unwrap();
        let clocks = ByColor {
            white: ChessClock::new(&control("10+0.1"), Duration::ZERO),
            black: ChessClock::new(&control("nodes=500"), Duration::ZERO),
        };
        let rules = |text: &str| PlayerRules {
            name: "x".to_owned(),
            time_control: control(text),
            time_margin: Duration::ZERO,
            claims: crate::law::policy::ClaimPolicies {
                threefold: crate::law::policy::ClaimPolicy::Never,
                fifty_move: crate::law::policy::ClaimPolicy::Never,
                threshold_cp: 0,
            },
            king_takes_rook: false,
            silence: Duration::from_secs(60),
        };
        let white = search_limits(Color::White, &clocks, &rules("10+0.1"));
        assert_eq!(white.white, Some(SideClock { remaining_ms: 10_100, increment_ms: 100 }));
        assert_eq!((white.black, white.nodes), (None, None));
        let black = search_limits(Color::Black, &clocks, &rules("nodes=500"));
        assert_eq!((black.white, black.black, black.nodes), (None, None, Some(500)));
    }
}

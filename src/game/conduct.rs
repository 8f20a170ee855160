//! Plays one game: asks the engine to move, stamps, judges, asks the other.

mod pondering;

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color, Move};

use self::pondering::Pondering;
use super::adjudication::Adjudicator;
use super::annulment::{Annulment, MachineCheck};
use super::evidence::{Limit, Overrun};
use super::limits::search_limits;
use super::observer::{GameEvent, Observer};
use super::plan::GamePlan;
use super::player::{Player, SyncPolicy};
use super::record::{GameRecord, PlyRecord, SearchRecord};
use super::referee::{Ruling, Sent, claim_before_search, rule_on_best_move};
use crate::clock::chess_clock::{self, ChessClock, FlagFall, InTime};
use crate::engine::command::{PositionCommand, set_option, write_go};
use crate::engine::dialogue_tail::Extent;
use crate::engine::fault::Fault;
use crate::engine::message::visible;
use crate::engine::search_report::{SearchReport, Statements};
use crate::engine::session::Answer;
use crate::law::game_state::{GameState, Successor};
use crate::law::policy::IllegalMovePolicy;
use crate::law::verdict::{Forfeit, Reason, Verdict, side_name};

/// Whether an engine's process can play on after the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It owes nothing.
    Fit,
    /// It lost by what it sent, but answers: better started anew.
    Suspect,
    /// It is gone, or owes an answer that did not come: it has to be started anew.
    Faulty,
}

/// What came of a game.
#[derive(Debug)]
pub enum Outcome {
    /// It has a verdict.
    Finished(Box<GameRecord>),
    /// It counts for nothing, and is to be played again.
    Annulled(Box<Annulment>),
}

/// A played game and the state in which it left the engines.
#[derive(Debug)]
pub struct Played {
    /// What came of it.
    pub outcome: Outcome,
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
    /// What each engine is told of the game.
    positions: ByColor<PositionCommand>,
    commands: Vec<u8>,
    plies: Vec<PlyRecord>,
    /// Who has made an illegal move already.
    warned: ByColor<bool>,
    adjudicator: Adjudicator<'a>,
    /// The side to move was offered a draw with the last move.
    draw_offered: bool,
    /// What is to be remarked of the coming ply.
    remark: Option<String>,
    machine: MachineCheck,
    /// The search that outlasted its limit and ended the game.
    overrun: Option<Overrun>,
    pondering: Pondering,
}

/// How an engine was brought to think about its move.
enum Begun {
    /// Its `bestmove` is awaited.
    Searching {
        /// Taken right before it was told.
        sent_at: Instant,
    },
    /// It had answered while it pondered.
    Answered,
}

/// Plays a game from its opening to its verdict. Both engines have answered `ucinewgame`'s `isready`.
///
/// Every way out gives a verdict, unless the machine makes the game void: what an engine does wrong costs it the game.
/// Dropping the future leaves the engines in an unknown state: they have to be started anew.
pub async fn play(plan: &GamePlan, players: ByColor<Player<'_>>, observer: &mut dyn Observer) -> Played {
    let started = jiff::ZonedDateTime::now();
    let zero = Instant::now();
    let names = players.as_ref().map(|player| player.rules.name.clone());
    let time_controls = players.as_ref().map(|player| player.rules.time_control.clone());
    let claims = players.as_ref().map(|player| player.rules.claims.to_string());
    announce(plan, names.as_ref(), observer);
    let clocks =
        players.as_ref().map(|player| ChessClock::new(&player.rules.time_control, player.rules.time_margin));
    let positions =
        players.as_ref().map(|player| PositionCommand::new(plan.opening.fen_as(player.rules.fen).as_deref()));
    let mut conduct = Conduct {
        plan,
        players,
        observer,
        state: plan.laws.state(&plan.opening),
        clocks,
        positions,
        commands: Vec::new(),
        plies: Vec::new(),
        warned: ByColor { white: false, black: false },
        adjudicator: Adjudicator::new(&plan.adjudication),
        draw_offered: false,
        remark: None,
        machine: MachineCheck::begin(plan.machine, plan.replays),
        overrun: None,
        pondering: Pondering::default(),
    };
    conduct.play_book();
    let end = conduct.play_to_the_end().await;
    if let Some(annulment) = conduct.machine.annulment(conduct.overrun.as_ref()) {
        let conditions = conduct.settle(&end.verdict).await;
        return Played { outcome: Outcome::Annulled(Box::new(annulment)), conditions };
    }
    // By what happened, whatever the confirmed verdict makes of it.
    let extent = if end.verdict.reason().is_fault() { Extent::Whole } else { Extent::Short };
    let verdict = conduct.state.confirmed(end.verdict);
    if matches!(verdict.reason(), Reason::ThreefoldRepetition(_) | Reason::FiftyMoveRule(_)) {
        let claim = GameEvent::Claim { ply: conduct.state.ply(), verdict: &verdict };
        conduct.observer.observe(plan.id, claim);
    }
    let conditions = conduct.settle(&verdict).await;
    // Of a position that was dead already no fault is the reason any more.
    let over_before = *verdict.reason() == Reason::DeadPosition;
    let fault = end.detail.map(|detail| if over_before { format!("after it, {detail}") } else { detail });
    // What was remarked of a ply that did not come.
    let details: Vec<String> = fault.into_iter().chain(conduct.remark).collect();
    let record = GameRecord {
        id: plan.id,
        names,
        time_controls,
        claims,
        opening: plan.opening.clone(),
        plies: conduct.plies,
        verdict,
        detail: (!details.is_empty()).then(|| details.join("; before it: ")),
        flag_fall: conduct.overrun.filter(Overrun::is_flag_fall),
        // After the engines were seen to: a late answer is part of the evidence.
        dialogue: conduct.players.map(|player| player.engine.last_lines(zero, extent)),
        started,
    };
    Played { outcome: Outcome::Finished(Box::new(record)), conditions }
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
            self.complete(played, successor, None, false);
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
            if let Some(verdict) = self.adjudicator.ruling(&self.state) {
                return End { verdict, detail: None };
            }
            if let Some(end) = self.play_ply(side).await {
                return end;
            }
        }
    }

    /// Asks for one move and makes it; the game's end if the move or its absence brings it.
    async fn play_ply(&mut self, side: Color) -> Option<End> {
        let rules = self.players.get(side).rules;
        let limit = self.clocks.get(side).limit().unwrap_or(rules.silence);
        let sent_at = match self.begin_search(side).await {
            Ok(Begun::Searching { sent_at }) => sent_at,
            Ok(Begun::Answered) => return self.judge_best_move(side, Duration::ZERO),
            Err(fault) => return Some(self.end_by_fault(side, &fault).await),
        };
        self.start_pondering(!side).await;
        match self.await_best_move(side, sent_at + limit).await {
            Ok(Answer::BestMove { read_at }) => {
                let used = read_at.duration_since(sent_at);
                if used > limit {
                    Some(self.end_by_time(side, used))
                } else {
                    self.judge_best_move(side, used)
                }
            }
            Ok(Answer::TimeUp { noticed_at }) => {
                Some(self.end_by_time(side, noticed_at.duration_since(sent_at)))
            }
            Err(fault) => Some(self.end_by_fault(side, &fault).await),
        }
    }

    /// Sends `position` and `go`, or `ponderhit` to an engine that thinks about this position already.
    async fn begin_search(&mut self, side: Color) -> Result<Begun, Fault> {
        if let Some(begun) = self.end_pondering(side).await? {
            return Ok(begun);
        }
        self.commands.clear();
        self.tell_of_offer(side, self.draw_offered);
        self.commands.extend_from_slice(self.positions.get(side).as_bytes());
        self.commands.push(b'\n');
        let rules = self.players.get(side).rules;
        if rules.sync == SyncPolicy::Move {
            self.players.get_mut(side).engine.get_ready(&self.commands).await?;
            self.commands.clear();
        }
        write_go(&mut self.commands, &search_limits(side, &self.clocks, &rules.time_control));
        let sent_at = self.players.get_mut(side).engine.start_search(&self.commands).await?;
        Ok(Begun::Searching { sent_at })
    }

    /// An engine that may accept an offer is told of it by the check option `DrawOffer`, where it declares one.
    fn tell_of_offer(&mut self, side: Color, offered: bool) {
        if self.offer_is_news(side, offered) {
            self.players.get_mut(side).engine.told_of_offer = offered;
            let value = if offered { "true" } else { "false" };
            self.commands.extend_from_slice(&set_option(DRAW_OFFER, Some(value)));
        }
    }

    fn offer_is_news(&self, side: Color, offered: bool) -> bool {
        let Player { rules, engine } = self.players.get(side);
        rules.speaks && engine.told_of_offer != offered && engine.has_check(DRAW_OFFER)
    }

    /// Rules on a `bestmove` that came in time.
    fn judge_best_move(&mut self, side: Color, used: Duration) -> Option<End> {
        let player = self.players.get(side);
        let rules = player.rules;
        let statements = if rules.speaks { player.engine.report.statements } else { Statements::default() };
        let sent = Sent {
            token: &player.engine.best_move.token,
            score: player.engine.report.score,
            statements,
            // Article 5.2.3: each side has made at least one move.
            may_accept: self.draw_offered && self.state.ply() >= 2,
        };
        match rule_on_best_move(&self.state, sent, rules.king_takes_rook, &rules.claims) {
            Ruling::Play { played, successor, claim_denied } => {
                let in_time = match self.clocks.get_mut(side).charge(used) {
                    Ok(in_time) => in_time,
                    Err(flag_fall) => return Some(self.end_by_flag_fall(side, flag_fall)),
                };
                let search = self.search_record(side, used, in_time);
                if claim_denied {
                    self.deny_claim(side, &self.state.san_of(played, &successor));
                }
                // A claim counts as an offer (Article 9.1.2.3).
                let offers_draw = statements.offers_draw || claim_denied;
                self.complete(played, *successor, Some(search), offers_draw);
                self.plan_pondering(side);
                None
            }
            Ruling::End(verdict) => Some(End { verdict, detail: None }),
            Ruling::Illegal => self.judge_illegal_move(side, used),
            Ruling::Bare => Some(End {
                verdict: self.state.rule_forfeit(side, Forfeit::ProtocolViolation),
                detail: Some("a `bestmove` without a move".to_owned()),
            }),
        }
    }

    /// Article 9.5.3: the opponent gains time, the game goes on, the move named with the claim is made.
    fn deny_claim(&mut self, side: Color, intended: &str) {
        let penalty = self.penalise(side);
        self.add_remark(format!("claim of a draw denied (Article 9.5.3){}", penalty_words(side, penalty)));
        let denied = GameEvent::ClaimDenied { ply: self.state.ply(), by: side, intended, penalty };
        self.observer.observe(self.plan.id, denied);
    }

    /// Article 7.5.5: the first illegal move costs time and is to be made anew where the laws are applied as over
    /// the board; else, and the second time, it loses.
    fn judge_illegal_move(&mut self, side: Color, used: Duration) -> Option<End> {
        let token = printable(&self.players.get(side).engine.best_move.token);
        let warned = std::mem::replace(self.warned.get_mut(side), true);
        if warned || self.plan.laws.illegal_move == IllegalMovePolicy::Loses {
            let verdict = self.state.rule_forfeit(side, Forfeit::IllegalMove);
            return Some(End { verdict, detail: Some(format!("`bestmove {token}`")) });
        }
        if let Err(flag_fall) = self.clocks.get_mut(side).charge_attempt(used) {
            return Some(self.end_by_flag_fall(side, flag_fall));
        }
        // A move that was tried declines the offer (Article 9.1.2.1).
        self.draw_offered = false;
        let penalty = self.penalise(side);
        let words = penalty_words(side, penalty);
        self.add_remark(format!("first illegal move `{token}` (Article 7.5.5){words}"));
        let attempt =
            GameEvent::IllegalAttempt { engine: &self.players.get(side).rules.name, token: &token, penalty };
        self.observer.observe(self.plan.id, attempt);
        None
    }

    fn add_remark(&mut self, remark: String) {
        self.remark = Some(match self.remark.take() {
            Some(earlier) => format!("{earlier}; {remark}"),
            None => remark,
        });
    }

    /// Gives the opponent the time that a wrong claim or an illegal move costs; what it gained.
    fn penalise(&mut self, side: Color) -> Duration {
        let opponent = self.players.get(!side).rules;
        let penalty = self.plan.laws.penalty.unwrap_or_else(|| chess_clock::penalty(&opponent.time_control));
        if self.clocks.get_mut(!side).add(penalty) { penalty } else { Duration::ZERO }
    }

    /// Makes a move: on the board, in the engines' position line, in the record.
    fn complete(
        &mut self,
        played: Move,
        successor: Successor,
        search: Option<SearchRecord>,
        offers_draw: bool,
    ) {
        let by = self.state.turn();
        let san = self.state.san_of(played, &successor);
        let uci = crate::law::notation::uci_move::write(played, self.state.castling_mode()).to_string();
        self.state.make(successor);
        self.positions.as_mut().for_each(|position| position.push(&uci));
        self.draw_offered = offers_draw;
        if let Some(search) = &search {
            self.adjudicator.note_move(by, search.score, played.is_zeroing());
        }
        let ply = PlyRecord { uci, san, search, offers_draw, remark: self.remark.take() };
        self.observer.observe(self.plan.id, GameEvent::Ply { ply: self.state.ply(), by, record: &ply });
        self.plies.push(ply);
    }

    fn search_record(&self, side: Color, time: Duration, in_time: InTime) -> SearchRecord {
        let engine = &*self.players.get(side).engine;
        let SearchReport { depth, score, nodes, nps, pv, time_ms: _, statements: _ } = &engine.report;
        SearchRecord {
            time,
            clock: self.clocks.get(side).left(),
            forgiven: in_time.forgiven,
            score: *score,
            depth: *depth,
            nodes: *nodes,
            nps: *nps,
            pv: String::from_utf8_lossy(pv).into_owned(),
            times: engine.search_times(),
            ponder: self.pondering.outcome(),
        }
    }

    fn end_by_time(&mut self, side: Color, used: Duration) -> End {
        match self.clocks.get(side).clone().charge(used) {
            Err(flag_fall) => self.end_by_flag_fall(side, flag_fall),
            Ok(_) => {
                let patience = self.players.get(side).rules.silence;
                let mut end = self.end_by_overrun(side, Forfeit::Stall, Limit::Silence(patience), used);
                if let Some(detail) = &mut end.detail {
                    detail.push_str(&self.players.get(side).engine.last_words());
                }
                end
            }
        }
    }

    fn end_by_flag_fall(&mut self, side: Color, flag_fall: FlagFall) -> End {
        let FlagFall { used, left } = flag_fall;
        let margin = self.players.get(side).rules.time_margin;
        self.end_by_overrun(side, Forfeit::FlagFall, Limit::Clock { left, margin }, used)
    }

    fn end_by_overrun(&mut self, side: Color, forfeit: Forfeit, limit: Limit, used: Duration) -> End {
        let engine = &*self.players.get(side).engine;
        let overrun = Overrun { limit, used, answered: engine.has_answered(), times: engine.search_times() };
        let detail = Some(self.machine.words(&overrun));
        self.overrun = Some(overrun);
        End { verdict: self.state.rule_forfeit(side, forfeit), detail }
    }

    async fn end_by_fault(&mut self, side: Color, fault: &Fault) -> End {
        let forfeit = match fault {
            Fault::Stalled { .. } => Forfeit::Stall,
            Fault::LineTooLong => Forfeit::ProtocolViolation,
            Fault::Disconnected(_) | Fault::NotStarted(_) | Fault::OptionsRefused(_) => Forfeit::Disconnect,
        };
        let mut detail = self.players.get_mut(side).engine.fault_words(fault).await;
        // Some engines break on a long `position` line.
        let length = self.positions.get(side).as_bytes().len();
        if length >= LONG_POSITION_LINE {
            detail.push_str(&format!("; the position line had {length} bytes"));
        }
        End { verdict: self.state.rule_forfeit(side, forfeit), detail: Some(detail) }
    }

    /// After the verdict: ends an open search, hands on misbehaviour, and says which engine can play on.
    async fn settle(&mut self, verdict: &Verdict) -> ByColor<Condition> {
        let blamed = match verdict.reason() {
            Reason::IllegalMove => Condition::Suspect,
            Reason::Disconnect | Reason::Stall | Reason::ProtocolViolation => Condition::Faulty,
            _ => Condition::Fit,
        };
        let mut conditions = ByColor { white: Condition::Fit, black: Condition::Fit };
        for side in Color::ALL {
            let player = self.players.get_mut(side);
            if verdict.by() == Some(side) {
                *conditions.get_mut(side) = blamed;
            }
            if *conditions.get(side) != Condition::Faulty && !player.engine.stop_search().await {
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

/// The check option by which an engine is told of its opponent's offer.
const DRAW_OFFER: &str = "DrawOffer";

fn penalty_words(side: Color, penalty: Duration) -> String {
    match penalty.as_secs_f64() {
        0.0 => String::new(),
        seconds => format!(": {seconds} s for {}", side_name(!side)),
    }
}

/// From here on a crash is reported with the length of the `position` line (many engines have a buffer of 4 KiB).
const LONG_POSITION_LINE: usize = 4000;

/// An engine's bytes for a message: readable, and never long.
fn printable(bytes: &[u8]) -> String {
    const LENGTH: usize = 60;
    let text = String::from_utf8_lossy(bytes);
    let mut shown: String = text.chars().take(LENGTH).flat_map(visible).collect();
    if text.chars().count() > LENGTH {
        shown.push('…');
    }
    shown
}

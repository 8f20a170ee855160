//! An engine that thinks on its opponent's time: `go ponder`, what it prints meanwhile, `ponderhit` or `stop`; and the
//! end of any open search.

use std::convert::Infallible;
use std::future::pending;
use std::time::{Duration, Instant};

use tracing::{debug, warn};
use vampirc_uci::UciMessage;

use super::{Answer, DRAIN_LIMIT, Engine};
use crate::engine::command::{plain, set_option};
use crate::engine::fault::Fault;
use crate::engine::link::Received;
use crate::engine::open_search::{OnCallOff, OnHit, OpenSearch};
use crate::engine::option::{self, OptionKind};

/// How a pondering engine goes on when its opponent has made the move on which it pondered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// It thinks on, and its `bestmove` is awaited.
    Searching {
        /// Taken right before `ponderhit` was written.
        sent_at: Instant,
    },
    /// It had answered already: its words are in [`Engine::best_move`].
    Answered,
    /// It does not ponder and has to be asked.
    NotPondering,
}

/// The UCI option that tells an engine whether it will be asked to ponder.
const PONDER: &str = "Ponder";
/// Engines lose a `stop` or `ponderhit` that is there before their search has begun (Ethereal 12.75, Lynx before its pull
/// request 1613), and would then think for ever. So neither is written until a pondering engine has printed a line, or
/// has had this long for its start; no clock runs.
const HEAD_START: Duration = Duration::from_millis(50);
/// Lines of a pondering engine that are read before the engine on move is looked at again.
const LINES_AT_ONCE: usize = 64;

impl Engine {
    /// The command that tells the engine whether it will ponder, where that is news to it.
    pub(super) fn ponder_command(&self, ponders: bool) -> Option<Vec<u8>> {
        let declared = option::find(&self.declared, PONDER);
        match declared.map(|option| (&option.name, &option.kind)) {
            Some((name, OptionKind::Check { .. })) if ponders => Some(set_option(name, Some("true"))),
            Some((name, OptionKind::Check { default: Some(true) })) => Some(set_option(name, Some("false"))),
            _ if ponders => {
                warn!(
                    "{} declares no option `{PONDER}`: it ponders only where it names a ponder move",
                    self.name
                );
                None
            }
            _ => None,
        }
    }

    /// Makes sure that what the engine prints from now on is of the coming `go ponder`. False where it isn't: an
    /// engine that has answered unasked doesn't ponder, since its early answer could not be told from a stray one.
    pub async fn clear_to_ponder(&mut self) -> bool {
        if let Err(fault) = self.drain().await {
            self.search = OpenSearch::Broken(fault);
            return false;
        }
        if self.unruly {
            debug!("{} does not ponder: it has printed a bestmove that nobody had asked for", self.name);
        }
        !self.unruly
    }

    /// Writes `position` and `go ponder`.
    pub async fn start_pondering(&mut self, commands: &[u8]) {
        let silent_since = Some(Instant::now());
        self.send_search(commands, OpenSearch::Pondering { silent_since }).await;
    }

    /// Whether it thinks on its opponent's time now, so that it has to be read.
    pub fn is_pondering(&self) -> bool {
        self.search.is_pondering()
    }

    /// Reads what a pondering engine prints, for as long as this future is polled. An early `bestmove` and a fault are
    /// kept until the engine's turn. Dropping it loses no line.
    pub async fn ponder_on(&mut self) -> Infallible {
        let mut lines = 0_usize;
        while self.is_pondering() {
            let received = self.link.receive_next().await;
            self.take_pondered(received.map(drop));
            lines += 1;
            if lines.is_multiple_of(LINES_AT_ONCE) {
                tokio::task::yield_now().await;
            }
        }
        pending().await
    }

    /// The opponent has made the expected move: `ponderhit`, unless the answer is there already.
    ///
    /// # Errors
    /// What broke while it pondered.
    pub async fn ponder_hit(&mut self) -> Result<Hit, Fault> {
        self.let_start().await;
        match self.search.hit()? {
            OnHit::Write => {
                let command = plain(&UciMessage::PonderHit);
                self.log_sent(&command);
                let sent_at = self.begin_stamps();
                self.link.send(&command).await;
                Ok(Hit::Searching { sent_at })
            }
            OnHit::Held => {
                self.begin_stamps();
                Ok(Hit::Answered)
            }
            OnHit::NotPondering => Ok(Hit::NotPondering),
        }
    }

    /// The opponent has made another move: `stop`, and its `bestmove` is dropped, unless that came before. No clock
    /// runs meanwhile. False where there was nothing to drop.
    ///
    /// # Errors
    /// What broke while it pondered; [`Fault::Stalled`] without a `bestmove`.
    pub async fn ponder_miss(&mut self) -> Result<bool, Fault> {
        self.let_start().await;
        match self.search.call_off()? {
            OnCallOff::NothingOpen => return Ok(false),
            OnCallOff::HeldDropped => return Ok(true),
            OnCallOff::Stop => self.link_send(&plain(&UciMessage::Stop)).await,
            OnCallOff::Await => {}
        }
        let limit = self.timeouts.ready;
        match self.read_to_best_move(Instant::now() + limit).await? {
            Answer::BestMove { .. } => Ok(true),
            Answer::TimeUp { noticed_at: _ } => Err(Fault::Stalled { awaited: "bestmove after stop", limit }),
        }
    }

    /// Ends an open search: `stop`, then its `bestmove`. False if that doesn't come; the engine can't be used then.
    pub async fn stop_search(&mut self) -> bool {
        self.let_start().await;
        match self.search.call_off() {
            Ok(OnCallOff::NothingOpen | OnCallOff::HeldDropped) => return true,
            Ok(OnCallOff::Stop) => self.link_send(&plain(&UciMessage::Stop)).await,
            Ok(OnCallOff::Await) => {}
            Err(_) => return false,
        }
        let deadline = Instant::now() + self.timeouts.quit;
        matches!(self.read_to_best_move(deadline).await, Ok(Answer::BestMove { .. }))
    }

    /// Before a pondering engine is told of its opponent's move: reads what it has printed, and gives one that has just
    /// been told to ponder the time to begin.
    async fn let_start(&mut self) {
        self.take_waiting_pondered().await;
        let Some(since) = self.search.silent_since() else { return };
        let deadline = since + HEAD_START;
        if Instant::now() >= deadline {
            return;
        }
        match self.link.receive(deadline).await {
            Ok(Received::Line) => self.take_pondered(Ok(())),
            Ok(Received::Nothing) => {}
            Err(fault) => self.take_pondered(Err(fault)),
        }
        self.take_waiting_pondered().await;
    }

    /// What a pondering engine has printed already, so that an answer which came before the opponent's counts as early.
    async fn take_waiting_pondered(&mut self) {
        for _ in 0..DRAIN_LIMIT {
            if !self.is_pondering() {
                return;
            }
            match self.link.receive_waiting().await {
                Ok(None) => return,
                Ok(Some(_)) => self.take_pondered(Ok(())),
                Err(fault) => self.take_pondered(Err(fault)),
            }
        }
    }

    fn take_pondered(&mut self, received: Result<(), Fault>) {
        match received {
            Ok(()) => {
                self.heard();
                self.search.heard();
                if !self.read_best_move() {
                    self.read_search_line();
                }
            }
            Err(fault) => self.search = OpenSearch::Broken(fault),
        }
    }
}

//! The keys that `defaults` and every engine have in common, and how the two are merged.

use std::time::Duration;

use super::claims::PartClaims;
use super::laws::Laws;
use super::limits::PartLimits;
use super::options;
use super::reader::{Problems, Section};
use super::settings::{OptionSetting, Restart, SyncPolicy};
use super::time::{self, PartTimeouts};
use crate::clock::time_control::{Bonus, Period, Periods, TimeControl, Timing};
use crate::law::notation::fen::FenStyle;
use crate::law::policy::{ClaimPolicies, ClaimPolicy};

/// The margin where every move has the same time: there the runner's own delay can't be saved up for.
const MOVE_TIME_MARGIN: Duration = Duration::from_millis(50);

/// What one mapping says of these keys; nothing where it is silent.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayerKeys {
    pub options: Vec<OptionSetting>,
    pub time_control: Option<TimeControl>,
    pub time_margin: Option<Duration>,
    pub claims: PartClaims,
    pub claim_threshold_cp: Option<i32>,
    pub restart: Option<Restart>,
    pub sync: Option<SyncPolicy>,
    pub fen: Option<FenStyle>,
    pub king_takes_rook: Option<bool>,
    pub speaks: Option<bool>,
    pub ponder: Option<bool>,
    pub timeouts: PartTimeouts,
    pub limits: PartLimits,
    pub crash_budget: Option<u32>,
}

impl PlayerKeys {
    /// Reads them out of `defaults` or an engine.
    pub fn read(section: Section<'_>, problems: &mut Problems) -> PlayerKeys {
        let restarts =
            [("never", Restart::Never), ("on_fault", Restart::OnFault), ("every_game", Restart::EveryGame)];
        let threshold = section.integer("claim_threshold_cp", -100_000..=100_000, problems);
        let budget = section.integer("crash_budget", 0..=u32::MAX.into(), problems);
        PlayerKeys {
            options: section.value("options").map_or(Vec::new(), |value| options::read(value, problems)),
            time_control: section.value("time_control").and_then(|value| time::time_control(value, problems)),
            time_margin: section.duration("time_margin", problems),
            claims: section
                .value("claims")
                .map_or_else(PartClaims::default, |value| PartClaims::read(value, problems)),
            claim_threshold_cp: threshold.and_then(|number| i32::try_from(number).ok()),
            restart: section.word("restart", &restarts, problems),
            sync: section.word("sync", &[("game", SyncPolicy::Game), ("move", SyncPolicy::Move)], problems),
            fen: section.word("fen", &[("shredder", FenStyle::Shredder), ("xfen", FenStyle::XFen)], problems),
            king_takes_rook: section.bool("king_takes_rook", problems),
            speaks: section.bool("speaks", problems),
            ponder: section.bool("ponder", problems),
            timeouts: section
                .value("timeouts")
                .map_or_else(PartTimeouts::default, |value| PartTimeouts::read(value, problems)),
            limits: section
                .value("limits")
                .map_or_else(PartLimits::default, |value| PartLimits::read(value, problems)),
            crash_budget: budget.and_then(|number| u32::try_from(number).ok()),
        }
    }

    /// The time control: these, then `defaults`, then 10 s and 0.1 s a move.
    pub fn time_control(&self, defaults: &PlayerKeys) -> TimeControl {
        self.time_control
            .clone()
            .or_else(|| defaults.time_control.clone())
            .unwrap_or_else(default_time_control)
    }

    /// The margin: these, then `defaults`, then what fits the time control.
    pub fn time_margin(&self, defaults: &PlayerKeys, time_control: &TimeControl) -> Duration {
        self.time_margin.or(defaults.time_margin).unwrap_or(match time_control.timing {
            Timing::MoveTime(_) => MOVE_TIME_MARGIN,
            Timing::Clock(_) | Timing::Unlimited => Duration::ZERO,
        })
    }

    /// Claims, each rule for itself: these, then `laws.claims`, then `defaults`, then the preset.
    pub fn claims(&self, defaults: &PlayerKeys, laws: &Laws) -> ClaimPolicies {
        let said = self.claims.or(laws.claims).or(defaults.claims);
        let policy = |said: Option<ClaimPolicy>| said.unwrap_or(laws.preset_claims);
        ClaimPolicies {
            threefold: policy(said.threefold),
            fifty_move: policy(said.fifty_move),
            threshold_cp: self.claim_threshold_cp.or(defaults.claim_threshold_cp).unwrap_or(0),
        }
    }
}

fn default_time_control() -> TimeControl {
    let bonus = Bonus::Increment(Duration::from_millis(100));
    let period = Period { moves: None, base: Duration::from_secs(10), bonus };
    let timing = Periods::new(vec![period]).map_or(Timing::Unlimited, Timing::Clock);
    TimeControl { timing, nodes: None, depth: None, mate: None }
}

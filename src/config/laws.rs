//! `laws`: the preset, dead positions, claims for both sides.

use super::claims::PartClaims;
use super::reader::{Problems, Section};
use super::tree::Node;
use std::time::Duration;

use super::keys;
use crate::law::game_state::FULL_SEARCH_NODES;
use crate::law::policy::{ClaimPolicy, DeadPositionRule, IllegalMovePolicy};

const MOST_NODES: i128 = 1_000_000_000_000;

/// What the section says; claims are left to be merged with the engines' own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laws {
    pub dead_position: DeadPositionRule,
    /// Nodes that a full search for a mate may spend.
    pub full_search_nodes: u64,
    pub illegal_move: IllegalMovePolicy,
    /// What the opponent's clock gains by a wrong claim or an illegal move; absent: as the Laws have it.
    pub penalty: Option<Duration>,
    /// The key `claims` of the section.
    pub claims: PartClaims,
    /// For what nothing else says.
    pub preset_claims: ClaimPolicy,
}

impl Laws {
    /// Reads the value of `laws`; absent: the defaults.
    pub fn read(node: Option<&Node>, problems: &mut Problems) -> Laws {
        let mut laws = Laws {
            dead_position: DeadPositionRule::default(),
            full_search_nodes: FULL_SEARCH_NODES,
            illegal_move: IllegalMovePolicy::default(),
            penalty: None,
            claims: PartClaims::default(),
            preset_claims: ClaimPolicy::Assisted,
        };
        let Some(section) = node.and_then(|node| Section::open(node, "`laws`", &keys::LAWS, problems)) else {
            return laws;
        };
        let presets = [("fide", ClaimPolicy::Assisted), ("testing", ClaimPolicy::Always)];
        if let Some(claims) = section.word("preset", &presets, problems) {
            laws.preset_claims = claims;
        }
        let rules = [
            ("exact", DeadPositionRule::Exact),
            ("material", DeadPositionRule::Material),
            ("off", DeadPositionRule::Off),
        ];
        if let Some(rule) = section.word("dead_position", &rules, problems) {
            laws.dead_position = rule;
        }
        if let Some(claims) = section.value("claims") {
            laws.claims = PartClaims::read(claims, problems);
        }
        let illegal_moves =
            [("loses", IllegalMovePolicy::Loses), ("over_the_board", IllegalMovePolicy::OverTheBoard)];
        if let Some(policy) = section.word("illegal_move", &illegal_moves, problems) {
            laws.illegal_move = policy;
        }
        laws.penalty = section.duration("penalty", problems);
        let nodes = section.integer("full_search_nodes", 1..=MOST_NODES, problems);
        if let Some(nodes) = nodes.and_then(|nodes| u64::try_from(nodes).ok()) {
            laws.full_search_nodes = nodes;
        }
        laws
    }
}

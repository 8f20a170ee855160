//! `laws`: the preset, dead positions, claims for both sides.

use super::claims::PartClaims;
use super::reader::{Problems, Section};
use super::tree::Node;
use super::{keys, later};
use crate::law::policy::{ClaimPolicy, DeadPositionRule};

/// What the section says; claims are left to be merged with the engines' own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laws {
    pub dead_position: DeadPositionRule,
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
        later::check_laws(section, problems);
        laws
    }
}

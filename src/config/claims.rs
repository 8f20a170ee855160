//! `claims`: one word for both rules or a mapping with one for each, and who wins where several say it.

use super::keys;
use super::reader::{self, Problems, Section};
use super::tree::{Kind, Node};
use crate::law::policy::ClaimPolicy;

const WORDS: &[(&str, ClaimPolicy)] = &[
    ("always", ClaimPolicy::Always),
    ("never", ClaimPolicy::Never),
    ("assisted", ClaimPolicy::Assisted),
    ("engine", ClaimPolicy::Engine),
];

/// What one `claims` key says; each rule falls through on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PartClaims {
    pub threefold: Option<ClaimPolicy>,
    pub fifty_move: Option<ClaimPolicy>,
}

impl PartClaims {
    /// The same policy for both rules.
    pub fn both(policy: ClaimPolicy) -> PartClaims {
        PartClaims { threefold: Some(policy), fifty_move: Some(policy) }
    }

    /// Reads the value of `claims`.
    pub fn read(node: &Node, problems: &mut Problems) -> PartClaims {
        if !matches!(node.kind, Kind::Map(_)) {
            return reader::word(node, "claims", WORDS, problems)
                .map_or_else(PartClaims::default, PartClaims::both);
        }
        let Some(section) = Section::open(node, "`claims`", &keys::CLAIMS, problems) else {
            return PartClaims::default();
        };
        PartClaims {
            threefold: section.word("threefold", WORDS, problems),
            fifty_move: section.word("fifty_move", WORDS, problems),
        }
    }

    /// These, and `others` where they say nothing.
    pub fn or(self, others: PartClaims) -> PartClaims {
        PartClaims {
            threefold: self.threefold.or(others.threefold),
            fifty_move: self.fifty_move.or(others.fifty_move),
        }
    }
}

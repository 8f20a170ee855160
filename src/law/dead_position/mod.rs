//! Dead positions (Article 5.2.2): whether a side can still mate by any series of legal moves.
//!
//! A position is dead when neither side can. [`can_mate`] answers for one side: yes with a mating line, no with a
//! [`Proof`], or unknown when its budget of nodes is spent; unknown is to be treated as yes. [`quick_look`] is the
//! cheap look at every ply, for both sides: it proves most of what there is to prove, and says where the full search
//! is worth its while.
//!
//! Every rule is sound by itself, over-approximates what can happen on the board, and can be called alone:
//!
//! | rule | module | says no when |
//! | --- | --- | --- |
//! | material | `material` | the men do not suffice wherever they stand |
//! | fixpoint | `regions`, `mating` | no square is fit for a mate, every man being confined to its region |
//! | projection | `projection` | a search over pawns, kings and some men, all others relaxed, finds no mate |
//! | tempo | `tempo` | one side is out of moves before the other can promote |
//! | exhaustion | `search` | every position that can be reached was looked at, or proved by a rule above |
//!
//! Signs of ordinary positions (`wide`) save computing the fixpoint where it is sure to leave the mate open, and forced
//! lines (`walk`) are what the cheap look exhausts. The heuristics (`force`, `queues`, `tally`, `rollout`) decide only
//! what is looked at first. [`checker`] verifies proofs and shares no code with the search but the move generation.

pub mod checker;
mod explain;
mod force;
mod material;
mod mating;
mod position_set;
mod projection;
mod projection_moves;
mod proof;
mod queues;
mod quick;
mod regions;
mod rollout;
mod search;
mod squares;
mod tally;
mod tempo;
mod walk;
mod wide;

pub use material::material_cannot_mate;
pub use mating::regions_cannot_mate;
pub use projection::projection_cannot_mate;
pub use proof::{
    AbstractPosition, ClosedSet, Leaf, ManRegion, MaterialProof, ProjectionProof, Proof, RegionProof,
    TempoProof,
};
pub use quick::{QuickLook, QuickProof, quick_look, quick_look_among};
pub use search::{Answer, CanMate, can_mate, raw_search};
pub use tempo::tempo_cannot_mate;

#[cfg(test)]
mod tests;

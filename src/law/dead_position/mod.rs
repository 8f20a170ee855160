//! Dead positions (Article 5.2.2): whether a side can still mate by any series of legal moves.

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
mod tempo;

pub use material::material_cannot_mate;
pub use mating::regions_cannot_mate;
pub use projection::projection_cannot_mate;
pub use proof::{
    AbstractPosition, ClosedSet, Leaf, ManRegion, MaterialProof, ProjectionProof, Proof, RegionProof,
    TempoProof,
};
pub use quick::{QuickLook, QuickProof, quick_look};
pub use search::{Answer, CanMate, can_mate, raw_search};
pub use tempo::tempo_cannot_mate;

#[cfg(test)]
mod tests;

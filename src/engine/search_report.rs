//! What an engine told in one search: its last exact line, its move, what it said to the referee.

use super::message::{self, Bound, Score, Statement};

/// What the engine told of the search that is under way: the last exact line of its first variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchReport {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// The last exact score.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Milliseconds searched, as the engine counts them; from any line.
    pub time_ms: Option<u64>,
    /// The variation as the engine wrote it.
    pub pv: Vec<u8>,
    /// What it said to the referee.
    pub statements: Statements,
}

impl SearchReport {
    /// Forgets the last search; room for the variation is kept.
    pub fn clear(&mut self) {
        let pv = std::mem::take(&mut self.pv);
        *self = SearchReport { pv, ..SearchReport::default() };
        self.pv.clear();
    }

    /// Takes in what a line tells; false if it tells nothing.
    pub fn read(&mut self, line: &[u8]) -> bool {
        if let Some(info) = message::info(line) {
            let first_variation = info.multipv.is_none_or(|number| number == 1);
            let exact = info.score.filter(|(_, bound)| *bound == Bound::Exact).map(|(score, _)| score);
            self.nodes = info.nodes.or(self.nodes);
            self.nps = info.nps.or(self.nps);
            self.time_ms = info.time_ms.or(self.time_ms);
            if first_variation && exact.is_some() {
                self.score = exact;
                self.depth = info.depth.or(self.depth);
                self.pv.clear();
                self.pv.extend_from_slice(shortened(info.pv.unwrap_or_default()));
            }
        } else if let Some(statement) = message::statement(line) {
            let said = &mut self.statements;
            match statement {
                Statement::ClaimDraw => said.claims_draw = true,
                Statement::OfferDraw => said.offers_draw = true,
                Statement::AcceptDraw => said.accepts_draw = true,
                Statement::Resign => said.resigns = true,
            }
        } else {
            return false;
        }
        true
    }
}

/// Longer than any variation that makes sense: one is kept for each ply of a game.
const PV_CAP: usize = 4096;

/// The whole moves within the cap.
fn shortened(pv: &[u8]) -> &[u8] {
    let Some(head) = pv.get(..PV_CAP) else { return pv };
    head.iter().rposition(u8::is_ascii_whitespace).map_or(&[], |end| &head[..end])
}

/// What an engine said to the referee in one search, whether or not it is heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statements {
    /// `info string claim draw`
    pub claims_draw: bool,
    /// `info string offer draw`
    pub offers_draw: bool,
    /// `info string accept draw`
    pub accepts_draw: bool,
    /// `info string resign`
    pub resigns: bool,
}

/// The words of a `bestmove` line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMoveWords {
    /// The move's token; empty for a bare `bestmove`.
    pub token: Vec<u8>,
    /// The ponder move's token; empty if there is none.
    pub ponder: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_without_end_is_cut_between_two_moves() {
        let line = ["info depth 1 score cp 5 pv", &" e2e4 e7e8q".repeat(1000)].concat();
        let mut report = SearchReport::default();
        assert!(report.read(line.as_bytes()));
        assert!(report.pv.len() <= PV_CAP && report.pv.len() > PV_CAP - 7);
        assert!(report.pv.ends_with(b"e2e4") || report.pv.ends_with(b"e7e8q"));
    }
}

//! What a side has to mate with, counted for the heuristics. Nothing here decides an answer.

use shakmaty::{Board, Color};

use super::squares::{CORNERS, DARK, ahead, bit, distance, each, rank_for};

/// The men of a position as the heuristics see them: `w` is the side to mate, `l` the side to be mated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Force {
    pub side: Color,
    pub own: u64,
    pub other: u64,
    pub pawns: u64,
    pub own_king: u8,
    pub other_king: u8,
    /// Whether the side has a queen or a rook.
    pub own_heavy: bool,
}

impl Force {
    pub fn of(board: &Board, side: Color) -> Force {
        let own = u64::from(board.by_color(side));
        let other = u64::from(board.by_color(!side));
        let kings = u64::from(board.kings());
        Force {
            side,
            own,
            other,
            pawns: board.pawns().into(),
            own_king: ((own & kings).trailing_zeros() & 63) as u8,
            other_king: ((other & kings).trailing_zeros() & 63) as u8,
            own_heavy: own & u64::from(board.rooks_and_queens()) != 0,
        }
    }

    /// Whether the side has pawns but neither queen nor rook.
    pub fn must_promote(&self) -> bool {
        !self.own_heavy && self.own & self.pawns != 0
    }

    /// The corners in which the side's men may mate: minor pieces alone want one colour of corner.
    pub fn corners(&self, board: &Board) -> [bool; 4] {
        let bishops = u64::from(board.bishops());
        let free = self.own_heavy;
        let (ours, theirs) = (self.own & bishops, self.other & bishops);
        let (dark, light) = match (ours & DARK != 0, ours & !DARK != 0) {
            _ if free => (true, true),
            (false, false) if theirs != 0 => (theirs & !DARK != 0, theirs & DARK != 0),
            (false, false) => (true, true),
            colours => colours,
        };
        CORNERS.map(|corner| if bit(corner) & DARK != 0 { dark } else { light })
    }

    /// The side's pawn that is cheapest to promote: its cost and the enemy pawn in its way, if there is one.
    pub fn best_pawn(&self) -> Option<(u32, Option<u8>)> {
        each(self.own & self.pawns)
            .map(|pawn| {
                let run = 2 * (7 - rank_for(self.side, pawn));
                match self.blocker(pawn) {
                    None => (run, None),
                    Some(blocker) => (run + 2 + 2 * distance(self.own_king, blocker), Some(blocker)),
                }
            })
            .min_by_key(|(cost, _)| *cost)
    }

    /// How far the side is from mating with a pawn that promotes.
    pub fn pawn_stage(&self) -> Option<u32> {
        let costs = each(self.own & self.pawns).map(|pawn| {
            let run = 2 + 2 * (7 - rank_for(self.side, pawn));
            self.blocker(pawn).map_or(run, |blocker| run + 2 + distance(self.own_king, blocker))
        });
        costs.min()
    }

    /// How far the side is from mating with its minor pieces: at most 14.
    ///
    /// A lone knight, or bishops of one colour, need a man of the other side that blocks its king: a pawn promotes
    /// to one if none is there.
    pub fn minor_stage(&self, board: &Board) -> u32 {
        let (knights, bishops) = (u64::from(board.knights()), u64::from(board.bishops()));
        let minors = self.own & (knights | bishops);
        let helpers = match (minors & knights, minors & DARK, minors & !DARK) {
            (0, 0, 0) => return 40,
            (0, _, 0) => knights | (bishops & !DARK),
            (0, 0, _) => knights | (bishops & DARK),
            _ if minors & (minors - 1) == 0 => knights | bishops | u64::from(board.rooks()),
            _ => return 4,
        };
        if self.other & helpers != 0 {
            return 4;
        }
        let best = each(self.other & self.pawns).map(|pawn| rank_for(!self.side, pawn)).max();
        best.map_or(14, |rank| 4 + 2 * (7 - rank).min(5))
    }

    /// The nearest enemy pawn in front of a pawn of the side.
    fn blocker(&self, pawn: u8) -> Option<u8> {
        let block = ahead(self.side, pawn) & self.pawns & self.other;
        let nearest = self.side.fold_wb(block.trailing_zeros(), 63_u32.wrapping_sub(block.leading_zeros()));
        (block != 0).then_some(nearest as u8)
    }
}

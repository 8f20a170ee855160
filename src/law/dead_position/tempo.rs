//! The tempo count: a walled-in side runs out of moves before the other can promote.
//!
//! Take the fixpoint without promotion: it holds up to the first promotion. Let no mate be possible in it, and let
//! one colour, the *waiter*, have nothing but pawns that stay on their files and never get to the last rank: its king
//! and pieces cannot move. Then it never captures, and each of its pawns only uses up the squares in front of it:
//! so it has at most so many moves until it has none and the game is over. The other colour, the *runner*, has
//! pawns on their files, pieces that cannot move, and perhaps a king that can: only that king can take a man out
//! of a runner pawn's way. If even the fastest promotion needs more moves than the waiter's moves leave it, there is
//! never a promotion, and the regions hold for ever.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role};

use super::mating::can_be_mated;
use super::regions::{Man, Promotion, Regions};
use super::squares::{
    ahead, bit, diagonal_steps, distance, each, file_of, king_steps, knight_steps, last_rank, pawn_captures,
    pawn_rank, rank_for, straight_steps,
};

/// A runner pawn that may promote if nobody hinders it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lane {
    pushes: u32,
    /// Per man in the way, where the runner's king may take it.
    captures: [Option<u64>; 4],
}

/// A position of the kind above, with the count done for every place of the runner's king.
#[derive(Clone, Debug)]
pub(super) struct Race {
    pub waiter: Color,
    /// Moves that the waiter has at most.
    pub moves: u32,
    picture: [u64; 4],
    king_region: u64,
    lanes: [Option<Lane>; 8],
    pub regions: Regions,
}

/// Whether the tempo count alone shows that `side` never mates.
///
/// The position must not be one on which mate already stands.
#[must_use]
pub fn tempo_cannot_mate(position: &Chess, side: Color) -> bool {
    Race::deciding(position, side).is_some()
}

/// For both colours, whether the tempo count alone shows that it never mates.
pub(super) fn decided_by_tempo(position: &Chess) -> [bool; 2] {
    let Some(regions) = Race::regions(position) else { return [false; 2] };
    Color::ALL.map(|side| Race::among(position, &regions, side).is_some())
}

impl Race {
    /// A race in a position, if it is one and has no mate by `side` before the first promotion.
    pub fn of(position: &Chess, side: Color) -> Option<Race> {
        let regions = Race::regions(position)?;
        Color::ALL.into_iter().find_map(|waiter| Race::with(position, &regions, side, waiter))
    }

    /// A race in a position whose count decides it.
    pub fn deciding(position: &Chess, side: Color) -> Option<Race> {
        Race::among(position, &Race::regions(position)?, side)
    }

    fn among(position: &Chess, regions: &Regions, side: Color) -> Option<Race> {
        Color::ALL
            .into_iter()
            .filter_map(|waiter| Race::with(position, regions, side, waiter))
            .find(|race| race.decides(position))
    }

    fn regions(position: &Chess) -> Option<Regions> {
        let board = position.board();
        let no_race = board.pawns().is_empty()
            || a_piece_moves(board)
            || !Color::ALL.into_iter().any(|color| king_is_shut_in(board, color))
            || position.castles().any();
        (!no_race && !can_pass(position)).then(|| Regions::of(position, Promotion::Ignored))
    }

    fn with(position: &Chess, regions: &Regions, side: Color, waiter: Color) -> Option<Race> {
        if !waits(regions, waiter) || !runs(regions, !waiter) {
            return None;
        }
        if can_be_mated(regions, side) {
            return None;
        }
        let moves =
            regions.men().iter().filter(|man| man.color == waiter).map(|man| spare(regions, man)).sum();
        let mut lanes = [None; 8];
        for man in regions.men() {
            let promotes = man.role == Role::Pawn && man.region & last_rank(man.color) != 0;
            if man.color != waiter && promotes {
                let lane = lane_of(regions, man);
                let place = lanes.iter_mut().find(|lane| lane.is_none())?;
                *place = Some(lane);
            }
        }
        Some(Race {
            waiter,
            moves,
            picture: picture(position, waiter),
            king_region: regions.king(!waiter).region,
            lanes,
            regions: regions.clone(),
        })
    }

    /// Whether the count forbids every promotion in a position that differs from the race's own at most by the
    /// place of the runner's king, inside that king's region.
    pub fn decides(&self, position: &Chess) -> bool {
        let Some(king) = position.board().king_of(!self.waiter).map(|king| king as u8) else { return false };
        if self.king_region & bit(king) == 0
            || can_pass(position)
            || self.picture != picture(position, self.waiter)
        {
            return false;
        }
        self.needed(king) > self.available(position.turn())
    }

    /// Moves that the runner can still make, from a position with `turn` to move.
    pub fn available(&self, turn: Color) -> u32 {
        self.moves + u32::from(turn != self.waiter)
    }

    /// Moves that the runner needs at least for its first promotion, with its king on `king`.
    pub fn needed(&self, king: u8) -> u32 {
        self.lanes.iter().flatten().map(|lane| lane.cost(king)).min().unwrap_or(u32::MAX)
    }
}

impl Lane {
    fn cost(&self, king: u8) -> u32 {
        let walk = self
            .captures
            .iter()
            .flatten()
            .map(|&squares| each(squares).map(|square| distance(king, square)).min().unwrap_or(99))
            .max()
            .unwrap_or(0);
        self.pushes + walk
    }
}

/// Whether some knight, bishop, rook or queen has a square to go to: then it is no race.
fn a_piece_moves(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let own = u64::from(board.by_color(color));
        let queens = u64::from(board.queens());
        let steps = knight_steps(own & u64::from(board.knights()))
            | diagonal_steps(own & (u64::from(board.bishops()) | queens))
            | straight_steps(own & (u64::from(board.rooks()) | queens));
        steps & !own != 0
    })
}

/// Whether a king has no step now that is neither onto an own man nor onto a square guarded from beside: a waiter's
/// king has none.
fn king_is_shut_in(board: &Board, color: Color) -> bool {
    let (own, other) = (u64::from(board.by_color(color)), u64::from(board.by_color(!color)));
    let of = |kind: Bitboard, side: u64| u64::from(kind) & side;
    let guarded = king_steps(of(board.kings() | board.queens(), other))
        | pawn_captures(!color, of(board.pawns(), other))
        | knight_steps(of(board.knights(), other))
        | diagonal_steps(of(board.bishops(), other))
        | straight_steps(of(board.rooks(), other));
    king_steps(of(board.kings(), own)) & !own & !guarded == 0
}

/// Whether some pawn could be taken in passing, legally or not.
fn can_pass(position: &Chess) -> bool {
    position.maybe_ep_square().is_some_and(|square| {
        let beside = pawn_captures(!position.turn(), bit(square as u8));
        beside & u64::from(position.board().pawns() & position.us()) != 0
    })
}

/// The men on the board without the runner's king.
fn picture(position: &Chess, waiter: Color) -> [u64; 4] {
    let board = position.board();
    let [pawns, knights, bishops, rooks, queens, kings]: [u64; 6] = [
        board.pawns().into(),
        board.knights().into(),
        board.bishops().into(),
        board.rooks().into(),
        board.queens().into(),
        u64::from(board.kings() & board.by_color(waiter)),
    ];
    let runner = kings ^ u64::from(board.kings());
    [
        pawns | bishops | queens,
        knights | bishops | kings,
        rooks | queens | kings,
        u64::from(board.black()) & !runner,
    ]
}

fn stays_on_file(man: &Man) -> bool {
    man.region & !file_of(man.square) == 0
}

fn waits(regions: &Regions, color: Color) -> bool {
    regions.men().iter().filter(|man| man.color == color).all(|man| match man.role {
        Role::Pawn => stays_on_file(man) && man.region & last_rank(color) == 0,
        _ => man.region == bit(man.square),
    })
}

fn runs(regions: &Regions, color: Color) -> bool {
    regions.men().iter().filter(|man| man.color == color).all(|man| match man.role {
        Role::Pawn => stays_on_file(man),
        Role::King => true,
        _ => man.region == bit(man.square),
    })
}

/// Moves that one man of the waiter has at most: a pawn's free squares before the runner's pawn that faces it.
fn spare(regions: &Regions, man: &Man) -> u32 {
    if man.role != Role::Pawn {
        return 0;
    }
    let by_region = man.region.count_ones() - 1;
    let facing = ahead(man.color, man.square) & regions.pawns(!man.color);
    each(facing)
        .map(|foe| rank_for(man.color, foe) - rank_for(man.color, man.square) - 1)
        .fold(by_region, u32::min)
}

fn lane_of(regions: &Regions, pawn: &Man) -> Lane {
    let start = u32::from(bit(pawn.square) & pawn_rank(pawn.color) != 0);
    let king = regions.king(pawn.color).region;
    let mut captures = [None; 4];
    let in_the_way = regions
        .men()
        .iter()
        .filter(|man| man.color != pawn.color && ahead(pawn.color, pawn.square) & bit(man.square) != 0);
    for (place, man) in captures.iter_mut().zip(in_the_way) {
        *place = Some(man.region & king);
    }
    Lane { pushes: 7 - rank_for(pawn.color, pawn.square) - start, captures }
}

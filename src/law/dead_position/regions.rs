//! The fixpoint: for every man a region of squares that it can never leave, whatever is played.
//!
//! Everything starts with what is on the board: each man on its own square, nobody having moved or been taken.
//! Rules only ever add: a man may step to a square, may be taken, may promote. Every rule covers one kind of real
//! event. So take the first event of a real game that the regions do not contain: all that made it possible came
//! earlier, is contained, and had switched its rule on; hence the least fixpoint contains every real game.

use shakmaty::{CastlingSide, Chess, Color, Position, Role, Square};

use super::squares::{
    ahead, bit, diagonal_steps, each, file_of, king_steps, knight_steps, last_rank, pawn_captures,
    pawn_pushes, slides, steps, straight_steps,
};

const NOBODY: u8 = u8::MAX;

/// Whether pawns that reach the last rank promote in the fixpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promotion {
    /// They do: the regions hold for ever.
    Allowed,
    /// They do not: the regions hold up to the first promotion.
    Ignored,
}

/// What one colour can do in all, and what of it never changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Side {
    /// Squares of the men that never move and are never taken.
    pub frozen: u64,
    /// Squares where a man other than the king may stand some time.
    pub reach: u64,
    /// Squares where something may be taken by this colour.
    pub capture: u64,
    /// Whether a pawn may promote.
    pub promotes: bool,
    /// Index of the king.
    pub king: u8,
}

/// A man with the region that it can never leave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    /// Its square now.
    pub square: u8,
    /// What it is.
    pub role: Role,
    /// Whose it is.
    pub color: Color,
    /// Whether it may promote (then it may stand anywhere, as anything).
    pub promotes: bool,
    /// The nearest enemy pawn in front on the same file, by index.
    foe: u8,
    /// The squares where it may ever stand.
    pub region: u64,
}

impl Man {
    const NONE: Man =
        Man { square: 0, role: Role::Pawn, color: Color::White, promotes: false, foe: NOBODY, region: 0 };
}

/// The regions of all men of a position.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    men: [Man; 64],
    count: usize,
    sides: [Side; 2],
    /// Squares by role, as on the board: pawns, knights, bishops, rooks, queens, kings.
    kinds: [u64; 6],
    promotion: Promotion,
}

pub(super) const fn index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

impl Regions {
    /// The least fixpoint of a position.
    pub fn of(position: &Chess, promotion: Promotion) -> Regions {
        Regions::grown_while(position, promotion, |_| true)
    }

    /// The regions on the way to the fixpoint: grown as long as `wanted` says so. Anything that holds of all larger
    /// regions too may be read off them.
    #[inline]
    pub fn grown_while(
        position: &Chess,
        promotion: Promotion,
        mut wanted: impl FnMut(&Regions) -> bool,
    ) -> Regions {
        let mut regions =
            Regions { men: [Man::NONE; 64], count: 0, sides: [Side::default(); 2], kinds: [0; 6], promotion };
        regions.place(position);
        regions.seed_en_passant(position);
        regions.summarise();
        let mut grown_for = [0; 2];
        loop {
            let mut changed = position.castles().any() && regions.castle(position);
            if changed {
                grown_for = [0; 2];
            }
            for color in Color::ALL {
                changed |= regions.grow_pieces(color, &mut grown_for[index(color)]);
                changed |= regions.grow_king(color);
                changed |= regions.grow_pawns(color);
            }
            changed |= regions.summarise();
            if !changed || !wanted(&regions) {
                return regions;
            }
        }
    }

    /// All men, in the order of their squares.
    pub fn men(&self) -> &[Man] {
        &self.men[..self.count]
    }

    /// The summary of one colour.
    pub fn side(&self, color: Color) -> &Side {
        &self.sides[index(color)]
    }

    /// The king of one colour.
    pub fn king(&self, color: Color) -> &Man {
        &self.men[self.side(color).king as usize]
    }

    /// The pawns of one colour, as on the board.
    pub fn pawns(&self, color: Color) -> u64 {
        let pawns = self.men().iter().take_while(|man| man.role == Role::Pawn);
        pawns.filter(|man| man.color == color).fold(0, |all, man| all | bit(man.square))
    }

    /// Whether a man never moves and is never taken.
    pub fn is_frozen(&self, man: &Man) -> bool {
        self.side(man.color).frozen & bit(man.square) != 0
    }

    fn place(&mut self, position: &Chess) {
        let board = position.board();
        let mut at = [NOBODY; 64];
        let white = u64::from(board.white());
        self.kinds = [
            board.pawns().into(),
            board.knights().into(),
            board.bishops().into(),
            board.rooks().into(),
            board.queens().into(),
            board.kings().into(),
        ];
        for (role, squares) in Role::ALL.into_iter().zip(self.kinds) {
            for square in each(squares) {
                let color = Color::from_white(white & bit(square) != 0);
                if role == Role::King {
                    self.sides[index(color)].king = self.count as u8;
                }
                at[square as usize] = self.count as u8;
                self.men[self.count] =
                    Man { square, role, color, promotes: false, foe: NOBODY, region: bit(square) };
                self.count += 1;
            }
        }
        self.sides[0].frozen = white;
        self.sides[1].frozen = u64::from(board.black());
        let pawns = u64::from(board.pawns());
        for i in 0..pawns.count_ones() as usize {
            let Man { square, color, .. } = self.men[i];
            let enemies = ahead(color, square) & pawns & self.sides[index(!color)].frozen;
            if enemies != 0 {
                let nearest = color.fold_wb(enemies.trailing_zeros(), 63 - enemies.leading_zeros());
                self.men[i].foe = at[nearest as usize];
            }
        }
    }

    /// A pawn that can be taken in passing now is treated as if it could stand on the square that it passed.
    fn seed_en_passant(&mut self, position: &Chess) {
        let Some(passed) = position.maybe_ep_square() else { return };
        let pusher = !position.turn();
        let capturers = position.board().pawns() & position.us();
        if pawn_captures(pusher, bit(passed as u8)) & u64::from(capturers) == 0 {
            return;
        }
        let pushed = pawn_pushes(pusher, bit(passed as u8));
        for man in &mut self.men[..self.count] {
            if bit(man.square) == pushed {
                man.region |= bit(passed as u8);
            }
        }
    }

    /// Castling: as soon as no frozen man stands on its path, king and rook may stand on their target squares.
    fn castle(&mut self, position: &Chess) -> bool {
        let castles = position.castles();
        let mut changed = false;
        for color in Color::ALL {
            for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                let Some(rook) = castles.rook(color, side) else { continue };
                if u64::from(castles.path(color, side)) & (self.sides[0].frozen | self.sides[1].frozen) != 0 {
                    continue;
                }
                let king = self.king(color).square;
                changed |= self.add(king, side.king_to(color)) | self.add(rook as u8, side.rook_to(color));
            }
        }
        changed
    }

    fn add(&mut self, square: u8, to: Square) -> bool {
        let Some(man) = self.men[..self.count].iter_mut().find(|man| man.square == square) else {
            return false;
        };
        let grown = man.region | bit(to as u8);
        std::mem::replace(&mut man.region, grown) != grown
    }

    /// Squares that men of `color` may enter: no frozen man of their own, nor a frozen enemy king, is there.
    fn open_to(&self, color: Color) -> u64 {
        let enemy = self.side(!color);
        let king = bit(self.men[enemy.king as usize].square);
        !(self.side(color).frozen | (enemy.frozen & king))
    }

    fn grow_pieces(&mut self, color: Color, grown_for: &mut u64) -> bool {
        let open = self.open_to(color);
        if open == *grown_for {
            return false;
        }
        *grown_for = open;
        let mut changed = false;
        let mut flooded = [(Role::King, 0); 8];
        let mut floods = 0;
        for man in &mut self.men[..self.count] {
            if man.color != color || matches!(man.role, Role::Pawn | Role::King) {
                continue;
            }
            let before = man.region;
            let known =
                flooded[..floods].iter().find(|(role, area)| *role == man.role && area & before == before);
            man.region = match known {
                Some((_, area)) => *area,
                None => flood(man.role, before, open),
            };
            if known.is_none() && floods < flooded.len() {
                flooded[floods] = (man.role, man.region);
                floods += 1;
            }
            changed |= man.region != before;
        }
        changed
    }

    fn grow_king(&mut self, color: Color) -> bool {
        let open = self.open_to(color) & !self.guarded_for_ever(!color);
        let king = &mut self.men[self.sides[index(color)].king as usize];
        let grown = flood(Role::King, king.region, open);
        std::mem::replace(&mut king.region, grown) != grown
    }

    /// Squares next to which a frozen man of `color` stands so that it attacks them at all times.
    fn guarded_for_ever(&self, color: Color) -> u64 {
        let frozen = self.side(color).frozen;
        let [pawns, knights, bishops, rooks, queens, kings] = self.kinds.map(|kind| kind & frozen);
        pawn_captures(color, pawns)
            | knight_steps(knights)
            | diagonal_steps(bishops)
            | straight_steps(rooks)
            | king_steps(queens | kings)
    }

    fn grow_pawns(&mut self, color: Color) -> bool {
        let open = self.open_to(color);
        let free = open & !self.side(!color).frozen;
        let prey = self.side(!color).reach & open;
        let mut changed = false;
        for i in 0..self.count {
            let man = self.men[i];
            if man.role != Role::Pawn {
                break;
            }
            if man.color != color {
                continue;
            }
            let mut region = man.region;
            loop {
                let mut pushes = pawn_pushes(color, region) & free & !region;
                if man.foe != NOBODY && pushes & bit(self.men[man.foe as usize].square) != 0 {
                    pushes &= !self.locked(&Man { region, ..man });
                }
                let grown = region | pushes | (pawn_captures(color, region) & prey);
                if grown == region {
                    break;
                }
                region = grown;
            }
            if region != man.region {
                changed = true;
                self.men[i].region = region;
                self.men[i].promotes = self.promotion == Promotion::Allowed && region & last_rank(color) != 0;
            }
        }
        changed
    }

    /// The square of the enemy pawn in front, as long as neither can leave the file and the other cannot be taken.
    fn locked(&self, man: &Man) -> u64 {
        let foe = &self.men[man.foe as usize];
        let file = file_of(man.square);
        let stuck = (man.region | foe.region) & !file == 0 && self.side(man.color).capture & foe.region == 0;
        if stuck { bit(foe.square) } else { 0 }
    }

    /// Recomputes what each colour can do in all, and unfreezes who can move or be taken.
    fn summarise(&mut self) -> bool {
        let before = self.sides;
        for man in &self.men[..self.count] {
            let side = &mut self.sides[index(man.color)];
            match man.role {
                Role::Pawn if man.promotes => {
                    side.promotes = true;
                    (side.reach, side.capture) = (!0, !0);
                }
                Role::Pawn => {
                    side.reach |= man.region;
                    side.capture |= pawn_captures(man.color, man.region);
                }
                Role::King => side.capture |= man.region,
                _ => {
                    side.reach |= man.region;
                    side.capture |= man.region;
                }
            }
        }
        for man in &self.men[..self.count] {
            let square = bit(man.square);
            if self.sides[index(man.color)].frozen & square == 0 {
                continue;
            }
            let taken = man.role != Role::King && self.sides[index(!man.color)].capture & square != 0;
            if man.region != square || man.promotes || taken {
                self.sides[index(man.color)].frozen &= !square;
            }
        }
        before != self.sides
    }

    /// Every square that a man other than the king may ever attack.
    ///
    /// A piece that attacks a square could step there, over squares that are empty at that moment, unless a frozen
    /// man of its own stands there, or the frozen king that it attacks; and it sees through that king.
    pub fn attacks_of(&self, man: &Man) -> u64 {
        if man.promotes {
            return !0;
        }
        if man.role == Role::Pawn {
            return pawn_captures(man.color, man.region);
        }
        let enemy = self.side(!man.color);
        let king = bit(self.king(!man.color).square) & enemy.frozen;
        let mut attacks = man.region | (steps(man.role, man.region) & (king | self.side(man.color).frozen));
        if king != 0 {
            for slide in slides(man.role) {
                attacks |= slide(slide(man.region) & king);
            }
        }
        attacks
    }

    /// The squares that men of `color` other than its king may ever attack, all together.
    pub fn attacks(&self, color: Color) -> u64 {
        if self.side(color).promotes {
            return !0;
        }
        self.men()
            .iter()
            .filter(|man| man.color == color && man.role != Role::King)
            .fold(0, |all, man| all | self.attacks_of(man))
    }
}

/// Everything that a piece reaches from `from` by single steps inside `open`.
pub(super) fn flood(role: Role, from: u64, open: u64) -> u64 {
    let mut area = from;
    loop {
        let next = match role {
            Role::Bishop => diagonal_steps(area),
            Role::Rook => straight_steps(area),
            Role::Knight => knight_steps(area),
            Role::Queen | Role::King => king_steps(area),
            Role::Pawn => 0,
        };
        let grown = area | (next & open);
        if grown == area {
            return area;
        }
        area = grown;
    }
}

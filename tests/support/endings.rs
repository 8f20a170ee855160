//! Small endings, enumerated whole: from which placements a side can be helped to mate.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "shared by tests and examples, each of which uses a part"
)]

use std::collections::HashMap;

use arbiter::law::dead_position::{CanMate, can_mate, checker, raw_search};
use shakmaty::{Board, CastlingMode, Chess, Color, Piece, Position, PositionError, Role, Setup, Square};

/// The endings that are compared.
pub const ENDINGS: [&str; 11] =
    ["KPvK", "KNNvK", "KBvKN", "KNvKN", "KBvKB", "KNvKP", "KBvKP", "KNvKQ", "KBvKR", "KBvKQ", "KNvKR"];

const NODES: u64 = 100_000;

/// The men of an ending like "KBvKN": White's king first, Black's king second, then the others.
fn men_of(ending: &str) -> Vec<Piece> {
    let (white, black) = ending.split_once('v').unwrap();
    let piece = |color: Color| move |c: char| Role::from_char(c).unwrap().of(color);
    let mut men: Vec<Piece> = vec![Color::White.king(), Color::Black.king()];
    men.extend(white[1..].chars().map(piece(Color::White)));
    men.extend(black[1..].chars().map(piece(Color::Black)));
    men
}

/// The position with the men on the squares that `code` names in base 64, if there is such a position.
fn decode(men: &[Piece], mut code: u64, turn: Color) -> Option<Chess> {
    let mut board = Board::empty();
    for man in men {
        let at = Square::new((code % 64) as u32);
        code /= 64;
        let bad_pawn = man.role == Role::Pawn && shakmaty::Bitboard::BACKRANKS.contains(at);
        if board.piece_at(at).is_some() || bad_pawn {
            return None;
        }
        board.set_piece_at(at, *man);
    }
    Setup { board, turn, ..Setup::empty() }
        .position(CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// Placements that differ only by a turn of the board count once: White's king on a1-d1-d4 (files a-d with pawns).
fn canonical(men: &[Piece], king: u64) -> bool {
    let (file, rank) = (king % 8, king / 8);
    let pawns = men.iter().any(|man| man.role == Role::Pawn);
    file < 4 && (pawns || (rank < 4 && rank <= file))
}

/// The sides that could mate at all, as bits: those with more than the king.
fn possible(men: &[Piece]) -> u8 {
    men[2..].iter().fold(0, |all, man| all | 1 << u8::from(man.color.is_black()))
}

/// All positions of an ending and of what it can become by captures and promotions, with who can be helped to mate.
pub struct Enumeration {
    /// By board and turn: whether White, and whether Black, can still mate.
    tables: HashMap<String, Table>,
}

struct Table {
    men: Vec<Piece>,
    /// Two bits a position (White can, Black can), by code and turn; 4 means that there is no such position.
    can: Vec<u8>,
}

const NONE: u8 = 4;

fn name_of(board: &Board) -> String {
    let count = |color: Color| {
        let mut name = String::from("K");
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
            let men = board.by_piece(role.of(color)).count();
            name.extend(std::iter::repeat_n(role.upper_char(), men));
        }
        name
    };
    format!("{}v{}", count(Color::White), count(Color::Black))
}

/// The symmetries of the board, as bits: files exchanged, ranks exchanged, diagonal.
fn turned(square: Square, symmetry: u32) -> Square {
    let mut square = square;
    if symmetry & 1 != 0 {
        square = square.flip_horizontal();
    }
    if symmetry & 2 != 0 {
        square = square.flip_vertical();
    }
    if symmetry & 4 != 0 {
        square = square.flip_diagonal();
    }
    square
}

impl Table {
    fn index(&self, position: &Chess) -> usize {
        let board = position.board();
        let king = board.king_of(Color::White).unwrap();
        let symmetry = (0..8)
            .find(|&symmetry| {
                let pawns = board.pawns().any();
                (!pawns || symmetry < 2) && canonical(&self.men, u64::from(turned(king, symmetry).to_u32()))
            })
            .unwrap();
        let mut left = board.clone();
        let mut code = 0;
        for (i, man) in self.men.iter().enumerate() {
            let at = left.by_piece(*man).first().unwrap();
            left.discard_piece_at(at);
            code += u64::from(turned(at, symmetry).to_u32()) << (6 * i);
        }
        2 * code as usize + position.turn() as usize
    }
}

impl Enumeration {
    /// Enumerates an ending and all below it.
    pub fn of(ending: &str) -> Enumeration {
        let mut enumeration = Enumeration { tables: HashMap::new() };
        enumeration.add(ending);
        enumeration
    }

    /// Whether White, and whether Black, can be helped to mate.
    pub fn can(&self, position: &Chess) -> Option<[bool; 2]> {
        if position.legal_moves().is_empty() {
            let mate = position.is_check();
            return Some([mate && position.turn().is_black(), mate && position.turn().is_white()]);
        }
        let table = self.tables.get(&name_of(position.board()))?;
        let can = table.can[table.index(position)];
        Some([can & 1 != 0, can & 2 != 0])
    }

    fn add(&mut self, ending: &str) {
        if self.tables.contains_key(ending) {
            return;
        }
        let men = men_of(ending);
        let mut table = Table { can: vec![NONE; 2 << (6 * men.len())], men };
        let mut open = Vec::new();
        for code in 0..1_u64 << (6 * table.men.len()) {
            if !canonical(&table.men, code % 64) {
                continue;
            }
            for turn in Color::ALL {
                if let Some(position) = decode(&table.men, code, turn) {
                    self.add_successors(&position, ending);
                    table.can[2 * code as usize + turn as usize] = 0;
                    open.push((code, turn));
                }
            }
        }
        self.tables.insert(ending.to_owned(), table);
        self.settle(ending, open);
    }

    fn add_successors(&mut self, position: &Chess, ending: &str) {
        for m in position.legal_moves().iter().filter(|m| m.is_capture() || m.is_promotion()) {
            let mut next = position.clone();
            next.play_unchecked(*m);
            let name = name_of(next.board());
            if name != ending && !self.tables.contains_key(&name) {
                self.add(&name);
            }
        }
    }

    /// Goes over the open positions until nothing changes: a side can mate if it has, or can after some move.
    fn settle(&mut self, ending: &str, mut open: Vec<(u64, Color)>) {
        let men = men_of(ending);
        let all = possible(&men);
        let mut changed = true;
        while changed {
            changed = false;
            open.reverse();
            open.retain(|&(code, turn)| {
                let position = decode(&men, code, turn).unwrap();
                let can = self.by_moves(&position, &self.tables[ending], all);
                let slot = 2 * code as usize + turn as usize;
                let table = self.tables.get_mut(ending).unwrap();
                changed |= table.can[slot] != can;
                table.can[slot] = can;
                can != all
            });
        }
    }

    fn by_moves(&self, position: &Chess, own: &Table, all: u8) -> u8 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            let mate = position.is_check();
            return u8::from(mate) << u8::from(position.turn().is_white());
        }
        let mut can = 0;
        for m in &moves {
            let mut next = position.clone();
            next.play_unchecked(*m);
            let leaves = m.is_capture() || m.is_promotion();
            let table = if leaves { &self.tables[&name_of(next.board())] } else { own };
            can |= table.can[table.index(&next)] & 3;
            if can == all {
                break;
            }
        }
        can
    }
}

/// Compares the full search with the enumeration on every `step`th placement, turned boards aside; how many positions that were.
pub fn compare_all(ending: &str, step: u64) -> u64 {
    let enumeration = Enumeration::of(ending);
    let men = men_of(ending);
    let mut compared = 0;
    for code in (0..1_u64 << (6 * men.len())).filter(|code| canonical(&men, code % 64)).step_by(step as usize)
    {
        for turn in Color::ALL {
            let Some(position) = decode(&men, code, turn) else { continue };
            let can = enumeration.can(&position).unwrap();
            for side in Color::ALL {
                let expected = can[usize::from(side.is_black())];
                let found = can_mate(&position, side, NODES).can_mate;
                let right = match &found {
                    CanMate::Yes(_) => expected,
                    CanMate::No(proof) => !expected && checker::check(&position, side, proof).is_ok(),
                    CanMate::Unknown => false,
                };
                assert!(right, "{side} in {}: expected {expected}", position.board());
                compared += 1;
            }
        }
    }
    compared
}

/// Compares the full search with the raw search on `count` placements, spread over the ending.
pub fn compare_sample(ending: &str, count: u64) {
    let men = men_of(ending);
    let all = 1_u64 << (6 * men.len());
    for i in 0..count {
        let code = (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 7) % all;
        for (turn, side) in
            [(Color::White, Color::White), (Color::Black, Color::White), (Color::White, Color::Black)]
        {
            let Some(position) = decode(&men, code, turn) else { continue };
            let full = can_mate(&position, side, NODES).can_mate;
            let raw = raw_search(&position, side, 30_000).can_mate;
            let agree = match (&full, &raw) {
                (CanMate::Unknown, _)
                | (CanMate::Yes(_), CanMate::No(_))
                | (CanMate::No(_), CanMate::Yes(_)) => false,
                (CanMate::No(proof), _) => checker::check(&position, side, proof).is_ok(),
                _ => true,
            };
            assert!(agree, "{ending}, {side} in {}", position.board());
        }
    }
}

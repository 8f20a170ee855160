//! Positions for the tests of the dead-position search, and the cross-checks that each of them has to pass.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "shared by tests and examples, each of which uses a part"
)]

use arbiter::law::dead_position::{
    CanMate, can_mate, checker, material_cannot_mate, projection_cannot_mate, quick_look, raw_search,
    regions_cannot_mate, tempo_cannot_mate,
};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Move, Piece, Position, PositionError, Rank,
    Role, Setup, Square, attacks, fen::Fen,
};

/// Parses a FEN, odd ones too: too many men, impossible checks, rights and passed squares that mean nothing.
pub fn parse(fen: &str) -> Option<Chess> {
    position_of(fen.parse::<Fen>().ok()?.into_setup())
}

/// The position of a setup, odd ones too.
pub fn position_of(setup: Setup) -> Option<Chess> {
    setup
        .position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .ok()
}

/// The FEN of a position.
pub fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Whether the line is legal from the position and ends with mate by `side`.
pub fn replays(position: &Chess, side: Color, line: &[Move]) -> bool {
    let mut position = position.clone();
    for m in line {
        match position.play(*m) {
            Ok(next) => position = next,
            Err(_) => return false,
        }
    }
    position.is_checkmate() && position.turn() != side
}

/// A line of a vector file: who can still mate (White, Black) where the file says so, and the position.
pub struct Case {
    pub can: Option<[bool; 2]>,
    pub fen: String,
    pub position: Chess,
}

/// The cases of a vector file. Panics at a line that is none.
pub fn cases(text: &str) -> Vec<Case> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let (can, fen) = match line.split_once(' ') {
                Some((verdict, fen)) if verdict.len() == 2 && verdict.chars().all(|c| "WB-".contains(c)) => {
                    (Some([verdict.starts_with('W'), verdict.ends_with('B')]), fen)
                }
                _ => (None, line),
            };
            let position = parse(fen).unwrap_or_else(|| panic!("not a position: {line}"));
            Case { can, fen: fen.to_owned(), position }
        })
        .collect()
}

/// Random numbers that are the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn square(&mut self) -> Square {
        Square::new(self.below(64) as u32)
    }

    fn color(&mut self) -> Color {
        Color::from_white(self.below(2) == 0)
    }

    fn role(&mut self) -> Role {
        const ROLES: [Role; 8] = [
            Role::Pawn,
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Bishop,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
        ];
        ROLES[self.below(ROLES.len())]
    }
}

/// One more random position: few men, blocked pawns, jams in a corner, castling and passed pawns, random play, or a
/// mutation of one of `pool`; then up to eleven random plies.
pub fn random_position(random: &mut Random, pool: &[Chess]) -> Chess {
    loop {
        let start = match random.below(11) {
            0 => few_men(random),
            1 => blocked_pawns(random),
            2 => corner_jam(random),
            3 => castling_or_passing(random),
            5 => castling_behind_walls(random),
            4 => Some(random_play(Chess::default(), 40 + random.below(160), random)),
            _ if pool.is_empty() => blocked_pawns(random),
            _ => mutation(&pool[random.below(pool.len())], random),
        };
        if let Some(position) = start {
            let plies = random.below(12);
            return random_play(position, plies, random);
        }
    }
}

fn random_play(mut position: Chess, plies: usize, random: &mut Random) -> Chess {
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[random.below(moves.len())]);
    }
    position
}

fn place(board: &mut Board, at: Square, piece: Piece) {
    let backrank = Bitboard::BACKRANKS.contains(at);
    if board.piece_at(at).is_none() && !(piece.role == Role::Pawn && backrank) {
        board.set_piece_at(at, piece);
    }
}

fn with_kings(random: &mut Random) -> Board {
    let mut board = Board::empty();
    let white = random.square();
    let mut black = random.square();
    while black.distance(white) < 2 {
        black = random.square();
    }
    board.set_piece_at(white, Color::White.king());
    board.set_piece_at(black, Color::Black.king());
    board
}

fn finish(board: Board, random: &mut Random) -> Option<Chess> {
    let turn = random.color();
    let ep_square = passed_square(&board, turn).filter(|_| random.below(2) == 0);
    let castling_rights = if random.below(2) == 0 { rooks_with_rights(&board) } else { Bitboard::EMPTY };
    position_of(Setup { board, turn, ep_square, castling_rights, ..Setup::empty() })
}

/// A square that a pawn may just have passed and that an enemy pawn attacks.
fn passed_square(board: &Board, turn: Color) -> Option<Square> {
    let forward = turn.fold_wb(8, -8);
    let pushed = board.by_piece((!turn).pawn()) & Bitboard::from_rank(turn.relative_rank(Rank::Fifth));
    pushed.into_iter().find_map(|pawn| {
        let (passed, from) = (pawn.offset(forward)?, pawn.offset(2 * forward)?);
        let taken = attacks::pawn_attacks(!turn, passed) & board.by_piece(turn.pawn());
        let empty = board.piece_at(passed).is_none() && board.piece_at(from).is_none();
        (empty && taken.any()).then_some(passed)
    })
}

/// The rooks on the back rank of a king that stands there too.
fn rooks_with_rights(board: &Board) -> Bitboard {
    let of = |color: Color| {
        let at_home = board.king_of(color).is_some_and(|king| king.rank() == color.backrank());
        let rooks = board.by_piece(color.rook()) & Bitboard::from_rank(color.backrank());
        if at_home { rooks } else { Bitboard::EMPTY }
    };
    of(Color::White) | of(Color::Black)
}

fn few_men(random: &mut Random) -> Option<Chess> {
    let mut board = with_kings(random);
    for _ in 0..1 + random.below(4) {
        let (at, color, role) = (random.square(), random.color(), random.role());
        place(&mut board, at, role.of(color));
    }
    finish(board, random)
}

fn blocked_pawns(random: &mut Random) -> Option<Chess> {
    let mut board = with_kings(random);
    for file in 0..8 {
        let rank = 1 + random.below(5) as u32;
        let white = Square::new(8 * rank + file);
        let gap = if random.below(5) == 0 { 16 } else { 8 };
        if random.below(6) > 0 {
            place(&mut board, white, Color::White.pawn());
            if let Some(black) = white.offset(gap) {
                place(&mut board, black, Color::Black.pawn());
            }
        }
    }
    for _ in 0..random.below(4) {
        let (at, color) = (random.square(), random.color());
        let role = if random.below(4) == 0 { random.role() } else { Role::Bishop };
        place(&mut board, at, role.of(color));
    }
    finish(board, random)
}

/// Kings and rooks at home behind blocked pawns.
fn castling_behind_walls(random: &mut Random) -> Option<Chess> {
    let mut board = Board::empty();
    for color in Color::ALL {
        let home = |file: usize| Square::new(8 * u32::from(color.backrank()) + file as u32);
        let king = 1 + random.below(6);
        board.set_piece_at(home(king), color.king());
        for rook in [random.below(king), king + 1 + random.below(7 - king)] {
            if random.below(3) > 0 {
                board.set_piece_at(home(rook), color.rook());
            }
        }
        for _ in 0..random.below(4) {
            let (at, role) = (home(random.below(8)), [Role::Bishop, Role::Knight][random.below(2)]);
            place(&mut board, at, role.of(color));
        }
    }
    for file in 0..8 {
        let rank = 1 + random.below(5) as u32;
        if random.below(12) > 0 {
            place(&mut board, Square::new(8 * rank + file), Color::White.pawn());
            place(&mut board, Square::new(8 * rank + 8 + file), Color::Black.pawn());
        }
        for (rank, color) in [(1, Color::White), (6, Color::Black)] {
            if random.below(3) > 0 {
                place(&mut board, Square::new(8 * rank + file), color.pawn());
            }
        }
    }
    finish(board, random)
}

fn corner_jam(random: &mut Random) -> Option<Chess> {
    let mut board = Board::empty();
    let flip = random.below(4);
    let corner = |square: u32| {
        let file = if flip & 1 == 0 { square % 8 } else { 7 - square % 8 };
        let rank = if flip & 2 == 0 { square / 8 } else { 7 - square / 8 };
        Square::new(8 * rank + file)
    };
    let jammed = random.color();
    board.set_piece_at(corner([0, 1, 8, 9][random.below(4)]), jammed.king());
    for _ in 0..3 + random.below(7) {
        let at = corner(8 * random.below(4) as u32 + random.below(4) as u32);
        let (color, role) = (random.color(), random.role());
        place(&mut board, at, role.of(color));
    }
    place(&mut board, random.square(), (!jammed).king());
    finish(board, random)
}

fn castling_or_passing(random: &mut Random) -> Option<Chess> {
    let mut board = Board::empty();
    let mut castling_rights = Bitboard::EMPTY;
    for color in Color::ALL {
        let rank = 8 * u32::from(color.backrank());
        let king = if random.below(2) == 0 { 4 } else { 1 + random.below(6) as u32 };
        board.set_piece_at(Square::new(rank + king), color.king());
        for rook in [0, 7, random.below(8) as u32] {
            let at = Square::new(rank + rook);
            if random.below(2) == 0 && board.piece_at(at).is_none() {
                board.set_piece_at(at, color.rook());
                castling_rights.add(at);
            }
        }
    }
    let double_pushed = random.below(2) == 0;
    let (turn, file) = (random.color(), random.below(8) as u32);
    let rank = |own: u32| turn.fold_wb(own, 7 - own);
    let mut ep_square = None;
    if double_pushed {
        place(&mut board, Square::new(8 * rank(4) + file), (!turn).pawn());
        let beside = if file == 0 { 1 } else { file - 1 };
        place(&mut board, Square::new(8 * rank(4) + beside), turn.pawn());
        ep_square = Some(Square::new(8 * rank(5) + file));
    }
    for _ in 0..4 + random.below(14) {
        let at = random.square();
        let keeps_free = ep_square.is_some_and(|ep| at.file() == ep.file());
        let (color, role) = (random.color(), random.role());
        let role = if random.below(3) == 0 { role } else { Role::Pawn };
        if !keeps_free {
            place(&mut board, at, role.of(color));
        }
    }
    position_of(Setup { board, turn, castling_rights, ep_square, ..Setup::empty() })
}

fn mutation(position: &Chess, random: &mut Random) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.ep_square = None;
    for _ in 0..1 + random.below(3) {
        let men: Vec<(Square, Piece)> =
            setup.board.clone().into_iter().filter(|(_, piece)| piece.role != Role::King).collect();
        match (random.below(4), men.is_empty()) {
            (0, _) => setup.swap_turn(),
            (1, false) => setup.board.discard_piece_at(men[random.below(men.len())].0),
            (2, false) => {
                let (from, piece) = men[random.below(men.len())];
                setup.board.discard_piece_at(from);
                let step = [-9, -8, -7, -1, 1, 7, 8, 9][random.below(8)];
                place(&mut setup.board, from.offset(step).unwrap_or(from), piece);
            }
            _ => {
                let (at, color, role) = (random.square(), random.color(), random.role());
                place(&mut setup.board, at, role.of(color));
            }
        }
    }
    setup.castling_rights = Bitboard::EMPTY;
    setup.ep_square = passed_square(&setup.board, setup.turn).filter(|_| random.below(2) == 0);
    position_of(setup)
}

/// The position with colours exchanged.
pub fn colour_mirror(position: &Chess) -> Option<Chess> {
    position_of(position.to_setup(EnPassantMode::Legal).into_mirrored())
}

/// The position with the files exchanged, where no castling right stands against it.
pub fn file_mirror(position: &Chess) -> Option<Chess> {
    if position.castles().any() {
        return None;
    }
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.board.flip_horizontal();
    setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
    position_of(setup)
}

/// An answer without its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Yes,
    No,
    Unknown,
}

/// The full answer; a line is replayed and a proof checked.
pub fn answer(position: &Chess, side: Color, nodes: u64, faults: &mut Vec<String>) -> Verdict {
    match can_mate(position, side, nodes).can_mate {
        CanMate::Yes(line) => {
            if !replays(position, side, &line) {
                faults.push("the line does not end in mate".to_owned());
            }
            Verdict::Yes
        }
        CanMate::No(proof) => {
            if let Err(fault) = checker::check(position, side, &proof) {
                faults.push(format!("the proof fails: {fault}"));
            }
            if proof.explain().is_empty() {
                faults.push("the proof has no words".to_owned());
            }
            Verdict::No
        }
        CanMate::Unknown => Verdict::Unknown,
    }
}

/// What one question came to.
pub struct Checked {
    pub full: Verdict,
    pub raw: Verdict,
    /// Contradictions; none, as it should be.
    pub faults: Vec<String>,
}

/// Asks one question in every way and compares the answers.
pub fn cross_check(position: &Chess, side: Color, full_nodes: u64, raw_nodes: u64) -> Checked {
    let mut faults = Vec::new();
    let full = answer(position, side, full_nodes, &mut faults);
    let raw = match raw_search(position, side, raw_nodes).can_mate {
        CanMate::Yes(line) if !replays(position, side, &line) => {
            faults.push("the raw line does not end in mate".to_owned());
            Verdict::Yes
        }
        CanMate::Yes(_) => Verdict::Yes,
        CanMate::No(_) => Verdict::No,
        CanMate::Unknown => Verdict::Unknown,
    };
    let contradict = |a, b| matches!((a, b), (Verdict::Yes, Verdict::No) | (Verdict::No, Verdict::Yes));
    if contradict(full, raw) {
        faults.push(format!("full {full:?}, raw {raw:?}"));
    }
    let yes = full == Verdict::Yes || raw == Verdict::Yes;
    static_rules(position, side, yes, &mut faults);
    for (name, mirrored, asked) in
        [("colours", colour_mirror(position), !side), ("files", file_mirror(position), side)]
    {
        let Some(mirrored) = mirrored else { continue };
        let other = answer(&mirrored, asked, full_nodes, &mut faults);
        if contradict(full, other) {
            faults.push(format!("full {full:?}, {name} exchanged {other:?}"));
        }
        if !position.legal_moves().is_empty()
            && regions_cannot_mate(position, side) != regions_cannot_mate(&mirrored, asked)
        {
            faults.push(format!("the fixpoint differs with {name} exchanged"));
        }
    }
    replies(position, side, full, full_nodes, &mut faults);
    Checked { full, raw, faults }
}

/// Each static rule by itself: none may say no where there is a mate.
fn static_rules(position: &Chess, side: Color, yes: bool, faults: &mut Vec<String>) {
    if !yes {
        return;
    }
    if quick_look(position).cannot_mate.get(side).is_some() {
        faults.push("the every-ply look denies a mate".to_owned());
    }
    if position.legal_moves().is_empty() {
        return;
    }
    let rules = [
        ("material", material_cannot_mate(position.board(), side)),
        ("fixpoint", regions_cannot_mate(position, side)),
        ("projection", projection_cannot_mate(position, side, 1_000)),
        ("tempo", tempo_cannot_mate(position, side)),
    ];
    for (name, no) in rules {
        if no {
            faults.push(format!("the {name} rule denies a mate"));
        }
    }
}

/// A no stays no after each move, and if every reply is a no so is the position.
fn replies(position: &Chess, side: Color, full: Verdict, nodes: u64, faults: &mut Vec<String>) {
    let moves = position.legal_moves();
    let mut all_no = !moves.is_empty();
    for m in &moves {
        let mut next = position.clone();
        next.play_unchecked(*m);
        let verdict = answer(&next, side, nodes, faults);
        all_no &= verdict == Verdict::No;
        if full == Verdict::No && verdict == Verdict::Yes {
            faults.push(format!("no before {m}, yes after it"));
        }
    }
    if all_no && full == Verdict::Yes {
        faults.push("yes, but every reply is a no".to_owned());
    }
}

//! The game so far, as `position` lines tell it.

use std::fmt;

use shakmaty::{
    CastlingMode, CastlingSide, Chess, EnPassantMode, Move, Position, PositionError, Role, Square, fen::Fen,
    uci::UciMove, zobrist::Zobrist64,
};

/// Where a `position` line begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// `startpos`
    #[default]
    StartPosition,
    /// `fen …`
    Fen(String),
}

/// What is wrong with a `position` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionFault {
    /// The FEN can't be played from; the position before stays.
    UnusableFen(String),
    /// A move isn't legal; the position before it stands, the rest is ignored.
    IllegalMove(String),
}

impl fmt::Display for PositionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionFault::UnusableFen(reason) => write!(f, "unusable fen: {reason}"),
            PositionFault::IllegalMove(text) => write!(f, "illegal move {text}"),
        }
    }
}

/// A position and how it came about.
///
/// A `position` line usually repeats the one before with two moves more, so only those are played.
#[derive(Default)]
pub struct GameLine {
    /// Whether castling is written as king takes rook.
    chess960: bool,
    base: Base,
    moves: String,
    position: Chess,
    /// The keys of all positions, the last being the present one's.
    keys: Vec<Zobrist64>,
}

impl GameLine {
    /// The start position of standard chess.
    pub fn new() -> GameLine {
        let mut line = GameLine::default();
        line.restart(Chess::default());
        line
    }

    /// The position to move in.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The keys of all positions of the game, the present one last.
    pub fn keys(&self) -> &[Zobrist64] {
        &self.keys
    }

    /// How castling is written and castling rights are read.
    pub fn castling_mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    /// Switches between standard chess and Chess960, reading the last `position` line anew.
    pub fn set_chess960(&mut self, chess960: bool) -> Result<(), PositionFault> {
        self.chess960 = chess960;
        let (base, moves) = (self.base.clone(), self.moves.clone());
        self.rebuild(base, &moves)
    }

    /// Follows a `position` line.
    pub fn set(&mut self, base: Base, moves: &str) -> Result<(), PositionFault> {
        if base == self.base
            && let Some(further) = moves.strip_prefix(self.moves.as_str())
            && (further.is_empty() || further.starts_with(' ') || self.moves.is_empty())
        {
            return self.play_all(further);
        }
        self.rebuild(base, moves)
    }

    fn rebuild(&mut self, base: Base, moves: &str) -> Result<(), PositionFault> {
        let position = match &base {
            Base::StartPosition => Chess::default(),
            Base::Fen(text) => position_from_fen(text, self.castling_mode())?,
        };
        self.restart(position);
        self.base = base;
        self.play_all(moves)
    }

    fn restart(&mut self, position: Chess) {
        self.keys.clear();
        self.keys.push(position.zobrist_hash(EnPassantMode::Legal));
        self.position = position;
        self.moves.clear();
    }

    fn play_all(&mut self, moves: &str) -> Result<(), PositionFault> {
        for text in moves.split_ascii_whitespace() {
            let legal = text.parse().ok().and_then(|written| find_legal_move(&self.position, written));
            let Some(legal) = legal else {
                return Err(PositionFault::IllegalMove(text.to_owned()));
            };
            let last_key = self.keys.last().copied().unwrap_or_default();
            let (position, key) = play(&self.position, last_key, legal);
            self.position = position;
            self.keys.push(key);
            if !self.moves.is_empty() {
                self.moves.push(' ');
            }
            self.moves.push_str(text);
        }
        Ok(())
    }
}

/// The position after a legal move, and its key.
pub fn play(position: &Chess, key: Zobrist64, legal: Move) -> (Chess, Zobrist64) {
    let mut after = position.clone();
    after.play_unchecked(legal);
    let key = position
        .update_zobrist_hash(key, legal, EnPassantMode::Legal)
        .unwrap_or_else(|| after.zobrist_hash(EnPassantMode::Legal));
    (after, key)
}

/// The legal move that is meant: castling may be written as king takes rook or by the king's destination.
pub fn find_legal_move(position: &Chess, written: UciMove) -> Option<Move> {
    if let Ok(legal) = written.to_move(position) {
        return Some(legal);
    }
    let UciMove::Normal { from, to, promotion: None } = written else { return None };
    CastlingSide::ALL.into_iter().find_map(|side| {
        let destination = Square::from_coords(side.king_to_file(), from.rank());
        let meant = destination == to && position.our(Role::King).contains(from) && !position.is_check();
        position
            .castling_moves(side)
            .first()
            .copied()
            .filter(|&castling| meant && position.is_legal(castling))
    })
}

/// Accepts everything that can be played from: too many pieces, checks that can't have arisen, and castling
/// or en passant rights that the pieces belie, which are dropped.
fn position_from_fen(text: &str, mode: CastlingMode) -> Result<Chess, PositionFault> {
    let fen: Fen = text.parse().map_err(|error| PositionFault::UnusableFen(format!("{error}")))?;
    fen.into_position(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| PositionFault::UnusableFen(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(line: &GameLine) -> String {
        line.position().board().to_string()
    }

    #[test]
    fn longer_line_continues_the_shorter() {
        let mut step_by_step = GameLine::new();
        for moves in ["", "e2e4", "e2e4 e7e5", "e2e4 e7e5 g1f3 b8c6"] {
            step_by_step.set(Base::StartPosition, moves).unwrap();
        }
        let mut at_once = GameLine::new();
        at_once.set(Base::StartPosition, "e2e4 e7e5 g1f3 b8c6").unwrap();
        assert_eq!(step_by_step.keys(), at_once.keys());
        assert_eq!(board(&step_by_step), board(&at_once));
        at_once.set(Base::StartPosition, "e2e4 e7e6").unwrap();
        assert_eq!(at_once.keys().len(), 3);
    }

    #[test]
    fn illegal_move_ends_the_line_every_time() {
        let mut line = GameLine::new();
        for _ in 0..2 {
            let fault = line.set(Base::StartPosition, "e2e4 e7e5 e4e5 d2d4").unwrap_err();
            assert_eq!(fault.to_string(), "illegal move e4e5");
            assert_eq!(line.keys().len(), 3);
        }
        for garbage in ["e7e8k", "xyz", "0000", "e2e4garbage"] {
            let fault = line.set(Base::StartPosition, garbage).unwrap_err();
            assert_eq!(fault, PositionFault::IllegalMove(garbage.to_owned()));
        }
    }

    #[test]
    fn both_spellings_of_castling() {
        let fen = Base::Fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".to_owned());
        let shuffled = Base::Fen("4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1".to_owned());
        let mut line = GameLine::new();
        line.set_chess960(true).unwrap();
        for (base, king_side) in [(&fen, ["e1g1", "e1h1"]), (&shuffled, ["f1g1", "f1g1"])] {
            for written in king_side {
                line.set(base.clone(), written).unwrap();
                assert!(board(&line).ends_with("/R4RK1"), "{written}: {}", board(&line));
            }
        }
        for written in ["f1c1", "f1a1"] {
            line.set(shuffled.clone(), written).unwrap();
            assert!(board(&line).ends_with("/2KR2R1"), "{written}: {}", board(&line));
        }
    }

    #[test]
    fn odd_positions_are_accepted_and_impossible_ones_refused() {
        let mut line = GameLine::new();
        let accepted = [
            "kb6/pp6/8/3QQQQQ/3QQQQQ/3QQQQQ/3QQQQQ/K2QQQQQ b - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - -",
        ];
        for fen in accepted {
            assert_eq!(line.set(Base::Fen(fen.to_owned()), ""), Ok(()), "{fen}");
        }
        for fen in ["", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "nonsense"] {
            let fault = line.set(Base::Fen(fen.to_owned()), "e2e4").unwrap_err();
            assert!(matches!(fault, PositionFault::UnusableFen(_)), "{fen}: {fault}");
        }
        assert_eq!(
            board(&line),
            board(&{
                let mut last = GameLine::new();
                last.set(Base::Fen(accepted[2].to_owned()), "").unwrap();
                last
            })
        );
    }
}

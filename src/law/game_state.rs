//! A game as the Laws see it: the position, its history, what has ended it and what may be claimed.

use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::{CastlingMode, Chess, Color, Move, MoveList, Position};

use super::adjudication::Adjudication;
use super::claim::{FIFTY_MOVES, THREEFOLD};
use super::mating_knowledge::MatingKnowledge;
use super::notation::uci_move;
use super::policy::DeadPositionRule;
use super::repetition::{Occurrences, PositionKey};
use super::verdict::{ClaimBasis, ClaimRule, Forfeit, GameResult, MatingChance, Verdict};

/// Occurrences of a position that end the game (Article 9.6.1).
pub const FIVEFOLD: u32 = 5;
/// Plies without pawn move or capture that end the game (Article 9.6.2).
pub const SEVENTY_FIVE_MOVES: u32 = 150;

/// Nodes that a full search of a match may spend on one question.
pub const FULL_SEARCH_NODES: u64 = 500_000;

/// A position on the board with all that the Laws derive from it.
#[derive(Clone, Debug)]
struct Standing {
    chess: Chess,
    legal: MoveList,
    key: PositionKey,
    occurrences: u32,
    mating: MatingKnowledge,
    end: Option<Verdict>,
}

impl Standing {
    fn may_claim(&self, rule: ClaimRule) -> bool {
        match rule {
            ClaimRule::Threefold => self.occurrences >= THREEFOLD,
            ClaimRule::FiftyMove => self.chess.halfmoves() >= FIFTY_MOVES,
        }
    }
}

/// A legal move and the position after it, looked at before it is made: a claim with an intended move
/// (Articles 9.2.1, 9.3.1) leaves it unmade.
#[derive(Clone, Debug)]
pub struct Successor {
    played: Move,
    zeroing: bool,
    standing: Standing,
}

impl Successor {
    /// What the move ends the game by, once it is made.
    pub fn end(&self) -> Option<&Verdict> {
        self.standing.end.as_ref()
    }

    /// Whether the side to move after it may claim, once it is made; see [`GameState::may_claim`].
    pub fn may_claim(&self, rule: ClaimRule) -> bool {
        self.standing.may_claim(rule)
    }
}

/// A game from its start position on, judged at each ply. Costs do not grow with the length of the game.
#[derive(Clone, Debug)]
pub struct GameState {
    standing: Standing,
    history: Occurrences,
    ply: u32,
    mode: CastlingMode,
}

impl GameState {
    /// The start position is the first occurrence and brings its own halfmove clock. Full searches may spend
    /// [`FULL_SEARCH_NODES`].
    pub fn new(start: Chess, mode: CastlingMode, dead_position: DeadPositionRule) -> GameState {
        GameState::with_search_budget(start, mode, dead_position, FULL_SEARCH_NODES)
    }

    /// As [`GameState::new`], with the nodes that a full search for a mate may spend on one question.
    pub fn with_search_budget(
        start: Chess,
        mode: CastlingMode,
        dead_position: DeadPositionRule,
        full_search_nodes: u64,
    ) -> GameState {
        let mut history = Occurrences::default();
        let standing = stand(start, &history, MatingKnowledge::new(dead_position, full_search_nodes));
        history.record(standing.key.clone(), standing.occurrences, true);
        GameState { standing, history, ply: 0, mode }
    }

    /// The position on the board.
    pub fn chess(&self) -> &Chess {
        &self.standing.chess
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.standing.chess.turn()
    }

    /// Plies made since the start position.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Standard chess or Chess960.
    pub fn castling_mode(&self) -> CastlingMode {
        self.mode
    }

    /// The legal moves of the position on the board.
    pub fn legal_moves(&self) -> &[Move] {
        &self.standing.legal
    }

    /// The legal move that a UCI token names; see [`uci_move::find`].
    pub fn legal_move(&self, token: &[u8], king_takes_rook: bool) -> Option<Move> {
        uci_move::find(token, &self.standing.legal, self.mode, king_takes_rook)
    }

    /// How often the position on the board has occurred (Article 9.2).
    pub fn occurrences(&self) -> u32 {
        self.standing.occurrences
    }

    /// Plies since the last zeroing move (pawn move or capture), the start position's own counted in.
    pub fn halfmove_clock(&self) -> u32 {
        self.standing.chess.halfmoves()
    }

    /// The automatic end of the game, in the order of checks: checkmate, stalemate, dead position, fivefold
    /// repetition, seventy-five moves.
    pub fn end(&self) -> Option<&Verdict> {
        self.standing.end.as_ref()
    }

    /// Looks at a legal move before it is made.
    pub fn successor(&self, played: Move) -> Successor {
        let zeroing = played.is_zeroing();
        let mut chess = self.standing.chess.clone();
        chess.play_unchecked(played);
        let empty = Occurrences::default();
        let history = if zeroing { &empty } else { &self.history };
        Successor { played, zeroing, standing: stand(chess, history, self.standing.mating.clone()) }
    }

    /// Makes the move that was looked at.
    pub fn make(&mut self, successor: Successor) {
        let standing = successor.standing;
        self.history.record(standing.key.clone(), standing.occurrences, successor.zeroing);
        self.standing = standing;
        self.ply += 1;
    }

    /// Makes a legal move.
    pub fn play(&mut self, played: Move) {
        let successor = self.successor(played);
        self.make(successor);
    }

    /// Whether the side to move may claim, as the position stands (Articles 9.2.2, 9.3.2).
    pub fn may_claim(&self, rule: ClaimRule) -> bool {
        self.standing.may_claim(rule)
    }

    /// Whether the side to move may claim with this intended move (Articles 9.2.1, 9.3.1). A move that ends the
    /// game by mate or stalemate is not offered for the fifty-move rule, and that rule is claimed ahead only while
    /// the condition doesn't stand on the board yet.
    pub fn may_claim_with(&self, rule: ClaimRule, intended: &Successor) -> bool {
        let after = &intended.standing;
        match rule {
            ClaimRule::Threefold => !intended.zeroing && after.occurrences >= THREEFOLD,
            ClaimRule::FiftyMove => {
                !intended.zeroing && self.halfmove_clock() == FIFTY_MOVES - 1 && !after.legal.is_empty()
            }
        }
    }

    /// The moves with which the side to move may claim, in UCI notation, sorted; what [`GameState::may_claim_with`]
    /// says of each legal move, but cheap where no claim is near.
    pub fn claimable_moves(&self, rule: ClaimRule) -> Vec<String> {
        let mut moves: Vec<String> = match rule {
            ClaimRule::Threefold => self.uci(self.moves_to_third_occurrences()),
            ClaimRule::FiftyMove if self.halfmove_clock() == FIFTY_MOVES - 1 => self.uci(
                self.legal_moves()
                    .iter()
                    .copied()
                    .filter(|played| self.may_claim_with(rule, &self.successor(*played))),
            ),
            ClaimRule::FiftyMove => Vec::new(),
        };
        moves.sort_unstable();
        moves
    }

    fn moves_to_third_occurrences(&self) -> impl Iterator<Item = Move> {
        let repeated: Vec<&PositionKey> =
            self.history.repeated().filter(|key| key.turn() != self.turn()).collect();
        let candidates = if repeated.is_empty() { &[] } else { self.legal_moves() };
        candidates.iter().copied().filter(move |played| {
            if played.is_zeroing() {
                return false;
            }
            let mut after = self.standing.chess.clone();
            after.play_unchecked(*played);
            repeated.contains(&&PositionKey::of(&after))
        })
    }

    fn uci(&self, moves: impl Iterator<Item = Move>) -> Vec<String> {
        moves.map(|played| uci_move::write(played, self.mode).to_string()).collect()
    }

    /// The verdict on a correct claim that has appeared.
    pub fn claim(&self, rule: ClaimRule) -> Option<Verdict> {
        self.may_claim(rule).then(|| Verdict::claimed_draw(rule, ClaimBasis::Appeared, self.turn()))
    }

    /// The verdict on a correct claim with an intended move.
    pub fn claim_with(&self, rule: ClaimRule, intended: &Successor) -> Option<Verdict> {
        self.may_claim_with(rule, intended).then(|| {
            let san = self.san_of(intended.played, intended);
            Verdict::claimed_draw(rule, ClaimBasis::Intended(san), self.turn())
        })
    }

    /// A legal move that has been looked at, in standard algebraic notation.
    pub fn san_of(&self, played: Move, successor: &Successor) -> String {
        let after = &successor.standing;
        let suffix = match (after.chess.is_check(), after.legal.is_empty()) {
            (true, true) => Some(Suffix::Checkmate),
            (true, false) => Some(Suffix::Check),
            (false, _) => None,
        };
        SanPlus { san: San::disambiguate(played, &self.standing.legal), suffix }.to_string()
    }

    /// Whether `side` can still mate: on the board as it stands, by the dead-position rule of this game. Under
    /// [`DeadPositionRule::Exact`] it may search.
    pub fn mating_chance(&self, side: Color) -> MatingChance {
        match &self.standing.end {
            Some(verdict) if self.standing.legal.is_empty() => {
                if verdict.result().winner() == Some(side) {
                    MatingChance::Possible
                } else {
                    MatingChance::Impossible
                }
            }
            _ => self.standing.mating.chance(self.chess(), side),
        }
    }

    /// Rules on what loses the game for `side`, with the exception for an opponent who can't mate. What stands on
    /// the board already has ended the game and goes first.
    pub fn rule_forfeit(&self, side: Color, forfeit: Forfeit) -> Verdict {
        match self.end() {
            Some(verdict) => verdict.clone(),
            None => self.confirmed(Verdict::forfeit(side, forfeit, self.mating_chance(!side))),
        }
    }

    /// Rules on what the match settles without the Laws. Scores give no side more than a resignation would, so there
    /// the exception for a side that can't mate is the same (Article 5.1.2).
    pub fn rule_adjudication(&self, adjudication: Adjudication) -> Verdict {
        if let Some(verdict) = self.end() {
            return verdict.clone();
        }
        let chance = match adjudication {
            Adjudication::Resign { loser, .. } => self.mating_chance(!loser),
            Adjudication::Draw(_) | Adjudication::Tablebase(_) | Adjudication::MoveLimit(_) => {
                MatingChance::Possible
            }
        };
        self.confirmed(Verdict::adjudicated(adjudication, chance))
    }

    /// A ruling at the end of the game: a dead position that the look at every ply has not seen goes before any other
    /// draw but stalemate. Under [`DeadPositionRule::Exact`] it searches in full.
    #[must_use]
    pub fn confirmed(&self, ruling: Verdict) -> Verdict {
        let drawn_with_moves_left = ruling.result() == GameResult::Draw && !self.standing.legal.is_empty();
        if drawn_with_moves_left && self.standing.mating.is_dead_in_full(self.chess()) {
            return Verdict::dead_position();
        }
        ruling
    }
}

fn stand(chess: Chess, history: &Occurrences, mut mating: MatingKnowledge) -> Standing {
    let legal = chess.legal_moves();
    let key = PositionKey::of(&chess);
    let occurrences = history.count(&key) + 1;
    let end = automatic_end(&chess, &legal, occurrences, &mut mating);
    Standing { chess, legal, key, occurrences, mating, end }
}

fn automatic_end(
    chess: &Chess,
    legal: &MoveList,
    occurrences: u32,
    mating: &mut MatingKnowledge,
) -> Option<Verdict> {
    if legal.is_empty() {
        let mated = chess.is_check();
        return Some(if mated { Verdict::checkmate(!chess.turn()) } else { Verdict::stalemate() });
    }
    if mating.is_dead(chess, legal) {
        return Some(Verdict::dead_position());
    }
    if occurrences >= FIVEFOLD {
        return Some(Verdict::fivefold_repetition());
    }
    (chess.halfmoves() >= SEVENTY_FIVE_MOVES).then(Verdict::seventy_five_move_rule)
}

#[cfg(test)]
#[path = "game_state_tests.rs"]
mod tests;

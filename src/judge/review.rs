//! A game gone through move by move: what ended it and what could have been claimed on the way.

use shakmaty::{Color, Move};

use super::mating::{CanMate, MatingChances};
use crate::law::game_state::GameState;
use crate::law::policy::DeadPositionRule;
use crate::law::verdict::{ClaimBasis, ClaimRule, Forfeit, MatingChance, Reason, Verdict, side_name};

/// How games are judged.
#[derive(Clone, Copy, Debug)]
pub struct JudgeOptions {
    /// How dead positions are recognised.
    pub dead_position: DeadPositionRule,
    /// The budget a side for the full search of the last position.
    pub max_nodes: u64,
    /// Search every ply in full, not only the last one.
    pub thorough: bool,
}

impl Default for JudgeOptions {
    fn default() -> JudgeOptions {
        JudgeOptions { dead_position: DeadPositionRule::default(), max_nodes: 1_000_000, thorough: false }
    }
}

/// What ended a game, and at which ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Moves made before.
    pub ply: u32,
    /// The ruling.
    pub verdict: Verdict,
}

/// How a claim stood on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListedBasis {
    /// The condition held already.
    Appeared,
    /// Each of these moves, in UCI notation, would have brought it about.
    Intended(Vec<String>),
}

/// A claim that would have been correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedClaim {
    /// Moves made before.
    pub ply: u32,
    /// The side to move, whose claim it was.
    pub by: Color,
    /// The rule.
    pub rule: ClaimRule,
    /// Appeared or intended.
    pub basis: ListedBasis,
}

impl ListedClaim {
    /// The reason of a game that ended by this claim; its basis names all intended moves.
    pub fn reason(&self) -> Reason {
        self.rule.reason(match &self.basis {
            ListedBasis::Appeared => ClaimBasis::Appeared,
            ListedBasis::Intended(moves) => ClaimBasis::Intended(moves.join(" ")),
        })
    }
}

/// What a side did, or what happened to it, at the last position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub forfeit: Forfeit,
    /// Who.
    pub side: Color,
}

impl Event {
    fn check(self, turn: Color) -> Result<(), EventFault> {
        let needs_the_move = matches!(self.forfeit, Forfeit::FlagFall | Forfeit::IllegalMove);
        if needs_the_move && self.side != turn { Err(EventFault(self)) } else { Ok(()) }
    }
}

/// An event that only the side to move can bring about, by the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is {turn}'s move, so {turn} alone can have {what}", turn = side_name(!self.0.side), what = self.what())]
pub struct EventFault(Event);

impl EventFault {
    fn what(&self) -> &'static str {
        if self.0.forfeit == Forfeit::FlagFall { "a flag fall" } else { "an illegal move" }
    }
}

/// A game that is being gone through.
#[derive(Debug)]
pub struct Review<'options> {
    state: GameState,
    claims: Vec<ListedClaim>,
    /// The ply since which a full search at every ply has shown the position to be dead.
    dead_since: Option<u32>,
    options: &'options JudgeOptions,
}

impl<'options> Review<'options> {
    /// Starts at ply 0, which may be the end already.
    pub fn new(state: GameState, options: &'options JudgeOptions) -> Review<'options> {
        let mut review = Review { state, claims: Vec::new(), dead_since: None, options };
        review.look();
        review
    }

    /// The game so far.
    pub fn state(&self) -> &GameState {
        &self.state
    }

    /// Whether an automatic rule has ended it: what comes after is not judged.
    pub fn is_over(&self) -> bool {
        self.state.end().is_some() || self.dead_since.is_some()
    }

    /// Makes a legal move.
    pub fn play(&mut self, played: Move) {
        self.state.play(played);
        self.look();
    }

    fn look(&mut self) {
        let exact = self.options.dead_position == DeadPositionRule::Exact;
        let searched = self.options.thorough && exact && !ended_before_dead(&self.state);
        if searched && MatingChances::of(&self.state, self.options).none() {
            self.dead_since = Some(self.state.ply());
        }
        self.list_claims();
    }

    /// Judges the position that stands on the board, with what happened there, unless the game was over before.
    ///
    /// # Errors
    /// The event is one of the side that is not to move.
    pub fn close(self, event: Option<Event>) -> Result<Judgement, EventFault> {
        let Review { state, mut claims, dead_since, options } = self;
        let chances = MatingChances::of(&state, options);
        let mut verdict = last_verdict(&state, &chances, options);
        if verdict.is_some() {
            claims.retain(|claim| claim.ply < state.ply());
        } else if let Some(event) = event {
            event.check(state.turn())?;
            let opponent = match chances.can_mate.get(!event.side) {
                CanMate::Yes => MatingChance::Possible,
                CanMate::No => MatingChance::Impossible,
                CanMate::Unknown => MatingChance::Unsettled,
            };
            verdict = Some(Verdict::forfeit(event.side, event.forfeit, opponent));
        }
        let end = verdict.map(|verdict| End { ply: state.ply(), verdict });
        Ok(Judgement { state, end, claims, chances, dead_since, notes: Vec::new() })
    }

    /// By ply, then threefold appeared, fifty appeared, threefold intended, fifty intended.
    fn list_claims(&mut self) {
        if self.is_over() {
            return;
        }
        let (ply, by) = (self.state.ply(), self.state.turn());
        let rules = [ClaimRule::Threefold, ClaimRule::FiftyMove];
        for rule in rules.into_iter().filter(|rule| self.state.may_claim(*rule)) {
            self.claims.push(ListedClaim { ply, by, rule, basis: ListedBasis::Appeared });
        }
        for rule in rules {
            let moves = self.state.claimable_moves(rule);
            if !moves.is_empty() {
                self.claims.push(ListedClaim { ply, by, rule, basis: ListedBasis::Intended(moves) });
            }
        }
    }
}

/// The automatic end at the last position. The search of that position may find what the look at every ply has not,
/// and a dead position goes before repetition and move count.
fn last_verdict(state: &GameState, chances: &MatingChances, options: &JudgeOptions) -> Option<Verdict> {
    let goes_before = !ended_before_dead(state);
    if options.dead_position == DeadPositionRule::Exact && goes_before && chances.none() {
        return Some(Verdict::dead_position());
    }
    state.end().cloned()
}

/// Whether a rule that is looked at before dead positions has ended the game.
fn ended_before_dead(state: &GameState) -> bool {
    matches!(state.end().map(Verdict::reason), Some(Reason::Checkmate | Reason::Stalemate))
}

/// A game that has been gone through.
#[derive(Debug)]
pub struct Judgement {
    state: GameState,
    end: Option<End>,
    claims: Vec<ListedClaim>,
    chances: MatingChances,
    dead_since: Option<u32>,
    notes: Vec<String>,
}

impl Judgement {
    /// The last position that was judged.
    pub fn state(&self) -> &GameState {
        &self.state
    }

    /// What ended the game, if anything did.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Every correct claim before the end.
    pub fn claims(&self) -> &[ListedClaim] {
        &self.claims
    }

    /// Who can still mate in the last position.
    pub fn chances(&self) -> &MatingChances {
        &self.chances
    }

    /// Since which ply the position is dead, by a full search at every ply; `None` if it isn't, or if only the last
    /// position was searched.
    pub fn dead_since(&self) -> Option<u32> {
        self.dead_since
    }

    /// What had to be left out of the input, in words.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Adds notes.
    #[must_use]
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Judgement {
        self.notes.extend(notes);
        self
    }
}

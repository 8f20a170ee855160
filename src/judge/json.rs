//! Judgements as JSON objects, in the order of fields that other tools rely on.

use std::io;

use serde::Serialize;
use shakmaty::{ByColor, Color};

use super::review::{End, Judgement, ListedBasis, ListedClaim};
use crate::law::notation::fen;

/// `white`, `black`.
pub fn side_key(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

#[derive(Serialize)]
struct JudgedObject<'a, Id, Extra> {
    id: Id,
    end: Option<EndObject>,
    claims: Vec<ClaimObject<'a>>,
    r#final: FinalObject<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dead_since: Option<u32>,
    #[serde(flatten)]
    extra: Extra,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

#[derive(Serialize)]
struct EndObject {
    ply: u32,
    result: &'static str,
    reason: &'static str,
    article: Option<&'static str>,
}

#[derive(Serialize)]
struct ClaimObject<'a> {
    ply: u32,
    by: &'static str,
    reason: &'static str,
    how: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'a [String]>,
    article: Option<&'static str>,
}

#[derive(Serialize)]
struct FinalObject<'a> {
    ply: u32,
    fen: String,
    repetitions: u32,
    halfmove_clock: u32,
    can_mate: Sides<&'static str>,
    helpmate: Sides<Option<&'a [String]>>,
    nodes: u64,
}

#[derive(Serialize)]
struct Sides<T> {
    white: T,
    black: T,
}

impl<T> From<ByColor<T>> for Sides<T> {
    fn from(sides: ByColor<T>) -> Sides<T> {
        Sides { white: sides.white, black: sides.black }
    }
}

#[derive(Serialize)]
struct ErrorObject<'a, Id, Extra> {
    id: Id,
    error: &'a str,
    #[serde(flatten)]
    extra: Extra,
}

/// No fields besides those of every judgement.
#[derive(Debug, Serialize)]
pub struct NoExtra {}

/// One judgement as a line of JSON, `extra` holding further fields.
///
/// # Errors
/// Those of serialising `id` and `extra`.
pub fn judged_line<Id: Serialize, Extra: Serialize>(
    id: Id,
    judgement: &Judgement,
    extra: Extra,
) -> io::Result<Vec<u8>> {
    line(&JudgedObject {
        id,
        end: judgement.end().map(end_object),
        claims: judgement.claims().iter().map(claim_object).collect(),
        r#final: final_object(judgement),
        dead_since: judgement.dead_since(),
        extra,
        notes: judgement.notes(),
    })
}

/// What could not be judged as a line of JSON.
///
/// # Errors
/// Those of serialising `id` and `extra`.
pub fn error_line<Id: Serialize, Extra: Serialize>(id: Id, error: &str, extra: Extra) -> io::Result<Vec<u8>> {
    line(&ErrorObject { id, error, extra })
}

fn line(object: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(object)?;
    line.push(b'\n');
    Ok(line)
}

fn end_object(end: &End) -> EndObject {
    EndObject {
        ply: end.ply,
        result: end.verdict.result().as_str(),
        reason: end.verdict.reason().name(),
        article: end.verdict.article(),
    }
}

fn claim_object(claim: &ListedClaim) -> ClaimObject<'_> {
    let reason = claim.reason();
    let (how, moves) = match &claim.basis {
        ListedBasis::Appeared => ("appeared", None),
        ListedBasis::Intended(moves) => ("intended", Some(moves.as_slice())),
    };
    ClaimObject {
        ply: claim.ply,
        by: side_key(claim.by),
        reason: reason.name(),
        how,
        moves,
        article: reason.article(),
    }
}

fn final_object(judgement: &Judgement) -> FinalObject<'_> {
    let state = judgement.state();
    let chances = judgement.chances();
    FinalObject {
        ply: state.ply(),
        fen: fen::write(state.chess(), state.castling_mode()),
        repetitions: state.occurrences(),
        halfmove_clock: state.halfmove_clock(),
        can_mate: chances.can_mate.map(super::mating::CanMate::as_str).into(),
        helpmate: chances.helpmate.as_ref().map(|line| line.as_deref()).into(),
        nodes: chances.nodes,
    }
}

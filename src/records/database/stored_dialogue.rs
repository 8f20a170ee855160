//! The last lines of the dialogue with the engines of a game, in few bytes.

use bitcode::{Decode, Encode};
use jiff::SignedDuration;
use shakmaty::ByColor;

use crate::engine::dialogue_tail::{DialogueLine, Direction};

#[derive(Encode, Decode)]
struct StoredLine<'a> {
    number: Option<u64>,
    /// Microseconds.
    at: i64,
    direction: StoredDirection,
    text: &'a str,
}

#[derive(Encode, Decode)]
enum StoredDirection {
    Sent,
    Said,
    Stderr,
}

/// The bytes of a column.
pub(super) fn to_bytes(dialogue: &ByColor<Vec<DialogueLine>>) -> Vec<u8> {
    let sides: [Vec<StoredLine<'_>>; 2] =
        [&dialogue.white, &dialogue.black].map(|lines| lines.iter().map(StoredLine::of).collect());
    bitcode::encode(&sides)
}

/// The dialogue of a column.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<ByColor<Vec<DialogueLine>>, bitcode::Error> {
    let [white, black]: [Vec<StoredLine<'_>>; 2] = bitcode::decode(bytes)?;
    Ok(ByColor { white, black }.map(|lines| lines.into_iter().map(StoredLine::restored).collect()))
}

impl StoredLine<'_> {
    fn of(line: &DialogueLine) -> StoredLine<'_> {
        let DialogueLine { number, at, direction, text } = line;
        StoredLine {
            number: *number,
            at: i64::try_from(at.as_micros()).unwrap_or(i64::MAX),
            direction: match direction {
                Direction::Sent => StoredDirection::Sent,
                Direction::Said => StoredDirection::Said,
                Direction::Stderr => StoredDirection::Stderr,
            },
            text,
        }
    }

    fn restored(self) -> DialogueLine {
        DialogueLine {
            number: self.number,
            at: SignedDuration::from_micros(self.at),
            direction: match self.direction {
                StoredDirection::Sent => Direction::Sent,
                StoredDirection::Said => Direction::Said,
                StoredDirection::Stderr => Direction::Stderr,
            },
            text: self.text.to_owned(),
        }
    }
}

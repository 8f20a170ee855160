//! The last lines of the dialogue with an engine, kept while it plays as evidence of how a game ended.
//!
//! Kept for every line of every search, so it only copies bytes into room that is there already: what a line is to look
//! like is seen to when it is asked for. Commands, answers and `info` lines each have their own room, so that an engine
//! that prints thousands of lines can't push out the `go` that they belong to.

use std::time::Instant;

use jiff::SignedDuration;

use super::message::{starts_with_word, visible};

/// A line of the dialogue with an engine, around the end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogueLine {
    /// Its number in the dialogue with this process, both directions together, from 1, as in the log. Empty lines are
    /// counted and not kept. stderr has no numbers.
    pub number: Option<u64>,
    /// When it was written or read, counted from the start of the game; what came before that, such as `ucinewgame`, is
    /// negative. Of an engine that did not come to the board: counted back from when it was given up.
    pub at: SignedDuration,
    /// Who said it.
    pub direction: Direction,
    /// Readable, and at most [`TEXT_CAP`] bytes of the line; `…` stands where more of it was.
    pub text: String,
}

/// Where a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the referee to the engine.
    Sent,
    /// From the engine's stdout.
    Said,
    /// From the engine's stderr.
    Stderr,
}

impl Direction {
    /// The machine name.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Sent => "sent",
            Direction::Said => "said",
            Direction::Stderr => "stderr",
        }
    }
}

impl Direction {
    /// As in the log: `<`, `>` and `!`.
    pub fn mark(self) -> char {
        match self {
            Direction::Sent => '<',
            Direction::Said => '>',
            Direction::Stderr => '!',
        }
    }
}

/// How much of what is kept is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// [`FEW`] of each kind of line.
    Short,
}

/// The most bytes of a line that are kept.
pub const TEXT_CAP: usize = 400;
/// How many lines of each kind a short evidence has.
pub const FEW: usize = 4;

const COMMANDS: usize = 16;
const ANSWERS: usize = 12;
const INFOS: usize = 12;
/// Bytes at the start of a longer command that are kept; the others are from its end, where a `position` line tells the
/// last moves.
const HEAD: usize = 120;

/// What is cut within so many bytes of a space is cut there.
const MOVE_LENGTH: usize = 6;

/// Keeps the last lines.
#[derive(Debug)]
pub struct DialogueTail {
    commands: Ring,
    answers: Ring,
    infos: Ring,
}

impl Default for DialogueTail {
    fn default() -> DialogueTail {
        DialogueTail { commands: Ring::new(COMMANDS), answers: Ring::new(ANSWERS), infos: Ring::new(INFOS) }
    }
}

impl DialogueTail {
    /// Forgets all lines.
    pub fn clear(&mut self) {
        for ring in [&mut self.commands, &mut self.answers, &mut self.infos] {
            ring.held = 0;
        }
    }

    /// A command has been sent.
    pub fn sent(&mut self, number: u64, at: Instant, line: &[u8]) {
        self.commands.push(number, at, line, HEAD);
    }

    /// The engine has said this.
    pub fn said(&mut self, number: u64, at: Instant, line: &[u8]) {
        let ring = if starts_with_word(line, b"info") { &mut self.infos } else { &mut self.answers };
        ring.push(number, at, line, TEXT_CAP);
    }

    /// What is kept, in order, with times counted from `zero`.
    pub fn lines(&self, zero: Instant, extent: Extent) -> Vec<DialogueLine> {
        let kinds = [
            (&self.commands, Direction::Sent),
            (&self.answers, Direction::Said),
            (&self.infos, Direction::Said),
        ];
        let kept = kinds.into_iter().flat_map(|(ring, direction)| {
            let most = if extent == Extent::Short { FEW } else { usize::MAX };
            ring.last(most).map(move |slot| slot.line(zero, direction))
        });
        let mut lines: Vec<DialogueLine> = kept.collect();
        lines.sort_unstable_by_key(|line| line.number);
        lines
    }
}

/// When something happened, counted from `zero`; before it, negative.
pub fn offset(at: Instant, zero: Instant) -> SignedDuration {
    let signed = |duration| SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX);
    match at.checked_duration_since(zero) {
        Some(after) => signed(after),
        None => -signed(zero.duration_since(at)),
    }
}

/// Bytes of a line as readable text, with the mark of what is missing after `head`.
pub fn text(head: &[u8], rest: Option<&[u8]>) -> String {
    let Some(rest) = rest else { return readable(head) };
    // A move that is cut would be read as another one.
    let last_word = head.iter().rev().take(MOVE_LENGTH).position(|byte| *byte == b' ');
    let head = last_word.map_or(head, |length| &head[..head.len() - length - 1]);
    let first_word = rest.iter().take(MOVE_LENGTH).position(|byte| *byte == b' ');
    let rest = first_word.map_or(rest, |length| &rest[length + 1..]);
    let (head, rest) = (readable(head), readable(rest));
    let (head, rest) = (head.trim_end_matches('\u{fffd}'), rest.trim_start_matches('\u{fffd}'));
    if rest.is_empty() { format!("{head} …") } else { format!("{head} … {rest}") }
}

fn readable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    // As nearly all lines.
    if text.chars().all(|character| !character.is_control()) {
        return text.into_owned();
    }
    text.chars().flat_map(visible).collect()
}

/// The last lines of one kind.
#[derive(Debug)]
struct Ring {
    slots: Box<[Slot]>,
    /// The slot for the next line.
    next: usize,
    held: usize,
}

impl Ring {
    fn new(lines: usize) -> Ring {
        let empty = || Slot { number: 0, at: Instant::now(), length: 0, cut_at: None, bytes: [0; TEXT_CAP] };
        Ring { slots: std::iter::repeat_with(empty).take(lines).collect(), next: 0, held: 0 }
    }

    /// Of a long line, `head` bytes of its start and as many of its end as there is room for.
    fn push(&mut self, number: u64, at: Instant, line: &[u8], head: usize) {
        let Some(slot) = self.slots.get_mut(self.next) else { return };
        slot.number = number;
        slot.at = at;
        slot.length = line.len().min(TEXT_CAP);
        slot.cut_at = (line.len() > TEXT_CAP).then_some(head);
        match slot.cut_at {
            None => slot.bytes[..line.len()].copy_from_slice(line),
            Some(head) => {
                slot.bytes[..head].copy_from_slice(&line[..head]);
                slot.bytes[head..].copy_from_slice(&line[line.len() - (TEXT_CAP - head)..]);
            }
        }
        self.next = (self.next + 1) % self.slots.len();
        self.held = (self.held + 1).min(self.slots.len());
    }

    /// The last ones, at most so many, in order.
    fn last(&self, most: usize) -> impl Iterator<Item = &Slot> {
        let lines = self.held.min(most);
        let first = self.next + self.slots.len() - lines;
        (first..first + lines).filter_map(|index| self.slots.get(index % self.slots.len()))
    }
}

#[derive(Debug)]
struct Slot {
    number: u64,
    at: Instant,
    length: usize,
    /// Where bytes are missing.
    cut_at: Option<usize>,
    bytes: [u8; TEXT_CAP],
}

impl Slot {
    fn line(&self, zero: Instant, direction: Direction) -> DialogueLine {
        let kept = &self.bytes[..self.length];
        let text = match self.cut_at.and_then(|cut| kept.split_at_checked(cut)) {
            None => text(kept, None),
            Some((head, rest)) => text(head, Some(rest)),
        };
        DialogueLine { number: Some(self.number), at: offset(self.at, zero), direction, text }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn texts(lines: &[DialogueLine]) -> Vec<&str> {
        lines.iter().map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn lines_come_in_their_order_with_number_time_and_direction() {
        let zero = Instant::now();
        let mut tail = DialogueTail::default();
        tail.sent(7, zero - Duration::from_millis(2), b"isready");
        tail.said(8, zero, b"readyok");
        tail.sent(9, zero + Duration::from_millis(1), b"go depth 1");
        tail.said(10, zero + Duration::from_millis(2), b"info depth 1");
        tail.said(12, zero + Duration::from_millis(3), b"bestmove e2e4\x07");
        let lines = tail.lines(zero, Extent::Whole);
        let told: Vec<String> = lines
            .iter()
            .map(|line| {
                let number = line.number.unwrap();
                format!("#{number} {} {} {}", line.at.as_millis(), line.direction.mark(), line.text)
            })
            .collect();
        assert_eq!(
            told,
            [
                "#7 -2 < isready",
                "#8 0 > readyok",
                "#9 1 < go depth 1",
                "#10 2 > info depth 1",
                "#12 3 > bestmove e2e4\\x07"
            ]
        );
        tail.clear();
        assert_eq!(tail.lines(zero, Extent::Whole), []);
    }

    #[test]
    fn a_flood_of_one_kind_of_line_pushes_out_no_other() {
        let zero = Instant::now();
        let mut tail = DialogueTail::default();
        tail.sent(1, zero, b"go infinite");
        tail.said(2, zero, b"readyok");
        for number in 3..=10_000 {
            tail.said(number, zero, format!("info depth {number}").as_bytes());
        }
        tail.sent(10_001, zero, b"stop");
        let lines = tail.lines(zero, Extent::Whole);
        assert_eq!(lines.len(), 3 + INFOS);
        assert_eq!(texts(&lines)[..2], ["go infinite", "readyok"]);
        assert_eq!(texts(&lines)[2..4], ["info depth 9989", "info depth 9990"]);
        assert_eq!(texts(&lines)[1 + INFOS..], ["info depth 10000", "stop"]);
        for number in 20_000..20_100 {
            tail.sent(number, zero, b"isready");
            tail.said(number, zero, b"nonsense");
        }
        assert_eq!(tail.lines(zero, Extent::Whole).len(), COMMANDS + ANSWERS + INFOS);
        assert_eq!(tail.lines(zero, Extent::Short).len(), 3 * FEW);
    }

    #[test]
    fn long_lines_are_cut_at_words_commands_in_the_middle() {
        let zero = Instant::now();
        let moves: Vec<String> = (0..300).map(|ply| format!("m{ply:03}")).collect();
        let moves = moves.join(" ");
        let mut tail = DialogueTail::default();
        tail.sent(1, zero, format!("position startpos moves {moves}").as_bytes());
        tail.said(2, zero, format!("info depth 9 pv {moves}").as_bytes());
        tail.said(3, zero, format!("bestmove {}", "é".repeat(1000)).as_bytes());
        let lines = tail.lines(zero, Extent::Whole);
        assert!(lines[0].text.starts_with("position startpos moves m000 m001 "), "{}", lines[0].text);
        assert!(lines[0].text.contains("m018 … m244 m245"), "{}", lines[0].text);
        assert!(lines[0].text.ends_with(" m299"), "{}", lines[0].text);
        assert!(lines[1].text.starts_with("info depth 9 pv m000"), "{}", lines[1].text);
        assert!(lines[1].text.ends_with(" m075 …"), "{}", lines[1].text);
        assert!(
            lines[2].text.starts_with("bestmove ééé") && lines[2].text.ends_with("é …"),
            "{}",
            lines[2].text
        );
        assert!(lines.iter().all(|line| line.text.len() <= TEXT_CAP + " … ".len()), "{lines:?}");
    }

    #[test]
    fn a_line_of_just_the_most_bytes_is_whole() {
        let zero = Instant::now();
        let mut tail = DialogueTail::default();
        for length in [0, TEXT_CAP - 1, TEXT_CAP] {
            tail.sent(1, zero, &vec![b'x'; length]);
            let lines = tail.lines(zero, Extent::Whole);
            assert_eq!(lines.last().unwrap().text, "x".repeat(length));
        }
    }
}

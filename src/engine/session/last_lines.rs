//! The end of the dialogue with an engine, as evidence: what it was sent, what it said, what it wrote to stderr.

use std::time::Instant;

use super::Engine;
use crate::engine::dialogue_tail::{self, DialogueLine, Direction, Extent, FEW, TEXT_CAP};

/// Lines of stderr in a whole evidence.
const STDERR_LINES: usize = 12;

impl Engine {
    /// The last lines since `ucinewgame`, or since its start where it has had none, in the order of their times, counted
    /// from `zero`.
    pub fn last_lines(&self, zero: Instant, extent: Extent) -> Vec<DialogueLine> {
        let mut lines = self.dialogue.tail().lines(zero, extent);
        let most = if extent == Extent::Short { FEW } else { STDERR_LINES };
        let on_stderr = self.link.process().stderr.lines_since(self.stderr_before, most);
        if on_stderr.is_empty() {
            return lines;
        }
        lines.extend(on_stderr.into_iter().map(|(at, line)| {
            let text = match line.split_at_checked(TEXT_CAP) {
                Some((head, rest)) if !rest.is_empty() => dialogue_tail::text(head, Some(&[])),
                _ => dialogue_tail::text(&line, None),
            };
            DialogueLine {
                number: None,
                at: dialogue_tail::offset(at, zero),
                direction: Direction::Stderr,
                text,
            }
        }));
        // What was read in one go keeps its order.
        lines.sort_by_key(|line| line.at);
        lines
    }
}

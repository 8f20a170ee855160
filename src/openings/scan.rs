//! The lexical side of PGN: tags and the words of the main line, with comments and variations left out.
//!
//! The library's reader (pgn-reader) passes over what it can't read as a move without a word and tells no places.
//! A book line with such a gap would be played as another line, so the words are found here; what they mean is
//! still the library's to say. Index and parser use this same scanner, line by line.

use std::ops::ControlFlow;

/// What stands in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item<'a> {
    /// A tag; without a value where quotes or brackets are missing.
    Tag { name: &'a [u8], value: Option<&'a [u8]> },
    /// A word of the main line: a move, a number, a result or nonsense.
    Word(&'a [u8]),
}

/// What is open at the end of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scanner {
    in_comment: bool,
    variations: u32,
}

impl Scanner {
    /// What is still open, in words.
    pub(super) fn unclosed(self) -> Option<&'static str> {
        match self {
            Scanner { in_comment: true, .. } => Some("a comment is not closed"),
            Scanner { variations: 1.., .. } => Some("a variation is not closed"),
            Scanner { .. } => None,
        }
    }

    /// Hands the items of a line to `sink`, each with its place in the line, until it breaks off.
    pub(super) fn scan_line<'a>(
        &mut self,
        line: &'a [u8],
        mut sink: impl FnMut(usize, Item<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // A comment that somebody forgot to close ends where the next game begins.
        if self.in_comment && line.starts_with(b"[Event \"") {
            *self = Scanner::default();
        }
        if self.in_comment {
            return self.scan_words(line, 0, &mut sink);
        }
        if line.starts_with(b"%") {
            return ControlFlow::Continue(()); // escaped to other programs
        }
        let mut at = after_blanks(line, 0);
        while line.get(at) == Some(&b'[') {
            self.variations = 0;
            let (tag, end) = tag_at(line, at);
            sink(at, tag)?;
            at = after_blanks(line, end);
        }
        self.scan_words(line, at, &mut sink)
    }

    fn scan_words<'a>(
        &mut self,
        line: &'a [u8],
        mut at: usize,
        sink: &mut impl FnMut(usize, Item<'a>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while let Some(byte) = line.get(at) {
            if self.in_comment {
                let Some(length) = memchr::memchr(b'}', &line[at..]) else {
                    break;
                };
                self.in_comment = false;
                at += length + 1;
                continue;
            }
            match byte {
                b'{' => self.in_comment = true,
                b';' => break,
                b'(' => self.variations = self.variations.saturating_add(1),
                b')' => self.variations = self.variations.saturating_sub(1),
                byte if is_word(*byte) => {
                    let length = line[at..].iter().take_while(|byte| is_word(**byte)).count();
                    if self.variations == 0 {
                        sink(at, Item::Word(&line[at..at + length]))?;
                    }
                    at += length;
                    continue;
                }
                b'*' if self.variations == 0 => sink(at, Item::Word(b"*"))?,
                _ => {}
            }
            at += 1;
        }
        ControlFlow::Continue(())
    }
}

/// Whether a word ends a game.
pub(super) fn is_result(word: &[u8]) -> bool {
    const RESULTS: [&str; 11] =
        ["*", "1-0", "0-1", "1/2-1/2", "1/2", "1–0", "0–1", "1/2–1/2", "½-½", "½–½", "½"];
    RESULTS.iter().any(|result| result.as_bytes() == word)
}

fn is_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !b"{}();*\0".contains(&byte)
}

fn after_blanks(line: &[u8], at: usize) -> usize {
    at + line[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The tag at a `[`, and where it ends. One that is not closed reaches to the end of the line.
fn tag_at(line: &[u8], at: usize) -> (Item<'_>, usize) {
    let start = after_blanks(line, at + 1);
    let name_length =
        line[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let name = &line[start..start + name_length];
    let open = Item::Tag { name, value: None };
    let quote = after_blanks(line, start + name_length);
    if line.get(quote) != Some(&b'"') {
        return (open, line.len());
    }
    let mut end = quote + 1;
    while let Some(byte) = line.get(end).filter(|byte| **byte != b'"') {
        end += if *byte == b'\\' { 2 } else { 1 };
    }
    let bracket = after_blanks(line, (end + 1).min(line.len()));
    if line.get(bracket) != Some(&b']') {
        return (open, line.len());
    }
    (Item::Tag { name, value: Some(&line[quote + 1..end]) }, bracket + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(lines: &[&str]) -> (Vec<String>, Scanner) {
        let mut found = Vec::new();
        let mut scanner = Scanner::default();
        for line in lines {
            let _ = scanner.scan_line(line.as_bytes(), |_, item| {
                found.push(match item {
                    Item::Word(word) => String::from_utf8_lossy(word).into_owned(),
                    Item::Tag { name, value } => format!(
                        "{}={}",
                        String::from_utf8_lossy(name),
                        value.map_or("?".into(), String::from_utf8_lossy)
                    ),
                });
                ControlFlow::Continue(())
            });
        }
        (found, scanner)
    }

    #[test]
    fn comments_variations_and_escapes_are_left_out() {
        let (words, scanner) = items(&[
            "1.e4 {a (comment; } e5 (1... c5 {in a ) variation} (1... d5) 2. Nf3) 2.Nf3 ; to the end {",
            "%escaped { line",
            "Nc6 {over",
            "[Site \"not a tag\"]",
            "lines} Bb5* a6",
        ]);
        assert_eq!(words, ["1.e4", "e5", "2.Nf3", "Nc6", "Bb5", "*", "a6"]);
        assert_eq!(scanner.unclosed(), None);
    }

    #[test]
    fn tags_are_read_as_far_as_they_are_well_formed() {
        let (found, _) = items(&[
            r#"[White "a \"b\" c"] [Black"x"][ Round "1" ] 1. d4"#,
            r#"[FEN "8/8 w - -]"#,
            r#"[Event "un"quoted"]"#,
            r#"[Event "\"#,
            "[",
        ]);
        let expected =
            [r#"White=a \"b\" c"#, "Black=x", "Round=1", "1.", "d4", "FEN=?", "Event=?", "Event=?", "=?"];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_not_closed_is_known_and_ends_with_the_game() {
        assert_eq!(items(&["1. e4 {never"]).1.unclosed(), Some("a comment is not closed"));
        assert_eq!(items(&["1. e4 (1. d4"]).1.unclosed(), Some("a variation is not closed"));
        let (found, scanner) =
            items(&["1. e4 {never", "", "[Event \"next\"]", "1. d4 (", "[Event \"last\"]"]);
        assert_eq!(found, ["1.", "e4", "Event=next", "1.", "d4", "Event=last"]);
        assert_eq!(scanner, Scanner::default());
    }
}

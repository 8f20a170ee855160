//! Lines of any input, one at a time in a buffer that is used again, so that memory stays constant.

use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes: far beyond any game.
pub const LONGEST_LINE: usize = 16 << 20;

/// What the next line was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextLine {
    /// It is in [`LineInput::line`].
    Read,
    /// It was longer than the limit and has been skipped.
    TooLong,
    /// There is none.
    End,
}

/// A reader of lines with a limit on their length.
#[derive(Debug)]
pub struct LineInput<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    limit: usize,
}

impl<R: BufRead> LineInput<R> {
    /// Reads from `input`, with [`LONGEST_LINE`] as the limit.
    pub fn new(input: R) -> LineInput<R> {
        LineInput::with_limit(input, LONGEST_LINE)
    }

    fn with_limit(input: R, limit: usize) -> LineInput<R> {
        LineInput { input, line: Vec::new(), number: 0, limit }
    }

    /// The line that was read last, without its end (LF or CRLF) and without a byte order mark.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Reads the next line.
    ///
    /// # Errors
    /// Those of the input.
    pub fn advance(&mut self) -> io::Result<NextLine> {
        self.line.clear();
        let most = self.limit as u64 + 2;
        if (&mut self.input).take(most).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(NextLine::End);
        }
        self.number += 1;
        let whole = self.line.last() == Some(&b'\n');
        while matches!(self.line.last(), Some(b'\n' | b'\r')) {
            self.line.pop();
        }
        if self.line.len() > self.limit {
            self.line.clear();
            if !whole {
                self.input.skip_until(b'\n')?;
            }
            return Ok(NextLine::TooLong);
        }
        if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(NextLine::Read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Option<String>> {
        let mut input = LineInput::with_limit(text.as_bytes(), 5);
        let mut lines = Vec::new();
        loop {
            match input.advance().unwrap() {
                NextLine::Read => lines.push(Some(String::from_utf8(input.line().to_vec()).unwrap())),
                NextLine::TooLong => lines.push(None),
                NextLine::End => return lines,
            }
        }
    }

    #[test]
    fn line_ends_byte_order_mark_and_the_limit() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(lines(""), []);
        assert_eq!(lines("a\r\n\nb"), [some("a"), some(""), some("b")]);
        assert_eq!(lines("\u{feff}ab\nc\n"), [some("ab"), some("c")]);
        assert_eq!(
            lines("12345\r\n123456\r\n12345678901\n12345"),
            [some("12345"), None, None, some("12345")]
        );
    }
}

//! Bytes to lines: any bytes, in pieces of any size, ended by LF or CRLF, never longer than the cap.

/// The longest line that an engine may print, in bytes.
pub const LINE_CAP: usize = 1 << 20;

const READ_SIZE: usize = 1 << 16;

/// Collects what an engine prints and hands it out line by line. Memory is bounded by the cap.
#[derive(Debug, Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the current line starts.
    start: usize,
    /// Up to where no line end has been found.
    searched: usize,
    line: (usize, usize),
}

impl LineBuffer {
    /// Room for the next read; at least one byte.
    pub fn spare(&mut self) -> &mut Vec<u8> {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
            self.line = (0, 0);
        }
        self.bytes.reserve(READ_SIZE);
        &mut self.bytes
    }

    /// Takes the next complete line; [`LineBuffer::line`] holds it until the next call of `spare`.
    pub fn next_line(&mut self) -> bool {
        let Some(offset) = memchr::memchr(b'\n', &self.bytes[self.searched..]) else {
            self.searched = self.bytes.len();
            return false;
        };
        let end = self.searched + offset;
        self.line = (self.start, end);
        self.start = end + 1;
        self.searched = self.start;
        true
    }

    /// The line taken last, without its line end and without white space around it.
    pub fn line(&self) -> &[u8] {
        self.bytes[self.line.0..self.line.1].trim_ascii()
    }

    /// Whether the current line or the one taken last is longer than the cap.
    pub fn overlong(&self) -> bool {
        self.bytes.len() - self.start > LINE_CAP || self.line.1 - self.line.0 > LINE_CAP
    }

    /// Whether the start of a line waits for its end.
    pub fn has_partial_line(&self) -> bool {
        self.start < self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut buffer = LineBuffer::default();
        let mut lines = Vec::new();
        for piece in pieces {
            buffer.spare().extend_from_slice(piece);
            while buffer.next_line() {
                lines.push(buffer.line().to_vec());
            }
        }
        lines
    }

    #[test]
    fn p_02_line_ends_are_lf_or_crlf() {
        assert_eq!(
            lines(&[b"uciok\r\nbestmove e2e4\r", b"\n\nid\n"]),
            [&b"uciok"[..], b"bestmove e2e4", b"", b"id"]
        );
    }

    #[test]
    fn a_line_without_end_grows_to_the_cap_and_no_further() {
        let mut buffer = LineBuffer::default();
        buffer.spare().extend_from_slice(&vec![b'x'; LINE_CAP]);
        assert!(!buffer.next_line() && !buffer.overlong());
        buffer.spare().push(b'x');
        assert!(!buffer.next_line() && buffer.overlong());
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_the_pieces(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200),
            cut in 1usize..20,
        ) {
            let pieces: Vec<&[u8]> = bytes.chunks(cut).collect();
            prop_assert_eq!(lines(&pieces), lines(&[&bytes]));
        }
    }
}

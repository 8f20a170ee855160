//! The texts that settings come from, and places in them.

/// A text that settings come from: the match file, or one `--set`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// What errors call it: the path as the user gave it, or `--set`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A place in a match file or a `--set`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index into [`Sources`]: 0 is the match file, the `--set`s follow.
    pub source: usize,
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    /// How many characters of the line are meant, at least 1.
    pub width: usize,
}

impl Place {
    /// One character of the match file.
    pub fn new(line: usize, column: usize) -> Place {
        Place { source: 0, line, column, width: 1 }
    }

    /// From here to the end of `other` where both stand in one line, else only this place.
    pub(super) fn through(self, other: Place) -> Place {
        let end = other.column + other.width;
        if (self.source, self.line) == (other.source, other.line) && end > self.column {
            Place { width: end - self.column, ..self }
        } else {
            self
        }
    }
}

/// The match file and the `--set`s, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources(Vec<SourceFile>);

impl Sources {
    /// Takes in a text and gives the index that places in it use.
    pub(super) fn add(&mut self, name: &str, text: &str) -> usize {
        self.0.push(SourceFile { name: name.to_owned(), text: text.to_owned() });
        self.0.len() - 1
    }

    /// The text of this index.
    pub fn get(&self, source: usize) -> Option<&SourceFile> {
        self.0.get(source)
    }

    /// The match file.
    pub fn match_file(&self) -> Option<&SourceFile> {
        self.0.first()
    }

    /// The line of this place, without its end.
    pub(super) fn line(&self, place: Place) -> Option<&str> {
        lines(&self.get(place.source)?.text).nth(place.line.checked_sub(1)?)
    }
}

/// The lines of a text as YAML counts them: ended by LF, CR LF or CR.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r']) else {
            rest = None;
            return Some(text);
        };
        let (line, after) = text.split_at(end);
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_yaml() {
        assert_eq!(lines("a\nb\r\nc\rd\n\n").collect::<Vec<_>>(), ["a", "b", "c", "d", "", ""]);
        assert_eq!(lines("").collect::<Vec<_>>(), [""]);
    }
}

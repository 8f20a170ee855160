//! Fields of JSON lines that mean nothing: ignored, and said once.

use std::io::{self, Write};

use super::case::excerpt;

/// Fields that were ignored: each name is said once, and no more of them are kept than anyone reads.
#[derive(Debug)]
pub struct IgnoredFields {
    known: &'static [&'static str],
    said: Vec<String>,
    to_say: Vec<String>,
}

impl IgnoredFields {
    const MOST: usize = 16;

    /// Nothing ignored yet; `known` are the names that mean something.
    pub fn new(known: &'static [&'static str]) -> IgnoredFields {
        IgnoredFields { known, said: Vec::new(), to_say: Vec::new() }
    }

    /// Looks for unknown names among those of a line.
    pub fn note<'a>(&mut self, names: impl Iterator<Item = &'a String>) {
        for name in names.filter(|name| !self.known.contains(&name.as_str())) {
            let kept = self.said.len() + self.to_say.len();
            if kept < Self::MOST && !self.said.contains(name) {
                self.to_say.push(name.clone());
            }
        }
        self.to_say.sort_unstable();
    }

    /// Says the new ones, with the number of the line.
    ///
    /// # Errors
    /// Those of writing.
    pub fn say_new_ones(&mut self, line: u64, stderr: &mut dyn Write) -> io::Result<()> {
        for name in self.to_say.drain(..) {
            writeln!(stderr, "warning: line {line}: field `{}` is unknown and ignored", excerpt(&name))?;
            self.said.push(name);
        }
        Ok(())
    }
}

//! Text for a terminal: what it may hold, how many columns it takes, and how it is made to fit.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text without anything that could steer a terminal: control characters as `\x1b`, and the marks that turn the
/// direction of writing as `\u{202e}`. Line ends and tabs stay where `lines` says so.
pub fn harmless(text: &str, lines: Lines) -> String {
    let stays = |character| lines == Lines::Kept && matches!(character, '\n' | '\t');
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            character if stays(character) => shown.push(character),
            character if character.is_control() => {
                shown.push_str(&format!("\\x{:02x}", u32::from(character)));
            }
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(character.escape_unicode());
            }
            character => shown.push(character),
        }
    }
    shown
}

/// Whether line ends and tabs belong to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// They do.
    Kept,
    /// It is one line, or a part of one.
    Escaped,
}

/// The columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The text, or as much of its beginning as fits with an `…`.
pub(super) fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    let mut taken = 0;
    let fits = text.chars().take_while(|character| {
        taken += character.width().unwrap_or(0);
        taken <= room
    });
    fits.chain(['…']).collect()
}

/// The text with spaces after it, up to so many columns.
pub(super) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text with spaces before it, up to so many columns.
pub(super) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Two names as `Alpha – Beta` in so many columns; the longer one is shortened first.
pub(super) fn pair(names: [&str; 2], columns: usize) -> String {
    let [first, second] = names.map(width);
    let room = columns.saturating_sub(DASH.chars().count());
    let half = room / 2;
    let [first_room, second_room] = if first + second <= room {
        [first, second]
    } else if second <= half {
        [room - second, second]
    } else if first <= half {
        [first, room - first]
    } else {
        [room - half, half]
    };
    format!("{}{DASH}{}", shortened(names[0], first_room), shortened(names[1], second_room))
}

/// What stands between two names.
pub(super) const DASH: &str = " – ";

/// The parts that fit, in their order, two spaces between them; the first one always, shortened if need be.
pub(super) fn joined(parts: &[String], columns: usize) -> String {
    let Some((first, others)) = parts.split_first() else { return String::new() };
    let mut line = shortened(first, columns);
    for part in others {
        if width(&line) + 2 + width(part) > columns {
            break;
        }
        line.push_str("  ");
        line.push_str(part);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(harmless("a\x1b[2Jb\r\u{9b}1A\x7f", Lines::Escaped), "a\\x1b[2Jb\\x0d\\x9b1A\\x7f");
        assert_eq!(harmless("x\u{202e}y", Lines::Escaped), "x\\u{202e}y");
        assert_eq!(harmless("a\n\tb", Lines::Escaped), "a\\x0a\\x09b");
        assert_eq!(harmless("a\n\tb\x08", Lines::Kept), "a\n\tb\\x08");
        assert_eq!(harmless("Кóнь 馬 ½", Lines::Escaped), "Кóнь 馬 ½");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(width("馬車"), 4);
        assert_eq!(shortened("馬車炮", 6), "馬車炮");
        assert_eq!(shortened("馬車炮", 5), "馬車…");
        assert_eq!(shortened("馬車炮", 4), "馬…", "half a character is none");
        assert_eq!(left("馬", 4), "馬  ");
        assert_eq!(right("馬", 4), "  馬");
    }

    #[test]
    fn nothing_is_wider_than_its_room() {
        for columns in 0..30 {
            for text in ["", "a", "Stockfish 17.1", "馬車炮馬車炮馬車炮"] {
                assert!(width(&shortened(text, columns)) <= columns, "{text} in {columns}");
            }
            if columns >= 3 {
                assert!(width(&pair(["Stockfish 17.1", "馬車炮馬車炮"], columns)) <= columns, "{columns}");
            }
        }
    }

    #[test]
    fn the_longer_name_is_shortened_first() {
        assert_eq!(pair(["Stockfish", "SF"], 14), "Stockfish – SF");
        assert_eq!(pair(["Stockfish", "SF"], 10), "Stoc… – SF");
        assert_eq!(pair(["SF", "Stockfish"], 10), "SF – Stoc…");
        assert_eq!(pair(["Stockfish", "Ethereal"], 13), "Stoc… – Ethe…");
    }

    #[test]
    fn parts_that_do_not_fit_are_left_out_from_the_end() {
        let parts = ["one".to_owned(), "two".to_owned(), "three".to_owned()];
        assert_eq!(joined(&parts, 80), "one  two  three");
        assert_eq!(joined(&parts, 14), "one  two");
        assert_eq!(joined(&parts, 2), "o…");
        assert_eq!(joined(&[], 2), "");
    }
}

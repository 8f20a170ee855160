//! The PGN tags of the engines' time controls.

use shakmaty::ByColor;

/// `TimeControl`, or `WhiteTimeControl` and `BlackTimeControl` where they differ. PGN has no form for delays: such a
/// control is `?`, and a tag with `Text` behind its name has it as the match file writes it.
pub(super) fn tags(controls: &ByColor<String>) -> Vec<(String, &str)> {
    let sides: &[(&str, &str)] = if controls.white == controls.black {
        &[("", &controls.white)]
    } else {
        &[("White", &controls.white), ("Black", &controls.black)]
    };
    let mut tags: Vec<(String, &str)> = Vec::new();
    for (side, control) in sides {
        // No value that PGN knows has this character.
        let text = control.contains('=').then_some(*control);
        tags.push((format!("{side}TimeControl"), if text.is_some() { "?" } else { control }));
        tags.extend(text.map(|text| (format!("{side}TimeControlText"), text)));
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_a_question_mark_and_a_text() {
        for (white, black, expected) in [
            ("60+0.6", "60+0.6", "TimeControl 60+0.6"),
            ("60+0.6", "-", "WhiteTimeControl 60+0.6, BlackTimeControl -"),
            ("60 delay=3", "60 delay=3", "TimeControl ?, TimeControlText 60 delay=3"),
            ("60", "60 delay=3", "WhiteTimeControl 60, BlackTimeControl ?, BlackTimeControlText 60 delay=3"),
            (
                "60 bronstein=3",
                "60 delay=3",
                "WhiteTimeControl ?, WhiteTimeControlText 60 bronstein=3, BlackTimeControl ?, \
                 BlackTimeControlText 60 delay=3",
            ),
        ] {
            let controls = ByColor { white: white.to_owned(), black: black.to_owned() };
            let shown: Vec<String> =
                tags(&controls).into_iter().map(|(name, value)| format!("{name} {value}")).collect();
            assert_eq!(shown.join(", "), expected);
        }
    }
}

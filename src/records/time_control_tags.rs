//! The PGN tags of the engines' time controls.

use shakmaty::ByColor;

use crate::clock::time_control::TimeControl;

/// `TimeControl`, or `WhiteTimeControl` and `BlackTimeControl` where they differ. PGN has no form for delays: such a
/// control is `?`, and a tag with `Text` behind its name has it as the match file writes it.
pub(super) fn tags(controls: &ByColor<TimeControl>) -> Vec<(String, String)> {
    let told = controls
        .as_ref()
        .map(|control| (control.pgn_tag(), control.has_delay().then(|| control.to_string())));
    let sides = if told.white == told.black {
        vec![("", told.white)]
    } else {
        vec![("White", told.white), ("Black", told.black)]
    };
    let mut tags = Vec::new();
    for (side, (tag, text)) in sides {
        tags.push((format!("{side}TimeControl"), tag));
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
            ("60+0.6", "nodes=5", "WhiteTimeControl 60+0.6, BlackTimeControl -"),
            ("60 delay=3", "60 delay=3", "TimeControl ?, TimeControlText 60 delay=3"),
            ("60", "60 delay=3", "WhiteTimeControl 60, BlackTimeControl ?, BlackTimeControlText 60 delay=3"),
            (
                "60 bronstein=3",
                "60 delay=3",
                "WhiteTimeControl ?, WhiteTimeControlText 60 bronstein=3, BlackTimeControl ?, \
                 BlackTimeControlText 60 delay=3",
            ),
        ] {
            let controls = ByColor { white: white.parse().unwrap(), black: black.parse().unwrap() };
            let shown: Vec<String> =
                tags(&controls).into_iter().map(|(name, value)| format!("{name} {value}")).collect();
            assert_eq!(shown.join(", "), expected);
        }
    }
}

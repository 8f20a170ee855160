//! UCI options: what an engine declares, and whether a setting fits it.

use std::num::IntErrorKind;

use vampirc_uci::{UciMessage, UciOptionConfig, parse_one};

use super::command::set_option;
use super::message::words;

/// An option as the engine declared it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    /// As the engine spells it.
    pub name: String,
    /// Its type with its bounds.
    pub kind: OptionKind,
}

/// The types of UCI options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The engine's default.
        default: Option<bool>,
    },
    /// A whole number; bounds that the engine doesn't tell are open.
    Spin {
        /// The engine's default.
        default: Option<i64>,
        /// The least value allowed.
        min: Option<i64>,
        /// The greatest value allowed.
        max: Option<i64>,
    },
    /// One of several words.
    Combo {
        /// The engine's default.
        default: Option<String>,
        /// The words.
        choices: Vec<String>,
    },
    /// Something to be pressed.
    Button,
    /// Free text.
    Text {
        /// The engine's default.
        default: Option<String>,
    },
}

impl DeclaredOption {
    /// Reads an `option` line; `None` if it makes no sense, which is the caller's to log.
    pub fn read(line: &str) -> Option<DeclaredOption> {
        let UciMessage::Option(option) = parse_one(line) else { return None };
        let (name, kind) = match option {
            UciOptionConfig::Check { name, default } => (name, OptionKind::Check { default }),
            UciOptionConfig::Spin { name, default, .. } => {
                // The library knows the bounds only in the order min, max, and cuts them after twelve digits.
                let (min, max) = (number_after(line, "min"), number_after(line, "max"));
                // Bounds that exclude every value tell nothing.
                let sensible = min.zip(max).is_none_or(|(min, max)| min <= max);
                let (min, max) = if sensible { (min, max) } else { (None, None) };
                let kind = OptionKind::Spin { default, min, max };
                (name, kind)
            }
            UciOptionConfig::Combo { name, default, var } => {
                (name, OptionKind::Combo { default, choices: var })
            }
            UciOptionConfig::Button { name } => (name, OptionKind::Button),
            UciOptionConfig::String { name, default } => (name, OptionKind::Text { default }),
        };
        Some(DeclaredOption { name, kind })
    }

    /// The command that sets it, or `None` for a button that is not to be pressed.
    ///
    /// # Errors
    /// Why the value doesn't fit, in words.
    pub fn set(&self, value: &str) -> Result<Option<Vec<u8>>, String> {
        let value = value.trim();
        if value.contains(['\n', '\r']) {
            return Err("a value may not contain a line end".to_owned());
        }
        let sent = match &self.kind {
            OptionKind::Button => {
                return match value.to_ascii_lowercase().as_str() {
                    "true" | "" => Ok(Some(set_option(&self.name, None))),
                    "false" => Ok(None),
                    _ => Err(format!("a button is pressed by `true`, not by `{value}`")),
                };
            }
            OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                word @ ("true" | "false") => word.to_owned(),
                _ => return Err(format!("must be true or false, not `{value}`")),
            },
            OptionKind::Spin { min, max, .. } => spin_value(value, *min, *max)?,
            OptionKind::Combo { choices, .. } => choice(value, choices)?,
            OptionKind::Text { .. } if value.is_empty() => "<empty>".to_owned(),
            OptionKind::Text { .. } => value.to_owned(),
        };
        Ok(Some(set_option(&self.name, Some(&sent))))
    }

    /// Type, default and bounds in words: `spin 1..1024, default 16`.
    pub fn describe(&self) -> String {
        let shown = |value: Option<String>| value.map_or(String::new(), |value| format!(", default {value}"));
        match &self.kind {
            OptionKind::Check { default } => {
                format!("check{}", shown(default.map(|value| value.to_string())))
            }
            OptionKind::Spin { default, min, max } => {
                let bound = |value: &Option<i64>| value.map_or(String::new(), |value| value.to_string());
                let default = shown(default.map(|value| value.to_string()));
                format!("spin {}..{}{default}", bound(min), bound(max))
            }
            OptionKind::Combo { default, choices } => {
                format!("combo {}{}", choices.join("|"), shown(default.clone()))
            }
            OptionKind::Button => "button".to_owned(),
            OptionKind::Text { default } => {
                let default = default.clone().filter(|text| !text.is_empty());
                format!("string{}", shown(default))
            }
        }
    }
}

/// Finds a declared option; UCI names are the same whatever the case of their letters.
pub fn find<'a>(declared: &'a [DeclaredOption], name: &str) -> Option<&'a DeclaredOption> {
    declared.iter().find(|option| option.name.eq_ignore_ascii_case(name.trim()))
}

fn number_after(line: &str, keyword: &str) -> Option<i64> {
    let words: Vec<&[u8]> = words(line.as_bytes()).collect();
    let type_at = words.iter().position(|word| word.eq_ignore_ascii_case(b"type"))?;
    let at =
        words.iter().skip(type_at).position(|word| word.eq_ignore_ascii_case(keyword.as_bytes()))? + type_at;
    whole_number(std::str::from_utf8(words.get(at + 1)?).ok()?)
}

/// A number beyond the bounds of an `i64` counts as that bound.
fn whole_number(word: &str) -> Option<i64> {
    match word.parse::<i64>() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}

fn spin_value(value: &str, min: Option<i64>, max: Option<i64>) -> Result<String, String> {
    let number: i64 = value.parse().map_err(|_| format!("must be a whole number, not `{value}`"))?;
    if let Some(min) = min.filter(|min| number < *min) {
        return Err(format!("must be at least {min}, not {number}"));
    }
    if let Some(max) = max.filter(|max| number > *max) {
        return Err(format!("must be at most {max}, not {number}"));
    }
    Ok(number.to_string())
}

fn choice(value: &str, choices: &[String]) -> Result<String, String> {
    let found = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
    found.cloned().ok_or_else(|| format!("must be one of {}, not `{value}`", choices.join(", ")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> DeclaredOption {
        DeclaredOption::read(line).unwrap_or_else(|| panic!("unreadable: {line}"))
    }

    fn sent(line: &str, value: &str) -> Result<String, String> {
        read(line).set(value).map(|text| text.map_or(String::new(), |text| String::from_utf8(text).unwrap()))
    }

    #[test]
    fn p_04_free_text_may_contain_key_words() {
        let option = read("option name NalimovPath type string default c:\\max\\min 3");
        assert_eq!(option.kind, OptionKind::Text { default: Some("c:\\max\\min 3".to_owned()) });
    }

    #[test]
    fn p_05_the_case_of_a_default_does_not_matter() {
        let option = read("option name UCI_Chess960 type check default False");
        assert_eq!(option.kind, OptionKind::Check { default: Some(false) });
    }

    #[test]
    fn p_23_bounds_may_be_missing_or_in_either_order() {
        let open = read("option name X type spin default 5");
        assert_eq!(open.kind, OptionKind::Spin { default: Some(5), min: None, max: None });
        let swapped = read("option name A type spin default 1 max 5 min 0");
        assert_eq!(swapped.kind, OptionKind::Spin { default: Some(1), min: Some(0), max: Some(5) });
    }

    #[test]
    fn p_23_bounds_that_exclude_every_value_count_as_missing() {
        let option = read("option name Hash type spin default 16 min 1024 max 1");
        assert_eq!(option.kind, OptionKind::Spin { default: Some(16), min: None, max: None });
    }

    #[test]
    fn p_23_bounds_may_be_longer_than_twelve_digits() {
        let option = read("option name Seed type spin default 0 min -1 max 18446744073709551615");
        assert!(option.set("9000000000000000000").is_ok());
        let option = read("option name Seed type spin default 0 min -9223372036854775808 max 10000000000000");
        assert!(option.set("-9000000000000000000").is_ok());
        assert!(option.set("10000000000001").is_err());
    }

    #[test]
    fn p_23_values_out_of_range_are_refused() {
        let hash = "option name Hash type spin default 16 min 1 max 1024";
        assert_eq!(sent(hash, "32").unwrap(), "setoption name Hash value 32\n");
        assert_eq!(sent(hash, "0"), Err("must be at least 1, not 0".to_owned()));
        assert_eq!(sent(hash, "2048"), Err("must be at most 1024, not 2048".to_owned()));
        assert_eq!(sent(hash, "many"), Err("must be a whole number, not `many`".to_owned()));
        let style = "option name Style type combo default Solid var Solid var Risky";
        assert_eq!(sent(style, "risky").unwrap(), "setoption name Style value Risky\n");
        assert!(sent(style, "wild").is_err());
        assert_eq!(
            sent("option name Clear Hash type button", "true").unwrap(),
            "setoption name Clear Hash\n"
        );
        assert_eq!(sent("option name Clear Hash type button", "false").unwrap(), "");
        assert_eq!(
            sent("option name Book type string default x", "").unwrap(),
            "setoption name Book value <empty>\n"
        );
        assert!(sent("option name Own type check default true", "on").is_err());
    }

    proptest! {
        #[test]
        fn any_option_line_is_read_or_refused(rest in "\\PC{0,60}") {
            let _ = DeclaredOption::read(&format!("option {rest}"));
            let _ = DeclaredOption::read(&format!("option name {rest} type spin default {rest} min {rest}"));
        }
    }
}

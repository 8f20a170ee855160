//! The shape of settings whose features come later: checked, so that a mistake in them is not hidden.

use super::keys::{self, KeySet};
use super::reader::{self, Problems, Section};
use super::tree::Node;

/// What a value must look like.
enum Shape {
    Bool,
    Int(i128, i128),
    Number,
    Text,
    Map(&'static KeySet, &'static [(&'static str, Shape)]),
}

const FAULTS: Shape = Shape::Int(0, 1_000_000_000);

const TOP: &[(&str, Shape)] = &[(
    "require",
    Shape::Map(
        &keys::REQUIRE,
        &[
            ("min_score", Shape::Number),
            ("max_time_forfeits", FAULTS),
            ("max_crashes", FAULTS),
            ("max_illegal_moves", FAULTS),
            ("ends_by_law", Shape::Bool),
        ],
    ),
)];

const OUTPUT: &[(&str, Shape)] = &[("junit", Shape::Text)];

/// The keys at the top of the file that come later.
pub(super) fn check_top(section: Section<'_>, problems: &mut Problems) {
    check_all(section, TOP, problems);
}

/// The keys of `output` that come later.
pub(super) fn check_output(section: Section<'_>, problems: &mut Problems) {
    check_all(section, OUTPUT, problems);
}

fn check_all(section: Section<'_>, shapes: &[(&str, Shape)], problems: &mut Problems) {
    for (key, shape) in shapes {
        if let Some(value) = section.value(key) {
            shape.check(value, key, problems);
        }
    }
}

impl Shape {
    fn check(&self, node: &Node, key: &str, problems: &mut Problems) {
        match self {
            Shape::Bool => drop(reader::bool(node, key, problems)),
            Shape::Int(least, most) => drop(reader::integer(node, key, *least..=*most, problems)),
            Shape::Number => drop(reader::number(node, key, problems)),
            Shape::Text => drop(reader::text(node, key, problems)),
            Shape::Map(keys, shapes) => {
                if let Some(section) = Section::open(node, &format!("`{key}`"), keys, problems) {
                    check_all(section, shapes, problems);
                }
            }
        }
    }
}

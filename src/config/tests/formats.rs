//! `format`, `seeds` and `rounds` together with the number of engines.

use super::*;
use crate::config::settings::Format;

fn file(engines: usize, lines: &str) -> String {
    let list: Vec<String> = (0..engines).map(|number| format!("{{name: E{number}, command: e}}")).collect();
    format!("engines: [{}]\n{lines}\n", list.join(", "))
}

#[test]
fn formats() {
    for (engines, lines, format) in [
        (2, "", Format::Match),
        (2, "format: match\nseeds: 1", Format::Match),
        (5, "format: round_robin\nrounds: 100", Format::RoundRobin),
        (2, "format: gauntlet", Format::Gauntlet { seeds: 1 }),
        (5, "format: gauntlet\nseeds: 4", Format::Gauntlet { seeds: 4 }),
        (3, "format: knockout\nrounds: 9", Format::Knockout),
        (7, "format: swiss\nrounds: 7", Format::Swiss),
        (8, "format: swiss\nrounds: 7", Format::Swiss),
    ] {
        assert_eq!(parsed(&file(engines, lines)).settings.format, format, "{lines}");
    }
}

#[test]
fn formats_that_so_many_engines_can_not_play_are_refused() {
    for (engines, lines, error) in [
        (3, "format: match", "a match is between two engines, and these are 3"),
        (1, "format: round_robin", "a round robin needs two engines, and here is only one"),
        (0, "format: gauntlet", "a gauntlet needs two engines, and here is none"),
        (3, "format: gauntlet\nseeds: 3", "`seeds` is 3, and of 3 engines none is left to meet them"),
        (2, "format: knockout", "a knockout needs three engines, and here are only 2"),
        (2, "format: swiss", "a Swiss tournament needs three engines, and here are only 2"),
        (6, "format: swiss\nrounds: 6", "after 5 rounds each of 6 engines has met all the others"),
        (5, "format: swiss\nrounds: 6", "after 5 rounds each of 5 engines has met all the others"),
        (3, "format: round_robin\nseeds: 2", "`seeds` belongs to the format `gauntlet`"),
        (3, "format: gauntlet\nseeds: 0", "`seeds` must be a whole number from 1 to 10000, not `0`"),
    ] {
        assert_eq!(messages(&file(engines, lines)), [error], "{lines}");
    }
}

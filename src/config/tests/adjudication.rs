//! `adjudication` in a match file.

use std::num::NonZeroU32;

use super::*;
use crate::config::settings::*;
use crate::law::adjudication::{DrawRule, ResignRule};

fn read(lines: &str) -> AdjudicationSettings {
    parsed(&format!("{TWO}adjudication: {lines}\n")).settings.adjudication
}

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap()
}

#[test]
fn nothing_is_adjudicated_by_default() {
    let off = AdjudicationSettings::default();
    assert_eq!(parsed(TWO).settings.adjudication, off);
    for lines in ["null", "{}", "{draw: null, resign: , max_moves: ~, tablebase: null}"] {
        assert_eq!(read(lines), off, "{lines}");
    }
}

#[test]
fn a_rule_that_is_named_is_on_and_has_its_defaults() {
    let usual = AdjudicationSettings {
        draw: Some(DrawRule {
            from_move: number(40),
            count: number(8),
            centipawns: 10,
            reset_on_zeroing: false,
        }),
        resign: Some(ResignRule { count: number(3), centipawns: number(600), two_sided: false }),
        ..AdjudicationSettings::default()
    };
    assert_eq!(read("{draw: {}, resign: {}}"), usual);
    let set = AdjudicationSettings {
        draw: Some(DrawRule {
            from_move: number(1),
            count: number(2),
            centipawns: 0,
            reset_on_zeroing: true,
        }),
        resign: Some(ResignRule { count: number(4), centipawns: number(5), two_sided: true }),
        max_moves: Some(number(200)),
        tablebase: None,
    };
    let lines = "{draw: {move: 1, count: 2, score: 0, reset_on_zeroing: true}, resign: {count: 4, score: 5, two_sided: true}, max_moves: 200}";
    assert_eq!(read(lines), set);
}

#[test]
fn folders_of_tables_are_relative_to_the_match_file() {
    let tables = |lines: &str| read(&format!("{{tablebase: {{{lines}}}}}")).tablebase.unwrap();
    let settings = tables("path: 'wdl:/far/dtz::', pieces: 5, ignore_fifty: true");
    assert_eq!(settings.folders, [Path::new("/base/wdl"), Path::new("/far/dtz")]);
    assert_eq!((settings.men, settings.ignore_fifty), (Some(5), true));
    let settings = tables("path: ../syzygy");
    assert_eq!(settings.folders, [Path::new("/base/../syzygy")]);
    assert_eq!((settings.men, settings.ignore_fifty), (None, false));
    assert_eq!((settings.place.line, settings.place.column), (4, 34));
}

#[test]
fn what_can_not_be_is_refused() {
    for (lines, error) in [
        ("5", "`adjudication` must be a mapping of keys to values, not `5`"),
        ("{draws: {}}", "unknown key `draws`"),
        ("{draw: true}", "`draw` must be a mapping of keys to values, not `true`"),
        ("{draw: {movenumber: 40}}", "unknown key `movenumber`"),
        ("{draw: {move: 0}}", "`move` must be a whole number from 1 to 10000, not `0`"),
        ("{draw: {count: 0}}", "`count` must be a whole number from 1 to 10000, not `0`"),
        ("{draw: {score: -1}}", "`score` must be a whole number from 0 to 100000, not `-1`"),
        ("{draw: {reset_on_zeroing: 1}}", "`reset_on_zeroing` must be `true` or `false`, not `1`"),
        ("{resign: {count: 0}}", "`count` must be a whole number from 1 to 10000, not `0`"),
        ("{resign: {score: 0}}", "`score` must be a whole number from 1 to 100000, not `0`"),
        ("{resign: {score: 6.0}}", "`score` must be a whole number from 1 to 100000, not `6.0`"),
        ("{resign: {two_sided: both}}", "`two_sided` must be `true` or `false`, not `both`"),
        ("{max_moves: 0}", "`max_moves` must be a whole number from 1 to 10000, not `0`"),
        ("{tablebase: syzygy}", "`tablebase` must be a mapping of keys to values, not `syzygy`"),
        ("{tablebase: {pieces: 5}}", "`tablebase` has no `path`"),
        ("{tablebase: {path: ':'}}", "`path` names no folder: `:`"),
        ("{tablebase: {path: x, pieces: 8}}", "`pieces` must be a whole number from 3 to 7, not `8`"),
        ("{tablebase: {path: x, pieces: 2}}", "`pieces` must be a whole number from 3 to 7, not `2`"),
    ] {
        assert_eq!(error_of(&format!("adjudication: {lines}")), error);
    }
}

#[test]
fn folders_of_tables_have_to_be_there() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("here")).unwrap();
    let file = dir.path().join("match.yaml");
    let text =
        format!("{}adjudication: {{tablebase: {{path: 'here:gone'}}}}\n", TWO.replace(" a }", " arbiter }"));
    std::fs::write(&file, text.replace(" b }", " arbiter }")).unwrap();
    let errors = load(&file, &[]).unwrap_err().errors;
    assert_eq!(errors.len(), 1, "{errors:?}");
    let gone = dir.path().join("gone");
    assert_eq!(errors[0].message, format!("`path` `{}`: no such file or directory", gone.display()));
}

use shakmaty::CastlingMode;

use super::*;
use crate::law::notation::fen;

#[path = "../../tests/support/shared.rs"]
mod shared;

const WHITE: Option<TableAnswer> = Some(TableAnswer::Wins(Color::White));
const BLACK: Option<TableAnswer> = Some(TableAnswer::Wins(Color::Black));
const DRAW: Option<TableAnswer> = Some(TableAnswer::Draw);
const TOO_LONG: Option<TableAnswer> = Some(TableAnswer::TooLong);

fn position(text: &str) -> Chess {
    fen::parse(text, CastlingMode::Standard).unwrap().chess
}

/// The tables of the shared folder, if it is there.
fn tables(men: Option<usize>, ignore_fifty: bool) -> Option<Tables> {
    let (tables, found) = Tables::open(&[shared::shared("syzygy")?], men, ignore_fifty).unwrap();
    assert_eq!(found.to_string(), "3 men (all 5), 4 men (all 30)");
    Some(tables)
}

#[test]
fn r_37_values_alone_hold_at_a_halfmove_clock_of_zero() {
    use Wdl::{BlessedLoss, CursedWin, Draw, Loss, Win};
    for (value, at_zero, later, ignoring) in [
        (Win, WHITE, None, WHITE),
        (CursedWin, TOO_LONG, TOO_LONG, WHITE),
        (Draw, DRAW, DRAW, DRAW),
        (BlessedLoss, TOO_LONG, TOO_LONG, BLACK),
        (Loss, BLACK, None, BLACK),
    ] {
        assert_eq!(by_value(Color::White, value, 0, false), at_zero, "{value:?}");
        assert_eq!(by_value(Color::White, value, 1, false), later, "{value:?}");
        assert_eq!(by_value(Color::White, value, 1, true), ignoring, "{value:?}");
        // The value is that of the side to move.
        assert_eq!(by_value(Color::Black, -value, 0, true), ignoring, "{value:?}");
    }
}

#[test]
fn r_37_distances_hold_unless_they_are_rounded() {
    use AmbiguousWdl::{BlessedLoss, CursedWin, Draw, Loss, MaybeLoss, MaybeWin, Win};
    for (value, answer) in [
        (Win, WHITE),
        (MaybeWin, None),
        (CursedWin, TOO_LONG),
        (Draw, DRAW),
        (BlessedLoss, TOO_LONG),
        (MaybeLoss, None),
        (Loss, BLACK),
    ] {
        assert_eq!(by_distance(Color::White, value, 99), answer, "{value:?}");
    }
    // The claim is the opponent's, and this may be mate.
    assert_eq!(by_distance(Color::White, CursedWin, 100), None);
    assert_eq!(by_distance(Color::White, Draw, 100), DRAW);
}

#[test]
fn r_37_the_fifty_move_rule_takes_wins_away() {
    let (Some(tables), Some(ignoring)) = (tables(None, false), tables(None, true)) else { return };
    // The queen needs 60 plies to win the rook, by a table that rounds; knight and bishop need 64 to mate.
    for (position_text, clock, answer, when_ignored) in [
        ("8/8/8/8/7Q/3k4/2r5/3K4 b - -", 0, WHITE, WHITE),
        ("8/8/8/8/7Q/3k4/2r5/3K4 b - -", 39, WHITE, WHITE),
        ("8/8/8/8/7Q/3k4/2r5/3K4 b - -", 40, None, WHITE),
        ("8/8/8/8/7Q/3k4/2r5/3K4 b - -", 41, TOO_LONG, WHITE),
        ("8/8/8/8/7q/3K4/2R5/3k4 w - -", 41, TOO_LONG, BLACK),
        ("N6K/8/6kB/8/8/8/8/8 w - -", 35, WHITE, WHITE),
        ("N6K/8/6kB/8/8/8/8/8 w - -", 36, None, WHITE),
        ("N6K/8/6kB/8/8/8/8/8 w - -", 37, TOO_LONG, WHITE),
        ("N6K/8/6kB/8/8/8/8/8 w - -", 99, TOO_LONG, WHITE),
        // A capture is possible at once, in time even at 99.
        ("8/8/1k6/8/p3K3/8/R7/8 w - -", 99, WHITE, WHITE),
        ("8/8/1k6/8/p3K3/8/R7/8 w - -", 100, None, WHITE),
        // A drawn endgame is drawn whatever the clock says.
        ("8/8/8/8/4k3/8/8/R3K2n w - -", 90, DRAW, DRAW),
    ] {
        let position = position(&format!("{position_text} {clock} 80"));
        assert_eq!(tables.answer(&position), answer, "{position_text} {clock}");
        assert_eq!(ignoring.answer(&position), when_ignored, "{position_text} {clock}");
    }
}

#[test]
fn positions_outside_the_tables_have_no_answer() {
    let Some(all) = tables(None, false) else { return };
    assert_eq!(all.men(), 4);
    let rook = |rights: &str| position(&format!("4k3/8/8/8/8/8/8/4K2R w {rights} - 0 1"));
    assert_eq!(all.answer(&rook("-")), WHITE);
    assert_eq!(all.answer(&rook("K")), None, "tables know no castling");
    assert_eq!(all.answer(&position("4k3/8/8/8/8/8/8/3QK2R w - - 0 1")), WHITE);
    assert_eq!(all.answer(&position("4k3/8/8/8/8/8/8/2BQK2R w - - 0 1")), None, "five men");
    let Some(three) = tables(Some(3), false) else { return };
    assert_eq!(three.answer(&rook("-")), WHITE);
    assert_eq!(three.answer(&position("4k3/8/8/8/8/8/8/3QK2R w - - 0 1")), None, "four men");
    // Five tables of each kind, though the folder has more.
    let (_, found) = Tables::open(&[shared::shared("syzygy").unwrap()], Some(3), false).unwrap();
    assert_eq!(found.files(3), 10);
}

#[test]
fn a_capture_en_passant_is_seen() {
    let Some(tables) = tables(None, false) else { return };
    // White's pawn has just made two steps; if it can't be captured it runs through.
    let text = |square: &str| position(&format!("8/8/8/8/KpP5/8/8/6k1 b - {square} 0 1"));
    let (with, without) = (tables.answer(&text("c3")), tables.answer(&text("-")));
    assert_eq!((with, without), (DRAW, WHITE));
}

/// A folder with some of the shared tables.
fn some_tables(files: &[&str]) -> Option<tempfile::TempDir> {
    let (folder, source) = (tempfile::tempdir().unwrap(), shared::shared("syzygy")?);
    for file in files {
        std::fs::copy(source.join(file), folder.path().join(file)).unwrap();
    }
    Some(folder)
}

const ROOK_AT_0: &str = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";
const ROOK_AT_5: &str = "4k3/8/8/8/8/8/8/4K2R w - - 5 1";

#[test]
fn without_distances_wins_are_known_at_a_clock_of_zero_only() {
    let Some(folder) = some_tables(&["KRvK.rtbw"]) else { return };
    let (tables, found) = Tables::open(&[folder.path().to_owned()], None, false).unwrap();
    let warnings = found.warnings(3, false);
    assert!(warnings[0].starts_with("only 1 of the 5 WDL tables for 3 men were found: "), "{warnings:?}");
    assert!(warnings[1].starts_with("no DTZ table for KRvK: "), "{warnings:?}");
    assert_eq!(tables.answer(&position(ROOK_AT_0)), WHITE);
    assert_eq!(tables.answer(&position(ROOK_AT_5)), None);
    assert_eq!(tables.answer(&position("8/8/8/8/8/8/6k1/K6R b - - 5 1")), DRAW);
    assert_eq!(tables.answer(&position("4k3/8/8/8/8/8/8/4K2Q w - - 0 1")), None, "no table");
}

#[test]
fn several_folders_are_one_set_of_tables() {
    let (Some(one), Some(other)) = (some_tables(&["KRvK.rtbw"]), some_tables(&["KRvK.rtbz"])) else { return };
    let folders = [one.path().to_owned(), other.path().to_owned()];
    let (tables, _) = Tables::open(&folders, None, false).unwrap();
    assert_eq!(tables.answer(&position(ROOK_AT_5)), WHITE);
}

#[test]
fn broken_tables_are_left_out() {
    let Some(folder) = some_tables(&["KRvK.rtbw", "KQvK.rtbw"]) else { return };
    // Cut short, as a download may be.
    std::fs::File::options().write(true).open(folder.path().join("KRvK.rtbw")).unwrap().set_len(100).unwrap();
    // Of the right length, but something else.
    std::fs::write(folder.path().join("KQvK.rtbw"), [7; 272]).unwrap();
    let (tables, found) = Tables::open(&[folder.path().to_owned()], None, false).unwrap();
    assert_eq!(found.to_string(), "3 men (1 WDL and 0 DTZ of 5)");
    let warnings = found.warnings(3, true);
    assert!(warnings[0].contains("KRvK.rtbw can't be used: unexpected file size"), "{warnings:?}");
    assert_eq!(tables.answer(&position(ROOK_AT_0)), None);
    assert_eq!(tables.answer(&position("4k3/8/8/8/8/8/8/4K2Q w - - 0 1")), None);
}

#[test]
fn no_tables_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("README.md"), "KQvK.rtbw").unwrap();
    let error = Tables::open(&[folder.path().to_owned()], None, false).unwrap_err().to_string();
    assert!(error.starts_with("no Syzygy table (`KQvK.rtbw` and its like) was found in /"), "{error}");
    let error = Tables::open(&[folder.path().join("x")], None, false).unwrap_err().to_string();
    assert!(error.contains("/x can't be read: "), "{error}");
}

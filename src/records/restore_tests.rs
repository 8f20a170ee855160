use std::fs;

use proptest::prelude::*;

use super::*;
use crate::records::database::tests::{game, header};

fn tags() -> MatchTags {
    MatchTags { event: "Test".to_owned(), site: "?".to_owned() }
}

/// A folder with a database of three games that ended in the order 2, 1, 3, and what PGN and events have to be.
struct Run {
    folder: tempfile::TempDir,
    database: Database,
    pgn: String,
}

fn run() -> Run {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::create(&folder.path().join("match.db"), &header(), &[]).unwrap();
    let mut pgn = String::new();
    for number in [2, 1, 3] {
        database.insert(&game(number)).unwrap();
        let stored = database.game(number).unwrap().unwrap();
        pgn += &pgn::render(&stored, &tags());
    }
    Run { folder, database, pgn }
}

fn ended(events: &str) -> Vec<u64> {
    let lines = events.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let ended = lines.filter(|line| line["type"] == "game_ended");
    ended.map(|line| line["game"].as_u64().unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever is in the file, and wherever it was torn: afterwards it is what the database holds.
    #[test]
    fn a_pgn_becomes_what_the_database_holds(kept in 0.0..=1.0f64, tail in "[\\PC\n]{0,300}", changed: bool) {
        let Run { folder, database, pgn } = run();
        let path = folder.path().join("games.pgn");
        let mut bytes = pgn.as_bytes()[..(pgn.len() as f64 * kept) as usize].to_vec();
        if changed && let Some(byte) = bytes.last_mut() {
            *byte = byte.wrapping_add(1);
        }
        bytes.extend_from_slice(tail.as_bytes());
        fs::write(&path, &bytes).unwrap();
        restore_pgn(&database, &path, &tags()).unwrap();
        prop_assert_eq!(fs::read_to_string(&path).unwrap(), pgn);
    }

    /// Wherever an event log was torn: afterwards every line is whole, and each game of the database has ended once.
    #[test]
    fn an_event_log_has_each_end_once(kept in 0.0..=1.0f64) {
        let Run { folder, database, .. } = run();
        let path = folder.path().join("events.jsonl");
        restore_events(&database, &path).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..(whole.len() as f64 * kept) as usize]).unwrap();
        restore_events(&database, &path).unwrap();
        prop_assert_eq!(ended(&fs::read_to_string(&path).unwrap()), [2, 1, 3]);
    }
}

#[test]
fn what_agrees_is_left_as_it_is() {
    let Run { folder, database, pgn } = run();
    let path = folder.path().join("games.pgn");
    fs::write(&path, &pgn).unwrap();
    assert_eq!(restore_pgn(&database, &path, &tags()).unwrap(), Restored::default());
    let events = folder.path().join("events.jsonl");
    assert_eq!(restore_events(&database, &events).unwrap(), Restored { cut: 0, written: 3 });
    assert_eq!(restore_events(&database, &events).unwrap(), Restored::default());
}

#[test]
fn a_game_that_nobody_ended_is_annulled() {
    let Run { folder, database, .. } = run();
    let path = folder.path().join("events.jsonl");
    let started =
        |game: u32| format!(r#"{{"t":1.5,"type":"game_started","game":{game},"round":"9.{game}"}}"#);
    let ended = r#"{"t":2.0,"type":"game_ended","game":8,"round":"4.2","result":"1-0"}"#;
    fs::write(&path, format!("{}\n{}\n{ended}\n{{\"t\":3", started(7), started(1))).unwrap();
    assert_eq!(restore_events(&database, &path).unwrap().written, 3);
    let text = fs::read_to_string(&path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let annulled: Vec<_> = lines
        .filter(|line| line["type"] == "game_annulled")
        .map(|line| (line["game"].clone(), line["reason"].clone()))
        .collect();
    // Game 1 is in the database, and told again; 7 was under way; 8 had ended, but had not reached the disk.
    assert_eq!(annulled, [1, 8, 7].map(|game| (game.into(), "run_killed".into())));
}

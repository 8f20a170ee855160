use std::fs;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp, ZonedDateTime};
use shakmaty::{ByColor, CastlingMode, Color};

use super::*;
use crate::engine::dialogue_tail::{DialogueLine, Direction};
use crate::engine::search_watch::SearchTimes;
use crate::game::evidence::{Limit, Overrun};
use crate::game::record::{PlyRecord, SearchRecord};
use crate::law::notation::fen;
use crate::law::verdict::{Forfeit, MatingChance, Verdict};
use crate::openings::{Opening, PerOpening};
use crate::tournament::schedule::{Format, Plan};

pub(in crate::records) fn header() -> RunHeader {
    let plan = Plan { format: Format::Match, engines: 2, rounds: 4, pairs: true, openings: PerOpening::Pair };
    let engine = |name: &str| EngineHeader {
        name: name.to_owned(),
        time_control: "60+0.6".to_owned(),
        claims: "assisted".to_owned(),
    };
    RunHeader {
        program: "0.1.0".to_owned(),
        started: Timestamp::UNIX_EPOCH,
        event: "Test".to_owned(),
        site: "?".to_owned(),
        chess960: false,
        engines: vec![engine("Älpha"), engine("Beta \"B\"")],
        schedule: StoredSchedule::of(&plan),
        sprt: None,
        shard: None,
    }
}

pub(in crate::records) fn game(number: u32) -> GameRecord {
    let start = fen::parse("7k/8/8/8/8/8/6P1/K7 b - - 3 20", CastlingMode::Standard).unwrap().chess;
    let ply = |uci: &str, san: &str, search| PlyRecord {
        uci: uci.to_owned(),
        san: san.to_owned(),
        search,
        offers_draw: false,
        remark: None,
    };
    let search = SearchRecord { time: Duration::from_nanos(1_500_001), ..SearchRecord::default() };
    let times = SearchTimes { written: Some(Duration::from_nanos(9)), ..SearchTimes::default() };
    GameRecord {
        id: GameId { number, round: number.div_ceil(2), game: 2 - number % 2 },
        names: ByColor { white: "Älpha".to_owned(), black: "Beta \"B\"".to_owned() },
        time_controls: ByColor::new_with(|_| "60+0.6".parse().unwrap()),
        claims: ByColor::new_with(|_| "assisted".to_owned()),
        opening: Opening { book: vec!["h8g8".to_owned()], ..Opening::at(start, CastlingMode::Standard) },
        plies: vec![ply("h8g8", "Kg8", None), ply("g2g4", "g4", Some(search))],
        verdict: Verdict::forfeit(Color::Black, Forfeit::FlagFall, MatingChance::Unsettled),
        detail: Some("1.204 s used of 1.100 s".to_owned()),
        flag_fall: Some(Overrun {
            limit: Limit::Clock { left: Duration::from_millis(1100), margin: Duration::ZERO },
            used: Duration::from_nanos(1_204_000_001),
            answered: true,
            times,
        }),
        dialogue: ByColor {
            white: vec![],
            black: vec![DialogueLine {
                number: Some(57),
                at: SignedDuration::from_micros(-1_500_001),
                direction: Direction::Said,
                text: "bestmove g8f7 ponder …".to_owned(),
            }],
        },
        started: ZonedDateTime::now(),
    }
}

/// What is compared of two records: all of it. The time's zone has become its offset.
fn shown(game: &GameRecord) -> String {
    let started = stored_game::start_text(&game.started);
    format!("{:#?}", GameRecord { started: started.parse().unwrap(), ..game.clone() })
}

#[test]
fn a_game_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.db");
    let settings = [("rounds".to_owned(), "4".to_owned())];
    let database = Database::create(&path, &header(), &settings).unwrap();
    let games =
        [game(2), game(1), GameRecord { opening: Opening::initial(CastlingMode::Standard), ..game(4) }];
    games.iter().for_each(|game| database.insert(game).unwrap());
    database.insert_annulment(games[1].id, "machine_slept", "for 3 s").unwrap();
    database.insert_fault(Some(games[0].id), "Älpha", "prints after `bestmove`").unwrap();
    drop(database);

    let database = Database::open_to_read(&path).unwrap();
    assert_eq!((database.header(), database.settings().unwrap()), (&header(), settings.to_vec()));
    for (order, numbers) in [(Order::Ended, [2, 1, 4]), (Order::Schedule, [1, 2, 4])] {
        let mut read = Vec::new();
        let all: Result<(), DatabaseError> = database.each_game(order, |game| {
            read.push(game);
            Ok(())
        });
        all.unwrap();
        assert_eq!(read.iter().map(|game| game.id.number).collect::<Vec<_>>(), numbers);
    }
    // The last one has no book: its first ply without a search is one all the same.
    for expected in &games[..2] {
        let read = database.game(expected.id.number).unwrap().unwrap();
        assert_eq!(shown(&read), shown(expected));
    }
    assert!(database.game(3).unwrap().is_none());
    assert_eq!((database.games().unwrap(), database.annulments().unwrap().len()), (3, 1));
    assert_eq!(database.faults(2).unwrap()[0].words, "prints after `bestmove`");
}

#[test]
fn a_game_is_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::create(&folder.path().join("match.db"), &header(), &[]).unwrap();
    database.insert(&game(1)).unwrap();
    assert!(matches!(database.insert(&game(1)), Err(DatabaseError::Refused { .. })));
    assert_eq!(database.games().unwrap(), 1);
}

#[test]
fn a_database_is_read_while_its_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.db");
    let database = Database::create(&path, &header(), &[]).unwrap();
    let reader = Database::open_to_read(&path).unwrap();
    database.insert(&game(1)).unwrap();
    assert_eq!(reader.games().unwrap(), 1);
    assert!(!reader.is_finished().unwrap());
    database.finish().unwrap();
    assert!(reader.is_finished().unwrap());
}

#[test]
fn what_is_no_database_of_this_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.db");
    assert!(matches!(Database::open(&path), Err(DatabaseError::Missing(_))));
    fs::write(&path, "PGN, or whatever else is longer than the magic number of a database").unwrap();
    assert!(matches!(Database::open(&path), Err(DatabaseError::Foreign(_))));
    assert!(Database::create(&path, &header(), &[]).is_err(), "it is never overwritten");
    fs::remove_file(&path).unwrap();

    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE game (id)").unwrap();
    assert!(matches!(Database::open(&path), Err(DatabaseError::Foreign(_))));
    fs::remove_file(&path).unwrap();

    drop(Database::create(&path, &header(), &[]).unwrap());
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 7).unwrap();
    assert!(matches!(Database::open(&path), Err(DatabaseError::OtherVersion { found: 7, .. })));
}

#[test]
fn damage_is_told_and_never_read_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.db");
    let database = Database::create(&path, &header(), &[]).unwrap();
    (1..=200).for_each(|number| database.insert(&game(number)).unwrap());
    drop(database);
    let whole = fs::read(&path).unwrap();
    let read_all = |bytes: &[u8]| -> Result<u32, DatabaseError> {
        fs::write(&path, bytes).unwrap();
        let database = Database::open_to_read(&path)?;
        let mut games = 0;
        database.each_game(Order::Ended, |_| {
            games += 1;
            Ok::<(), DatabaseError>(())
        })?;
        Ok(games)
    };
    assert_eq!(read_all(&whole).unwrap(), 200);
    assert!(read_all(&whole[..whole.len() / 2]).is_err());
    let mut overwritten = whole;
    let middle = overwritten.len() / 2;
    overwritten[middle..middle + 8192].fill(0xff);
    assert!(read_all(&overwritten).is_err());
}

#[test]
fn what_is_taken_over_is_the_same_in_the_order_of_the_schedule() {
    let dir = tempfile::tempdir().unwrap();
    let make = |name: &str| Database::create(&dir.path().join(name), &header(), &[]).unwrap();
    let (first, second, joined) = (make("first.db"), make("second.db"), make("joined.db"));
    let parts = [(&first, [5, 1], 1), (&second, [7, 3], 7)];
    for (part, games, annulled) in parts {
        games.iter().for_each(|number| part.insert(&game(*number)).unwrap());
        part.insert_annulment(game(annulled).id, "machine_slept", "the machine slept").unwrap();
        part.insert_fault(Some(game(annulled).id), "Älpha", "floods its stderr").unwrap();
        part.insert_fault(None, "Älpha", "withdrawn").unwrap();
    }
    for (part, ..) in parts {
        part.hold_still().unwrap();
        joined.take_over(part).unwrap();
    }
    for order in [Order::Schedule, Order::Ended] {
        let mut games = Vec::new();
        let read = joined.each_game::<DatabaseError>(order, |game| {
            games.push(game);
            Ok(())
        });
        read.unwrap();
        assert_eq!(games.iter().map(|game| game.id.number).collect::<Vec<_>>(), [1, 3, 5, 7], "{order:?}");
    }
    // Every column but the order of ending.
    let rows = |database: &Database, number: u32| {
        let sql = format!("SELECT * FROM game WHERE number = {number}");
        let row =
            |row: &rusqlite::Row<'_>| std::iter::once(0).chain(2..18).map(|column| row.get(column)).collect();
        database
            .connection
            .query_row(&sql, [], row)
            .map(|values: Vec<rusqlite::types::Value>| values)
            .unwrap()
    };
    for (part, games, annulled) in parts {
        games.iter().for_each(|number| assert_eq!(rows(&joined, *number), rows(part, *number)));
        assert_eq!(joined.faults(annulled).unwrap(), part.faults(annulled).unwrap());
        assert!(joined.annulments().unwrap().contains(&part.annulments().unwrap()[0]));
    }
    let count = |sql: &str| joined.connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((count("SELECT count(*) FROM fault"), count("SELECT count(*) FROM annulment")), (4, 2));
    assert!(joined.take_over(&first).is_err(), "its games are there already");
    assert_eq!(count("SELECT count(*) FROM fault"), 4, "nothing of it is kept");
}

#[test]
fn faults_of_a_game_that_was_not_finished_go_when_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.db");
    let database = Database::create(&path, &header(), &[]).unwrap();
    database.insert(&game(1)).unwrap();
    for number in [1, 2] {
        database.insert_fault(Some(game(number).id), "Älpha", "prints after `bestmove`").unwrap();
    }
    drop(database);
    let database = Database::open(&path).unwrap();
    assert_eq!([1, 2].map(|number| database.faults(number).unwrap().len()), [1, 0]);
}

#[test]
fn a_log_that_can_not_be_read_is_never_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.db");
    drop(Database::create(&path, &header(), &[]).unwrap());
    assert!(!has(&path, LOG), "it is brought into the database at the end");
    let database = Database::open(&path).unwrap();
    database.insert(&game(1)).unwrap();
    assert!(has(&path, LOG));
}

#[test]
fn a_database_is_one_file_once_nobody_writes_to_it_also_after_it_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.db");
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let database = Database::create(&path, &header(), &[]).unwrap();
    database.insert(&game(1)).unwrap();
    let reader = Database::open_to_read(&path).unwrap();
    assert!(files() > 1, "it has a log while it is written to");
    assert_eq!(reader.games().unwrap(), 1);
    drop(reader);
    drop(database);
    assert_eq!(files(), 1);
    assert_eq!(Database::open_to_read(&path).unwrap().games().unwrap(), 1);
    assert_eq!(files(), 1);
    let (reader, writer) = (Database::open_to_read(&path).unwrap(), Database::open(&path).unwrap());
    reader.hold_still().unwrap();
    writer.insert(&game(2)).unwrap();
    drop(writer);
    assert_eq!(reader.games().unwrap(), 1, "whoever reads is not disturbed");
    drop(reader);
    assert_eq!(Database::open(&path).unwrap().games().unwrap(), 2);
    assert_eq!(files(), 1);
}

#[test]
fn a_change_that_was_cut_short_is_taken_back_by_whoever_opens_the_database_next() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("match.db");
    let database = Database::create(&path, &header(), &[]).unwrap();
    (1..=20).for_each(|number| database.insert(&game(number)).unwrap());
    drop(database);
    let connection = Connection::open(&path).unwrap();
    // Without room for it in memory the change is in the file before it is committed.
    connection.execute_batch("PRAGMA cache_size = 0; BEGIN IMMEDIATE; DELETE FROM game").unwrap();
    for open in [Database::open_to_read, Database::open] {
        let killed = tempfile::tempdir().unwrap();
        for name in files(Path::new("match.db")) {
            let _ = fs::copy(dir.path().join(&name), killed.path().join(&name));
        }
        let path = killed.path().join("match.db");
        assert!(has(&path, JOURNAL));
        assert_eq!(open(&path).unwrap().games().unwrap(), 20);
    }
}

//! Engines that others have written, against the one that comes with the program. Where one is not installed its test
//! is skipped, and says so; where `CI` is set that is a failure.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{EngineKeys, Match, program, sparring};

const BY_LAW: [&str; 7] = [
    "checkmate",
    "stalemate",
    "dead_position",
    "fivefold_repetition",
    "seventy_five_move_rule",
    "threefold_repetition",
    "fifty_move_rule",
];

fn installed(command: &[&str]) -> Option<EngineKeys> {
    let folders = std::env::var("PATH").unwrap_or_default() + ":/usr/games:/usr/local/games";
    let found =
        folders.split(':').map(|folder| Path::new(folder).join(command[0])).find(|path| path.is_file());
    let Some(found) = found else {
        assert!(std::env::var_os("CI").is_none(), "{} is not installed", command[0]);
        eprintln!("SKIPPED: {} is not installed", command[0]);
        return None;
    };
    let path = found.display().to_string();
    Some(program(&[&[path.as_str()], &command[1..]].concat()))
}

/// Two games, one with each colour.
fn plays(command: &[&str], time_control: &str, options: Value) {
    let Some(engine) = installed(command) else { return };
    let engine = engine.with("time_control", json!(time_control)).with("options", options);
    let outcome = Match::new()
        .white(engine)
        .black(sparring(&["--depth", "2"]))
        .set("pairs", json!(true))
        .fen("r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R w KQkq - 0 12")
        // A busy machine may stop an engine for a while.
        .set("defaults", json!({ "time_control": "60+1", "time_margin": "60s", "claims": "always" }))
        .run()
        .exits_with(0);
    assert_eq!(outcome.games.len(), 2);
    for game in &outcome.games {
        assert!(BY_LAW.contains(&game.tag("Reason")), "{}", game.closing_words());
        assert_eq!(game.tag("Termination"), "normal");
    }
    assert_eq!(outcome.faults(), Vec::<String>::new());
    let by_engine = |event: &&Value| {
        let white = event["by"] == "white";
        event["ply"].as_u64() > Some(0) && white == (event["game"] == 1)
    };
    let scored =
        outcome.events_of("move").filter(by_engine).filter(|event| !event["score"].is_null()).count();
    assert!(scored > 0, "no score was read");
}

#[test]
fn stockfish_by_nodes() {
    plays(&["stockfish"], "nodes=2000", json!({ "Hash": 4, "Threads": 1 }));
}

#[test]
fn ethereal_by_depth() {
    plays(&["ethereal-chess"], "depth=5", json!({ "Hash": 4 }));
}

#[test]
fn glaurung_by_depth() {
    plays(&["glaurung"], "depth=4", json!({ "Hash": 4 }));
}

#[test]
fn toga_by_a_clock() {
    plays(&["toga2"], "1+0.02", json!({ "Hash": 4 }));
}

#[test]
fn gnuchess_by_a_clock() {
    plays(&["gnuchess", "--uci"], "1+0.02", json!({}));
}

#[test]
fn fairy_stockfish_by_move_time() {
    plays(&["fairy-stockfish"], "movetime=10ms", json!({ "Hash": 4 }));
}

/// Two games between engines that both think on each other's time.
fn ponder(white: Option<EngineKeys>, black: Option<EngineKeys>) {
    let (Some(white), Some(black)) = (white, black) else { return };
    let outcome = Match::new()
        .white(white)
        .black(black)
        .set("pairs", json!(true))
        .fen("r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R w KQkq - 0 12")
        .set(
            "defaults",
            json!({ "time_control": "1+0.02", "time_margin": "60s", "claims": "always", "ponder": true }),
        )
        .run()
        .exits_with(0);
    assert_eq!(outcome.games.len(), 2);
    for game in &outcome.games {
        assert!(BY_LAW.contains(&game.tag("Reason")), "{}", game.closing_words());
    }
    assert_eq!(outcome.faults(), Vec::<String>::new());
    for side in ["white", "black"] {
        for game in [1, 2] {
            let hit =
                |event: &&Value| event["game"] == game && event["by"] == side && event["ponder"] == "hit";
            assert!(outcome.events_of("move").any(|event| hit(&event)), "{side} has no hit in game {game}");
        }
    }
}

#[test]
fn stockfish_and_ethereal_ponder() {
    ponder(installed(&["stockfish"]), installed(&["ethereal-chess"]));
}

#[test]
fn toga_and_fairy_stockfish_ponder() {
    ponder(installed(&["toga2"]), installed(&["fairy-stockfish"]));
}

#[test]
fn glaurung_and_sparring_ponder() {
    ponder(installed(&["glaurung"]), Some(sparring(&[])));
}

#[test]
fn sparring_by_moves_and_periods() {
    let outcome = Match::new()
        .white(sparring(&[]).with("time_control", json!("10/0.5:5/0.2:1+0.02")))
        .black(sparring(&["--seed", "3"]).with("time_control", json!("nodes=2000")))
        .set("defaults.time_margin", json!("60s"))
        .set("defaults.claims", json!("always"))
        .run()
        .exits_with(0);
    assert!(BY_LAW.contains(&outcome.game().tag("Reason")), "{}", outcome.game().closing_words());
    assert_eq!(outcome.faults(), Vec::<String>::new());
}

/// Both colours from a position whose only legal move is castling, so that each engine castles in one of the games.
fn castles_in_chess960(command: &[&str]) {
    let Some(engine) = installed(command) else { return };
    for form in ["shredder", "xfen"] {
        let outcome = Match::new()
            .white(engine.clone().with("time_control", json!("nodes=2000")).with("fen", json!(form)))
            .black(sparring(&["--depth", "2"]))
            .set("variant", json!("chess960"))
            .set("pairs", json!(true))
            .fen("1r3rk1/6pp/8/8/8/7p/7P/6KR w H - 0 12")
            .set("defaults.time_margin", json!("60s"))
            .set("defaults.claims", json!("always"))
            .run()
            .exits_with(0);
        assert_eq!(outcome.games.len(), 2);
        for game in &outcome.games {
            assert_eq!((game.sans[0].as_str(), game.ucis[0].as_str()), ("O-O", "g1h1"));
            assert!(BY_LAW.contains(&game.tag("Reason")), "{}", game.closing_words());
        }
        assert_eq!(outcome.faults(), Vec::<String>::new());
    }
}

#[test]
fn stockfish_castles_in_chess960() {
    castles_in_chess960(&["stockfish"]);
}

#[test]
fn fairy_stockfish_castles_in_chess960() {
    castles_in_chess960(&["fairy-stockfish"]);
}

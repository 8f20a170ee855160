//! Chess960 through the binary: what engines are told, which moves they may send, what the records say.

use serde_json::{Value, json};

use crate::support::command::{arbiter, stdout};
use crate::support::shared::shared;
use crate::support::{EngineKeys, FOOLS_MATE, Match, Outcome, fake, sparring};

/// Castling mates here: the king's way to g1 and the rook's to f1.
const CASTLING_MATES: &str = "4rkr1/4p1p1/8/8/8/8/8/5K1R w K - 0 1";

/// A scripted engine that declares the option.
fn chess960(args: &[&str]) -> EngineKeys {
    fake(&[&["--option", "option name UCI_Chess960 type check default false"], args].concat())
}

fn game() -> Match {
    Match::new().white(chess960(&[])).black(chess960(&[])).set("variant", json!("chess960"))
}

/// What the Laws' judge says of the PGN.
fn judge_agrees(outcome: &Outcome) {
    let judged = arbiter(&["judge", "--json", "--pgn", "-"], &outcome.pgn);
    let text = stdout(&judged);
    let games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), outcome.games.len(), "{text}");
    for game in games {
        assert_eq!(game["agrees"], true, "{game}");
    }
}

#[test]
fn p_18_shredder_letters_are_told_by_default_and_castling_mates() {
    let outcome = game().fen(CASTLING_MATES).moves("f1h1").run().exits_with(0);
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"]);
    assert_eq!(outcome.received_words("Alpha", "setoption"), ["setoption name UCI_Chess960 value true"]);
    assert_eq!(
        outcome.received_words("Alpha", "position"),
        ["position fen 4rkr1/4p1p1/8/8/8/8/8/5K1R w H - 0 1"]
    );
    let game = outcome.game();
    assert_eq!((game.tag("Variant"), game.tag("SetUp")), ("Chess960", "1"));
    assert_eq!(
        (game.sans.as_slice(), game.ucis.as_slice()),
        (&["O-O#".to_owned()][..], &["f1h1".to_owned()][..])
    );
    judge_agrees(&outcome);
}

#[test]
fn p_18_each_engine_has_its_own_form_of_the_fen() {
    let outcome = Match::new()
        .white(chess960(&[]).with("fen", json!("shredder")))
        .black(chess960(&[]))
        .set("variant", json!("chess960"))
        .set("defaults.fen", json!("xfen"))
        .fen("1r2k2r/4ppp1/8/8/8/8/8/5K1R w Hk - 0 1")
        .moves("f1h1 e8h8 0000")
        .run()
        .exits_with(0);
    let (alpha, beta) =
        (outcome.received_words("Alpha", "position"), outcome.received_words("Beta", "position"));
    assert_eq!(alpha[0], "position fen 1r2k2r/4ppp1/8/8/8/8/8/5K1R w Hh - 0 1");
    assert_eq!(beta[0], "position fen 1r2k2r/4ppp1/8/8/8/8/8/5K1R w Kk - 0 1 moves f1h1");
    assert_eq!(alpha[1], format!("{} moves f1h1 e8h8", alpha[0]));
}

#[test]
fn p_18_the_kings_move_beside_its_rook_is_no_castling() {
    let outcome = game().fen(CASTLING_MATES).moves("f1g1 e7e6 0000").run().exits_with(0);
    assert_eq!(outcome.game().sans[..2], ["Kg1", "e6"]);
    assert_eq!(outcome.endings(), ["0-1 illegal_move 7.5.5"]);
}

#[test]
fn castling_is_king_takes_rook_and_nothing_else() {
    let before = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7";
    for (castling, sans, ending) in [
        ("e1h1 e8h8 0000", 8, "0-1 illegal_move 7.5.5"),
        ("e1g1", 6, "0-1 illegal_move 7.5.5"),
        ("O-O", 6, "0-1 illegal_move 7.5.5"),
    ] {
        // The setting for standard chess changes nothing.
        let outcome = game()
            .set("defaults.king_takes_rook", json!(true))
            .moves(&format!("{before} {castling}"))
            .run()
            .exits_with(0);
        assert_eq!((outcome.endings()[0].as_str(), outcome.game().sans.len()), (ending, sans), "{castling}");
        if sans == 8 {
            assert_eq!(outcome.game().sans[6..], ["O-O", "O-O"]);
            let told = outcome.received_words("Alpha", "position").pop().unwrap();
            let start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
            assert_eq!(told, format!("{start} moves {before} e1h1 e8h8"));
        }
        assert!(outcome.stderr.contains("`king_takes_rook` has no effect"), "{}", outcome.stderr);
    }
}

#[test]
fn without_openings_the_standard_array_is_played_and_said() {
    let outcome = game().moves(FOOLS_MATE).run().exits_with(0);
    assert!(
        outcome.stderr.contains("every game of Chess960 starts from the standard array"),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.game().tag("Variant"), "Chess960");
    assert_eq!(outcome.endings(), ["0-1 checkmate 5.1.1"]);
    let quiet = game().fen(CASTLING_MATES).moves("f1h1").run();
    assert!(!quiet.stderr.contains("standard array"), "{}", quiet.stderr);
}

#[test]
fn an_engine_that_does_not_declare_it_is_a_mistake_of_the_match_file() {
    let outcome = game().black(fake(&[])).run().exits_with(2);
    let message = "Beta: `variant: chess960` can't be played: it has no option `UCI_Chess960`";
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
    assert!(outcome.games.is_empty());
    let checked = game().black(fake(&[])).check().exits_with(2);
    assert!(checked.stderr.contains(message), "{}", checked.stderr);
    let checked = game().check().exits_with(0);
    assert!(checked.stdout.contains("of Chess960"), "{}", checked.stdout);
    assert!(checked.stdout.contains("UCI_Chess960 (check, default false)  <- true"), "{}", checked.stdout);
    // In standard chess nobody needs it, and nobody is told.
    let standard = Match::new().white(chess960(&[])).run().exits_with(0);
    assert!(standard.received_words("Alpha", "setoption").is_empty());
}

#[test]
fn p_05_the_option_is_set_whatever_the_case_of_its_default() {
    let shouting = fake(&["--option", "option name UCI_Chess960 type check default False"]);
    let outcome = game().white(shouting).fen(CASTLING_MATES).moves("f1h1").run().exits_with(0);
    assert_eq!(outcome.received_words("Alpha", "setoption"), ["setoption name UCI_Chess960 value true"]);
    assert_eq!(outcome.endings(), ["1-0 checkmate 5.1.1"]);
}

#[test]
fn every_process_of_an_engine_is_told() {
    let outcome = Match::new()
        .white(chess960(&[]).with("restart", json!("every_game")))
        .black(chess960(&[]))
        .set("variant", json!("chess960"))
        .fen(CASTLING_MATES)
        .moves("f1h1")
        .rounds(2)
        .run()
        .exits_with(0);
    assert_eq!((outcome.starts("Alpha"), outcome.received_words("Alpha", "setoption").len()), (2, 2));
    assert_eq!(outcome.received_words("Beta", "setoption").len(), 1);
}

#[test]
fn books_in_both_forms_and_in_pgn_are_read() {
    let book = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n\
        bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - id \"X-FEN\";\n";
    let match_of = |name: &str, text: &str| {
        let game = game().set("openings", json!({ "file": name, "bad_lines": "refuse" })).moves("0000");
        std::fs::write(game.dir().join(name), text).unwrap();
        game
    };
    let outcome = match_of("book.epd", book).rounds(2).run().exits_with(0);
    let rights: Vec<&str> =
        outcome.games.iter().map(|game| game.tag("FEN").split(' ').nth(2).unwrap()).collect();
    assert_eq!(rights, ["HFhf", "HFhf"]);
    judge_agrees(&outcome);
    let pgn = "[Event \"?\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
        [FEN \"5rk1/8/8/8/8/7p/7P/6KR w K - 0 1\"]\n\n1. O-O Rxf1+ *\n";
    let outcome = match_of("book.pgn", pgn).moves("0000 0000 0000").run().exits_with(0);
    assert_eq!(outcome.game().ucis, ["g1h1", "f8f1"]);
    assert!(outcome.received_words("Alpha", "position")[0].ends_with(" w H - 0 1 moves g1h1 f8f1"));
}

#[test]
fn sparring_plays_published_openings() {
    let Some(book) = shared("books/FRC_openings.epd.zip") else { return };
    let game = Match::new()
        .white(sparring(&["--depth", "1"]))
        .black(sparring(&["--depth", "1", "--seed", "5"]))
        .set("variant", json!("chess960"))
        .set("pairs", json!(true))
        .rounds(2)
        .set(
            "openings",
            json!({ "file": "FRC_openings.epd", "order": "random", "seed": 9, "bad_lines": "refuse" }),
        )
        .set("defaults.claims", json!("always"));
    let mut archive = zip::ZipArchive::new(std::fs::File::open(book).unwrap()).unwrap();
    let mut target = std::fs::File::create(game.dir().join("FRC_openings.epd")).unwrap();
    std::io::copy(&mut archive.by_index(0).unwrap(), &mut target).unwrap();
    let outcome = game.run().exits_with(0);
    assert_eq!((outcome.games.len(), outcome.faults()), (4, vec![]));
    let openings: Vec<&str> = outcome.games.iter().map(|game| game.tag("FEN")).collect();
    assert!(openings[0] == openings[1] && openings[2] == openings[3] && openings[0] != openings[2]);
    assert!(outcome.games.iter().all(|game| game.tag("Termination") == "normal"), "{}", outcome.pgn);
    judge_agrees(&outcome);
}

//! Every kind of misbehaviour in `tests/data/misbehaviour.txt`, each in a game of its own between others, and the
//! verdict that the fault table gives it. The kinds can be counted there; that each was shown is checked here.

mod table;

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::json;

use self::table::{After, Row, Section, sections};
use crate::support::{EngineKeys, Match, Outcome, fake};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PONDER_OPTION: &str = "option name Ponder type check default false";
/// Runs at the same time: most of them wait most of the time.
const AT_ONCE: usize = 8;

/// What holds in a section, and how many of its rows one run takes.
fn settings(section: &str) -> (Match, usize) {
    let timeouts = |ready: &str, quit: &str| {
        let limits = json!({ "start": ready, "ready": ready, "new_game": ready, "quit": quit });
        Match::new().set("defaults.timeouts", limits)
    };
    let calm = || timeouts("20s", "5s");
    match section {
        "moves" | "output" | "ends" => (calm(), 20),
        "stubborn" => (timeouts("1500ms", "300ms"), 3),
        "short clock" => (timeouts("20s", "300ms").set("defaults.time_control", json!("1.5")), 2),
        "short clock and patience" => (timeouts("20s", "20s").set("defaults.time_control", json!("1.5")), 2),
        "no clock" => {
            let game = timeouts("20s", "300ms").set("defaults.time_control", json!("nodes=9"));
            (game.set("defaults.timeouts.silence", json!("700ms")), 2)
        }
        "new processes" => (calm().set("defaults.restart", json!("every_game")), 16),
        "new processes that hang" => {
            (timeouts("2s", "300ms").set("defaults.restart", json!("every_game")), 4)
        }
        "pondering" => (timeouts("1500ms", "2s").set("defaults.ponder", json!(true)), 9),
        "pondering by a short clock" => {
            let game = timeouts("20s", "300ms").set("defaults.time_control", json!("1.5"));
            (game.set("defaults.ponder", json!(true)), 2)
        }
        "king takes rook" => (calm().set("defaults.king_takes_rook", json!(true)), 10),
        other => panic!("no settings for the section {other}"),
    }
}

/// Where the process of an engine stands when a game begins.
#[derive(Clone, Copy)]
struct Place {
    /// Which of its processes, from 1.
    process: usize,
    /// The game of this process, from 1.
    game: usize,
}

impl Place {
    /// A process of its own for the next game.
    fn renewed(self) -> Place {
        Place { process: self.process + 1, game: 0 }
    }
}

/// A run of some rows of a section, after one game in which nothing is wrong.
struct Run<'a> {
    section: &'a Section,
    rows: &'a [Row],
    every_game: bool,
}

/// A rule as it was given to an engine, `TRIGGER ACTION`.
type GivenRule = (usize, String);

impl Run<'_> {
    /// Plays the games; what was not as the table says, and the kinds that were shown.
    fn play(&self) -> (Vec<String>, BTreeSet<String>) {
        let (game, _) = settings(&self.section.name);
        let (engines, rules) = self.engines();
        let [alpha, beta] = engines;
        let mut fens = vec![START];
        fens.extend(self.rows.iter().map(|row| row.fen.as_deref().unwrap_or(START)));
        let rounds = u32::try_from(fens.len()).unwrap();
        let outcome = game
            .white(alpha)
            .black(beta)
            .set("openings", json!({ "fens": fens }))
            .rounds(rounds)
            .run()
            .exits_with(0);
        assert_eq!(outcome.games.len(), fens.len(), "{}: {}", self.section.name, outcome.stderr);
        assert!(!outcome.stderr.contains("after SIGKILL"), "{}", outcome.stderr);
        let did = ["Alpha", "Beta"].map(|name| {
            std::fs::read_to_string(outcome.path().join(format!("{name}.log.did"))).unwrap_or_default()
        });
        let (mut wrong, mut shown) = (Vec::new(), BTreeSet::new());
        for (index, row) in self.rows.iter().enumerate() {
            let missing: Vec<&GivenRule> = rules[index]
                .iter()
                .filter(|(engine, rule)| !did[*engine].lines().any(|line| line == rule))
                .collect();
            let earlier = index.checked_sub(1).map(|earlier| &self.rows[earlier]);
            let faults = row.compare(&outcome, index + 2, earlier);
            if missing.is_empty() && faults.is_empty() {
                shown.insert(row.kind.clone());
            }
            wrong.extend(
                faults
                    .into_iter()
                    .chain(missing.iter().map(|rule| format!("rule not used: {rule:?}")))
                    .map(|fault| format!("line {}, {} ({}): {fault}", row.line, row.kind, self.section.name)),
            );
        }
        (wrong, shown)
    }

    /// Both engines with their rules, and the rules of each row.
    fn engines(&self) -> ([EngineKeys; 2], Vec<Vec<GivenRule>>) {
        let mut engines = [fake(&["--option", PONDER_OPTION]), fake(&["--option", PONDER_OPTION])];
        let mut places = [Place { process: 1, game: 1 }; 2];
        let mut given = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let white = (index + 1) % 2;
            let comes = |engine: usize| engine == white || !row.is_absent();
            for engine in [0, 1].into_iter().filter(|engine| comes(*engine)) {
                if self.every_game {
                    places[engine] = places[engine].renewed();
                }
                places[engine].game += 1;
            }
            let rules: Vec<GivenRule> = row
                .rules
                .iter()
                .map(|rule| {
                    let engine = if rule.opponents { 1 - white } else { white };
                    let Place { process, game } = places[engine];
                    let game = if row.before_its_games() { 0 } else { game };
                    (engine, format!("{}/{game}#{process}", rule.trigger), rule.action.clone())
                })
                .map(|(engine, trigger, action)| {
                    engines[engine] = engines[engine].clone().on(&trigger, &action);
                    (engine, format!("{trigger} {action}"))
                })
                .collect();
            given.push(rules);
            match row.after {
                After::Stays | After::Unseen => {}
                After::Anew | After::Gone => places[white] = places[white].renewed(),
                After::Replaced => places[white] = Place { game: 1, ..places[white].renewed() },
            }
        }
        (engines, given)
    }
}

impl Row {
    /// What of this game is not as the table says.
    fn compare(&self, outcome: &Outcome, number: usize, earlier: Option<&Row>) -> Vec<String> {
        let mut wrong = Vec::new();
        let game = &outcome.games[number - 1];
        let ending = format!("{} @{}", game.ending(), game.sans.len());
        if ending != self.ending() {
            wrong.push(format!("ended {ending} and not {}: {}", self.ending(), game.closing_words()));
        }
        if game.tag("Termination") != self.termination() {
            wrong.push(format!("Termination is {}", game.tag("Termination")));
        }
        let words = game.closing_words();
        if !words.contains(&self.words) || words.contains("did not come back") != self.is_absent() {
            wrong.push(format!("it was told as {words}"));
        }
        let prefix = format!("{number} ");
        let mut faults: Vec<String> = outcome
            .faults()
            .iter()
            .filter_map(|fault| Some(fault.strip_prefix(&prefix)?.to_owned()))
            .collect();
        let (white, black) = (game.tag("White"), game.tag("Black"));
        let mut expected: Vec<String> = self.faults.iter().map(|fault| format!("{white} {fault}")).collect();
        let later = earlier.map_or(&[][..], |earlier| &earlier.later_faults);
        expected.extend(later.iter().map(|fault| format!("{black} {fault}")));
        faults.sort();
        expected.sort();
        if faults != expected {
            wrong.push(format!("faults {faults:?} and not {expected:?}"));
        }
        wrong
    }
}

#[test]
fn every_kind_of_misbehaviour_has_the_verdict_of_the_table() {
    let sections = sections();
    let mut runs: Vec<Run<'_>> = Vec::new();
    for section in &sections {
        let (_, rows_in_a_run) = settings(&section.name);
        let every_game = section.name.starts_with("new processes");
        let parts = section.rows.chunks(rows_in_a_run);
        runs.extend(parts.map(|rows| Run { section, rows, every_game }));
    }
    let queue = Mutex::new(runs);
    let found = Mutex::new((Vec::new(), BTreeSet::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(run) = queue.lock().unwrap().pop() else { return };
                    let (wrong, shown) = run.play();
                    let mut found = found.lock().unwrap();
                    found.0.extend(wrong);
                    found.1.extend(shown);
                }
            });
        }
    });
    let (wrong, shown) = found.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let rows = || sections.iter().flat_map(|section| &section.rows);
    assert_eq!(shown.len(), rows().count(), "each row is a kind of its own");
    assert!(shown.len() >= 40);
    for phase in ["handshake", "new game", "search", "opponent", "pondering", "between", "quit"] {
        assert!(rows().any(|row| row.phase == phase), "{phase}");
    }
}

//! What a good match file means.

use std::num::NonZeroU64;
use std::path::PathBuf;

use super::*;
use crate::config::settings::*;
use crate::law::notation::fen::FenStyle;
use crate::law::policy::{ClaimPolicy, DeadPositionRule};

#[test]
fn the_reference_shows_the_defaults() {
    let reference = parse(REFERENCE, "configs/reference.yaml", Path::new("/base")).unwrap();
    assert_eq!(reference.warnings, []);
    let short =
        "engines: [{name: Alpha, command: [arbiter, sparring]}, {name: Beta, command: [arbiter, sparring]}]";
    let short = parse(short, "configs/reference.yaml", Path::new("/base")).unwrap();
    assert_eq!(reference.settings, short.settings);
}

#[test]
fn the_reference_names_every_key() {
    let sets = [
        &keys::TOP,
        &keys::ENGINE,
        &keys::PLAYER,
        &keys::OPENINGS,
        &keys::LAWS,
        &keys::OUTPUT,
        &keys::TIMEOUTS,
        &keys::LIMITS,
        &keys::PERIOD,
        &keys::CLAIMS,
        &keys::ADJUDICATION,
        &keys::DRAW,
        &keys::RESIGN,
        &keys::TABLEBASE,
        &keys::SPRT,
    ];
    for key in sets.iter().flat_map(|set| set.keys) {
        assert!(REFERENCE.contains(&format!("{key}:")), "{key}");
    }
}

#[test]
fn defaults() {
    let settings = parsed(TWO).settings;
    assert_eq!((settings.event.as_str(), settings.site.as_str()), ("cup", "?"));
    assert_eq!((settings.rounds.unwrap().get(), settings.pairs, settings.openings), (1, true, None));
    assert_eq!(settings.dead_position, DeadPositionRule::Exact);
    assert_eq!((settings.full_search_nodes, settings.penalty), (500_000, None));
    assert_eq!(settings.interrupt_grace, Duration::from_secs(10));
    assert_eq!(settings.oversubscribed, Oversubscribed::Warn);
    let replay = parsed(&format!("{TWO}oversubscribed: replay\n")).settings;
    assert_eq!(replay.oversubscribed, Oversubscribed::Replay);
    let output = settings.output;
    assert_eq!(output.dir, Path::new("/base/cup.out"));
    assert_eq!(output.pgn.as_deref(), Some(Path::new("games.pgn")));
    assert_eq!((output.events.as_deref(), output.log), (Some(Path::new("events.jsonl")), None));
    let engine = &settings.engines[0];
    assert_eq!((engine.name.as_str(), engine.program.as_path()), ("A", Path::new("a")));
    assert_eq!(
        (engine.dir.as_path(), engine.time_control.to_string().as_str()),
        (Path::new("/base"), "10+0.1")
    );
    assert_eq!(
        (engine.restart, engine.king_takes_rook, engine.timeouts),
        (Restart::OnFault, false, Timeouts::default())
    );
}

#[test]
fn commands() {
    let text = "engines:\n  - {command: sub dir/my engine.exe, args: [-x, 4, true, \"\"]}\n  - {name: 17, command: [b, --uci, 5], args: [z], dir: work, env: {A: 1, B: , C: x=y}}\n";
    let engines = parsed(text).settings.engines;
    assert_eq!(engines[0].name, "my engine");
    assert_eq!(engines[0].program, Path::new("/base/sub dir/my engine.exe"));
    assert_eq!(engines[0].args, ["-x", "4", "true", ""]);
    assert_eq!((engines[1].name.as_str(), engines[1].args.join(" ").as_str()), ("17", "--uci 5 z"));
    assert_eq!(engines[1].dir, Path::new("/base/work"));
    let env = [("A", "1"), ("B", ""), ("C", "x=y")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(engines[1].env, env);
}

#[test]
fn options_are_merged() {
    let text = "defaults: {options: {Hash: 16, Threads: 1, Clear Hash: true}}\nengines:\n  - {name: A, command: a, options: {Style: Solid, hash: 0x20, Debug Log File: }}\n  - {name: B, command: b}\n";
    let engines = parsed(text).settings.engines;
    let shown = |engine: &EngineSettings| {
        engine.options.iter().map(|option| format!("{}={}", option.name, option.value)).collect::<Vec<_>>()
    };
    assert_eq!(
        shown(&engines[0]),
        ["hash=32", "Threads=1", "Clear Hash=true", "Style=Solid", "Debug Log File="]
    );
    assert_eq!(shown(&engines[1]), ["Hash=16", "Threads=1", "Clear Hash=true"]);
    let hash = engines[0].options[0].place;
    assert_eq!((hash.line, hash.column, hash.width), (3, 51, 10));
}

#[test]
fn claims_fall_through_engine_laws_defaults_preset() {
    use ClaimPolicy::{Always, Assisted, Never};
    for (engine, laws, defaults, expected) in [
        ("", "", "", (Assisted, Assisted)),
        ("", "laws: {preset: fide}", "", (Assisted, Assisted)),
        ("", "laws: {preset: testing}", "", (Always, Always)),
        ("", "laws: {preset: testing}", "defaults: {claims: never}", (Never, Never)),
        ("", "laws: {claims: always}", "defaults: {claims: never}", (Always, Always)),
        ("claims: never", "laws: {claims: always}", "defaults: {claims: assisted}", (Never, Never)),
        ("claims: {threefold: never}", "laws: {claims: {fifty_move: always}}", "", (Never, Always)),
        ("claims: {threefold: never}", "", "defaults: {claims: {fifty_move: always}}", (Never, Always)),
        ("claims: {fifty_move: never}", "laws: {preset: testing}", "", (Always, Never)),
        ("claims: null", "laws: {claims: null}", "defaults: {claims: {threefold: never}}", (Never, Assisted)),
    ] {
        let text = format!(
            "engines: [{{name: A, command: a, {engine}}}, {{name: B, command: b}}]\n{laws}\n{defaults}\n"
        );
        let claims = parsed(&text).settings.engines[0].claims;
        assert_eq!((claims.threefold, claims.fifty_move), expected, "{text}");
    }
}

#[test]
fn an_engine_wins_over_defaults() {
    let text = "
defaults: {time_control: movetime=100ms, time_margin: 5ms, claim_threshold_cp: -20, restart: never, king_takes_rook: true, timeouts: {start: 1, quit: 0}}
engines:
  - {name: A, command: a, time_control: 60, time_margin: 0.5, claim_threshold_cp: 7, restart: every_game, king_takes_rook: false, timeouts: {start: 2m}}
  - {name: B, command: b}
";
    let engines = parsed(text).settings.engines;
    let shown = |engine: &EngineSettings| {
        let (time, claim) = (&engine.time_control, engine.claims.threshold_cp);
        let rest = (engine.restart, engine.king_takes_rook, engine.timeouts.start, engine.timeouts.quit);
        (time.to_string(), engine.time_margin, claim, rest)
    };
    let (ms, s) = (Duration::from_millis, Duration::from_secs);
    assert_eq!(shown(&engines[0]), ("60".to_owned(), ms(500), 7, (Restart::EveryGame, false, s(120), s(0))));
    assert_eq!(
        shown(&engines[1]),
        ("movetime=100ms".to_owned(), ms(5), -20, (Restart::Never, true, s(1), s(0)))
    );
}

#[test]
fn limits_and_crash_budgets_fall_through_to_defaults() {
    let text = "
defaults: {limits: {memory: 512MiB, niceness: 5}, crash_budget: 10}
engines:
  - {name: A, command: a, limits: {niceness: -20}, crash_budget: 0}
  - {name: B, command: b, limits: {memory: 2000000}}
";
    let engines = parsed(text).settings.engines;
    let limits = |memory, niceness| Limits { memory: NonZeroU64::new(memory), niceness: Some(niceness) };
    assert_eq!((engines[0].limits, engines[0].crash_budget), (limits(512 << 20, -20), Some(0)));
    assert_eq!((engines[1].limits, engines[1].crash_budget), (limits(2_000_000, 5), Some(10)));
    let engine = &parsed(TWO).settings.engines[0];
    assert_eq!((engine.limits, engine.crash_budget), (Limits::default(), None));
}

#[test]
fn sync_is_each_engines_own() {
    let text =
        "engines: [{name: A, command: a, sync: game}, {name: B, command: b}]\ndefaults: {sync: move}\n";
    let engines = parsed(text).settings.engines;
    assert_eq!((engines[0].sync, engines[1].sync), (SyncPolicy::Game, SyncPolicy::Move));
    assert_eq!(parsed(TWO).settings.engines[0].sync, SyncPolicy::Game);
}

#[test]
fn chess960_and_what_belongs_to_it() {
    let text = "variant: chess960\nengines: [{name: A, command: a, fen: xfen, king_takes_rook: true}, {name: B, command: b}]\n";
    let loaded = parsed(text);
    let settings = loaded.settings;
    assert_eq!((settings.variant, settings.openings), (Variant::Chess960, None));
    let forms = [settings.engines[0].fen, settings.engines[1].fen];
    assert_eq!(forms, [FenStyle::XFen, FenStyle::Shredder]);
    let warnings: Vec<_> = loaded.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(
        warnings,
        [
            "`king_takes_rook` has no effect",
            "without `openings` every game of Chess960 starts from the standard array"
        ]
    );
    let quiet =
        format!("{TWO}variant: chess960\nopenings: {{fens: [x]}}\ndefaults: {{king_takes_rook: false}}\n");
    assert_eq!(parsed(&quiet).warnings, []);
    // In standard chess there is one form.
    let loaded = parsed(&format!("{TWO}defaults: {{fen: xfen}}\n"));
    assert_eq!(loaded.settings.variant, Variant::Standard);
    let warnings: Vec<_> = loaded.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(warnings, ["`fen` has no effect"]);
}

#[test]
fn margins_fit_the_time_control() {
    for (time_control, margin) in [("10+0.1", 0), ("movetime=100ms", 50), ("nodes=5", 0), ("inf", 0)] {
        let settings = parsed(&format!("{TWO}defaults: {{time_control: {time_control}}}\n")).settings;
        assert_eq!(settings.engines[0].time_margin, Duration::from_millis(margin), "{time_control}");
    }
}

#[test]
fn time_controls_as_mappings() {
    for (mapping, text) in [
        ("{base: 60, increment: 0.6}", "60+0.6"),
        ("{base: 5m}", "300"),
        ("{moves: 40, base: 60, increment: 500ms, nodes: 20000}", "40/60+0.5 nodes=20000"),
        ("{periods: [{moves: 40, base: 60}, {base: 10, increment: 1}], depth: 8}", "40/60:10+1 depth=8"),
        ("{movetime: 0.3}", "movetime=300ms"),
        ("{nodes: 5}", "nodes=5"),
        ("{mate: 5, movetime: 1}", "movetime=1s mate=5"),
        ("{base: 60, delay: 3}", "60 delay=3"),
        ("{moves: 40, base: 60, bronstein: 2.5s}", "40/60 bronstein=2.5"),
        ("{base: 60, increment: 1, delay: 0}", "60+1"),
        (
            "{periods: [{moves: 40, base: 60, increment: 1}, {moves: 20, base: 30, delay: 3}, {base: 9, bronstein: 2}]}",
            "40/60+1:20/30:9 delay=0:3:0 bronstein=0:0:2",
        ),
        ("0.3", "0.3"),
    ] {
        let settings = parsed(&format!("{TWO}defaults: {{time_control: {mapping}}}\n")).settings;
        let control = &settings.engines[0].time_control;
        assert_eq!(control.to_string(), text, "{mapping}");
        assert_eq!(text.parse().as_ref(), Ok(control), "{mapping}");
    }
}

#[test]
fn openings() {
    let text = format!(
        "{TWO}openings: {{file: b/book.epd, order: random, start: 3, plies: 8, per: pair, bad_lines: refuse}}\n"
    );
    let openings = parsed(&text).settings.openings.unwrap();
    let OpeningSource::File(path, place) = &openings.source else { panic!("{openings:?}") };
    assert_eq!((path, place.line, place.column), (&PathBuf::from("/base/b/book.epd"), 4, 18));
    assert_eq!((openings.order, openings.start), (OpeningOrder::Random(1), NonZeroU64::new(3).unwrap()));
    assert_eq!((openings.plies, openings.bad_lines), (Some(8), BadLines::Refuse));
    assert_eq!(openings.per, PerOpening::Pair);
    let loaded = parsed(&format!("{TWO}openings:\n  fens: [\"x w\", y]\n  seed: 5\n  plies: 3\n"));
    let warnings: Vec<_> = loaded.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(
        warnings,
        [
            "`seed` has no effect: the openings are used in the order of the book",
            "`plies` has no effect: `fens` are positions without moves"
        ]
    );
    let openings = loaded.settings.openings.unwrap();
    let OpeningSource::Fens(fens) = &openings.source else { panic!("{openings:?}") };
    assert_eq!((fens.len(), fens[1].0.as_str(), fens[1].1.column), (2, "y", 17));
    assert_eq!(openings.order, OpeningOrder::Sequential);
}

#[test]
fn o_08_all_pairings_of_a_round_may_share_an_opening() {
    for (keys, per) in [
        ("file: book.epd.zip", PerOpening::Pair),
        ("file: book.bin, per: null", PerOpening::Pair),
        ("fens: [x], per: round", PerOpening::Round),
    ] {
        let settings = parsed(&format!("{TWO}openings: {{{keys}}}\n")).settings;
        assert_eq!(settings.openings.unwrap().per, per, "{keys}");
    }
}

#[test]
fn laws_and_output() {
    let text = format!(
        "{TWO}laws: {{dead_position: off}}\noutput: {{dir: ../o, pgn: ./sub/g.pgn, events: null, log: l.txt}}\ninterrupt_grace: 0\n"
    );
    let settings = parsed(&text).settings;
    assert_eq!((settings.dead_position, settings.interrupt_grace), (DeadPositionRule::Off, Duration::ZERO));
    let output = settings.output;
    assert_eq!((output.dir.as_path(), output.events), (Path::new("/base/../o"), None));
    assert_eq!(output.pgn.as_deref(), Some(Path::new("sub/g.pgn")));
    assert_eq!(output.log.as_deref(), Some(Path::new("l.txt")));
    assert_eq!(
        parsed(&format!("{TWO}laws: {{dead_position: false}}")).settings.dead_position,
        DeadPositionRule::Off
    );
}

#[test]
fn pondering_is_an_engines_own_choice_or_everybodys() {
    let ponders = |lines: &str, own: &str| {
        let engines =
            format!("engines:\n  - {{ name: A, command: a{own} }}\n  - {{ name: B, command: b }}\n{lines}");
        let engines = parsed(&engines).settings.engines;
        (engines[0].ponder, engines[1].ponder)
    };
    assert_eq!(ponders("", ""), (false, false));
    assert_eq!(ponders("", ", ponder: true"), (true, false));
    assert_eq!(ponders("defaults: { ponder: true }", ""), (true, true));
    assert_eq!(ponders("defaults: { ponder: true }", ", ponder: false"), (false, true));
}

#[test]
fn values_that_say_off_are_accepted() {
    let text = "
engines:
  - {name: A, command: a, speaks: false, ponder: false, sync: game}
  - {name: B, command: b, ponder: null}
defaults: {speaks: false, ponder: false, sync: game}
variant: standard
format: match
seeds: 1
sprt: null
require:
adjudication: ~
openings: null
laws: {illegal_move: loses, full_search_nodes: null, dead_position: material}
output: {database: null, junit: null}
";
    parsed(text);
    parsed(&format!("{TWO}openings: {{per: pair, fens: [x]}}\n"));
}

#[test]
fn games_at_once_and_their_processors() {
    let settings = |lines: &str| parsed(&format!("{TWO}{lines}\n")).settings;
    let defaults = settings("");
    assert_eq!((defaults.concurrency.get(), defaults.affinity), (1, Affinity::Off));
    assert_eq!(settings("concurrency: 12").concurrency.get(), 12);
    for (text, affinity) in [("off", Affinity::Off), ("false", Affinity::Off), ("auto", Affinity::Auto)] {
        assert_eq!(settings(&format!("affinity: {text}")).affinity, affinity, "{text}");
    }
    let Affinity::Processors(list) = settings("affinity: [3, 0]").affinity else { panic!("no list") };
    let numbers: Vec<usize> = list.iter().map(|(number, _)| *number).collect();
    assert_eq!((numbers, list[0].1), (vec![3, 0], Place::new(4, 12)));
}

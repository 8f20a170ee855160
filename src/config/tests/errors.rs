//! What is wrong with a bad match file, and how that is said.

use proptest::prelude::*;

use super::*;

/// The match file of the documentation, with everything that any version knows.
const EVERYTHING: &str = include_str!("everything.yaml");

fn rendered(text: &str) -> String {
    parse(text, "match.yaml", Path::new("/base")).expect_err(text).to_string()
}

#[test]
fn errors_are_shown_together_with_their_places() {
    let text = "\
engines:
  - { name: A, comand: a }
  - { name: a, command: b, sync: mov }
rounds: many
concurency: 2
laws:
  dead_position: of
";
    assert_eq!(
        rendered(text),
        "\
error: this engine has no `command`
 --> match.yaml:2:5
  |
2 |   - { name: A, comand: a }
  |     ^^^^^^^^^^^^^^^^^^^^^^
  = `command: stockfish`, or a list with arguments

error: unknown key `comand`
 --> match.yaml:2:16
  |
2 |   - { name: A, comand: a }
  |                ^^^^^^
  = did you mean `command`?

error: two engines are called `A`: names are unique, whatever their case
 --> match.yaml:3:13
  |
3 |   - { name: a, command: b, sync: mov }
  |             ^
  = give this one a `name` of its own

error: `sync` must be `game` or `move`, not `mov`
 --> match.yaml:3:34
  |
3 |   - { name: a, command: b, sync: mov }
  |                                  ^^^
  = did you mean `move`?

error: `rounds` must be a whole number from 1 to 10000000, not `many`
 --> match.yaml:4:9
  |
4 | rounds: many
  |         ^^^^

error: unknown key `concurency`
 --> match.yaml:5:1
  |
5 | concurency: 2
  | ^^^^^^^^^^
  = did you mean `concurrency`?

error: `dead_position` must be `exact`, `material` or `off`, not `of`
 --> match.yaml:7:18
  |
7 |   dead_position: of
  |                  ^^
  = did you mean `off`?
"
    );
}

#[test]
fn errors_of_syntax_have_places() {
    assert_eq!(
        rendered("engines:\n\t- a\n"),
        "\
error: not valid YAML: found character that cannot start any token, while scanning for the next token
 --> match.yaml:2:1
  |
2 |  - a
  | ^
  = YAML is indented with blanks; a tab can't stand here
"
    );
    assert_eq!(
        rendered(""),
        "error: the match file is empty\n --> match.yaml\n  = it needs `engines:` with two engines\n"
    );
    assert_eq!(
        rendered("rounds: 1\n"),
        "error: the match file has no `engines`\n --> match.yaml\n  = add `engines:` with two engines\n"
    );
}

#[test]
fn the_full_example_has_one_engine_too_many_for_its_test() {
    // It has three engines, so that it can show a gauntlet.
    assert_eq!(messages(EVERYTHING), ["`sprt` tests two engines, and these are 3"]);
}

#[test]
fn games_at_once_and_processors_that_can_not_be() {
    for (lines, error) in [
        ("concurrency: 0", "`concurrency` must be a whole number from 1 to 10000, not `0`"),
        ("concurrency: two", "`concurrency` must be a whole number from 1 to 10000, not `two`"),
        ("affinity: all", "`affinity` must be `off` or `auto`, not `all`"),
        ("affinity: []", "`affinity` names no processor"),
        ("affinity: [0, 1, 0]", "`affinity` names processor 0 twice"),
        ("affinity: [-1]", "`affinity` must be a whole number from 0 to 100000, not `-1`"),
    ] {
        assert_eq!(error_of(lines), error);
    }
}

#[test]
fn words_and_flags_of_the_wrong_kind() {
    for (lines, error) in [
        ("variant: chess690", "`variant` must be `standard` or `chess960`, not `chess690`"),
        (
            "format: swis",
            "`format` must be `match`, `round_robin`, `gauntlet`, `knockout` or `swiss`, not `swis`",
        ),
        ("seeds: x", "`seeds` must be a whole number from 1 to 10000, not `x`"),
        ("defaults: {ponder: 1}", "`ponder` must be `true` or `false`, not `1`"),
        ("defaults: {fen: shreder}", "`fen` must be `shredder` or `xfen`, not `shreder`"),
        ("defaults: {sync: moves}", "`sync` must be `game` or `move`, not `moves`"),
    ] {
        assert_eq!(error_of(lines), error);
    }
}

#[test]
fn requirements_that_can_not_be() {
    for (lines, error) in [
        ("require: {min_score: x}", "`min_score` must be a number, not `x`"),
        ("require: {min_score: 1.1}", "`min_score` must be from 0 to 1, not 1.1"),
        ("require: {max_crashes: -1}", "`max_crashes` must be a whole number from 0 to 4294967295, not `-1`"),
        ("require: {ends_by_law: 1}", "`ends_by_law` must be `true` or `false`, not `1`"),
        (
            "output: {database: null, junit: j.xml}",
            "`junit` is made from the database, and `database` is null",
        ),
    ] {
        assert_eq!(error_of(lines), error);
    }
}

#[test]
fn impossible_values_are_refused() {
    for (lines, error) in [
        ("rounds: 0", "`rounds` must be a whole number from 1 to 10000000, not `0`"),
        ("rounds: 2.5", "`rounds` must be a whole number from 1 to 10000000, not `2.5`"),
        ("rounds: '2'", "`rounds` must be a whole number from 1 to 10000000, not `2`"),
        (
            "rounds: 99999999999999999999999999999999999999999",
            "`rounds` must be a whole number from 1 to 10000000, not `99999999999999999999999999999999999999999`",
        ),
        ("pairs: yes", "`pairs` must be `true` or `false`, not `yes`"),
        ("event: [a]", "`event` must be a text, not a list"),
        ("event: ''", "`event` is empty"),
        ("event: \"a\\nb\"", "`event` has a control character in it, such as a line break or a tab"),
        ("interrupt_grace: -1s", "`interrupt_grace`: a duration can't be negative: `-1s`"),
        (
            "interrupt_grace: true",
            "`interrupt_grace` must be a duration, such as `250ms`, `2.5s`, `5m` or `1h`, not `true`",
        ),
        ("defaults: 5", "`defaults` must be a mapping of keys to values, not `5`"),
        (
            "defaults: {time_control: fast}",
            "`fast` is not a time control, such as `60+0.6`, `40/60+0.5:20/30` or `5:00+3`",
        ),
        (
            "defaults: {time_control: {base: 5, movetime: 1}}",
            "a clock and `movetime` can't be combined: give one of them",
        ),
        ("defaults: {time_control: {}}", "this time control limits nothing"),
        ("defaults: {time_control: {delay: 3, nodes: 5, dely: 3}}", "unknown key `dely`"),
        (
            "defaults: {time_control: {base: 5, increment: 1, delay: 3}}",
            "an increment and a delay, or two kinds of delay, can't be combined in one period: give one of them",
        ),
        (
            "defaults: {time_control: {periods: [{base: 5, delay: 1, bronstein: 3}]}}",
            "an increment and a delay, or two kinds of delay, can't be combined in one period: give one of them",
        ),
        (
            "defaults: {time_control: {delay: 1, periods: [{base: 5}]}}",
            "`delay` and `periods` can't be combined",
        ),
        (
            "defaults: {time_control: {mate: 0}}",
            "`mate` must be a whole number from 1 to 4294967295, not `0`",
        ),
        ("defaults: {time_control: {hourglass: 60}}", "unknown key `hourglass`"),
        (
            "defaults: {time_control: {moves: 4, periods: [{base: 1}]}}",
            "`moves` and `periods` can't be combined",
        ),
        ("defaults: {time_control: {periods: []}}", "`periods` is empty"),
        ("defaults: {time_control: {movetime: 0}}", "`movetime` must be longer than 0, not `0`"),
        ("defaults: {timeouts: {start: 0}}", "`start` must be longer than 0, not `0`"),
        (
            "defaults: {claims: sometimes}",
            "`claims` must be `always`, `never`, `assisted` or `engine`, not `sometimes`",
        ),
        (
            "defaults: {claim_threshold_cp: 1000000}",
            "`claim_threshold_cp` must be a whole number from -100000 to 100000, not `1000000`",
        ),
        ("defaults: {options: {MultiPv: 2}}", "the option `MultiPV` is set by arbiter itself"),
        (
            "defaults: {options: {Hash: 1, hash: 2}}",
            "the option `hash` is set twice: `Hash` is the same to an engine",
        ),
        ("defaults: {options: {Hash: [1]}}", "`Hash` must be a single value, not a list"),
        (
            "defaults: {options: {Hash: \"1\\nquit\"}}",
            "the value of the option `Hash` has a line break or another control character in it",
        ),
        (
            "defaults: {options: {\"Hash\\nquit\": 1}}",
            "the name of an option is empty or has a control character in it",
        ),
        (
            "defaults: {options: [Hash]}",
            "`options` must be a mapping, such as `{ Hash: 16, Threads: 1 }`, not a list",
        ),
        ("openings: {}", "`openings` has neither `file` nor `fens`"),
        ("openings: {file: a, fens: [b]}", "`file` and `fens` can't be combined: give one of them"),
        ("openings: {fens: []}", "`fens` is empty"),
        ("openings: {fens: [a], start: 2}", "`start` is 2, but `fens` holds only 1"),
        ("openings: {fens: [a], plies: 0}", "`plies` must be a whole number from 1 to 10000, not `0`"),
        ("openings: {fens: [a], per: game}", "`per` must be `pair` or `round`, not `game`"),
        (
            "output: {pgn: /tmp/x.pgn}",
            "`pgn` must be the name of a file below `output.dir`, not `/tmp/x.pgn`",
        ),
        ("output: {pgn: ../x.pgn}", "`pgn` must be the name of a file below `output.dir`, not `../x.pgn`"),
        ("output: {log: ./games.pgn}", "`log` and `pgn` can't be the same file"),
        ("rounds: 1\nrounds: 2", "the key `rounds` stands here for the second time"),
        ("time_control: 5", "unknown key `time_control`"),
    ] {
        assert_eq!(error_of(lines), error, "{lines}");
    }
}

#[test]
fn engines_are_checked() {
    for (engines, error) in [
        ("[]", "a match needs two engines, and here is none"),
        ("[{command: a}]", "a match needs two engines, and here is only one"),
        ("[{command: a}, {command: b}, {command: c}]", "a match is between two engines, and these are 3"),
        ("5", "`engines` must be a list of engines, not `5`"),
        ("[{command: a}, b]", "an engine must be a mapping of keys to values, not `b`"),
        (
            "[{command: a}, {command: x/a}]",
            "two engines are called `a`: names are unique, whatever their case",
        ),
        ("[{command: a}, {command: []}]", "`command` is empty"),
        ("[{command: a}, {command: {x: y}}]", "`command` must be a text, not a mapping"),
        (
            "[{command: a}, {command: b, args: --uci}]",
            "`args` must be a list of arguments, such as `[--threads, 4]`, not `--uci`",
        ),
        ("[{command: a}, {command: b, args: [~]}]", "an entry of `args` is empty"),
        ("[{command: a}, {command: ..}]", "this `command` gives the engine no name: add a `name`"),
        ("[{command: a}, {command: b, name: ' '}]", "`name` is empty"),
        ("[{command: a}, {command: b, name: true}]", "`name` must be a text, not `true`"),
        (
            "[{command: a}, {command: b, env: {A=: 1}}]",
            "the name of a variable can't be empty or have a `=` in it",
        ),
        ("[{command: a}, {command: b, env: {A: [1]}}]", "`A` must be a single value, not a list"),
    ] {
        assert_eq!(messages(&format!("engines: {engines}\n")), [error], "{engines}");
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,60}|[-a-c:,\\[\\]{}&*!|>'\"#%@?~<. \n\t0-9]{0,60}") {
        let _ = parse(&text, "match.yaml", Path::new("/base")).map_err(|errors| errors.to_string());
    }

    #[test]
    fn no_value_panics(key in prop::sample::select(keys::TOP.keys), value in "[-a-c:,\\[\\]{}&*!'\"#~<. \n0-9]{0,30}") {
        let text = format!("{TWO}{key}: {value}\n");
        let _ = parse(&text, "match.yaml", Path::new("/base")).map_err(|errors| errors.to_string());
    }

    #[test]
    fn no_change_of_a_good_file_panics(at in 0..2500_usize, change in "[-a-c:,\\[\\]{}&*'\"#\n\t 0-9]{0,3}", cut in 0..3_usize) {
        let mut text: Vec<char> = EVERYTHING.chars().collect();
        let at = at.min(text.len());
        let end = (at + cut).min(text.len());
        text.splice(at..end, change.chars());
        let text: String = text.into_iter().collect();
        let _ = parse(&text, "match.yaml", Path::new("/base")).map_err(|errors| errors.to_string());
    }
}

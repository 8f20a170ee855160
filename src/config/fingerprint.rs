//! The settings that results depend on, by the paths of their keys: a run may only go on, and parts of a run only be
//! joined, where these are the same.

use std::path::Path;
use std::time::Duration;

use super::settings::{
    AdjudicationSettings, BadLines, EngineSettings, Format, Limits, MatchSettings, OpeningOrder,
    OpeningSettings, OpeningSource, Oversubscribed, PerOpening, Restart, SyncPolicy, TablebaseSettings,
    Timeouts, Variant,
};
use crate::law::adjudication::{DrawRule, ResignRule};
use crate::law::notation::fen::FenStyle;
use crate::law::policy::{ClaimPolicies, DeadPositionRule, IllegalMovePolicy};

/// Settings as `(path, value)`, the values as text that is equal for equal settings.
#[derive(Default)]
struct Entries(Vec<(String, String)>);

impl Entries {
    fn add(&mut self, path: impl Into<String>, value: impl ToString) {
        self.0.push((path.into(), value.to_string()));
    }
}

/// The settings that results depend on. `base` is the match file's folder: what lies below it is told by its path from
/// there, so that a folder may be copied elsewhere.
///
/// Not among them is what says where records go, how much is played at once and where, when a run is given up, and
/// what is required of the results.
pub fn settings(settings: &MatchSettings, base: &Path) -> Vec<(String, String)> {
    let MatchSettings {
        event: _,
        site: _,
        variant,
        engines,
        format,
        rounds,
        pairs,
        openings,
        dead_position,
        full_search_nodes,
        illegal_move,
        penalty,
        adjudication,
        concurrency: _,
        affinity: _,
        oversubscribed,
        sprt,
        require: _,
        output: _,
        interrupt_grace: _,
    } = settings;
    let mut entries = Entries::default();
    entries.add(
        "variant",
        match variant {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
        },
    );
    add_format(&mut entries, *format);
    entries.add("rounds", rounds.map_or("as many as it takes".to_owned(), |rounds| rounds.to_string()));
    entries.add("pairs", pairs);
    if let Some(openings) = openings {
        add_openings(&mut entries, openings, base);
    }
    entries.add(
        "laws.dead_position",
        match dead_position {
            DeadPositionRule::Exact => "exact",
            DeadPositionRule::Material => "material",
            DeadPositionRule::Off => "off",
        },
    );
    entries.add("laws.full_search_nodes", full_search_nodes);
    entries.add(
        "laws.illegal_move",
        match illegal_move {
            IllegalMovePolicy::Loses => "loses",
            IllegalMovePolicy::OverTheBoard => "over_the_board",
        },
    );
    if let Some(penalty) = penalty {
        entries.add("laws.penalty", seconds(*penalty));
    }
    add_adjudication(&mut entries, adjudication, base);
    entries.add(
        "oversubscribed",
        match oversubscribed {
            Oversubscribed::Warn => "warn",
            Oversubscribed::Replay => "replay",
        },
    );
    if let Some(sprt) = sprt {
        entries.add("sprt.elo0", sprt.elo0());
        entries.add("sprt.elo1", sprt.elo1());
        entries.add("sprt.alpha", sprt.alpha());
        entries.add("sprt.beta", sprt.beta());
        entries.add("sprt.model", sprt.model().name());
        entries.add("sprt.pentanomial", sprt.pentanomial());
    }
    entries.add("engines", engines.len());
    for (place, engine) in engines.iter().enumerate() {
        add_engine(&mut entries, &format!("engines.{place}"), engine, base);
    }
    entries.0
}

fn add_format(entries: &mut Entries, format: Format) {
    entries.add(
        "format",
        match format {
            Format::Match => "match",
            Format::RoundRobin => "round_robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Knockout => "knockout",
            Format::Swiss => "swiss",
        },
    );
    if let Format::Gauntlet { seeds } = format {
        entries.add("seeds", seeds);
    }
}

fn add_openings(entries: &mut Entries, openings: &OpeningSettings, base: &Path) {
    let OpeningSettings { source, order, start, plies, per, bad_lines } = openings;
    match source {
        OpeningSource::File(path, _) => entries.add("openings.file", below(path, base)),
        OpeningSource::Fens(fens) => {
            let fens: Vec<&str> = fens.iter().map(|(fen, _)| fen.as_str()).collect();
            entries.add("openings.fens", fens.join(", "));
        }
    }
    match order {
        OpeningOrder::Sequential => entries.add("openings.order", "sequential"),
        OpeningOrder::Random(seed) => {
            entries.add("openings.order", "random");
            entries.add("openings.seed", seed);
        }
    }
    entries.add("openings.start", start);
    if let Some(plies) = plies {
        entries.add("openings.plies", plies);
    }
    entries.add(
        "openings.per",
        match per {
            PerOpening::Pair => "pair",
            PerOpening::Round => "round",
        },
    );
    entries.add(
        "openings.bad_lines",
        match bad_lines {
            BadLines::Skip => "skip",
            BadLines::Refuse => "refuse",
        },
    );
}

fn add_adjudication(entries: &mut Entries, adjudication: &AdjudicationSettings, base: &Path) {
    let AdjudicationSettings { draw, resign, max_moves, tablebase } = adjudication;
    if let Some(rule) = draw {
        let DrawRule { .. } = rule;
        entries.add("adjudication.draw", rule);
    }
    if let Some(rule) = resign {
        let ResignRule { .. } = rule;
        entries.add("adjudication.resign", rule);
    }
    if let Some(moves) = max_moves {
        entries.add("adjudication.max_moves", moves);
    }
    if let Some(TablebaseSettings { folders, men, ignore_fifty, place: _ }) = tablebase {
        let folders: Vec<String> = folders.iter().map(|folder| below(folder, base)).collect();
        entries.add("adjudication.tablebase.path", folders.join(":"));
        if let Some(men) = men {
            entries.add("adjudication.tablebase.pieces", men);
        }
        entries.add("adjudication.tablebase.ignore_fifty", ignore_fifty);
    }
}

fn add_engine(entries: &mut Entries, path: &str, engine: &EngineSettings, base: &Path) {
    let EngineSettings {
        name,
        program,
        args,
        dir,
        env,
        options,
        time_control,
        time_margin,
        claims,
        restart,
        sync,
        fen,
        king_takes_rook,
        speaks,
        ponder,
        timeouts,
        limits,
        crash_budget: _,
    } = engine;
    let mut add = |key: &str, value: String| entries.add(format!("{path}.{key}"), value);
    add("name", name.clone());
    let own = std::env::current_exe().is_ok_and(|own| own == *program);
    add("command", if own { "arbiter".to_owned() } else { below(program, base) });
    if !args.is_empty() {
        add("args", format!("{args:?}"));
    }
    add("dir", below(dir, base));
    for (variable, value) in env {
        add(&format!("env.{variable}"), value.clone());
    }
    for option in options {
        add(&format!("options.{}", option.name), option.value.clone());
    }
    add("time_control", time_control.to_string());
    add("time_margin", seconds(*time_margin));
    let ClaimPolicies { threefold, fifty_move, threshold_cp } = claims;
    add("claims.threefold", threefold.to_string());
    add("claims.fifty_move", fifty_move.to_string());
    add("claim_threshold_cp", threshold_cp.to_string());
    let restart = match restart {
        Restart::Never => "never",
        Restart::OnFault => "on_fault",
        Restart::EveryGame => "every_game",
    };
    add("restart", restart.to_owned());
    let sync = match sync {
        SyncPolicy::Game => "game",
        SyncPolicy::Move => "move",
    };
    add("sync", sync.to_owned());
    let fen = match fen {
        FenStyle::Shredder => "shredder",
        FenStyle::XFen => "xfen",
    };
    add("fen", fen.to_owned());
    add("king_takes_rook", king_takes_rook.to_string());
    add("speaks", speaks.to_string());
    add("ponder", ponder.to_string());
    let Timeouts { start: _, ready, new_game, quit: _, silence } = timeouts;
    add("timeouts.ready", seconds(*ready));
    add("timeouts.new_game", seconds(*new_game));
    add("timeouts.silence", seconds(*silence));
    let Limits { memory, niceness } = limits;
    if let Some(memory) = memory {
        add("limits.memory", memory.to_string());
    }
    if let Some(niceness) = niceness {
        add("limits.niceness", niceness.to_string());
    }
}

fn below(path: &Path, base: &Path) -> String {
    let short = path.strip_prefix(base).unwrap_or(path);
    if short.as_os_str().is_empty() { ".".to_owned() } else { short.display().to_string() }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

/// A setting that two runs don't share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path of its key.
    pub path: String,
    /// Its value in the one; `None`: it is not set there.
    pub before: Option<String>,
    /// Its value in the other one.
    pub now: Option<String>,
}

/// The settings that differ.
pub fn compare(before: &[(String, String)], now: &[(String, String)]) -> Vec<Difference> {
    let of = |settings: &[(String, String)], path: &str| {
        settings.iter().find(|(other, _)| other == path).map(|(_, value)| value.clone())
    };
    let gone = before.iter().filter(|(path, _)| of(now, path).is_none()).map(|(path, value)| Difference {
        path: path.clone(),
        before: Some(value.clone()),
        now: None,
    });
    let changed = now.iter().filter_map(|(path, value)| {
        let before = of(before, path);
        let changed = before.as_ref() != Some(value);
        changed.then(|| Difference { path: path.clone(), before, now: Some(value.clone()) })
    });
    changed.chain(gone).collect()
}

/// What two runs' settings have of each other that differs, for people: `rounds: 5, was 4`.
pub fn differences(before: &[(String, String)], now: &[(String, String)]) -> Vec<String> {
    let words = |value: Option<String>| value.unwrap_or_else(|| "not set".to_owned());
    let told =
        |Difference { path, before, now }| format!("`{path}` is {}, and was {}", words(now), words(before));
    compare(before, now).into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;

    const FILE: &str = "engines:\n  - { name: A, command: ./a, time_control: 1+0.1, options: { Hash: 16 } }\n  \
        - { name: B, command: /opt/b, time_control: depth=4 }\nrounds: 4\n";

    fn entries(text: &str, base: &str) -> Vec<(String, String)> {
        let loaded = config::parse(text, "match.yaml", Path::new(base)).unwrap();
        settings(&loaded.settings, Path::new(base))
    }

    #[test]
    fn a_copy_of_the_folder_has_the_same_settings() {
        assert_eq!(entries(FILE, "/home/one"), entries(FILE, "/mnt/two"));
    }

    #[test]
    fn what_changes_no_result_may_change() {
        let other = FILE.to_owned()
            + "concurrency: 7\naffinity: auto\nevent: Other\ninterrupt_grace: 1s\noutput: { dir: elsewhere, pgn: x.pgn }\n\
               defaults: { crash_budget: 9, timeouts: { start: 20s, quit: 5s } }\n";
        assert_eq!(differences(&entries(FILE, "/a"), &entries(&other, "/a")), Vec::<String>::new());
    }

    #[test]
    fn every_change_is_told_by_its_key() {
        for (from, to, words) in [
            ("rounds: 4", "rounds: 5", "`rounds` is 5, and was 4"),
            ("1+0.1", "1+0.2", "`engines.0.time_control` is 1+0.2, and was 1+0.1"),
            ("Hash: 16", "Hash: 32", "`engines.0.options.Hash` is 32, and was 16"),
            ("{ Hash: 16 }", "{}", "`engines.0.options.Hash` is not set, and was 16"),
            ("name: A", "name: C", "`engines.0.name` is C, and was A"),
            ("./a,", "./b,", "`engines.0.command` is b, and was a"),
            (
                "rounds: 4",
                "rounds: 4\nadjudication: { max_moves: 9 }",
                "`adjudication.max_moves` is 9, and was not set",
            ),
            (
                "rounds: 4",
                "rounds: 4\nadjudication: { draw: { count: 5 } }",
                "`adjudication.draw` is draw from move 40 on, both scores within 0.10 for 5 moves, and was not set",
            ),
            (
                "rounds: 4",
                "rounds: 4\nlaws: { claims: never }",
                "`engines.0.claims.threefold` is never, and was assisted",
            ),
        ] {
            let changed = FILE.replacen(from, to, 1);
            let told = differences(&entries(FILE, "/a"), &entries(&changed, "/a"));
            assert!(told.iter().any(|line| line == words), "{told:?}");
        }
    }
}

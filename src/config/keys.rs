//! Every key of a match file, by the mapping it belongs to; near misses of unknown ones.

/// The keys of one kind of mapping.
#[derive(Debug)]
pub(super) struct KeySet {
    /// What errors call the mapping: `under {place}`.
    pub place: &'static str,
    pub keys: &'static [&'static str],
}

pub(super) const TOP: KeySet = KeySet {
    place: "at the top of the file",
    keys: &[
        "event",
        "site",
        "variant",
        "engines",
        "defaults",
        "format",
        "seeds",
        "rounds",
        "pairs",
        "openings",
        "laws",
        "adjudication",
        "concurrency",
        "affinity",
        "oversubscribed",
        "sprt",
        "require",
        "output",
        "interrupt_grace",
    ],
};

/// What a player may have of its own; the keys of `defaults`.
pub(super) const PLAYER: KeySet = KeySet {
    place: "under `defaults` or an engine",
    keys: &[
        "options",
        "time_control",
        "time_margin",
        "claims",
        "claim_threshold_cp",
        "speaks",
        "ponder",
        "restart",
        "sync",
        "fen",
        "king_takes_rook",
        "timeouts",
        "limits",
        "crash_budget",
    ],
};

/// The keys of `defaults` once more, and those that only an engine has.
pub(super) const ENGINE: KeySet = KeySet {
    place: "in an engine",
    keys: &[
        "name",
        "command",
        "args",
        "dir",
        "env",
        "options",
        "time_control",
        "time_margin",
        "claims",
        "claim_threshold_cp",
        "speaks",
        "ponder",
        "restart",
        "sync",
        "fen",
        "king_takes_rook",
        "timeouts",
        "limits",
        "crash_budget",
    ],
};

pub(super) const TIMEOUTS: KeySet =
    KeySet { place: "under `timeouts`", keys: &["start", "ready", "new_game", "quit", "silence"] };

pub(super) const LIMITS: KeySet = KeySet { place: "under `limits`", keys: &["memory", "niceness"] };

pub(super) const TIME_CONTROL: KeySet = KeySet {
    place: "under `time_control`",
    keys: &[
        "moves",
        "base",
        "increment",
        "delay",
        "bronstein",
        "periods",
        "movetime",
        "nodes",
        "depth",
        "mate",
    ],
};

pub(super) const PERIOD: KeySet =
    KeySet { place: "in a period", keys: &["moves", "base", "increment", "delay", "bronstein"] };

pub(super) const CLAIMS: KeySet = KeySet { place: "under `claims`", keys: &["threefold", "fifty_move"] };

pub(super) const OPENINGS: KeySet = KeySet {
    place: "under `openings`",
    keys: &["file", "fens", "order", "seed", "start", "plies", "per", "bad_lines"],
};

pub(super) const LAWS: KeySet = KeySet {
    place: "under `laws`",
    keys: &["preset", "dead_position", "claims", "illegal_move", "penalty", "full_search_nodes"],
};

pub(super) const ADJUDICATION: KeySet =
    KeySet { place: "under `adjudication`", keys: &["draw", "resign", "max_moves", "tablebase"] };

pub(super) const DRAW: KeySet =
    KeySet { place: "under `draw`", keys: &["move", "count", "score", "reset_on_zeroing"] };

pub(super) const RESIGN: KeySet = KeySet { place: "under `resign`", keys: &["count", "score", "two_sided"] };

pub(super) const TABLEBASE: KeySet =
    KeySet { place: "under `tablebase`", keys: &["path", "pieces", "ignore_fifty"] };

pub(super) const SPRT: KeySet =
    KeySet { place: "under `sprt`", keys: &["elo0", "elo1", "alpha", "beta", "model", "pentanomial"] };

pub(super) const REQUIRE: KeySet = KeySet {
    place: "under `require`",
    keys: &["min_score", "max_time_forfeits", "max_crashes", "max_illegal_moves", "ends_by_law"],
};

pub(super) const OUTPUT: KeySet =
    KeySet { place: "under `output`", keys: &["dir", "pgn", "database", "events", "junit", "log"] };

/// The sets in which a key that is unknown where it stands is looked for.
const ELSEWHERE: &[&KeySet] = &[
    &TOP,
    &PLAYER,
    &ENGINE,
    &OPENINGS,
    &LAWS,
    &OUTPUT,
    &TIMEOUTS,
    &LIMITS,
    &TIME_CONTROL,
    &CLAIMS,
    &ADJUDICATION,
    &SPRT,
    &REQUIRE,
    &DRAW,
    &RESIGN,
    &TABLEBASE,
];

impl KeySet {
    /// What to do about a key that isn't in this set: the near miss, the place where it belongs, or all keys.
    pub fn hint(&self, unknown: &str) -> String {
        if unknown == "hourglass" && self.keys.contains(&"bronstein") {
            return "hourglass clocks are not supported: use `increment`, `delay` or `bronstein`".to_owned();
        }
        if let Some(near) = near_miss(unknown, self.keys.iter().copied()) {
            return format!("did you mean `{near}`?");
        }
        if let Some(other) = ELSEWHERE.iter().find(|set| set.keys.contains(&unknown)) {
            return format!("`{unknown}` belongs {}", other.place);
        }
        format!("the keys {} are: {}", self.place, self.keys.join(", "))
    }
}

/// The candidate that was surely meant: the same but for case and separators, or at most a third of it mistyped.
pub(super) fn near_miss<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Long texts are no words, and comparing them costs the square of their length.
    if text.len() > 64 {
        return None;
    }
    let simple = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    let wanted = simple(text);
    candidates
        .map(|candidate| (strsim::damerau_levenshtein(&wanted, &simple(candidate)), candidate))
        .filter(|(distance, candidate)| {
            *distance <= (candidate.len() / 3).max(1) && *distance < candidate.len()
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_for_unknown_keys() {
        for (set, unknown, hint) in [
            (&TOP, "concurency", "did you mean `concurrency`?"),
            (&TOP, "Rounds", "did you mean `rounds`?"),
            (&ENGINE, "time-control", "did you mean `time_control`?"),
            (&TOP, "time_control", "`time_control` belongs under `defaults` or an engine"),
            (
                &TIME_CONTROL,
                "hourglass",
                "hourglass clocks are not supported: use `increment`, `delay` or `bronstein`",
            ),
            (&DRAW, "xyz", "the keys under `draw` are: move, count, score, reset_on_zeroing"),
        ] {
            assert_eq!(set.hint(unknown), hint, "{unknown}");
        }
    }

    #[test]
    fn an_engine_may_have_every_key_of_defaults() {
        for key in PLAYER.keys {
            assert!(ENGINE.keys.contains(key), "{key}");
        }
    }
}

//! Reads `tests/data/misbehaviour.txt`.

const TABLE: &str = include_str!("../../data/misbehaviour.txt");

/// How a game ends in which nothing goes wrong.
const PLAYS_ON: &str = "1-0 checkmate 5.1.1 @7";

/// Rows that are played by the same settings.
pub struct Section {
    pub name: String,
    pub rows: Vec<Row>,
}

/// One kind of misbehaviour.
pub struct Row {
    /// Its line in the file.
    pub line: usize,
    pub kind: String,
    pub phase: String,
    /// Where the game starts, if not at the initial position.
    pub fen: Option<String>,
    pub rules: Vec<Rule>,
    verdict: String,
    pub after: After,
    /// Part of the closing words.
    pub words: String,
    pub faults: Vec<String>,
    /// Those that come with the next game.
    pub later_faults: Vec<String>,
}

/// What an engine does when something happens.
pub struct Rule {
    pub opponents: bool,
    pub trigger: String,
    pub action: String,
}

/// What becomes of the process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// It plays the next game.
    Stays,
    /// Another one is started for the next game.
    Anew,
    /// It is found gone when the next game is to begin.
    Gone,
    /// It was found gone before this game, and another one plays it.
    Replaced,
    /// Each game has its own.
    Unseen,
}

impl Row {
    /// `result reason article @plies`.
    pub fn ending(&self) -> String {
        let verdict = if self.verdict == "plays on" { PLAYS_ON } else { &self.verdict };
        verdict.replace("@-", "@0")
    }

    /// The PGN standard's word.
    pub fn termination(&self) -> &str {
        match self.ending().split(' ').nth(1).unwrap() {
            "flag_fall" => "time forfeit",
            "illegal_move" | "protocol_violation" => "rules infraction",
            "disconnect" | "stall" => "abandoned",
            _ => "normal",
        }
    }

    /// The engine does not come to the board.
    pub fn is_absent(&self) -> bool {
        self.verdict.ends_with("@-")
    }

    /// The rules are of the time before the process's first game.
    pub fn before_its_games(&self) -> bool {
        self.phase == "handshake"
    }
}

/// The whole table.
pub fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for (index, line) in TABLE.lines().enumerate() {
        if let Some(name) = line.strip_prefix("== ") {
            sections.push(Section { name: name.to_owned(), rows: Vec::new() });
        } else if !line.is_empty() && !line.starts_with('#') {
            sections.last_mut().unwrap().rows.push(row(line, index + 1));
        }
    }
    sections
}

fn row(text: &str, line: usize) -> Row {
    let columns: Vec<&str> = text.split('|').map(str::trim).collect();
    let [kind, phase, does, verdict, after, words, rest @ ..] = columns.as_slice() else {
        panic!("line {line}: {text}");
    };
    let after = match *after {
        "stays" => After::Stays,
        "anew" => After::Anew,
        "gone" => After::Gone,
        "replaced" => After::Replaced,
        "-" => After::Unseen,
        other => panic!("line {line}: {other}"),
    };
    let faults =
        rest.first().into_iter().flat_map(|faults| faults.split("; ")).filter(|fault| !fault.is_empty());
    let (later, faults): (Vec<&str>, Vec<&str>) = faults.partition(|fault| fault.starts_with("next: "));
    let does: Vec<&str> = does.split(" && ").collect();
    Row {
        line,
        kind: (*kind).to_owned(),
        phase: (*phase).to_owned(),
        fen: does.iter().find_map(|part| Some(part.strip_prefix("from ")?.to_owned())),
        rules: does.iter().filter(|part| !part.starts_with("from ")).map(|part| rule(part)).collect(),
        verdict: (*verdict).to_owned(),
        after,
        words: (*words).to_owned(),
        faults: faults.into_iter().map(str::to_owned).collect(),
        later_faults: later.into_iter().map(|fault| fault.replace("next: ", "")).collect(),
    }
}

fn rule(text: &str) -> Rule {
    let own = text.strip_prefix("opponent ");
    let (trigger, action) = own.unwrap_or(text).split_once(' ').unwrap();
    Rule { opponents: own.is_some(), trigger: trigger.to_owned(), action: action.to_owned() }
}

//! What a run left: exit code, output, games, events, and what the scripted engines were told.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::pgn::{self, Game};

/// A run that is over.
pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub pgn: String,
    pub games: Vec<Game>,
    pub events: Vec<Value>,
    pub dir: TempDir,
}

impl Outcome {
    pub fn read(dir: TempDir, code: i32) -> Outcome {
        let text = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap_or_default();
        let pgn = text("match.out/games.pgn");
        let outcome = Outcome {
            code,
            stdout: text("stdout"),
            stderr: text("stderr"),
            games: pgn::read(&pgn),
            pgn,
            events: parse_events(&text("match.out/events.jsonl")),
            dir,
        };
        outcome.check_records();
        outcome
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Asserts the exit code, and shows what the program said if it is another.
    #[track_caller]
    pub fn exits_with(self, code: i32) -> Outcome {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// The only game.
    #[track_caller]
    pub fn game(&self) -> &Game {
        assert_eq!(self.games.len(), 1, "stderr: {}", self.stderr);
        &self.games[0]
    }

    /// `result reason article` of each game, `-` without an article.
    pub fn endings(&self) -> Vec<String> {
        self.games.iter().map(Game::ending).collect()
    }

    /// Events of this type.
    pub fn events_of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |event| event["type"] == kind)
    }

    /// The `engine_fault` events as `game engine fault`, `-` outside a game.
    pub fn faults(&self) -> Vec<String> {
        let text = |event: &Value| {
            let game = event["game"].as_u64().map_or("-".to_owned(), |game| game.to_string());
            format!("{game} {} {}", event["engine"].as_str().unwrap(), event["fault"].as_str().unwrap())
        };
        self.events_of("engine_fault").map(text).collect()
    }

    /// The lines that a scripted engine received, with `# start` where a process begins.
    pub fn received(&self, engine: &str) -> Vec<String> {
        let log = fs::read_to_string(self.path().join(format!("{engine}.log"))).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    /// The received lines that begin with this word.
    pub fn received_words(&self, engine: &str, word: &str) -> Vec<String> {
        let lines = self.received(engine);
        lines.into_iter().filter(|line| line.split(' ').next() == Some(word)).collect()
    }

    /// The only game ended so.
    #[track_caller]
    pub fn ends(self, ending: &str, plies: usize) -> Outcome {
        let outcome = self.exits_with(0);
        let game = outcome.game();
        assert_eq!((game.ending().as_str(), game.sans.len()), (ending, plies), "{}", game.closing_words());
        outcome
    }

    /// The value that each `go` had after this word, `None` where it had none.
    pub fn told(&self, engine: &str, word: &str) -> Vec<Option<i64>> {
        let value = |line: &String| {
            let mut words = line.split(' ').skip_while(|part| *part != word).skip(1);
            words.next().map(|value| value.parse().unwrap())
        };
        self.received_words(engine, "go").iter().map(value).collect()
    }

    /// What the clock of the mover showed after this ply, in milliseconds as engines are told it.
    pub fn clock_after(&self, ply: u32) -> i64 {
        let event = self.events_of("move").find(|event| event["ply"] == ply).unwrap();
        event["clock_us"].as_i64().unwrap() / 1000
    }

    /// The comments after so many moves but the first, which tells score and time, and the closing one.
    pub fn remarks(&self, plies: usize) -> Vec<&str> {
        let comments = &self.game().comments;
        let here = comments[..comments.len() - 1].iter().filter(|(after, _)| *after == plies);
        here.skip(1).map(|(_, words)| words.as_str()).collect()
    }

    /// How many processes of a scripted engine were started.
    pub fn starts(&self, engine: &str) -> usize {
        self.received(engine).iter().filter(|line| *line == "# start").count()
    }

    /// PGN and events tell the same, in order.
    fn check_records(&self) {
        let times: Vec<f64> = self.events.iter().map(|event| event["t"].as_f64().unwrap()).collect();
        assert!(times.is_sorted(), "events are not in the order of their times");
        let ended: Vec<&Value> = self.events_of("game_ended").collect();
        assert_eq!(ended.len(), self.games.len(), "PGN and events have different numbers of games");
        for (game, event) in self.games.iter().zip(ended) {
            self.check_game(game, event);
        }
        if let Some(first) = self.events.first() {
            let failed_to_start = self.events_of("match_started").next().is_none();
            assert!(failed_to_start || first["type"] == "match_started", "{first}");
            assert_eq!(self.events.last().unwrap()["type"], "match_ended");
            assert_eq!(self.events.last().unwrap()["finished"], self.games.len());
        }
    }

    /// The events of a game, without what came of it when it was annulled.
    fn events_since_annulment(&self, game: &Value) -> impl Iterator<Item = &Value> {
        let annulled = |event: &Value| event["type"] == "game_annulled" && event["game"] == *game;
        let first = self.events.iter().rposition(annulled).map_or(0, |index| index + 1);
        self.events[first..].iter().filter(move |event| event["game"] == *game)
    }

    fn check_game(&self, game: &Game, event: &Value) {
        for (tag, key) in [("White", "white"), ("Black", "black"), ("Result", "result"), ("Reason", "reason")]
        {
            assert_eq!(game.tag(tag), event[key].as_str().unwrap(), "{event}");
        }
        assert_eq!(game.tag("Round"), event["round"].as_str().unwrap());
        assert_eq!(game.tags.get("Article").map(String::as_str), event["article"].as_str(), "{event}");
        assert_eq!(game.tag("PlyCount"), event["plies"].to_string());
        // PGN has no braces inside comments.
        let sentence = event["sentence"].as_str().unwrap().replace('{', "(").replace('}', ")");
        assert_eq!(game.closing_words(), pgn::one_line(&sentence));
        let number = &event["game"];
        let played = || self.events_since_annulment(number);
        let started = played().filter(|event| event["type"] == "game_started");
        assert_eq!(started.count(), 1, "game {number} has not one beginning");
        let moves = played().filter(|event| event["type"] == "move");
        let (sans, ucis): (Vec<&str>, Vec<&str>) =
            moves.map(|event| (event["san"].as_str().unwrap(), event["move"].as_str().unwrap())).unzip();
        assert_eq!(sans, game.sans, "game {number}");
        assert_eq!(ucis, game.ucis, "game {number}");
    }
}

/// The whole lines of an event log; a tail without line end is ignored.
pub fn parse_events(text: &str) -> Vec<Value> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

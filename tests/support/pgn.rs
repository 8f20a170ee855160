//! Reads a PGN file back with another library and replays every move.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// A game as another reader sees it.
#[derive(Debug, Default)]
pub struct Game {
    pub tags: BTreeMap<String, String>,
    /// The names of the tags in their order.
    pub tag_order: Vec<String>,
    pub sans: Vec<String>,
    pub ucis: Vec<String>,
    /// With the number of moves before each.
    pub comments: Vec<(usize, String)>,
    /// The result after the moves.
    pub outcome: Option<String>,
    pub position: Chess,
}

impl Game {
    #[track_caller]
    pub fn tag(&self, name: &str) -> &str {
        self.tags.get(name).unwrap_or_else(|| panic!("no tag {name}: {:?}", self.tags))
    }

    /// `result reason article`, `-` without an article.
    pub fn ending(&self) -> String {
        let article = self.tags.get("Article").map_or("-", String::as_str);
        format!("{} {} {article}", self.tag("Result"), self.tag("Reason"))
    }

    /// By the tag `Variant`, which stands before `FEN`.
    fn mode(&self) -> CastlingMode {
        match self.tags.get("Variant").map(String::as_str) {
            None => CastlingMode::Standard,
            Some("Chess960") => CastlingMode::Chess960,
            Some(other) => panic!("an unknown variant: {other}"),
        }
    }

    /// The comment before the result.
    pub fn closing_words(&self) -> &str {
        &self.comments.last().expect("a closing comment").1
    }
}

/// Reads every game.
///
/// # Panics
/// An illegal move, a missing or repeated tag, a movetext without result.
pub fn read(text: &str) -> Vec<Game> {
    let mut reader = Reader::new(std::io::Cursor::new(text));
    let games: Vec<Game> = reader.read_games(&mut GameVisitor).map(Result::unwrap).collect();
    for game in &games {
        let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        assert_eq!(game.tag_order[..7], roster, "the seven-tag roster comes first");
        assert_eq!(game.tags.len(), game.tag_order.len(), "a tag stands twice");
        assert_eq!(game.outcome.as_deref(), Some(game.tag("Result")), "tag and movetext differ");
        assert_eq!(game.tag("PlyCount"), game.sans.len().to_string());
        assert!(game.tags.contains_key("Termination"));
    }
    assert_eq!(games.len(), text.matches("[Event \"").count(), "games run into each other");
    games
}

/// White space as one blank, as line breaks make no difference in a comment.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct GameVisitor;

impl Visitor for GameVisitor {
    type Tags = Game;
    type Movetext = Game;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let (name, value) =
            (String::from_utf8(name.to_vec()).unwrap(), value.decode_utf8().unwrap().into_owned());
        if name == "FEN" {
            let fen: Fen = value.parse().unwrap();
            game.position = fen.into_position(game.mode()).unwrap();
        }
        game.tag_order.push(name.clone());
        game.tags.insert(name, value);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Game> {
        let played = san.san.to_move(&game.position).unwrap_or_else(|error| panic!("{san}: {error}"));
        assert_eq!(SanPlus::from_move(game.position.clone(), played), san, "not the usual notation");
        game.ucis.push(played.to_uci(game.mode()).to_string());
        game.sans.push(san.to_string());
        game.position.play_unchecked(played);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut Game, comment: RawComment<'_>) -> ControlFlow<Game> {
        let text = std::str::from_utf8(comment.as_bytes()).unwrap();
        game.comments.push((game.sans.len(), one_line(text)));
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Game, outcome: Outcome) -> ControlFlow<Game> {
        game.outcome = Some(outcome.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

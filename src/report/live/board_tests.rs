use super::*;
use crate::game::record::SearchRecord;

fn id(number: u32) -> GameId {
    GameId { number, round: number.div_ceil(2), game: 2 - number % 2 }
}

fn game(number: u32, fen: Option<&str>) -> RunningGame {
    RunningGame::new(id(number), ByColor { white: "Alpha", black: "Beta" }, fen, Instant::now())
}

fn ply(search: Option<SearchRecord>) -> PlyRecord {
    PlyRecord { uci: "e2e4".to_owned(), san: "e4".to_owned(), search, offers_draw: false, remark: None }
}

fn search(seconds: u64, score: Option<Score>) -> Option<SearchRecord> {
    let clock = Some(Duration::from_secs(seconds));
    Some(SearchRecord { clock, score, depth: Some(9), ..SearchRecord::default() })
}

#[test]
fn a_game_is_followed_from_its_begin_to_its_end() {
    let board = Board::new(2);
    board.begin(game(7, None));
    board.begin(game(6, None));
    board.note(7, 1, Color::White, &ply(search(43, Some(Score::Centipawns(35)))));
    board.note(7, 2, Color::Black, &ply(search(51, None)));
    let games = board.games();
    assert_eq!(games.iter().map(|game| game.id.number).collect::<Vec<_>>(), [6, 7]);
    assert_eq!(games[1].clocks, ByColor::new_with(|side| Some(Duration::from_secs(side.fold_wb(43, 51)))));
    let told = ToldScore { by: Color::White, score: Score::Centipawns(35), depth: Some(9) };
    assert_eq!(games[1].score, Some(told), "who tells no score leaves the last one");
    assert_eq!(board.end(7).map(|game| game.plies), Some(2));
    assert_eq!(board.end(7), None);
    assert_eq!(board.games().len(), 1);
}

#[test]
fn a_book_move_changes_neither_clock_nor_score() {
    let mut game = game(1, None);
    game.note(1, Color::White, &ply(None));
    assert_eq!((game.plies, game.score, game.clocks.white), (1, None, None));
}

#[test]
fn moves_are_numbered_as_the_fen_says() {
    let number = |fen: Option<&str>, plies: u32| {
        let mut game = game(1, fen);
        game.plies = plies;
        game.move_number()
    };
    assert_eq!([0, 1, 2, 3].map(|plies| number(None, plies)), [None, Some(1), Some(1), Some(2)]);
    let black = Some("8/8/8/8/8/8/8/k1K5 b - - 3 40");
    assert_eq!([1, 2, 3].map(|plies| number(black, plies)), [Some(40), Some(41), Some(41)]);
    assert_eq!(number(Some("8/8/8/8/8/8/8/k1K5 w - - 0 4294967295"), 5), Some(u32::MAX / 2 + 1));
    assert_eq!(number(Some("8/8/8/8/8/8/8/k1K5 w - -"), 1), Some(1));
}

#[test]
fn as_many_games_as_there_is_room_for_whatever_their_numbers() {
    let board = Board::new(3);
    // All of them at home in the same place.
    for number in [8, 16, 24] {
        board.begin(game(number, None));
    }
    for number in [24, 8, 16] {
        board.note(number, number, Color::White, &ply(None));
    }
    assert!(board.games().iter().all(|game| game.plies == game.id.number));
    assert_eq!(board.games().len(), 3);
}

#[test]
fn c_10_a_game_does_not_wait_for_whoever_looks() {
    let board = Board::new(1);
    board.begin(game(1, None));
    let looked_at: Vec<_> = board.places.iter().map(|place| place.lock().unwrap()).collect();
    // Would never return if it waited.
    board.note(1, 1, Color::White, &ply(None));
    board.begin(game(2, None));
    drop(looked_at);
    assert_eq!(board.games().len(), 1, "what could not be stored is left out");
    board.note(1, 2, Color::Black, &ply(None));
    assert_eq!(board.games()[0].plies, 2, "the next ply makes it good");
}

use std::io::Cursor;

use shakmaty::CastlingMode;

use super::*;
use crate::law::notation::fen;

/// Entries from keys, moves and weights, in this order.
fn bytes(entries: &[(u64, u16, u16)]) -> Vec<u8> {
    let entry = |(key, book_move, weight): &(u64, u16, u16)| {
        [&key.to_be_bytes()[..], &book_move.to_be_bytes(), &weight.to_be_bytes(), &[9; 4]].concat()
    };
    entries.iter().flat_map(entry).collect()
}

fn open(bytes: Vec<u8>) -> Result<PolyglotBook<Cursor<Vec<u8>>>, String> {
    PolyglotBook::open(Path::new("test.bin"), Cursor::new(bytes)).map_err(|error| error.to_string())
}

fn position(fen: &str, mode: CastlingMode) -> Chess {
    fen::parse(fen, mode).unwrap().chess
}

/// The examples of the format's description.
#[test]
fn keys_are_those_of_the_format() {
    for (moves, expected) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        let mut chess = Chess::default();
        for text in moves.split_whitespace() {
            let played = text.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
            chess.play_unchecked(played);
        }
        assert_eq!(key(&chess), expected, "{moves}");
    }
}

#[test]
fn entries_of_a_position_are_found_wherever_they_stand() {
    let table = [(1, 5, 1), (3, 7, 2), (3, 8, 0), (3, 9, 65_535), (4, 1, 1), (u64::MAX, 2, 3)];
    let mut book = open(bytes(&table)).unwrap();
    let mut found = |key| {
        let entries = book.entries(key).unwrap();
        entries.iter().map(|entry| (entry.number, entry.book_move.0, entry.weight)).collect::<Vec<_>>()
    };
    assert_eq!(found(3), [(2, 7, 2), (4, 9, 65_535)]);
    assert_eq!(found(1), [(1, 5, 1)]);
    assert_eq!(found(u64::MAX), [(6, 2, 3)]);
    for missing in [0, 2, 5] {
        assert_eq!(found(missing), [], "{missing}");
    }
    assert!(open(Vec::new()).unwrap().entries(3).unwrap().is_empty());
}

#[test]
fn entries_are_found_across_blocks() {
    // Keys 0, 1, 1, 2, 2, 2, 3 …: each as often as its number and one more, with its place as weight.
    let keys = (0..60_u64).flat_map(|key| (0..=key).map(move |_| key));
    let table: Vec<(u64, u16, u16)> = keys.zip(1..).map(|(key, place)| (2 * key, 5, place)).collect();
    assert!(table.len() > 6 * 256);
    let mut book = open(bytes(&table)).unwrap();
    for key in 0..121 {
        let expected: Vec<u64> =
            table.iter().filter(|entry| entry.0 == key).map(|entry| entry.2.into()).collect();
        let found: Vec<u64> = book.entries(key).unwrap().iter().map(|entry| entry.number).collect();
        assert_eq!(found, expected, "{key}");
    }
    // 512 of one key fill two blocks.
    let mut full = open(bytes(&vec![(7, 5, 1); 512])).unwrap();
    assert_eq!((full.entries(7).unwrap().len(), full.entries(6).unwrap().len()), (512, 0));
}

#[test]
fn what_is_no_polyglot_book_is_told() {
    let mut table = bytes(&[(1, 5, 1), (3, 7, 2)]);
    table.pop();
    assert!(open(table).unwrap_err().contains("no multiple of 16 bytes"));
    assert!(open(bytes(&[(3, 5, 1), (1, 7, 2)])).unwrap_err().contains("the order of their keys"));
    assert!(open(vec![7; 16 * 600]).unwrap_err().contains("more moves than chess can have"));
    assert!(open(vec![0; 16 * 600]).is_ok(), "notes");
}

#[test]
fn moves_are_decoded_and_castling_is_to_the_rook() {
    let castling = "r3k2r/8/8/8/8/8/1P6/R3K2R w KQkq - 0 1";
    for (fen, from_to, promotion, mode, expected) in [
        (castling, ("e1", "h1"), 0, CastlingMode::Standard, Some("e1g1")),
        (castling, ("e1", "a1"), 0, CastlingMode::Standard, Some("e1c1")),
        (castling, ("e1", "g1"), 0, CastlingMode::Standard, Some("e1g1")),
        (castling, ("e1", "h1"), 0, CastlingMode::Chess960, Some("e1h1")),
        (castling, ("b2", "b4"), 0, CastlingMode::Standard, Some("b2b4")),
        (castling, ("b2", "b4"), 4, CastlingMode::Standard, None),
        (castling, ("b2", "b5"), 0, CastlingMode::Standard, None),
        (castling, ("a1", "a1"), 0, CastlingMode::Standard, None),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", ("a7", "a8"), 4, CastlingMode::Standard, Some("a7a8q")),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", ("a7", "a8"), 1, CastlingMode::Standard, Some("a7a8n")),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", ("a7", "a8"), 0, CastlingMode::Standard, None),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", ("a7", "a8"), 5, CastlingMode::Standard, None),
    ] {
        let square = |text: &str| text.parse::<Square>().unwrap() as u16;
        let code = BookMove(promotion << 12 | square(from_to.0) << 6 | square(from_to.1));
        let played = code.in_position(&position(fen, mode));
        let text = played.map(|played| played.to_uci(mode).to_string());
        assert_eq!(text.as_deref(), expected, "{from_to:?} {promotion}");
    }
}

#[test]
fn every_code_is_a_legal_move_or_none() {
    let chess = Chess::default();
    let legal = (0..=u16::MAX).filter(|code| BookMove(*code).in_position(&chess).is_some());
    assert_eq!(legal.count(), 20);
    assert!((0..=u16::MAX).all(|code| !BookMove(code).text().is_empty()));
}

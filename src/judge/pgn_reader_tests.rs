use super::*;
use crate::judge::pgn_game::PgnFault;

fn games(text: impl AsRef<[u8]>) -> Vec<PgnGame> {
    let mut reader = PgnReader::new(text.as_ref());
    std::iter::from_fn(|| reader.next_game().unwrap()).collect()
}

fn moves(game: &PgnGame) -> String {
    game.moves.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_empty_file_has_no_games() {
    for text in ["", "\n\n", "\u{feff}", "; nothing\n% here\n{either}\n"] {
        assert!(games(text).is_empty(), "{text:?}");
    }
}

#[test]
fn tags_moves_and_results_of_several_games() {
    let text = "[Event \"A \\\"quoted\\\" \\\\ one\"]\n[White \"Ä\"]\n\n1. e4 {a [comment] (with)\nlines} e5 2.Nf3 (2. f4 exf4 \
                {)} (2... d5)) 2... Nc6!? $14 ; rest\n% escaped\n3. Bb5 a6 1-0\n\n[Event \"B\"]\n\n*\n";
    let games = games(text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].tag("Event"), Some("A \"quoted\" \\ one"));
    assert_eq!(games[0].tag("White"), Some("Ä"));
    assert_eq!(moves(&games[0]), "e4 e5 Nf3 Nc6!? Bb5 a6");
    assert_eq!(games[0].terminator.map(FileResult::as_str), Some("1-0"));
    assert_eq!((games[0].number, games[0].line, games[0].fault.as_ref()), (1, 1, None));
    assert_eq!((games[1].number, games[1].line, moves(&games[1]).as_str()), (2, 9, ""));
    assert_eq!(games[1].terminator, Some(FileResult::Open));
}

#[test]
fn move_numbers_results_and_castling_are_told_apart() {
    let text = "1.e4 e5 2 . Nf3 Nc6 3... 4.O-O 0-0 5.0-0-0 = +- 6... Nxe4 e.p. 1/2-1/2 1. d4 ½–½ 1. c4 0–1";
    let games = games(text);
    let all: Vec<_> = games.iter().map(|game| (moves(game), game.terminator.unwrap().as_str())).collect();
    let expected = [("e4 e5 Nf3 Nc6 O-O 0-0 0-0-0 Nxe4", "1/2-1/2"), ("d4", "1/2-1/2"), ("c4", "0-1")];
    assert_eq!(all, expected.map(|(moves, result)| (moves.to_owned(), result)));
}

#[test]
fn crlf_byte_order_mark_latin_1_and_missing_blank_lines() {
    let games = games(b"\xef\xbb\xbf[White \"M\xfcller\"]\r\n1. e4 e5\r\n\r\n2. Nf3 1-0 {Gr\xfc\xdfe} 1. d4 *\r\n[White \"B\"]\r\n1. c4 *");
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].tag("White"), Some("Müller"));
    assert_eq!(moves(&games[0]), "e4 e5 Nf3");
    assert_eq!((moves(&games[1]).as_str(), moves(&games[2]).as_str()), ("d4", "c4"));
}

#[test]
fn a_game_without_result_ends_at_the_next_tags() {
    let games = games("[Event \"A\"]\n\n1. e4\n\n[Event \"B\"]\n\n[Event \"C\"]\n\n1. d4 1-0\n");
    let seen: Vec<_> =
        games.iter().map(|game| (game.tag("Event").unwrap(), moves(game), game.terminator)).collect();
    assert_eq!(seen.len(), 3);
    assert_eq!(seen[0], ("A", "e4".to_owned(), None));
    assert_eq!(seen[1], ("B", String::new(), None));
    assert_eq!(seen[2].1, "d4");
}

#[test]
fn what_is_never_closed_costs_its_own_game_only() {
    for (open, line, what) in [
        ("{ for ever\n\n", 3, "the comment that begins here is never closed"),
        ("( 1. d4\n\n", 5, "a variation is never closed"),
        ("} 1-0\n\n", 3, "`}` closes no comment"),
        (") 1-0\n\n", 3, "`)` closes no variation"),
    ] {
        let games = games(format!("[Event \"A\"]\n\n1. e4 {open}[Event \"B\"]\n\n1. d4 1-0\n"));
        assert_eq!(games.len(), 2, "{open}");
        assert_eq!(games[0].fault, Some(PgnFault { line, what: what.to_owned() }));
        assert_eq!((moves(&games[1]).as_str(), games[1].fault.as_ref()), ("d4", None));
    }
    assert_eq!(games("1. e4 {").first().and_then(|game| game.fault.clone()).map(|fault| fault.line), Some(1));
}

#[test]
fn unreadable_tags_are_noted_and_matter_where_the_game_is_judged_by_them() {
    let site = &games("[Site \"A\n[Result \"1-0\"]\n\n1. e4 1-0")[0];
    assert_eq!(site.fault, None);
    assert_eq!(site.notes, ["line 1: the tag `[Site \"A` can't be read"]);
    assert_eq!(site.tag("Result"), Some("1-0"));
    let fen = &games("[FEN 4k3]\n\n1. e4 1-0")[0];
    assert_eq!(
        fen.fault.as_ref().map(ToString::to_string).unwrap(),
        "line 1: the tag `[FEN 4k3]` can't be read"
    );
    let unescaped = &games("[Event \"The \"Big\" One\"] [Site \"?\"]\n\n*")[0];
    assert_eq!(unescaped.tags.len(), 2);
    assert_eq!(unescaped.tag("Event"), Some("The \"Big\" One"));
}

#[test]
fn nothing_in_the_main_line_is_passed_over() {
    let game = &games("1. e4 e9 2. -- 0000 hello [x] 1-0")[0];
    assert_eq!(moves(game), "e4 e9 -- 0000 hello [x]");
}

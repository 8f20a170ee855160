use std::time::Duration;

use shakmaty::{CastlingMode, Chess};

use super::*;
use crate::engine::message::Score;
use crate::game::game_id::GameId;
use crate::law::notation::fen;
use crate::law::verdict::{Forfeit, MatingChance, Verdict};
use crate::openings::Opening;

fn tags() -> MatchTags {
    MatchTags { event: "Quickstart".to_owned(), site: "?".to_owned() }
}

fn game(fen: Option<&str>, verdict: Verdict) -> GameRecord {
    let start = fen.map_or_else(Chess::default, |fen| fen::parse(fen, CastlingMode::Standard).unwrap().chess);
    GameRecord {
        id: GameId { number: 3, round: 2, game: 1 },
        names: ByColor { white: "Alpha".to_owned(), black: "Beta".to_owned() },
        time_controls: ByColor { white: "60+0.6".parse().unwrap(), black: "60+0.6".parse().unwrap() },
        claims: ByColor { white: "assisted".to_owned(), black: "assisted".to_owned() },
        opening: Opening {
            start,
            mode: CastlingMode::Standard,
            fen: fen.map(str::to_owned),
            book: Vec::new(),
        },
        plies: Vec::new(),
        verdict,
        detail: None,
        flag_fall: None,
        dialogue: ByColor::new_with(|_| Vec::new()),
        started: "2026-11-29T23:59:58+01:00[+01:00]".parse().unwrap(),
    }
}

fn ply(san: &str, score: Option<Score>, depth: Option<u32>) -> PlyRecord {
    let search =
        SearchRecord { time: Duration::from_micros(450_400), score, depth, ..SearchRecord::default() };
    PlyRecord {
        uci: String::new(),
        san: san.to_owned(),
        search: Some(search),
        offers_draw: false,
        remark: None,
    }
}

fn movetext(text: &str) -> &str {
    text.split_once("\n\n").unwrap().1.trim_end()
}

#[test]
fn a_whole_game() {
    let mut game = game(None, Verdict::checkmate(Color::Black));
    game.plies = vec![
        PlyRecord {
            uci: "f2f3".to_owned(),
            san: "f3".to_owned(),
            search: None,
            offers_draw: false,
            remark: None,
        },
        ply("e5", Some(Score::Centipawns(35)), Some(12)),
        ply("g4", Some(Score::MateIn(0)), None),
        ply("Qh4#", Some(Score::MateIn(1)), Some(3)),
    ];
    let expected = "[Event \"Quickstart\"]\n[Site \"?\"]\n[Date \"2026.11.29\"]\n[Round \"2.1\"]\n[White \"Alpha\"]\n\
        [Black \"Beta\"]\n[Result \"0-1\"]\n[TimeControl \"60+0.6\"]\n[Claims \"assisted\"]\n\
        [GameStartTime \"2026-11-29T23:59:58+01:00\"]\n[PlyCount \"4\"]\n[Termination \"normal\"]\n\
        [Reason \"checkmate\"]\n[Article \"5.1.1\"]\n\n\
        1. f3 {book} 1... e5 {+0.35/12 0.450s} 2. g4 {-M0 0.450s} 2... Qh4#\n{+M1/3 0.450s} \
        {Black wins by checkmate (Article 5.1.1)} 0-1\n\n";
    assert_eq!(render(&game, &tags()), expected);
}

#[test]
fn scores_are_written_as_they_are_displayed() {
    for centipawns in [0, 5, -5, 35, -99, 100, -12_345, i32::MAX, i32::MIN] {
        for score in [Score::Centipawns(centipawns), Score::MateIn(centipawns)] {
            let mut text = String::new();
            write_score(&mut text, score);
            assert_eq!(text, score.to_string());
        }
    }
}

#[test]
fn g_01_a_game_without_moves_is_a_game() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7";
    let mut game =
        game(Some(fen), Verdict::forfeit(Color::Black, Forfeit::IllegalMove, MatingChance::Possible));
    game.detail = Some("`bestmove e7e5`".to_owned());
    let text = render(&game, &tags());
    assert_eq!(movetext(&text), "{Black loses by an illegal move (Article 7.5.5): `bestmove e7e5`} 1-0");
    assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")));
}

#[test]
fn g_02_and_g_13_the_reason_is_always_there() {
    for (forfeit, termination, reason) in [
        (Forfeit::IllegalMove, "rules infraction", "illegal_move"),
        (Forfeit::FlagFall, "time forfeit", "flag_fall"),
        (Forfeit::Disconnect, "abandoned", "disconnect"),
        (Forfeit::Stall, "abandoned", "stall"),
        (Forfeit::ProtocolViolation, "rules infraction", "protocol_violation"),
    ] {
        let text =
            render(&game(None, Verdict::forfeit(Color::White, forfeit, MatingChance::Possible)), &tags());
        assert!(text.contains(&format!("[Termination \"{termination}\"]\n[Reason \"{reason}\"]")), "{text}");
    }
}

#[test]
fn g_03_the_start_time_has_its_offset_and_the_fen_six_fields() {
    let text = render(&game(Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 7"), Verdict::stalemate()), &tags());
    assert!(text.contains("T23:59:58+01:00\"]"));
    assert!(text.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 7\"]"));
}

#[test]
fn g_08_a_start_with_black_to_move_keeps_its_number() {
    let mut game = game(Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"), Verdict::stalemate());
    game.plies = vec![ply("Ke7", None, None), ply("e4", None, None)];
    let text = render(&game, &tags());
    assert!(movetext(&text).starts_with("7... Ke7 {0.450s} 8. e4 {0.450s} "), "{text}");
}

#[test]
fn g_09_quotes_backslashes_and_braces_break_nothing() {
    let mut game = game(None, Verdict::forfeit(Color::White, Forfeit::IllegalMove, MatingChance::Possible));
    game.names.white = "A\"x\\ \u{e9}\n]".to_owned();
    game.detail = Some("`bestmove {e2}\n`".to_owned());
    let text = render(&game, &tags());
    assert!(text.contains("[White \"A\\\"x\\\\ \u{e9} ]\"]\n"), "{text}");
    assert!(
        text.contains("{White loses by an illegal move (Article 7.5.5): `bestmove (e2) `} 0-1"),
        "{text}"
    );
}

#[test]
fn g_10_tag_and_movetext_have_one_result() {
    for verdict in [Verdict::checkmate(Color::White), Verdict::stalemate(), Verdict::checkmate(Color::Black)]
    {
        let result = verdict.result().as_str();
        let text = render(&game(None, verdict), &tags());
        assert!(text.contains(&format!("[Result \"{result}\"]")));
        assert!(text.trim_end().ends_with(&format!(" {result}")));
    }
}

#[test]
fn g_12_scores_have_one_form() {
    for (score, text) in [
        (Score::Centipawns(0), "+0.00"),
        (Score::Centipawns(-5), "-0.05"),
        (Score::Centipawns(1234), "+12.34"),
        (Score::Centipawns(i32::MIN), "-21474836.48"),
        (Score::MateIn(5), "+M5"),
        (Score::MateIn(-5), "-M5"),
    ] {
        assert_eq!(score.to_string(), text);
    }
}

#[test]
fn g_13_different_time_controls_have_their_own_tags() {
    let mut game = game(None, Verdict::stalemate());
    game.time_controls.black = "depth=9".parse().unwrap();
    let text = render(&game, &tags());
    assert!(text.contains("[WhiteTimeControl \"60+0.6\"]\n[BlackTimeControl \"-\"]\n"));
    assert!(!text.contains("[TimeControl "));
}

#[test]
fn r_16_the_convention_of_draws_is_in_the_record() {
    let mut game = game(None, Verdict::stalemate());
    game.claims.black = "threefold never, fifty moves always".to_owned();
    let text = render(&game, &tags());
    let expected = "[WhiteClaims \"assisted\"]\n[BlackClaims \"threefold never, fifty moves always\"]\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn no_line_is_wider_than_the_standard_allows() {
    let mut game = game(None, Verdict::stalemate());
    game.plies = (0..200).map(|_| ply("Nf3", Some(Score::Centipawns(35)), Some(12))).collect();
    let text = render(&game, &tags());
    assert!(movetext(&text).lines().all(|line| line.len() <= LINE_WIDTH));
}

#[test]
fn remarks_and_offers_stand_behind_the_move() {
    let mut game = game(None, Verdict::agreement(Color::Black));
    let remark = Some("claim of a draw denied (Article 9.5.3): 60 s for Black".to_owned());
    game.plies = vec![PlyRecord { offers_draw: true, remark, ..ply("e4", None, None) }];
    let text = render(&game, &tags()).replace('\n', " ");
    let expected = "1. e4 {0.450s} {claim of a draw denied (Article 9.5.3): 60 s for Black} {offers a draw} \
        {Draw by agreement, accepted by Black (Article 5.2.3)} 1/2-1/2";
    assert!(text.contains(expected), "{text}");
}

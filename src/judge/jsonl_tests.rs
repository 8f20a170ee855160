use super::*;
use crate::law::policy::DeadPositionRule;

fn stream(input: &[u8]) -> (String, String, u64) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let bad_lines = run(input, &mut stdout, &mut stderr, &JudgeOptions::default()).unwrap();
    (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap(), bad_lines)
}

fn line(input: &str) -> String {
    stream(input.as_bytes()).0.trim_end().to_owned()
}

fn error(input: &str) -> String {
    let object: serde_json::Value = serde_json::from_str(&line(input)).unwrap();
    object["error"].as_str().unwrap_or_else(|| panic!("{object}")).to_owned()
}

fn end(input: &str) -> String {
    let object: serde_json::Value = serde_json::from_str(&line(input)).unwrap();
    object["end"].to_string()
}

#[test]
fn the_shape_of_a_game_that_goes_on() {
    let expected = concat!(
        r#"{"id":"a","end":null,"claims":[],"final":{"ply":1,"#,
        r#""fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","#,
        r#""repetitions":1,"halfmove_clock":0,"can_mate":{"white":"yes","black":"yes"},"#,
        r#""helpmate":{"white":null,"black":null},"nodes":0}}"#,
        "\n",
    );
    let material = JudgeOptions { dead_position: DeadPositionRule::Material, ..JudgeOptions::default() };
    let mut stdout = Vec::new();
    let input = br#"{"id": "a", "fen": null, "moves": ["e2e4"]}"#;
    run(&input[..], &mut stdout, &mut Vec::new(), &material).unwrap();
    assert_eq!(String::from_utf8(stdout).unwrap(), expected);
}

#[test]
fn helpmates_lead_to_mate() {
    let object: serde_json::Value = serde_json::from_str(&line(r#"{"id": 1}"#)).unwrap();
    for (side, winner) in [("white", "1-0"), ("black", "0-1")] {
        let moves = &object["final"]["helpmate"][side];
        let ended = end(&serde_json::json!({"id": 2, "moves": moves}).to_string());
        assert!(ended.contains(&format!(r#""result":"{winner}","reason":"checkmate""#)), "{ended}");
    }
}

#[test]
fn the_shape_of_claims_and_a_fivefold_repetition() {
    let moves = r#""g1f3","g8f6","f3g1","f6g8""#;
    let text = line(&format!(r#"{{"id": 7, "moves": [{}]}}"#, [moves; 5].join(",")));
    let end =
        r#"{"id":7,"end":{"ply":16,"result":"1/2-1/2","reason":"fivefold_repetition","article":"9.6.1"},"#;
    assert!(text.starts_with(end), "{text}");
    for claim in [
        r#"[{"ply":7,"by":"black","reason":"threefold_repetition","how":"intended","moves":["f6g8"],"article":"9.2.1"},"#,
        r#"{"ply":8,"by":"white","reason":"threefold_repetition","how":"appeared","article":"9.2.2"},"#,
        r#"{"ply":15,"by":"black","reason":"threefold_repetition","how":"intended","moves":["f6g8"],"article":"9.2.1"}],"#,
    ] {
        assert!(text.contains(claim), "{claim}\n{text}");
    }
    assert!(text.contains(r#""final":{"ply":16,"#) && text.contains(r#""repetitions":5,"#), "{text}");
}

#[test]
fn after_a_mate_the_winners_line_is_empty() {
    let text = line(r#"{"id": 1, "moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}"#);
    assert!(
        text.contains(r#""end":{"ply":4,"result":"0-1","reason":"checkmate","article":"5.1.1"}"#),
        "{text}"
    );
    assert!(text.contains(r#""helpmate":{"white":null,"black":[]}"#), "{text}");
}

#[test]
fn events_are_ruled_on() {
    let against_bare_king = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (fen, event, expected) in [
        (
            against_bare_king,
            r#"{"flag_fall": "white"}"#,
            r#"{"ply":0,"result":"1/2-1/2","reason":"flag_fall","article":"6.9"}"#,
        ),
        (
            against_bare_king,
            r#"{"illegal_move": "white"}"#,
            r#"{"ply":0,"result":"1/2-1/2","reason":"illegal_move","article":"7.5.5"}"#,
        ),
        (
            against_bare_king,
            r#"{"resignation": "black"}"#,
            r#"{"ply":0,"result":"1-0","reason":"resignation","article":"5.1.2"}"#,
        ),
        (
            against_bare_king,
            r#"{"disconnect": "black"}"#,
            r#"{"ply":0,"result":"1-0","reason":"disconnect","article":null}"#,
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            r#"{"flag_fall": "white"}"#,
            r#"{"ply":0,"result":"1/2-1/2","reason":"dead_position","article":"5.2.2"}"#,
        ),
        (against_bare_king, "null", "null"),
    ] {
        let input = format!(r#"{{"id": 1, "fen": "{fen}", "event": {event}}}"#);
        assert_eq!(end(&input), expected, "{input}");
    }
}

#[test]
fn a_claim_stands_beside_an_event() {
    let text = line(r#"{"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 100 90", "event": {"flag_fall": "white"}}"#);
    assert!(text.contains(r#""reason":"fifty_move_rule","how":"appeared""#), "{text}");
}

#[test]
fn bad_fields_are_named_and_the_rest_goes_on() {
    for (input, expected) in [
        (r#"{"moves": ["e2e5"]}"#, "field `moves`: `e2e5` at ply 1 is not a legal move for White in `rnbq"),
        (r#"{"moves": ["e2e4", 5]}"#, "field `moves`: `5` at ply 2 must be a string"),
        (r#"{"moves": "e2e4"}"#, "field `moves`: must be an array of moves in UCI notation, not `\"e2e4\"`"),
        (r#"{"fen": 3}"#, "field `fen`: must be a string, or null for the initial position, not `3`"),
        (r#"{"fen": ""}"#, "field `fen`: invalid FEN ``: the piece placement is missing"),
        (r#"{"chess960": "yes"}"#, "field `chess960`: must be true or false, not `\"yes\"`"),
        (
            r#"{"event": {"flag_fall": "black"}}"#,
            "field `event`: it is White's move, so White alone can have",
        ),
        (
            r#"{"event": {"flag_fall": "red"}}"#,
            "field `event`: `flag_fall` must be \"white\" or \"black\", not `red`",
        ),
        (r#"{"event": {"rain": "white"}}"#, "field `event`: `rain` is unknown; it must be"),
        (r#"{"event": {}}"#, "field `event`: must hold exactly one of"),
        (r#"{"event": "flag_fall"}"#, "field `event`: must be"),
        ("[1]", "the line is not a JSON object: "),
        ("{\"id\": 1", "the line is not a JSON object: "),
        ("7", "the line is not a JSON object: "),
    ] {
        let message = error(input);
        assert!(message.starts_with(expected), "{input}: {message}");
    }
    let input = b"{\"id\": 1, \"moves\": [\"e2e5\"]}\n{\"id\": 2}\n\xff\n\n{\"id\": 4}\r\n";
    let (stdout, _, bad_lines) = stream(input);
    let starts =
        ["{\"id\":1,\"error\":", "{\"id\":2,\"end\":", "{\"id\":null,\"error\":", "{\"id\":4,\"end\":"];
    assert_eq!(bad_lines, 2);
    assert_eq!(stdout.lines().count(), starts.len());
    for (line, start) in stdout.lines().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    assert!(stdout.contains("the line is not UTF-8: byte 1 is wrong"), "{stdout}");
}

#[test]
fn ids_come_back_as_they_were_written() {
    for id in
        ["null", "\"\\u00e9\"", "123456789012345678901234567890", "1.50", "{\"b\":[1,{}],\"a\":null}", "true"]
    {
        assert!(
            line(&format!("{{\"id\":{id}}}")).starts_with(&format!("{{\"id\":{id},\"end\":null")),
            "{id}"
        );
    }
    assert!(line("{}").starts_with("{\"id\":null,"));
}

#[test]
fn unknown_fields_are_said_once() {
    let (_, stderr, bad_lines) = stream(b"{\"move\": 1}\n{\"move\": 2, \"fne\": 3}\n");
    assert_eq!(bad_lines, 0);
    assert_eq!(
        stderr,
        "warning: line 1: field `move` is unknown and ignored\nwarning: line 2: field `fne` is unknown and ignored\n"
    );
}

#[test]
fn what_a_fen_lost_is_noted() {
    let text = line(r#"{"fen": "4k3/8/8/8/8/8/4P3/4K3 w K - 0 0"}"#);
    let notes = r#""notes":["fullmove number 0 was read as 1","a castling right without its king and rook was dropped"]}"#;
    assert!(text.ends_with(notes), "{text}");
}

#[test]
fn chess960_is_king_takes_rook_in_and_out() {
    let fen = "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb - 99 60";
    let text = line(&format!(r#"{{"fen": "{fen}", "chess960": true}}"#));
    assert!(
        text.contains(r#""e1b1""#) && text.contains(r#""e1g1""#) && !text.contains(r#""e1c1""#),
        "{text}"
    );
    assert!(text.contains(fen), "{text}");
    let castled = line(&format!(r#"{{"fen": "{fen}", "moves": ["e1g1", "e8b8"], "chess960": true}}"#));
    assert!(castled.contains("2kr2r1/6p1/8/8/8/8/6P1/1R3RK1 w - - 101 61"), "{castled}");
}

/// Counts what has been flushed, as a reader on the other side of a pipe sees it.
#[derive(Default)]
struct Pipe {
    written: usize,
    flushed: usize,
    lines_at_flush: Vec<usize>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written += bytes.iter().filter(|byte| **byte == b'\n').count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushed = self.written;
        self.lines_at_flush.push(self.flushed);
        Ok(())
    }
}

#[test]
fn each_line_is_flushed_as_soon_as_it_is_judged() {
    let mut pipe = Pipe::default();
    run("{}\n{}\n{}\n".as_bytes(), &mut pipe, &mut io::sink(), &JudgeOptions::default()).unwrap();
    assert_eq!(pipe.lines_at_flush, [1, 2, 3]);
}

//! The evidence of one finished game: verdict, clock log, the last lines of both dialogues, and a position line that
//! can be pasted into an engine.

use std::fmt::Write;
use std::time::Duration;

use shakmaty::{Color, Position};

use crate::engine::command::PositionCommand;
use crate::engine::dialogue_tail::{DialogueLine, Direction};
use crate::engine::message::Score;
use crate::game::record::{GameRecord, PlyRecord, SearchRecord};
use crate::law::verdict::side_name;

/// What engines did wrong in a game without losing it by that: the engine's name, and what.
pub type Fault = (String, String);

/// All that is known of a game, for people. `faults` are in the order in which they happened; `annulments` tell why
/// earlier attempts at this game counted for nothing.
pub fn render(game: &GameRecord, faults: &[Fault], annulments: &[String]) -> String {
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = writeln!(text, "Game {}  {} – {}", game.id, game.names.white, game.names.black);
    let _ = writeln!(text, "{}  {}", game.verdict.result(), game.sentence());
    let article = game.verdict.article().map_or(String::new(), |article| format!(", Article {article}"));
    let _ = writeln!(text, "reason: {}{article}", game.verdict.reason().name());
    let _ = writeln!(text, "started {}", game.started.strftime("%Y-%m-%d %H:%M:%S %:z"));
    for (side, control) in [("White", &game.time_controls.white), ("Black", &game.time_controls.black)] {
        let _ = writeln!(text, "time control of {side}: {control}");
    }
    for (engine, words) in faults {
        let _ = writeln!(text, "{engine} {words}");
    }
    for words in annulments {
        let _ = writeln!(text, "an earlier attempt counted for nothing: {words}");
    }
    let _ = writeln!(text, "\nThe position at the end, for an engine:\n{}", position_line(game));
    text += &clock_log(game);
    for color in Color::ALL {
        text += &dialogue(color, game.names.get(color), game.dialogue.get(color));
    }
    text
}

/// `position … moves …`, as the engines were sent it last.
pub fn position_line(game: &GameRecord) -> String {
    let mut command = PositionCommand::new(game.opening.fen.as_deref());
    game.plies.iter().for_each(|ply| command.push(&ply.uci));
    String::from_utf8_lossy(command.as_bytes()).into_owned()
}

fn clock_log(game: &GameRecord) -> String {
    let mut text = "\nClock log\n  ply  move      side        used    left  score/depth\n".to_owned();
    let mut turn = game.opening.start.turn();
    for (ply, number) in game.plies.iter().zip(1..) {
        let _ = writeln!(text, "{}", clock_row(number, ply, turn));
        turn = !turn;
    }
    if let Some(overrun) = &game.flag_fall {
        let _ = writeln!(text, "       {} ran out of time: {}", side_name(turn), overrun.words());
    }
    text
}

fn clock_row(number: u32, ply: &PlyRecord, turn: Color) -> String {
    let mut row = format!("{number:>5}  {:8}  {:5}", ply.san, side_name(turn));
    match &ply.search {
        None => row.push_str("  book"),
        Some(search) => row.push_str(&search_cells(search)),
    }
    let offer = ply.offers_draw.then_some("offers a draw");
    for remark in ply.remark.as_deref().into_iter().chain(offer) {
        row.push_str("  ");
        row.push_str(remark);
    }
    row
}

fn search_cells(search: &SearchRecord) -> String {
    let left = search.clock.map_or("-".to_owned(), seconds);
    let score = match search.score {
        Some(Score::Centipawns(centipawns)) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        Some(Score::MateIn(moves)) => format!("mate {moves}"),
        None => "-".to_owned(),
    };
    let depth = search.depth.map_or("-".to_owned(), |depth| depth.to_string());
    let mut cells = format!("  {:>9}  {left:>8}  {score}/{depth}", seconds(search.time));
    if !search.forgiven.is_zero() {
        let _ = write!(cells, "  {} beyond the clock, forgiven", seconds(search.forgiven));
    }
    if let Some(overhead) = search.times.overhead(search.time) {
        let _ = write!(cells, "  ({} of it not counted by the engine)", seconds(overhead));
    }
    cells
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

fn dialogue(color: Color, name: &str, lines: &[DialogueLine]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\nThe last lines of the dialogue with {name} ({}), in seconds of the game\n",
        side_name(color)
    );
    for line in lines {
        let DialogueLine { number, at, direction, text: said } = line;
        let number = number.map_or(String::new(), |number| format!("#{number}"));
        let mark = match direction {
            Direction::Sent => '<',
            Direction::Said => '>',
            Direction::Stderr => '!',
        };
        let _ = writeln!(text, "{:>10.3} {number:>6} {mark} {said}", at.as_secs_f64());
    }
    text
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use shakmaty::{ByColor, CastlingMode};

    use super::*;
    use crate::game::game_id::GameId;
    use crate::law::verdict::{Forfeit, MatingChance, Verdict};
    use crate::openings::Opening;

    fn ply(uci: &str, san: &str, search: Option<SearchRecord>) -> PlyRecord {
        PlyRecord { uci: uci.to_owned(), san: san.to_owned(), search, offers_draw: false, remark: None }
    }

    #[test]
    fn everything_that_is_known_of_a_game() {
        let search = SearchRecord {
            time: Duration::from_millis(1500),
            clock: Some(Duration::from_secs(9)),
            score: Some(Score::Centipawns(-35)),
            depth: Some(12),
            ..SearchRecord::default()
        };
        let said = DialogueLine {
            number: Some(9),
            at: SignedDuration::from_millis(1500),
            direction: Direction::Said,
            text: "bestmove e7e6".to_owned(),
        };
        let game = GameRecord {
            id: GameId { number: 4, round: 2, game: 2 },
            names: ByColor { white: "Alpha".to_owned(), black: "Beta".to_owned() },
            time_controls: ByColor::new_with(|_| "10+0.1".parse().unwrap()),
            claims: ByColor::new_with(|_| "never".to_owned()),
            opening: Opening { book: vec!["e2e4".to_owned()], ..Opening::initial(CastlingMode::Standard) },
            plies: vec![ply("e2e4", "e4", None), ply("e7e5", "e5", Some(search))],
            verdict: Verdict::forfeit(Color::White, Forfeit::IllegalMove, MatingChance::Possible),
            detail: Some("`e1e9` is no move".to_owned()),
            flag_fall: None,
            dialogue: ByColor { white: Vec::new(), black: vec![said] },
            started: "2026-03-01T12:00:00+01:00[+01:00]".parse().unwrap(),
        };
        let faults = [("Beta".to_owned(), "floods its stderr".to_owned())];
        let expected = "Game 2.2  Alpha – Beta\n\
            0-1  White loses by an illegal move (Article 7.5.5): `e1e9` is no move\n\
            reason: illegal_move, Article 7.5.5\n\
            started 2026-03-01 12:00:00 +01:00\n\
            time control of White: 10+0.1\ntime control of Black: 10+0.1\n\
            Beta floods its stderr\n\
            an earlier attempt counted for nothing: the machine slept\n\n\
            The position at the end, for an engine:\nposition startpos moves e2e4 e7e5\n\n\
            Clock log\n  ply  move      side        used    left  score/depth\n    \
                1  e4        White  book\n    \
                2  e5        Black    1.500 s   9.000 s  -0.35/12\n\n\
            The last lines of the dialogue with Beta (Black), in seconds of the game\n     \
                1.500     #9 > bestmove e7e6\n";
        assert_eq!(render(&game, &faults, &["the machine slept".to_owned()]), expected);
    }
}

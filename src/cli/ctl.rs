//! `arbiter ctl`: asks a run that is under way, and tells what it answers.

use std::io::Write;

use super::CtlArgs;
use super::stderr::tell;
use crate::control::client;
use crate::control::reply::{GameReply, Reply, StatusReply};
use crate::exit_code::Exit;
use crate::report::counted::{counted, points};

/// Sends the request of the command line.
pub fn ctl(args: &CtlArgs) -> Exit {
    let line = match client::ask(&args.dir, args.request) {
        Ok(line) => line,
        Err(error) => return fails(Exit::NotPlayed, &error),
    };
    let reply: Reply = match serde_json::from_str(&line) {
        Ok(reply) => reply,
        Err(error) => {
            return fails(Exit::NotPlayed, &format_args!("the run answers what can't be read: {error}"));
        }
    };
    if args.json {
        print(&line);
    }
    let text = match reply {
        Reply::BadRequest { error } => return fails(Exit::Usage, &error),
        Reply::Refused { error } => return fails(Exit::NotPlayed, &error),
        Reply::Status(status) => status_text(&status),
        Reply::Finish { running } => finish_text(running),
        Reply::Concurrency { concurrency, running, joining, warning } => {
            if let Some(warning) = warning.filter(|_| !args.json) {
                tell(format_args!("warning: {warning}\n"));
            }
            concurrency_text(concurrency, running, joining)
        }
    };
    if !args.json {
        print(&text);
    }
    Exit::Done
}

fn fails(exit: Exit, error: &dyn std::fmt::Display) -> Exit {
    tell(format_args!("error: {error}\n"));
    exit
}

fn print(text: &str) {
    // Whoever reads stdout has seen enough.
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn finish_text(running: usize) -> String {
    match running {
        0 => "no new game begins, and none is running\n".to_owned(),
        1 => "no new game begins; the running one is played to its end\n".to_owned(),
        games => format!("no new game begins; {games} running ones are played to their ends\n"),
    }
}

fn concurrency_text(concurrency: usize, running: usize, joining: usize) -> String {
    let mut text = format!("{} at once", counted(concurrency, "game"));
    if joining > 0 {
        text.push_str(&format!("; the engines of {joining} more are being started"));
    } else if running > concurrency {
        text.push_str(&format!("; {running} are running, and each of them is played to its end"));
    }
    text + "\n"
}

fn status_text(status: &StatusReply) -> String {
    let state = match status.state.as_str() {
        "starting" => "its engines are being started",
        "finishing" => "no new game begins",
        "ending" => "no game is running any more",
        _ => "playing",
    };
    let mut text = format!("{}: {state}\n", status.event);
    let finished = match status.games {
        Some(games) => format!("{} of {}", status.finished, counted(games, "game")),
        None => counted(status.finished, "game"),
    };
    text.push_str(&format!("{finished} finished, {} at once\n", status.concurrency));
    if status.joining > 0 {
        text.push_str(&format!(
            "the engines of {} more are being started\n",
            counted(status.joining, "game")
        ));
    }
    if let Some(why) = &status.held_back {
        text.push_str(&format!("no more at once: {why}\n"));
    }
    let score: Vec<String> = status
        .score
        .iter()
        .map(|of| format!("{} {}", of.engine, points(2 * u64::from(of.won) + u64::from(of.drawn))))
        .collect();
    text.push_str(&format!("score: {}\n", score.join(", ")));
    text.extend(status.running.iter().map(game_text));
    text
}

fn game_text(game: &GameReply) -> String {
    let at = game.ply.map_or("engines are being prepared".to_owned(), |ply| format!("ply {ply}"));
    format!("game {} ({})  {} – {}  {at}\n", game.game, game.round, game.white, game.black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::reply::ScoreReply;

    #[test]
    fn a_status_is_told_in_words() {
        let game = |game, ply| GameReply {
            game,
            round: format!("1.{game}"),
            white: "Alpha".to_owned(),
            black: "Beta".to_owned(),
            ply,
        };
        let score = |engine: &str, won, drawn| {
            let points = f64::from(won) + f64::from(drawn) / 2.0;
            ScoreReply { engine: engine.to_owned(), points, won, drawn, lost: 0 }
        };
        let mut status = StatusReply {
            event: "Test".to_owned(),
            state: "playing".to_owned(),
            games: Some(10),
            finished: 3,
            concurrency: 2,
            joining: 1,
            running: vec![game(4, Some(23)), game(5, None)],
            score: vec![score("Alpha", 2, 1), score("Beta", 0, 1)],
            held_back: None,
        };
        assert_eq!(
            status_text(&status),
            "Test: playing\n3 of 10 games finished, 2 at once\nthe engines of 1 game more are being started\n\
             score: Alpha 2½, Beta ½\ngame 4 (1.4)  Alpha – Beta  ply 23\n\
             game 5 (1.5)  Alpha – Beta  engines are being prepared\n"
        );
        status.state = "finishing".to_owned();
        status.held_back = Some("Beta did not start".to_owned());
        let text = status_text(&status);
        assert!(
            text.contains("Test: no new game begins\n") && text.contains("at once: Beta did not"),
            "{text}"
        );
    }

    #[test]
    fn what_follows_from_a_request_is_told() {
        assert_eq!(
            concurrency_text(1, 3, 0),
            "1 game at once; 3 are running, and each of them is played to its end\n"
        );
        assert_eq!(concurrency_text(4, 2, 2), "4 games at once; the engines of 2 more are being started\n");
        assert_eq!(concurrency_text(2, 2, 0), "2 games at once\n");
        assert_eq!(finish_text(1), "no new game begins; the running one is played to its end\n");
    }
}

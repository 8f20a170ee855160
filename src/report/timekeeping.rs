//! How the engines kept their time, for the report at the end of a run.

use std::fmt::Write;
use std::time::Duration;

use super::counted::counted;
use crate::tournament::timekeeping::{EngineTimes, Timekeeping};

/// Flag falls and overhead of each engine, annulled games, and a warning where processors were short. Empty where
/// there is nothing to tell.
pub fn render(timekeeping: &Timekeeping) -> String {
    let mut text = String::new();
    let engines = timekeeping.engines();
    if engines.iter().any(|engine| engine.flag_falls > 0 || engine.overhead.moves() > 0) {
        let width = engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0);
        text.push_str("\nTime: flag falls, and what moves took beyond the engine's own count\n");
        for engine in engines {
            // Writing to a string can't fail.
            let _ = writeln!(text, "{}", row(engine, width));
        }
    }
    if timekeeping.annulled() > 0 {
        let games = counted(timekeeping.annulled(), "game");
        let _ = writeln!(text, "\n{games} annulled and played again; the events tell why");
    }
    let flags = engines.iter().map(|engine| engine.spoiled_flag_falls).sum::<u32>();
    let moves = engines.iter().map(|engine| engine.spoiled_moves).sum::<u32>();
    let annulled = timekeeping.annulled_oversubscribed();
    if flags + moves + annulled > 0 {
        let _ = writeln!(
            text,
            "\nwarning: the machine was oversubscribed: the engine was kept waiting for a processor at {}, at {} \
             near the limit, and in {} annulled; let less run at once",
            counted(flags, "flag fall"),
            counted(moves, "move"),
            counted(annulled, "game"),
        );
    }
    text
}

fn row(engine: &EngineTimes, width: usize) -> String {
    let overhead = match (engine.overhead.per_mille(990), engine.overhead.worst()) {
        (Some(most), Some(worst)) => format!(
            "99 % of {} up to {}, worst {}",
            counted(engine.overhead.moves(), "move"),
            milliseconds(most),
            milliseconds(worst)
        ),
        _ if engine.moves == 0 => "no moves".to_owned(),
        _ => "tells no time".to_owned(),
    };
    format!("{:width$}  {:>9}  {overhead}", engine.name, counted(engine.flag_falls, "flag fall"))
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::annulment::Cause;

    #[test]
    fn what_there_is_to_tell() {
        let mut times = Timekeeping::new(["Alpha".to_owned(), "B".to_owned()]);
        assert_eq!(render(&times), "");
        times.engine_mut("Alpha").unwrap().overhead.add(Duration::from_micros(1250));
        times.engine_mut("B").unwrap().flag_falls = 2;
        times.engine_mut("B").unwrap().moves = 1;
        let expected = "\nTime: flag falls, and what moves took beyond the engine's own count\n\
            Alpha  0 flag falls  99 % of 1 move up to 1.2 ms, worst 1.2 ms\n\
            B      2 flag falls  tells no time\n";
        assert_eq!(render(&times), expected);
        times.add_annulled(Cause::MachineSlept);
        assert_eq!(
            render(&times),
            format!("{expected}\n1 game annulled and played again; the events tell why\n")
        );
        times.engine_mut("B").unwrap().spoiled_flag_falls = 1;
        assert!(render(&times).contains(
            "oversubscribed: the engine was kept waiting for a processor at 1 flag fall, at 0 moves"
        ));
    }
}

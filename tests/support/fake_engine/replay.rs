//! Plays back what a file says, whatever the engine is asked, one step a line:
//!
//! ```text
//! write TEXT      prints bytes, with `\n`, `\\`, `\xNN`
//! pause US        waits so many microseconds
//! await           reads a line
//! close-stdout  close-stdin  close-stderr
//! die CODE        ends
//! ```
//!
//! After the last step it reads on until its stdin closes or `quit` comes.

use std::io::BufRead;
use std::path::Path;
use std::process::exit;
use std::time::Duration;

use super::{unescaped, write_out};

/// Plays the file of this process's number in the folder, `1`, `2`, ….
pub fn play_next(folder: &str, process: usize) {
    play(&Path::new(folder).join(process.to_string()));
}

/// Plays a file and ends.
pub fn play(file: &Path) -> ! {
    let steps = std::fs::read_to_string(file).unwrap();
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    let mut read = || {
        line.clear();
        let length = input.read_until(b'\n', &mut line).unwrap_or(0);
        if length == 0 || line == b"quit\n" {
            exit(0);
        }
    };
    for step in steps.lines() {
        let (word, value) = step.split_once(' ').unwrap_or((step, ""));
        match word {
            "write" => write_out(&unescaped(value)),
            "pause" => std::thread::sleep(Duration::from_micros(value.parse().unwrap())),
            "await" => read(),
            "close-stdin" => nix::unistd::close(0).unwrap(),
            "close-stdout" => nix::unistd::close(1).unwrap(),
            "close-stderr" => nix::unistd::close(2).unwrap(),
            "die" => exit(value.parse().unwrap()),
            other => panic!("unknown step {other}"),
        }
    }
    loop {
        read();
    }
}

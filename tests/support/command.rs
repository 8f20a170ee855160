//! The program as a filter: arguments and stdin in, what it says out.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

/// Runs the program to its end.
pub fn arbiter(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// What it wrote to stdout.
pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

/// What it wrote to stderr.
pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// Puts each question while stdin stays open, and checks how its answer begins before the next one.
pub fn answers_each_line(arguments: &[&str], questions: &[(String, String)]) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for (question, start) in questions {
        writeln!(input, "{question}").unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert!(answer.starts_with(start), "{answer}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

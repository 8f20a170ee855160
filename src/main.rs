//! Wiring and exit code only.

fn main() {}

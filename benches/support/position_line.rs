//! What the benchmarks' engines read of a `position` command.

/// Reads the side to move out of a `position` command.
pub fn black_to_move(command: &[u8]) -> bool {
    let words: Vec<&[u8]> = command.trim_ascii().split(|byte| *byte == b' ').collect();
    let black_starts = words.get(1) == Some(&&b"fen"[..]) && words.get(3) == Some(&&b"b"[..]);
    let moves = words.iter().position(|word| word == b"moves").map_or(0, |at| words.len() - at - 1);
    black_starts != (moves % 2 == 1)
}

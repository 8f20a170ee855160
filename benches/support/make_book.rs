//! Makes a long opening book from random legal play: `make_book LINES [SEED]` writes EPD positions to stdout, each
//! after eight plies or so from the initial position, none with a game that is over. `scripts/make-big-book.sh` starts
//! it.

use std::error::Error;
use std::io::{BufWriter, Write};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::fen::Epd;
use shakmaty::{Chess, EnPassantMode, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let lines: u64 = args.next().ok_or("how many lines? `make_book LINES [SEED]`")?.parse()?;
    let seed: u64 = args.next().map_or(Ok(1), |seed| seed.parse())?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut out = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    let mut written = 0;
    while written < lines {
        let chess = random_position(&mut random);
        if !chess.legal_moves().is_empty() {
            writeln!(
                out,
                "{} hmvc {};",
                Epd::from_position(&chess, EnPassantMode::Legal),
                chess.halfmoves()
            )?;
            written += 1;
        }
    }
    out.flush()?;
    Ok(())
}

fn random_position(random: &mut ChaCha8Rng) -> Chess {
    let mut chess = Chess::default();
    for _ in 0..8 + random.next_u32() % 2 {
        let moves = chess.legal_moves();
        let Ok(count @ 1..) = u32::try_from(moves.len()) else { break };
        chess.play_unchecked(moves[(random.next_u32() % count) as usize]);
    }
    chess
}

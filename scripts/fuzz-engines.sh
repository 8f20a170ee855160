#!/bin/sh
# Engines that say anything, at length: 20,000 games (or as many as the first argument says) against an engine whose
# output is made from a seed (the second argument, else the time). A failure names the seed that repeats it.
set -eu
cd "$(dirname "$0")/.."
FUZZ_GAMES=${1:-20000}
FUZZ_SEED=${2:-$(date +%s)}
export FUZZ_GAMES FUZZ_SEED
echo "seed $FUZZ_SEED"
cargo build --examples
exec cargo test --test program fuzz_engines -- --nocapture

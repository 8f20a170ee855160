#!/bin/sh
# The dead-position search against itself, at length: 100,000 random questions (or as many as the first argument
# says) asked in every way, then the small endings enumerated whole.
set -eu
cd "$(dirname "$0")/.."
questions=${1:-100000}
seed=${2:-$(date +%s)}
files=tests/data/unwinnability-fuzz-sample.txt
for file in ../shared/vectors/unwinnability.txt ../shared/vectors/unwinnability-fuzz.txt; do
    if [ -r "$file" ]; then files="$files $file"; fi
done
cargo build --release --example fuzz_dead_positions --example enumerate_endings
echo "seed $seed"
# shellcheck disable=SC2086 # a list of files
target/release/examples/fuzz_dead_positions "$questions" "$seed" $files
target/release/examples/enumerate_endings "${STEP:-1}"

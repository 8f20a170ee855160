#!/bin/sh
# How well and how fast dead positions are decided: every answer of the test files against what is known, the
# node counts, the processor time, and the every-ply look by itself. Extra arguments go to the report
# (--nodes N, --check for proofs, --open for the positions left open).
set -eu
cd "$(dirname "$0")/.."
files=tests/data/unwinnability-fuzz-sample.txt
for name in unwinnability unwinnability-fuzz lichess-timeouts; do
    file=../shared/vectors/$name.txt
    if [ -r "$file" ]; then files="$files $file"; fi
done
cargo build --release --example dead_position_report
# shellcheck disable=SC2086 # a list of files
target/release/examples/dead_position_report "$@" $files

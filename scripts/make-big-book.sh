#!/usr/bin/env bash
# Writes a long opening book of random legal positions: scripts/make-big-book.sh [LINES [FILE]], by default 2,600,000
# lines to target/big-book.epd.
set -euo pipefail
cd "$(dirname "$0")/.."

lines=${1:-2600000}
file=${2:-target/big-book.epd}
cargo build --release --quiet --example make_book
target/release/examples/make_book "$lines" > "$file.new"
mv "$file.new" "$file"
echo "$file: $(wc -l < "$file") lines, $(stat -c %s "$file") bytes"

#!/usr/bin/env bash
# How long a book of 2.6 million lines takes to open, and how much memory: plain and compressed, in both orders.
# Another number of lines: scripts/bench-book.sh LINES
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
book=$folder/big.epd
bash scripts/make-big-book.sh "${1:-2600000}" "$book"
books=("$book")
gzip --fast --keep "$book" && books+=("$book.gz")
if command -v zip > /dev/null; then zip --quiet --junk-paths "$book.zip" "$book" && books+=("$book.zip"); fi
if command -v zstd > /dev/null; then zstd --quiet "$book" && books+=("$book.zst"); fi
cargo bench --quiet --bench books -- "${books[@]}"

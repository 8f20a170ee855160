#!/usr/bin/env bash
# Everything that has to hold before a change lands: format, lints, layers, tests.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fmt --check
bash scripts/layers.sh
cargo clippy --all-targets -- -D warnings
# The README's test command.
cargo test

#!/usr/bin/env bash
# How long a schedule of a million games takes to lay out, and how much memory, in each format. Another number of games:
# scripts/bench-schedule.sh GAMES
set -euo pipefail
cd "$(dirname "$0")/.."

cargo bench --quiet --bench schedule -- "${1:-1000000}"

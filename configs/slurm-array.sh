#!/bin/bash
# A match on the machines of a Slurm cluster, a shard for each task of the array:
#
#   sbatch --array=1-4 configs/slurm-array.sh match.yaml
#
# and when all tasks have ended
#
#   arbiter merge match.out match.out.*-of-4
#
# The same `sbatch` again plays on what was broken off; always the whole array, from 1 on, since its size is the number of
# shards. Engines, books and the folder of the match file have to be there on every machine. With `concurrency` in the
# match file, or engines with more threads, raise `--cpus-per-task`.
#SBATCH --job-name=arbiter
#SBATCH --array=1-4
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --signal=B:TERM@60
#SBATCH --output=arbiter-%A_%a.log
# `exec`, so that Slurm's signal comes to arbiter itself: it stops, and what is finished is kept.
exec arbiter run "$1" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --resume

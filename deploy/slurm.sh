#!/bin/sh
# One task of a job array for each part: sbatch deploy/slurm.sh COMMAND [ARGUMENTS]. deploy/README.md says more.
#SBATCH --job-name=worldlines
#SBATCH --array=1-4
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=02:00:00
#SBATCH --output=worldlines-%A-%a.log
#SBATCH --requeue
set -eu
# A part that is submitted alone, with --array=3, is still one of as many parts as before: then PARTS has to say so.
parts=${PARTS:-$SLURM_ARRAY_TASK_COUNT}
# Slurm runs a copy of this script, so the others are found from the folder in which it was submitted.
# `lint` has one thread.
[ "${1:-}" = lint ] || set -- "$@" --jobs "${SLURM_CPUS_PER_TASK:-1}"
exec "${SLURM_SUBMIT_DIR:-.}/deploy/part.sh" "$SLURM_ARRAY_TASK_ID" "$parts" "${REPORTS:-reports}" "$@"

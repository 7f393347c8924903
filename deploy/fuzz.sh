#!/bin/sh
# Fuzzes one target, as a task of a job array or by hand: deploy/fuzz.sh [M [SECONDS [FOLDER]]]
#
# Start it in the folder of the repository. M is the number of the target in the list of `cargo fuzz list`, from 1; Slurm gives it. The corpus grows in FOLDER/corpus/TARGET, and findings are in
# FOLDER/artifacts/TARGET. A task that was killed goes on with its corpus. It fails if there is a finding. PROGRAM is the program that
# holds all targets; deploy/README.md says how it is built.
#SBATCH --job-name=worldlines-fuzz
#SBATCH --array=1-49
#SBATCH --cpus-per-task=1
#SBATCH --mem=3G
#SBATCH --time=05:00:00
#SBATCH --output=worldlines-fuzz-%A-%a.log
#SBATCH --requeue
set -eu
number=${1:-${SLURM_ARRAY_TASK_ID:?"usage: fuzz.sh M [SECONDS [FOLDER]]"}} seconds=${2:-14400} folder=${3:-fuzzing}
program=${PROGRAM:?"PROGRAM names the program that holds all targets"}
target=$(cd "${SLURM_SUBMIT_DIR:-.}/fuzz/fuzz_targets" && find . -name '*.rs' | LC_ALL=C sort | sed -n "${number}s/^\.\/\(.*\)\.rs$/\1/p")
if [ -z "$target" ]; then
    echo "$0: there is no target $number" >&2
    exit 2
fi
corpus=$folder/corpus/$target artifacts=$folder/artifacts/$target/
mkdir -p "$corpus" "$artifacts" "$folder/programs"
# The program is the target whose name its file has.
ln -sf "$(realpath "$program")" "$folder/programs/$target"
# The seeds that the repository has made are read, and only the corpus grows.
seeds=${SLURM_SUBMIT_DIR:-.}/fuzz/corpus/$target
set -- "$corpus"
[ ! -d "$seeds" ] || set -- "$@" "$seeds"
exec "$folder/programs/$target" "$@" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 -max_len=8192 -artifact_prefix="$artifacts"

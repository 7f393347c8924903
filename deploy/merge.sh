#!/bin/sh
# Puts the reports of N parts together: deploy/merge.sh N FOLDER [ARGUMENTS OF report merge]
#
# Writes FOLDER/report.json, and ends with the exit code that one run over everything has. For `mine`, --write PUZZLES writes the finds that are
# left when those that are like others are taken out, over all parts. What was done is told on standard error. If parts are missing, all of them
# are named, nothing is merged, and the exit code is 2.
set -eu
if [ $# -lt 2 ]; then
    echo "usage: $0 N FOLDER [ARGUMENTS OF report merge]" >&2
    exit 2
fi
of=$1 folder=$2
shift 2
puzzles='' before=''
for argument in "$@"; do
    [ "$before" != --write ] || puzzles=$argument
    case $argument in --write=*) puzzles=${argument#--write=} ;; esac
    before=$argument
done
# The names of all parts and not a pattern: a part that is missing is then an error, and an older report is not taken.
part=1 missing=0
while [ "$part" -le "$of" ]; do
    report=$folder/part-$part-of-$of.json
    if [ ! -f "$report" ]; then
        state=missing
        [ ! -f "$report.unfinished" ] || state="not finished"
        again="deploy/part.sh $part $of $folder"
        [ -z "${SLURM_JOB_ID:-}" ] || again="REPORTS=$folder PARTS=$of sbatch --array=$part deploy/slurm.sh"
        echo "part $part of $of is $state: run $again COMMAND [ARGUMENTS], as for the other parts" >&2
        missing=$((missing + 1))
    fi
    set -- "$@" "$report"
    part=$((part + 1))
done
if [ "$missing" -gt 0 ]; then
    echo "nothing is merged, since $missing of $of reports are not in $folder" >&2
    exit 2
fi
code=0
"${WORLDLINES:-worldlines}" report merge "$@" >"$folder/report.json.unfinished" || code=$?
case $code in
    # There is an answer.
    0 | 1 | 3 | 4 | 70) mv "$folder/report.json.unfinished" "$folder/report.json" ;;
    *)
        rm -f "$folder/report.json.unfinished"
        echo "nothing is merged: exit code $code" >&2
        exit "$code"
        ;;
esac
# The numbers at the end of the report, in words: "games":24,"finds":3 becomes games 24, finds 3.
summary=$(sed -n 's/.*"summary":{\([^{}]*\).*/\1/p' "$folder/report.json" | sed 's/,"[^"]*":$//; s/"//g; s/:/ /g; s/,/, /g; s/_/ /g')
echo "merged parts: $of; $summary" >&2
if [ -n "$puzzles" ]; then
    echo "puzzle files in $puzzles: $(find "$puzzles" -name '*.yaml' 2>/dev/null | wc -l | tr -d ' ')" >&2
fi
why=
[ "$code" != 4 ] || why=": nothing was selected, or nothing found"
echo "report: $folder/report.json; exit code $code$why" >&2
exit "$code"

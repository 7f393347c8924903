#!/bin/sh
# Puts the reports of N parts together: deploy/merge.sh N FOLDER [ARGUMENTS OF report merge]
#
# Writes FOLDER/report.json, and ends with the exit code that one run over everything has. For `mine`, --write PUZZLES writes the finds that are
# left when those that are like others are taken out, over all parts.
set -eu
if [ $# -lt 2 ]; then
    echo "usage: $0 N FOLDER [ARGUMENTS OF report merge]" >&2
    exit 2
fi
of=$1 folder=$2
shift 2
# The names of all parts and not a pattern: a part that is missing is then an error, and an older report is not taken.
part=1
while [ "$part" -le "$of" ]; do
    set -- "$@" "$folder/part-$part-of-$of.json"
    part=$((part + 1))
done
code=0
"${WORLDLINES:-worldlines}" report merge "$@" >"$folder/report.json.unfinished" || code=$?
case $code in
    # There is an answer. 4 means that no puzzle was selected, or none found.
    0 | 1 | 3 | 4 | 70) mv "$folder/report.json.unfinished" "$folder/report.json" ;;
    *) rm -f "$folder/report.json.unfinished" ;;
esac
exit "$code"

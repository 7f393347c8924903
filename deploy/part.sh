#!/bin/sh
# Does one part of a command and writes its report: deploy/part.sh M N FOLDER COMMAND [ARGUMENTS]
#
# COMMAND is verify, lint, mine or review. The report appears as FOLDER/part-M-of-N.json once it is complete, and not before. Findings are in
# the report, so they are no failure of this script: it fails only when there is no report. `worldlines report merge` ends as the whole run
# would have. `mine` also keeps a journal and its finds in FOLDER/found, so that a part that was killed goes on where it ended.
set -eu
if [ $# -lt 4 ]; then
    echo "usage: $0 M N FOLDER COMMAND [ARGUMENTS]" >&2
    exit 2
fi
part=$1 of=$2 folder=$3 command=$4
shift 4
[ "$command" != mine ] || set -- --write "$folder/found" "$@"
report=$folder/part-$part-of-$of.json
mkdir -p "$folder"
# Of a run that was killed nothing stays that looks like a report. An earlier one comes back if the arguments are refused.
rm -f "$report.before"
[ ! -e "$report" ] || mv "$report" "$report.before"
code=0
# A command in the background has no input of its own, so it gets this one.
exec 3<&0
"${WORLDLINES:-worldlines}" "$command" --partition "hash:$part/$of" --format json "$@" <&3 >"$report.unfinished" &
# Whoever ends this script ends the command too.
trap 'kill $! 2>/dev/null || true; exit 143' TERM INT HUP
wait $! || code=$?
trap - TERM INT HUP
case $code in
    # All as claimed, findings, undecided, a bug that was reported: there is an answer for everything in the part.
    0 | 1 | 3 | 70)
        mv "$report.unfinished" "$report"
        rm -f "$report.before"
        ;;
    *)
        [ "$code" != 2 ] || [ ! -e "$report.before" ] || mv "$report.before" "$report"
        echo "$0: part $part of $of has no report: exit code $code" >&2
        exit "$code"
        ;;
esac

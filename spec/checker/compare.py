#!/usr/bin/env python3
"""Compares the verdicts of check.py with those of another checker.

    cargo run --release -p worldlines-fuzz -- certificates 20000 FOLDER
    python3 spec/checker/compare.py FOLDER [JOBS]

The folder holds `certificates/*.yaml`, and `verdicts.txt` with a line for each: its name and `accepted`, `refused`
or `undecided`. What either checker leaves undecided is counted and not compared. The exit code is 1 if they disagree.
"""

import pathlib
import subprocess
import sys


def main():
    folder = pathlib.Path(sys.argv[1])
    jobs = sys.argv[2] if len(sys.argv) > 2 else "1"
    check = pathlib.Path(__file__).with_name("check.py")
    run = subprocess.run([sys.executable, check, "-v", "--jobs", jobs, folder], capture_output=True, text=True)
    ours = {}
    for line in run.stdout.splitlines():
        path, _, rest = line.partition(": ")
        if path.endswith(".yaml"):
            ours[pathlib.Path(path).name] = rest.split(":")[0].split()[0]
    theirs = dict(line.split() for line in (folder / "verdicts.txt").read_text().splitlines())
    if not theirs or ours.keys() != theirs.keys():
        sys.exit(f"error: {len(ours)} verdicts of {len(theirs)}\n{run.stderr}")
    pairs = {name: (ours[name], theirs[name]) for name in theirs}
    undecided = sum("undecided" in pair for pair in pairs.values())
    wrong = {name: pair for name, pair in pairs.items() if "undecided" not in pair and pair[0] != pair[1]}
    for name, (one, other) in sorted(wrong.items()):
        print(f"{folder / 'certificates' / name}: {one} by check.py, {other} by the other checker")
    accepted = sum(pair == ("accepted", "accepted") for pair in pairs.values())
    refused = sum(pair == ("refused", "refused") for pair in pairs.values())
    print(f"{accepted} accepted by both, {refused} refused by both, {undecided} undecided, {len(wrong)} disagreements")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

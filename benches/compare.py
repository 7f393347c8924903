#!/usr/bin/env python3
"""Worldlines and another program on the same games, in turn, as whole processes.

    benches/compare.py target/dist/worldlines PEER GAME.5dpgn...

PEER is `5dtools` of https://github.com/ftxi/5dchess_engine, whose `perftest` asks the same question as `status --each`: is there a
legal action, in every position of a game? The machine's noise hits both alike, since they run in turn; the best of the
rounds counts. A game that one of them refuses is left out and named.
"""

import subprocess
import sys
import time

ROUNDS = 9


def run(command, text):
    """Milliseconds of one run, or None when the program fails."""
    start = time.perf_counter()
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    elapsed = (time.perf_counter() - start) * 1000
    return elapsed if done.returncode == 0 else None


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    ours, peer, games = sys.argv[1], sys.argv[2], sys.argv[3:]
    print(f"{'game':32} {'ours, ms':>10} {'peer, ms':>10} {'ratio':>8}")
    for path in games:
        with open(path, "rb") as file:
            text = file.read()
        times = ([], [])
        for _ in range(ROUNDS):
            times[0].append(run([ours, "status", "--each", "-"], text))
            times[1].append(run([peer, "perftest"], text))
        name = path.rsplit("/", 1)[-1].removesuffix(".5dpgn")
        if None in times[0] + times[1]:
            print(f"{name:32} refused by {'us' if None in times[0] else 'the peer'}")
            continue
        best = [min(column) for column in times]
        print(f"{name:32} {best[0]:10.2f} {best[1]:10.2f} {best[1] / best[0]:8.1f}")


main()

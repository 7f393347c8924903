#!/usr/bin/env python3
"""Worldlines and another program on the same games, in turn, as whole processes.

    benches/compare.py WORLDLINES PEER GAME.5dpgn...

WORLDLINES is the command of an archive (.ci/archive FOLDER x86_64-unknown-linux-musl), or target/dist/worldlines.

PEER is `5dtools` of https://github.com/ftxi/5dchess_engine, whose `perftest` asks the same question as `status --each`: is there a
legal action, in every position of a game? The machine's noise hits both alike, since they run in turn; the best of the
rounds counts. A game that one of them refuses is left out and named.
"""

import os
import sys
import time

ROUNDS = 15
NOWHERE = os.open(os.devnull, os.O_WRONLY)


def run(command, path):
    """Milliseconds of one run, or None when the program fails."""
    with open(path, "rb") as file:
        # Nothing of Python stands between the program and the clock: a pipe and its reader would add the same to both times.
        places = [(os.POSIX_SPAWN_DUP2, source, target) for source, target in [(file.fileno(), 0), (NOWHERE, 1), (NOWHERE, 2)]]
        start = time.perf_counter()
        child = os.posix_spawn(command[0], command, os.environ, file_actions=places)
        _, status = os.waitpid(child, 0)
        elapsed = (time.perf_counter() - start) * 1000
    return elapsed if status == 0 else None


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    ours, peer, games = sys.argv[1], sys.argv[2], sys.argv[3:]
    print(f"{'game':32} {'ours, ms':>10} {'peer, ms':>10} {'ratio':>8}")
    for path in games:
        times = ([], [])
        for _ in range(ROUNDS):
            times[0].append(run([ours, "status", "--each", "-"], path))
            times[1].append(run([peer, "perftest"], path))
        name = path.rsplit("/", 1)[-1].removesuffix(".5dpgn")
        if None in times[0] + times[1]:
            print(f"{name:32} refused by {'us' if None in times[0] else 'the peer'}")
            continue
        best = [min(column) for column in times]
        print(f"{name:32} {best[0]:10.2f} {best[1]:10.2f} {best[1] / best[0]:8.1f}")


main()

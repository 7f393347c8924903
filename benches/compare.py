#!/usr/bin/env python3
"""Worldlines and another program on the same games, in turn, as whole processes.

    benches/compare.py WORLDLINES PEER GAME...

WORLDLINES is the command of an archive (.ci/archive FOLDER x86_64-unknown-linux-musl), or target/dist/worldlines. A GAME is a
5DPGN file, or a recorded game of the reference folder as JSON.

PEER is `5dtools` of https://github.com/ftxi/5dchess_engine, whose `perftest` asks the same question as `status --each`: is there a
legal action, in every position of a game? The machine's noise hits both alike, since they run in turn; the best of the
rounds counts. A game that one of them refuses is left out and named.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15
MOST_SECONDS = 120
NOWHERE = os.open(os.devnull, os.O_WRONLY)


def run(command, path):
    """Milliseconds of one run, or None when the program fails or takes too long."""
    with open(path, "rb") as file:
        # No pipe and no reader: they would add the same to both times.
        places = [(os.POSIX_SPAWN_DUP2, source, target) for source, target in [(file.fileno(), 0), (NOWHERE, 1), (NOWHERE, 2)]]
        start = time.perf_counter()
        child = os.posix_spawnp(command[0], command, os.environ, file_actions=places)
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
        signal.alarm(MOST_SECONDS)
        _, status = os.waitpid(child, 0)
        elapsed = (time.perf_counter() - start) * 1000
        signal.alarm(0)
    return elapsed if status == 0 else None


def complaint(command, path):
    """The first line that a program says about a game which it refuses."""
    with open(path, "rb") as file:
        done = subprocess.run(command, stdin=file, capture_output=True, timeout=MOST_SECONDS)
    return (done.stderr or done.stdout).decode(errors="replace").strip().split("\n")[0]


def as_5dpgn(path, folder):
    """The place of a game as 5DPGN: the file itself, or one in `folder` made of a recorded game."""
    if path.suffix != ".json":
        return path
    game = json.loads(path.read_text(encoding="utf-8"))
    headers = [f'[{name} "{value}"]' for name, value in game["headers"].items()]
    boards = game["initial_boards"] if game["headers"].get("Board") == "Custom" else []
    made = folder / f"{path.stem}.5dpgn"
    made.write_text("\n".join([*headers, *boards, "", game["moves_pgn"], ""]), encoding="utf-8")
    return made


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        games = [as_5dpgn(Path(game), Path(folder)) for game in sys.argv[3:]]
        compare(sys.argv[1], sys.argv[2], games)


def compare(ours, peer, games):
    print(f"{'game':32} {'ours, ms':>10} {'peer, ms':>10} {'ratio':>8}")
    for path in games:
        commands = ([ours, "status", "--each", "-"], [peer, "perftest"])
        times = [[run(command, path)] for command in commands]
        name = path.stem
        if [None] in times:
            who = 0 if times[0] == [None] else 1
            print(f"{name:32} refused by {('us', 'the peer')[who]}: {complaint(commands[who], path)}")
            continue
        for _ in range(ROUNDS - 1):
            for column, command in zip(times, commands):
                column.append(run(command, path) or float("inf"))
        best = [min(column) for column in times]
        print(f"{name:32} {best[0]:10.2f} {best[1]:10.2f} {best[1] / best[0]:8.1f}")


if __name__ == "__main__":
    main()

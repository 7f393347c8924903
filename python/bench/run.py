"""Figures of the package: import time, small calls beside those of Rust, legal actions, play-outs.

    cargo build --release --example small_calls && python bench/run.py
"""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
import timeit
from pathlib import Path
from typing import Any

import worldlines
from worldlines import learn

RUST = Path(__file__).resolve().parents[1] / "target/release/examples/small_calls"
CALLS, ROUNDS = 1_000, 15


def timed(statement: str, names: dict[str, Any]) -> float:
    """The nanoseconds of a statement: the best of several rounds of a thousand."""
    return min(timeit.repeat(statement, globals=names, number=CALLS, repeat=ROUNDS)) / CALLS * 1e9


def small_calls() -> None:
    """A table of small calls."""
    game = worldlines.Game.parse("1. e3 / f6 2. Qe2 / Nc6")
    position, text = game.position, "1. e3 / f6 2. Qe2 / Nc6"
    action = position.parse_action("Qh5")
    names = {"worldlines": worldlines, "game": game, "position": position, "text": text, "action": action, "pushed": worldlines.Game(position)}
    calls = {
        "status": "position.status()",
        "is_check": "position.is_check()",
        "count_actions": "position.count_actions()",
        "legal_actions": "list(position.legal_actions())",
        "play": "position.play(action)",
        "push_pop": "pushed.push(action); pushed.pop()",
        "action_text": "position.action_text(action)",
        "parse_action": "position.parse_action('Qh5')",
        "parse_game": "worldlines.Game.parse(text, '5dpgn')",
        "write_game": "game.write('5dpgn')",
        "make_position": "worldlines.Position()",
    }
    printed = subprocess.run([RUST], capture_output=True, text=True, check=True).stdout if RUST.exists() else ""
    rust = dict(line.split() for line in printed.splitlines())
    sums = [0.0, 0.0]
    print(f"{'call':16}{'Python':>12}{'Rust':>12}{'ratio':>8}")
    for name, statement in calls.items():
        taken = timed(statement, names)
        if name not in rust:
            print(f"{name:16}{taken:9.0f} ns")
            continue
        own = float(rust[name])
        sums = [sums[0] + taken, sums[1] + own]
        print(f"{name:16}{taken:9.0f} ns{own:9.0f} ns{taken / max(own, 1):8.1f}")
    if sums[1]:
        print(f"{'all':16}{sums[0]:9.0f} ns{sums[1]:9.0f} ns{sums[0] / sums[1]:8.1f}")


def throughput() -> None:
    """Legal actions and play-outs in a second."""
    crowded = worldlines.Position("".join(f"[7k/8/8/8/8/8/8/QR2K3:{line}:1:w]" for line in range(-6, 7)))
    begun = time.perf_counter()
    count = sum(1 for _ in itertools.islice(crowded.legal_actions(), 300_000))
    print(f"legal actions listed: {count / (time.perf_counter() - begun):,.0f} a second")
    for name in ("Standard", "Very Small - Open"):
        start = worldlines.Position.variant(name)
        for threads in (1, 0):
            begun = time.perf_counter()
            played = learn.playouts([start], count=400, seed=1, max_actions=60, threads=threads)
            taken = time.perf_counter() - begun
            actions = sum(memoryview(played.actions).cast("B").cast("H").tolist())
            where = "one thread" if threads else "all processors"
            print(f"play-outs of {name} on {where}: {400 / taken:,.0f} games, {actions / taken:,.0f} actions a second")


def main() -> None:
    program = "import time; begun = time.perf_counter(); import worldlines; print(time.perf_counter() - begun)"
    imports = [float(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout) for _ in range(7)]
    print(f"import: {sorted(imports)[3] * 1000:.0f} ms (median of 7)")
    small_calls()
    throughput()


if __name__ == "__main__":
    main()

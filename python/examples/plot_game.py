"""Draws how the engine judges a game, action by action, as a picture.

    python plot_game.py [GAME] [-o evaluation.svg] [--steps 5000]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from worldlines import Game

#: The best that is drawn, in pawns. A mate is at the edge.
EDGE = 10.0


def scores(game: Game, steps: int) -> list[float]:
    """The score of every position in pawns, as White sees it."""
    found: list[float] = []
    for position in game.positions():
        thought = position.think(steps=steps)
        score = thought.score or 0.0
        if thought.mate is not None:
            score = EDGE if thought.mate > 0 else -EDGE
        elif thought.ending == "checkmate":
            score = -EDGE
        sign = 1 if position.to_move == "white" else -1
        found.append(sign * max(-EDGE, min(EDGE, score)))
    return found


def picture(values: list[float], width: int = 640, height: int = 240) -> str:
    """A curve over a line for zero."""
    step = width / max(len(values) - 1, 1)
    points = " ".join(f"{step * index:.1f},{height / 2 * (1 - value / EDGE):.1f}" for index, value in enumerate(values))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f'<rect width="{width}" height="{height}" fill="#f4efe6"/>\n'
        f'<path d="M0 {height / 2}H{width}" stroke="#999"/>\n'
        f'<polyline points="{points}" fill="none" stroke="#2a5d84" stroke-width="2"/>\n</svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("evaluation.svg"))
    parser.add_argument("--steps", type=int, default=5_000)
    arguments = parser.parse_args()
    game = Game.parse(arguments.game.read_bytes() if arguments.game else "1. e3 / f6 2. Qe2 / Nc6 3. Qh5")
    values = scores(game, arguments.steps)
    for text, value in zip(["start", *game.action_texts()], values):
        print(f"{value:+6.2f}  {text}")
    arguments.output.write_text(picture(values), encoding="utf-8")
    print(f"wrote {arguments.output}")


if __name__ == "__main__":
    main()

"""Finds mates that the players of games missed.

    python review_games.py my-games.5dpgn [--longest 2]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import worldlines
from worldlines import Game

EXAMPLE = """
[White "Anna"]
[Black "Ben"]
1. e3 / f6 2. Qe2 / Nc6 3. Nf3 / e5
"""


def missed(game: Game, longest: int) -> Iterator[str]:
    """A line for each position where the player had a mate and did not play it."""
    texts = game.action_texts()
    for number, (position, played) in enumerate(zip(game.positions(), game.actions)):
        for mate_in in range(1, longest + 1):
            solution = position.solve(mate_in, all=True, steps=200_000)
            if solution.verdict == "proven":
                # An action that contains a key mates too.
                if not any(set(key) <= set(played) for classes in solution.classes for key in classes):
                    keys = " or ".join(position.action_text(key) for key in solution.keys)
                    turn = f"{number // 2 + 1}{position.to_move[0]}"
                    yield f"{turn}: {texts[number]} was played, and {keys} mates in {mate_in}"
                break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--longest", type=int, default=2, help="the longest mate that is looked for")
    arguments = parser.parse_args()
    for text in [path.read_bytes() for path in arguments.files] or [EXAMPLE.encode()]:
        for game in worldlines.read_games(text, worldlines.detect(text) or "5dpgn"):
            players = " - ".join(game.headers.get(name, "?") for name in ("White", "Black"))
            print(f"{players}: {len(game)} actions")
            for line in missed(game, arguments.longest):
                print(f"  {line}")


if __name__ == "__main__":
    main()

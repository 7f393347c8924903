"""Reviews games: mates that were missed or allowed, only defences, blunders.

    python review_games.py my-games.5dpgn [--longest 2] [-o annotated.5dpgn]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import worldlines
from worldlines import Review

EXAMPLE = """
[White "Anna"]
[Black "Ben"]
1. e3 / f6 2. Qe2 / Nc6 3. Nf3 / e5
"""


def told(review: Review) -> list[str]:
    """A line for each finding, and one for what a limit left open."""
    game = review.annotated
    texts, positions = game.action_texts(), game.positions()

    def place(index: int) -> str:
        turn, color = positions[index].present
        return f"T{turn}{color[0]} {texts[index]}"

    lines = [f"{place(finding.at)}: {finding.text}" for finding in review.findings if finding.kind not in ("forced", "inaccuracy")]
    if review.open:
        lines.append("not known within the limits: " + ", ".join(place(index) for index in review.open))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--longest", type=int, default=2, help="the longest mate that is looked for")
    parser.add_argument("-o", "--output", type=Path, help="a file for the games with comments and variations")
    arguments = parser.parse_args()
    annotated: list[str] = []
    for text in [path.read_bytes() for path in arguments.files] or [EXAMPLE.encode()]:
        for game in worldlines.read_games(text, worldlines.detect(text) or "5dpgn"):
            players = " - ".join(game.headers.get(name, "?") for name in ("White", "Black"))
            print(f"{players}: {len(game)} actions")
            review = game.review(longest=arguments.longest)
            for line in told(review):
                print(f"  {line}")
            annotated.append(str(review.annotated))
    if arguments.output:
        arguments.output.write_text("\n".join(annotated), encoding="utf-8")


if __name__ == "__main__":
    main()

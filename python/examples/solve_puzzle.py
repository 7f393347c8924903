"""Solves a puzzle of the collection, and explains the solution.

    python solve_puzzle.py [ID]
"""

from __future__ import annotations

import sys

import worldlines
from worldlines import Action, Position


def line_text(position: Position, line: tuple[Action, ...]) -> str:
    """The actions of a line, each in the position where it is played."""
    texts: list[str] = []
    for action in line:
        texts.append(position.action_text(action))
        position = position.play(action)
    return " / ".join(texts)


def main() -> None:
    puzzle = worldlines.puzzle(sys.argv[1] if len(sys.argv) > 1 else "one-knight-four-mates")
    name, claim = puzzle.goal
    print(f"{puzzle.title}: {puzzle.position.to_move} to move, {name} {claim}")
    print(puzzle.position)
    if name != "mate-in":
        print(f"verified: {puzzle.verify().answer}")
        return
    told = puzzle.position.explain(int(claim))
    print(f"{told.solution.verdict}: {line_text(puzzle.position, told.solution.line)}")
    for variation in told.variations:
        after = puzzle.position.play(told.solution.keys[0])
        answers = " or ".join(line_text(after, (variation.defence, answer)) for answer in variation.answers)
        print(f"  {answers}")
    for key in told.solution.keys:
        print(f"the judge says: {puzzle.judge(key).verdict}")


if __name__ == "__main__":
    main()

"""An environment after the manner of Gymnasium, whose agent enters actions move by move.

An observation has the planes of all boards, the moves that can be made, and whether the action can be submitted. A step is the index of a move,
or one more than the last index: submit. The opponent is the engine. Copy this file and change it.

    python environment.py [--episodes 3]
"""

from __future__ import annotations

import argparse
import random
from typing import Any, NamedTuple, Optional

from worldlines import Move, Position, learn


class Observation(NamedTuple):
    """What the agent sees."""

    planes: Any
    index: Any
    moves: tuple[Move, ...]
    can_submit: bool


class Environment:
    """Games of White against the engine. The reward is 1 for a mate, -1 for being mated."""

    def __init__(self, variant: str = "Very Small - Open", *, steps: int = 300, most_actions: int = 60) -> None:
        self.start = Position.variant(variant)
        self.steps = steps
        self.most_actions = most_actions
        self.reset()

    def reset(self, *, seed: int = 0) -> tuple[Observation, dict[str, Any]]:
        """Begins a game. The engine chooses differently with another seed."""
        self.seed = seed
        self.partial = self.start.begin()
        self.actions = 0
        return self.observe(), {}

    def observe(self) -> Observation:
        """The boards before the action, and the moves that go on with it."""
        boards = learn.planes([self.partial.position])
        moves = tuple(self.partial.legal_moves())
        return Observation(boards.planes, boards.index, moves, self.partial.why_not() is None)

    def step(self, choice: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Makes a move or submits: observation, reward, whether the game is over, whether it was cut, and more."""
        seen = self.observe()
        if choice < len(seen.moves):
            self.partial.push(seen.moves[choice])
            return self.observe(), 0.0, False, False, {}
        if choice != len(seen.moves) or not seen.can_submit:
            raise ValueError(f"there is no choice {choice} now")
        position = self.partial.position.play(self.partial.submit())
        ended = self.after(position)
        if ended is None:
            reply = position.think(steps=self.steps, seed=self.seed).action
            assert reply is not None, "the game is not over"
            position = position.play(reply)
            ended = self.after(position)
        self.actions += 2
        self.partial = position.begin()
        cut = ended is None and self.actions >= self.most_actions
        return self.observe(), ended or 0.0, ended is not None, cut, {"position": position}

    @staticmethod
    def after(position: Position) -> Optional[float]:
        """The reward if the game is over."""
        status = position.status()
        if status == "checkmate":
            return 1.0 if position.to_move == "black" else -1.0
        return 0.0 if status == "stalemate" else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=3)
    arguments = parser.parse_args()
    environment, dice = Environment(), random.Random(1)
    for episode in range(arguments.episodes):
        seen, _ = environment.reset(seed=episode)
        over = cut = False
        reward, steps = 0.0, 0
        while not (over or cut):
            # An agent that submits as soon as it can, and moves at random.
            choice = len(seen.moves) if seen.can_submit else dice.randrange(len(seen.moves))
            seen, reward, over, cut, _ = environment.step(choice)
            steps += 1
        print(f"episode {episode + 1}: reward {reward:+.0f} after {steps} steps")


if __name__ == "__main__":
    main()

"""Trains a tiny evaluator: the worth of each kind of piece, learnt from random games.

    python train_evaluator.py [--games 2000] [--seed 1]

Needs numpy.
"""

from __future__ import annotations

import argparse
import itertools
import random
from typing import Any

import numpy
from worldlines import Position, learn


def positions(count: int, seed: int) -> list[Position]:
    """Positions of random games in which pieces were taken."""
    dice, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = Position.variant("Small")
        for _ in range(dice.randrange(4, 24)):
            first = list(itertools.islice(position.legal_actions(), 64))
            if not first:
                break
            position = position.play(dice.choice(first))
        found.append(position)
    return found


def material(batch: list[Position]) -> Any:
    """What White has more than Black of each kind, on the last boards of the timelines."""
    boards = learn.planes(batch, last_only=True)
    counts = boards.planes.sum(axis=(2, 3), dtype=float)
    kinds = len(learn.PIECES)
    ahead = counts[:, :kinds] - counts[:, kinds : 2 * kinds]
    features = numpy.zeros((len(batch), kinds))
    numpy.add.at(features, boards.index[:, 0], ahead)
    return features


def fit(features: Any, results: Any, steps: int = 2_000, rate: float = 0.05) -> Any:
    """Logistic regression."""
    weights = numpy.zeros(features.shape[1])
    for _ in range(steps):
        expected = 1 / (1 + numpy.exp(-features @ weights))
        weights += rate * features.T @ (results - expected) / len(features)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    batch = positions(max(arguments.games // 10, 10), arguments.seed)
    played = learn.playouts(batch, count=10, seed=arguments.seed, max_actions=60)
    features = material(batch)
    results = (played.results.mean(axis=1) + 1) / 2
    weights = fit(features, results)
    for name, weight in sorted(zip(learn.PIECES, weights), key=lambda pair: -pair[1]):
        if weight:
            print(f"{name:12} {weight:+.3f}")
    guessed = 1 / (1 + numpy.exp(-features @ weights))
    error, of_nothing = numpy.abs(guessed - results).mean(), numpy.abs(0.5 - results).mean()
    print(f"mean error {error:.3f}; without the evaluator {of_nothing:.3f}")


if __name__ == "__main__":
    main()

"""Lets the engine play against a bot that plays at random, or against another engine that speaks 5DUCI.

    python bot_match.py [--engine 'worldlines engine'] [--games 2] [--variant 'Very Small - Open']
"""

from __future__ import annotations

import argparse
import itertools
import random
from contextlib import ExitStack
from typing import Callable, Optional

from worldlines import Action, Game, Position
from worldlines.engine import SimpleEngine

Bot = Callable[[Game], Optional[Action]]


def random_bot(seed: int) -> Bot:
    """A bot that plays any of the first hundred legal actions."""
    dice = random.Random(seed)

    def choose(game: Game) -> Optional[Action]:
        first = list(itertools.islice(game.position.legal_actions(), 100))
        return dice.choice(first) if first else None

    return choose


def our_bot(game: Game) -> Optional[Action]:
    """The engine, in this process."""
    return game.position.think(steps=3_000).action


def play(white: Bot, black: Bot, start: Position, most: int) -> Game:
    """A game with its result."""
    game = Game(start)
    while len(game) < most:
        action = (white if game.position.to_move == "white" else black)(game)
        if action is None:
            break
        game.push(action)
    outcome = game.position.outcome()
    game.result = "1/2-1/2" if outcome.result == "*" else outcome.result
    return game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", help="the command of the opponent")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--most", type=int, default=60, help="a game of so many actions is a draw")
    parser.add_argument("--variant", default="Very Small - Open")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        opponent = random_bot(1)
        if arguments.engine:
            engine = stack.enter_context(SimpleEngine(arguments.engine))
            opponent = lambda game: engine.play(game, steps=3_000).action  # noqa: E731
        points = 0.0
        for number in range(arguments.games):
            is_white = number % 2 == 0
            white, black = (our_bot, opponent) if is_white else (opponent, our_bot)
            game = play(white, black, Position.variant(arguments.variant), arguments.most)
            won = {"1-0": 1.0, "0-1": 0.0}.get(game.result or "", 0.5)
            points += won if is_white else 1 - won
            print(f"game {number + 1}: {game.result} after {len(game)} actions")
        print(f"the engine has {points} of {arguments.games}")


if __name__ == "__main__":
    main()

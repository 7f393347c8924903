"""Three Python programs on the same positions: this package, the module of 5dchess_engine, and 5d-chess-js over a bridge.

    python bench/compare.py --ftxi FOLDER --chessjs FOLDER [--seconds 20] [GAME.5dpgn ...]

FOLDER of --ftxi holds the module `engine` that https://github.com/ftxi/5dchess_engine builds with -DPYMODULE=on; FOLDER of --chessjs the
`node_modules` of `npm i 5d-chess-js`. Either may be left out. Each is a process of its own. The module is timed inside its process, without
the pipe; 5d-chess-js is timed from Python, pipe included, since that is what a Python program pays. Reading a text is not timed.

Every position of every game is one input. Questions:

  mates     is it mate, stalemate, or does the game go on? `Position.status`, `get_match_status`, `inCheckmate` and `inStalemate`
  actions   how many actions are legal? Neither of the two lists actions, so only positions where one board can be played: there a move is an
            action, and they try every move that they list. Without promotions, of which the module's list says nothing.
  play-outs random games, from the start positions of --starts, in legal actions a second. Each move is any of those that they list, until the
            action can be submitted and no king is in check; in a dead end the action begins anew. Ours does the same, move by move from
            Python. `learn.playouts` on one thread chooses otherwise, among the first legal actions that are found, and ends up in other games.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Callable, Optional

HERE = Path(__file__).resolve()
#: The most actions of a play-out, and the attempts at an action before a play-out is given up.
MOST_ACTIONS = 30
ATTEMPTS = 200
#: The seconds that one question about one position may take of 5d-chess-js. It says mate when they are over.
PATIENCE = 5.0
STARTS = ("Standard", "Very Small - Open")


def best_time(call: Callable[[], Any], seconds: float = 0.01) -> float:
    """The seconds of a call: the best of all that fit into a short time, and at least of three."""
    best, end, rounds = float("inf"), time.perf_counter() + seconds, 0
    while rounds < 3 or time.perf_counter() < end:
        begun = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begun)
        rounds += 1
    return best


class Ftxi:
    """The module of 5dchess_engine. Only the process that `--serve` starts imports it."""

    def __init__(self, folder: str) -> None:
        sys.path.insert(0, folder)
        import engine  # type: ignore[import-not-found]

        self.engine = engine
        self.game: Any = None

    def load(self, text: str) -> str:
        self.game = self.engine.game.from_pgn(text)
        return str(self.engine.get_version())

    def mates(self) -> tuple[str, float]:
        name = self.game.get_match_status().name
        answer = {"PLAYING": "ongoing", "STALEMATE": "stalemate"}.get(name, "checkmate")
        return answer, best_time(self.game.get_match_status)

    def moves(self) -> list[tuple[Any, Any]]:
        return [(piece, to) for piece in self.game.get_movable_pieces() for to in self.game.gen_move_if_playable(piece)]

    def is_legal(self) -> bool:
        # Its `submit` accepts a king in check, so both are asked.
        return bool(self.game.can_submit() and not self.game.currently_check())

    def count(self) -> int:
        found = 0
        for piece, to in self.moves():
            if self.game.apply_move(self.engine.ext_move(piece, to)):
                found += self.is_legal()
                self.game.undo()
        return found

    def actions(self) -> tuple[int, float]:
        return self.count(), best_time(self.count)

    def playouts(self, text: str, seconds: float, seed: int) -> tuple[int, float]:
        dice, total, spent = random.Random(seed), 0, 0.0
        while spent < seconds:
            self.load(text)
            begun = time.perf_counter()
            for _ in range(MOST_ACTIONS):
                if not self.act(dice):
                    break
                total += 1
            spent += time.perf_counter() - begun
        return total, spent

    def act(self, dice: random.Random) -> bool:
        """A random action. False if none was found."""
        game = self.game
        for _ in range(ATTEMPTS):
            while game.can_undo():
                game.undo()
            while True:
                moves = self.moves()
                if not moves or not game.apply_move(self.engine.ext_move(*dice.choice(moves))):
                    break
                if self.is_legal():
                    return bool(game.submit())
        return False


def serve(folder: str) -> None:
    """Answers lines of JSON: a name and arguments."""
    program = Ftxi(folder)
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            answer: Any = {"answer": getattr(program, name)(*arguments)}
        except RuntimeError as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


class Server:
    """A program that answers lines of JSON."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *question: Any) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args!r} has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer["answer"]

    def timed(self, *question: Any) -> tuple[Any, float]:
        begun = time.perf_counter()
        answer = self.ask(*question)
        return answer, time.perf_counter() - begun

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()


class Sums:
    """The positions that two programs answered, and the seconds of each."""

    def __init__(self) -> None:
        self.positions = 0
        self.ours = self.theirs = 0.0
        self.number = 0
        self.differ: list[str] = []

    def add(self, place: str, ours: tuple[Any, float], theirs: tuple[Any, float], number: int = 1) -> None:
        if ours[0] != theirs[0]:
            self.differ.append(f"{place}: ours {ours[0]}, theirs {theirs[0]}")
            return
        self.positions += 1
        self.number += number
        self.ours += ours[1]
        self.theirs += theirs[1]

    def show(self, what: str) -> None:
        if not self.positions:
            print(f"  {what}: none was compared")
            return
        rates = (self.number / self.ours, self.number / self.theirs)
        print(f"  {what}: {self.positions} positions, ours {rates[0]:,.0f} a second, theirs {rates[1]:,.0f}, ratio {rates[0] / rates[1]:,.1f}")
        if self.differ:
            print(f"    {len(self.differ)} left out, where the answers differ, such as {self.differ[0]}")


def our_act(position: Any, dice: random.Random) -> Optional[Any]:
    """A random action, move by move as the others have to."""
    for _ in range(ATTEMPTS):
        partial = position.begin()
        while True:
            moves = partial.pseudo_legal_moves()
            if not moves:
                break
            partial.push(dice.choice(moves))
            if partial.why_not() is None:
                return position.play(partial.submit())
    return None


def our_playouts(start: Any, seconds: float, seed: int) -> float:
    """Actions a second of games that are played move by move."""
    dice, total, begun = random.Random(seed), 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        position = start
        for _ in range(MOST_ACTIONS):
            after = our_act(position, dice)
            if after is None:
                break
            position = after
            total += 1
    return total / (time.perf_counter() - begun)


def batch_playouts(start: Any, seconds: float) -> float:
    """Actions a second of `learn.playouts` on one thread."""
    from worldlines import learn

    total, seed, begun = 0, 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        seed += 1
        played = learn.playouts([start], count=50, seed=seed, max_actions=MOST_ACTIONS, threads=1)
        total += sum(memoryview(played.actions).cast("B").cast("H").tolist())
    return total / (time.perf_counter() - begun)


def compare_positions(name: str, server: Server, games: list[tuple[str, Any]], seconds: float) -> None:
    """The first two questions, for one other program."""
    mates, actions, end, unread = Sums(), Sums(), time.perf_counter() + seconds, []
    slow = 0
    for file, game in games:
        for length, position in enumerate(game.positions()):
            if time.perf_counter() > end:
                break
            text, place = str(game.until(length)), f"{file} after {length} actions"
            try:
                server.ask("load", text)
            except ValueError as error:
                unread.append(f"{place}: {error}")
                break
            status = position.status()
            ours = ("ongoing" if status == "softmate" else status, best_time(position.status))
            theirs = server.ask("mates") if name == "ftxi" else server.timed("mates", PATIENCE)
            if name != "ftxi" and theirs[1] > 0.9 * PATIENCE:
                slow += 1
                # It found nothing: the time is counted, and the answer is not.
                theirs = (ours[0], theirs[1])
            mates.add(place, ours, theirs)
            is_alone = len(position.playable_boards()) == 1 and not any(move.promotion for move in position.pseudo_legal_moves())
            if is_alone:
                number = position.count_actions().number
                counted = server.ask("actions") if name == "ftxi" else server.timed("actions")
                actions.add(place, (number, best_time(position.count_actions)), counted, number)
    mates.show("mate decisions")
    if slow:
        print(f"    {slow} of them were not answered within {PATIENCE:.0f} seconds: these count with the time until then")
    actions.show("legal actions counted, one playable board")
    if time.perf_counter() > end:
        print("    the time was over before the last game")
    for line in unread:
        print(f"    not read: {line}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", type=Path)
    parser.add_argument("--ftxi", metavar="FOLDER")
    parser.add_argument("--chessjs", metavar="FOLDER")
    parser.add_argument("--seconds", type=float, default=20.0, help="for the play-outs of one start; six times as much for positions")
    parser.add_argument("--starts", nargs="*", default=STARTS)
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        return serve(arguments.serve)

    import worldlines

    files = arguments.games or sorted((HERE.parents[2] / "corpus" / "games").glob("*.5dpgn"))
    games = [(path.stem, worldlines.Game.parse(path.read_bytes())) for path in files]
    with ExitStack() as stack:
        servers: dict[str, Server] = {}
        if arguments.ftxi:
            servers["ftxi"] = stack.enter_context(Server([sys.executable, str(HERE), "--serve", arguments.ftxi]))
        if arguments.chessjs:
            servers["5d-chess-js"] = stack.enter_context(Server(["node", str(HERE.with_name("chessjs.cjs")), arguments.chessjs]))
        for name, server in servers.items():
            start = str(worldlines.Game())
            print(f"{name} {server.ask('load', start)}")
            compare_positions(name, server, games, 6 * arguments.seconds)
            for variant in arguments.starts:
                position = worldlines.Position.variant(variant)
                seconds = arguments.seconds / 3
                batch, ours = batch_playouts(position, seconds), our_playouts(position, seconds, 1)
                total, spent = server.ask("playouts", str(worldlines.Game(position)), seconds, 1)
                theirs = total / spent
                print(
                    f"  play-outs of {variant}, actions a second: theirs {theirs:,.0f}; ours move by move {ours:,.0f}, ratio {ours / theirs:,.1f}; "
                    f"`learn.playouts` {batch:,.0f}, ratio {batch / theirs:,.1f}"
                )


if __name__ == "__main__":
    main()

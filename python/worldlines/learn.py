"""Batches for machine learning: boards as planes, moves as tables and masks, random play-outs.

Every function takes a list of positions, is deterministic, and runs without the lock of the interpreter. With numpy the answers are
arrays of numpy, otherwise memoryviews of the same shape.

>>> import worldlines
>>> from worldlines import learn
>>> start = worldlines.Position()
>>> boards = learn.planes([start])
>>> boards.planes.shape
(1, 26, 8, 8)
>>> learn.moves([start]).shape
(20, 7)
>>> games = learn.playouts([start], count=4, seed=1, max_actions=30)
>>> games.results.shape
(1, 4)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ._core import move_table, piece_names, plane_names
from ._core import planes as _planes
from ._core import playouts as _playouts

if TYPE_CHECKING:
    from ._core import Position

__all__ = ["PIECES", "PLANES", "Planes", "Playouts", "masks", "moves", "planes", "playouts"]

#: The names of the planes of a board: White's pieces by kind, Black's, pieces that have not moved, and the squares of the board.
PLANES: tuple[str, ...] = tuple(plane_names())
#: The names of the kinds of pieces. A promotion is an index of it.
PIECES: tuple[str, ...] = tuple(piece_names())

_CODES = {"b": "int8", "B": "uint8", "H": "uint16", "i": "int32"}


class Planes(NamedTuple):
    """The boards of a batch, which follow each other position by position, by timeline and time.

    ``planes`` has the shape (boards, planes, height, width). ``index`` has a row for each board: its position in the batch, timeline, turn,
    player (0 White, 1 Black), flags (1 playable, 2 mandatory, 4 on an active timeline), and 1 for the last board of its timeline.
    """

    planes: Any
    index: Any


class Playouts(NamedTuple):
    """Random games, (positions, games). ``results``: 1 White mated, -1 Black mated, 0 stalemate or not ended. ``ended``: 1 if the game
    ended. ``actions``: its length."""

    results: Any
    ended: Any
    actions: Any


def _array(data: bytes, code: str, *shape: int) -> Any:
    """The bytes as an array of this shape."""
    try:
        import numpy
    except ImportError:
        # A memoryview has no shape with a zero in it.
        view = memoryview(data)
        return view.cast(code, list(shape)) if all(shape) else view.cast(code)  # type: ignore[call-overload]
    return numpy.frombuffer(data, dtype=_CODES[code]).reshape(shape)


def planes(positions: Iterable[Position], *, last_only: bool = False) -> Planes:
    """The boards of positions as planes of zeros and ones. ``last_only`` leaves out all but the last board of each timeline.

    Boards of several sizes stand in the corner of the largest; the plane ``board`` says which squares exist.
    """
    data, index, shape = _planes(list(positions), last_only)
    return Planes(_array(data, "B", *shape), _array(index, "i", shape[0], 6))


def moves(
    positions: Iterable[Position],
    *,
    legal: bool = True,
    last_only: bool = False,
    time: Optional[float] = None,
) -> Any:
    """The moves of positions, a row of seven numbers for each.

    They are: position, board and square where it begins, board and square where it ends, index of the promotion in ``PIECES`` or -1, and 0 for
    a physical move, 1 for a hop, 2 for a branch. Boards are rows of ``planes`` with the same ``last_only``, or -1 if it left the board out.
    Squares are rank times width plus file. With ``legal`` each move begins some legal action; without, the moves are pseudo-legal, which is
    faster.
    """
    data = move_table(list(positions), last_only, legal, time)
    return _array(data, "i", len(data) // 28, 7)


def masks(
    positions: Iterable[Position],
    *,
    legal: bool = True,
    last_only: bool = False,
    time: Optional[float] = None,
) -> Any:
    """For each board of ``planes``, the squares where a move begins and those where one ends: (boards, 2, height, width) of zeros and ones."""
    listed = list(positions)
    _, _, (boards, _, height, width) = _planes(listed, last_only)
    data = memoryview(move_table(listed, last_only, legal, time)).cast("i")
    area = height * width
    filled = bytearray(boards * 2 * area)
    for begin in range(0, len(data), 7):
        _, origin, leaves, target, enters, _, _ = data[begin : begin + 7]
        filled[origin * 2 * area + leaves] = 1
        if target >= 0:
            filled[target * 2 * area + area + enters] = 1
    return _array(bytes(filled), "B", boards, 2, height, width)


def playouts(
    positions: Iterable[Position],
    *,
    count: int = 1,
    seed: int = 0,
    max_actions: int = 200,
    width: int = 64,
    threads: int = 0,
) -> Playouts:
    """Plays ``count`` random games from each position, on all processors or on ``threads`` of them.

    Every action is chosen among the first ``width`` legal ones that are found: there may be more actions than a program can list. The same
    seed gives the same games, whatever the number of threads.
    """
    listed = list(positions)
    results, ended, actions = _playouts(listed, count, seed, max_actions, width, threads)
    shape = (len(listed), count)
    return Playouts(_array(results, "b", *shape), _array(ended, "B", *shape), _array(actions, "H", *shape))

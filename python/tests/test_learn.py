"""Batches, with numpy and without."""

from __future__ import annotations

import subprocess
import sys

import pytest
from worldlines import Game, Position, learn

numpy = pytest.importorskip("numpy")


def test_planes_show_the_pieces() -> None:
    position = Game.parse("1. Nf3 / Nf6 2. N>>f5").position
    boards = learn.planes([Position("[k2/3/K2:0:1:w]"), position])
    assert boards.planes.shape == (1 + len(position.boards()), len(learn.PLANES), 8, 8) and boards.planes.dtype == numpy.uint8
    king = learn.PLANES.index("white king")
    assert numpy.argwhere(boards.planes[0, king]).tolist() == [[0, 0]]
    assert int(boards.planes[0, learn.PLANES.index("board")].sum()) == 9
    assert numpy.argwhere(boards.planes[-1, learn.PLANES.index("white knight")]).tolist() == [[0, 1], [0, 6], [4, 5]]
    assert boards.index[0].tolist() == [0, 0, 1, 0, 7, 1] and boards.index[-1].tolist() == [1, 1, 1, 1, 7, 1]
    last = learn.planes([position], last_only=True)
    assert last.index[:, 5].tolist() == [1, 1] and (last.planes[-1] == boards.planes[-1]).all()


def test_moves_are_those_of_the_position() -> None:
    position = Game.parse("1. Nf3 / Nf6 2. N>>f5 / (1T1)e6").position
    boards, table = learn.planes([position]), learn.moves([position])
    told = set()
    for which, origin, leaves, target, enters, promotion, kind in table.tolist():
        assert which == 0 and promotion == -1
        places = [(*boards.index[row][1:4].tolist(), square % 8, square // 8) for row, square in ((origin, leaves), (target, enters))]
        told.add((*places, ("physical", "hop", "branch")[kind]))
    expected = set()
    for move in position.legal_moves():
        ends = [(end.board.timeline, end.board.turn, int(end.board.color == "black"), end.file, end.rank) for end in (move.origin, move.target)]
        expected.add((*ends, move.kind))
    assert told == expected and any(kind == 2 for kind in table[:, 6])
    masks = learn.masks([position])
    assert {(row, square) for row, square in table[:, 1:3].tolist()} == {(row, 8 * rank + file) for row, rank, file in numpy.argwhere(masks[:, 0])}
    assert {(row, square) for row, square in table[:, 3:5].tolist()} == {(row, 8 * rank + file) for row, rank, file in numpy.argwhere(masks[:, 1])}
    assert -1 in learn.moves([position], last_only=True)[:, 3]


def test_play_outs_are_games() -> None:
    position = Position.variant("Very Small - Open")
    played = learn.playouts([position, position], count=300, seed=7)
    assert played.results.shape == (2, 300) and set(numpy.unique(played.results)) == {-1, 0, 1}
    assert (played.results[played.ended == 0] == 0).all() and (played.actions[played.ended == 1] > 0).all()
    assert (played.results[0] != played.results[1]).any(), "each game has numbers of its own"
    mated = Game.parse("1. e3 / f6 2. Qe2 / Nc6 3. Qh5").position
    over = learn.playouts([mated], count=2)
    assert over.results.tolist() == [[1, 1]] and over.actions.tolist() == [[0, 0]]
    # Recorded: another answer would mean that a seed no longer gives the same games.
    again = learn.playouts([Position()], count=3, seed=1, max_actions=40)
    assert (again.results.tolist(), again.actions.tolist()) == ([[0, -1, 0]], [[40, 36, 40]])
    for wrong in ({"width": 0}, {"count": 2**40}, {"max_actions": 2**17}):
        with pytest.raises((ValueError, OverflowError)):
            learn.playouts([position], **wrong)


def test_nothing_is_an_empty_batch() -> None:
    assert learn.planes([]).planes.size == 0 and learn.moves([]).shape == (0, 7) and learn.playouts([], count=5).results.shape == (0, 5)
    assert learn.playouts([Position()], count=0).results.shape == (1, 0)


def test_without_numpy_there_are_memoryviews() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from worldlines import Position, learn\n"
        "boards = learn.planes([Position()])\n"
        "assert boards.planes.shape == (1, 26, 8, 8) and boards.planes[0, 0, 1, 0] == 1\n"
        "assert learn.moves([Position()]).shape == (20, 7) and learn.masks([Position()]).shape == (1, 2, 8, 8)\n"
        "assert learn.playouts([Position()], count=2, max_actions=3).actions.tolist() == [[3, 3]]\n"
        "assert learn.planes([]).planes.nbytes == 0\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

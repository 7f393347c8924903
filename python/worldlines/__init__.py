"""5D chess: exact rules, every notation, verified puzzles, a mate prover and an engine.

>>> import worldlines
>>> game = worldlines.Game.parse("1. e3 / f6 2. Qe2 / Nc6")
>>> game.position.count_actions().number
36
>>> game.push("Qh5")
<Action (0T3w)e2h5>
>>> game.position.status()
'checkmate'

``worldlines.engine`` talks to engines, ``worldlines.learn`` makes arrays for machine learning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

from ._core import (
    Action,
    Analysis,
    Game,
    LegalActions,
    Move,
    PartialAction,
    Position,
    Puzzle,
    check_certificate,
    convert,
    detect,
    notations,
    puzzle,
    puzzles,
    read_games,
    read_puzzles,
    variants,
)
from ._errors import (
    AmbiguousError,
    IllegalActionError,
    IllegalError,
    InterruptedListError,
    MalformedError,
    PuzzleError,
    TextError,
    UndecidedError,
    WorldlinesError,
    WriteError,
)
from ._records import (
    AnsweredDefence,
    BoardAt,
    Check,
    CheckedCertificate,
    Converted,
    Count,
    Explanation,
    Failing,
    Finding,
    Headers,
    Issue,
    Judgement,
    Loss,
    NotationInfo,
    Note,
    Outcome,
    Piece,
    Reason,
    Reasons,
    Report,
    Review,
    ReviewFinding,
    SetPlay,
    Solution,
    SquareAt,
    Step,
    Thought,
    Threat,
    Timeline,
    Variant,
    Variation,
    Written,
)

if TYPE_CHECKING:
    from os import PathLike

__all__ = [
    "Action",
    "AmbiguousError",
    "Analysis",
    "AnsweredDefence",
    "BoardAt",
    "Check",
    "CheckedCertificate",
    "Converted",
    "Count",
    "Explanation",
    "Failing",
    "Finding",
    "Game",
    "Headers",
    "IllegalActionError",
    "IllegalError",
    "InterruptedListError",
    "Issue",
    "Judgement",
    "LegalActions",
    "Loss",
    "MalformedError",
    "Move",
    "NotationInfo",
    "Note",
    "Outcome",
    "PartialAction",
    "Piece",
    "Position",
    "Puzzle",
    "PuzzleError",
    "Reason",
    "Reasons",
    "Report",
    "Review",
    "ReviewFinding",
    "SetPlay",
    "Solution",
    "SquareAt",
    "Step",
    "TextError",
    "Thought",
    "Threat",
    "Timeline",
    "UndecidedError",
    "Variant",
    "Variation",
    "WorldlinesError",
    "WriteError",
    "Written",
    "check_certificate",
    "convert",
    "detect",
    "load_puzzles",
    "notations",
    "puzzle",
    "puzzles",
    "read_games",
    "read_puzzles",
    "variants",
]

__version__ = "0.1.0"


def load_puzzles(path: Union[str, PathLike[str]]) -> list[Puzzle]:
    """The puzzles of a file, with the certificates that stand beside it in the folder ``certificates``."""
    import os

    name = os.fspath(path)
    with open(name, "rb") as file:
        text = file.read()
    certificates: dict[str, bytes] = {}
    for found in read_puzzles(text, name):
        beside = os.path.join(os.path.dirname(name), "certificates", f"{os.path.basename(found.id)}.yaml")
        if os.path.isfile(beside):
            with open(beside, "rb") as file:
                certificates[found.id] = file.read()
    return read_puzzles(text, name, certificates=certificates)

"""The exceptions of the package."""

from __future__ import annotations

from typing import Any, Optional

__all__ = [
    "AmbiguousError",
    "IllegalActionError",
    "IllegalError",
    "InterruptedListError",
    "MalformedError",
    "PuzzleError",
    "TextError",
    "UndecidedError",
    "WorldlinesError",
    "WriteError",
]


class WorldlinesError(Exception):
    """The base of all exceptions of the package.

    ``code`` is a stable name for the kind of error, ``message`` says it in words, and ``hint`` is a suggestion, if there is one.
    """

    def __init__(self, code: str, message: str, hint: Optional[str] = None, **details: Any) -> None:
        super().__init__(message if hint is None else f"{message} ({hint})")
        self.code = code
        self.message = message
        self.hint = hint
        self._details = details
        for name, value in details.items():
            setattr(self, name, value)

    def __reduce__(self) -> Any:
        return _remade, (type(self), self.code, self.message, self.hint, self._details)


def _remade(kind: type, code: str, message: str, hint: Optional[str], details: dict[str, Any]) -> Any:
    return kind(code, message, hint, **details)


class TextError(WorldlinesError, ValueError):
    """A text cannot be read.

    ``line`` and ``column`` count from 1; ``start`` and ``end`` are indices of the text (of its bytes, if bytes were given).
    ``excerpt`` shows the place.

    >>> import worldlines
    >>> try:
    ...     worldlines.Game.parse("1. e3 / f6 2. Nf4")
    ... except worldlines.TextError as error:
    ...     print(error.code, error.line, error.column)
    ...     print(error.excerpt)
    no-such-move 1 15
    error[no-such-move]: illegal: action 2w: no white knight can make this move
     --> text:1:15
      |
    1 | 1. e3 / f6 2. Nf4
      |               ^^^
      = hint: what can go there: (0T2)f2f4
    """

    line: int
    column: int
    start: int
    end: int
    excerpt: str


class MalformedError(TextError):
    """A text does not parse."""


class IllegalError(TextError):
    """A text parses and breaks a rule of the game."""


class AmbiguousError(TextError):
    """A text parses and fits more than one move or position."""


class IllegalActionError(WorldlinesError, ValueError):
    """An action or a move may not be played in this position."""


class WriteError(WorldlinesError, ValueError):
    """A notation cannot hold a game."""


class PuzzleError(WorldlinesError, ValueError):
    """A puzzle file cannot be read, or a puzzle has no answer to this question."""


class UndecidedError(WorldlinesError):
    """The limit was reached before the answer was known. ``code`` says which limit; ``steps`` were spent."""

    steps: int


class InterruptedListError(WorldlinesError):
    """A list of actions was interrupted in the middle, so it cannot go on."""

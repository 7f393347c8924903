"""Answers with several parts: named tuples, so that they compare, hash, pickle and print by themselves. And the headers of a game."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Literal, Mapping, NamedTuple, Optional, Tuple, Union

if TYPE_CHECKING:
    from ._core import Action, Game, Position

__all__ = [
    "AnsweredDefence",
    "BoardAt",
    "Check",
    "CheckedCertificate",
    "Converted",
    "Count",
    "Explanation",
    "Failing",
    "Finding",
    "Headers",
    "Issue",
    "Judgement",
    "Loss",
    "NotationInfo",
    "Note",
    "Outcome",
    "Piece",
    "Reason",
    "Reasons",
    "Report",
    "Review",
    "ReviewFinding",
    "SetPlay",
    "Solution",
    "SquareAt",
    "Step",
    "Thought",
    "Threat",
    "Timeline",
    "Variant",
    "Variation",
    "Written",
]


class BoardAt(NamedTuple):
    """The place of a board. ``timeline`` is its internal number: start timelines around 0, White's new ones above, Black's below."""

    timeline: int
    turn: int
    color: str

    def __str__(self) -> str:
        return f"({self.timeline}T{self.turn}{self.color[:1]})"


class SquareAt(NamedTuple):
    """The place of a square: its board, and file and rank from 0."""

    board: BoardAt
    file: int
    rank: int

    @property
    def name(self) -> str:
        """The name of the square on its board, such as ``e4``."""
        return f"{chr(97 + self.file)}{self.rank + 1}"

    def __str__(self) -> str:
        return f"{self.board}{self.name}"


class Piece(NamedTuple):
    """A piece on a square."""

    kind: str
    color: str
    letter: str
    unmoved: bool

    def __str__(self) -> str:
        return self.letter


class Timeline(NamedTuple):
    """A timeline. ``label`` is its name in texts, ``first`` and ``last`` are its boards."""

    number: int
    label: str
    first: BoardAt
    last: BoardAt
    active: bool


class Check(NamedTuple):
    """A piece at ``origin`` could capture the royal piece at ``target``."""

    origin: SquareAt
    target: SquareAt


class Outcome(NamedTuple):
    """The status for the player to move. ``escape`` is a legal action, if there is one; ``winner`` is the player who has mated."""

    status: str
    in_check: bool
    escape: Optional[Action]
    steps: int
    winner: Optional[str]

    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]:
        """``1-0``, ``0-1``, ``1/2-1/2`` for stalemate, or ``*`` while the game goes on."""
        if self.winner is not None:
            return "1-0" if self.winner == "white" else "0-1"
        return "1/2-1/2" if self.status == "stalemate" else "*"


class Count(NamedTuple):
    """A number, as far as was counted. ``capped`` says that there are more."""

    number: int
    capped: bool


class Reason(NamedTuple):
    """A reason why some actions are illegal: their number, and one of them."""

    actions: int
    why: str
    example: str


class Reasons(NamedTuple):
    """The reasons why nothing is legal. ``complete`` says that everything was tried and every reason is listed."""

    checks: Tuple[str, ...]
    reasons: Tuple[Reason, ...]
    complete: bool


class Issue(NamedTuple):
    """Something odd in a text that could be read all the same. The places are those of ``TextError``."""

    code: str
    message: str
    hint: Optional[str]
    line: int
    column: int
    start: int
    end: int


class Loss(NamedTuple):
    """A part of a game that a text does not say, of one action (an index) or of the whole game."""

    text: str
    action: Optional[int]

    def __str__(self) -> str:
        return self.text


class Headers(MutableMapping[str, str]):
    """The headers of a game that do not describe its start, such as ``White`` and ``Date``. What is set here is set in the game.

    >>> import worldlines
    >>> game = worldlines.Game()
    >>> game.headers["White"] = "Anna"
    >>> game.headers
    Headers({'White': 'Anna'})
    >>> del game.headers["White"]
    >>> dict(game.headers)
    {}
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getitem__(self, key: str) -> str:
        return dict(self._game._headers())[key]

    def __setitem__(self, key: str, value: str) -> None:
        self._game._set_header(key, value)

    def __delitem__(self, key: str) -> None:
        self._game._remove_header(key)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self._game._headers()))

    def __len__(self) -> int:
        return len(dict(self._game._headers()))

    def __repr__(self) -> str:
        return f"Headers({dict(self._game._headers())})"


class Note(NamedTuple):
    """The remarks at a place of a game, and the lines that leave it there.

    ``judgements`` are about the action before the place, as PGN writes them: ``!``, ``?``, ``!!``, ``??``, ``!?``, ``?!``, or ``$7`` and the like.
    """

    judgements: Tuple[str, ...] = ()
    comments: Tuple[str, ...] = ()
    variations: Tuple[Variation, ...] = ()


class Variation(NamedTuple):
    """A line that leaves a game, or another variation. ``notes`` is by the number of its own actions before them."""

    actions: Tuple[Action, ...]
    notes: Mapping[int, Note]
    result: Optional[str] = None


class ReviewFinding(NamedTuple):
    """Something that a review says about an action, the one with the index ``at``.

    ``kind`` is ``missed-mate`` (there was a mate, and the action does not mate in so many actions), ``slower-mate`` (it mates later than
    necessary), ``kept-mate`` (it mates as soon as possible), ``allowed-mate`` (the opponent mates after it, and there was a defence),
    ``only-defence`` (it alone avoids a mate), ``blunder``, ``mistake`` or ``inaccuracy`` (the engine prefers another), or ``forced`` (it was the
    only legal action). ``better`` is a better line instead of the action, ``punishment`` the line of the opponent that punishes it; both may
    be empty.
    """

    at: int
    action: Action
    kind: str
    text: str
    better: Tuple[Action, ...]
    punishment: Tuple[Action, ...]


class Review(NamedTuple):
    """The answer of ``Game.review``.

    ``open`` has the indices of the actions whose judgement a limit left open. ``annotated`` is a new game with the findings as notes.
    """

    findings: Tuple[ReviewFinding, ...]
    open: Tuple[int, ...]
    annotated: Game


class Written(NamedTuple):
    """A game in a notation: a text, or bytes for ``chess64-binary``."""

    text: Union[str, bytes]
    losses: Tuple[Loss, ...]

    def __str__(self) -> str:
        return self.text if isinstance(self.text, str) else self.text.hex()


class Converted(NamedTuple):
    """A text in another notation."""

    text: Union[str, bytes]
    notation: str
    losses: Tuple[Loss, ...]
    warnings: Tuple[Issue, ...]


class NotationInfo(NamedTuple):
    """A notation of games."""

    name: str
    title: str


class Variant(NamedTuple):
    """A start position with a name. ``number`` is that of the original game."""

    name: str
    number: Optional[int]
    confidence: str


class Solution(NamedTuple):
    """The answer of ``Position.solve``.

    ``verdict`` is ``proven``, ``refuted`` or ``undecided``. ``keys`` has one action of each class, ``classes`` all actions of each class.
    A class are keys that differ only on boards where every move mates. ``complete`` says that there are no other keys: without ``all`` the
    search ends with the first one. A key has no move that can be left out, so an action that is not among them may mate too:
    ``Game.review`` says whether a played action does.
    ``line`` is a mate against the longest defence. ``undecided`` says why the answer or the list is not complete.
    """

    verdict: str
    mate_in: Optional[int]
    keys: Tuple[Action, ...]
    classes: Tuple[Tuple[Action, ...], ...]
    complete: bool
    legal_actions: Count
    line: Tuple[Action, ...]
    undecided: Optional[str]
    steps: int


class AnsweredDefence(NamedTuple):
    """A defence, and the actions that mate as soon as possible after it, one of each class."""

    defence: Action
    mates_in: int
    answers: Tuple[Action, ...]


class Failing(NamedTuple):
    """An action that looks right and fails. ``best`` refutes it; None is stalemate."""

    action: Action
    refutations: Optional[int]
    best: Optional[Action]


class Threat(NamedTuple):
    """The mates that a key threatens. ``kind`` is ``mate``, ``zugzwang`` or ``nothing``: the opponent cannot pass."""

    kind: str
    mates: Tuple[Action, ...]


class SetPlay(NamedTuple):
    """The answers there would be if the opponent were to move: ``met`` of ``defences`` actions are met by a mate."""

    position: Position
    variations: Tuple[AnsweredDefence, ...]
    met: int
    defences: int


class Explanation(NamedTuple):
    """Everything about a mate. ``left_out`` names the lists that are not complete, with the reason."""

    solution: Solution
    threat: Optional[Threat]
    variations: Tuple[AnsweredDefence, ...]
    set_play: Optional[SetPlay]
    tries: Tuple[Failing, ...]
    left_out: Tuple[str, ...]


class Thought(NamedTuple):
    """The action that the engine plays. ``score`` is in pawns, ``mate`` in actions; ``ending`` says why there is no action."""

    action: Optional[Action]
    score: Optional[float]
    mate: Optional[int]
    depth: int
    line: Tuple[Action, ...]
    ending: Optional[str]
    steps: int


class Step(NamedTuple):
    """A step of the verification of a puzzle.

    ``answer`` is ``pass``, ``fail``, ``undecided`` or ``skipped``, and ``rests_on`` is ``rules``, ``evidence`` or ``search``.
    """

    name: str
    answer: str
    rests_on: Optional[str]
    note: str


class Finding(NamedTuple):
    """Something that is wrong with a puzzle or certificate. ``text`` shows the place."""

    code: str
    message: str
    line: int
    column: int
    text: str


class Report(NamedTuple):
    """The result of verifying a puzzle."""

    id: str
    answer: str
    steps: Tuple[Step, ...]
    findings: Tuple[Finding, ...]
    warnings: Tuple[Finding, ...]


class Judgement(NamedTuple):
    """The judgement of an answer to a puzzle.

    ``verdict`` is ``correct``, ``slower-mate``, ``wrong``, ``illegal`` or ``undecided``. ``at`` is the index of the action that decided it.
    ``left`` is the number of actions that the solver still needs after a correct one. ``refutation`` refutes a wrong one; if that has no
    refutation, the opponent is in stalemate.
    """

    verdict: str
    at: int
    left: Optional[int]
    refutation: Optional[Action]
    message: Optional[str]


class CheckedCertificate(NamedTuple):
    """The result of checking a certificate: ``accepted`` says that everything in it holds."""

    accepted: bool
    keys: int
    defences: int
    findings: Tuple[Finding, ...]
    undecided: Optional[str]


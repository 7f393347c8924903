"""Engines that speak 5DUCI, after the manner of ``chess.engine``: with asyncio, or without.

The protocol is written down in ``spec/engine-protocol.md`` of the repository. An engine is a program that is not trusted: every answer has a
deadline, what it says is checked against the rules, and it is killed when it is closed.

Without asyncio::

    with worldlines.engine.SimpleEngine(["worldlines", "engine"]) as engine:
        print(engine.play(worldlines.Game(), time=0.5).action)
        with engine.analysis(worldlines.Game()) as analysis:
            for info in analysis:
                print(info.depth, info.score, *info.line)
                if info.depth == 3:
                    break

With asyncio::

    engine = await worldlines.engine.Engine.start(["worldlines", "engine"])
    try:
        print((await engine.play(worldlines.Game(), time=0.5)).action)
    finally:
        await engine.close()
"""

# An engine and its analysis share what is theirs.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import threading
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Optional, TypeVar, Union

from ._core import Action, Game, Move, Position, uci_move, uci_text
from ._errors import WorldlinesError

__all__ = ["Analysis", "Engine", "EngineError", "Info", "PlayResult", "SimpleAnalysis", "SimpleEngine"]

#: Seconds that an engine has for an answer that needs no thought, and beyond the time that it may think.
PATIENCE = 10.0
#: Seconds that an engine may think where only steps, depth or a mate limit it.
LONGEST_THOUGHT = 3600.0
#: The longest line that is read of an engine, in bytes, and the most lines before an answer.
LONGEST_LINE = 1 << 20
MOST_LINES = 100_000
#: The words for people that are kept of a thought, the last ones.
MOST_STRINGS = 1_000

_T = TypeVar("_T")


class EngineError(WorldlinesError):
    """An engine ended, was silent for too long, or said something that is not allowed. ``code`` tells which."""


class Info(NamedTuple):
    """The last that an engine said while it thought. Fields that it did not name are None.

    ``score`` is in pawns and ``mate`` in actions, both for the player to move; below zero the opponent is better, or mates. ``line`` is the
    game that the engine expects, as far as its actions are legal. ``strings`` are its words for people.
    """

    depth: Optional[int]
    steps: Optional[int]
    score: Optional[float]
    mate: Optional[int]
    strings: tuple[str, ...]
    line: tuple[Action, ...] = ()


class PlayResult(NamedTuple):
    """The action of an engine. ``action`` is None if it has none; ``info`` belongs to the first move of the action."""

    action: Optional[Action]
    info: Info


class Engine:
    """An engine for asyncio. Make it with ``Engine.start``."""

    def __init__(self, process: asyncio.subprocess.Process, patience: float) -> None:
        self._process = process
        self._patience = patience
        self._lock = asyncio.Lock()
        self._broken = False
        #: Who the engine says it is, and its other lines before ``5duciok``.
        self.introduction: tuple[str, ...] = ()

    @classmethod
    async def start(cls, command: Union[str, Sequence[str]], *, patience: float = PATIENCE) -> Engine:
        """Starts an engine. ``command`` is a list of words, or a text that is divided as a shell does."""
        words = shlex.split(command) if isinstance(command, str) else list(command)
        if not words:
            raise EngineError("no-command", "the command of the engine is empty")
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=LONGEST_LINE,
                # A group of its own, so that all that it starts can be ended. Ctrl-C is then for us to handle.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise EngineError("not-started", f"the engine cannot be started: {error}") from error
        engine = cls(process, patience)
        try:
            await engine._send("5duci")
            engine.introduction = tuple(await engine._until("5duciok", patience))
        except BaseException:
            await engine.close()
            raise
        return engine

    async def configure(self, options: Mapping[str, Union[str, int, bool]]) -> None:
        """Sets options, such as ``{"Seed": 5}``."""
        async with self._lock:
            for name, value in options.items():
                said = str(value).lower() if isinstance(value, bool) else str(value)
                if any(c in name + said for c in "\r\n"):
                    raise EngineError("wrong-option", "an option is one line")
                await self._send(f"setoption name {name} value {said}")
            lines = await self._ready()
        for line in lines:
            if line.startswith("info string error:"):
                raise EngineError("wrong-option", line[len("info string error:") :].strip())

    async def new_game(self) -> None:
        """Tells the engine that another game begins."""
        async with self._lock:
            await self._send("5ducinewgame")
            await self._ready()

    async def ping(self) -> None:
        """Waits until the engine is ready."""
        async with self._lock:
            await self._ready()

    async def play(
        self,
        game: Union[Game, Position],
        *,
        time: Optional[float] = None,
        steps: Optional[int] = None,
        depth: Optional[int] = None,
        mate_in: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> PlayResult:
        """The action that the engine plays in a game or position. The limits are those of
        ``Position.think``: ``time`` in seconds, ``steps``, ``depth``, and ``mate_in`` for a mate to look for first. Without any the engine decides.

        The engine is asked for one move after another, until it submits. An action that is not legal is an ``EngineError``, and so is an
        engine that has not answered after ``timeout`` seconds; without it these are ``time`` and the patience, or an hour if the engine is
        limited otherwise.
        """
        question = _question(game, time, steps, depth, mate_in)
        patience = self._patience + question.seconds if timeout is None else timeout
        game = question.game
        partial = game.position.begin()
        first: Optional[Info] = None
        async with self._lock:
            while True:
                await self._send(question.position + _under_way(game, partial.moves))
                await self._send(question.go)
                answer, info = await self._answer(patience, game.position)
                first = first or info
                if answer is None:
                    if partial.moves:
                        raise self._fault("no-move", "the engine began an action and has no next move")
                    return PlayResult(None, first)
                words = answer.split()
                for word in words:
                    if word == "submit":
                        break
                    try:
                        partial.push(uci_move(partial, word))
                    except WorldlinesError as error:
                        raise self._fault("illegal-move", f"the engine said {answer!r}: {error}") from error
                # An answer of several moves is a whole action.
                if "submit" in words or len(words) > 1:
                    try:
                        return PlayResult(partial.submit(), first)
                    except WorldlinesError as error:
                        raise self._fault("illegal-action", f"the engine submits too early: {error}") from error

    def analysis(
        self,
        game: Union[Game, Position],
        *,
        time: Optional[float] = None,
        steps: Optional[int] = None,
        depth: Optional[int] = None,
        mate_in: Optional[int] = None,
    ) -> Analysis:
        """What the engine says of a game or position while it thinks. Without a limit it thinks until it is stopped::

            async with engine.analysis(game) as analysis:
                async for info in analysis:
                    print(info.depth, info.score, *info.line)

        The end of the block stops it. Meanwhile the engine has no ear for other questions: they wait.
        """
        return Analysis(self, _question(game, time, steps, depth, mate_in))

    async def close(self) -> None:
        """Says goodbye, and kills the engine if it does not end."""
        self._broken = True
        process = self._process
        if process.returncode is None:
            with contextlib.suppress(Exception):
                assert process.stdin is not None
                process.stdin.write(b"quit\n")
                process.stdin.close()
            try:
                await asyncio.wait_for(process.wait(), 1.0)
            except (asyncio.TimeoutError, asyncio.CancelledError):
                pass
        self._kill()
        with contextlib.suppress(Exception):
            await asyncio.wait_for(process.wait(), 1.0)

    def _kill(self) -> None:
        process = self._process
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _fault(self, code: str, message: str) -> EngineError:
        """The exception for an engine whose answers can no longer be told apart."""
        self._broken = True
        return EngineError(code, message)

    async def _send(self, line: str) -> None:
        if self._broken:
            raise EngineError("closed", "this engine was closed, or it failed before")
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(line.encode() + b"\n")
            await asyncio.wait_for(stdin.drain(), self._patience)
        except (ConnectionError, RuntimeError) as error:
            raise self._fault("ended", "the engine has ended") from error
        except asyncio.TimeoutError as error:
            raise self._fault("silent", "the engine does not read") from error

    async def _line(self) -> str:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            line = await stdout.readline()
        except (ValueError, asyncio.LimitOverrunError) as error:
            raise self._fault("long-line", "the engine writes a line without an end") from error
        if not line:
            raise self._fault("ended", "the engine has ended")
        return line.decode(errors="replace").strip()

    async def _until(self, word: str, patience: float) -> list[str]:
        """The lines before the one that is this word."""

        async def lines() -> list[str]:
            before: list[str] = []
            while True:
                line = await self._line()
                if line == word:
                    return before
                before.append(line)
                if len(before) > MOST_LINES:
                    raise self._fault("babble", f"the engine writes on and on, and not {word}")

        return await self._within(lines(), patience, word)

    async def _within(self, work: Coroutine[Any, Any, _T], patience: float, what: str) -> _T:
        try:
            return await asyncio.wait_for(work, patience)
        except asyncio.TimeoutError as error:
            raise self._fault("silent", f"the engine did not say {what} in time") from error
        except asyncio.CancelledError:
            # Its answer would be taken for that of the next question.
            self._broken = True
            raise

    async def _ready(self) -> list[str]:
        await self._send("isready")
        return await self._until("readyok", self._patience)

    async def _answer(self, patience: float, position: Position) -> tuple[Optional[str], Info]:
        """The words after ``bestmove``, or None after ``nobestmove``."""
        said = _Said(position)

        async def read() -> Optional[str]:
            for _ in range(MOST_LINES):
                if said.ends_with(await self._line()):
                    return said.answer
            raise self._fault("babble", "the engine writes on and on, and no bestmove")

        answer = await self._within(read(), patience, "bestmove")
        return answer, said.info()


class Analysis:
    """A thought of an engine while it lasts. Make it with ``Engine.analysis``, and use it with ``async with``.

    A loop with ``async for`` gives an ``Info`` whenever the engine has said something new; who is slow sees only the newest. An engine that
    hangs, ends or says what is not allowed is an ``EngineError`` of the loop or of ``wait``.
    """

    def __init__(self, engine: Engine, question: _Question) -> None:
        self._engine = engine
        self._question = question
        self._said = _Said(question.game.position)
        self._fresh = False
        self._silence: Optional[EngineError] = None
        self._deadline: Optional[asyncio.TimerHandle] = None

    async def __aenter__(self) -> Analysis:
        engine, question = self._engine, self._question
        await engine._lock.acquire()
        try:
            await engine._send(question.position)
            await engine._send(question.go if question.limited else "go infinite")
        except BaseException:
            engine._lock.release()
            raise
        self._news = asyncio.Event()
        self._reader = asyncio.ensure_future(self._read())
        self._reader.add_done_callback(lambda _: self._news.set())
        if question.limited:
            self._within(engine._patience + question.seconds)
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            # A fault of the engine is told to who asks for more. The block may be left without.
            with contextlib.suppress(EngineError):
                await self.stop()
                await self.wait()
        finally:
            if not self._reader.done():
                self._engine._broken = True
                self._reader.cancel()
            if self._deadline:
                self._deadline.cancel()
            self._engine._lock.release()

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        while not self._fresh:
            if self._reader.done():
                self._reader.result()
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        self._fresh = False
        return self.info

    @property
    def info(self) -> Info:
        """The newest that the engine has said."""
        return self._said.info()

    async def stop(self) -> None:
        """Asks the engine to end its thought. It has as long as for any answer, its ``patience``."""
        if not self._reader.done():
            await self._engine._send("stop")
            self._within(self._engine._patience)

    async def wait(self) -> Info:
        """The last that the engine says, when it has ended its thought: without a limit it does so after ``stop``."""
        await asyncio.shield(self._reader)
        return self.info

    def _within(self, seconds: float) -> None:
        """Gives the engine so many seconds to end its thought."""
        if self._deadline:
            self._deadline.cancel()
        self._deadline = asyncio.get_running_loop().call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        if not self._reader.done():
            self._silence = self._engine._fault("silent", "the engine did not say bestmove in time")
            # The reader then sees its end.
            self._engine._kill()

    async def _read(self) -> None:
        lines = 0
        try:
            while not self._said.ends_with(await self._engine._line()):
                lines += 1
                if self._said.new:
                    self._said.new, self._fresh, lines = False, True, 0
                    self._news.set()
                elif lines > MOST_LINES:
                    raise self._engine._fault("babble", "the engine writes on and on, and nothing that is known")
        except EngineError as error:
            raise self._silence or error from None


class _Question(NamedTuple):
    """A game as the lines that ask an engine about it."""

    game: Game
    position: str
    go: str
    #: Whether the thought ends by itself, and the most seconds that it lasts.
    limited: bool
    seconds: float


def _question(
    game: Union[Game, Position], time: Optional[float], steps: Optional[int], depth: Optional[int], mate_in: Optional[int]
) -> _Question:
    if isinstance(game, Position):
        game = Game(game)
    limits = [("movetime", None if time is None else max(1, round(time * 1000))), ("nodes", steps), ("depth", depth), ("mate", mate_in)]
    words = [f"{name} {int(value)}" for name, value in limits if value is not None]
    if time is not None:
        seconds = time
    else:
        seconds = LONGEST_THOUGHT if steps or depth or mate_in else 0.0
    return _Question(game, str(game.write("5duci")).strip(), " ".join(["go"] + words), bool(words), seconds)


class _Said:
    """What an engine says while it thinks, line by line."""

    def __init__(self, position: Position) -> None:
        self.answer: Optional[str] = None
        #: Whether the last line told something of the game.
        self.new = False
        self._position = position
        self._numbers: dict[str, Any] = {}
        self._strings: deque[str] = deque(maxlen=MOST_STRINGS)
        self._line: tuple[str, ...] = ()

    def ends_with(self, line: str) -> bool:
        """Takes a line, and tells whether it is the answer."""
        if line.startswith("info string"):
            self._strings.append(line[len("info string") :].strip())
        elif line.startswith("info "):
            said, _, expected = line.partition(" pv ")
            self._numbers.update(_info(said))
            self._line = tuple(expected.split()) or self._line
            self.new = True
        elif line == "nobestmove" or line.startswith("bestmove "):
            self.answer = None if line == "nobestmove" else line[len("bestmove ") :]
            return True
        return False

    def info(self) -> Info:
        said = self._numbers
        line = _line(self._position, self._line)
        return Info(said.get("depth"), said.get("nodes"), said.get("cp"), said.get("mate"), tuple(self._strings), line)


def _line(position: Position, words: Sequence[str]) -> tuple[Action, ...]:
    """The actions of an expected line, as far as they are legal."""
    actions: list[Action] = []
    partial = position.begin()
    for word in words:
        try:
            if word != "submit":
                partial.push(uci_move(partial, word))
                continue
            action = partial.submit()
            actions.append(action)
            position = position.play(action)
            partial = position.begin()
        except WorldlinesError:
            break
    return tuple(actions)


def _under_way(game: Game, moves: Sequence[Move]) -> str:
    """The moves of an action under way, as the end of a line `position`."""
    if not moves:
        return ""
    texts = " ".join(uci_text(move) for move in moves)
    return f" {texts}" if game.actions else f" moves {texts}"


def _info(line: str) -> dict[str, Any]:
    """The numbers of a line `info`. What is not understood means nothing."""
    found: dict[str, Any] = {}
    words = line.split()
    for name, value in zip(words, words[1:]):
        if name in ("depth", "nodes", "cp", "mate"):
            with contextlib.suppress(ValueError):
                number = int(value)
                if name in ("cp", "mate"):
                    found.pop("cp", None)
                    found.pop("mate", None)
                found[name] = number / 100 if name == "cp" else number
    return found


class SimpleEngine:
    """An engine without asyncio. Use it with ``with``, or close it."""

    def __init__(self, command: Union[str, Sequence[str]], *, patience: float = PATIENCE) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="worldlines engine", daemon=True)
        self._thread.start()
        self._pid = os.getpid()
        try:
            self._engine = self._run(Engine.start(command, patience=patience))
        except BaseException:
            self._stop()
            raise

    def _run(self, work: Coroutine[Any, Any, _T]) -> _T:
        if self._loop.is_closed() or self._pid != os.getpid():
            work.close()
            raise EngineError("closed", "this engine was closed, or belongs to another process")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _stop(self) -> None:
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5.0)
        if not self._thread.is_alive():
            self._loop.close()

    @property
    def introduction(self) -> tuple[str, ...]:
        """Who the engine says it is."""
        return self._engine.introduction

    def configure(self, options: Mapping[str, Union[str, int, bool]]) -> None:
        """Sets options, such as ``{"Seed": 5}``."""
        self._run(self._engine.configure(options))

    def new_game(self) -> None:
        """Tells the engine that another game begins."""
        self._run(self._engine.new_game())

    def ping(self) -> None:
        """Waits until the engine is ready."""
        self._run(self._engine.ping())

    def play(
        self,
        game: Union[Game, Position],
        *,
        time: Optional[float] = None,
        steps: Optional[int] = None,
        depth: Optional[int] = None,
        mate_in: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> PlayResult:
        """The action that the engine plays: see ``Engine.play``."""
        return self._run(self._engine.play(game, time=time, steps=steps, depth=depth, mate_in=mate_in, timeout=timeout))

    def analysis(
        self,
        game: Union[Game, Position],
        *,
        time: Optional[float] = None,
        steps: Optional[int] = None,
        depth: Optional[int] = None,
        mate_in: Optional[int] = None,
    ) -> SimpleAnalysis:
        """What the engine says while it thinks: see ``Engine.analysis``. Use it with ``with``, and loop over it."""
        return SimpleAnalysis(self, _question(game, time, steps, depth, mate_in))

    def close(self) -> None:
        """Ends the engine."""
        if self._loop.is_closed() or self._pid != os.getpid():
            return
        try:
            self._run(self._engine.close())
        finally:
            self._stop()

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SimpleAnalysis:
    """A thought of an engine while it lasts, without asyncio. Make it with ``SimpleEngine.analysis``, and use it with ``with``."""

    def __init__(self, engine: SimpleEngine, question: _Question) -> None:
        self._engine = engine
        self._analysis = Analysis(engine._engine, question)

    def __enter__(self) -> SimpleAnalysis:
        self._engine._run(self._analysis.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        self._engine._run(self._analysis.__aexit__())

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        info = self._engine._run(self._next())
        if info is None:
            raise StopIteration
        return info

    async def _next(self) -> Optional[Info]:
        try:
            return await self._analysis.__anext__()
        except StopAsyncIteration:
            return None

    @property
    def info(self) -> Info:
        """The newest that the engine has said."""
        return self._analysis.info

    def stop(self) -> None:
        """Asks the engine to end its thought."""
        self._engine._run(self._analysis.stop())

    def wait(self) -> Info:
        """The last that the engine says, when it has ended its thought."""
        return self._engine._run(self._analysis.wait())

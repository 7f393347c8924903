"""Engines that speak 5DUCI, after the manner of ``chess.engine``: with asyncio, or without.

The protocol is written down in ``spec/engine-protocol.md`` of the repository. An engine is a program that is not trusted: every answer has a
deadline, what it says is checked against the rules, and it is killed when it is closed.

Without asyncio::

    with worldlines.engine.SimpleEngine(["worldlines", "engine"]) as engine:
        print(engine.play(worldlines.Game(), time=0.5).action)

With asyncio::

    engine = await worldlines.engine.Engine.start(["worldlines", "engine"])
    try:
        print((await engine.play(worldlines.Game(), time=0.5)).action)
    finally:
        await engine.close()
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import threading
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, NamedTuple, Optional, TypeVar, Union

from ._core import Action, Game, Move, Position, uci_move, uci_text
from ._errors import WorldlinesError

__all__ = ["Engine", "EngineError", "Info", "PlayResult", "SimpleEngine"]

#: Seconds that an engine has for an answer that needs no thought, and beyond the time that it may think.
PATIENCE = 10.0
#: Seconds that an engine may think where only steps, depth or a mate limit it.
LONGEST_THOUGHT = 3600.0
#: The longest line that is read of an engine, in bytes, and the most lines before an answer.
LONGEST_LINE = 1 << 20
MOST_LINES = 100_000

_T = TypeVar("_T")


class EngineError(WorldlinesError):
    """An engine ended, was silent for too long, or said something that is not allowed. ``code`` tells which."""


class Info(NamedTuple):
    """The last that an engine said while it thought. Fields that it did not name are None."""

    depth: Optional[int]
    steps: Optional[int]
    score: Optional[float]
    mate: Optional[int]
    strings: tuple[str, ...]


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
        if isinstance(game, Position):
            game = Game(game)
        written = game.write("5duci")
        position = str(written).strip()
        limits = [("movetime", None if time is None else max(1, round(time * 1000))), ("nodes", steps), ("depth", depth), ("mate", mate_in)]
        go = " ".join(["go"] + [f"{name} {int(value)}" for name, value in limits if value is not None])
        patience = self._patience + (time or 0.0)
        if time is None and (steps or depth or mate_in):
            patience = LONGEST_THOUGHT
        if timeout is not None:
            patience = timeout
        partial = game.position.begin()
        first: Optional[Info] = None
        async with self._lock:
            while True:
                await self._send(position + _under_way(game, partial.moves))
                await self._send(go)
                answer, info = await self._answer(patience)
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

    async def _answer(self, patience: float) -> tuple[Optional[str], Info]:
        """The words after ``bestmove``, or None after ``nobestmove``."""

        async def read() -> tuple[Optional[str], Info]:
            said: dict[str, Any] = {}
            strings: list[str] = []
            for _ in range(MOST_LINES):
                line = await self._line()
                if line.startswith("info string"):
                    strings.append(line[len("info string") :].strip())
                elif line.startswith("info "):
                    said.update(_info(line))
                elif line == "nobestmove" or line.startswith("bestmove "):
                    info = Info(said.get("depth"), said.get("nodes"), said.get("cp"), said.get("mate"), tuple(strings))
                    return (None if line == "nobestmove" else line[len("bestmove ") :]), info
            raise self._fault("babble", "the engine writes on and on, and no bestmove")

        return await self._within(read(), patience, "bestmove")


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
        if name == "pv":
            break
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


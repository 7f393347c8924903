"""Anything is thrown into anything: exceptions, but no crash, no hang, and no panic of Rust."""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import worldlines
from worldlines import Action, Game, Move, Note, PartialAction, Position, Variation, _core, learn

needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers that send signals")

#: A position with more legal actions than anybody can list.
CROWDED = "".join(f"[7k/8/8/8/8/8/8/QR2K3:{line}:1:w]" for line in range(-6, 7))


class Stop(Exception):
    """The time of a call is over."""


@pytest.fixture
def impatient() -> Iterator[Callable[[float], None]]:
    """A function that sets the time after which `Stop` is raised."""

    def stop(*_: object) -> None:
        raise Stop

    before = signal.signal(signal.SIGALRM, stop)
    yield lambda seconds: (signal.setitimer(signal.ITIMER_REAL, seconds), None)[1]
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


class Odd:
    """An object whose every use fails."""

    def __len__(self) -> int:
        raise ZeroDivisionError

    def __iter__(self) -> Iterator[int]:
        raise ZeroDivisionError

    def __index__(self) -> int:
        raise ZeroDivisionError

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    def __hash__(self) -> int:
        raise ZeroDivisionError


def values() -> list[Any]:
    game = Game.parse("1. Nf3 / Nf6 2. N>>f5 {c} (2. e4 {d})")
    return [
        None, True, 0, 1, -1, 2, 3, 20, 2**15, 2**31, 2**63, 2**64 - 1, 2**64, -(2**70), 0.0, -1.5, float("inf"), float("nan"), 1e300,
        "", "e4", "(0T1w)e2e4", "(0T1)", "(-0T99999w)", "5dpgn", "raw", "chess64-binary", "é𝄞\x00\ud800", "1. e3 / f6", "[k2/3/K2:0:1:w]", "x" * 100_000,
        "(" * 50_000, "schema: worldlines/puzzle-1\nid: x", "default", "Q,N", b"", b"\xff\x00", b"1. e4", bytearray(b"1. e4"), [], [1], [Move("(0T1w)e2e4")] * 3,
        [Position()], [Position(), None], (), (0, 1, "white"), (0, 2**15 - 1, "black"), (-(2**15), -(2**15), "white"), ((0, 1, "white"), 3, 3), {}, {"a": 1}, object(), Odd(), Ellipsis,
        Position, Position(), Position(CROWDED), game, game.actions[2], game.actions[2][0], game.position.begin(), game.position.legal_actions(), game.position.analysis(steps=10_000),
        worldlines.puzzle("one-knight-four-mates"), Action([]), Note(("!",), ("x",)), {0: Note(variations=(Variation(tuple(game.actions), {}, None),))}, ["Nf3", "Nf6"],
    ]  # fmt: skip


def targets() -> list[tuple[str, Any]]:
    """Every function, class and method of the package, with a fresh object for each method."""
    found: list[tuple[str, Any]] = [(name, getattr(_core, name)) for name in dir(_core) if not name.startswith("__")]
    found += [(name, getattr(learn, name)) for name in ("planes", "moves", "masks", "playouts")]
    for value in values():
        if type(value).__module__ == "worldlines":
            for name in dir(value):
                if name not in ("__class__", "__init_subclass__", "__subclasshook__", "__getattribute__", "__setattr__", "__delattr__", "__dir__", "__sizeof__"):
                    found.append((f"{type(value).__name__}.{name}", value))
    return found


@needs_timer
@pytest.mark.parametrize("seed", range(8))
def test_anything_into_anything(seed: int, impatient: Callable[[float], None]) -> None:
    rng = random.Random(seed)
    calls = 0
    names = ["notation", "start", "steps", "time", "memory", "limit", "cap", "all", "seed", "depth", "action", "columns", "certificates", "rules", "notes", "comment", "judgement", "longest", "thinking", "jobs"]
    for name, target in targets():
        for _ in range(12):
            pool = values()
            arguments = [rng.choice(pool) for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3]))]
            keywords = {rng.choice(names): rng.choice(pool)} if rng.random() < 0.3 else {}
            try:
                impatient(0.2)
                function = getattr(target, name.split(".")[1]) if "." in name else target
                if callable(function):
                    function(*arguments, **keywords)
            except Exception:
                pass  # A panic would be no Exception.
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            calls += 1
    assert calls > 1_000
    # Everything still works.
    assert Position().count_actions().number == 20


@needs_timer
def test_a_signal_ends_every_long_call(impatient: Callable[[float], None]) -> None:
    crowded, standard = Position(CROWDED), Position()
    endless: list[Callable[[], Any]] = [
        lambda: standard.solve(6, steps=2**60, evidence=2**60),
        lambda: standard.explain(6, steps=2**60),
        lambda: standard.surviving_actions(5, steps=2**60),
        lambda: standard.certify(6, steps=2**60),
        lambda: standard.solve(6, steps=2**60, evidence=2**60, jobs=2),
        lambda: standard.think(depth=50),
        lambda: standard.analysis().wait(),
        lambda: list(standard.analysis()),
        lambda: Game.parse("1. e3 / f6 2. Qe2 / Nc6").review(longest=6, steps=2**60, thinking=2**60),
        lambda: sum(1 for _ in crowded.legal_actions()),
        lambda: learn.playouts([standard], count=2**24),
        lambda: learn.moves([crowded] * 1_000),
    ]
    for call in endless:
        begun = time.monotonic()
        impatient(0.3)
        with pytest.raises(Stop):
            call()
        assert time.monotonic() - begun < 3.0


@needs_timer
def test_a_list_that_was_interrupted_says_so(impatient: Callable[[float], None]) -> None:
    listed = Position(CROWDED).legal_actions()
    impatient(0.3)
    count = 0
    with pytest.raises(Stop):
        for _ in listed:
            count += 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert count > 0
    # The signal may have come between two questions to the list: then it goes on.
    try:
        next(listed)
    except worldlines.InterruptedListError as error:
        assert error.code == "interrupted"
        with pytest.raises(worldlines.InterruptedListError):
            next(listed)


def test_a_deadline_ends_a_call() -> None:
    begun = time.monotonic()
    assert Position().solve(6, steps=2**60, time=0.2).undecided == "time"
    with pytest.raises(worldlines.UndecidedError) as caught:
        for _ in Position(CROWDED).legal_actions(time=0.2):
            pass
    assert caught.value.code == "time" and time.monotonic() - begun < 5.0
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            Position().solve(1, time=wrong)


def test_the_lock_is_released() -> None:
    """While one thread proves, another one runs."""
    ended = threading.Event()

    def prove() -> None:
        Position().solve(6, steps=2**60, time=0.5)
        ended.set()

    thread = threading.Thread(target=prove)
    thread.start()
    turns = 0
    while not ended.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 20


def test_threads_share_objects() -> None:
    position, game, partial, listed = Position(), Game(), Position().begin(), Position(CROWDED).legal_actions()
    analysis = position.analysis(time=1.0)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        rng = random.Random(seed)
        calls: list[Callable[[], Any]] = [
            lambda: position.status(),
            lambda: game.push(rng.choice(["e3", "f6", "Nf3", "Nc6"])),
            lambda: game.pop(),
            lambda: game.copy(),
            lambda: str(game),
            lambda: partial.push("e4"),
            lambda: partial.pop(),
            lambda: partial.legal_moves(),
            lambda: [action for _, action in zip(range(3_000), listed)],
            lambda: position.solve(1),
            lambda: game == game.copy(),
            lambda: next(analysis),
            lambda: analysis.info,
            lambda: analysis.done,
        ]
        try:
            for _ in range(150):
                try:
                    rng.choice(calls)()
                except (worldlines.WorldlinesError, IndexError, RuntimeError, StopIteration):
                    pass
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failures and not any(thread.is_alive() for thread in threads)
    analysis.stop()
    assert analysis.wait().action is not None
    assert Game(game.start).start == game.start and game.positions()[-1] == game.position


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_goes_on() -> None:
    program = """
        import os, worldlines
        position = worldlines.Position("[4/3k/KR1R/3r:0:1:w]")
        listed = worldlines.Position.variant("Standard - Two Timelines").legal_actions()
        next(listed)
        analysis = worldlines.Position().analysis()
        next(analysis)
        assert position.solve(2).verdict == "proven"
        child = os.fork()
        assert position.solve(2, all=True).verdict == "proven" and len(list(listed)) == 483
        if child == 0:
            for call in (analysis.wait, lambda: next(analysis), lambda: analysis.info, lambda: analysis.done):
                try:
                    call()
                except RuntimeError as error:
                    assert "another process" in str(error)
                else:
                    os._exit(1)
            os._exit(0)
        analysis.stop()
        assert analysis.wait().action is not None
        _, status = os.waitpid(child, 0)
        assert status == 0
        """
    subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)], check=True, timeout=60)


def memory() -> int:
    """The bytes of memory of this process."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux")
def test_many_calls_leave_no_memory_behind() -> None:
    def round_of_calls() -> None:
        game = Game.parse("1. e3 / f6 2. Qe2 / Nc6")
        position = game.position
        assert len(list(position.legal_actions())) == 36
        next(Position(CROWDED).legal_actions())
        position.solve(1, all=True)
        position.explain(1)
        game.push("Qh5")
        game.position.why()
        for call in (repr, str, hash):
            call(position)
        position.svg()
        game.write("raw")
        game.copy()
        learn.planes([position])
        learn.masks([position])
        learn.playouts([position], count=2, max_actions=5)
        for wrong in ("1. e9", "e4", ""):
            try:
                Game.parse(wrong, "5dpgn")
                position.play(wrong)
            except worldlines.WorldlinesError:
                pass
        partial = position.begin()
        partial.push("Qh5")
        partial.submit()

    for _ in range(150):
        round_of_calls()
    gc.collect()
    before = memory()
    for _ in range(600):
        round_of_calls()
    gc.collect()
    grown = memory() - before
    assert grown < 12 << 20, f"{grown >> 20} MiB"


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux")
def test_an_analysis_that_is_left_ends() -> None:
    before = len(os.listdir("/proc/self/task"))
    for seconds in [None, 60.0] * 10:
        next(Position().analysis(time=seconds))
    for _ in range(200):
        if len(os.listdir("/proc/self/task")) <= before:
            return
        time.sleep(0.05)
    pytest.fail("threads go on")


def test_iterators_that_are_left_give_their_memory_back() -> None:
    for _ in range(2_000):
        listed = Position(CROWDED).legal_actions()
        next(listed)
    assert PartialAction(Position()).moves == ()

"""The client of engines: the real engine, and engines that misbehave."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Optional

import pytest
import worldlines
from worldlines import Game, Position
from worldlines.engine import Engine, EngineError, SimpleEngine

MATE_IN_ONE = "1. e3 / f6 2. Qe2 / Nc6"


def fake(tmp_path: Path, body: str) -> list[str]:
    """The command of an engine that says hello and then does this."""
    path = tmp_path / "engine.py"
    path.write_text(
        "import sys, time\n"
        "def say(*words): print(*words, flush=True)\n"
        "for line in sys.stdin:\n"
        "    line = line.strip()\n"
        "    if line == '5duci': say('info string fake 1'); say('5duciok')\n"
        "    elif line == 'isready': say('readyok')\n"
        "    elif line == 'quit': break\n" + textwrap.indent(textwrap.dedent(body), "    "),
        encoding="utf-8",
    )
    return [sys.executable, "-u", str(path)]


def test_the_engine_mates(command: str) -> None:
    with SimpleEngine([command, "engine"]) as engine:
        assert any("Worldlines" in line for line in engine.introduction)
        engine.configure({"Seed": 5, "Memory": 16})
        engine.new_game()
        result = engine.play(Game.parse(MATE_IN_ONE), steps=20_000)
        assert str(result.action) == "(0T3w)e2h5" and result.info.mate == 1 and result.info.depth == 1
        mated = Game.parse(MATE_IN_ONE + " 3. Qh5")
        assert engine.play(mated, steps=1_000).action is None
        with pytest.raises(EngineError, match="no option") as caught:
            engine.configure({"Colour": "red"})
        assert caught.value.code == "wrong-option"
        assert engine.play(Position(), time=0.05).action is not None
    with pytest.raises(EngineError, match="closed"):
        engine.ping()
    engine.close()


@pytest.mark.parametrize("whole", [False, True])
def test_an_action_of_many_moves(command: str, whole: bool) -> None:
    start = Position.variant("Standard - Two Timelines")
    with SimpleEngine([command, "engine"]) as engine:
        engine.configure({"WholeAction": whole})
        game = Game(start)
        for _ in range(4):
            action = engine.play(game, steps=500).action
            assert action is not None and len(action) >= 1
            game.push(action)
        assert len(game) == 4


def test_with_asyncio(command: str) -> None:
    async def two_at_once() -> None:
        async with await Engine.start(f'"{command}" engine') as one, await Engine.start([command, "engine"]) as other:
            results = await asyncio.gather(one.play(Position(), steps=3_000), other.play(Position(), steps=3_000), one.play(Position(), steps=10))
            assert results[0].action == results[1].action is not None and results[2].action is not None
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(one.play(Position(), depth=60), 0.2)
            with pytest.raises(EngineError):
                await one.ping()
            await other.ping()

    asyncio.run(two_at_once())


def test_an_analysis_goes_on_until_it_is_stopped(command: str) -> None:
    game = Game.parse("1. e4 / e5")
    with SimpleEngine([command, "engine"]) as engine:
        with engine.analysis(game) as analysis:
            depths = []
            for info in analysis:
                depths.append(info.depth or 0)
                if depths[-1] >= 2:
                    break
            assert depths == sorted(set(depths)) and analysis.info.line and game.position.is_legal(analysis.info.line[0])
            analysis.stop()
            assert (analysis.wait().depth or 0) >= 2
        # The engine is free again, and a limit ends a thought by itself.
        with engine.analysis(game, depth=2) as analysis:
            assert [info.depth for info in analysis][-1] == 2
        with engine.analysis(Game.parse(MATE_IN_ONE), mate_in=1) as analysis:
            assert analysis.wait().mate == 1 and [str(action) for action in analysis.info.line] == ["(0T3w)e2h5"]
        with engine.analysis(game):
            pass
        assert engine.play(game, steps=1_000).action is not None


def test_an_analysis_with_asyncio(command: str) -> None:
    async def watched() -> None:
        async with await Engine.start([command, "engine"]) as engine:
            async with engine.analysis(Game()) as analysis:
                async for info in analysis:
                    assert info.score is not None or info.mate is not None
                    break
                # Another question waits for its turn.
                other = asyncio.ensure_future(engine.play(Game(), steps=100))
                await asyncio.sleep(0.05)
                assert not other.done()
            assert (await other).action is not None
            # Who gives up in the middle of a block leaves an engine that answers.
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(_forever(engine), 0.2)
            await engine.ping()

    async def _forever(engine: Engine) -> None:
        async with engine.analysis(Game()) as analysis:
            async for _ in analysis:
                pass

    asyncio.run(watched())


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("elif line.startswith('go'): break", "ended"),
        ("elif line.startswith('go'): say('info depth 1')", "silent"),
        ("elif line.startswith('go'):\n    for _ in range(200_000): say('hm')", "babble"),
    ],
)
def test_an_analysis_of_an_engine_that_misbehaves(tmp_path: Path, body: str, code: str) -> None:
    with SimpleEngine(fake(tmp_path, body), patience=1.0) as engine:
        with pytest.raises(EngineError) as caught, engine.analysis(Game(), time=0.1) as analysis:
            for _ in analysis:
                pass
        assert caught.value.code == code
        with pytest.raises(EngineError, match="failed before"), engine.analysis(Game()):
            pass
    # An expected line is believed as far as it is legal.
    said = "(0T1)e2(0T1)e4 submit (0T1)e7(0T1)e1 submit"
    with SimpleEngine(fake(tmp_path, f"elif line.startswith('go'): say('info depth 1 pv {said}'); say('nobestmove')")) as engine:
        with engine.analysis(Game()) as analysis:
            assert [str(action) for action in analysis.wait().line] == ["(0T1w)e2e4"]


def test_the_engine_in_process_and_as_a_program_agree(command: str) -> None:
    position = Game.parse("1. e4 / e5").position
    with SimpleEngine([command, "engine"]) as engine:
        assert engine.play(position, steps=5_000).action == position.think(steps=5_000).action


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("elif line.startswith('go'): say('bestmove (0T1)e2(0T1)e5')", "illegal-move"),
        ("elif line.startswith('go'): say('bestmove nonsense \\u2603')", "illegal-move"),
        ("elif line.startswith('go'): say('bestmove submit')", "illegal-action"),
        ("elif line.startswith('go'): break", "ended"),
        ("elif line.startswith('go'): time.sleep(60)", "silent"),
        ("elif line.startswith('go'): say('x' * 3_000_000)", "long-line"),
        ("elif line.startswith('go'):\n    for _ in range(200_000): say('info depth 1')", "babble"),
        ("elif line.startswith('go'): say('bestmove (0T1)e2(0T1)e4 submit (0T1)e7(0T1)e5')", None),
    ],
)
def test_engines_that_misbehave(tmp_path: Path, body: str, code: Optional[str]) -> None:
    begun = time.monotonic()
    with SimpleEngine(fake(tmp_path, body), patience=3.0) as engine:
        assert engine.introduction == ("info string fake 1",)
        if code is None:
            assert str(engine.play(Game(), time=0.1).action) == "(0T1w)e2e4"
            return
        with pytest.raises(EngineError) as caught:
            engine.play(Game(), time=0.1)
        assert caught.value.code == code
        with pytest.raises(EngineError, match="failed before"):
            engine.ping()
    assert time.monotonic() - begun < 30


def test_a_thought_has_a_deadline(command: str) -> None:
    with SimpleEngine([command, "engine"]) as engine:
        with pytest.raises(EngineError) as caught:
            engine.play(Game(), depth=60, timeout=0.3)
        assert caught.value.code == "silent"


def test_what_is_no_engine() -> None:
    for wrong, code in (([], "no-command"), (["/does/not/exist"], "not-started"), ([sys.executable, "-c", "pass"], "ended")):
        with pytest.raises(EngineError) as caught:
            SimpleEngine(wrong)
        assert caught.value.code == code and isinstance(caught.value, worldlines.WorldlinesError)
    with pytest.raises(EngineError) as caught:
        SimpleEngine([sys.executable, "-c", "import time; time.sleep(60)"], patience=0.3)
    assert caught.value.code == "silent"


@pytest.mark.skipif(os.name != "posix", reason="needs process groups")
def test_nothing_of_an_engine_survives(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    body = f"""
    elif line.startswith('go'):
        import subprocess
        child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])
        open({str(note)!r}, 'w').write(str(child.pid))
        time.sleep(60)
    """
    with SimpleEngine(fake(tmp_path, body), patience=2.0) as engine:
        with pytest.raises(EngineError):
            engine.play(Game(), time=0.1)
    state = "?"
    for _ in range(50):
        state = subprocess.run(["ps", "-o", "stat=", "-p", note.read_text()], capture_output=True, text=True, check=False).stdout.strip()
        if state[:1] in ("", "Z"):
            return
        time.sleep(0.1)
    pytest.fail(f"it is still there: {state}")

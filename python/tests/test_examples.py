"""The examples run, and say what they should."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from worldlines import Game

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(name: str, *words: str) -> str:
    ended = subprocess.run([sys.executable, str(EXAMPLES / name), *words], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_games_are_reviewed(tmp_path: Path) -> None:
    output = tmp_path / "annotated.5dpgn"
    told = run("review_games.py", "-o", str(output))
    assert "T3w (0T3)Ng1f3: misses mate in 1 by (0T3)Qe2h5" in told and "T2b (0T2)Nb8c6: allows mate in 1" in told
    annotated = Game.parse(output.read_bytes())
    assert str(annotated.notes[4].variations[-1].actions[0]) == "(0T3w)e2h5"
    assert f"{len(annotated)} actions" in run("review_games.py", str(output), "--longest", "1")


def test_a_puzzle_is_solved() -> None:
    told = run("solve_puzzle.py")
    assert "proven: (0T1)c2c3" in told and "the judge says: correct" in told and told.count(" / ") >= 6
    assert "verified: pass" in run("solve_puzzle.py", "fools-mate-is-none")


def test_bots_play(command: str) -> None:
    assert "the engine has 2.0 of 2" in run("bot_match.py")
    assert "of 1" in run("bot_match.py", "--games", "1", "--most", "6", "--engine", f'"{command}" engine')


def test_an_evaluator_is_trained() -> None:
    pytest.importorskip("numpy")
    told = run("train_evaluator.py", "--games", "1000")
    error, without = (float(word.split()[-1]) for word in told.strip().splitlines()[-1].replace("mean error", "").split(";"))
    assert error < without, told
    assert told == run("train_evaluator.py", "--games", "1000"), "the same seed gives the same evaluator"


def test_a_game_is_drawn(tmp_path: Path) -> None:
    output = tmp_path / "evaluation.svg"
    assert "+10.00  (0T3)Qe2h5" in run("plot_game.py", "-o", str(output), "--steps", "2000")
    assert output.read_text(encoding="utf-8").startswith("<svg ")


def test_positions_are_served() -> None:
    server = subprocess.Popen([sys.executable, str(EXAMPLES / "serve_positions.py"), "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        root = server.stdout.readline().split("?")[0]

        def get(path: str, game: str) -> str:
            with urllib.request.urlopen(f"{root}{path}?game={urllib.parse.quote(game)}", timeout=20) as answer:
                return str(answer.read().decode())

        told = json.loads(get("json", "1. e3 / f6 2. Qe2 / Nc6"))
        assert told["best"] == "(0T3)Qe2h5" and len(told["actions"]) == 36 and told["status"] == "ongoing"
        assert get("", "1. e3").startswith("<svg ")
        with pytest.raises(urllib.error.HTTPError) as caught:
            get("json", "1. e9")
        assert caught.value.code == 400 and "text:1:5" in caught.value.read().decode()
    finally:
        server.terminate()
        server.wait(10)
        if server.stdout is not None:
            server.stdout.close()


def test_the_environment_plays() -> None:
    pytest.importorskip("numpy")
    told = run("environment.py", "--episodes", "2")
    assert told.count("reward") == 2 and told == run("environment.py", "--episodes", "2")

"""The same answers as the recorded figures and as the command `worldlines`."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import worldlines
from worldlines import Game, Position


def asked(command: str, *words: str) -> Any:
    """The JSON that the command prints; a finding or an undecided answer is an answer too."""
    ended = subprocess.run([command, *words, "--format", "json"], capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode in (0, 1, 3), ended.stderr
    return json.loads(ended.stdout)


def figures(path: Path) -> list[dict[str, Any]]:
    """The positions of a file of figures, as far as they are compared here."""
    positions: list[dict[str, Any]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := re.match(r"\s+- index: (\d+)$", line):
            positions.append({"index": int(found[1]), "actions": []})
        elif found := re.match(r"\s+(in_check|status|legal_actions|hash): (.*)$", line):
            positions[-1][found[1]] = json.loads(found[2]) if found[2][0] in '"tf0123456789' else found[2]
        elif found := re.match(r'\s+- "(\(.*)"$', line):
            positions[-1]["actions"].append(found[1])
    return positions


def test_the_figures_of_the_corpus(corpus: Path) -> None:
    compared = listed = 0
    for path in sorted((corpus / "games").glob("*.figures.yaml")):
        game = Game.parse((path.parent / path.name.replace(".figures.yaml", ".5dpgn")).read_bytes())
        positions = game.positions()
        for figure in figures(path):
            position = positions[figure["index"]]
            assert position.is_check() == figure["in_check"], path
            if "status" in figure:
                assert position.status() == figure["status"], path
            if isinstance(figure.get("legal_actions"), int):
                assert position.count_actions(figure["legal_actions"] + 1).number == figure["legal_actions"], path
            if "hash" in figure:
                assert position.md5() == figure["hash"], path
            if figure["actions"]:
                # There timelines have their labels, and the moves of an action stand in an order of their own.
                numbers = {timeline.label: timeline.number for timeline in position.timelines()}
                numbered = [re.sub(r"\(([-+]?\d+)T", lambda found: f"({numbers[found[1]]}T", text) for text in figure["actions"]]
                texts = (position.action_text(action, "5duci") for action in position.legal_actions())
                legal = {frozenset(text.split()) - {"submit"} for text in texts}
                written = {frozenset(text.split()) for text in numbered}
                assert written == legal if len(figure["actions"]) == figure["legal_actions"] else written <= legal, path
                listed += len(written)
            compared += 1
    assert compared > 100 and listed > 1_000, (compared, listed)


def test_counts_and_verdicts_are_those_of_the_command(corpus: Path, command: str) -> None:
    compared = 0
    for path in sorted((corpus / "games").glob("*.5dpgn"))[::4]:
        positions = Game.parse(path.read_bytes()).positions()
        rows = asked(command, "status", "--each", str(path))["positions"]
        counts = asked(command, "count", "--each", "--cap", "5000", str(path))["positions"]
        assert len(rows) == len(counts) == len(positions)
        for position, row, counted in zip(positions, rows, counts):
            assert position.status() == row["status"]
            count = position.count_actions(5_000)
            assert (count.number, count.capped) == (counted["legal_actions"], counted["capped"])
            compared += 1
    assert compared > 50


def test_conversions_are_those_of_the_command(corpus: Path, command: str, tmp_path: Path) -> None:
    converted = refused = 0
    for path in sorted((corpus / "games").glob("*.5dpgn"))[::4]:
        game = Game.parse(path.read_bytes())
        for info in worldlines.notations():
            ended = subprocess.run([command, "convert", "--to", info.name, str(path)], capture_output=True, timeout=60, check=False)
            try:
                written = game.write(info.name)
            except worldlines.WriteError:
                assert ended.returncode != 0, (path, info.name)
                refused += 1
                continue
            expected = written.text if isinstance(written.text, bytes) else written.text.encode()
            assert ended.stdout == expected, (path, info.name)
            lost = ended.stderr.decode().count("lost: ")
            assert lost == len(written.losses), (path, info.name, written.losses)
            converted += 1
    assert converted > 30 and refused > 10, (converted, refused)


def test_puzzles_are_verified_as_by_the_command(corpus: Path, command: str) -> None:
    folders = [corpus / "puzzles", corpus.parent / "puzzles" / "branch", corpus.parent / "puzzles" / "helpmates"]
    reported: dict[str, list[Any]] = {}
    for puzzle in (puzzle for folder in folders for puzzle in asked(command, "verify", str(folder))["puzzles"]):
        reported.setdefault(puzzle["file"], []).append(puzzle)
    answers = set()
    for path, expected in reported.items():
        puzzles = worldlines.load_puzzles(path)
        assert [puzzle.id for puzzle in puzzles] == [puzzle["id"] for puzzle in expected]
        for puzzle, told in zip(puzzles, expected):
            report = puzzle.verify()
            codes = [finding["code"] for finding in told["findings"]]
            if "repeated-id" in codes:
                continue  # That is about two files.
            assert report.answer == told["answer"] and [finding.code for finding in report.findings] == codes, path
            steps = [(step["step"], step["answer"], step["rests_on"], step["note"]) for step in told["steps"]]
            assert [tuple(step) for step in report.steps] == steps, path
            answers.add(report.answer)
    assert answers >= {"pass", "fail"} and len(reported) > 40


def test_solutions_are_those_of_the_command(corpus: Path, command: str) -> None:
    solved = 0
    for puzzle in worldlines.puzzles()[::23]:
        if puzzle.goal[0] != "mate-in":
            continue
        position = puzzle.position
        answer = asked(command, "solve", "--all", str(corpus.parent / puzzle.path))
        solution = position.solve(int(puzzle.goal[1]), all=True)
        assert solution.verdict == answer["verdict"] and solution.mate_in == answer["shortest"]
        assert [position.action_text(key) for key in solution.keys] == answer["keys"]
        solved += 1
    assert solved > 10


def test_actions_are_listed_in_the_order_of_the_command(corpus: Path, command: str) -> None:
    path = corpus / "games" / "standard-1.5dpgn"
    ended = subprocess.run([command, "actions", str(path)], capture_output=True, text=True, timeout=60, check=True)
    position = Position(path.read_bytes())
    assert [position.action_text(action) for action in position.legal_actions()] == ended.stdout.splitlines()

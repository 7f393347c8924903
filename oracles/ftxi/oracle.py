#!/usr/bin/env python3
"""Answers the questions of `worldlines diff` with 5dtools of ftxi/5dchess_engine.

Usage: oracle.py PATH_OF_5DTOOLS

The protocol is in spec/oracle-protocol.md. 5dtools reads a game as 5DPGN on its standard input and prints text, so every
question starts it a few times. It says nothing about unmoved pieces, and its `checkmate` tells checkmate and stalemate apart.
"""

import json
import re
import subprocess
import sys

TOOL = sys.argv[1] if len(sys.argv) > 1 else "5dtools"

MANIFEST = {
    "name": "ftxi/5dchess_engine",
    "features": ["status", "actions", "legal_actions"],
    "statuses": ["ongoing", "checkmate", "stalemate"],
    "marks": False,
}

# A move as `5dtools all` prints it, such as (0T2)Ng1>>(0T1)g3 or (0T1)a7a8=Q.
PLACE = r"\(([+-]?\d+)T(\d+)\)"
MOVE = re.compile(PLACE + r"([A-Z]?)([a-h]\d)(?:>>?x?" + PLACE + r"|x)?([a-h]\d)(?:=([A-Z]))?$")
BOARD = re.compile(r"L(-?\d+)T(\d+)([wb])\s+aka\.\(([+-]?\d+)T\d+\)")


class Refused(Exception):
    """5dtools does not take a game."""


def tool(game, *arguments, seconds):
    """What 5dtools prints about a game."""
    done = subprocess.run(
        [TOOL, *arguments], input=game, capture_output=True, text=True, errors="replace", timeout=seconds
    )
    if done.returncode < 0:
        # A crash here is a crash of the oracle.
        sys.stderr.write(f"5dtools {arguments[0]} was killed by signal {-done.returncode}\n")
        sys.exit(1)
    if done.returncode:
        raise Refused(done.stderr.strip() or f"5dtools {arguments[0]} ends with {done.returncode}")
    return done.stdout


def text_of(start, game):
    """A game of these boards in the 5DPGN that 5dtools reads."""
    parity = "Even" if start["parity"] == "even" else "Odd"
    lines = [f'[Board "Custom - {parity}"]', f'[Size "{start["size"]}"]', '[Mode "5D"]', *start["boards"], ""]
    moves = [line for line in game.splitlines() if line[:1].isdigit()]
    # It refuses the mark of a capture where a pawn is taken en passant, and needs it nowhere.
    return "\n".join(lines + [line.replace("x", "") for line in moves]) + "\n"


def boards(printed, size):
    """The boards that `5dtools print` shows, as 5DFEN without marks. It shows smaller boards in a corner of 8x8."""
    width, height = map(int, size.split("x"))
    shown, label, rows = [], None, []

    def finish():
        if label:
            cut = [re.sub(r"\.+", lambda empty: str(len(empty[0])), row[:width]) for row in rows[-height:]]
            shown.append("[" + "/".join(cut) + f":{label[0]}:{label[1]}:{label[2]}]")

    for line in printed.splitlines():
        board = BOARD.match(line)
        if board:
            finish()
            label, rows = (board[4], board[2], board[3]), []
        elif label:
            rows.append("".join(line.split()))
    finish()
    return shown


def move(word):
    """A move of 5dtools in the words of the protocol."""
    found = MOVE.match(word)
    if not found:
        raise ValueError(f"5dtools prints the move {word}")
    line, turn, _, square, to_line, to_turn, to_square, becomes = found.groups()
    to_line, to_turn = (to_line, to_turn) if to_line else (line, turn)
    return f"({line}T{turn}){square}({to_line}T{to_turn}){to_square}{becomes or ''}"


def with_promotion(words, start, shown):
    """Adds the queen that 5dtools leaves out where a pawn arrives on its last rank."""
    height = int(start["size"].split("x")[1])
    pieces = {}
    for text in shown:
        rows, line, turn, colour = text[1:-1].split(":")
        pieces[(line, turn, colour)] = [
            re.sub(r"\d+", lambda empty: "." * int(empty[0]), row) for row in reversed(rows.split("/"))
        ]
    colour = start["turn"]
    result = []
    for word in words:
        line, turn, file, rank, to_rank = re.match(r"\(([^T]+)T(\d+)\)(.)(\d)\([^)]*\).(\d)", word).groups()
        piece = pieces[(line, turn, colour)][int(rank) - 1]["abcdefgh".index(file)]
        last = height if colour == "w" else 1
        is_pawn = piece in "PWpw"
        result.append(word + "Q" if is_pawn and int(to_rank) == last and word[-1].isdigit() else word)
    return result


def position(question):
    seconds = max(question["milliseconds"] / 1000, 0.1)
    start, cap = question["start"], question["cap"]
    game = text_of(start, question["game"])
    try:
        printed = tool(game, "print", seconds=seconds)
    except Refused as refused:
        return {"refused": {"action": len(question["actions"]) - 1, "message": str(refused)}} if question["actions"] else {
            "refused": {"message": str(refused)}
        }
    shown = boards(printed, start["size"])
    start["turn"] = "w" if "player=0" in printed else "b"
    lines = tool(game, "all", "balanced", str(cap + 1), seconds=seconds).splitlines()
    actions = [with_promotion([move(word) for word in line.split()], start, shown) for line in lines[:-1]]
    verdict = tool(game, "checkmate", seconds=seconds).strip().lower()
    status = verdict if verdict in ("checkmate", "stalemate") else "ongoing"
    exact = len(actions) <= cap
    actions = actions[:cap]
    return {
        "boards": shown,
        "status": status,
        "actions": actions,
        "legal_actions": {"count": len(actions), "exact": exact},
    }


ANSWERS = {"hello": lambda _: MANIFEST, "position": position}

for text in sys.stdin:
    asked = json.loads(text)
    answer = ANSWERS.get(asked["ask"], lambda _: {"not_asked": "an unknown question"})(asked)
    print(json.dumps({"id": asked.get("id"), **answer}), flush=True)

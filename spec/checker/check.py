#!/usr/bin/env python3
"""Check certificates of mates in 5D chess: the format `worldlines/certificate-1` of ../certificates.md.

A path is a certificate, or a folder: then every `certificates/*.yaml` below it. The exit code is 0 if all files are accepted, 1 if
one is refused, 3 if one is undecided because the budget ran out, 2 for a wrong command line. Names such as R-5.3 are rules of
../01-*.md to ../06-*.md. Python 3.10 and PyYAML are needed. Nothing is shared with the program that writes certificates.
"""

import argparse
import concurrent.futures
import copy
import glob
import itertools
import os
import re
import sys
from collections import namedtuple

import yaml


class Verdict(Exception):
    """A file is not accepted: ("refused", reason) or ("undecided", reason)."""


def need(holds, why):
    """Refuse the file unless this holds."""
    if not holds:
        raise Verdict("refused", why)


# ---- Pieces
# A piece is a text: a capital for White, a small letter for Black, "*" after it if it has not moved; "" is no piece.
# A board is a tuple of pieces, a1 first, rank by rank. A square is an index of it.
# A place (line, moment) names a board. A line is a timeline: an odd start has line 0 in the middle, an even start has the lines
# -1 and 0, which are called -0 and +0. Moments are half-turns: T1w is 2, T1b is 3, T2w is 4.
# Players are 0 for White and 1 for Black, so that the player to move on a board is its moment modulo 2.

RIDERS = {"R": [1], "B": [2], "U": [3], "D": [4], "S": [1, 2], "Q": [1, 2, 3, 4], "Y": [1, 2, 3, 4]}  # and how many axes change
# The steps with which each piece captures, as differences of files, ranks, lines and turns. Riders repeat a step.
CAPTURES = {(kind, player): [v for v in itertools.product((-1, 0, 1), repeat=4) if sum(map(abs, v)) in axes]
            for kind, axes in [*RIDERS.items(), *dict.fromkeys("KC", [1, 2, 3, 4]).items()] for player in (0, 1)}
for _player, _r, _l in ((0, 1, -1), (1, -1, 1)):  # Forward is up the ranks and down the lines for White.
    CAPTURES["N", _player] = [v for v in itertools.product(range(-2, 3), repeat=4) if sorted(map(abs, v)) == [0, 0, 1, 2]]
    CAPTURES["P", _player] = [(-1, _r, 0, 0), (1, _r, 0, 0), (0, 0, _l, -1), (0, 0, _l, 1)]
    CAPTURES["W", _player] = CAPTURES["P", _player] + [
        (-1, 0, _l, 0), (1, 0, _l, 0), (0, _r, _l, 0), (0, _r, 0, -1), (0, _r, 0, 1)]
# A move of one piece. The kind is "" for a physical move, ">" for a hop, ">>" for a branch. `letter` is what a pawn becomes, or "".
# An action is a list of moves. A threat is a move of the kind "x".
Move = namedtuple("Move", "at start kind target end letter")


def owner(piece):
    """The player of a piece."""
    return 0 if piece < "a" else 1


# ---- Positions and moves

class Game:
    """A position. It is never changed: `play` and `pass_turn` return another one."""

    def __init__(self, width, height, boards, even, rules, promotions, steps):
        self.width, self.height, self.even, self.rules, self.promotions = width, height, even, rules, promotions
        self.names = [file + str(rank + 1) for rank in range(height) for file in "abcdefgh"[:width]]  # Of the squares.
        self.steps, self.unused = [steps], set()  # The budget, and the rows that have matched nothing: all positions share them.
        self.boards, self.last = boards, dict(sorted(boards))  # The boards by place, and the moment at which each timeline ends.

    def spend(self, steps):
        """Count elementary looks, and give up after too many."""
        self.steps[0] -= steps
        if self.steps[0] < 0:
            raise Verdict("undecided", "more steps are needed than --steps allows")

    def ends(self, white=0, black=0):
        """When the active timelines end, once White and Black have made so many new ones, and the range of all active (R-4.2)."""
        self.spend(len(self.last))
        middle = -1 if self.even else 0
        active = range(middle - max(self.last) - white - 1, middle - min(self.last) + black + 2)
        return {line: moment for line, moment in self.last.items() if line in active}, active

    def present(self):
        """The moment of the present (R-4.4). The player to move is this modulo 2."""
        return min(self.ends()[0].values())

    def go(self, at, square, f, r, l, t):
        """The board and square at that distance, or None."""
        self.steps[0] -= 1
        x, y, place = square % self.width + f, square // self.width + r, (at[0] + l, at[1] + 2 * t)
        if 0 <= x < self.width and 0 <= y < self.height and place in self.boards and (place == at or "time-travel" in self.rules):
            return place, x + y * self.width

    def reach(self, at, square):
        """Each board and square where the piece may capture, and what stands there (R-2.1 to R-2.9, R-2.11, R-2.12)."""
        piece = self.boards[at][square]
        kind, player = piece[0].upper(), owner(piece)
        for f, r, l, t in CAPTURES[kind, player]:
            for i in itertools.count(1):
                found = self.go(at, square, i * f, i * r, i * l, i * t)
                there = found and self.boards[found[0]][found[1]]
                if found and (not there or owner(there) != player):
                    yield *found, there
                if not found or there or kind not in RIDERS:
                    break

    def pieces(self, at, player):
        """The squares of a board on which the player has a piece."""
        self.spend(len(self.boards[at]))
        return [square for square, piece in enumerate(self.boards[at]) if piece and owner(piece) == player]

    def moves_from(self, line):
        """Every move from the last board of the timeline, as of this moment."""
        at, moves = (line, self.last[line]), []
        for square in self.pieces(at, at[1] % 2):
            pawn = self.boards[at][square][0] in "PWpw"
            ends = self.pawn_moves(at, square) if pawn else [(*found, "") for *found, _ in self.reach(at, square)]
            for place, end, letter in itertools.chain(ends, self.castlings(at, square)):
                kind = "" if place == at else ">" if self.last[place[0]] == place[1] else ">>"
                moves.append(Move(at, square, kind, place, end, letter))
        self.spend(len(moves))
        return moves

    def pawn_moves(self, at, square):
        """Each board and square to which a pawn or brawn goes, and what it becomes (R-2.10 to R-2.14)."""
        ends = [(place, end) for place, end, there in self.reach(at, square)
                if there or place == at and self.en_passant(at, square, end)]
        r, l, last = (1, -1, self.height - 1) if at[1] % 2 == 0 else (-1, 1, 0)
        for way in ((0, r, 0, 0), (0, 2 * r, 0, 0)), ((0, 0, l, 0), (0, 0, 2 * l, 0)):
            for step in way if self.boards[at][square].endswith("*") else way[:1]:
                found = self.go(at, square, *step)
                if not found or self.boards[found[0]][found[1]]:
                    break
                ends.append(found)
        return [(place, end, letter) for place, end in ends for letter in
                (self.promotions if end // self.width == last != square // self.width else [""])]

    def en_passant(self, at, square, end):
        """Whether a pawn may go to this empty square and capture the pawn beside it (R-2.13)."""
        board, (line, moment) = self.boards[at], at
        beside = square - square % self.width + end % self.width
        behind, victim = 2 * end - beside, board[beside]
        before, earlier = self.boards.get((line, moment - 1)), self.boards.get((line, moment - 2))
        if not earlier and "en-passant-on-new-timelines" in self.rules:
            earlier = before
        if beside == end or not victim or victim[0] not in ("pw", "PW")[moment % 2] or not 0 <= behind < len(board) or not earlier:
            return False
        then = before if "en-passant-onto-vacated" in self.rules else earlier
        return not board[behind] and earlier[behind] == victim[0] + "*" and not then[beside]

    def castlings(self, at, square):
        """The board and square to which an unmoved king castles, and "" (R-2.15, R-2.16)."""
        board, player, first = self.boards[at], at[1] % 2, square - square % self.width
        ways = (range(square + 1, first + self.width), range(square - 1, first - 1, -1))
        for ray in ways if board[square] in ("K*", "k*") else ():
            rook = next((end for end in ray if board[end]), square)
            if board[rook] == "Rr"[player] + "*" and abs(rook - square) >= (2 if "castling-at-distance-two" in self.rules else 3):
                # No piece of the opponent stands on the three squares, so `reach` lists them if they are attacked.
                attacked = {end for start in self.pieces(at, 1 - player) for place, end, _ in self.reach(at, start) if place == at}
                if not attacked & {square, *ray[:2]}:
                    yield at, ray[1], ""

    def boards_after(self, move):
        """The new boards with their places: the one that the piece left, and for a jump the one on which it arrived."""
        at, start, kind, target, end, letter = move
        left, piece, files = list(self.boards[at]), self.boards[at][start][0], end % self.width - start % self.width
        left[start] = ""
        if not kind and piece in "PWpw" and files and not left[end]:
            left[start + files] = ""  # The victim of a capture en passant.
        if not kind and piece in "Kk" and abs(files) == 2:
            rook = next(square for square in itertools.count(start + files // 2, files // 2) if left[square])
            left[rook], left[start + files // 2] = "", left[rook][0]
        arrived = list(self.boards[target]) if kind else left
        arrived[end] = (letter if at[1] % 2 == 0 else letter.lower()) or piece
        line = target[0] if kind != ">>" else max(self.last) + 1 if at[1] % 2 == 0 else min(self.last) - 1
        return [((at[0], at[1] + 1), tuple(left)), ((line, target[1] + 1), tuple(arrived))][:2 if kind else 1]

    def extended(self, boards):
        """The position with these boards, which are pairs of place and board, at the ends of their timelines."""
        after = copy.copy(self)
        after.boards, after.last = {**self.boards, **dict(boards)}, {**self.last, **dict(place for place, _ in boards)}
        self.spend(len(after.boards))
        return after

    def play(self, action):
        """The position after moves that are known to be possible."""
        for move in action:
            self = self.extended(self.boards_after(move))
        return self

    def submit(self, action):
        """The position after an action, which must be legal (R-5.1, R-5.3, R-5.7)."""
        after, player, text = self, self.present() % 2, self.show(action)
        for move in action:
            playable = move.at[1] % 2 == player and after.last.get(move.at[0]) == move.at[1]
            need(playable and move in after.moves_from(move.at[0]), f"{self.show([move])} cannot be played in {text}")
            after = after.play([move])
        need(after.present() % 2 != player, f"the present stays after {text}")
        capture = after.royal_can_be_captured(player)
        need(not capture, f"{self.show(capture)} is possible after {text}")
        return after

    def royal_can_be_captured(self, player):
        """A capture of a royal piece of the player by the opponent (R-6.3) in a list, or an empty list."""
        for at in self.last.items():
            for square in self.pieces(at, 1 - player) if at[1] % 2 != player else ():
                for place, end, there in self.reach(at, square):
                    if there and there[0] in "KYky":
                        return [Move(at, square, "x", place, end, "")]
        return []

    def needs(self, threat):
        """Which pieces the threat needs on which squares of which boards. Nothing if no piece captures at that distance."""
        first, start, _, second, end, _ = threat
        vector = (end % self.width - start % self.width, end // self.width - start // self.width,
                  second[0] - first[0], (second[1] - first[1]) // 2)
        size, attacker = max(map(abs, vector)) or 1, first[1] % 2
        self.spend(size)
        step = tuple(x // size for x in vector)
        ride = tuple(x * size for x in step) == vector
        kinds = [kind for kind, player in CAPTURES if player == attacker and (
            vector in CAPTURES[kind, player] or kind in RIDERS and ride and step in CAPTURES[kind, player])]
        if not kinds or first != second and "time-travel" not in self.rules:
            return {}
        needs = {first: [(start, "".join(kinds) if attacker == 0 else "".join(kinds).lower())]}
        for i in range(1, size) if ride else ():
            place = (first[0] + i * step[2], first[1] + 2 * i * step[3])
            needs.setdefault(place, []).append((start + i * (step[0] + step[1] * self.width), ""))
        needs.setdefault(second, []).append((end, ("ky", "KY")[attacker]))
        return needs

    def stands(self, threats):
        """Whether one of the threats stands."""
        return not list(Cover(self, [], [], threats).find(0, frozenset()))

    def pass_turn(self):
        """The position after the player has passed on the mandatory boards, or under a switch on all that may be played (R-6.4)."""
        present, every = self.present(), "check-passes-every-board" in self.rules
        lines = [line for line, moment in (self.last if every else self.ends()[0]).items()
                 if moment == present or every and moment % 2 == present % 2]
        return self.extended([((line, self.last[line] + 1), self.boards[line, self.last[line]]) for line in lines])

    def in_check(self):
        """Whether the player to move is in check."""
        return bool(self.pass_turn().royal_can_be_captured(self.present() % 2))

    def show(self, moves):
        """Moves as text."""
        def board(place):
            sign = "-" if place[0] < 0 else "+" if self.even else ""
            return f"({sign}{abs(place[0]) - (self.even and place[0] < 0)}T{place[1] // 2})"

        return " ".join(board(move.at) + self.names[move.start] + move.kind + board(move.target) * (move.target != move.at)
                        + self.names[move.end] + ("=" + move.letter) * (move.letter != "") for move in moves)

    def attempts(self, threats):
        """Every action after which the present is the opponent's and none of the threats stands. Threats may be added meanwhile."""
        player, steps, branches = self.present() % 2, [], []
        for move in itertools.chain(*(self.moves_from(line) for line in self.last if self.last[line] % 2 == player)):
            boards = self.boards_after(move)
            if move.kind != ">>":
                steps.append(Step([place[0] for place, _ in boards], move, boards, -1))
            if move.kind:
                branches.append((move._replace(kind=">>"), boards))
            if len(steps) + len(branches) > ROOM:
                raise Verdict("undecided", "too many moves")
        late = {move.target[0] for move, _ in branches if self.last[move.target[0]] == move.target[1]}
        # A board from which nothing moves and onto which nothing hops is no axis.
        lines = late | {move.at[0] for move, _ in branches} | {step.lines[0] for step in steps}
        steps += [Step([line], None, [], -1) for line in lines]
        # Each branch leaves another board, so there are no more branches than boards.
        for count in range(len({move.at for move, _ in branches}) + 1):
            new = [max(self.last) + 1 + i if player == 0 else min(self.last) - 1 - i for i in range(count)]
            made = [Step([move.at[0], line], move, [left, ((line, place[1]), board)], i)
                    for i, line in enumerate(new) for move, (left, (place, board)) in branches]
            cover = Cover(self, [*lines, *new], steps + made, threats)
            # Each board at the moment `first`, the m of the page, is played, or an active new timeline begins earlier.
            ends, active = self.ends(count, 0) if player == 0 else self.ends(0, count)
            first = min((moment for moment in ends.values() if moment % 2 == player), default=None)
            stays = [(line, lambda step: step.boards[1][0][1] > first) for line in new if line in active]
            for line in ends if first == min(ends.values()) else ():
                if ends[line] == first:
                    cover.forbid(stays + [(line, lambda step: not step.move)] * (line in lines))
            # A branch to a board that may be played comes after the move there.
            for (order, line), other in itertools.product(enumerate(new), late):
                cover.forbid([(line, lambda step: step.move.target == (other, self.last[other])),
                              (other, lambda step: not step.move or step.order >= order)])
            yield from filter(None, cover.find((1 << len(cover.steps)) - 1, frozenset(cover.on)))

    def legal_actions(self):
        """Every legal action. Each capture that makes an action illegal is a threat for the rest of the search."""
        threats = []
        for action in self.attempts(threats):
            capture = self.play(action).royal_can_be_captured(self.present() % 2)
            threats += capture
            if not capture:
                yield action


# ---- The search for actions
# "Finding the attempts that parry every threat" in ../certificates.md describes it. An axis is a board that the player may play, or
# a new timeline; both are named by their line. A set of steps is a number whose bit i stands for step i.
# `lines` are the axes that the step settles, `boards` the new boards on them, `order` is the number of the branch, or -1.
# A step without a move leaves its board alone. There is room for so many steps.
ROOM = 50_000
Step = namedtuple("Step", "lines move boards order")


class Cover:
    """The ways to choose steps that settle each axis once, and stay out of boxes. Each threat is a box."""

    def __init__(self, game, lines, steps, threats):
        game.spend(len(steps) * (len(lines) + 1) // 8)
        if len(steps) > ROOM:
            raise Verdict("undecided", "too many moves")
        self.game, self.steps, self.threats, self.read = game, steps, threats, 0
        self.on = dict.fromkeys(lines, 0)  # The steps that settle each axis.
        for i, step in enumerate(steps):
            for line in step.lines:
                self.on[line] |= 1 << i
        self.boxes = []  # The axes that a box is about, and a set. A choice is in the box if all its steps are in the set.

    def forbid(self, conditions):
        """Add the box of the choices that meet all conditions, which are pairs of an axis and a test of the step there."""
        self.game.spend(1 + len(self.steps) * len(conditions))
        outside = {i for i, step in enumerate(self.steps)
                   if any(line in step.lines and not test(step) for line, test in conditions)}
        self.boxes.append(({line for line, _ in conditions}, ~sum(1 << i for i in outside)))

    def forbid_threat(self, threat):
        """Add the box of the choices after which the threat stands, if there are any."""
        def fits(board, squares):
            return all(bool(board[square]) == bool(pieces) and board[square][:1] in pieces for square, pieces in squares)

        needs, boards, (line, moment) = self.game.needs(threat), self.game.boards, threat.at
        conditions = [(place[0], lambda step, place=place, squares=squares: any(
            made == place and fits(board, squares) for made, board in step.boards))
            for place, squares in needs.items() if place not in boards]
        if needs and all(axis in self.on for axis, _ in conditions) and (threat.at not in boards or self.game.last[line] == moment):
            if all(fits(boards[place], squares) for place, squares in needs.items() if place in boards):
                self.forbid(conditions)

    def find(self, alive, left, chosen=0, steps=()):
        """Every action with the chosen steps, perhaps one without a move. On the axes that are left, the steps `alive` are possible."""
        while self.read < len(self.threats):  # Some may have been added since the last time.
            self.read += 1
            self.forbid_threat(self.threats[self.read - 1])
        self.game.spend(1 + len(self.boxes) + len(left))
        for about, box in self.boxes:
            rest = about & left
            if not chosen & ~box and len(rest) <= 2:
                if not rest:
                    return
                for line in rest:  # No step may stay in the box on all the axes that are left of it.
                    box &= self.on[line]
                alive &= ~box
        if not left:
            yield [step.move for step in sorted(steps, key=lambda step: step.order) if step.move]
        choices = min((alive & self.on[line] for line in left), key=int.bit_count, default=0)
        while choices:
            bit = choices & -choices
            choices ^= bit
            step = self.steps[bit.bit_length() - 1]
            possible = alive & ~self.on[step.lines[0]] & ~self.on[step.lines[-1]]
            yield from self.find(possible, left.difference(step.lines), chosen | bit, (*steps, step))


# ---- Reading

PROFILES = {"default": {"time-travel", "castling-at-distance-two"},
            "orthodox": {"castling-at-distance-two", "en-passant-onto-vacated"}}
SWITCHES = "castling-at-distance-two|en-passant-on-new-timelines|en-passant-onto-vacated|check-passes-every-board"
NUMBER = "(0|[1-9][0-9]{0,4})"
BOARD = rf"\(([+-]?){NUMBER}T{NUMBER}\)"
MOVE = rf"({BOARD})([a-h][1-8])(x|>>?|)({BOARD}|)([a-h][1-8])(?:=([A-Z])|)"  # Also a threat, with "x".
FEN = rf"\[((?:[KQRBNPWSUDYCkqrbnpwsudyc]\*?|[1-8](?![0-9])|/)+):([+-]?){NUMBER}:{NUMBER}:([wWbB])\]"
# The threats and replies of a key or row. The length is that of the longest path down.
Node = namedtuple("Node", "threats rows length")
# `only` is the action of `if`, or None; `boards` the mapping of `class`, or None. The number counts the rows of the file.
Row = namedtuple("Row", "only boards answer node number")


class Word(str):
    """A scalar that stands in the file without quotes."""


class Loader(yaml.SafeLoader):
    """A reader of plain YAML."""

    count = depth = 0

    def compose_node(self, parent, index):
        """Read a value as a dict, a list or a text. It has no anchor, alias or tag."""
        event = self.peek_event()
        self.count, self.depth = self.count + 1, self.depth + 1
        need(event.anchor is None and getattr(event, "tag", None) is None, "an anchor, an alias or a tag")
        need(self.count <= 250_000 and self.depth <= 100, "too many values, or too many within each other")
        node = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.style else Word(node.value)
        if isinstance(node, yaml.MappingNode):
            need(all(isinstance(key, str) for key, _ in node.value), "a key is no text")
            need(len(dict(node.value)) == len(node.value), "a key is repeated")
            return dict(node.value)
        return node.value


def fields(node, types, optional=()):
    """The values of a mapping that has fields of these types, may have the optional ones too, and no others."""
    need(isinstance(node, dict) and {*types} <= {*node} <= {*types, *optional}, f"not exactly the fields {', '.join(types)}")
    need(all(isinstance(node[name], kind) for name, kind in types.items()), f"a wrong type of {' or '.join(types)}")
    return [node[name] for name in types]


def read_text(node, pattern, word=False):
    """A scalar of this pattern. If it is not a word, such as an id or number, then it is in quotes."""
    need(isinstance(node, str) and re.fullmatch(pattern, node), f"malformed: {node}")
    need(word or not isinstance(node, Word), f"quotes are missing: {node}")
    return node


def read_board(game, text, player):
    """The place of a board."""
    sign, label, turn = re.fullmatch(BOARD, text).groups()
    need(sign if game.even else sign == "" or sign == "-" and label != "0", f"no label of a timeline: {text}")
    return (-int(label) - game.even if sign == "-" else int(label)), 2 * int(turn) + player


def read_move(game, text, player, kinds=("", ">", ">>")):
    """A move of one of the kinds."""
    found = re.fullmatch(MOVE, text)
    at, start, kind, target, end, letter = (found and found[i] for i in (1, 5, 6, 7, 11, 12))
    need(kind in kinds and (not letter if kind == "x" else bool(target) == bool(kind)) and target != at, f"malformed: {text}")
    need(start in game.names and end in game.names, f"no such square: {text}")
    return Move(read_board(game, at, player), game.names.index(start), kind, read_board(game, target or at, player),
                game.names.index(end), letter or "")


def read_action(game, node, player):
    """An action, whose moves are in an order in which they can be made."""
    moves, targets = [read_move(game, text, player) for text in read_text(node, ".*").split(" ")], set()
    for move in moves:
        need(move.at not in targets and (move.kind != ">" or move.target not in targets), "a branch that should come later")
        targets |= {move.target} if move.kind == ">>" else set()
    return moves


def read_node(game, node, attacker):
    """The threats and replies of a key or row."""
    threats, rows = [read_move(game, read_text(threat, ".*"), attacker, ["x"]) for threat in node["threats"]], []
    need(isinstance(node.get("replies", []), list), "a wrong type of replies")
    kinds = {"if": str, "class": dict, "otherwise": Word}
    for row in node.get("replies", []):
        kind = next((name for name in kinds if isinstance(row, dict) and name in row), "if")
        what, answer, _ = fields(row, {kind: kinds[kind], "answer": str, "threats": list}, ["replies"])
        only, boards = same(read_action(game, what, 1 - attacker)) if kind == "if" else None, None
        if kind == "otherwise":
            read_text(what, "true", word=True)
        if kind == "class":
            need(what and all(isinstance(starts, list) and starts for starts in what.values()), "a class without boards or starts")
            boards = {read_board(game, read_text(name, BOARD, word=True), 1 - attacker): {
                None if start == "pass" else read_move(game, name + read_text(start, ".*"), 1 - attacker)
                for start in starts} for name, starts in what.items()}
        rows.append(Row(only, boards, read_action(game, answer, attacker), read_node(game, row, attacker), len(game.unused)))
        game.unused.add(len(game.unused))
    need(sum(row.only is row.boards for row in rows) <= 1, "two rows with otherwise")
    return Node(threats, rows, 1 + max((row.node.length for row in rows), default=0))


def same(action):
    """What two spellings of an action have in common (R-5.8)."""
    return {move for move in action if move.kind != ">>"}, [move for move in action if move.kind == ">>"]


def read_start(text, rules, promotions, steps):
    """The position of a block of 5DFEN (R-9.1 to R-9.3)."""
    found = re.findall(FEN, text)
    need(found and not re.sub(FEN, "", text).strip(" \t\r\n"), "the start is no 5DFEN")
    even = any(sign + label == "-0" for _, sign, label, _, _ in found)
    boards, sizes = {}, set()
    for rows, sign, label, turn, colour in found:
        place = (-int(label) - even if sign == "-" else int(label)), 2 * int(turn) + (colour in "bB")
        need(not even or sign or label != "0", "timeline 0 without a sign in an even start")
        need(place not in boards and int(turn) <= 16_000, "a board that is there twice, or a turn above 16,000")
        rows = [re.findall(r"-|\w\*?", row) for row in re.sub("[1-8]", lambda digit: "-" * int(digit[0]), rows).split("/")]
        sizes |= {(len(row), len(rows)) for row in rows}
        pieces = [piece if piece[0] in "KRPWkrpw" else piece[0] for row in reversed(rows) for piece in row]
        boards[place] = tuple("" if piece == "-" else piece for piece in pieces)
    if len(boards) > 20_000:
        raise Verdict("undecided", "too many boards")
    width, height = sizes.pop()
    need(not sizes and 1 <= width <= 8 and height <= 8, "boards that are not of one size, or larger than 8x8")
    lines = sorted(line for line, moment in boards if (line, moment - 1) not in boards)  # Twice if there is a gap.
    need(lines == [*range(lines[0], lines[-1] + 1)] and {0, -even} <= {*lines}, "a board is missing")
    return Game(width, height, boards, even, rules, promotions, steps)


def read_certificate(data, steps):
    """The position of a certificate, and its keys as pairs of action and node."""
    try:
        text = data.decode("utf-8")
        need(len(data) <= 16 << 20 and not re.search("[\x85\u2028\u2029]", text), "more than 16 MiB, or an end of a line of YAML 1.1")
        loader = Loader(text)
        file = loader.check_node() and loader.get_node()
        need(not loader.check_node(), "a second document")
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise Verdict("refused", f"no YAML: {error}") from None
    schema, puzzle, rules, start, mate_in, keys = fields(file, {
        "schema": str, "puzzle": str, "rules": dict, "start": str, "mate-in": Word, "keys": list})
    read_text(schema, "worldlines/certificate-1", word=True)
    read_text(puzzle, "(?=.{1,80}$)[a-z0-9]+(-[a-z0-9]+)*", word=True)
    profile, letters = fields(rules, {"profile": str, "promotions": list})
    name, *switches = read_text(profile, f"(default|orthodox)( [+-]({SWITCHES}))*", word=True).split(" ")
    on, off = ({switch[1:] for switch in switches if switch[0] == sign} for sign in "+-")
    need(len(on | off) == len(switches), "a switch is there twice")
    letters = [read_text(letter, "[QRBNSUDC]", word=True) for letter in letters]
    need(len({*letters}) == len(letters) > 0, "no promotions, or one twice")
    game = read_start(read_text(start, "(?s:.*)"), PROFILES[name] - off | on, letters, steps)
    attacker = game.present() % 2
    keys = [(read_action(game, fields(key, {"key": str, "threats": list}, ["replies"])[0], attacker), read_node(game, key, attacker))
            for key in keys]
    length = read_text(mate_in, "[0-9]+", word=True).lstrip("0")
    need(keys and all(str(node.length) == length for _, node in keys), "no keys, or no mate in exactly so many actions")
    return game, keys


# ---- The proof

def prove(game, node):
    """Refuse the file unless the node is true of the position, in which the defender is to move."""
    need(all(game.last.get(line) == moment for row in node.rows for line, moment in row.boards or ()),
         "a class names a board that the defender cannot play")
    alone = True
    for action in game.attempts(node.threats):
        alone = False
        try:
            after = game.play(action)
            capture = after.royal_can_be_captured(game.present() % 2)
            need(not capture, f"{game.show(capture)} is no threat of the node")
            moves = {move.at: move for move in action}
            rows = [row for row in node.rows if row.only == same(action) or row.boards and all(
                moves.get(at) in starts for at, starts in row.boards.items())]
            rows = rows or [row for row in node.rows if row.only is row.boards]
            need(len(rows) == 1, f"{len(rows)} rows match")
            game.unused.discard(rows[0].number)
            prove(after.submit(rows[0].answer), rows[0].node)
        except Verdict as verdict:
            raise Verdict(verdict.args[0], f"after {game.show(action)}: {verdict.args[1]}") from None
    need(not alone or game.pass_turn().stands(node.threats), "no attempt parries all threats, and none stands after passing")


def check(path, steps):
    """Check a file. Return "accepted", "refused" or "undecided", and why."""
    try:
        with open(path, "rb") as file:
            game, keys = read_certificate(file.read((16 << 20) + 1), steps)
        for key, node in keys:
            prove(game.submit(key), node)
        need(not game.unused, "a row matches no attempt")
    except (OSError, Verdict) as error:
        verdict, why = error.args if isinstance(error, Verdict) else ("refused", str(error))
        return verdict, ascii(" ".join(why.split()))[1:-1][:400]
    except (RecursionError, MemoryError):
        return "undecided", "too many boards, or too many actions after each other"
    return "accepted", f"{len(keys)} keys, {steps - game.steps[0]} steps"


def main():
    """Read the command line, and check the files that it names."""
    parser = argparse.ArgumentParser(description="Check certificates of mates in 5D chess.")
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a certificate, or a folder with folders certificates/")
    parser.add_argument("-v", "--verbose", action="store_true", help="print a line for each file")
    parser.add_argument("--steps", type=int, default=50_000_000, metavar="N", help="elementary looks that a file may take")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="number of processes")
    options = parser.parse_args()
    files, verdicts = [], []
    for path in options.paths:
        below = glob.glob(os.path.join(glob.escape(path), "**", "certificates", "*.yaml"), recursive=True)
        files += sorted(below) if os.path.isdir(path) else [path]
    if not files or options.jobs < 1 or not all(map(os.path.isfile, files)):
        parser.error("a path is no file or folder, no certificate is there, or no process")
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for path, (verdict, why) in zip(files, pool.map(check, files, itertools.repeat(options.steps))):
            verdicts.append(verdict)
            if options.verbose or verdict != "accepted":
                print(f"{path}: {verdict}: {why}", flush=True)
    print(", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in ("accepted", "refused", "undecided")))
    return 1 if "refused" in verdicts else 3 if "undecided" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Check certificates of mates in 5D chess: the formats `worldlines/certificate-1` and `-2` of ../certificates.md.

A path is a certificate, or a folder: then every `certificates/*.yaml` below it. The exit code is 0 if all files are accepted, 1 if
one is refused, 3 if one is undecided because the budget ran out, 2 for a wrong command line. Names such as R-5.3 are rules of
../01-*.md to ../06-*.md. Python 3.10 and PyYAML are needed. Nothing is shared with the program that writes certificates.
"""

import argparse
import concurrent.futures
import functools
import glob
import itertools
import math
import os
import re
import sys
from collections import defaultdict, namedtuple

import yaml


class Refused(Exception):
    """A file is not accepted: a reason, and the lists of moves that are shown where it says {}."""


class Undecided(Exception):
    """A file is neither accepted nor refused: a reason."""


def need(holds, why, *moves):
    """Refuse the file unless this holds."""
    if not holds:
        raise Refused(why, *moves)


# ---- Pieces
# A piece is a text: a capital for White, a small letter for Black, "*" after it if it has not moved; "" is no piece.
# A board is a tuple of pieces, a1 first, rank by rank. A square is an index of it. Boards are shared by many positions.
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


class Board(tuple):
    """The pieces of a board. `squares` are the squares on which each player has pieces, `royals` those with royal pieces."""

    __hash__ = object.__hash__  # `of` gives the same board for the same pieces, so they need not all be looked at.

    @staticmethod
    @functools.lru_cache(1 << 14)
    def of(pieces):
        """The board with these pieces."""
        return Board(pieces)

    def __getattr__(self, name):
        """Find the squares when they are first asked for."""
        self.squares = [[], []]
        for i, piece in enumerate(self):
            if piece:
                self.squares[owner(piece)].append(i)
        self.royals = [tuple(i for i in squares if self[i][0] in "KYky") for squares in self.squares]
        return self.__dict__[name]

    def fits(self, square, letters):
        """Whether one of these pieces stands on the square, or none if the letters are "-"."""
        return (self[square] or "-")[0] in letters

    @functools.lru_cache(1 << 16)
    def aims(self, width, player, ends, lines, turns):
        """Which pieces of the player would capture on these squares of a board so far away, were there nothing on the way."""
        return [(start, end) for start in self.squares[player] for end in ends
                if self.fits(start, captures(width, player, start, end, lines, turns)[0])]


@functools.lru_cache(1 << 16)
def captures(width, player, start, end, lines, turns):
    """Which pieces of the player capture at that distance, the size of the step that they repeat, and how often."""
    vector = (end % width - start % width, end // width - start // width, lines, turns)
    size = math.gcd(*vector) or 1
    step = tuple(x // size for x in vector)
    letters = "".join(kind for (kind, owner), ways in CAPTURES.items() if owner == player and (
        vector in ways or kind in RIDERS and step in ways))
    return letters.lower() if player else letters, (step[0] + step[1] * width, step[2], 2 * step[3]), size


@functools.lru_cache(1 << 16)
def ways(width, height, kind, player, square, travel):
    """For each change of line and moment, the steps with which a piece captures: what they add to the square, and how often."""
    found = defaultdict(list)
    for f, r, l, t in CAPTURES[kind, player]:
        rooms = [(size - 1 - at if step > 0 else at) // abs(step)
                 for at, step, size in ((square % width, f, width), (square // width, r, height)) if step]
        room = min(rooms, default=1 << 16)
        if travel or not (l or t):
            found[l, 2 * t].append((f + r * width, room if kind in RIDERS else min(room, 1)))
    return found


# ---- Positions and moves

class Game:
    """A position. It is never changed: `submit` and `pass_turn` return another one."""

    def __init__(self, width, height, boards, even, rules, promotions, steps):
        self.width, self.height, self.even, self.rules, self.promotions = width, height, even, rules, promotions
        self.names = [file + str(rank + 1) for rank in range(height) for file in "abcdefgh"[:width]]  # Of the squares.
        # The budget, the steps that there is room for, and the rows that have matched nothing: all positions share them.
        self.steps, self.room, self.unused = [steps], [50_000], set()
        # The boards by place, the moment at which each timeline ends, and the present once it is known.
        self.boards, self.last, self.now = boards, dict(sorted(boards)), None

    def spend(self, steps):
        """Count elementary looks, and give up after too many."""
        self.steps[0] -= steps
        if self.steps[0] < 0:
            raise Undecided("more steps are needed than --steps allows")

    def ends(self, white=0, black=0):
        """When the active timelines end, once White and Black have made so many new ones, and the range of all active (R-4.2)."""
        self.spend(len(self.last))
        middle = -1 if self.even else 0
        active = range(middle - max(self.last) - white - 1, middle - min(self.last) + black + 2)
        return {line: moment for line, moment in self.last.items() if line in active}, active

    def present(self):
        """The moment of the present (R-4.4). The player to move is this modulo 2."""
        if self.now is None:
            self.now = min(self.ends()[0].values())
        return self.now

    def go(self, at, square, f, r, l, t):
        """The board and square at that distance, or None."""
        self.steps[0] -= 1
        x, y, place = square % self.width + f, square // self.width + r, (at[0] + l, at[1] + 2 * t)
        if 0 <= x < self.width and 0 <= y < self.height and place in self.boards and (place == at or "time-travel" in self.rules):
            return place, x + y * self.width

    def reach(self, at, square, only=None):
        """Each board and square where the piece may capture, and what stands there (R-2.1 to R-2.9, R-2.11, R-2.12)."""
        piece, boards, (line, moment), looks = self.boards[at][square], self.boards, at, 0
        player = owner(piece)
        for (l, t), steps in ways(self.width, self.height, piece[0].upper(), player, square, "time-travel" in self.rules).items():
            looks += 1
            for s, room in steps if (line + l, moment + t) in boards else ():
                for i in range(1, room + 1 if only in (None, (s, l, t)) else 0):
                    place, end, looks = (line + i * l, moment + i * t), square + i * s, looks + 1
                    if place not in boards:
                        break
                    there = boards[place][end]
                    if not there or owner(there) != player:
                        yield place, end, there
                    if there:
                        break
        self.spend(looks)

    def moves_from(self, at, square, only=None):
        """Every move of the piece from this board, which is the last of its timeline, as of this moment; or those with one step."""
        pawn = self.boards[at][square][0] in "PWpw"
        ends = self.pawn_moves(at, square) if pawn else [(*found, "") for *found, _ in self.reach(at, square, only)]
        return [Move(at, square, "" if place == at else ">" if self.last[place[0]] == place[1] else ">>", place, end, letter)
                for place, end, letter in itertools.chain(ends, self.castlings(at, square))]

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
                attacked = {end for start in board.squares[1 - player] for place, end, _ in self.reach(at, start) if place == at}
                if not attacked & {square, *ray[:2]}:
                    yield at, ray[1], ""

    def boards_after(self, move):
        """The new boards with their places: the one that the piece left, and for a jump the one on which it arrived."""
        at, start, kind, target, end, letter = move
        self.spend(2 * len(self.boards[at]))
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
        return [((at[0], at[1] + 1), Board.of(tuple(left))), *([((line, target[1] + 1), Board.of(tuple(arrived)))] if kind else [])]

    def extended(self, boards):
        """The position with these boards, which are pairs of place and board, at the ends of their timelines."""
        self.spend(len(self.boards))
        after = object.__new__(Game)
        after.__dict__ = self.__dict__ | {
            "boards": self.boards | dict(boards), "last": self.last | dict(place for place, _ in boards), "now": None}
        return after

    def submit(self, action):
        """The position after an action, which must be legal (R-5.1, R-5.3, R-5.7)."""
        after, player = self, self.present() % 2
        for move in action:
            at, start, _, target, end, _ = move
            *_, step, _ = captures(self.width, player, start, end, target[0] - at[0], (target[1] - at[1]) // 2)
            playable = at[1] % 2 == player and after.last.get(at[0]) == at[1] and start in after.boards[at].squares[player]
            need(playable and move in after.moves_from(at, start, step), "{} cannot be played in {}", [move], action)
            after = after.extended(after.boards_after(move))
        need(after.present() % 2 != player, "the present stays after {}", action)
        capture = after.royal_can_be_captured(player)
        need(not capture, "{} is possible after {}", capture, action)
        return after

    def royal_can_be_captured(self, player):
        """A capture of a royal piece of the player by the opponent (R-6.3) in a list, or an empty list."""
        royals = [(place, board.royals[player]) for place, board in self.boards.items()
                  if place[1] % 2 != player and board.royals[player]]
        for at in self.last.items():
            self.spend(len(royals) + len(self.boards[at]))
            for place, ends in royals if at[1] % 2 != player else ():
                lines, turns = place[0] - at[0], (place[1] - at[1]) // 2
                for start, end in self.boards[at].aims(self.width, 1 - player, ends, lines, turns):
                    if self.missing(Move(at, start, "x", place, end, "")) == []:
                        return [Move(at, start, "x", place, end, "")]
        return []

    def missing(self, threat):
        """What a threat needs of boards that are not there, as places, squares and letters: [] if it stands, None if it never does."""
        at, start, _, place, end, _ = threat
        player, lines, turns = at[1] % 2, place[0] - at[0], (place[1] - at[1]) // 2
        letters, (square, line, moment), size = captures(self.width, player, start, end, lines, turns)
        if not letters or at != place and "time-travel" not in self.rules or at in self.boards and self.last[at[0]] != at[1]:
            return None
        self.spend(size)
        needs = [(at, start, letters), (place, end, ("ky", "KY")[player])]
        needs += [((at[0] + i * line, at[1] + i * moment), start + i * square, "-") for i in range(1, size)]
        fit = all(self.boards[place].fits(square, letters) for place, square, letters in needs if place in self.boards)
        return [need for need in needs if need[0] not in self.boards] if fit else None

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
            return f"({'-' if place[0] < 0 else '+' * self.even}{abs(place[0]) - (self.even and place[0] < 0)}T{place[1] // 2})"

        return " ".join(board(move.at) + self.names[move.start] + move.kind + board(move.target) * (move.target != move.at)
                        + self.names[move.end] + ("=" + move.letter) * (move.letter != "") for move in moves)

    def attempts(self, threats, checks=False):
        """Every action after which the present has passed and no threat stands, and the position then. See `legal_actions`."""
        player, steps, branches, room = self.present() % 2, [], [], 0
        for at in self.last.items():
            for square in self.boards[at].squares[player] if at[1] % 2 == player else ():
                for move in self.moves_from(at, square):
                    boards = self.boards_after(move)
                    if move.kind != ">>":
                        steps.append(Step([place[0] for place, _ in boards], move, boards, -1))
                    if move.kind:
                        branches.append((move._replace(kind=">>"), boards))
                    room += 1 + len(self.last) * bool(move.kind)
                    if room > self.room[0]:
                        raise Undecided("too many moves")
        # A board from which nothing moves and onto which nothing hops is no axis.
        lines = {line for step in steps for line in step.lines} | {move.at[0] for move, _ in branches}
        # Each branch leaves another board, so there are no more branches than boards.
        new = [max(self.last) + 1 + i if player == 0 else min(self.last) - 1 - i for i in range(len({move.at for move, _ in branches}))]
        self.room[0] -= room
        try:
            steps += [Step([line], None, [], -1) for line in lines]
            for i, line in enumerate(new):
                steps.append(Step([line], None, [], -1))
                steps += [Step([move.at[0], line], move, [left, ((line, place[1]), board)], i)
                          for move, (left, (place, board)) in branches]
            cover = Cover(self, steps, threats)
            wishes = cover.checks() if checks else [-1]
            for count in range(len(new) + 1):
                for chosen in cover.find(*cover.frame(lines, new, count), wishes):
                    if chosen:
                        action = [step.move for step in sorted(chosen, key=lambda step: step.order) if step.move]
                        yield action, self.extended([board for step in chosen for board in step.boards])
        finally:
            self.room[0] += room

    def legal_actions(self, checks=False):
        """Every legal action, and the position after it. With `checks`, some that give no check are left out."""
        threats = []  # Each capture that makes an action illegal is a threat for the rest of the search.
        for action, after in self.attempts(threats, checks):
            threats += (capture := after.royal_can_be_captured(self.present() % 2))
            if not capture:
                yield action, after


# ---- The search for actions
# "Finding the attempts that parry every threat" in ../certificates.md describes it. An axis is a board that the player may play, or
# a new timeline; both are named by their line. A set of steps is a number whose bit i stands for step i.
# `lines` are the axes that the step settles, `boards` the new boards on them, `order` is the number of the branch, or -1.
# A step without a move leaves its board alone, or says that there is no such new timeline.
Step = namedtuple("Step", "lines move boards order")


class Cover:
    """The ways to choose steps that settle each axis once, after which none of the threats stands."""

    def __init__(self, game, steps, threats):
        game.spend(len(steps) * (1 + len(steps) // 64))
        self.game, self.steps, self.threats, self.demands = game, steps, threats, []
        # The steps that settle each axis, that make a board at a place, that begin a timeline from a board, and that do not move.
        self.on, self.made, self.begin, self.idle, self.memo = defaultdict(int), defaultdict(list), defaultdict(int), 0, {}
        for i, step in enumerate(steps):
            for line in step.lines:
                self.on[line] |= 1 << i
            for place, board in step.boards:
                self.made[place].append((i, board))
            if step.order >= 0:
                self.begin[step.lines[1], step.move.target] |= 1 << i
            self.idle |= (not step.move) << i

    def frame(self, lines, new, count):
        """What may be chosen if so many of the new timelines begin, what must be chosen of it, and what is chosen already."""
        player, last, on, idle = self.game.present() % 2, self.game.last, self.on, self.idle
        demands = [on[line] for line in [*lines, *new[:count]]]
        # Each board at the moment `first`, the m of the page, is played, or an active new timeline begins earlier.
        ends, active = self.game.ends(count, 0) if player == 0 else self.game.ends(0, count)
        first = min((moment for moment in ends.values() if moment % 2 == player), default=-1)
        back = sum(steps for (line, (_, moment)), steps in self.begin.items()
                   if line in new[:count] and line in active and moment + 1 < first)
        if first == min(ends.values()):
            demands += [back | on[line] & ~idle for line in ends if ends[line] == first]
        # A branch to a board that may be played comes after the move there.
        for line, other in itertools.product(new[:count], lines):
            earlier = (on[line] & -on[line]) - 1
            demands.append(on[line] & ~self.begin[line, (other, last[other])] | on[other] & earlier & ~idle)
        present, absent = (sum(on[line] for line in some) for some in (new[:count], new[count:]))
        return (1 << len(self.steps)) - 1 & ~(present & idle) & ~absent, demands, absent & idle

    def fitting(self, place, square, letters):
        """The steps that make a board at this place with one of these pieces on the square."""
        key = place, square, letters
        if key not in self.memo:
            self.game.spend(1 + len(self.made.get(place, ())) + len(self.steps) // 8)
            self.memo[key] = sum(1 << i for i, board in self.made.get(place, ()) if board.fits(square, letters))
        return self.memo[key]

    def open(self, game, threat, delay):
        """The steps that leave a threat open in this position, in which the boards that they make stand later; 0 if it never stands."""
        missing, steps = game.missing(threat), -1
        self.game.spend(len(self.steps) // 8)
        for (line, moment), square, letters in missing or ():
            fitting = self.fitting((line, moment - delay), square, letters)
            steps &= fitting and fitting | ~self.on[line]
        return 0 if missing is None else steps

    def checks(self):
        """For each capture that may be possible once the opponent passes on all boards, the steps that leave it open."""
        game, player = self.game, self.game.present() % 2
        passed = game.extended([((at[0], at[1] + 1), game.boards[at]) for at in game.last.items() if at[1] % 2 != player])
        made = [((line, moment + 1), board) for (line, moment), boards in self.made.items() for _, board in boards]
        ends = made + [(at, passed.boards[at]) for at in passed.last.items() if at[1] % 2 == player]
        boards = made + [(place, board) for place, board in passed.boards.items() if place[1] % 2 == player]
        royals = {(place, end) for place, board in boards for end in board.royals[1 - player]}
        wishes = []
        for at, start, piece in {(at, start, board[start][0]) for at, board in ends for start in board.squares[player]}:
            game.spend(1 + len(royals))
            for place, end in royals:
                if piece in captures(passed.width, player, start, end, place[0] - at[0], (place[1] - at[1]) // 2)[0]:
                    wishes.append(self.open(passed, Move(at, start, "x", place, end, ""), 1))
        return [*filter(None, {*wishes})]

    def find(self, alive, demands, chosen, wishes, steps=(), read=0):
        """Every choice of steps, the chosen ones and some that are alive, that has one of each demand and lies in a wish."""
        self.demands += [~self.open(self.game, threat, 0) for threat in self.threats[len(self.demands):]]
        demands = [demand for demand in demands + self.demands[read:] if not demand & chosen]
        wishes, read = [wish for wish in wishes if not chosen & ~wish], len(self.demands)
        self.game.spend(1 + len(demands) + len(wishes))
        if wishes and not demands:
            yield steps
        alive &= functools.reduce(int.__or__, wishes, 0)
        choices = min(map(alive.__and__, demands), key=int.bit_count, default=0)
        while choices:
            bit = choices & -choices
            choices, alive = choices ^ bit, alive ^ bit
            step = self.steps[bit.bit_length() - 1]
            possible = alive & ~self.on[step.lines[0]] & ~self.on[step.lines[-1]]
            yield from self.find(possible, demands, chosen | bit, wishes, (*steps, step), read)


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


def fields(node, types, lists=()):
    """The values of a mapping that has fields of these types, may have these lists too, and has no others."""
    need(isinstance(node, dict) and {*types} <= {*node} <= {*types, *lists}, f"not exactly the fields {', '.join(types)}")
    node, types = {**{name: [] for name in lists}, **node}, {**types, **dict.fromkeys(lists, list)}
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


def read_node(game, threats, replies, attacker):
    """The threats and replies of a key or row."""
    threats, rows = [read_move(game, read_text(threat, ".*"), attacker, ["x"]) for threat in threats], []
    kinds = {"if": str, "class": dict, "otherwise": Word}
    for row in replies:
        kind = next((name for name in kinds if isinstance(row, dict) and name in row), "if")
        what, answer, *below = fields(row, {kind: kinds[kind], "answer": str, "threats": list}, ["replies"])
        only, boards = same(read_action(game, what, 1 - attacker)) if kind == "if" else None, None
        if kind == "otherwise":
            read_text(what, "true", word=True)
        if kind == "class":
            need(what and all(isinstance(starts, list) and starts for starts in what.values()), "a class without boards or starts")
            boards = {read_board(game, read_text(name, BOARD, word=True), 1 - attacker): {
                None if start == "pass" else read_move(game, name + read_text(start, ".*"), 1 - attacker)
                for start in starts} for name, starts in what.items()}
        rows.append(Row(only, boards, read_action(game, answer, attacker), read_node(game, *below, attacker), len(game.unused)))
        game.unused.add(len(game.unused))
    need(sum(row.only is row.boards for row in rows) <= 1, "two rows with otherwise")
    return Node(threats, rows, 1 + max((row.node.length for row in rows), default=0))


def read_claim(game, claim, attacker):
    """A row of `no`: the actions after which there is no mate, in how many, and whether those with a key are left out."""
    other = isinstance(claim, dict) and "other-mate-in" in claim
    number, *after = fields(claim, {"other-mate-in" if other else "mate-in": Word}, [] if other else ["after"])
    return read_line(game, after[0] if after else [], attacker), read_number(number), other


def read_line(game, actions, attacker):
    """Actions of both players, after which the attacker is to move."""
    player = game.present() % 2
    need((player + len(actions)) % 2 == attacker, "a number of actions after which the attacker is not to move")
    return [read_action(game, action, (player + i) % 2) for i, action in enumerate(actions)]


def read_number(text):
    """A number of actions."""
    digits = read_text(text, "[0-9]+", word=True).lstrip("0")
    need(0 < len(digits) < 3 and int(digits) <= 64, f"not from 1 to 64: {text}")
    return int(digits)


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
        boards[place] = Board.of(tuple("" if piece == "-" else piece for piece in pieces))
    if len(boards) > 20_000:
        raise Undecided("too many boards")
    width, height = sizes.pop()
    need(not sizes and 1 <= width <= 8 and height <= 8, "boards that are not of one size, or larger than 8x8")
    lines = sorted(line for line, moment in boards if (line, moment - 1) not in boards)  # Twice if there is a gap.
    need(lines == [*range(lines[0], lines[-1] + 1)] and {0, -even} <= {*lines}, "a board is missing")
    return Game(width, height, boards, even, rules, promotions, steps)


def read_certificate(path, steps):
    """The position of a certificate, N, the proofs as line, action and node, the claims, and 64 lists of refutations."""
    try:
        with open(path, "rb") as file:
            data = file.read((16 << 20) + 1)
        text = data.decode("utf-8")
        need(len(data) <= 16 << 20 and not re.search("[\x85\u2028\u2029]", text), "more than 16 MiB, or an end of a line of YAML 1.1")
        loader = Loader(text)
        file = loader.check_node() and loader.get_node()
        need(not loader.check_node(), "a second document")
    except (OSError, yaml.YAMLError, ValueError, OverflowError) as error:
        raise Refused(f"no YAML: {error}") from None
    lists = ["answers", "no", "refutations"] if isinstance(file, dict) and file.get("schema") == "worldlines/certificate-2" else []
    role = {"attacker": Word} if lists and "attacker" in file else {}
    schema, puzzle, rules, start, mate_in, keys, *more = fields(file, {
        "schema": str, "puzzle": str, "rules": dict, "start": str, "mate-in": Word, "keys": list, **role}, lists)
    read_text(schema, "worldlines/certificate-[12]", word=True)
    read_text(puzzle, "(?=.{1,80}$)[a-z0-9]+(-[a-z0-9]+)*", word=True)
    profile, letters = fields(rules, {"profile": str, "promotions": list})
    name, *switches = read_text(profile, f"(default|orthodox)( [+-]({SWITCHES}))*", word=True).split(" ")
    on, off = ({switch[1:] for switch in switches if switch[0] == sign} for sign in "+-")
    need(len(on | off) == len(switches), "a switch is there twice")
    letters = [read_text(letter, "[QRBNSUDC]", word=True) for letter in letters]
    need(len({*letters}) == len(letters) > 0, "no promotions, or one twice")
    game = read_start(read_text(start, "(?s:.*)"), PROFILES[name] - off | on, letters, steps)
    need(not role or read_text(more.pop(0), "opponent", word=True) and not keys, "keys of a player who defends")
    attacker = (game.present() + len(role)) % 2
    answers, claims, refutations = more or ([], [], [])
    keys = [[[], *fields(key, {"key": str, "threats": list}, ["replies"])] for key in keys]
    answers = [fields(answer, {"after": list, "answer": str, "threats": list}, ["replies"]) for answer in answers]
    proofs = [(read_line(game, line, attacker), read_action(game, action, attacker), read_node(game, *below, attacker))
              for line, action, *below in keys + answers]
    length = read_number(mate_in)
    need((keys or claims) and all(line for line, *_ in answers) and len(answers) <= 2_000, "no claim, or answers after nothing or too many")
    need(all(line or node.length == length for line, _, node in proofs), "no mate in exactly so many actions")
    need(len(refutations) <= 64 and all(isinstance(replies, list) for replies in refutations), "not at most 64 lists of refutations")
    refutations = [[read_action(game, reply, 1 - attacker) for reply in replies] for replies in refutations]
    claims = [read_claim(game, claim, attacker) for claim in claims]
    return game, length, proofs, claims, refutations + [[]] * (64 - len(refutations))


# ---- The proof

def prove(game, node):
    """Refuse the file unless the node is true of the position, in which the defender is to move."""
    need(all(game.last.get(line) == moment for row in node.rows for line, moment in row.boards or ()),
         "a class names a board that the defender cannot play")
    alone = True
    for action, after in game.attempts(node.threats):
        alone = False
        try:
            capture = after.royal_can_be_captured(game.present() % 2)
            need(not capture, "{} is no threat of the node", capture)
            moves = {move.at: move for move in action}
            rows = [row for row in node.rows if row.only == same(action) or row.boards and all(
                moves.get(at) in starts for at, starts in row.boards.items())]
            rows = rows or [row for row in node.rows if row.only is row.boards]
            need(len(rows) == 1, f"{len(rows)} rows match")
            game.unused.discard(rows[0].number)
            prove(after.submit(rows[0].answer), rows[0].node)
        except Refused as error:
            raise Refused("after {}: " + error.args[0], action, *error.args[1:]) from None
    passed = game.pass_turn()
    need(not alone or any(passed.missing(threat) == [] for threat in node.threats), "no attempt parries all threats, and it is no check")


def contains(action, key):
    """Whether an action has all moves of a key, and its branches in the same order."""
    (moves, branches), (key_moves, key_branches) = same(action), same(key)
    rest = iter(branches)
    return key_moves <= moves and all(branch in rest for branch in key_branches)


def deny(game, n, refutations, keys):
    """Refuse the file unless it shows that the attacker, who is to move, has no mate in n but by actions that contain a key."""
    replies = refutations[n - 1]
    for action, after in game.legal_actions(checks=n == 1):
        if any(contains(action, key) for key in keys) or n == 1 and not after.in_check():
            continue
        for i, reply in enumerate(replies):
            try:
                answered = after.submit(reply)
                if n > 1:
                    deny(answered, n - 1, refutations, [])
            except Refused:
                continue
            replies.insert(0, replies.pop(i))  # It may well help again.
            break
        else:
            need(n > 1 and not after.in_check() and not any(after.legal_actions()), "nothing is shown after {}", action)


def prove_all(game, length, proofs, claims, refutations):
    """Refuse the file unless all that it claims is shown. Return what this is."""
    for line, action, node in proofs:
        prove(functools.reduce(Game.submit, [*line, action], game), node)
    need(not game.unused, "a row matches no attempt")
    keys = [key for line, key, _ in proofs if not line]
    shown = [f"mate in {length}, keys: {len(keys)}"] * bool(keys)
    for number, (after, n, other) in enumerate(claims, 1):
        try:
            deny(functools.reduce(Game.submit, after, game), n, refutations, keys if other else [])
        except Refused as error:
            raise Refused(f"row {number} of no: {error.args[0]}", *error.args[1:]) from None
        if not after:
            shown.append("no other key" if other and n == length else f"no {'other ' * other}mate in {n}")
    counts = {"further answers": len(proofs) - len(keys), "lines without a mate": sum(bool(after) for after, _, _ in claims)}
    return "; ".join(shown + [f"{what}: {count}" for what, count in counts.items() if count])


def check(path, steps):
    """Check a file. Return "accepted", "refused" or "undecided", and what is shown, or why not."""
    try:
        game, *claims = read_certificate(path, steps)
        return "accepted", prove_all(game, *claims)
    except Refused as error:
        why, *moves = error.args
        why = why.format(*map(game.show, moves)) if moves else why
        return "refused", ascii(" ".join(why.split()))[1:-1][:400]
    except (Undecided, RecursionError, MemoryError) as error:
        return "undecided", str(error) or "too little memory"


def main():
    """Read the command line, and check the files that it names."""
    parser = argparse.ArgumentParser(description="Check certificates of mates in 5D chess.")
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a certificate, or a folder with folders certificates/")
    parser.add_argument("-v", "--verbose", action="store_true", help="print a line for each file")
    parser.add_argument("--steps", type=int, default=500_000_000, metavar="N", help="elementary looks that a file may take")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="number of processes")
    options = parser.parse_args()
    below = os.path.join("**", "certificates", "*.yaml")
    files = [file for path in options.paths for file in (
        sorted(glob.glob(os.path.join(glob.escape(path), below), recursive=True)) if os.path.isdir(path) else [path])]
    if not files or options.jobs < 1 or not all(map(os.path.isfile, files)):
        parser.error("a path is no file or folder, no certificate is there, or no process")
    files.sort(key=os.path.getsize, reverse=True)  # The long ones first, so that no process waits for the last.
    verdicts = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for path, (verdict, why) in zip(files, pool.map(check, files, itertools.repeat(options.steps))):
            verdicts.append(verdict)
            if options.verbose or verdict != "accepted":
                print(f"{path}: {verdict}: {why}", flush=True)
    print(", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in ("accepted", "refused", "undecided")))
    return 1 if "refused" in verdicts else 3 if "undecided" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Check certificates of mates in 5D chess: the format `worldlines/certificate-1` of ../certificates.md.

    python3 check.py [-v] [--steps N] [--jobs N] [PATH...]

A path is a certificate, or a folder: then every `certificates/*.yaml` below it. The exit code is 0 if all files are accepted, 1 if
one is refused, 3 if one is undecided because the budget ran out, 2 for a wrong command line. Names such as R-5.3 are rules of
../01-*.md to ../06-*.md. Python 3.10 and PyYAML are needed. Nothing is shared with the program that writes certificates.
"""

import argparse
import glob
import itertools
import multiprocessing
import os
import re
import sys
from collections import namedtuple

import yaml


class Refused(Exception):
    """The file is malformed, or what it claims does not hold."""


class Undecided(Exception):
    """The budget ran out first."""


# ---- Pieces
#
# A piece is a text: a capital for White, a small letter for Black, "*" after it if it has not moved; "" is no piece.
# A board is a tuple of pieces, a1 first, rank by rank. A square is an index of it.
# A place (line, moment) names a board. A line is a timeline: an odd start has line 0 in the middle, an even start has the lines
# -1 and 0, which are called -0 and +0. Moments are half-turns: T1w is 2, T1b is 3, T2w is 4.
# Players are 0 for White and 1 for Black, so that the player to move on a board is its moment modulo 2.

AXES = {"R": [1], "B": [2], "U": [3], "D": [4], "S": [1, 2], **dict.fromkeys("QYKC", [1, 2, 3, 4])}  # that a step changes
RIDERS = "RBUDSQY"
# The steps with which each piece captures, as differences of files, ranks, lines and turns.
CAPTURES = {(kind, player): [v for v in itertools.product((-1, 0, 1), repeat=4) if sum(map(abs, v)) in axes]
            for kind, axes in AXES.items() for player in (0, 1)}
for _player, _r, _l in ((0, 1, -1), (1, -1, 1)):  # Forward is up the ranks and down the lines for White.
    CAPTURES["N", _player] = [v for v in itertools.product(range(-2, 3), repeat=4) if sorted(map(abs, v)) == [0, 0, 1, 2]]
    CAPTURES["P", _player] = [(-1, _r, 0, 0), (1, _r, 0, 0), (0, 0, _l, -1), (0, 0, _l, 1)]
    CAPTURES["W", _player] = CAPTURES["P", _player] + [
        (-1, 0, _l, 0), (1, 0, _l, 0), (0, _r, _l, 0), (0, _r, 0, -1), (0, _r, 0, 1)]

# A move of one piece. The kind is "" for a physical move, ">" for a hop, ">>" for a branch. `letter` is what a pawn becomes, or "".
# An action is a list of moves.
Move = namedtuple("Move", "at start kind target end letter")
# A capture of a royal piece. `needs` says which pieces may stand on which squares of which boards, or is empty if there is no
# such capture. `first` is the board on which it starts.
Threat = namedtuple("Threat", "first needs")


def owner(piece):
    """The player whose piece this is."""
    return 0 if piece < "a" else 1


def fits(board, needs):
    """Whether the board has what a threat needs there."""
    return all(board[square] in pieces for square, pieces in needs)


# ---- Positions and moves


class Game:
    """A multiverse. Boards are added by `play` and taken away by `undo`."""

    def __init__(self, width, height, boards, even, rules, promotions, steps):
        self.width, self.height, self.even, self.rules = width, height, even, rules
        self.promotions, self.steps, self.travel = promotions, steps, "time-travel" in rules
        self.boards, self.last, self.log = {}, {}, []  # `last` has the moment at which each timeline ends.
        for place in sorted(boards):
            self.add(place, boards[place])
        self.rays = {}  # The squares from a square to the edge, for each step of files and ranks.
        for square, f, r in itertools.product(range(width * height), range(-2, 3), range(-2, 3)):
            ends = ((square % width + i * f, square // width + i * r) for i in itertools.count(1))
            ends = itertools.takewhile(lambda end: 0 <= end[0] < width and 0 <= end[1] < height, ends)
            self.rays[square, f, r] = [x + y * width for x, y in ends] if f or r else itertools.repeat(square)

    def spend(self, steps):
        """Count elementary looks, and give up after too many."""
        self.steps -= steps
        if self.steps < 0:
            raise Undecided("more steps are needed than --steps allows")

    def add(self, place, board):
        """Add a board at the end of its timeline, which may be a new one."""
        self.boards[place], self.last[place[0]] = board, place[1]
        self.log.append(place)

    def undo(self, mark):
        """Take away the boards that were added since the log had this length."""
        while len(self.log) > mark:
            line, moment = place = self.log.pop()
            del self.boards[place]
            self.last[line] = moment - 1
            if (line, moment - 1) not in self.boards:
                del self.last[line]

    def ends(self, white=0, black=0):
        """Where each active timeline ends, once White and Black have made so many new ones (R-4.2)."""
        self.spend(len(self.last))
        middle = -1 if self.even else 0
        low, high = middle - max(self.last) - white - 1, middle - min(self.last) + black + 1
        return {line: moment for line, moment in self.last.items() if low <= line <= high}, range(low, high + 1)

    def present(self):
        """The moment of the present (R-4.4). The player to move is this modulo 2."""
        return min(self.ends()[0].values())

    def boards_along(self, place, travel=True):
        """A function that lists the boards beyond this one, for a step of lines and turns."""
        known = {(0, 0): itertools.repeat((place, self.boards[place]))}

        def along(l, t):
            if (l, t) not in known:
                ways = ((place[0] + i * l, place[1] + 2 * i * t) for i in itertools.count(1))
                ways = itertools.takewhile(lambda way: travel and self.travel and way in self.boards, ways)
                known[l, t] = [(way, self.boards[way]) for way in ways]
                self.spend(len(known[l, t]))
            return known[l, t]
        return along

    def reach(self, along, square, piece):
        """Each square on which the piece may capture, and what stands there (R-2.1 to R-2.9, R-2.11, R-2.12)."""
        kind, player = piece[0].upper(), owner(piece)
        for f, r, l, t in CAPTURES[kind, player]:
            for (place, board), end in zip(along(l, t), self.rays[square, f, r]):
                self.steps -= 1
                there = board[end]
                if not there or owner(there) != player:
                    yield place, end, there
                if there or kind not in RIDERS:
                    break

    def moves_from(self, line, only=None):
        """Every move from the last board of the timeline, or from one square of it, as of this moment."""
        at = (line, self.last[line])
        board, along, moves = self.boards[at], self.boards_along(at), []
        self.spend(len(board))
        for square, piece in enumerate(board):
            if piece and owner(piece) == at[1] % 2 and only in (None, square):
                ends = self.pawn_moves if piece[0] in "PWpw" else self.reach
                for place, end, letter in ends(along, square, piece):
                    kind = "" if place == at else ">" if self.last[place[0]] == place[1] else ">>"
                    moves.append(Move(at, square, kind, place, end, letter if ends == self.pawn_moves else ""))
                if piece in ("K*", "k*"):
                    moves += [Move(at, square, "", at, end, "") for end in self.castlings(at, square)]
        self.spend(len(moves))
        return moves

    def pawn_moves(self, along, square, piece):
        """Each square to which a pawn or brawn goes, and what it becomes (R-2.10 to R-2.14)."""
        r, l, last = (1, -1, self.height - 1) if owner(piece) == 0 else (-1, 1, 0)
        ends = []
        for boards, squares in ((along(0, 0), self.rays[square, 0, r]), (along(l, 0), self.rays[square, 0, 0])):
            way = itertools.islice(zip(boards, squares), 2 if piece.endswith("*") else 1)
            ends += [(place, end) for (place, _), end in itertools.takewhile(lambda w: not w[0][1][w[1]], way)]
        at, _ = next(along(0, 0))
        ends += [(place, end) for place, end, there in self.reach(along, square, piece)
                 if there or (place == at and self.en_passant(at, square, end))]
        for place, end in ends:
            promotes = end // self.width == last != square // self.width
            yield from ((place, end, letter) for letter in (self.promotions if promotes else [""]))

    def en_passant(self, at, square, end):
        """Whether a pawn may go to this empty square and capture the pawn beside it (R-2.13)."""
        (line, moment), board = at, self.boards[at]
        beside = square // self.width * self.width + end % self.width
        behind, victim = 2 * end - beside, board[beside]
        if beside == end or not victim or victim[0] not in "PWpw" or owner(victim) == moment % 2:
            return False
        before, earlier = self.boards.get((line, moment - 1)), self.boards.get((line, moment - 2))
        if earlier is None and "en-passant-on-new-timelines" in self.rules:
            earlier = before
        if earlier is None or not 0 <= behind < len(board) or board[behind] or earlier[behind] != victim[0] + "*":
            return False
        return (before if "en-passant-onto-vacated" in self.rules else earlier)[beside] == ""

    def castlings(self, at, square):
        """The squares to which an unmoved king castles (R-2.15, R-2.16)."""
        board, player, along = self.boards[at], at[1] % 2, self.boards_along(at, travel=False)
        for ray in (self.rays[square, -1, 0], self.rays[square, 1, 0]):
            distance, piece = next(((i, board[end]) for i, end in enumerate(ray, 1) if board[end]), (0, ""))
            if piece == "Rr"[player] + "*" and distance >= (2 if "castling-at-distance-two" in self.rules else 3):
                # No piece of the opponent stands on the three squares, so `reach` lists them if they are attacked.
                attacked = {end for start, other in enumerate(board) if other and owner(other) != player
                            for _, end, _ in self.reach(along, start, other)}
                if not attacked & {square, ray[0], ray[1]}:
                    yield ray[1]

    def boards_after(self, move):
        """The new boards with their places: the one that the piece left, and for a jump the one on which it arrived."""
        at, start, _, target, end, letter = move
        left, piece = list(self.boards[at]), self.boards[at][start]
        left[start] = ""
        moved = (letter if at[1] % 2 == 0 else letter.lower()) or piece[0]
        if target != at:
            arrived = list(self.boards[target])
            arrived[end] = moved
            return [((at[0], at[1] + 1), tuple(left)), ((target[0], target[1] + 1), tuple(arrived))]
        files = end % self.width - start % self.width
        if piece[0] in "PWpw" and files and not left[end]:
            left[start + files] = ""  # The victim of a capture en passant.
        if piece[0] in "Kk" and abs(files) == 2:
            rook = next(square for square in self.rays[start, files // 2, 0] if left[square])
            left[start + files // 2], left[rook] = left[rook][0], ""
        left[end] = moved
        return [((at[0], at[1] + 1), tuple(left))]

    def play(self, action):
        """Play moves that are known to be possible."""
        for move in action:
            self.spend(len(self.last))
            new_line = max(self.last) + 1 if move.at[1] % 2 == 0 else min(self.last) - 1
            for i, (place, board) in enumerate(self.boards_after(move)):
                self.add((new_line, place[1]) if i and move.kind == ">>" else place, board)

    def submit(self, action):
        """Play an action if it is legal (R-5.1, R-5.3, R-5.7). Otherwise leave the position, and return why it is not."""
        mark, player, why = len(self.log), self.present() % 2, None
        for move in action:
            playable = move.at[1] % 2 == player and self.last.get(move.at[0]) == move.at[1]
            if not playable or move not in self.moves_from(move.at[0], move.start):
                why = "a move cannot be made, " + self.show([move])
                break
            self.play([move])
        if not why and self.present() % 2 == player:
            why = "the present stays"
        elif not why and (capture := self.royal_can_be_captured(player)):
            why = "a royal piece can be captured, " + self.show(capture)
        if why:
            self.undo(mark)
        return why

    def royal_can_be_captured(self, player):
        """A capture of a royal piece of the player by the opponent (R-6.3), as (board, square, board, square), or None."""
        for line, moment in self.last.items():
            if moment % 2 != player:
                place = (line, moment)
                along = self.boards_along(place)
                self.spend(len(self.boards[place]))
                for square, piece in enumerate(self.boards[place]):
                    if piece and owner(piece) != player:
                        for other, end, there in self.reach(along, square, piece):
                            if there and there[0] in "KYky" and owner(there) == player:
                                return place, square, other, end
        return None

    def threat(self, attacker, first, start, second, end):
        """The threat of this name."""
        vector = (end % self.width - start % self.width, end // self.width - start // self.width,
                  second[0] - first[0], (second[1] - first[1]) // 2)
        size = max(map(abs, vector)) or 1
        self.spend(size)
        step = tuple(x // size for x in vector)
        ride = tuple(x * size for x in step) == vector
        kinds = [kind for kind, player in CAPTURES if player == attacker and (
            vector in CAPTURES[kind, player] or (kind in RIDERS and ride and step in CAPTURES[kind, player]))]
        if not kinds or (first != second and not self.travel):
            return Threat(first, {})
        case, royals = (str.upper, "ky") if attacker == 0 else (str.lower, "KY")
        needs = {first: [(start, {case(kind) + mark for kind in kinds for mark in ("", "*")})]}
        for i in range(1, size) if ride else ():
            place = (first[0] + i * step[2], first[1] + 2 * i * step[3])
            needs.setdefault(place, []).append((start + i * (step[0] + step[1] * self.width), {""}))
        needs.setdefault(second, []).append((end, {royal + mark for royal in royals for mark in ("", "*")}))
        return Threat(first, needs)

    def stands(self, threat):
        """Whether the threat stands."""
        self.spend(1 + len(threat.needs))
        return threat.needs and self.last.get(threat.first[0]) == threat.first[1] and all(
            place in self.boards and fits(self.boards[place], needs) for place, needs in threat.needs.items())

    def pass_turn(self):
        """Pass on the boards that must be played, or under a switch on all that may be (R-6.4)."""
        ends, present = self.ends()[0], self.present()
        if "check-passes-every-board" in self.rules:
            ends = {line: present for line, moment in self.last.items() if moment % 2 == present % 2}
        for line in [line for line in ends if ends[line] == present]:
            self.add((line, self.last[line] + 1), self.boards[line, self.last[line]])

    def in_check(self):
        """Whether the player to move is in check."""
        player, mark = self.present() % 2, len(self.log)
        self.pass_turn()
        capture = self.royal_can_be_captured(player)
        self.undo(mark)
        return capture is not None

    def show(self, what):
        """A capture or an action as text."""
        def board(place):
            line = place[0] + (self.even and place[0] < 0)
            return f"({'-' if place[0] < 0 else '+' if self.even else ''}{abs(line)}T{place[1] // 2})"

        def name(square):
            return "abcdefgh"[square % self.width] + str(square // self.width + 1)

        if isinstance(what, tuple):
            return board(what[0]) + name(what[1]) + "x" + (board(what[2]) if what[2] != what[0] else "") + name(what[3])
        return " ".join(board(move.at) + name(move.start) + move.kind + (board(move.target) if move.kind else "") + name(move.end)
                        + (move.letter and "=" + move.letter) for move in what)

    def attempts(self, threats):
        """Every action after which the present is the opponent's and none of the threats stands.

        Between two actions the caller leaves the position as it was. It may add threats to the list meanwhile.
        """
        player = self.present() % 2
        steps, branches, playable = [], [], [line for line in self.last if self.last[line] % 2 == player]
        for move in itertools.chain(*map(self.moves_from, playable)):
            boards = self.boards_after(move)
            if move.kind != ">>":
                steps.append(Step([place[0] for place, _ in boards], move, boards, -1))
            if move.kind:
                branches.append((move._replace(kind=">>"), boards))
        # A board from which nothing moves and onto which nothing hops is no axis.
        lines = {line for step in steps for line in step.lines} | {move.at[0] for move, _ in branches}
        steps += [Step([line], None, [], -1) for line in lines]
        # Each branch leaves another board, so there are no more branches than boards.
        for count in range(len({move.at for move, _ in branches}) + 1):
            new = [max(self.last) + 1 + i if player == 0 else min(self.last) - 1 - i for i in range(count)]
            made = [Step([move.at[0], line], move, [left, ((line, place[1]), board)], i)
                    for i, line in enumerate(new) for move, (left, (place, board)) in branches]
            cover = Cover(self, [*lines, *new], steps + made, threats)
            # The rest of the loop makes the present move. `first` is the m of the page.
            ends, active = self.ends(count, 0) if player == 0 else self.ends(0, count)
            first = min((moment for moment in ends.values() if moment % 2 == player), default=None)
            if first is None or min(ends.values()) < first:
                yield from cover.find(cover.all)
                continue
            # Either an active new timeline begins earlier: first the actions in which new[0] does, then new[1] and so on.
            alive = cover.all
            for line in new:
                if line in active:
                    early = cover.mask(lambda step: step.order >= 0 and step.lines[1] == line and step.boards[1][0][1] < first)
                    yield from cover.find(alive & (early | ~cover.on[line]))
                    alive &= ~early
            # Or none does, and each board at that moment is played.
            must = {line for line, moment in ends.items() if moment == first}
            if must <= lines:
                yield from cover.find(alive & ~cover.mask(lambda step: not step.move and step.lines[0] in must))

    def legal_actions(self):
        """Every legal action. Each capture that makes an action illegal is a threat for the rest of the search."""
        player, threats, mark = self.present() % 2, [], len(self.log)
        for action in self.attempts(threats):
            self.play(action)
            capture = self.royal_can_be_captured(player)
            self.undo(mark)
            if capture:
                threats.append(self.threat(1 - player, *capture))
            else:
                yield action


# ---- The search for actions
#
# "Finding the attempts that parry every threat" in ../certificates.md describes it. An axis is a board that the player may play, or
# a new timeline; both are named by their line. A set of steps is a number whose bit i stands for step i.

# `lines` are the axes that the step settles, `boards` the new boards on them, `order` is the number of the branch, or -1.
# A step without a move leaves its board alone.
Step = namedtuple("Step", "lines move boards order")


class Cover:
    """The ways to choose steps that settle each axis once, after which no threat stands."""

    def __init__(self, game, lines, steps, threats):
        game.spend(len(steps) * (len(lines) + 1) // 8)
        if len(steps) > 50000:
            raise Undecided("too many moves")
        self.game, self.lines, self.steps, self.threats = game, lines, steps, threats
        self.all = (1 << len(steps)) - 1
        self.on = {line: self.mask(lambda step: line in step.lines) for line in lines}
        # Branches onto a board that the player may play.
        self.late = {i for i, step in enumerate(steps) if step.order >= 0
                     and game.last[step.move.target[0]] == step.move.target[1]}
        self.needs, self.open = [], []  # Of each threat: the axes of which it needs something, the steps that leave it open.

    def mask(self, test):
        """The steps for which the test holds."""
        return int(bytes(49 if test(step) else 48 for step in reversed(self.steps)) or b"0", 2)

    def conflicts(self, index):
        """The steps that cannot be chosen together with this one."""
        def wrong(step, branch):  # A branch comes after the move on the board to which it goes.
            return step.lines[0] == branch.move.target[0] and (not step.move or step.order >= branch.order)

        step = self.steps[index]
        mask = self.mask(lambda other: wrong(other, step)) if index in self.late else 0
        for line in step.lines:
            mask |= self.on[line]
        for i in self.late:
            mask |= wrong(step, self.steps[i]) << i
        return mask

    def read_threats(self):
        """Find out what the threats need that were added since the last time."""
        for threat in self.threats[len(self.needs):]:
            needs, leaves_open = set(), self.all if threat.needs else 0
            for place, squares in threat.needs.items():
                if place in self.game.boards:
                    last = place != threat.first or self.game.last[place[0]] == place[1]
                    leaves_open = leaves_open if last and fits(self.game.boards[place], squares) else 0
                elif place[0] in self.on:
                    needs.add(place[0])
                    self.game.spend(len(self.steps))
                    fit = self.mask(lambda step: any(new == place and fits(board, squares) for new, board in step.boards))
                    leaves_open &= fit | ~self.on[place[0]]
                else:
                    leaves_open = 0
            self.needs.append(needs)
            self.open.append(leaves_open)

    def enter(self, alive, left, chosen):
        """Prepare a choice: [steps that are possible, axes that are left, steps that were chosen, steps to choose from].

        The last is empty if there is no way on.
        """
        self.read_threats()
        self.game.spend(len(self.needs) + len(left))
        for needs, leaves_open in zip(self.needs, self.open):
            if leaves_open and not chosen & ~leaves_open:
                rest = needs & left
                if not rest:
                    return [0, left, chosen, 0]
                if len(rest) <= 2:  # No step may leave the threat open on all that it still needs.
                    for line in rest:
                        leaves_open &= self.on[line]
                    alive &= ~leaves_open
        return [alive, left, chosen, min((alive & self.on[line] for line in left), key=int.bit_count)]

    def find(self, alive):
        """Every action made of these steps."""
        stack = [self.enter(alive, frozenset(self.lines), 0)] if self.lines else []
        while stack:
            alive, left, chosen, choices = stack[-1]
            if not choices:
                stack.pop()
                continue
            bit = choices & -choices
            stack[-1][3] ^= bit
            index, chosen = bit.bit_length() - 1, chosen | bit
            left = left.difference(self.steps[index].lines)
            if left:
                stack.append(self.enter(alive & ~self.conflicts(index), left, chosen))
                continue
            self.read_threats()
            steps = [step for i, step in enumerate(self.steps) if chosen >> i & 1 and step.move]
            if steps and all(chosen & ~leaves_open for leaves_open in self.open):
                yield [step.move for step in sorted(steps, key=lambda step: step.order)]

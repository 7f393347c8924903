"""Laws that hold for every game, on random games of random variants."""

from __future__ import annotations

import itertools
import pickle

import worldlines
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from worldlines import Action, Game, Note, Position, Variation, learn

NAMES = [variant.name for variant in worldlines.variants()]


JUDGEMENTS = st.sampled_from(["!", "?", "!!", "??", "!?", "?!", "$0", "$7", "$255"])
#: Comments that 5DPGN keeps: one whose braces are not in pairs has to be of one line.
COMMENTS = st.one_of(st.text("{}()[]; \n1.e4/é𝄞%$!", max_size=12), st.text(max_size=20)).filter(
    lambda text: "\r" not in text and (not set(text) & set("{}") or "\n" not in text)
)


@st.composite
def lines(draw: st.DrawFn, position: Position, most: int) -> list[Action]:
    """Random legal actions one after another, among the first of those that are listed."""
    actions: list[Action] = []
    for _ in range(draw(st.integers(0, most))):
        first = list(itertools.islice(position.legal_actions(), 40))
        if not first:
            break
        actions.append(draw(st.sampled_from(first)))
        position = position.play(actions[-1])
    return actions


@st.composite
def notes(draw: st.DrawFn, positions: list[Position], depth: int = 0) -> dict[int, Note]:
    """Random notes of a line with these positions."""
    drawn: dict[int, Note] = {}
    for after in draw(st.sets(st.integers(0, len(positions) - 1), max_size=3)):
        judgements, comments = draw(st.lists(JUDGEMENTS, max_size=2)), draw(st.lists(COMMENTS, max_size=2))
        variations: list[Variation] = []
        for _ in range(draw(st.integers(0, 2)) if depth < 3 else 0):
            actions = draw(lines(positions[after], 3))
            if actions:
                within = itertools.accumulate(actions, lambda position, action: position.play(action), initial=positions[after])
                result = draw(st.sampled_from([None, "1-0", "*"]))
                variations.append(Variation(tuple(actions), draw(notes(list(within), depth + 1)), result))
        if judgements or comments or variations:
            drawn[after] = Note(tuple(judgements), tuple(comments), tuple(variations))
    return drawn


@st.composite
def games(draw: st.DrawFn, most: int = 10) -> Game:
    """A game of random legal actions."""
    game = Game(Position.variant(draw(st.sampled_from(NAMES))))
    for action in draw(lines(game.start, most)):
        game.push(action)
    return game


@st.composite
def noted_games(draw: st.DrawFn) -> Game:
    """A game with notes."""
    game = draw(games(4))
    game.notes = draw(notes(game.positions()))
    return game


LAW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@LAW
@given(games())
def test_taking_back_leads_to_the_start(game: Game) -> None:
    positions = game.positions()
    assert positions[-1] == game.position and positions[0] == game.start
    for position in reversed(positions):
        assert game.position == position and hash(game.position) == hash(position)
        if len(game):
            game.pop()


@LAW
@given(games())
def test_what_is_written_is_read_back(game: Game) -> None:
    for info in worldlines.notations():
        try:
            written = game.write(info.name)
        except worldlines.WriteError:
            continue
        if not written.losses:
            read = Game.parse(written.text, info.name)
            assert read == game and read.position == game.position, info.name
            assert read.write(info.name).text == written.text, info.name


@LAW
@given(noted_games())
def test_notes_are_written_read_pickled_and_taken_back(game: Game) -> None:
    written = game.write()
    assert not written.losses
    read = Game.parse(str(written))
    assert read == game and read.notes == game.notes and not read.warnings and str(read.write()) == str(written)
    assert pickle.loads(pickle.dumps(game)) == game == game.copy()
    plain = game.copy()
    plain.notes = {}
    assert plain.notes == {} and (plain == game) == (not game.notes)
    if len(game):
        kept = {after: note for after, note in game.notes.items() if after < len(game)}
        game.pop()
        assert game.notes == kept


@LAW
@given(games())
def test_a_pickled_game_is_the_same(game: Game) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert again == game and again.position == game.position and str(again) == str(game)
    assert pickle.loads(pickle.dumps(game.position)) == game.position


@LAW
@given(games())
def test_listed_actions_are_legal_and_read_back(game: Game) -> None:
    position = game.position
    for action in itertools.islice(position.legal_actions(), 25):
        # An action that nobody has called legal yet is legal too, and only there. Without branches the order of its moves does not matter;
        # a branch from the end of a timeline would be a hop before the move that plays its target.
        branches = any(move.kind == "branch" for move in action)
        unknown = Action(action.moves if branches else reversed(action.moves))
        assert position.is_legal(action) and position.is_legal(unknown)
        assert not position.play(action).is_legal(action)
        assert position.parse_action(position.action_text(action)) == action
        assert position.parse_action(position.action_text(action, "5duci"), "5duci") == action
        after = position.play(action)
        assert after.to_move != position.to_move and len(after.boards()) > len(position.boards())
        partial = position.begin()
        for move in action:
            assert move in partial.pseudo_legal_moves()
            partial.push(move)
        assert partial.submit() == action


@LAW
@given(games())
def test_answers_about_a_position_agree(game: Game) -> None:
    position = game.position
    first = next(iter(position.legal_actions()), None)
    outcome = position.outcome()
    count = position.count_actions(500)
    assert (first is None) == (count.number == 0) == (outcome.escape is None)
    assert (outcome.status in ("checkmate", "stalemate")) == (first is None)
    assert outcome.in_check == position.is_check() == bool(position.checks())
    assert position.is_checkmate() == (outcome.status == "checkmate")
    if not count.capped:
        moves = {move for action in position.legal_actions() for move in action}
        assert set(position.legal_moves()) <= moves
    assert set(position.mandatory_boards()) <= set(position.playable_boards()) <= set(position.boards())


@LAW
@given(games())
def test_a_mate_has_a_certificate(game: Game) -> None:
    solution = game.position.solve(1, all=True, steps=50_000)
    assert solution == game.position.solve(1, all=True, steps=50_000)
    if solution.verdict == "proven":
        for key in solution.keys:
            assert game.position.play(key).is_checkmate()
        assert worldlines.check_certificate(game.position.certify(1, steps=50_000)).accepted


@LAW
@given(games(), st.integers(0, 2**64 - 1))
def test_batches_agree_with_single_questions(game: Game, seed: int) -> None:
    positions = game.positions()[-3:]
    boards = learn.planes(positions)
    assert len(boards.index) == sum(len(position.boards()) for position in positions)
    assert int(boards.planes[:, :-2].sum()) == sum(len(position.pieces(board)) for position in positions for board in position.boards())
    table = learn.moves(positions, legal=False)
    assert len(table) == sum(len(position.pseudo_legal_moves()) for position in positions)
    one, other = (learn.playouts(positions, count=2, seed=seed, max_actions=12, threads=threads) for threads in (1, 3))
    assert all((first == second).all() for first, second in zip(one, other))
